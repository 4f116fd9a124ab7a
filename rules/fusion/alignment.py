"""Edits found by aligning two sentences with their fusion, for texts whose edits are not known."""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterator, Mapping, Sequence

from gistmill.rules.fusion.building import build, is_like
from gistmill.rules.fusion.edits import DELETE, REPLACE, Edits, order

# A gap is a run of words that are deleted, inserted or both.
_GAP, _CASE, _LATE = 1.5, 0.1, 0.6
# Which edits are simpler: a new word counts more than one that is deleted.
_MOVE, _PLACE, _NEW = 1.5, 0.5, 2.0
Pairs = dict[int, int]


def align(
    first: Sequence[str], second: Sequence[str], target: Sequence[str], *, allowed: Container[str] | None = None
) -> Edits | None:
    """Finds edits that make the target of the two sentences: few words deleted and inserted, in few gaps.

    Args:
        first, second: tokens of the two sentences.
        target: tokens of their fusion.
        allowed: the phrases that the edits may insert; None allows any.

    Returns:
        The edits; ``realise`` makes exactly the target of them. None if none are found with phrases that are allowed.
    """
    found = [build(first, second, target, move, pairs) for move, pairs in _alignments(first, second, target)]
    if allowed is not None:
        found = [edits for edits in found if all(phrase in allowed for phrase in edits.phrases if phrase)]
    return min(found, key=_size, default=None)


def _size(edits: Edits) -> float:
    size = 0.0 if edits.move is None else _MOVE
    for phrase in edits.phrases:
        if phrase:
            size += _PLACE + sum(_NEW if word[0].isalnum() else 1 for word in phrase.split(" "))
    return size + sum(1 for operation in edits.operations if operation == DELETE or operation.startswith(REPLACE))


def _alignments(
    first: Sequence[str], second: Sequence[str], target: Sequence[str]
) -> Iterator[tuple[int | None, Mapping[int, int]]]:
    """Moves, and for each which token of the source becomes which of the target."""
    words = [*first, *second]
    n, m = len(first), len(second)
    for move in (None, *_moves(first, target)):
        places = order(n, m, move)
        source = [words[i] for i in places]
        kept = {places[i]: j for i, j in pairs(source, target).items()}
        for head in {0, n}:  # "In fact , in 1839 he": the phrase stands before the sentence, not in it
            after = kept.get(head + 1, 0)
            if kept.get(head, after) < after - 1 and is_like(words[head], target[after - 1]):
                kept[head] = after - 1
        yield move, kept


def _moves(first: Sequence[str], target: Sequence[str]) -> range:
    """The places in the first sentence before and behind which it stays as it is, but for its last token."""
    n = len(first)
    before = 0
    limit = min(n, len(target))
    while before < limit and is_like(first[before], target[before]):
        before += 1
    behind = 1  # another final mark does not matter
    while behind < limit and is_like(first[-1 - behind], target[-1 - behind]):
        behind += 1
    return range(max(0, n - behind), min(before, n - 1) + 1)


def pairs(source: Sequence[str], target: Sequence[str]) -> Pairs:
    """Aligns two lists of words: the words of the source that stay, and which of the target they are.

    Fewest words deleted and inserted, with a cost for each gap. A run of kept words does not begin with a mark for
    nothing.
    """
    start, n, m = 0, len(source), len(target)
    while start < min(n, m) and source[start] == target[start]:
        start += 1
    while n > start and m > start and source[n - 1] == target[m - 1]:
        n, m = n - 1, m - 1
    inner = _search(source[start:n], target[start:m])
    return {
        **{i: i for i in range(start)},
        **{start + i: start + j for i, j in inner},
        **{n + k: m + k for k in range(len(source) - n)},
    }


def _search(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """The cheapest path by A*: the difference of the two lengths that are left is a bound of the cost."""
    n, m = len(source), len(target)
    low_source, low_target = [w[:1].lower() + w[1:] for w in source], [w[:1].lower() + w[1:] for w in target]
    begin = (0, 0, False)
    cost: dict[tuple[int, int, bool], float] = {begin: 0.0}
    came: dict[tuple[int, int, bool], tuple[int, int, bool]] = {}
    queue = [(float(abs(n - m)), 0, 0, False)]
    done = set()
    while queue:
        _, left, i, gap = heapq.heappop(queue)
        j = i - left
        here = (i, j, gap)
        if here in done:
            continue
        if i == n and j == m:
            return _path(came, here)
        done.add(here)
        known = cost[here]
        steps = []
        if i < n and j < m and low_source[i] == low_target[j]:
            late = _LATE if gap and not source[i][0].isalnum() else 0.0
            case = 0.0 if source[i] == target[j] else _CASE
            steps.append((i + 1, j + 1, False, known + late + case))
        opening = 1.0 if gap else 1.0 + _GAP
        if i < n:
            steps.append((i + 1, j, True, known + opening))
        if j < m:
            steps.append((i, j + 1, True, known + opening))
        for u, v, state, total in steps:
            there = (u, v, state)
            if total < cost.get(there, float("inf")):
                cost[there] = total
                came[there] = here
                heapq.heappush(queue, (total + abs((n - u) - (m - v)), u - v, u, state))
    raise AssertionError("a path always exists: everything can be deleted and inserted")


def _path(
    came: Mapping[tuple[int, int, bool], tuple[int, int, bool]], end: tuple[int, int, bool]
) -> list[tuple[int, int]]:
    kept, at = [], end
    while at in came:
        i, j, _ = came[at]
        if at[0] > i and at[1] > j:
            kept.append((i, j))
        at = came[at]
    return kept[::-1]
