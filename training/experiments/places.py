"""Where the cells of an experiment run: each on GPUs of its own."""

from __future__ import annotations

import os
from collections.abc import Sequence

from gistmill.training.experiments.pool import Place

_VISIBLE = "CUDA_VISIBLE_DEVICES"


def visible_gpus() -> list[str]:
    """Returns the names of the GPUs that may be used, as CUDA_VISIBLE_DEVICES has them; none on a processor."""
    import torch

    named = [name for name in os.environ.get(_VISIBLE, "").split(",") if name]
    count = torch.cuda.device_count()
    return named[:count] or list(map(str, range(count)))


def places_of_cells(gpus: Sequence[str], *, parallel: int | None, processes: int) -> list[Place]:
    """Returns the places of the cells that run at the same time.

    Args:
        gpus: see visible_gpus.
        parallel: how many cells; None: as many as the GPUs are enough for. If they are more, some share GPUs.
        processes: of each training, which has as many GPUs.
    """
    if not gpus:
        return [{}] * (parallel or 1)
    starts = range(0, len(gpus) - processes + 1, processes)
    shares = [gpus[start : start + processes] for start in starts] or [gpus]  # too few: the training says so itself
    return [{_VISIBLE: ",".join(shares[n % len(shares)])} for n in range(parallel or len(shares))]
