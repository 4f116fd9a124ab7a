"""The facts of a part of a sentence: statements of one fact each, finer than the splits of ``splitting``.

A rule makes a clause of a modifier, and the clause is treated like the part itself. Then each clause is stated without
its optional phrases, with each of them in turn, and with each of the items that it joins (``reductions``).
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
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite, is_plural, names_again, person
from gistmill.rules.discofuse.operations import be, finite, in_role, join, lowered, sentence
from gistmill.rules.discofuse.parse import FINITE, NOUNS, SUBJECTS, Parse, Word, Words
from gistmill.rules.languages.language import english_words
from gistmill.rules.propositions.reductions import (
    Phrase,
    Rule,
    coordinations,
    fitting,
    is_doubtful,
    is_list_item,
    optional,
    span,
    variants,
)
from gistmill.rules.propositions.splitting import LEAST, Part, is_framed, is_monotone, projected

_FRAMED = frozenset(("ccomp", "csubj", "csubjpass", "pcomp", "parataxis"))
_NEW = ("a", "an")
_VAGUE = frozenset("some many several few most other various certain".split())


def is_asserted(parse: Parse, k: int) -> bool:
    """Whether the text itself says what hangs on a word: no report, condition, negation or likeness is above."""
    above = list(parse.ancestors(k))
    if is_framed(parse) or parse.in_quotation(k) or not is_monotone(parse, k):
        return False
    if any(parse.tokens[at].dep in _FRAMED or parse.lower[at] in ("as", "like", "than") for at in above):
        return False
    return not any(parse.tokens[c].tag == "MD" for at in above for c in parse.auxiliaries(at))


def _is_told_of_past(parse: Parse, k: int) -> bool:
    verb = next((at for at in parse.ancestors(k) if parse.is_verb(at) and parse.finite(at)), parse.root())
    return parse.past(verb)


def _apposition(parse: Parse, k: int) -> Words | None:
    """What somebody or something is: "Leo Lane, founder of the mill", "her daughter Ada", "the film Old Roads"."""
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


_NAMES = english_words("propositions", "names")


def _named(parse: Parse, k: int, noun: int) -> Words | None:
    opening, owned = parse.left_edge(noun), parse.child(noun, "poss") is not None
    what = parse.words[opening + (not owned) : noun + 1]
    if parse.tokens[k].pos != "PROPN" or parse.tokens[noun].tag != "NN" or parse.lower[noun] in _NAMES:
        return None
    if not (owned or parse.lower[opening] == "the") or what[0].tag in ("JJS", "RBS"):
        return None
    return _is_called(parse, k, core(parse, k), lowered(what) if owned else _new(what))


def _title(parse: Parse, k: int) -> Words | None:
    """What somebody is, before the name: "the actor Leo Lane", "actor Leo Lane"."""
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
    past = somebody and _is_told_of_past(parse, k)
    return join(in_role(name, k, "nsubj", k), (be(past=past, plural=False),), what)


def _new(words: Words) -> Words:
    article = Word("a", True, "DT", "DET", "det", "a")
    return (fitting(article, words[0]), *words)


def _finite(parse: Parse, k: int, phrase: Words, subject: int) -> Words | None:
    """The clause that a participle makes of a subject, in the tense of the verb above."""
    (left, end), token = span(parse, k), parse.tokens[k]
    dated = any(parse.tokens[j].entity.endswith("DATE") for j in range(k, end))
    past, who = dated or _is_told_of_past(parse, k), person(parse, subject)
    plural = is_plural(parse, subject) or parse.lower[subject] == "you"
    before = tuple(w for w in parse.words[left:k] if w.dep not in ("mark", "cc"))
    helped = any(parse.tokens[c].dep in (*SUBJECTS, "aux", "auxpass", "mark") for c in parse.children(k))
    torn = "-" in (parse.lower[left - 1], parse.lower[end] if end < len(parse) else "")  # "re-elected"
    clause = any(t.tag in FINITE for t in parse.tokens[left:end])
    spliced = any(parse.tokens[c].dep == "conj" for c in parse.children(k)) and parse.child(k, "cc") is None
    if helped or torn or clause or spliced or any(w.pos != "ADV" for w in before):
        return None
    subject_words = in_role(phrase, subject, "nsubj", k)
    if token.tag == "VBN":
        return join(subject_words, (be(past=past, plural=plural, person=who),), lowered(parse.words[left:end]))
    words = list(parse.words[k:end])
    for n, word in enumerate(words):
        if n == 0 or (word.tag == "VBG" and word.dep == "conj" and word.head == k):
            made = finite(word.lemma, past=past, plural=plural, person=who)
            if made is None or word.tag != "VBG" or word.lemma == "be":
                return None
            words[n] = word._replace(text=made.text, tag=made.tag, original="")
    words[0] = words[0]._replace(dep="ROOT", head=k)
    return join(subject_words, before, words)


def _as_main(words: Words, k: int) -> Words:
    return tuple(w._replace(dep="ROOT", head=k) if w.position == k else w for w in words)


# Participles that are about a clause rather than its subject: "rain fell, causing floods".
_OF_CLAUSES = english_words("discofuse", "of_facts") | english_words("propositions", "of_clauses")
_GIVEN = frozenset("after because although though since while whereas".split())
_ENDING = frozenset("die leave stop kill quit resign".split())


def _participle(parse: Parse, k: int) -> Words | None:
    """A participle that a comma sets off, about the subject of its clause: "the team, founded in 1990, won"."""
    (left, end), head = span(parse, k), parse.tokens[k].head
    set_off = parse.lower[left - 1] == "," if left else parse.lower[end] == ","
    of_clause = parse.tokens[k].tag == "VBG" and parse.tokens[k].lemma in _OF_CLAUSES
    if parse.tokens[k].dep == "acl":
        clause = parse.tokens[head].head
        return _of_subject(parse, k, clause) if set_off and head < k and parse.subject(clause) == head else None
    of_object = parse.tokens[k].tag == "VBN" and k > head and parse.child(head, "dobj") is not None
    return _of_subject(parse, k, head) if set_off and not (of_clause or of_object) else None


def _of_subject(parse: Parse, k: int, verb: int) -> Words | None:
    subject = parse.subject(verb)
    if (
        subject is None
        or not (parse.finite(verb) and parse.on_main_line(verb))
        or parse.tokens[subject].pos not in (*NOUNS, "PRON")
    ):
        return None
    vague = parse.tokens[subject].tag in ("JJS", "DT") or parse.opening(subject) in _VAGUE
    if parse.tokens[subject].dep == "expl" or vague:
        return None
    phrase = definite(lowered(core(parse, subject, end=verb)))
    return None if any(w.text == "," for w in phrase) else _finite(parse, k, phrase, subject)


def _adverbial(parse: Parse, k: int) -> Words | None:
    """A clause of time, reason or concession, which is as true as the one that it hangs on."""
    left, end = span(parse, k)
    mark = parse.lower[left]
    given = mark in _GIVEN or (mark in ("when", "once", "as", "before") and parse.past(k))
    if not given or not parse.finite(k) or parse.subject(k) is None or parse.tokens[left].head != k:
        return None
    return None if "as" in parse.lower[max(left - 3, 0) : left] else _as_main(parse.words[left + 1 : end], k)


def _gerund(parse: Parse, k: int) -> Words | None:
    """What was done before or after: "after moving to Kent", of a subject in the past."""
    verb, gerund = parse.tokens[k].head, parse.child(k, "pcomp")
    if gerund is None or parse.lower[k] not in ("after", "before") or not parse.is_verb(verb) or not parse.past(verb):
        return None
    ends = parse.lower[k] == "before" and parse.tokens[verb].lemma in _ENDING
    return None if ends or parse.tokens[gerund].tag != "VBG" else _of_subject(parse, gerund, verb)


RULES: tuple[Rule[Words | None], ...] = (
    Rule("apposition", frozenset(("appos",)), _apposition,
         "Ada met a nurse, a friend and a clerk.", "Ada visited her brother Bob."),
    Rule("title", frozenset(("compound", "nmod")), _title,
         "Ada met actors Leo Lane and Bob Berg.", "Ada met actor Leo Lane."),
    Rule("participle", frozenset(("acl", "advcl")), _participle,
         "Rain fell in Leeds, causing a flood.", "Ada left Leeds, taking a job in Kent."),
    Rule("adverbial", frozenset(("advcl",)), _adverbial,
         "Ada left if it rained.", "Ada left after the mill had burned."),
    Rule("gerund", frozenset(("prep",)), _gerund,
         "Ada died before selling the mill.", "Ada left the town after selling the mill."),
)  # fmt: skip
_DEEPEST = 4  # clauses inside each other
# Shares without an error, by what was done: benchmarks/readings/propositions.md
_RIGHT = {"apposition": 0.70, "title": 0.97, "participle": 0.80, "adverbial": 0.90, "gerund": 0.67}
_RIGHT |= {"bracket": 0.99, "time": 0.96, "clause": 0.96, "circumstance": 0.95, "insertion": 0.92, "modifier": 0.92}
_RIGHT_ITEM = 0.93
_RIGHT_SIDE = 0.97  # of a semicolon
_GAP = " ... "  # between phrases that are left out


class Fact(NamedTuple):
    """A statement of one fact: it as a part of its own, what was done to the part that it comes from, and the
    probability that this is right."""

    part: Part
    operations: tuple[str, ...]
    quality: float = 1.0


def facts(part: Part, least: float = 0.0) -> Iterator[Fact]:
    """Yields the facts of a part that splits made of a sentence, each once: those of its own clause first.

    Args:
        part: it.
        least: the quality that a fact must have. A part none of whose facts has it is stated as it is.
    """
    found: dict[tuple[str, ...], Fact] = {}
    for fact in _facts(Fact(part, ())):
        if fact.quality >= least:
            found.setdefault(tuple(fact.part.parse.lower), fact)
    yield from found.values() or (Fact(part, ()),)


def _facts(fact: Fact) -> Iterator[Fact]:
    deadline.check()
    parse = fact.part.parse
    if is_doubtful(parse):
        yield fact
        return
    halves = [_stated(words, fact, "SPLIT SEMICOLON ;", _RIGHT_SIDE) for words in _at_semicolon(parse)]
    if halves and None not in halves:
        yield from itertools.chain.from_iterable(_facts(half) for half in halves if half is not None)
        return
    clauses: list[Fact] = []
    for k, token in enumerate(parse.tokens):
        rules = (rule for rule in RULES if token.dep in rule.labels) if len(fact.operations) < _DEEPEST else ()
        made = ((rule.find(parse, k), rule.id) for rule in rules if is_asserted(parse, k))
        stated = (_stated(words, fact, f"STATE {name}", _RIGHT[name]) for words, name in made if words is not None)
        clauses += itertools.islice((clause for clause in stated if clause is not None), 1)
    yield from _reduced(fact)
    yield from itertools.chain.from_iterable(map(_facts, clauses))


def _at_semicolon(parse: Parse) -> tuple[Words, ...]:
    """The two sides of the first semicolon that parts two clauses."""
    for k, text in enumerate(parse.lower):
        if text == ";" and parse.crossings(k, k + 1) <= 3 and not parse.in_quotation(k) and not is_framed(parse):
            return parse.words[:k], lowered(parse.words[k + 1 :])
    return ()


def _reduced(fact: Fact) -> Iterator[Fact]:
    """The clause without its optional phrases and with each of them, each time with one of the items that it joins; as
    it is where none of these is a good sentence."""
    parse = fact.part.parse
    phrases = optional(parse)
    joined = list(coordinations(parse, phrases))
    made: list[Fact | None] = []
    for kept in dict.fromkeys(_choices(parse, phrases)):
        gone = [p for p in phrases if kept.isdisjoint(p.words)]
        right = prod(_RIGHT[p.rule] for p in gone if not any(p.words < other.words for other in gone))
        right *= _RIGHT_ITEM ** sum(each.head in kept for each in joined)
        made += [_stated(words, fact, _left_out(parse, words), right) for words in variants(parse, kept, joined)]
    yield from [each for each in made if each is not None] or [fact]


def _choices(parse: Parse, phrases: Sequence[Phrase]) -> Iterator[frozenset[int]]:
    every = frozenset(range(len(parse)))
    yield every.difference(*(p.words for p in phrases))
    for phrase in phrases:
        # those around it come with it, and a past participle is nothing without what is in it: "a mill built"
        whole = parse.tokens[phrase.head].tag == "VBN"
        others = [p for p in phrases if p is not phrase and not p.words > phrase.words]
        inside = [p.words for p in others if p.words < phrase.words]
        left = every.difference(*(p.words - phrase.words for p in others))
        yield left if whole else left.difference(*inside)


def _left_out(parse: Parse, words: Collection[Word]) -> str:
    """The operation that leaves out what some words lack; "" for nothing but marks."""
    kept = {w.position for w in words}
    runs = itertools.groupby(range(len(parse)), key=lambda k: k in kept)
    texts = [" ".join(parse.tokens[k].text for k in run) for there, run in runs if not there]
    left = [text for text in texts if any(map(str.isalnum, text))]
    return f"DELETE {_GAP.join(left)}" if left else ""


def _fit(word: Word, following: Word) -> bool:
    """Whether a word may be before another one that was not behind it: not "by dissection of to"."""
    if following.position in (-1, word.position + 1) or word.position < 0:
        return True
    if word.text.lower() == following.text.lower() or (word.tag == "TO" and following.tag != "VB"):
        return False
    unfinished = word.tag in ("IN", "TO", "CC") or word.dep in ("det", "poss")
    return not unfinished or (following.tag not in ("IN", "TO", "CC", ",", ".", *FINITE))


def _stated(words: Words, fact: Fact, operation: str, right: float) -> Fact | None:
    """The words as a statement; None where their grammar is in doubt."""
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
