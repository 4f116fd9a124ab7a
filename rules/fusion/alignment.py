"""Edits derived by aligning two sentences with their fusion, for texts whose edits are unknown."""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterator, Mapping, Sequence

from gistmill.rules.fusion.edits import (
    DELETE,
    KEEP,
    LOWER,
    REPLACE,
    UPPER,
    VERBATIM,
    Edits,
    Writer,
    capitalised,
    lowered,
    order,
)

PRONOUNS = frozenset(
    """
    he him his himself she her hers herself it its itself they them their theirs themselves
    i me my we us our you your this these those
    """.split()
)
_BE = frozenset(("am", "is", "are", "was", "were"))
_PARTICIPLE = 5  # minimum number of letters: "doing", but not "king"
_MARKS = frozenset(".?!,;:…") | {"...", "''", '"', "”", ")"}


def is_like(a: str, b: str) -> bool:
    """Whether two words are equal except for the case of their first letters."""
    return a == b or (a[1:] == b[1:] and a[0].lower() == b[0].lower())


def build(
    first: Sequence[str], second: Sequence[str], target: Sequence[str], move: int | None, kept: Mapping[int, int]
) -> Edits:
    """Returns the edits that produce the target.

    A new phrase is inserted where the second sentence begins, or where the first continues after it, if either position
    lies in the gap; otherwise before the first word that disappears. A new pronoun replaces a word that disappears.

    Args:
        first, second: tokens of the two sentences.
        target: tokens of the fusion.
        move: as in Edits.
        kept: the target index for each token that is kept or replaced, by its index in first + second. Target indices
            increase in the order that results from the move.
    """
    n, m = len(first), len(second)
    words = (*first, *second)
    places = order(n, m, move)
    joints = (n,) if move is None else (n, move)
    plan = _Plan(words, target, joints)
    gone: list[int] = []
    j = 0
    for i in places:
        to = kept.get(i)
        if to is None:
            gone.append(i)
            continue
        plan.fill(gone, range(j, to), i)
        plan.becomes[i] = to
        gone, j = [], to + 1
    plan.fill(gone, range(j, len(target)), n + m)
    return _written(first, second, move, places, plan)


class _Plan:
    """An assignment of target tokens to positions in the source.

    Attributes:
        becomes: the target token that each source token becomes, by index.
        before: the new target tokens before each source token, by index.
    """

    def __init__(self, words: Sequence[str], target: Sequence[str], joints: Sequence[int]) -> None:
        self.becomes: dict[int, int] = {}
        self.before: dict[int, range] = {}
        self.words = words
        self.target = target
        self._joints = joints

    def fill(self, gone: Sequence[int], new: range, after: int) -> None:
        """Assigns new tokens to a gap of disappearing tokens that lies before ``after``, a token or the end."""
        slots, new = self._pair_ends((*gone, after), new)
        if not new:
            return
        gone = slots[:-1]
        at = next((k for k, i in enumerate(slots) if i in self._joints), 0)
        mention = next((k for k in range(at, len(gone)) if self.words[gone[k]] not in _MARKS), None)
        pronoun = next((j for j in reversed(new) if self.target[j].lower() in PRONOUNS), None)
        if mention is None or pronoun is None:
            self._put(slots[at], new)
            return
        self.becomes[gone[mention]] = pronoun
        self._put(slots[at], range(new.start, pronoun))
        self._put(slots[mention + 1], range(pronoun + 1, new.stop))

    def _pair_ends(self, slots: tuple[int, ...], new: range) -> tuple[tuple[int, ...], range]:
        """Pairs words at both ends of a gap with corresponding new ones; returns the remaining slots and new words."""
        words, target = self.words, self.target
        while len(slots) > 1 and new and words[slots[-2]] == target[new[-1]]:  # usually final punctuation
            self.becomes[slots[-2]] = new[-1]
            slots, new = slots[:-1], new[:-1]
        while len(slots) > 1 and new and is_like(words[slots[0]], target[new[0]]):  # shared by two mentions
            self.becomes[slots[0]] = new[0]
            slots, new = slots[1:], new[1:]
        if len(slots) > 1 and new and _is_participle_of(target[new[-1]], words[slots[-2]]):
            self.becomes[slots[-2]] = new[-1]
            slots, new = slots[:-1], new[:-1]
        return slots, new

    def _put(self, slot: int, new: range) -> None:
        if new:
            self.before[slot] = new


