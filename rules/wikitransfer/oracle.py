"""The extractive oracle: the sentences of a document that say best what its summary says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from gistmill.core import deadline
from gistmill.rules.rouge.scoring import ROUGE_L, ROUGE_LSUM, overlap
from gistmill.rules.rouge.selection import ScoredDocument, best
from gistmill.rules.rouge.tokens import Tokens, join
from gistmill.rules.wikitransfer.profile import Profile


class Oracle(NamedTuple):
    """An oracle: its ROUGE in points, its sentences in the document's order, and the sentences removed to get to it.

    ``rouge`` is a fraction rounded once, so that one of 56 is 56; ``rouge-score``, which rounds several times, may say
    56.00000000000001.
    """

    rouge: float
    indices: tuple[int, ...]
    removed: tuple[int, ...] = ()


def oracles(sentences: Sequence[Tokens], summary: Tokens, profile: Profile) -> Iterator[Oracle]:
    """Yields the oracle of the document, then, again and again, that of the document without its best sentence.

    An oracle is the M sentences with the highest individual ROUGE, of equals the earlier; its ROUGE is theirs jointly.
    The last one has the M worst sentences; there is none if the document has fewer.
    """
    size = profile.sentences
    order = best(_individual(sentences, summary, profile), len(sentences))
    for first in range(len(order) - size + 1):
        deadline.check()
        indices = sorted(order[first : first + size])
        joint = overlap(summary, join([sentences[i] for i in indices]), profile.rouge)
        rouge = float(100 * joint.exact(profile.measure))
        yield Oracle(rouge, tuple(indices), tuple(sorted(order[:first])))


def _individual(sentences: Sequence[Tokens], summary: Tokens, profile: Profile) -> list[Fraction]:
    if profile.rouge in (ROUGE_L, ROUGE_LSUM):
        overlaps = [overlap(summary, s, profile.rouge) for s in sentences]
    else:
        overlaps = ScoredDocument.of(sentences).against(summary, n=int(profile.rouge[-1]))
    return [o.exact(profile.measure) for o in overlaps]


def into_range(found: Iterator[Oracle], profile: Profile) -> tuple[Oracle, Oracle]:
    """Returns the first oracle, and the first that is not above the profile's range (the last, if all are).

    The two are the same unless the profile removes sentences.

    Raises:
        StopIteration: there is no oracle.
    """
    first = current = next(found)
    while profile.remove_until_in_range and current.rouge > profile.max_oracle:
        following = next(found, None)
        if following is None:
            break
        current = following
    return first, current
