"""The heads of the tagger in numpy: from the encoder's states of a row to the log probabilities of its labels.

P(fusion) = P(plan) * P(move | plan) * product over tokens P(operation | plan, moved) * product over places
P(phrase | plan, moved). The heads share the states; the plan and whether something moves are added as vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.fusion.labels import Labels, LabelsError

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
        prior: what is added to the score of a plan, by its name, see ``prior.py``; None for 0 everywhere.

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
    sizes = {
        "one": 1,
        "two": 2,
        "plans": len(labels.plans),
        "operations": len(labels.operations),
        "phrases": len(labels.phrases),
    }
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
