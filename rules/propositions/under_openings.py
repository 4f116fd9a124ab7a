"""What opens a sentence and holds for all of it: a condition, or a word that leaves open whether it is so.

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
    (("provided", "that"), ("providing", "that"), ("assuming", "that"), ("supposing", "that"), ("in", "case"))
)
_HEDGES = frozenset(
    """
    allegedly apparently conceivably maybe ostensibly perhaps possibly presumably purportedly reportedly supposedly
    """.split()
)


def loses_opening(parse: Parse, candidate: Candidate) -> bool:
    """Whether a half would assert what the sentence does not: it is a condition ("unless it rains"), or the sentence
    opens with one that the half lacks, or with "allegedly".

    Args:
        parse: the sentence.
        candidate: a split of it.
    """
    if candidate.connective_string.endswith("unless"):
        return True
    if candidate.discourse_type not in _COORDINATED or any(w.position == 0 for w in candidate.second):
        return False
    opening = parse.lower[0]
    if opening in _HEDGES:
        return candidate.second[0].text.lower() not in _HEDGES
    return opening in _INVERTED or tuple(parse.lower[:2]) in _CONDITIONS
