"""The facts of a part of a sentence: statements of one fact each, finer than the splits of ``splitting``.

A rule makes a clause of a modifier, which is treated like the part itself. Then a clause is stated without its
optional phrases, and with each of them in turn, and with each of the items that it joins (``reductions``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gistmill.core import deadline
from gistmill.rules.coreference.lexicon import PERSON_NOUNS, ReferentKind
from gistmill.rules.discofuse import apposition, insertion, relative_clause, verdicts
from gistmill.rules.discofuse.checks import first_reason
from gistmill.rules.discofuse.insertion import Insertion
from gistmill.rules.discofuse.nouns import references
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite, is_plural, names_again, person
from gistmill.rules.discofuse.operations import be, finite, in_role, join, lowered, sentence
from gistmill.rules.discofuse.parse import COMMA, FINITE, NOUNS, SUBJECTS, Parse, Word, Words
from gistmill.rules.languages.language import english_words
from gistmill.rules.propositions.reductions import (
    Phrase,
    coordinations,
    is_list_item,
    is_monotone,
    optional,
    span,
    variants,
)
from gistmill.rules.propositions.splitting import LEAST, Part, is_framed, projected


class Fact(NamedTuple):
    """A statement of one fact: it as a part of its own, and the ids of the rules that made it."""

    part: Part
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A modifier that is stated as a clause of its own.

    Attributes:
        id: its name.
        labels: dependency labels of the modifier's head.
        state: returns the clause, or None where the modifier is not one of this rule.
        refuses: a text of which it states nothing.
        passes: a like text of which it states something.
    """

    id: str
    labels: frozenset[str]
    state: Callable[[Parse, int], Words | None]
    refuses: str
    passes: str


_FRAMED = frozenset(("ccomp", "csubj", "csubjpass", "pcomp", "parataxis"))
_NEW = ("a", "an")


def is_asserted(parse: Parse, k: int) -> bool:
    """Whether the text itself says what hangs on a word: no report, condition or negation is above."""
    above = (k, *parse.ancestors(k))
    if any(parse.tokens[at].dep in _FRAMED for at in above[1:]) or parse.in_quotation(k):
        return False
    if any(parse.lower[at] in ("as", "like", "than") for at in above[1:]):
        return False  # "is seen as a god who"
    if is_framed(parse):
        return False
    modal = any(parse.tokens[c].tag == "MD" for at in above[1:] for c in parse.auxiliaries(at))
    return not modal and is_monotone(parse, k)


def _verb_above(parse: Parse, k: int) -> int:
    return next((at for at in parse.ancestors(k) if parse.is_verb(at) and parse.finite(at)), parse.root())


def _bearer(parse: Parse, k: int) -> tuple[Words, int] | None:
    """Returns the noun phrase that a modifier is about, as one that is known, and its head; the subject where the
    noun is what the subject is said to be. None where the phrase cannot be said again."""
    head = parse.tokens[k].head
    left = span(parse, k)[0]
    if parse.tokens[head].pos not in NOUNS or head > k:
        return None
    if parse.tokens[head].dep == "attr" and parse.opening(head) in _NEW:
        verb = parse.tokens[head].head
        subject = parse.subject(verb)
        if subject is None or parse.tokens[verb].lemma != "be" or parse.tokens[subject].dep == "expl":
            return None
        return core(parse, subject, end=verb), subject
    set_off = parse.lower[left - 1] in (",", "(", "--")
    bare = parse.tokens[head].pos == "NOUN" and parse.child(head, "det", "poss", "nummod") is None
    if not set_off and (bare or _may_be_another(parse, k, head)):
        return None  # "cars built in Kent" are not all cars
    phrase = definite(core(parse, head, end=left))
    before = left - 1 - set_off
    if not phrase or phrase[-1].position != before or not names_again(parse, phrase, head):
        return None
    if any(parse.tokens[c].dep in ("conj", "appos") and c < k for c in parse.children(head)):
        return None
    return lowered(phrase), head


def _may_be_another(parse: Parse, k: int, head: int) -> bool:
    """Whether a modifier may be that of a noun further left: "a group in the table consisting of"."""
    above = parse.tokens[parse.tokens[head].head]
    if parse.tokens[head].dep != "pobj" or parse.tokens[above.head].pos not in NOUNS:
        return False
    return above.lemma != "of" or parse.tokens[k].tag != "VBN"


