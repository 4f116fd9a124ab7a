"""The batches of a training in several processes: together they are those of the file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gistmill.training.data.config import DataConfig
from gistmill.training.errors import SettingsError


def divided(settings: Mapping[str, Any], processes: int) -> dict[str, Any]:
    """Returns settings with which an update has as many rows or tokens in ``processes`` as the given ones have in one.

    First the batches of an update are shared (``accumulate``), so that a batch keeps its size. What is left divides
    the size of a batch.

    Args:
        settings: of `gistmill-train fit`, whose values are known to be right.
        processes: that share each update.

    Raises:
        SettingsError: they cannot share it evenly.
    """
    if processes == 1:
        return dict(settings)
    if settings.get("stages"):
        raise SettingsError("settings with `stages` of their own are trained by one process: --processes 1")
    batches, sizes = _update(settings)
    shared = math.gcd(batches, processes)
    left = processes // shared
    if any(size % left for size in sizes.values()):
        raise SettingsError(
            f"{processes} processes cannot share {_text(batches, sizes)} evenly; take fewer --processes, or change the "
            "batches by --settings"
        )
    return {**settings, **{name: size // left for name, size in sizes.items()}, "accumulate": batches // shared}


def shares(settings: Mapping[str, Any], processes: int) -> str:
    """Returns in words what each of several processes has of an update, for settings that ``divided`` returned."""
    return f"{processes} processes, of which each has {_text(*_update(settings))} in an update"


def _update(settings: Mapping[str, Any]) -> tuple[int, dict[str, int]]:
    """Returns how many batches an update has, and what a batch holds, by the names of options."""
    given = {name: settings.get(name) for name in ("batch_rows", "batch_tokens")}
    batching = DataConfig.from_values({"datasets": ["any"], **given}).batching
    sizes = {"batch_rows": batching.rows, "batch_tokens": batching.tokens}
    return int(settings.get("accumulate") or 1), {name: size for name, size in sizes.items() if size is not None}


def _text(batches: int, sizes: Mapping[str, int]) -> str:
    units = [
        (f"{size:,}", name.removeprefix("batch_").removesuffix("s"), "s" * (size > 1)) for name, size in sizes.items()
    ]
    size = " and ".join(f"{number} {unit}{plural}" for number, unit, plural in units)
    return f"a batch of {size}" if batches == 1 else f"{batches:,} batches of {size}"
