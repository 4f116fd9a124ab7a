"""Encoded rows as tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from gistmill.rules.fusion.codec import Encoded, Target
from gistmill.training.tagger.network import IGNORED


def inputs(rows: Sequence[Encoded]) -> dict[str, torch.Tensor]:
    """Returns what the encoder and the heads read, padded: see Encoder.forward and TorchHeads."""
    pieces = max(len(row.ids) for row in rows)
    places = max(len(row.places) for row in rows)
    batch = {name: _padded([getattr(row, name) for row in rows], pieces, 0) for name in ("ids", "types", "codes")}
    batch["mask"] = _padded([np.ones(len(row.ids), bool) for row in rows], pieces, False)
    batch["places"] = _padded([row.places for row in rows], places, 0)
    at = torch.arange(places)
    n, m = (torch.tensor([[getattr(row, name)] for row in rows]) for name in ("n", "m"))
    batch["first"], batch["second"] = (at > 0) & (at <= n), (at > n) & (at <= n + m)
    return batch


def targets(rows: Sequence[Target], places: int) -> dict[str, torch.Tensor]:
    """Returns the labels, padded; ``places`` as in the inputs."""
    return {
        "plan": torch.tensor([row.plan for row in rows]),
        "move": torch.tensor([row.move for row in rows]),
        "operations": _padded([row.operations for row in rows], places - 1, IGNORED),
        "phrases": _padded([row.phrases for row in rows], places - 1, IGNORED),
    }


def _padded(arrays: Sequence[np.ndarray], size: int, value: int | bool) -> torch.Tensor:
    out = np.full((len(arrays), size), value, bool if isinstance(value, bool) else np.int64)
    for row, array in zip(out, arrays, strict=True):
        row[: len(array)] = array
    return torch.from_numpy(out)
