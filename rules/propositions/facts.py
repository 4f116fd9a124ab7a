"""The facts in part of a sentence: statements of one fact each, finer than the splits of ``splitting``.

A rule makes a clause from a modifier, and the clause is then treated like the part itself. Each clause is stated
without its optional phrases, with each of them in turn, and with each of its coordinated items (``reductions``).
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from math import prod
from typing import NamedTuple

from gistmill.core import deadline
from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.discofuse import apposition, verdicts
from gistmill.rules.discofuse.checks import first_reason
from gistmill.rules.discofuse.insertion import Insertion
from gistmill.rules.discofuse.nouns.noun_phrases import core
from gistmill.rules.discofuse.operations import be, finite, in_role, join, lowered, sentence
from gistmill.rules.discofuse.parse import FINITE, NOUNS, Parse, Word, Words
from gistmill.rules.languages.language import english_table
from gistmill.rules.propositions.reductions import (
    SET_OFF,
    Coordination,
    Phrase,
    Rule,
    coordinations,
    is_doubtful,
    is_list_item,
    opens,
    optional,
    span,
)
from gistmill.rules.propositions.splitting import LEAST, Part, is_framed, is_monotone, projected

_WORDS = english_table("propositions")
_FRAMED = frozenset(("ccomp", "csubj", "csubjpass", "pcomp", "parataxis"))


def is_asserted(parse: Parse, k: int) -> bool:
    """Whether the text asserts the words below a word: no report, condition, negation or comparison is above them."""
    above = list(parse.ancestors(k))
    if is_framed(parse) or parse.in_quotation(k) or not (is_monotone(parse, k) and parse.finite(parse.root())):
        return False
    if any(parse.tokens[at].dep in _FRAMED or parse.lower[at] in ("as", "like", "than") for at in above):
        return False
    return not any(parse.tokens[c].tag == "MD" for at in above for c in parse.auxiliaries(at))


def _apposition(parse: Parse, k: int) -> Words | None:
    """Returns a statement of identity: "Leo Lane, founder of the mill", "her daughter Ada", "the film Old Roads"."""
    (left, end), head = span(parse, k), parse.tokens[k].head
    if is_list_item(parse, k) or parse.tokens[k].pos not in NOUNS or parse.tokens[k].entity.startswith("I-"):
        return None
    if head < k and left == head + 1:
        return _named(parse, k, head)
    first = parse.tokens[left]
    known = first.tag in ("DT", "PRP$", "CD") or parse.tokens[left + 1].tag == "POS"
    role = parse.tokens[k].tag == "NN" and parse.tokens[head].entity.endswith("PERSON")
    if parse.lower[left - 1] != "," or not (known or (role and parse.tokens[k].lemma.lower() in PERSON_NOUNS)):
        return None
    match = Insertion(left - 1, end, k, head)
    return None if first_reason(apposition.CHECKS, parse, match) else apposition.apply(parse, match).second


def _named(parse: Parse, k: int, noun: int) -> Words | None:
    opening, owned = parse.left_edge(noun), parse.child(noun, "poss") is not None
    what = parse.words[opening + (not owned) : noun + 1]
    if parse.tokens[k].pos != "PROPN" or parse.tokens[noun].tag != "NN" or parse.lower[noun] in _WORDS["names"]:
        return None
    if not (owned or parse.lower[opening] == "the") or what[0].tag in ("JJS", "RBS"):
        return None
    return _is_called(parse, k, core(parse, k), lowered(what) if owned else _new(what))


def _title(parse: Parse, k: int) -> Words | None:
    """Returns a statement of a person's role given before the name: "the actor Leo Lane", "actor Leo Lane"."""
    head = parse.tokens[k].head
    left = parse.left_edge(head)
    what = parse.words[left + (parse.lower[left] == "the") : k + 1]
    titled = parse.tokens[k].tag == "NN" and parse.lower[k] in PERSON_NOUNS and parse.tokens[k + 1].pos == "PROPN"
    joined = parse.child(head, "conj") is not None or parse.tokens[head].dep == "conj"
    if not titled or joined or k > head or not parse.tokens[head].entity.endswith("PERSON"):
        return None
    plain = all(w.tag in ("NN", "JJ", "HYPH") and not w.entity.endswith("PERSON") for w in what)
    return _is_called(parse, head, parse.words[k + 1 : head + 1], _new(lowered(what))) if plain else None


def _is_called(parse: Parse, k: int, name: Words, what: Words) -> Words:
    somebody = parse.tokens[k].entity.endswith("PERSON") or what[-1].lemma.lower() in PERSON_NOUNS
    verb = next((at for at in parse.ancestors(k) if parse.is_verb(at) and parse.finite(at)), parse.root())
    return join(in_role(name, k, "nsubj", k), (be(past=somebody and parse.past(verb), plural=False),), what)


def _new(words: Words) -> Words:
    article = Word("a", True, "DT", "DET", "det", "a")
    return (_fitting(article, words[0]), *words)