def _clause(parse: Parse, k: int, phrase: Words, subject: int, verb: Word | None, words: Words) -> Words:
    return join(in_role(phrase, subject, "nsubj", k), (verb,) if verb is not None else (), words)


def _apposition(parse: Parse, k: int) -> Words | None:
    left, end = span(parse, k)
    head = parse.tokens[k].head
    if is_list_item(parse, k) or parse.tokens[k].pos not in NOUNS or parse.tokens[k].entity.startswith("I-"):
        return None
    if head < k and left == head + 1:
        return _named(parse, k, head)
    if parse.lower[left - 1] != "," or end >= len(parse):
        return None
    opening = parse.tokens[left]
    if opening.tag not in ("DT", "PRP$", "CD") and parse.tokens[left + 1].tag != "POS":
        role = parse.tokens[k].lemma.lower() in PERSON_NOUNS and parse.tokens[head].entity.endswith("PERSON")
        if not role or parse.tokens[k].tag != "NN":
            return None
    match = Insertion(left - 1, end, k, head)
    if first_reason(apposition.CHECKS, parse, match) is not None:
        return None
    return apposition.apply(parse, match).second


def _named(parse: Parse, k: int, head: int) -> Words | None:
    """A name right behind what it names: "her daughter Ada" says that Ada is her daughter."""
    opening = parse.left_edge(head)
    owned = any(parse.tokens[c].dep == "poss" for c in parse.children(head))
    if parse.tokens[k].pos != "PROPN" or parse.tokens[head].tag != "NN" or parse.lower[head] in _NAMES:
        return None
    if not (owned or parse.lower[opening] == "the") or parse.tokens[opening + 1].tag in ("JJS", "RBS"):
        return None
    name = core(parse, k)
    what = lowered(parse.words[opening : head + 1])
    if not owned:
        what = _new(what[1:])
    person = not parse.tokens[k].entity.endswith("WORK_OF_ART") and owned
    form = be(past=person and parse.past(_verb_above(parse, k)), plural=False)
    return _clause(parse, k, name, k, form, what)


_NAMES = frozenset("name word term title phrase letter symbol prefix suffix pseudonym nickname role year month".split())


def _new(words: Words) -> Words:
    """A noun with the indefinite article."""
    text = "an" if words[0].text[0].lower() in "aeiou" else "a"
    return (Word(text, True, "DT", "DET", "det", "a"), *words)


def _title(parse: Parse, k: int) -> Words | None:
    """What somebody is, before the name: "the actor Leo Lane", "actor Leo Lane"."""
    head = parse.tokens[k].head
    if parse.tokens[k].tag != "NN" or parse.lower[k] not in PERSON_NOUNS or not parse.tokens[head].entity.endswith("PERSON"):
        return None
    left = parse.left_edge(head)
    before = parse.words[left:k]
    if k > head or any(w.tag not in ("NN", "JJ", "DT", "HYPH") or w.entity[2:] == "PERSON" for w in before):
        return None
    if parse.child(head, "conj") is not None or parse.tokens[head].dep == "conj" or parse.tokens[k + 1].pos != "PROPN":
        return None
    what = parse.words[left + (parse.lower[left] in ("the", "a", "an")) : k + 1]
    if parse.lower[left] not in ("the", "a", "an", parse.lower[k]) and before and before[0].tag == "DT":
        return None
    name = parse.words[k + 1 : head + 1]
    form = be(past=parse.past(_verb_above(parse, k)), plural=False)
    return _clause(parse, head, name, head, form, _new(lowered(what)))


def _in_brackets(parse: Parse, k: int) -> Words | None:
    """What brackets behind a name say: when somebody was born, or its initials."""
    close = next((j for j in range(k, len(parse)) if parse.lower[j] == ")"), -1)
    inside = parse.words[k + 1 : close]
    if parse.lower[k] != "(" or close < 0 or not inside or parse.tokens[k - 1].pos != "PROPN" or k < 2:
        return None
    start = k - 1
    while start and parse.tokens[start].entity.startswith("I-"):
        start -= 1
    name = parse.words[start:k]
    if inside[0].text == "born" and all(w.entity.endswith("DATE") or w.text in _OF_BIRTH for w in inside[1:]):
        return _clause(parse, k - 1, lowered(name), k - 1, be(past=True, plural=False), inside)
    initials = "".join(w.text[0] for w in name if w.text[0].isupper())
    if len(inside) == 1 and len(name) > 1 and inside[0].text == initials:
        called = Word("called", True, "VBN", "VERB", "acl", "call")
        return _clause(parse, k - 1, lowered(name), k - 1, be(past=False, plural=False), (called, *inside))
    return None


