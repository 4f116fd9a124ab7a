"""What stands nearer to a pronoun than its antecedent, or fits it better, by the clause that the pronoun is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.noun_kinds import Kind, kinds_of_noun
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.documents import Mention

# What can be about doing something.
_SUBJECT_MATTERS = frozenset((Kind.WORK, Kind.IDEA, Kind.EVENT, Kind.STATE, Kind.GROUP))


def has_nearer(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether the pronoun's own clause says that it rather means something else than the antecedent."""
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    return (
        _is_of_deed(first, antecedent, second, mention, cluster)
        or first is not second
        and _follows_subject(second, mention, cluster, gender)
        or gender == lexicon.NEUTER
        and _is_about_doing(second, mention.head)
        and _is_being(first, antecedent.head)
        or gender == lexicon.PLURAL
        and _is_said_by_one(second, mention, cluster)
    )


def _is_of_deed(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether the pronoun is said to be treated as another noun before it is: "a cake with sugar added at once , but it
    was added late"."""
    token = second.tokens[mention.head]
    if token.dep != "nsubjpass":
        return False
    lemma, gender = second.tokens[token.head].lemma, lexicon.PRONOUNS.get(second.lower[mention.head], "")
    end = mention.start if first is second else len(first)
    known = {m.head for m in cluster if m.sentence == antecedent.sentence}
    return any(
        k not in known and k < end and first.tokens[k].pos in NOUNS and agrees(first, k, gender)
        for verb in range(end)
        if first.tokens[verb].lemma == lemma and first.is_verb(verb)
        for k in _patients(first, verb)
    )


def _patients(parse: Parse, verb: int) -> Iterator[int]:
    """To whom or what a verb says that something is done."""
    if parse.tokens[verb].dep == "acl" and parse.tokens[verb].tag == "VBN":
        yield parse.tokens[verb].head
    for k in parse.children(verb):
        if parse.tokens[k].dep in ("dobj", "nsubjpass"):
            yield k


def _follows_subject(second: Parse, mention: Mention, cluster: Sequence[Mention], gender: str) -> bool:
    """Whether the clause that the pronoun's is joined to has another noun for its subject: "The law failed . The tax
    rose , but it". The number of one that looks like a plural shows in its verb alone: "Rabies can be cured , but it".
    """
    token = second.tokens[mention.head]
    above = second.tokens[token.head].head
    if token.dep not in NOMINAL_SUBJECTS or second.tokens[token.head].dep != "conj" or not second.is_verb(above):
        return False
    subject = second.subject(above)
    if subject is None or subject > mention.head or second.tokens[subject].pos not in NOUNS:
        return False
    if any(m.head == subject and m.sentence == mention.sentence for m in cluster):
        return False
    unclear = gender == lexicon.NEUTER and second.number(above) is None and second.child(subject, "det") is None
    return agrees(second, subject, gender) or unclear and not is_personal(second, subject)


def _is_about_doing(second: Parse, position: int) -> bool:
    """Whether the pronoun is said to be about doing something: "it 's about thinking ahead"."""
    token = second.tokens[position]
    if token.dep != "nsubj" or second.tokens[token.head].lemma != "be" and second.lower[token.head] != "'s":
        return False
    return any(second.lower[k] == "about" and second.child(k, "pcomp") is not None for k in second.children(token.head))


def _is_being(first: Parse, head: int) -> bool:
    """Whether a noun names a thing or a being, which is about nothing."""
    kinds = kinds_of_noun(first.tokens[head].lemma)
    return bool(kinds) and kinds.isdisjoint(_SUBJECT_MATTERS)


def _is_said_by_one(second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether only one of those whom "they" would mean is the subject of a clause above it, and "they" may mean that
    one or others: "one of the men said they"."""
    at = second.tokens[mention.head].head
    while second.tokens[at].head != at:
        at = second.tokens[at].head
        subject = second.subject(at) if second.is_verb(at) else None
        if subject is not None and second.lower[subject] == "one" and subject < mention.start:
            edge = second.right_edge(subject)
            return any(m.sentence == mention.sentence and subject < m.head <= edge for m in cluster)
    return False
