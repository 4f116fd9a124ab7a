"""Runs commands: in this process, which is quick, or as a user does, in a process of its own."""

from __future__ import annotations

import contextlib
import ctypes
import gzip
import io
import json
import multiprocessing
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import psutil

# For tests that send signals, need a terminal, or look at what happens when a process starts.
COMMAND = (sys.executable, "-m", "gistmill")

# To import Beam and spaCy takes longer than most commands do, so it is done once: each command is a fork of a process
# that has done nothing else. What that process imports first settles the arithmetic, as in the command.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["gistmill.pipelines.cli", "gistmill.pipelines.api"])


def gistmill(
    *arguments: object, timeout: float = 600, cwd: Path | None = None, obedient: bool = False
) -> subprocess.CompletedProcess[str]:
    """Runs ``gistmill ARGUMENTS`` to its end; with ``obedient`` so that the modes of files hold for root too."""
    command = [*COMMAND, *map(str, arguments)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        streams = [f"/proc/{os.getpid()}/fd/{file.fileno()}" for file in (out, err)]
        process = FORKS.Process(target=_run, args=(command[3:], streams, dict(os.environ), cwd or Path.cwd(), obedient))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(command, timeout)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(command, process.exitcode, out.read(), err.read())


def obey_modes() -> None:
    """Gives up, for this process, what lets root read and write against the modes of files."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # the third version of the structure, of the process itself
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the same of the capabilities from 32 on
    if libc.capget(header, sets):
        raise OSError(ctypes.get_errno(), "capget")
    for i in range(3):
        sets[i] &= ~(1 << 1 | 1 << 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")


def _run(arguments: list[str], streams: list[str], environment: Mapping[str, str], cwd: Path, obedient: bool) -> None:
    for number, stream in enumerate(streams, start=1):
        os.dup2(os.open(stream, os.O_WRONLY | os.O_APPEND), number)
    os.chdir(cwd)
    if obedient:
        obey_modes()
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    sys.argv = ["gistmill", *arguments]
    from gistmill.pipelines import cli
    from gistmill.pipelines.runners.quiet import mute_imports
    from gistmill.transforms.arithmetic import settle_arithmetic

    settle_arithmetic()  # as on import of the command line: these set variables
    mute_imports()
    cli.run()


def succeed(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    """The same, and it must end well."""
    done = gistmill(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done


def call(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs ``gistmill ARGUMENTS`` in this process, where models stay loaded. A text is split into words, as by a shell:
    ``call("mix --weights 1,1 --input", folder)``."""
    from gistmill.pipelines import cli

    words = _words(arguments)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(cwd or Path.cwd()):
        try:
            code = cli.main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return subprocess.CompletedProcess(["gistmill", *words], code, out.getvalue(), err.getvalue())


def _words(arguments: Iterable[object]) -> list[str]:
    return [w for a in arguments for w in (shlex.split(a) if isinstance(a, str) else [str(a)])]


def make(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The same, and it must end well."""
    done = call(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done


def refusal(*arguments: object, code: int = 2, cwd: Path | None = None) -> str:
    """The one line with which such a command ends, in this process."""
    done = call(*arguments, cwd=cwd)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1), done
    return done.stderr


def killed(*arguments: object, when: Callable[[], object], seconds: float = 300, cwd: Path | None = None) -> None:
    """Runs ``gistmill ARGUMENTS`` as a user does, until something holds, and then kills it and all that it started."""
    command = [*COMMAND, *_words(arguments)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd) as process:
        until = time.monotonic() + seconds
        while not when():
            assert time.monotonic() < until and process.poll() is None, f"exit code {process.poll()}"
            time.sleep(0.002)
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    psutil.wait_procs(children, timeout=30)


def rows(folder: Path, config: str = "default", split: str = "") -> list[dict]:
    """The rows of a dataset's configuration, or of one split of it, in the order of the shards."""
    import pyarrow.parquet as pq

    files = sorted((Path(folder) / config / "parquet").glob(f"{split or '*'}-*"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def rejects(folder: Path) -> list[dict]:
    """What a dataset's job has rejected."""
    packed = [file.read_bytes() for file in sorted((folder / "rejects").iterdir())]
    return [json.loads(line) for part in packed for line in gzip.decompress(part).splitlines()]


def write_jsonl(path: Path, values: Iterable[object]) -> Path:
    """Writes JSON Lines; returns the path."""
    path.write_text("".join(json.dumps(v, ensure_ascii=False) + "\n" for v in values), encoding="utf-8")
    return path


def manifest(folder: Path) -> dict:
    """A dataset's manifest."""
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def stats(folder: Path) -> dict:
    """A dataset's statistics."""
    return json.loads((folder / "stats.json").read_text(encoding="utf-8"))


def data_checksums(folder: Path) -> dict[str, str]:
    """SHA-256 of every Parquet and TFRecord file, as the manifest has them, by path."""
    return {f["path"]: f["sha256"] for f in manifest(folder)["files"] if f.get("format") in ("parquet", "tfrecord")}


def leftovers(folder: Path) -> list[str]:
    """Workspaces that runs left in ``folder``."""
    return sorted(p.name for p in folder.iterdir() if ".gistmill-" in p.name)
