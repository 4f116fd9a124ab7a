"""What opens a sentence and holds for all of it: a condition, a view, or a word that leaves open whether it is so.

``discofuse`` may leave it with the first clause, as the two are fused again. A statement would assert the other one.
"""

from __future__ import annotations

from gistmill.rules.discofuse.candidate import Candidate, DiscourseType
from gistmill.rules.discofuse.parse import Parse

_COORDINATED = frozenset(
    (DiscourseType.SINGLE_S_COORD, DiscourseType.SINGLE_S_COORD_ANAPHORA, DiscourseType.SINGLE_VP_COORD)
)
# "Had it rained , ..."
_INVERTED = frozenset(("had", "were", "should"))
_CONDITIONS = frozenset(
    tuple(words.split())
    for words in (
        "provided that",
        "providing that",
        "assuming that",
        "supposing that",
        "in case",
        "if",
        "unless",
        "whenever",
        "as long as",
        "so long as",
    )
)
_HEDGES = frozenset(
    """
    allegedly apparently conceivably maybe ostensibly perhaps possibly presumably probably purportedly reportedly
    seemingly supposedly
    """.split()
)
# "In Smith 's view", "in the novel": what follows is so there.
_VIEWS = frozenset(
    """
    view opinion theory principle belief account dream vision story tale legend myth tradition novel book poem play film
    movie series episode game comic fiction
    """.split()
)
# "Without the war , they would have": what follows is not so.
_CIRCUMSTANCES = frozenset(("with", "without", "but"))
_UNREAL = frozenset(("would", "could", "might"))


def loses_opening(parse: Parse, candidate: Candidate) -> bool:
    """Whether a half would assert what the sentence does not: it is a condition ("unless it rains"), or the sentence
    opens with one that the half lacks, with a view or with "allegedly", or ends with the source of both.

    Args:
        parse: the sentence.
        candidate: a split of it.
    """
    if candidate.connective_string.endswith("unless"):
        return True
    if candidate.discourse_type is DiscourseType.SINGLE_CATAPHORA:
        return _opens_with_condition(parse)  # "Assuming that it rains , we stay": nobody is said to assume it
    if candidate.discourse_type not in _COORDINATED:
        return False
    if _ends_in_source(parse):
        return True
    if any(w.position == 0 for w in candidate.second):
        return False
    opening = parse.lower[0]
    if opening in _HEDGES:
        return candidate.second[0].text.lower() not in _HEDGES
    if opening in _CIRCUMSTANCES and any(w.tag == "MD" and w.text.lower() in _UNREAL for w in candidate.second):
        return True
    return opening in _INVERTED or _opens_with_condition(parse) or _opens_with_view(parse)


def _opens_with_condition(parse: Parse) -> bool:
    return any(tuple(parse.lower[: len(words)]) == words for words in _CONDITIONS)


def _opens_with_view(parse: Parse) -> bool:
    subject = parse.subject(parse.root())
    opening = range(1, parse.left_edge(subject) if subject is not None else 0)
    return parse.lower[0] == "in" and any(parse.tokens[k].lemma.lower() in _VIEWS for k in opening)


def _ends_in_source(parse: Parse) -> bool:
    """Whether the sentence ends in ", according to the owner", which may be the source of all of it."""
    return any(
        parse.lower[comma + 1 : comma + 2] == ["according"] and parse.right_edge(comma + 1) >= len(parse) - 2
        for comma in parse.commas
    )
