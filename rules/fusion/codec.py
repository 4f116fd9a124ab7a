"""Conversion of sentences and edits to the numbers used by the fusion tagger, and the tagger's heads in numpy.

The encoder reads ``[CLS] first [SEP] second [SEP]``. In addition to its number, each word piece has a code for its
word, which shows the word's capitals, how it is repeated in the other sentence, and whether it belongs to the common
beginning of both. For an encoder with a lower-case vocabulary, these codes are the only source of capitalisation.

A plan is a kind of fusion: a DiscoFuse discourse type without its anaphora part, which the operations show. The phrases
are those that cover the most training rows (E. Malmi et al., "Encode, tag, realize", EMNLP 2019, section 3.1).

A tagger folder contains

    labels.json      ``format``; ``plans``, ``operations``, ``phrases``; ``encoder``: name of the package with the
                     encoder and SHA-256 of its weights, or null if the folder contains an encoder; ``longest``: maximum
                     number of word pieces; ``prior`` (optional): the term added to each plan's log probability, by
                     name (see ``decode.py``)
    tagger.npz       the heads (see ``Heads``), float16; for a package's encoder, also the table ``codes`` of shape
                     (codes, width), and the low-rank products added to its maps: ``LAYER.MAP.down`` of shape
                     (rank, inputs) and ``LAYER.MAP.up`` of shape (outputs, rank), such as
                     ``0.attention.self.query.down``
    encoder.onnx     only if the tagger has its own encoder (see ``training/exports/tagger.py``)
    tokenizer.json   only if the tagger has its own encoder
    README.md        the model card

The heads turn the encoder's states for a row into the log probabilities of its labels:
P(fusion) = P(plan) * P(move | plan) * product over tokens P(operation | plan, moved) * product over places
P(phrase | plan, moved). They share the states; the plan and whether anything moves are added as vectors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gistmill.rules.fusion.edits import DELETE, KEEP, LOWER, REPLACE, UPPER, Edits

FORMAT = 1
LABELS, ARRAYS, ONNX, TOKENIZER, CARD = "labels.json", "tagger.npz", "encoder.onnx", "tokenizer.json", "README.md"
NONE, ANAPHORA = "PAIR_NONE", "PAIR_ANAPHORA"
_SUFFIX = "_ANAPHORA"
_PLAIN = (KEEP, DELETE, LOWER, UPPER)


class LabelsError(ValueError):
    """Raised if a tagger's labels cannot be read or are inconsistent with other data."""


class ConnectiveError(LabelsError):
    """Raised if a tagger has not learnt a connective.

    Attributes:
        connective: the requested connective.
        words: all phrases the tagger can insert, including non-connectives, in lower case and without commas.
    """

    def __init__(self, connective: str, words: frozenset[str]) -> None:
        super().__init__(f"the tagger does not know the connective {connective!r}")
        self.connective, self.words = connective, words


def plan_of(discourse_type: str) -> str:
    """Returns the plan for a discourse type.

    >>> plan_of("SINGLE_S_COORD_ANAPHORA"), plan_of("PAIR_ANAPHORA")
    ('SINGLE_S_COORD', 'PAIR_ANAPHORA')
    """
    return discourse_type if discourse_type == ANAPHORA else discourse_type.removesuffix(_SUFFIX)


def joins(plan: str) -> bool:
    """Whether a plan joins the two sentences into one."""
    return not plan.startswith("PAIR_")


