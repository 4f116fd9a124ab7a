"""Edits made of a move and of what becomes of each token of the two sentences in their fusion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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
_PARTICIPLE = 5  # letters of the shortest: "doing", but not "king"
_MARKS = frozenset(".?!,;:…") | {"...", "''", '"', "”", ")"}


def is_like(a: str, b: str) -> bool:
    """Whether two words are the same but for the capital at their beginning."""
    return a == b or a[1:] == b[1:] and a[0].lower() == b[0].lower()


def build(
    first: Sequence[str], second: Sequence[str], target: Sequence[str], move: int | None, kept: Mapping[int, int]
) -> Edits:
    """Returns the edits that make the target.

    A new phrase is written where the second sentence begins, or where the first goes on behind it, if one of the two
    lies in the gap; else before the first word that gives way. A new pronoun replaces a word that gives way.

    Args:
        first, second: tokens of the two sentences.
        target: tokens of the fusion.
        move: as in Edits.
        kept: the tokens, by their position in first + second, that become a token of the target, and which one. In the
            order of the move the numbers rise. A word that becomes another one is replaced.
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
    """Which tokens of the target are written at each place.

    Attributes:
        becomes: by token of the source, the token of the target that it becomes.
        before: by place, the tokens of the target that are new before it.
    """

    def __init__(self, words: Sequence[str], target: Sequence[str], joints: Sequence[int]) -> None:
        self.becomes: dict[int, int] = {}
        self.before: dict[int, range] = {}
        self.words = words
        self.target = target
        self._joints = joints

    def fill(self, gone: Sequence[int], new: range, after: int) -> None:
        """Puts the new tokens into a gap of tokens that give way, before the token or end ``after``."""
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
        """Pairs words at the ends of a gap with new ones that stand for them; returns the slots and words between."""
        words, target = self.words, self.target
        while len(slots) > 1 and new and words[slots[-2]] == target[new[-1]]:  # a final mark, most often
            self.becomes[slots[-2]] = new[-1]
            slots, new = slots[:-1], new[:-1]
        while len(slots) > 1 and new and is_like(words[slots[0]], target[new[0]]):  # what two mentions share
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
    """Whether a word may be the present participle of another, irregular ones included: "taking", "took"."""
    if not word.endswith("ing") or len(word) < _PARTICIPLE:
        return False
    return verb.lower() in _BE if word.lower() == "being" else word[0].lower() == verb[0].lower()


def _written(
    first: Sequence[str], second: Sequence[str], move: int | None, places: Sequence[int], plan: _Plan
) -> Edits:
    """Says the plan in operations and phrases, which depend on where sentences start."""
    size = len(plan.words)
    operations, phrases = [DELETE] * size, [""] * (size + 1)
    writer = Writer(first, second)
    names = None
    for i in (*places, size):
        if i in plan.before:
            names = _names(first, second) if names is None else names
            phrases[i] = " ".join(_new_words(writer, [plan.target[j] for j in plan.before[i]], names))
        if i == size:
            break
        if i in plan.becomes:
            operations[i] = _operation(writer, i, plan.words[i], plan.target[plan.becomes[i]])
        writer.token(i, plan.words[i], operations[i])
    return Edits(move, tuple(operations), tuple(phrases))


def _names(first: Sequence[str], second: Sequence[str]) -> frozenset[str]:
    """Words with a capital inside a sentence."""
    return frozenset(w for sentence in (first, second) for w in sentence[1:] if w[0].isupper()) | {"I"}


def _new_words(writer: Writer, words: Sequence[str], names: frozenset[str]) -> Iterator[str]:
    for word in words:
        form = _form(writer, word, names)
        writer.phrase(form)
        yield form


def _form(writer: Writer, word: str, names: frozenset[str] = frozenset("I")) -> str:
    """The word without the capital that it has by rule; with a sign where the rule would err."""
    plain = lowered(word)
    if writer.starts and plain != word and word not in names and capitalised(plain) == word and plain[0] != VERBATIM:
        return plain
    return word if writer.new(word) == word else VERBATIM + word


def _operation(writer: Writer, position: int, word: str, wanted: str) -> str:
    for operation in (KEEP, LOWER, UPPER):
        if writer.edited(position, word, operation) == wanted:
            return operation
    return REPLACE + _form(writer, wanted)
