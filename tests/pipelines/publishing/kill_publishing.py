"""Publishes again and again over a dataset and kills the publisher at every file operation in turn.

A program of its own (``python -m tests.pipelines.publishing.kill_publishing FOLDER``), because it forks: each publisher is
a child that counts its file operations by Python's audit events and ends itself by SIGKILL before the chosen one.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from gistmill.pipelines.publication import Publication, publish
from tests.pipelines.publishing.made import INFO, build, check_whole, finish_pipeline, locked
from tests.transforms.sinks.made import SCHEMA

EVENTS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "ctypes.dlsym"}
OLD, NEW = 20, 30


def die_before(number: int) -> None:
    left = [number]

    def count(event: str, _: tuple) -> None:
        if event in EVENTS:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def attempt(folder: Path, number: int) -> bool:
    """Puts the old dataset there, kills a publisher of the new one; returns whether it was killed."""
    if check_whole(folder)["counts"]["documents"]["read"] != OLD:
        build(folder, documents=OLD, overwrite=True, formats=("parquet",), shards=1)
    child = os.fork()
    if not child:
        place = locked(folder)
        finish_pipeline(place.root, documents=NEW, formats=("parquet",), shards=1)
        die_before(number)
        publish(place, Publication(schema=SCHEMA, formats=("parquet",), run=INFO, overwrite=True))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def main() -> None:
    folder = Path(sys.argv[1])
    # both pipelines run before the first fork
    build(folder, documents=NEW, overwrite=True, formats=("parquet",), shards=1)
    found: list[int] = []
    while attempt(folder, len(found)):
        found.append(check_whole(folder)["counts"]["documents"]["read"])
    assert check_whole(folder)["counts"]["documents"]["read"] == NEW
    locked(folder).drop()
    print(found.count(OLD), found.count(NEW), *sorted(p.name for p in folder.parent.iterdir()))


if __name__ == "__main__":
    main()