def _adverbial(parse: Parse, k: int) -> Words | None:
    """Returns a clause of time, reason or concession, which is as true as the clause that it depends on."""
    left, end = span(parse, k)
    mark = parse.lower[left]
    given = mark in _WORDS["circumstances"] and (mark not in ("when", "once", "as", "before") or parse.past(k))
    if not given or not parse.finite(k) or parse.subject(k) is None or parse.tokens[left].head != k:
        return None
    if "as" in parse.lower[max(left - 3, 0) : left]:
        return None
    return in_role(parse.words[left + 1 : end], k, "ROOT", k)


RULES: tuple[Rule[Words | None], ...] = (
    Rule("apposition", frozenset(("appos",)), _apposition,
         "Ada met a nurse, a friend and a clerk.", "Ada visited her brother Bob."),
    Rule("title", frozenset(("compound", "nmod")), _title,
         "Ada met actors Leo Lane and Bob Berg.", "Ada met actor Leo Lane."),
    Rule("adverbial", frozenset(("advcl",)), _adverbial,
         "Ada left if it rained.", "Ada left after the mill had burned."),
)  # fmt: skip
_DEEPEST = 4  # maximum depth of nested clauses
# Share of correct results by operation: benchmarks/readings/propositions.md
_RIGHT = {"apposition": 0.92, "title": 0.97, "adverbial": 0.92}
_RIGHT |= {"bracket": 0.99, "time": 0.96, "clause": 0.96, "circumstance": 0.95, "insertion": 0.92, "modifier": 0.92}
_RIGHT_ITEM = 0.93
_RIGHT_SIDE = 0.97  # for splits at a semicolon


class Fact(NamedTuple):
    """A fact: a part, the operations that derived it from a larger part, and the probability that they are right."""

    part: Part
    operations: tuple[str, ...]
    quality: float = 1.0


def facts(part: Part, least: float = 0.0) -> Iterator[Fact]:
    """Yields the facts of a part derived by splitting, without duplicates and with those of its own clause first.

    Args:
        part: the part.
        least: minimum quality of a fact. A clause without a fact of that quality is stated unchanged.
    """
    found: dict[tuple[str, ...], Fact] = {}
    for fact in _facts(Fact(part, ()), least):
        found.setdefault(tuple(fact.part.parse.lower), fact)
    yield from found.values()


def _facts(fact: Fact, least: float) -> Iterator[Fact]:
    deadline.check()
    parse = fact.part.parse
    halves = [_stated(words, fact, "SPLIT SEMICOLON ;", _RIGHT_SIDE) for words in _at_semicolon(parse)]
    if halves and None not in halves:
        yield from itertools.chain.from_iterable(_facts(half, least) for half in halves if half is not None)
        return
    if any(is_doubtful(parse, k) for k in range(len(parse))):
        yield fact
        return
    yield from [each for each in _reduced(fact) if each.quality >= least] or [fact]
    if len(fact.operations) == _DEEPEST:
        return
    for k, token in enumerate(parse.tokens):
        rules = [rule for rule in RULES if token.dep in rule.labels]
        for rule in rules if rules and is_asserted(parse, k) else ():
            words = rule.find(parse, k)
            clause = None if words is None else _stated(words, fact, f"STATE {rule.id}", _RIGHT[rule.id])
            if clause is not None:
                if clause.quality >= least:
                    yield from _facts(clause, least)
                break


def _at_semicolon(parse: Parse) -> tuple[Words, ...]:
    for k, text in enumerate(parse.lower):
        if text == ";" and parse.crossings(k, k + 1) <= 3 and not parse.in_quotation(k) and not is_framed(parse):
            return parse.words[:k], lowered(parse.words[k + 1 :])
    return ()


def _reduced(fact: Fact) -> Iterator[Fact]:
    """Yields the clause without its optional phrases and with each of them, with one item per coordination."""
    parse = fact.part.parse
    phrases = optional(parse)
    joined = list(coordinations(parse, phrases))
    for kept in dict.fromkeys(_choices(parse, phrases)):
        gone = [p for p in phrases if kept.isdisjoint(p.words)]
        right = prod(_RIGHT[p.rule] for p in gone if not any(p.words < other.words for other in gone))
        right *= _RIGHT_ITEM ** sum(each.head in kept for each in joined)
        made = (_stated(words, fact, _left_out(parse, words), right) for words in _variants(parse, kept, joined))
        yield from filter(None, made)


def _choices(parse: Parse, phrases: Sequence[Phrase]) -> Iterator[frozenset[int]]:
    every = frozenset(range(len(parse)))
    yield every.difference(*(p.words for p in phrases))
    for phrase in phrases:
        # keep the phrases around it; a past participle also needs the phrases inside it: "a mill built"
        whole = parse.tokens[phrase.head].tag == "VBN"
        others = [p for p in phrases if p is not phrase and not p.words > phrase.words]
        inside = [p.words for p in others if p.words < phrase.words]
        left = every.difference(*(p.words - phrase.words for p in others))
        yield left if whole else left.difference(*inside)