_OF_BIRTH = frozenset(("in", "on", ",", "c."))


def _participle(parse: Parse, k: int) -> Words | None:
    """A participle behind a noun: "a team based in Kent", "characters embodying her life"."""
    found = _bearer(parse, k)
    return None if found is None else _finite(parse, k, *found)


def _finite(parse: Parse, k: int, phrase: Words, subject: int) -> Words | None:
    """The clause that a participle makes of its subject, in the tense of the verb above."""
    left, end = span(parse, k)
    token = parse.tokens[k]
    past, plural = parse.past(_verb_above(parse, k)), is_plural(parse, subject)
    who = person(parse, subject)
    plural = plural or parse.lower[subject] == "you"
    before = tuple(w for w in parse.words[left:k] if w.dep not in ("mark", "cc"))
    if any(parse.tokens[c].dep in (*SUBJECTS, "aux", "auxpass", "mark") for c in parse.children(k)):
        return None
    if any(w.pos not in ("ADV",) for w in before):
        return None
    if token.tag == "VBN":
        form = be(past=past, plural=plural, person=who)
        return _clause(parse, k, phrase, subject, form, parse.words[left:end])
    if token.tag != "VBG" or token.lemma == "be":
        return None
    verb = finite(token.lemma, past=past, plural=plural, person=who)
    if verb is None:
        return None
    rest = list(parse.words[k + 1 : end])
    for n, word in enumerate(rest):
        joined = word.tag == "VBG" and word.dep == "conj" and word.head == k
        other = finite(word.lemma, past=past, plural=plural, person=who) if joined else None
        if other is not None:
            rest[n] = word._replace(text=other.text, tag=other.tag, original="")
    main = parse.words[k]._replace(text=verb.text, tag=verb.tag, dep="ROOT", head=k, original="")
    return join(in_role(phrase, subject, "nsubj", k), before, (main,), rest)


def _relative(parse: Parse, k: int) -> Words | None:
    """A relative clause, restrictive or not, of a particular noun."""
    left, end = span(parse, k)
    found = _bearer(parse, k)
    if found is None or parse.tokens[left].tag not in ("WDT", "WP", "WP$") or not parse.finite(k):
        return None
    comma = parse.lower[left - 1] == ","
    match = Insertion(left - 1, end, k, parse.tokens[k].head)
    if comma and first_reason(relative_clause.CHECKS, parse, match) is not None:
        return None
    if not comma and not parse.past(k):
        return None
    words = tuple(w._replace(dep="ROOT", head=k) if w.position == k else w for w in parse.words[left + 1 : end])
    phrase, subject = found
    verbs = (k, *(c for c in parse.children(k) if parse.tokens[c].dep == "conj" and parse.is_verb(c)))
    if any(parse.number(v) not in (None, "plural" if is_plural(parse, subject) else "singular") for v in verbs):
        return None
    return relative_clause.rebuilt(parse, match._replace(antecedent=subject), words, phrase)


def _place(parse: Parse, k: int) -> Words | None:
    """A clause that says what is so in a place or time: "the school, where she sang"."""
    left, end = span(parse, k)
    found = _bearer(parse, k)
    if found is None or not parse.finite(k) or parse.subject(k) is None:
        return None
    phrase, subject = found
    if parse.lower[left] == "where":
        above = parse.tokens[parse.tokens[parse.tokens[k].head].head]
        text = parse.lower[parse.tokens[parse.tokens[k].head].head]
        text = "at" if above.dep == "prep" and text in ("at", "to") and not phrase[-1].entity.endswith("GPE") else "in"
        where = Word(text, True, "IN", "ADP", "prep", text)
        rest = parse.words[left + 1 : end]
    elif parse.lower[left + 1 : left + 2] == ["which"] and parse.tokens[left].dep == "prep":
        where, rest = parse.words[left], parse.words[left + 2 : end]
    else:
        return None
    words = tuple(w._replace(dep="ROOT", head=k) if w.position == k else w for w in rest)
    return join((where,), in_role(phrase, subject, "pobj", where.position), (COMMA,), words)


