"""Pronouns before the noun that they mean: "When asked about her plans , the clerk left" (cataphora)."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.nouns.binding import commands
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.documents import Mention

_PARTICIPLES = frozenset(("VBG", "VBN"))
_SHIPS = frozenset(
    """
    barque battlecruiser battleship boat brig carrier cruiser destroyer dreadnought ferry flagship freighter frigate
    galleon gunboat ironclad liner schooner ship steamer steamship submarine tanker trawler tug vessel warship yacht
    """.split()
)


def means_own_subject(second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun may mean the subject of its own sentence rather than what the links give it: one that its
    clause or phrase stands before ("Because it was old , the mill"), somebody by age ("the 20-year-old lost her
    place"), or a ship ("the cruiser lost her guns"); or the owner of what a phrase before it names ("In the week of the
    song 's release it")."""
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    known = {m.head for m in cluster if m.sentence == mention.sentence}
    later = subject_behind(second, mention.head)
    plain = later is not None and second.tokens[later].pos == "NOUN"  # what is linked says itself which is meant
    if later is not None and (plain or later not in known) and _may_be(second, later, gender):
        return True
    if any(k not in known and _is_owner_before(second, k, mention.head, gender) for k in range(mention.start)):
        return True
    return gender in lexicon.GENDERED and any(
        k not in known
        and (is_aged(second, k) or gender == lexicon.FEMALE and _is_ship(second, k))
        and commands(second, k, mention.head)
        for k in range(mention.start)
    )


def _is_owner_before(parse: Parse, owner: int, subject: int, gender: str) -> bool:
    """Whether a definite noun owns what stands in a phrase that opens the pronoun's clause."""
    if (
        parse.tokens[owner].dep != "poss"
        or parse.tokens[owner].pos != "NOUN"
        or parse.tokens[subject].dep not in NOMINAL_SUBJECTS
    ):
        return False
    if parse.lower[parse.left_edge(owner)] not in ("the", "this") or not agrees(parse, owner, gender):
        return False
    at = owner
    while parse.tokens[at].head not in (at, parse.tokens[subject].head):
        at = parse.tokens[at].head
    return parse.tokens[at].dep == "prep" and parse.right_edge(at) < subject


def _is_ship(parse: Parse, position: int) -> bool:
    """Whether a subject means a ship, which may be "she", by a common noun."""
    token = parse.tokens[position]
    return token.dep in NOMINAL_SUBJECTS and token.lemma in _SHIPS


def subject_behind(parse: Parse, position: int) -> int | None:
    """Returns the subject that a clause or phrase with the position stands before; None where none does."""
    at = position
    while parse.tokens[at].head != at:
        below, at = at, parse.tokens[at].head
        subject = parse.subject(at) if parse.is_verb(at) else None
        if subject is not None and parse.tokens[below].dep in ("advcl", "prep"):
            before = parse.right_edge(below) < parse.left_edge(subject) < at  # not "Among them were clerks"
            return subject if before else None
    return None


def _may_be(parse: Parse, subject: int, gender: str) -> bool:
    """Whether the pronoun agrees with the subject."""
    if is_aged(parse, subject):
        return gender in lexicon.GENDERED
    if parse.tokens[subject].pos not in NOUNS:
        return False
    if gender in lexicon.GENDERED and not is_personal(parse, subject):
        return False
    if gender == lexicon.PLURAL and is_plural(parse, subject):
        return True
    return agrees(parse, subject, gender, named=parse.tokens[subject].pos == "PROPN")


def is_aged(parse: Parse, position: int) -> bool:
    """Whether a word ends somebody's age that stands for the person: "the 20-year-old"."""
    word = parse.lower[position]
    if parse.tokens[position].dep not in NOMINAL_SUBJECTS:
        return False
    before = parse.lower[max(position - 2, 0) : position]
    return word.endswith("year-old") or word == "old" and (before == ["year", "-"] or before[-1:] == ["year"])


def is_subject_s(second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun in a participle phrase before its clause is the subject's, which names it in its own place:
    "Thinking that nobody saw him , he left" becomes "Thinking that nobody saw him , Lee left"."""
    subject = subject_behind(second, mention.head)
    if subject is None or second.lower[subject] not in lexicon.PRONOUNS:
        return False
    if not any(m.head == subject and m.sentence == mention.sentence for m in cluster):
        return False
    at = mention.head
    while second.tokens[at].head != second.tokens[subject].head:
        at = second.tokens[at].head
    token = second.tokens[at]
    return token.dep == "advcl" and token.tag in _PARTICIPLES and second.subject(at) is None and not second.finite(at)