def _left_out(parse: Parse, words: Collection[Word]) -> str:
    """Returns the operation that deletes all but the given words; "" if it deletes only punctuation."""
    kept = {w.position for w in words}
    runs = itertools.groupby(range(len(parse)), key=lambda k: k in kept)
    texts = [" ".join(parse.tokens[k].text for k in run) for there, run in runs if not there]
    left = [text for text in texts if any(map(str.isalnum, text))]
    return f"DELETE {' ... '.join(left)}" if left else ""


def _fit(word: Word, following: Word) -> bool:
    """Whether a word may precede a word that did not originally follow it: not "by dissection of to"."""
    if following.position in (-1, word.position + 1) or word.position < 0:
        return True
    if word.text.lower() == following.text.lower() or (word.tag == "TO" and following.tag != "VB"):
        return False
    unfinished = word.tag in ("IN", "TO", "CC") or word.dep in ("det", "poss")
    return not unfinished or (following.tag not in ("IN", "TO", "CC", ",", ".", *FINITE))


def _stated(words: Words, fact: Fact, operation: str, right: float) -> Fact | None:
    """Returns the words as a statement; None if their grammar is doubtful."""
    made = sentence(words)
    cut = len(made) > 1 and (made[-2].tag == "IN" or (made[-2].tag == "VBN" and made[-2].dep == "acl"))
    if len(made) < LEAST or cut or not all(itertools.starmap(_fit, itertools.pairwise(made))):
        return None
    if verdicts.of_sentence(made, min_tokens=LEAST, ascii_only=False) is not None:
        return None
    origins = tuple(fact.part.origins[w.position] if w.position >= 0 else -1 for w in made)
    parse = projected(made, fact.part.parse)
    if parse.subject(parse.root()) is None or not parse.finite(parse.root()):
        return None
    operations = (*fact.operations, operation) if operation else fact.operations
    return Fact(Part(parse, origins), operations, fact.quality * right)


_MOST_CHOICES = 18  # maximum number of item choices per choice of phrases


def _variants(parse: Parse, kept: frozenset[int], joined: Sequence[Coordination]) -> Iterator[Words]:
    """Yields sentences of some words of a sentence, each with one item of every coordination.

    Args:
        parse: the sentence.
        kept: positions of the words.
        joined: its coordinations.
    """
    here = [c for c in joined if c.head in kept]
    seen: set[frozenset[int]] = set()
    for choice in itertools.islice(itertools.product(*(range(len(c.gone)) for c in here)), _MOST_CHOICES):
        left = kept.difference(*(c.gone[n] for c, n in zip(here, choice, strict=True)))
        if left not in seen:
            seen.add(left)
            yield _without(parse, left, [c.singular for c in here if c.singular >= 0])


def _without(parse: Parse, kept: Collection[int], verbs: Sequence[int]) -> Words:
    """Returns the words at the given positions, without commas and dashes needed only by the others, with adjusted
    articles, and with the given verbs in the singular."""
    left = set(kept)
    for run in _runs([k for k in range(len(parse)) if k not in left]):
        start, end = run[0], run[-1] + 1
        opened = start > 0 and parse.lower[start - 1] in SET_OFF
        inserted = opened or not SET_OFF.isdisjoint(parse.lower[start:end])
        closed = end < len(parse) and parse.lower[end] in SET_OFF
        following = parse.tokens[end].tag if end < len(parse) else ""
        if opened and following not in ("VBG", "WDT", "WP"):
            left.discard(start - 1)
        last = closed and not any(parse.lower[k].isalnum() for k in left if k > end)
        helped = start > 1 and parse.tokens[start - 2].pos == "AUX"
        if closed and (last or not start or (inserted and (helped or not _needs_comma(parse, end + 1)))):
            left.discard(end)
    words = list(parse.words)
    for verb in verbs:
        k = min((*parse.auxiliaries(verb), verb))
        made = finite(words[k].lemma, past=words[k].tag == "VBD", plural=False)
        words[k] = words[k]._replace(text=made.text, tag=made.tag) if made is not None else words[k]
    runs = _runs(sorted(left))
    for before, after in itertools.pairwise(runs):
        words[before[-1]] = _fitting(words[before[-1]], words[after[0]])
    return join(*([words[k] for k in run] for run in runs))


def _runs(positions: Sequence[int]) -> list[list[int]]:
    runs = itertools.groupby(enumerate(positions), key=lambda place: place[1] - place[0])
    return [[k for _, k in run] for _, run in runs]


def _fitting(article: Word, word: Word) -> Word:
    """Returns an indefinite article in the form required by the next word; other words unchanged."""
    if article.text.lower() not in ("a", "an") or article.tag != "DT":
        return article
    text = "an" if word.text[0].lower() in "aeiou" else "a"
    return article._replace(text=text.capitalize() if article.text[0].isupper() else text)


def _needs_comma(parse: Parse, k: int) -> bool:
    """Whether a word opens a part that needs the comma before it: a relative clause, a participle or another clause."""
    clauses = ("WDT", "WP", "WP$", "WRB", "VBG", "VBN", "CC")
    return k < len(parse) and (parse.tokens[k].tag in clauses or opens(parse, k, ("appos", "relcl", "acl", "advcl")))