# Participles that are about a clause rather than its subject: "rain fell, causing floods".
_OF_CLAUSES = english_words("discofuse", "of_facts") | english_words("propositions", "of_clauses")


def _free_participle(parse: Parse, k: int) -> Words | None:
    """A participle that a comma sets off, about the subject of its clause."""
    verb = parse.tokens[k].head
    left, end = span(parse, k)
    set_off = parse.lower[left - 1] == "," if left else parse.lower[end] == ","
    subject = parse.subject(verb)
    if parse.tokens[k].lemma in _OF_CLAUSES and parse.tokens[k].tag == "VBG":
        return None
    if not set_off or subject is None or not parse.finite(verb) or parse.tokens[subject].dep == "expl":
        return None
    if parse.tokens[subject].pos not in (*NOUNS, "PRON"):
        return None
    return _finite(parse, k, definite(lowered(core(parse, subject, end=verb))), subject)


_GIVEN = frozenset("after because although though since while whereas".split())


def _adverbial(parse: Parse, k: int) -> Words | None:
    """A clause of time, reason or concession, which is as true as the one that it hangs on."""
    left, end = span(parse, k)
    mark = parse.lower[left]
    given = mark in _GIVEN or (mark in ("when", "once", "as", "before") and parse.past(k))
    if not given or not parse.finite(k) or parse.subject(k) is None or parse.tokens[left].head != k:
        return None
    if mark == "as" and any(parse.lower[j] == "as" for j in range(max(left - 3, 0), left)):
        return None
    return tuple(w._replace(dep="ROOT", head=k) if w.position == k else w for w in parse.words[left + 1 : end])


def _after_gerund(parse: Parse, k: int) -> Words | None:
    """What was done before or after: "after moving to Kent" of a subject in the past."""
    verb, gerund = parse.tokens[k].head, parse.child(k, "pcomp")
    if gerund is None or parse.lower[k] not in ("after", "before") or not parse.is_verb(verb) or not parse.past(verb):
        return None
    subject = parse.subject(verb)
    if subject is None or parse.tokens[subject].pos not in (*NOUNS, "PRON") or parse.tokens[gerund].tag != "VBG":
        return None
    if parse.lower[k] == "before" and parse.tokens[verb].lemma in ("die", "leave", "stop", "kill", "quit", "resign"):
        return None
    return _finite(parse, gerund, definite(lowered(core(parse, subject, end=verb))), subject)


_PLACES = frozenset(("GPE", "LOC", "FAC"))


def _located(parse: Parse, k: int) -> Words | None:
    """A name with the place that it is in: "Kezar Stadium in San Francisco"."""
    head, noun = parse.tokens[k].head, parse.child(k, "pobj")
    if noun is None or parse.lower[k] not in ("in", "on", "near") or k < head:
        return None
    there, found = parse.tokens[noun], _bearer(parse, k)
    if found is None or there.entity[2:] not in ("GPE", "LOC"):
        return None
    phrase, bearer = found
    own = parse.tokens[bearer]
    placed = own.pos == "PROPN" and own.entity[2:] in _PLACES
    if not placed and (bearer == head or ReferentKind.PLACE not in references.kinds_at(parse, head)):
        return None
    past = bearer != head and parse.past(_verb_above(parse, k))
    form = be(past=past, plural=is_plural(parse, bearer), person=person(parse, bearer))
    return _clause(parse, k, phrase, bearer, form, parse.words[k : span(parse, k)[1]])


def _labels(*names: str) -> frozenset[str]:
    return frozenset(names)