@dataclass(frozen=True, slots=True)
class Labels:
    """A tagger's labels, in the order of the heads' outputs.

    Attributes:
        plans: discourse types without anaphora, including PAIR_NONE.
        operations: operations, starting with KEEP.
        phrases: phrases, starting with "" (no phrase).

    Raises:
        LabelsError: the labels do not have this form.
    """

    plans: tuple[str, ...]
    operations: tuple[str, ...]
    phrases: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in self.__slots__:
            values = getattr(self, name)
            if not all(isinstance(v, str) for v in values):
                raise LabelsError(f"{name}: expected strings only")
            if len(set(values)) < len(values):
                twice = next(v for v, count in Counter(values).items() if count > 1)
                raise LabelsError(f"{name}: {twice!r} occurs twice")
        if NONE not in self.plans:
            raise LabelsError(f"plans: {NONE} is missing")
        if self.operations[:1] != (KEEP,):
            raise LabelsError(f"operations: the first must be {KEEP}")
        if self.phrases[:1] != ("",):
            raise LabelsError("phrases: the first must be empty")
        for operation in self.operations:
            if operation not in _PLAIN and (not operation.startswith(REPLACE) or operation == REPLACE):
                raise LabelsError(f"operations: unknown operation {operation!r}")

    def covers(self, edits: Edits) -> bool:
        """Whether the edits can be expressed with these labels."""
        operations, phrases = set(self.operations), set(self.phrases)
        return operations.issuperset(edits.operations) and phrases.issuperset(edits.phrases)

    def to_values(self) -> dict[str, Any]:
        """Returns the labels as JSON values."""
        return {name: [*getattr(self, name)] for name in self.__slots__}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Returns the labels from the output of ``to_values``; other keys are ignored.

        Raises:
            LabelsError: a key is missing, or the labels do not have the required form.
        """
        for name in cls.__slots__:
            if not isinstance(values.get(name), list):
                raise LabelsError(f"{name}: expected a list of strings")
        return cls(*(tuple(values[name]) for name in cls.__slots__))


def fit_labels(rows: Iterable[tuple[str, Edits]], *, most_phrases: int = 500, least_rows: int = 2) -> Labels:
    """Returns labels fitted to training rows: the phrases and operations that occur in the most rows.

    Args:
        rows: the plan and the edits for each row; they are read once and not stored.
        most_phrases: maximum number of phrases.
        least_rows: minimum number of rows in which a phrase or replacement word must occur.
    """
    plans = {NONE}
    operations: Counter[str] = Counter()
    phrases: Counter[str] = Counter()
    for plan, edits in rows:
        plans.add(plan)
        operations.update(set(edits.operations))
        phrases.update(set(edits.phrases))
    replacing = [o for o in _ranked(operations, least_rows) if o not in _PLAIN]
    phrases.pop("", None)
    return Labels(tuple(sorted(plans)), (*_PLAIN, *replacing), ("", *_ranked(phrases, least_rows)[:most_phrases]))


def _ranked(counts: Counter[str], least: int) -> list[str]:
    kept = [item for item, count in counts.items() if count >= least]
    return sorted(kept, key=lambda item: (-counts[item], item))


_CAPITALS, _REPEATED = 4, 4
_MOST_PIECES = 12  # per word; longer words are addresses or formulas
CODES = _CAPITALS * _REPEATED * 2

IntArray = npt.NDArray[np.int64]


class TooLongError(ValueError):
    """Raised if the sentences have more word pieces than the encoder can read."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Two sentences with ``n`` and ``m`` tokens as integers.

    Attributes:
        ids, types, codes: each word piece's number, sentence (0 or 1) and code, of shape (pieces,).
        places: the indices of [CLS], of each token's first piece and of the last [SEP], of shape (n + m + 2,).
        n, m: numbers of tokens.
    """

    ids: IntArray
    types: IntArray
    codes: IntArray
    places: IntArray
    n: int
    m: int


@dataclass(frozen=True, slots=True)
class Target:
    """The labels for a row, as numbers.

    Attributes:
        plan: number of the plan.
        move: 0 if the second sentence follows the first; otherwise 1 + the index of the token it precedes.
        operations: numbers of the operations, of shape (n + m,).
        phrases: numbers of the phrases, of shape (n + m + 1,).
    """

    plan: int
    move: int
    operations: IntArray
    phrases: IntArray


class Codec:
    """A codec that converts sentences to integers.

    Args:
        pieces: function that splits a word into pieces and returns their numbers (at least one).
        opening, separator: the numbers of [CLS] and [SEP].
        longest: maximum number of pieces that the encoder reads.
    """

    def __init__(
        self, pieces: Callable[[str], Sequence[int]], *, opening: int, separator: int, longest: int = 512
    ) -> None:
        self._pieces, self._opening, self._separator, self.longest = pieces, opening, separator, longest

    def encode(self, first: Sequence[str], second: Sequence[str]) -> Encoded:
        """Returns two sentences as integers.

        Raises:
            TooLongError: the sentences have too many pieces.
        """
        codes_of = word_codes(first, second)
        ids, types, codes, places = [self._opening], [0], [0], [0]
        for number, sentence in enumerate((first, second)):
            for word, code in zip(sentence, codes_of[number], strict=True):
                pieces = self._pieces(word)[:_MOST_PIECES]
                places.append(len(ids))
                ids.extend(pieces)
                codes.extend([code] * len(pieces))
            ids.append(self._separator)
            codes.append(0)
            types.extend([number] * (len(ids) - len(types)))
        places.append(len(ids) - 1)
        if len(ids) > self.longest:
            raise TooLongError(f"the sentences contain {len(ids)} word pieces; the encoder's limit is {self.longest}")
        ids_, types_, codes_, places_ = (np.array(numbers, np.int64) for numbers in (ids, types, codes, places))
        return Encoded(ids_, types_, codes_, places_, len(first), len(second))


def target(labels: Labels, plan: str, edits: Edits) -> Target:
    """Returns a plan and edits as label numbers.

    Raises:
        ValueError: the labels do not cover them.
    """
    operation = {name: number for number, name in enumerate(labels.operations)}
    phrase = {name: number for number, name in enumerate(labels.phrases)}
    try:
        return Target(
            plan=labels.plans.index(plan),
            move=0 if edits.move is None else 1 + edits.move,
            operations=np.array([operation[o] for o in edits.operations], np.int64),
            phrases=np.array([phrase[p] for p in edits.phrases], np.int64),
        )
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} is not a label") from None


def word_codes(first: Sequence[str], second: Sequence[str]) -> tuple[list[int], list[int]]:
    """Returns a code below CODES for each word, based on its capitals, its repetition, and the common beginning."""
    small = [w.lower() for w in first], [w.lower() for w in second]
    shared = 0
    while shared < min(len(first), len(second)) and small[0][shared] == small[1][shared]:
        shared += 1
    codes: list[list[int]] = []
    for words, repeated in ((first, _repeated(*small)), (second, _repeated(*small[::-1]))):
        codes.append([(_capitals(word) * _REPEATED + repeated[i]) * 2 + (i < shared) for i, word in enumerate(words)])
    return codes[0], codes[1]


def _repeated(own: Sequence[str], other: Sequence[str]) -> list[int]:
    """Returns, for each word, the length of the longest run shared with the other sentence, from 0 to 3 (or more)."""
    found = [0] * len(own)
    for size in range(1, _REPEATED):
        grams = {tuple(other[j : j + size]) for j in range(len(other) - size + 1)}
        for i in range(len(own) - size + 1):
            if tuple(own[i : i + size]) in grams:
                found[i : i + size] = [size] * size
    return found


def _capitals(word: str) -> int:
    """Returns a number for a word's capitals: 0 for none, 1 for the first letter, 2 for all letters, 3 for others."""
    if word == word.lower():
        return 0
    if len(word) > 1 and word == word.upper():
        return 2
    return 1 if word[1:] == word[1:].lower() else 3


