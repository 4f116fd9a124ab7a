"""Runs the command as a user does: its ``run`` on its arguments, in a process of its own."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

# For tests that send signals, need a terminal, or look at what happens when a process starts.
COMMAND = (sys.executable, "-m", "gistmill")

# To import Beam and spaCy takes longer than most commands do, so it is done once: each command is a fork of a process
# that has done nothing else. What that process imports first settles the arithmetic, as in the command.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["gistmill.pipelines.cli", "gistmill.pipelines.commands"])


def gistmill(*arguments: object, timeout: float = 600, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs ``gistmill ARGUMENTS`` to its end."""
    command = [*COMMAND, *map(str, arguments)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        streams = [f"/proc/{os.getpid()}/fd/{file.fileno()}" for file in (out, err)]
        process = FORKS.Process(target=_run, args=(command[3:], streams, dict(os.environ), cwd or Path.cwd()))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(command, timeout)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(command, process.exitcode, out.read(), err.read())


def _run(arguments: list[str], streams: list[str], environment: Mapping[str, str], cwd: Path) -> None:
    for number, stream in enumerate(streams, start=1):
        os.dup2(os.open(stream, os.O_WRONLY | os.O_APPEND), number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    sys.argv = ["gistmill", *arguments]
    from gistmill.pipelines import cli

    cli.settle_arithmetic()  # as on its import: these set variables
    cli.mute_imports()
    cli.run()


def succeed(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    """The same, and it must end well."""
    done = gistmill(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done


def manifest(folder: Path) -> dict:
    """A dataset's manifest."""
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def data_checksums(folder: Path) -> dict[str, str]:
    """SHA-256 of every Parquet and TFRecord file, as the manifest has them, by path."""
    return {f["path"]: f["sha256"] for f in manifest(folder)["files"] if f.get("format") in ("parquet", "tfrecord")}


def leftovers(folder: Path) -> list[str]:
    """Workspaces that runs left in ``folder``."""
    return sorted(p.name for p in folder.iterdir() if ".gistmill-" in p.name)
