"""DiscoFuse rows as training examples and batches for the tagger."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files

import numpy as np
import torch
from typing_extensions import override

from gistmill.core.hashing import unit_interval
from gistmill.rules.fusion.alignment import align
from gistmill.rules.fusion.codec import NONE, Codec, Encoded, Labels, TooLongError, plan_of, target
from gistmill.rules.fusion.edits import Edits, EditsError, from_column
from gistmill.rules.fusion.texts import respelled
from gistmill.training.data.encoded import Encode
from gistmill.training.errors import TrainingError
from gistmill.training.tagger.network import IGNORED
from gistmill.training.task import Row, Rows

FIRST, SECOND, TYPE, EDITS = "incoherent_first_sentence", "incoherent_second_sentence", "discourse_type", "edits"
TARGETS = ("coherent_first_sentence", "coherent_second_sentence")


@dataclass(frozen=True, slots=True)
class Example:
    """A row to train on: its plan, tokens and edits."""

    plan: str
    first: list[str]
    second: list[str]
    edits: Edits


def sentences(row: Row) -> tuple[list[str], list[str]]:
    """Returns the tokens of a row's two sentences.

    Raises:
        TrainingError: a sentence is missing or empty.
    """
    first, second = (str(row.get(name) or "").split() for name in (FIRST, SECOND))
    if not first or not second:
        raise TrainingError(f"row {row.get('id', '?')}: a sentence is missing or empty; a tagger needs two")
    return first, second


def is_used(row: Row, unchanged: float) -> bool:
    """Returns whether to train on a row; ``unchanged`` is the share of PAIR_NONE rows to use, selected by a hash.

    Raises:
        TrainingError: the row is not from a DiscoFuse dataset.
    """
    if TYPE not in row:
        raise TrainingError(f"row {row.get('id', '?')}: no {TYPE}; a tagger needs rows from a DiscoFuse dataset")
    if row[TYPE] != NONE or unchanged >= 1:
        return True
    return unit_interval("unchanged", f"{row[FIRST]}\t{row[SECOND]}") < unchanged


def example(row: Row, *, known_edits: bool) -> Example | None:
    """Returns a row with its edits, or None if no edits produce its target.

    Args:
        row: a row with the sentences, the type and, with ``known_edits``, the edits.
        known_edits: whether to read the edits from the row instead of finding them by alignment.

    Raises:
        TrainingError: the row's edits cannot be read.
    """
    first, second = sentences(row)
    plan = plan_of(row[TYPE])
    if known_edits:
        try:
            own = from_column(row[EDITS], len(first), len(second))
        except (EditsError, TypeError) as error:
            raise TrainingError(f"row {row.get('id', '?')}: {error}") from None
        # edits may insert typographic punctuation from the natural text, but the tokens contain none
        marked = not "".join(row[EDITS]).isascii()
        return Example(plan, first, second, respelled(first, second, own, _target(row)) if marked else own)
    edits = align(first, second, _target(row))
    return None if edits is None else Example(plan, first, second, edits)


def _target(row: Row) -> list[str]:
    return " ".join(str(row[name] or "") for name in TARGETS).split()


def examples(rows: Rows, *, unchanged: float, known_edits: bool) -> Iterator[Example]:
    """Yields the rows to train on, with their edits. Raises the same errors as ``example``."""
    for row in rows():
        if is_used(row, unchanged) and (found := example(row, known_edits=known_edits)) is not None:
            yield found


IDS, LENGTH = "_ids", "_length"
_ENCODED, _TARGET = ("ids", "types", "codes", "places", "n", "m"), ("plan", "move", "operations", "phrases")


class Encoding(Encode):
    """An encoder of rows as the numbers of word pieces and labels. See gistmill.training.data.encoded.Encode.

    Rows that are not used for training get no word pieces.

    Args:
        codec: makes the word pieces.
        labels: the labels to choose from.
        fingerprint: fingerprint of the codec and the labels.
        unchanged: see TaggerConfig.
        known_edits: see ``example``.
    """

    lists = (IDS, "_types", "_codes", "_places", "_operations", "_phrases")
    numbers = (LENGTH, "_n", "_m", "_plan", "_move")

    def __init__(self, codec: Codec, labels: Labels, fingerprint: str, unchanged: float, *, known_edits: bool) -> None:
        self._codec, self._labels, self._fingerprint = codec, labels, fingerprint
        self._unchanged, self._known_edits = unchanged, known_edits

    @property
    @override
    def key(self) -> str:
        decides = [self._fingerprint, self._codec.longest, self._unchanged, self._known_edits]
        return json.dumps(["tagger", *decides, _code(), version("tokenizers")])

    @override
    def __call__(self, row: Row) -> Mapping[str, Sequence[int] | int]:
        """Returns a row's numbers. Raises TrainingError if it is not a DiscoFuse row or its edits are invalid."""
        found = example(row, known_edits=self._known_edits) if is_used(row, self._unchanged) else None
        if found is not None and self._labels.covers(found.edits) and found.plan in self._labels.plans:
            try:
                encoded = self._codec.encode(found.first, found.second)
            except TooLongError:
                pass
            else:
                labels = target(self._labels, found.plan, found.edits)
                return {
                    LENGTH: len(encoded.ids),
                    **{f"_{name}": getattr(encoded, name) for name in _ENCODED},
                    **{f"_{name}": getattr(labels, name) for name in _TARGET},
                }
        words = len(f"{row[FIRST]} {row[SECOND]}".split())
        return {**{name: [] for name in self.lists}, **dict.fromkeys(self.numbers, 0), LENGTH: words}


