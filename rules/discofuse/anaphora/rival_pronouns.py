"""Other pronouns that rival the one to be replaced: of the same kind, and for something else."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference.lexicon import FEMALE, MALE, PRONOUNS
from gistmill.rules.discofuse.anaphora.places_of_links import is_main_subject
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.discofuse.region import Region
from gistmill.rules.documents import Mention


def has_rival(first: Parse, second: Parse, antecedents: Region, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether the first half has a pronoun of the same kind for something else.

    It has as its subject or as the owner of that ("They have talents , but some of them" is not about the talents), or
    for another person of the same gender ("Leo thanked him . He left .").
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
        if first.tokens[i].dep == "poss" and _is_in_subject(first, i):
            return True  # "Its text was like that of the treaty , but it was shorter": what has the text
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


def meets_another(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether a subject has somebody else of its gender for an object, who may be the antecedent as well as it: "They
    spoke of Lee , but he praised him"; behind "Lee left" the subject goes on."""
    token, like = second.tokens[mention.head], PRONOUNS.get(second.lower[mention.head])
    if token.dep != "nsubj" or like not in (MALE, FEMALE) or is_main_subject(first, antecedent.head):
        return False
    parts = second.children(token.head)
    objects = [k for k in parts if second.tokens[k].dep in ("dobj", "dative")]
    objects += [k for p in parts for k in second.children(p) if second.tokens[k].dep == "pobj"]
    return any(PRONOUNS.get(second.lower[k]) == like and second.lower[k] in ("him", "her") for k in objects)


def _is_in_subject(parse: Parse, position: int) -> bool:
    """Whether a word stands in the phrase of a subject of the main line: "the hair around its nostrils is"."""
    at = position
    while parse.tokens[at].head != at:
        at = parse.tokens[at].head
        if is_main_subject(parse, at):
            return True
    return False
