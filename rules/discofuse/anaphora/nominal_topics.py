"""Definite nouns ("this film") that mean something else than the links give them, mostly what the text is about."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.nouns.binding import commands
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.repeated_nouns import names_a_thing
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.documents import Mention


def means_topic(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a definite noun means something else than its antecedent.

    So it does where it is said of another ("was the tallest mill"). Under a pronoun that may mean the same a name would
    seem another ("It gives the country oil").
    """
    if mention.kind != "nominal":
        return False
    return not names_a_thing(second, mention.head) or _is_under_pronoun(first, antecedent, second, mention, cluster)


def _is_under_pronoun(
    first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]
) -> bool:
    """Whether a subject that could mean the name, and is linked to nothing of its cluster, rules over the noun."""
    if antecedent.kind != "name":
        return False
    known = {m.head for m in cluster if m.sentence == mention.sentence}
    return any(
        k not in known
        and second.lower[k] in lexicon.PRONOUNS
        and second.tokens[k].dep in NOMINAL_SUBJECTS
        and not is_empty(second, k)
        and commands(second, k, mention.head)
        and _may_call(first, antecedent.head, lexicon.PRONOUNS[second.lower[k]])
        for k in range(mention.start)
    )


def _may_call(first: Parse, name: int, gender: str) -> bool:
    """Whether a pronoun of the gender may stand for the name: "he" and "she" only for one that is a person's."""
    person = first.tokens[name].entity.endswith("PERSON")
    return (person or gender in (lexicon.NEUTER, lexicon.PLURAL)) and agrees(first, name, gender, named=True)