FloatArray = npt.NDArray[np.float32]

# The name of each axis's size, for each array. A linear map has the shape (outputs, inputs), as in checkpoints.
SHAPES: Mapping[str, tuple[str, ...]] = {
    "plan.hidden.weight": ("plan_hidden", "three_states"),
    "plan.hidden.bias": ("plan_hidden",),
    "plan.score.weight": ("plans", "plan_hidden"),
    "plan.score.bias": ("plans",),
    "move.hidden.weight": ("move_hidden", "state"),
    "move.hidden.bias": ("move_hidden",),
    "move.plan.weight": ("plans", "move_hidden"),
    "move.score.weight": ("one", "move_hidden"),
    "word.hidden.weight": ("word_hidden", "state"),
    "word.hidden.bias": ("word_hidden",),
    "word.plan.weight": ("plans", "word_hidden"),
    "word.moved.weight": ("two", "word_hidden"),
    "operation.weight": ("operations", "word_hidden"),
    "operation.bias": ("operations",),
    "phrase.weight": ("phrases", "word_hidden"),
    "phrase.bias": ("phrases",),
}


class Heads:
    """A tagger's heads.

    Args:
        labels: the labels for the outputs.
        arrays: floating-point arrays by name, as in SHAPES; other names are ignored.
        prior: term added to each plan's score, by name (see ``decode.py``); None for 0 everywhere.

    Raises:
        LabelsError: an array is missing, or its shape does not fit the labels or the other arrays.
    """

    def __init__(
        self, labels: Labels, arrays: Mapping[str, npt.NDArray[Any]], prior: Mapping[str, float] | None = None
    ) -> None:
        check_shapes(labels, arrays)
        self.labels = labels
        self._prior = np.array([prior[plan] if prior else 0.0 for plan in labels.plans], np.float32)
        self._arrays = {name: np.asarray(arrays[name], np.float32) for name in SHAPES}

    @property
    def width(self) -> int:
        """The width of the encoder's states."""
        return int(self._arrays["word.hidden.weight"].shape[1])

    def plans(self, states: FloatArray, n: int) -> FloatArray:
        """Returns the log probabilities of the plans, of shape (plans,).

        Args:
            states: states for [CLS], each token and the end, of shape (n + m + 2, width).
            n: number of tokens in the first sentence.
        """
        means = states[1 : n + 1].mean(axis=0), states[n + 1 : -1].mean(axis=0)
        hidden = _gelu(self._linear(np.concatenate([states[0], *means]), "plan.hidden"))
        return _log_softmax(self._linear(hidden, "plan.score") + self._prior)

    def moves(self, states: FloatArray, n: int, plan: int) -> FloatArray:
        """Returns log probabilities (n + 1,) for no move, then for a move before each token of the first sentence."""
        hidden = self._linear(states[: n + 1], "move.hidden") + self._arrays["move.plan.weight"][plan]
        return _log_softmax(_gelu(hidden) @ self._arrays["move.score.weight"][0])

    def tags(self, states: FloatArray, plan: int, moved: bool) -> tuple[FloatArray, FloatArray]:
        """Returns log probabilities of operations (n + m, operations) and of phrases (n + m + 1, phrases)."""
        hidden = self._linear(states[1:], "word.hidden")
        hidden += self._arrays["word.plan.weight"][plan] + self._arrays["word.moved.weight"][int(moved)]
        hidden = _gelu(hidden)
        return (_log_softmax(self._linear(hidden[:-1], "operation")), _log_softmax(self._linear(hidden, "phrase")))

    def _linear(self, x: FloatArray, name: str) -> FloatArray:
        found: FloatArray = x @ self._arrays[f"{name}.weight"].T + self._arrays[f"{name}.bias"]
        return found


