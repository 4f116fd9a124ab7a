"""Windows for resolvers with a limited input: overlapping runs of whole sentences, and the union of the clusters found
in each. Pure Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gistmill.transforms.coreference.spans import Span


def windows(lengths: Sequence[int], *, limit: int, overlap: int) -> list[tuple[int, int]]:
    """Returns ranges [begin, end) of sentences, each at most ``limit`` long in all.

    Args:
        lengths: the length of each sentence, in the unit of ``limit`` and ``overlap``.
        limit: the longest window. A longer sentence is in no window.
        overlap: neighbours share whole sentences of at most this length, so that a cluster can go on.

    Raises:
        ValueError: ``limit`` is below 1 or ``overlap`` negative.
    """
    if limit < 1 or overlap < 0:
        raise ValueError(f"a window of {limit} with an overlap of {overlap} cannot be")
    found = []
    begin, size = 0, len(lengths)
    while begin < size:
        end, total = begin, 0
        while end < size and total + lengths[end] <= limit:
            total += lengths[end]
            end += 1
        if end == begin:  # one sentence longer than a window
            begin += 1
            continue
        found.append((begin, end))
        if end == size:
            break
        begin = _back(lengths, begin, end, limit=limit, overlap=overlap)
    return found


def _back(lengths: Sequence[int], begin: int, end: int, *, limit: int, overlap: int) -> int:
    """Where the window after [begin, end) begins: as far back as the overlap allows and the next sentence fits."""
    shared, at = 0, end
    while at - 1 > begin and (shared + lengths[at - 1] <= min(overlap, limit - lengths[end])):
        at -= 1
        shared += lengths[at]
    return at


def united(clusters: Iterable[Iterable[Span]]) -> list[list[Span]]:
    """Joins clusters that have a span in common, over any number of steps; each span once, everything in text order."""
    owner: dict[Span, Span] = {}

    def root(span: Span) -> Span:
        while owner[span] != span:
            owner[span] = owner[owner[span]]
            span = owner[span]
        return span

    for cluster in clusters:
        first: Span | None = None
        for span in cluster:
            owner.setdefault(span, span)
            if first is None:
                first = span
            owner[root(span)] = root(first)
    joined: dict[Span, list[Span]] = {}
    for span in sorted(owner):
        joined.setdefault(root(span), []).append(span)
    return list(joined.values())
