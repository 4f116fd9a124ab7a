"""Rows of a DiscoFuse dataset as the numbers that a tagger learns from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from gistmill.rules.fusion.codec import Codec, Encoded, Target, TooLongError, target
from gistmill.rules.fusion.labels import Labels
from gistmill.training.tagger.rows import FIRST, SECOND, example, is_used
from gistmill.training.task import Row

IDS, LENGTH = "_ids", "_length"
_INPUTS, _LABELS = ("types", "codes", "places"), ("operations", "phrases")


class Encoding:
    """Turns a row into the numbers of its word pieces and labels. See gistmill.training.data.encoded.Encode.

    A row that is not trained on has no pieces.

    Args:
        codec: makes the pieces.
        labels: what is chosen from.
        fingerprint: of both.
        unchanged: see TaggerConfig.
        known_edits: see rows.example.
    """

    lists = (IDS, *(f"_{name}" for name in (*_INPUTS, *_LABELS)))
    numbers = (LENGTH, "_n", "_m", "_plan", "_move")

    def __init__(self, codec: Codec, labels: Labels, fingerprint: str, unchanged: float, *, known_edits: bool) -> None:
        self._codec, self._labels, self._fingerprint = codec, labels, fingerprint
        self._unchanged, self._known_edits = unchanged, known_edits

    @property
    def key(self) -> str:
        """See Encode."""
        decides = [self._fingerprint, self._codec.longest, self._unchanged, self._known_edits]
        return json.dumps(["tagger", *decides, _code(), version("tokenizers")])

    def __call__(self, row: Row) -> Mapping[str, Sequence[int] | int]:
        """See Encode. Raises TrainingError: the row is not of a DiscoFuse dataset, or its edits cannot be read."""
        found = self._found(row)
        if found is None:
            nothing: dict[str, Sequence[int] | int] = {name: [] for name in self.lists}
            words = len(f"{row[FIRST]} {row[SECOND]}".split())
            return nothing | dict.fromkeys(self.numbers, 0) | {LENGTH: words}
        encoded, labels = found
        return {
            LENGTH: len(encoded.ids),
            **{f"_{name}": getattr(encoded, name) for name in ("ids", *_INPUTS, "n", "m")},
            **{f"_{name}": getattr(labels, name) for name in ("plan", "move", *_LABELS)},
        }

    def _found(self, row: Row) -> tuple[Encoded, Target] | None:
        if not is_used(row, self._unchanged):
            return None
        found = example(row, known_edits=self._known_edits)
        if found is None or not self._labels.covers(found.edits) or found.plan not in self._labels.plans:
            return None
        try:
            return self._codec.encode(found.first, found.second), target(self._labels, found.plan, found.edits)
        except TooLongError:
            return None


@cache
def _code() -> str:
    """The SHA-256 of the modules that make edits and their numbers."""
    digest = hashlib.sha256()
    for package in ("gistmill.rules.fusion", "gistmill.training.tagger"):
        for module in sorted(files(package).iterdir(), key=lambda file: file.name):
            if module.name.endswith(".py"):
                digest.update(module.read_bytes())
    return digest.hexdigest()


def encoded_of(row: Row) -> Encoded:
    """Returns the sentences of an encoded row."""
    return Encoded(**{name: row[f"_{name}"] for name in ("ids", *_INPUTS, "n", "m")})


def target_of(row: Row) -> Target:
    """Returns the labels of an encoded row."""
    return Target(**{name: row[f"_{name}"] for name in ("plan", "move", *_LABELS)})