def _is_participle_of(word: str, verb: str) -> bool:
    """Whether a word may be the present participle of a verb form, which may be irregular: "taking", "took"."""
    if not word.endswith("ing") or len(word) < _PARTICIPLE:
        return False
    return verb.lower() in _BE if word.lower() == "being" else word[0].lower() == verb[0].lower()


def _written(
    first: Sequence[str], second: Sequence[str], move: int | None, places: Sequence[int], plan: _Plan
) -> Edits:
    """Returns a plan as operations and phrases, which depend on where sentences start."""
    size = len(plan.words)
    operations, phrases = [DELETE] * size, [""] * (size + 1)
    writer = Writer(first, second)
    names = None
    for i in (*places, size):
        if i in plan.before:
            if names is None:  # words capitalised within a sentence
                names = frozenset(w for sentence in (first, second) for w in sentence[1:] if w[0].isupper()) | {"I"}
            forms = []
            for j in plan.before[i]:
                forms.append(_form(writer, plan.target[j], names))
                writer.phrase(forms[-1])
            phrases[i] = " ".join(forms)
        if i == size:
            break
        if i in plan.becomes:
            wanted = plan.target[plan.becomes[i]]
            made = (o for o in (KEEP, LOWER, UPPER) if writer.edited(i, plan.words[i], o) == wanted)
            operations[i] = next(made, None) or REPLACE + _form(writer, wanted)
        writer.token(i, plan.words[i], operations[i])
    return Edits(move, tuple(operations), tuple(phrases))


def _form(writer: Writer, word: str, names: frozenset[str] = frozenset("I")) -> str:
    """Returns a word without the capital that the rule adds, or with the VERBATIM sign if the rule would be wrong."""
    plain = lowered(word)
    if writer.starts and plain != word and word not in names and capitalised(plain) == word and plain[0] != VERBATIM:
        return plain
    return word if writer.new(word) == word else VERBATIM + word


# A gap is a run of words that are deleted, inserted or both.
_GAP, _CASE, _LATE = 1.5, 0.1, 0.6
# The costs that define simple edits; a new word costs more than a deleted one.
_MOVE, _PLACE, _NEW = 1.5, 0.5, 2.0


def align(
    first: Sequence[str], second: Sequence[str], target: Sequence[str], *, allowed: Container[str] | None = None
) -> Edits | None:
    """Finds edits that turn two sentences into the target with few deleted and inserted words in few gaps.

    Args:
        first, second: tokens of the two sentences.
        target: tokens of their fusion.
        allowed: the phrases that the edits may insert; None allows any.

    Returns:
        The edits, from which ``realise`` produces exactly the target; None if none with allowed phrases are found.
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
    """Yields possible moves, each with a mapping from source tokens to the target tokens they become."""
    words = [*first, *second]
    n, m = len(first), len(second)
    for move in (None, *_moves(first, target)):
        places = order(n, m, move)
        source = [words[i] for i in places]
        kept = {places[i]: j for i, j in pairs(source, target).items()}
        for head in {0, n}:  # "In fact , in 1839 he": the phrase precedes the sentence
            after = kept.get(head + 1, 0)
            if kept.get(head, after) < after - 1 and is_like(words[head], target[after - 1]):
                kept[head] = after - 1
        yield move, kept


def _moves(first: Sequence[str], target: Sequence[str]) -> range:
    """Returns the positions before and after which the first sentence is unchanged, except for its last token."""
    n = len(first)
    before = 0
    limit = min(n, len(target))
    while before < limit and is_like(first[before], target[before]):
        before += 1
    behind = 1  # a different final mark does not matter
    while behind < limit and is_like(first[-1 - behind], target[-1 - behind]):
        behind += 1
    return range(max(0, n - behind), min(before, n - 1) + 1)


def pairs(source: Sequence[str], target: Sequence[str]) -> dict[int, int]:
    """Aligns two lists of words; returns the target index for each source word that is kept.

    The number of deleted and inserted words is minimised, with a cost for each gap. There is an additional cost if a
    run of kept words begins with punctuation.
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
    """Returns the cheapest path found by A*, with the difference of the remaining lengths as the cost bound."""
    n, m = len(source), len(target)
    low_source, low_target = [*map(lowered, source)], [*map(lowered, target)]
    cost: dict[tuple[int, int, bool], float] = {(0, 0, False): 0.0}
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
            kept = []
            while here in came:
                end, here = here, came[here]
                if end[0] > here[0] and end[1] > here[1]:
                    kept.append((here[0], here[1]))
            return kept[::-1]
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