@cache
def _code() -> str:
    """Returns a SHA-256 of the modules that produce the edits and their numbers."""
    digest = hashlib.sha256()
    for package in ("gistmill.rules.fusion", "gistmill.training.tagger"):
        for module in sorted(files(package).iterdir(), key=lambda file: file.name):
            if module.name.endswith(".py"):
                digest.update(module.read_bytes())
    return digest.hexdigest()


def batch_of(rows: Sequence[Row]) -> dict[str, torch.Tensor]:
    """Returns encoded rows as ``inputs``, with their padded labels and the total number of word pieces."""
    batch = inputs([Encoded(**{name: row[f"_{name}"] for name in _ENCODED}) for row in rows])
    words = batch["places"].shape[1] - 1
    return {
        **batch,
        **{name: torch.tensor([row[f"_{name}"] for row in rows]) for name in ("plan", "move")},
        **{name: _padded([row[f"_{name}"] for row in rows], words, IGNORED) for name in ("operations", "phrases")},
        "tokens": batch["mask"].sum(),
    }


def inputs(rows: Sequence[Encoded]) -> dict[str, torch.Tensor]:
    """Returns the padded inputs of the encoder and the heads. See Encoder.forward and TorchHeads."""
    pieces = max(len(row.ids) for row in rows)
    places = max(len(row.places) for row in rows)
    batch = {name: _padded([getattr(row, name) for row in rows], pieces, 0) for name in ("ids", "types", "codes")}
    batch["mask"] = _padded([np.ones(len(row.ids), bool) for row in rows], pieces, False)
    batch["places"] = _padded([row.places for row in rows], places, 0)
    at = torch.arange(places)
    n, m = (torch.tensor([[getattr(row, name)] for row in rows]) for name in ("n", "m"))
    batch["first"], batch["second"] = (at > 0) & (at <= n), (at > n) & (at <= n + m)
    return batch


def _padded(arrays: Sequence[np.ndarray], size: int, value: int | bool) -> torch.Tensor:
    out = np.full((len(arrays), size), value, bool if isinstance(value, bool) else np.int64)
    for row, array in zip(out, arrays, strict=True):
        row[: len(array)] = array
    return torch.from_numpy(out)
