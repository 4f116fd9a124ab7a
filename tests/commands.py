"""Runs the installed command as a user does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

COMMAND = (sys.executable, "-m", "pipelines")


def gistmill(*arguments: object, timeout: float = 600, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs ``gistmill ARGUMENTS`` to its end."""
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, cwd=cwd)


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
