"""Two sentences as the integers that the tagger's encoder reads, and edits as the numbers of their labels.

The encoder reads ``[CLS] first [SEP] second [SEP]``. Beside its number each word piece has a code of its word: its
capitals, how it is repeated in the other sentence, and whether both sentences begin with it. An encoder whose
vocabulary has no capitals learns of them from these codes only.

A plan is the kind of fusion: a discourse type of DiscoFuse without what it says of anaphora, which the operations
show. The phrases are those of the training rows that cover most rows (E. Malmi et al., "Encode, tag, realize", EMNLP
2019, section 3.1).

The folder of a tagger holds

    labels.json      ``format``; ``plans``, ``operations``, ``phrases``; ``encoder``: name of the package whose encoder
                     is meant and SHA-256 of its weights, or null if the folder holds its own; ``longest``: the most
                     word pieces; ``prior``: what is added to the log probability of each plan, by its name, see
                     ``decode.py``; nothing if there is none
    tagger.npz       the heads (see ``Heads``), float16; for an encoder of a package also the table ``codes`` of
                     shape (codes, width), and the low-rank products added to its maps: ``LAYER.MAP.down`` of shape
                     (rank, inputs) and ``LAYER.MAP.up`` of shape (outputs, rank), as in
                     ``0.attention.self.query.down``
    encoder.onnx     only for an encoder of its own, see ``training/exports/tagger.py``
    tokenizer.json   only for an encoder of its own
    README.md        the card

The heads of the tagger in numpy: from the encoder's states of a row to the log probabilities of its labels.

P(fusion) = P(plan) * P(move | plan) * product over tokens P(operation | plan, moved) * product over places
P(phrase | plan, moved). The heads share the states; the plan and whether something moves are added as vectors.
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
    """The labels of a tagger cannot be read, or do not fit."""


class ConnectiveError(LabelsError):
    """A tagger has not learnt a connective.

    Attributes:
        connective: the one that is wanted.
        words: what the tagger writes between sentences, in lower case and without commas; connectives, and others.
    """

    def __init__(self, connective: str, words: frozenset[str]) -> None:
        super().__init__(f"the tagger does not know the connective {connective!r}")
        self.connective, self.words = connective, words


def plan_of(discourse_type: str) -> str:
    """Returns the plan of a discourse type.

    >>> plan_of("SINGLE_S_COORD_ANAPHORA"), plan_of("PAIR_ANAPHORA")
    ('SINGLE_S_COORD', 'PAIR_ANAPHORA')
    """
    return discourse_type if discourse_type == ANAPHORA else discourse_type.removesuffix(_SUFFIX)


def joins(plan: str) -> bool:
    """Whether the fusions of a plan are one sentence."""
    return not plan.startswith("PAIR_")


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a tagger, each in the order of the heads' outputs.

    Attributes:
        plans: discourse types without anaphora; PAIR_NONE is among them.
        operations: KEEP first.
        phrases: "", which stands for no phrase, first.

    Raises:
        LabelsError: they are not of this form.
    """

    plans: tuple[str, ...]
    operations: tuple[str, ...]
    phrases: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in self.__slots__:
            values = getattr(self, name)
            if not all(isinstance(v, str) for v in values):
                raise LabelsError(f"{name}: expected text only")
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
        """Whether the edits can be written with these labels."""
        operations, phrases = set(self.operations), set(self.phrases)
        return operations.issuperset(edits.operations) and phrases.issuperset(edits.phrases)

    def to_values(self) -> dict[str, Any]:
        """Returns the labels as JSON has them."""
        return {name: [*getattr(self, name)] for name in self.__slots__}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Reads what ``to_values`` returned, among other keys.

        Raises:
            LabelsError: a key is missing, or the labels are not of this form.
        """
        for name in cls.__slots__:
            if not isinstance(values.get(name), list):
                raise LabelsError(f"{name}: expected a list of texts")
        return cls(*(tuple(values[name]) for name in cls.__slots__))


def fit_labels(rows: Iterable[tuple[str, Edits]], *, most_phrases: int = 500, least_rows: int = 2) -> Labels:
    """Fits the labels to training rows: the most frequent phrases and operations, by the rows that need them.

    Args:
        rows: the plan and the edits of each; they are read once and not kept.
        most_phrases: the largest number of phrases.
        least_rows: the rows that a phrase, or a word that replaces another, has to occur in.
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
_MOST_PIECES = 12  # of one word; a longer one is an address or a formula
CODES = _CAPITALS * _REPEATED * 2

IntArray = npt.NDArray[np.int64]


