"""The edits that turn two sentences into their fusion.

The words of the second sentence may move to a place in the first. Then each word, in the order that results, has an
operation and a phrase that is written before it. Capitals at the start of a sentence are written by rule.

Sources: E. Malmi et al., "Encode, tag, realize: high-precision text editing", EMNLP 2019, section 3 (operations and
phrases; swap); J. Mallinson et al., "FELIX: flexible text editing through tagging and insertion", Findings of EMNLP
2020, section 3 (words that move).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmill.rules.text.typography import fold

KEEP, LOWER, UPPER, DELETE = "KEEP", "LOWER", "UPPER", "DELETE"
REPLACE = "REPLACE:"
# A phrase's word after this sign is written as it stands, without a capital by rule; the sign itself is not written.
VERBATIM = "\\"
# No sentence has so many words.
_MOST = 10**9

_TERMINAL = frozenset((".", "?", "!", "...", "…"))
_OPENING = frozenset(("(", "[", "{", "``", "“", "‘", "'", '"'))
_CLOSING = frozenset((")", "]", "}", "''", "”", "’", "'", '"'))
_SPACE, _JOIN = "space", "join"
_NAMES = {LOWER: "lower", UPPER: "upper", DELETE: "delete"}
_OPERATIONS = {name: operation for operation, name in _NAMES.items()}


class EditsError(ValueError):
    """Edits that do not fit the sentences, or a column that cannot be read."""


@dataclass(frozen=True, slots=True)
class Edits:
    """The edits of a row.

    Attributes:
        move: the second sentence goes before this token of the first (0: the sentences are swapped); None: after it.
        operations: one for each token of the first and then the second sentence: KEEP, LOWER and UPPER (its first
            letter), DELETE, or ``REPLACE:<word>``, which writes the word in its place.
        phrases: words, joined by spaces, that are written before each of these tokens ("": none). One more phrase
            comes at the end of the fusion.
        spacing: of the natural text: words of the fusion, by number, before which a space stands (True) or does not
            against the rule of ``texts``.
    """

    move: int | None
    operations: tuple[str, ...]
    phrases: tuple[str, ...]
    spacing: tuple[tuple[int, bool], ...] = ()


def order(n: int, m: int, move: int | None) -> list[int]:
    """Returns the positions of ``n`` + ``m`` tokens in the order in which a fusion with this move writes them."""
    at = n if move is None else move
    return [*range(at), *range(n, n + m), *range(at, n)]


def lowered(word: str) -> str:
    """Returns the word with a small first letter."""
    return word[:1].lower() + word[1:]


def raised(word: str) -> str:
    """Returns the word with a capital as its first letter."""
    return word[:1].upper() + word[1:]


def capitalised(word: str) -> str:
    """Returns the word as the rule writes it at the start of a sentence: ``iPhone`` keeps its capital further in."""
    return raised(word) if word[:1].islower() and word == word.lower() else word


def realise(first: Sequence[str], second: Sequence[str], edits: Edits) -> list[str]:
    """Returns the tokens of the fusion.

    Args:
        first, second: tokens of the two sentences; a token is not empty and has no space in it.
        edits: their edits.

    Raises:
        EditsError: the edits are not for sentences of these lengths, or hold an unknown operation.
    """
    return [word for word, _ in trace(first, second, edits)]


def trace(first: Sequence[str], second: Sequence[str], edits: Edits) -> list[tuple[str, int]]:
    """Returns the tokens of the fusion as ``realise`` does, each with the position of the source's token that it was or
    replaces; -1 for the words of a phrase.
    """
    n, m = len(first), len(second)
    if len(edits.operations) != n + m or len(edits.phrases) != n + m + 1:
        raise EditsError(
            f"edits for {len(edits.operations)} tokens and {len(edits.phrases)} places do not fit sentences "
            f"of {n} + {m}"
        )
    if edits.move is not None and not 0 <= edits.move < n:
        raise EditsError(f"the second sentence cannot move to token {edits.move} of a first sentence with {n} tokens")
    words = (*first, *second)
    writer = Writer(first, second)
    for i in order(n, m, edits.move):
        if edits.phrases[i]:
            writer.phrase(edits.phrases[i])
        writer.token(i, words[i], edits.operations[i])
    if edits.phrases[-1]:
        writer.phrase(edits.phrases[-1])
    return writer.out


class Writer:
    """Writes a fusion word by word, and knows where a sentence starts.

    Attributes:
        out: the words so far, and where they come from: see ``trace``.
        starts: whether the next word starts a sentence. It does at the beginning, and after a source sentence whose
            final mark was kept. Opening brackets and quotes leave it so.
    """

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        self.out: list[tuple[str, int]] = []
        self.starts = True
        n = len(first)
        # the first words of the sources have the capital that they should have
        self._heads = (_head(first), n + _head(second))
        self._marks = {*_marks(first, 0), *_marks(second, n)}
        self._ends = {n - 1, n + len(second) - 1}
        self._closed = False

    def phrase(self, phrase: str) -> None:
        """Writes a phrase."""
        for word in phrase.split(" "):
            self._write(self.new(word), -1)

    def token(self, position: int, word: str, operation: str) -> None:
        """Writes the source's token at a position, after its operation."""
        if operation != DELETE:
            self._write(self.edited(position, word, operation), position)
        if operation == KEEP and position in self._marks:
            self._closed = True
        if position in self._ends:
            self.starts |= self._closed
            self._closed = False

    def new(self, word: str) -> str:
        """Returns how a word that is new would be written here."""
        if word.startswith(VERBATIM):
            return word[len(VERBATIM) :]
        return capitalised(word) if self.starts else word

    def edited(self, position: int, word: str, operation: str) -> str:
        """Returns how a token of the source would be written here after an operation other than DELETE."""
        if operation == KEEP:
            return capitalised(word) if self.starts and position not in self._heads else word
        if operation == LOWER:
            return capitalised(lowered(word)) if self.starts else lowered(word)
        if operation == UPPER:
            return raised(word)
        if operation.startswith(REPLACE) and operation != REPLACE:
            return self.new(operation[len(REPLACE) :])
        raise EditsError(f"unknown operation {operation!r}")

    def _write(self, word: str, position: int) -> None:
        self.out.append((word, position))
        self.starts = self.starts and fold(word) in _OPENING


