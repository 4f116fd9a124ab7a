"""The folders of runs that have ended without removing them, among those that others have put beside them."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.pipelines.workspaces.errors import BusyError
from gistmill.pipelines.workspaces.names import prefix_of
from gistmill.pipelines.workspaces.own import open_own
from gistmill.published.files import take
from gistmill.transforms.layout import LOCK


@dataclass(slots=True)
class DeadRun:
    """The folder of a run that has ended; ``handle`` holds its lock."""

    folder: Path
    handle: int


def find_dead(place: Path, beside: Path, work: Path) -> tuple[list[DeadRun], str]:
    """Looks for what dead runs of an output have left.

    Returns:
        Their folders, locked; and a note on folders of such names that are not this user's alone, or "".

    Raises:
        BusyError: one of the runs lives.
    """
    dead: list[DeadRun] = []
    note = ""
    try:
        for parent in dict.fromkeys((beside, work)):
            strange = 0
            named = (p for p in parent.iterdir() if p.name.startswith(prefix_of(place.name)) and os.path.isdir(p))
            for folder in sorted(named):
                with suppress(FileNotFoundError):  # it may be gone meanwhile
                    inside = open_own(folder)
                    if inside is None:
                        strange += 1
                    # beside the output the name says whose it is; in a shared folder only what says so is ours
                    elif (handle := _taken(inside, place, unsaid=parent == beside)) is not None:
                        dead.append(DeadRun(folder, handle))
            if strange:
                note += f"; left alone in {parent}: {strange:,} that this user does not own alone (mode 0700)"
    except BaseException:
        for left in dead:
            os.close(left.handle)
        raise
    return dead, note


def _taken(folder: int, place: Path, *, unsaid: bool) -> int | None:
    """Closes a folder; returns what holds its lock, None when it is another output's. ``unsaid``: whether one that does
    not say so is this output's."""
    try:
        owner = _owner(folder)
        if owner.get("output", str(place) if unsaid else None) != str(place):
            return None
        handle = take(LOCK, within=folder)
        if handle is None:
            raise BusyError(
                f"another run is writing to {place} (process {owner.get('pid', 'unknown')}, "
                f"since {owner.get('started', 'unknown')}); wait for it or stop it"
            )
        return handle
    finally:
        os.close(folder)


def _owner(folder: int) -> dict[str, Any]:
    """What a run has said of itself in the folder of this descriptor."""
    try:
        with open(os.open(LOCK, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder), "rb") as file:
            found = json.loads(file.read())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
