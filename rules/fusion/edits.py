"""Edits that turn two sentences into their fusion.

The second sentence may be moved to a position in the first. Then, in the resulting order, each word has an operation
and a phrase to insert before it. Capitals at the start of a sentence follow a rule.

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
# In phrases, a word that follows this sign is written unchanged, without capitalisation; the sign is not written.
VERBATIM = "\\"
# More words than any sentence has.
_MOST = 10**9

_TERMINAL = frozenset((".", "?", "!", "...", "…"))
_OPENING = frozenset(("(", "[", "{", "``", "“", "‘", "'", '"'))
_CLOSING = frozenset((")", "]", "}", "''", "”", "’", "'", '"'))
_SPACE, _JOIN = "space", "join"
_NAMES = {LOWER: "lower", UPPER: "upper", DELETE: "delete"}
_OPERATIONS = {name: operation for operation, name in _NAMES.items()}


class EditsError(ValueError):
    """Raised if edits do not fit the sentences, or cannot be read from a column."""


@dataclass(frozen=True, slots=True)
class Edits:
    """The edits for a row.

    Attributes:
        move: index of the token in the first sentence before which the second is inserted (0 swaps the sentences); None
            if it follows the first.
        operations: one per token of the first and then the second sentence: KEEP, DELETE, LOWER or UPPER (which change
            the case of the first letter), or ``REPLACE:<word>``.
        phrases: words, joined by spaces, to insert before each of these tokens ("" for none), and at the end.
        spacing: exceptions to the spacing rules in ``texts`` for natural text, as pairs of the number of a word in the
            fusion and whether a space precedes it.
    """

    move: int | None
    operations: tuple[str, ...]
    phrases: tuple[str, ...]
    spacing: tuple[tuple[int, bool], ...] = ()


def order(n: int, m: int, move: int | None) -> list[int]:
    """Returns the indices of ``n`` + ``m`` tokens in the order in which they appear in a fusion with this move."""
    at = n if move is None else move
    return [*range(at), *range(n, n + m), *range(at, n)]


def lowered(word: str) -> str:
    """Returns the word with its first letter in lower case."""
    return word[:1].lower() + word[1:]


def raised(word: str) -> str:
    """Returns the word with its first letter in upper case."""
    return word[:1].upper() + word[1:]


def capitalised(word: str) -> str:
    """Returns the form of a word at the start of a sentence; words with inner capitals, like ``iPhone``, stay as is."""
    return raised(word) if word[:1].islower() and word == word.lower() else word


def realise(first: Sequence[str], second: Sequence[str], edits: Edits) -> list[str]:
    """Returns the tokens of the fusion.

    Args:
        first, second: tokens of the two sentences, each non-empty and without spaces.
        edits: their edits.

    Raises:
        EditsError: the edits do not fit sentences of these lengths, or contain an unknown operation.
    """
    return [word for word, _ in trace(first, second, edits)]


def trace(first: Sequence[str], second: Sequence[str], edits: Edits) -> list[tuple[str, int]]:
    """Returns the same tokens as ``realise``, each with the index of its source token; -1 for words of phrases."""
    n, m = len(first), len(second)
    if len(edits.operations) != n + m or len(edits.phrases) != n + m + 1:
        raise EditsError(
            f"edits for {len(edits.operations)} tokens and {len(edits.phrases)} positions do not fit sentences "
            f"with {n} + {m} tokens"
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
    """A writer that builds a fusion word by word and tracks where sentences start.

    Attributes:
        out: the words so far with their origins, as in ``trace``.
        starts: whether the next word starts a sentence. This is so at the beginning and after a source sentence whose
            final punctuation was kept, and remains so after opening brackets and quotes.
    """

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        self.out: list[tuple[str, int]] = []
        self.starts = True
        n = len(first)
        # the first words of the source sentences already have the right case
        self._heads = (_head(first), n + _head(second))
        self._marks = {*_marks(first, 0), *_marks(second, n)}
        self._ends = {n - 1, n + len(second) - 1}
        self._closed = False

    def phrase(self, phrase: str) -> None:
        """Writes a phrase."""
        for word in phrase.split(" "):
            self._write(self.new(word), -1)

    def token(self, position: int, word: str, operation: str) -> None:
        """Writes the source token at a position after applying its operation."""
        if operation != DELETE:
            self._write(self.edited(position, word, operation), position)
        if operation == KEEP and position in self._marks:
            self._closed = True
        if position in self._ends:
            self.starts |= self._closed
            self._closed = False

    def new(self, word: str) -> str:
        """Returns the form that a new word would have here."""
        if word.startswith(VERBATIM):
            return word[len(VERBATIM) :]
        return capitalised(word) if self.starts else word

    def edited(self, position: int, word: str, operation: str) -> str:
        """Returns the form that a source token would have here after an operation other than DELETE."""
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
    """Returns the index of the first word after any opening brackets and quotes."""
    return next((i for i, word in enumerate(sentence) if word not in _OPENING), 0)


def _marks(sentence: Sequence[str], offset: int) -> list[int]:
    """Returns the indices of the final punctuation marks, or of the last token if there are none."""
    marks = []
    for i in range(len(sentence) - 1, -1, -1):
        if sentence[i] in _TERMINAL:
            marks.append(offset + i)
        elif sentence[i] not in _CLOSING:
            break
    return marks or [offset + len(sentence) - 1]


def to_column(edits: Edits) -> list[str]:
    """Returns the edits in the readable form of the column ``edits``, without those that keep a token.

    Examples: "move 7", "5 delete", "6 lower", "6 upper", "9 replace he", "12 before , but". Numbers are token indices,
    counted from 0 through the first and then the second sentence; the next number denotes the end of the fusion. In
    "join 14" and "space 14", the number is the index of a word in the fusion.
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
    """Returns the edits read from their readable form.

    Args:
        column: output of ``to_column``, in any order.
        n, m: numbers of tokens in the first and the second sentence.

    Raises:
        EditsError: an edit is malformed, does not fit the sentences, or repeats or contradicts another.
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
                raise EditsError(f"{edit!r} is a second edit for this space")
            spacing[number] = head == _SPACE
        elif name == "before":
            at = _position(edit, head, n + m + 1, "the sentences")
            if phrases[at]:
                raise EditsError(f"{edit!r} is a second phrase at this position")
            if "" in text.split(" "):
                raise EditsError(f"{edit!r} lacks a word or contains an extra space")
            phrases[at] = text
        else:
            at = _position(edit, head, n + m, "the sentences")
            if operations[at] != KEEP:
                raise EditsError(f"{edit!r} is a second operation for this token")
            operations[at] = _operation(edit, rest)
    return Edits(move, tuple(operations), tuple(phrases), tuple(sorted(spacing.items())))


def _position(edit: str, text: str, size: int, where: str) -> int:
    if not (text.isascii() and text.isdecimal() and (text == "0" or text[0] != "0") and len(text) < 10):
        raise EditsError(
            f"{edit!r} is not an edit: expected 'move N', 'N delete|lower|upper', 'N replace WORD', 'N before WORDS'"
        )
    if int(text) >= size:
        raise EditsError(f"{edit!r} refers to a position after the end of {where}")
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