RULES = (
    Rule("apposition", _labels("appos"), _apposition,
         "Ada met a nurse, a friend and a clerk.", "Ada met Leo Lane, founder of the mill."),
    Rule("brackets", _labels("punct"), _in_brackets,
         "The mill (see below) is old.", "Ada Lane (born 1970) is a clerk."),
    Rule("title", _labels("compound", "nmod"), _title,
         "Actors Leo Lane and Bob Berg left.", "Ada met actor Leo Lane."),
    Rule("participle", _labels("acl"), _participle,
         "No team based in Kent won.", "Ada bought a mill built in Kent."),
    Rule("relative", _labels("relcl"), _relative,
         "Ada buys every mill that burns.", "Ada bought a mill that burned in May."),
    Rule("place", _labels("relcl"), _place,
         "Ada knows the reason why it burned.", "Ada went to Leeds, where she sang in a choir."),
    Rule("free-participle", _labels("advcl"), _free_participle,
         "Ada left singing.", "Ada left Leeds, taking a job in Kent."),
    Rule("adverbial", _labels("advcl"), _adverbial,
         "Ada left if it rained.", "Ada left after the mill had burned."),
    Rule("gerund", _labels("prep"), _after_gerund,
         "Ada died before selling the mill.", "Ada left the town after selling the mill."),
    Rule("located", _labels("prep"), _located,
         "Ada sold the mill in Kent.", "Ada sang at Kezar Stadium in Leeds."),
)  # fmt: skip


def facts(part: Part) -> Iterator[Fact]:
    """Yields the facts of a part that splits made of a sentence, in order, each once.

    Args:
        part: the part.
    """
    seen: set[str] = set()
    for fact in _facts(part, ()):
        text = "".join(fact.part.parse.lower)
        if text not in seen:
            seen.add(text)
            yield fact


_DEEPEST = 4  # clauses inside each other


def _facts(part: Part, rules: tuple[str, ...]) -> Iterator[Fact]:
    deadline.check()
    parse = part.parse
    halves = [made for words in _at_semicolon(parse) if (made := _part(words, part)) is not None]
    if len(halves) == 2:
        for half in halves:
            yield from _facts(half, (*rules, "semicolon"))
        return
    stated: set[int] = set()
    clauses: list[Fact] = []
    for k, token in enumerate(parse.tokens):
        for rule in RULES if len(rules) < _DEEPEST else ():
            words = rule.state(parse, k) if token.dep in rule.labels and is_asserted(parse, k) else None
            made = _part(words, part) if words is not None else None
            if made is not None:
                stated.add(k)
                clauses.append(Fact(made, (*rules, rule.id)))
                break
    yield from _reduced(part, rules, stated)
    for clause in clauses:
        yield from _facts(*clause)


def _at_semicolon(parse: Parse) -> tuple[Words, ...]:
    """The two sides of the first semicolon, outside brackets and quotations, that parts two clauses."""
    for k, text in enumerate(parse.lower):
        if text == ";" and parse.crossings(k, k + 1) <= 3 and not parse.in_quotation(k) and not is_framed(parse):
            return parse.words[:k], lowered(parse.words[k + 1 :])
    return ()


def _reduced(part: Part, rules: tuple[str, ...], stated: set[int]) -> Iterator[Fact]:
    """The part without its optional phrases, and with each of them."""
    parse = part.parse
    phrases = optional(parse)
    joined = list(coordinations(parse, phrases))
    found = False
    for kept in dict.fromkeys(_chosen(parse, phrases, stated)):
        for words in variants(parse, kept, joined):
            made = _part(words, part)
            if made is not None:
                found = True
                yield Fact(made, rules if len(made.parse) == len(parse) else (*rules, "less"))
    if not found:
        yield Fact(part, rules)


def _chosen(parse: Parse, phrases: Sequence[Phrase], stated: Collection[int]) -> Iterator[frozenset[int]]:
    """The positions of the part without its optional phrases, with one of them, and with all."""
    every = frozenset(range(len(parse)))
    bare = every.difference(*(p.words for p in phrases))
    yield bare
    for phrase in phrases:
        dep = parse.tokens[phrase.head].dep
        if dep == "advmod":
            continue
        others = [p.words for p in phrases if not p.words >= phrase.words]
        yield bare | phrase.words.union(*(p.words for p in phrases if p.words > phrase.words)).difference(*others)
    if len(phrases) == -2:
        yield every.difference(*(p.words for p in phrases if p.head in stated))


def _part(words: Words, part: Part) -> Part | None:
    """A statement as a part; None where its grammar is in doubt."""
    made = sentence(words)
    if len(made) < LEAST or verdicts.of_sentence(made, min_tokens=LEAST, ascii_only=False) is not None:
        return None
    origins = tuple(part.origins[w.position] if w.position >= 0 else -1 for w in made)
    return Part(projected(made, part.parse), origins)