def check_shapes(labels: Labels, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Checks that the heads' arrays fit the labels and each other.

    Raises:
        LabelsError: an array is missing or has the wrong shape.
    """
    sizes = {"one": 1, "two": 2, **{name: len(getattr(labels, name)) for name in labels.__slots__}}
    for name, axes in SHAPES.items():
        if name not in arrays:
            raise LabelsError(f"the array {name} is missing")
        shape = arrays[name].shape
        if "state" in axes and len(shape) == len(axes):
            sizes.setdefault("state", shape[axes.index("state")])
    sizes["three_states"] = 3 * sizes.get("state", 0)
    for name, axes in SHAPES.items():
        shape = arrays[name].shape
        if len(shape) != len(axes) or any(
            sizes.setdefault(a, size) != size for a, size in zip(axes, shape, strict=True)
        ):
            expected = tuple(sizes.get(axis, axis) for axis in axes)
            raise LabelsError(f"the array {name} has the shape {shape}, not {expected}")


def _gelu(x: FloatArray) -> FloatArray:
    y: FloatArray = 0.5 * x * (1 + np.tanh(np.float32(0.7978845608028654) * (x + np.float32(0.044715) * x * x * x)))
    return y


def _log_softmax(x: FloatArray) -> FloatArray:
    x = x - x.max(axis=-1, keepdims=True)
    y: FloatArray = x - np.log(np.exp(x).sum(axis=-1, keepdims=True))
    return y
