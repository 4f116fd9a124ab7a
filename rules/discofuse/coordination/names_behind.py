"""A pronoun of the first part whose noun comes only in the second: "The town grew under his rule , but Lee 's sons"."""

from __future__ import annotations

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.nouns.agreement import agrees, heads
from gistmill.rules.discofuse.parse import SUBJECTS, Parse

_OF_PERSONS = frozenset((lexicon.MALE, lexicon.FEMALE))


def names_it_late(parse: Parse, cc: int, verb: int) -> bool:
    """Whether the subject of ``verb`` behind ``cc`` belongs to a person who is named there first, and a pronoun before
    may mean that person: it is not a subject itself, and nobody before it agrees with it."""
    subject = parse.subject(verb, after=cc)
    owner = None if subject is None else parse.child(subject, "poss")
    if owner is None or parse.tokens[owner].pos != "PROPN" or parse.lower[owner] in parse.lower[:cc]:
        return False
    for k in range(cc):
        gender = lexicon.PRONOUNS.get(parse.lower[k])
        if gender in _OF_PERSONS and parse.tokens[k].dep not in SUBJECTS and agrees(parse, owner, gender, named=True):
            named = any(agrees(parse, n, gender) and not _is_body(parse, n) for n in heads(parse, 0, k))
            return not named and all(lexicon.PRONOUNS.get(word) != gender for word in parse.lower[:k])
    return False


def _is_body(parse: Parse, noun: int) -> bool:
    """Whether a name has an article, as that of a person has none: "the Roman Senate"."""
    return parse.tokens[noun].pos == "PROPN" and parse.child(noun, "det") is not None
