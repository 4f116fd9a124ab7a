"""Which documents of sketch files are duplicates, said once more with dictionaries and sets, for a few hundred of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from gistmill.rules.duplicates import CAP, REFINEMENTS

Key = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Known:
    """A document, in order of input."""

    id: str
    range_key: str
    offset: int
    date: int
    exact: int
    bands: Key
    shingles: frozenset[int]
    old: bool = False


def removed(documents: Sequence[Known], threshold: float | None) -> dict[str, list[list[object]]]:
    """Returns for each range what its file is to say; without a threshold only exact copies count."""
    edges = [(group[0], n) for group in _groups((n, (d.exact,)) for n, d in enumerate(documents)) for n in group[1:]]
    if threshold is not None:
        later = {n for _, n in edges}
        once = [n for n in range(len(documents)) if n not in later]
        edges += [p for p in _candidates(documents, once) if _similarity(documents, *p) >= threshold]
    component = list(range(len(documents)))
    joined = [(a, b) for a, b in edges if not documents[b].old]
    for _ in documents:
        for a, b in joined:
            component[a] = component[b] = min(component[a], component[b])
    found: dict[str, list[list[object]]] = {d.range_key: [] for d in documents if not d.old}
    for group in _groups((n, (root,)) for n, root in enumerate(component)):
        first = min(group, key=lambda n: (not documents[n].old, documents[n].date, n))
        for document in (documents[n] for n in group if n != first and not documents[n].old):
            reason = "EXACT" if document.exact == documents[first].exact else "NEAR"
            entry = [document.offset, document.id, f"{reason}_DUPLICATE", documents[first].id]
            found[document.range_key].append(entry)
    return {key: sorted(entries) for key, entries in found.items()}


def _candidates(documents: Sequence[Known], once: Sequence[int]) -> set[tuple[int, int]]:
    pairs: set[tuple[int, int]] = set()
    count = len(documents[0].bands) if documents else 0
    for band in range(count):
        for group in _groups((n, (documents[n].bands[band],)) for n in once):
            pairs |= set(_pairs(group))
            for distance in range(1, min(REFINEMENTS, count - 1) + 1) if len(group) > CAP else ():
                other = (band + distance) % count
                for finer in _groups((n, (documents[n].bands[other],)) for n in group):
                    pairs |= set(_pairs(finer))
    return pairs


def _pairs(group: Sequence[int]) -> Iterator[tuple[int, int]]:
    if len(group) <= CAP:
        yield from combinations(group, 2)
    else:
        yield from ((group[0], n) for n in group[1:])
        yield from pairwise(group)


def _similarity(documents: Sequence[Known], first: int, second: int) -> float:
    one, other = documents[first].shingles, documents[second].shingles
    return len(one & other) / len(one | other)


def _groups(keyed: Iterable[tuple[int, Key]]) -> list[list[int]]:
    found: dict[Key, list[int]] = defaultdict(list)
    for number, key in keyed:
        found[key].append(number)
    return list(found.values())
