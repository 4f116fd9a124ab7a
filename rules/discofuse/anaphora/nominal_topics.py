"""Definite nouns ("this film") that mean something else than the links give them, mostly what the text is about."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.anaphora.places_of_links import is_main_subject
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.nouns.binding import commands
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.mentioned_words import is_only_mentioned
from gistmill.rules.discofuse.nouns.naming import names_a_thing
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.documents import Mention

_SHARES = frozenset(("%", "percent", "cent", "percentage", "proportion", "share"))


def means_topic(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a definite noun means something else than its antecedent.

    So it does where it is said of another ("was crowned the tallest mill"), where the text only says what is called
    so, and where its like has other modifiers ("Ix is the rich end ... the poor end"). So it does also where "one"
    stands for the noun ("This breed is a healthy one"), where it is that of which there is a share ("0.3 % of the
    population"), and, by the side of a name that does not have the noun, where the text before is about something that
    it calls by a pronoun ("It is based on the Book . This film"). Under a pronoun that may mean the same a name would
    seem another ("It gives the country oil").
    """
    if mention.kind != "nominal":
        return False
    if not names_a_thing(second, mention.head) or is_only_mentioned(first, antecedent):
        return True
    if _is_opposite(first, antecedent, second, mention.head) or _is_under_pronoun(
        first, antecedent, second, mention, cluster
    ):
        return True
    if second.lower[mention.start] == "the" and _is_whole_of_share(second, mention.head):
        return True
    if antecedent.kind != "name" or second.lower[mention.head] in first.lower[antecedent.start : antecedent.end]:
        return False
    return _is_taken_up(second, mention.head) or first is not second and _has_pronoun(first, antecedent, cluster)


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


def _is_opposite(first: Parse, antecedent: Mention, second: Parse, head: int) -> bool:
    """Whether the text before has the same noun with "the" and other modifiers, and so another one or its opposite."""
    own = _modifiers(second, head)
    others = [
        _modifiers(first, k)
        for k, token in enumerate(first.tokens)
        if token.lemma == second.tokens[head].lemma
        and first.lower[first.left_edge(k)] == "the"
        and not antecedent.start <= k < antecedent.end
    ]
    return any(other - own and own - other for other in others)


def _modifiers(parse: Parse, noun: int) -> set[str]:
    """The adjectives before a noun, and what they are made of: "iron - rich" is "iron" and "rich"."""
    before = [k for k in parse.children(noun) if k < noun and parse.tokens[k].dep == "amod"]
    return {parse.lower[j] for k in before for j in (k, *parse.children(k)) if parse.lower[j].isalpha()}


def _is_whole_of_share(second: Parse, head: int) -> bool:
    """Whether the noun is that of which a share is named: "0.3 % of the population"."""
    token = second.tokens[head]
    if token.dep != "pobj" or second.lower[token.head] != "of":
        return False
    return second.lower[second.tokens[token.head].head] in _SHARES


def _is_taken_up(second: Parse, head: int) -> bool:
    """Whether the predicate has "one" for the noun of its subject."""
    predicate = second.child(second.tokens[head].head, "attr")
    return (
        second.tokens[head].dep == "nsubj"
        and predicate is not None
        and second.tokens[predicate].lemma == "one"
        and second.child(predicate, "amod") is not None
    )


def _has_pronoun(first: Parse, antecedent: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether the main subject of the text before is another pronoun that the name could have."""
    if is_main_subject(first, antecedent.head):
        return False
    known = {m.head for m in cluster if m.sentence == antecedent.sentence}
    return any(
        k not in known
        and first.lower[k] in lexicon.PRONOUNS
        and is_main_subject(first, k)
        and _may_call(first, antecedent.head, lexicon.PRONOUNS[first.lower[k]])
        for k in range(antecedent.start)
    )


def _may_call(first: Parse, name: int, gender: str) -> bool:
    """Whether a pronoun of the gender may stand for the name: "he" and "she" only for one that is a person's."""
    person = first.tokens[name].entity.endswith("PERSON")
    return (person or gender in (lexicon.NEUTER, lexicon.PLURAL)) and agrees(first, name, gender, named=True)