def _head(sentence: Sequence[str]) -> int:
    """The position of the first word, after opening brackets and quotes."""
    return next((i for i, word in enumerate(sentence) if word not in _OPENING), 0)


def _marks(sentence: Sequence[str], offset: int) -> list[int]:
    """Positions of the final marks; of the last token where there are none."""
    marks = []
    for i in range(len(sentence) - 1, -1, -1):
        if sentence[i] in _TERMINAL:
            marks.append(offset + i)
        elif sentence[i] not in _CLOSING:
            break
    return marks or [offset + len(sentence) - 1]


def to_column(edits: Edits) -> list[str]:
    """Returns the edits in the open form of the column ``edits``; tokens that are kept are not mentioned.

    "move 7", "5 delete", "6 lower", "6 upper", "9 replace he", "12 before , but". Numbers are positions from 0 in the
    tokens of the first and then the second sentence; the number after the last is the end of the fusion. In "join 14"
    and "space 14" the number is that of a word of the fusion.
    """
    column = [] if edits.move is None else [f"move {edits.move}"]
    for i, phrase in enumerate(edits.phrases):
        if phrase:
            column.append(f"{i} before {phrase}")
        operation = edits.operations[i] if i < len(edits.operations) else KEEP
        if operation.startswith(REPLACE):
            column.append(f"{i} replace {operation[len(REPLACE) :]}")
        elif operation != KEEP:
            column.append(f"{i} {_NAMES[operation]}")
    return column + [f"{_SPACE if space else _JOIN} {number}" for number, space in edits.spacing]


def from_column(column: Sequence[str], n: int, m: int) -> Edits:
    """Reads the open form.

    Args:
        column: as ``to_column`` gives it, in any order.
        n, m: numbers of tokens of the first and the second sentence.

    Raises:
        EditsError: an edit is malformed, does not fit the sentences, or says something a second time.
    """
    move: int | None = None
    operations, phrases = [KEEP] * (n + m), [""] * (n + m + 1)
    spacing: dict[int, bool] = {}
    for edit in column:
        head, _, rest = edit.partition(" ")
        name, _, text = rest.partition(" ")
        if head == "move":
            if move is not None:
                raise EditsError(f"{edit!r} is a second move")
            move = _position(edit, rest, n, "the first sentence")
        elif head in (_SPACE, _JOIN):
            number = _position(edit, rest, _MOST, "any fusion")
            if number in spacing:
                raise EditsError(f"{edit!r} is a second word on this space")
            spacing[number] = head == _SPACE
        elif name == "before":
            at = _position(edit, head, n + m + 1, "the sentences")
            if phrases[at]:
                raise EditsError(f"{edit!r} is a second phrase in this place")
            if "" in text.split(" "):
                raise EditsError(f"{edit!r} lacks a word or has an extra space")
            phrases[at] = text
        else:
            at = _position(edit, head, n + m, "the sentences")
            if operations[at] != KEEP:
                raise EditsError(f"{edit!r} is a second operation on this token")
            operations[at] = _operation(edit, rest)
    return Edits(move, tuple(operations), tuple(phrases), tuple(sorted(spacing.items())))


def _position(edit: str, text: str, size: int, where: str) -> int:
    if not (text.isascii() and text.isdecimal() and (text == "0" or text[0] != "0") and len(text) < 10):
        raise EditsError(
            f"{edit!r} is not an edit: expected 'move N', 'N delete|lower|upper', 'N replace WORD', 'N before WORDS'"
        )
    if int(text) >= size:
        raise EditsError(f"{edit!r} is after the end of {where}")
    return int(text)


def _operation(edit: str, text: str) -> str:
    name, _, word = text.partition(" ")
    if name == "replace":
        if not word or " " in word:
            raise EditsError(f"{edit!r} does not replace the token with one word")
        return REPLACE + word
    if text not in _OPERATIONS:
        raise EditsError(
            f"{edit!r} is not an edit: expected 'N delete|lower|upper', 'N replace WORD', 'N before WORDS'"
        )
    return _OPERATIONS[text]