class TooLongError(ValueError):
    """The sentences have more word pieces than the encoder can read."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Two sentences of ``n`` and ``m`` tokens.

    Attributes:
        ids, types, codes: of each piece, of shape (pieces,): its number, its sentence (0 or 1), its code.
        places: of shape (n + m + 2,): the piece of [CLS], the first piece of each token, the last [SEP].
        n, m: the numbers of tokens.
    """

    ids: IntArray
    types: IntArray
    codes: IntArray
    places: IntArray
    n: int
    m: int


@dataclass(frozen=True, slots=True)
class Target:
    """The labels of a row, as numbers.

    Attributes:
        plan: the plan.
        move: 0 if the second sentence stays after the first; else 1 + the token that it precedes.
        operations: of shape (n + m,).
        phrases: of shape (n + m + 1,).
    """

    plan: int
    move: int
    operations: IntArray
    phrases: IntArray


class Codec:
    """Turns rows into integers.

    Args:
        pieces: cuts a word into the numbers of its pieces, at least one.
        opening, separator: the numbers of [CLS] and [SEP].
        longest: the most pieces that the encoder reads.
    """

    def __init__(
        self, pieces: Callable[[str], Sequence[int]], *, opening: int, separator: int, longest: int = 512
    ) -> None:
        self._pieces, self._opening, self._separator, self.longest = pieces, opening, separator, longest

    def encode(self, first: Sequence[str], second: Sequence[str]) -> Encoded:
        """Returns two sentences as integers.

        Raises:
            TooLongError: they have too many pieces.
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
    """Returns the numbers of a plan and edits that the labels cover.

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
    """Returns the code of each word, below CODES: capitals, repetition, common beginning."""
    small = [w.lower() for w in first], [w.lower() for w in second]
    shared = 0
    while shared < min(len(first), len(second)) and small[0][shared] == small[1][shared]:
        shared += 1
    codes: list[list[int]] = []
    for words, repeated in ((first, _repeated(*small)), (second, _repeated(*small[::-1]))):
        codes.append([(_capitals(word) * _REPEATED + repeated[i]) * 2 + (i < shared) for i, word in enumerate(words)])
    return codes[0], codes[1]


def _repeated(own: Sequence[str], other: Sequence[str]) -> list[int]:
    """Of each word: how long a run of words it is in that the other sentence has too, 0 to 3 (or more)."""
    found = [0] * len(own)
    for size in range(1, _REPEATED):
        grams = {tuple(other[j : j + size]) for j in range(len(other) - size + 1)}
        for i in range(len(own) - size + 1):
            if tuple(own[i : i + size]) in grams:
                found[i : i + size] = [size] * size
    return found


def _capitals(word: str) -> int:
    """0: none; 1: the first letter; 2: all letters; 3: others."""
    if word == word.lower():
        return 0
    if len(word) > 1 and word == word.upper():
        return 2
    return 1 if word[1:] == word[1:].lower() else 3


FloatArray = npt.NDArray[np.float32]

# Of each array: the name of the size of each axis. A linear map is (outputs, inputs), as in a checkpoint.
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
    """The heads of a tagger.

    Args:
        labels: what the outputs stand for.
        arrays: by name, as in SHAPES, floating; other names are ignored.
        prior: what is added to the score of a plan, by its name, see ``decode.py``; None for 0 everywhere.

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
            states: of [CLS], each token and the end, of shape (n + m + 2, width).
            n: the number of tokens of the first sentence.
        """
        means = states[1 : n + 1].mean(axis=0), states[n + 1 : -1].mean(axis=0)
        hidden = _gelu(self._linear(np.concatenate([states[0], *means]), "plan.hidden"))
        return _log_softmax(self._linear(hidden, "plan.score") + self._prior)

    def moves(self, states: FloatArray, n: int, plan: int) -> FloatArray:
        """Returns the log probabilities of the moves, of shape (n + 1,): none, then before each token of the first."""
        hidden = self._linear(states[: n + 1], "move.hidden") + self._arrays["move.plan.weight"][plan]
        return _log_softmax(_gelu(hidden) @ self._arrays["move.score.weight"][0])

    def tags(self, states: FloatArray, plan: int, moved: bool) -> tuple[FloatArray, FloatArray]:
        """Returns log probabilities: of operations, of shape (n + m, operations); of phrases, (n + m + 1, phrases)."""
        hidden = self._linear(states[1:], "word.hidden")
        hidden += self._arrays["word.plan.weight"][plan] + self._arrays["word.moved.weight"][int(moved)]
        hidden = _gelu(hidden)
        return (_log_softmax(self._linear(hidden[:-1], "operation")), _log_softmax(self._linear(hidden, "phrase")))

    def _linear(self, x: FloatArray, name: str) -> FloatArray:
        found: FloatArray = x @ self._arrays[f"{name}.weight"].T + self._arrays[f"{name}.bias"]
        return found


def check_shapes(labels: Labels, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Compares the arrays of heads with the labels and with each other.

    Raises:
        LabelsError: one is missing or has another shape than it should.
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
