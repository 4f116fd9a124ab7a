"""Pronouns before the noun that they mean: "When asked about her plans , the clerk left" (cataphora)."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import NOUNS, Parse
from gistmill.rules.documents import Mention

_PARTICIPLES = frozenset(("VBG", "VBN"))


def means_own_subject(second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun may mean the subject of its own sentence rather than what the links give it: one that its
    clause or phrase stands before ("Because it was old , the mill")."""
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    known = {m.head for m in cluster if m.sentence == mention.sentence}
    later = subject_behind(second, mention.head)
    plain = later is not None and second.tokens[later].pos == "NOUN"  # what is linked says itself which is meant
    return later is not None and (plain or later not in known) and _may_be(second, later, gender)


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
    if parse.tokens[subject].pos not in NOUNS:
        return False
    if gender in lexicon.GENDERED and not is_personal(parse, subject):
        return False
    if gender == lexicon.PLURAL and is_plural(parse, subject):
        return True
    return agrees(parse, subject, gender, named=parse.tokens[subject].pos == "PROPN")


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
