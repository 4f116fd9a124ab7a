"""Other pronouns that rival the one to be replaced: of the same kind, and for something else."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference.lexicon import FEMALE, MALE, PRONOUNS
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.discofuse.region import Region
from gistmill.rules.documents import Mention


def has_rival(first: Parse, second: Parse, antecedents: Region, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether the first half has a pronoun of the same kind for something else.

    It has as its subject ("They have talents , but some of them" is not about the talents), or for another person of
    the same gender ("Leo thanked him . He left .").
    """
    like = PRONOUNS.get(second.lower[mention.head])
    if like is None:
        return False
    own = {m.head for m in cluster if m.sentence == antecedents.sentence}
    for i in range(antecedents.start, antecedents.end):
        if PRONOUNS.get(first.lower[i]) != like or i in own:
            continue
        if like in (MALE, FEMALE):
            return True
        if first.tokens[i].dep in NOMINAL_SUBJECTS:
            verb = first.tokens[i].head
            # "He was a captain": the predicate noun stands for the pronoun
            if first.on_main_line(verb) and first.child(verb, "attr") not in own:
                return True
    return False


def follows_another(second: Parse, anaphors: Region, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun of the same kind stands before it that the links give nothing: it would stay, and seem to mean
    somebody else ("neither he nor his staff" and "neither he nor Ada 's staff")."""
    like = PRONOUNS.get(second.lower[mention.head])
    own = {m.head for m in cluster if m.sentence == anaphors.sentence}
    return any(
        PRONOUNS.get(second.lower[k]) == like and k not in own and not is_empty(second, k)
        for k in range(anaphors.start, mention.head)
    )
