"""Chooses the unfinished run that ``--resume`` continues, wherever its workspace lies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from gistmill.pipelines.workspaces.errors import ResumeError
from gistmill.transforms.sinks.spills import finished_ranges

_SHOWN = 3  # differences in a message


def choose(
    roots: Iterable[str], fingerprint: Any, *, read_fingerprint: Callable[[str], Any], where: str
) -> tuple[str | None, str]:
    """Returns the first workspace of an equal fingerprint, None when there are no workspaces, and a line for the user.

    Args:
        roots: workspaces of dead runs that hold something to continue, the newest first.
        fingerprint: what this run is: configuration, inputs, versions, as JSON values.
        read_fingerprint: returns the fingerprint of a workspace.
        where: what had been looked for, for the line: "for /data/corpus".

    Raises:
        ResumeError: there are workspaces, all of other fingerprints; the text says what differs in the newest.
    """
    refusal = ""
    for root in roots:
        found = differences(read_fingerprint(root), fingerprint)
        if not found:
            return root, f"resuming {root}: {len(finished_ranges(root))} ranges are finished"
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        refusal = refusal or f"cannot resume {root}: {'; '.join(found[:_SHOWN])}{more}"
    if refusal:
        raise ResumeError(f"{refusal}; without --resume the job starts again and removes it")
    return None, f"nothing to resume {where}; starting from the beginning"


def differences(before: Any, now: Any, name: str = "") -> list[str]:
    """Returns what differs between two JSON values, one line each."""
    if isinstance(before, dict) and isinstance(now, dict):
        keys = sorted(before.keys() | now.keys())
        return [line for k in keys for line in differences(before.get(k), now.get(k), f"{name}.{k}" if name else k)]
    return [] if before == now else [f"{name} was {json.dumps(before)} and is {json.dumps(now)} now"]


def kept_line(root: str) -> str:
    """Returns the line that says what a run which failed has left."""
    return f"{len(finished_ranges(root))} finished ranges are kept in {root}; --resume continues from there"
