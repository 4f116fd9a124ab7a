"""Command lines that a user gets wrong: one line says what, nothing is begun, and nothing is left behind."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.slice import slice_path
from tests.commands import COMMAND, gistmill, succeed

_JSONL = ("--source", "jsonl", "--text-field", "text")


def environment(cwd: Path) -> dict[str, str]:
    """The environment of a command that is not started in the root of the project."""
    root = str(Path(__file__).parents[2])
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONPATH": root, "XDG_CACHE_HOME": str(cwd / "cache")}


def check_refused(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    """Asserts that one line on standard error says why, and the exit code is that of a wrong command line."""
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1 and all(part in done.stderr for part in parts), done.stderr


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("--runner", "Foo"), ("--runner Foo", "FlinkRunner")),
        (("--num_workers", "x"), ("--num_workers", "invalid int value: 'x'")),
        (("--direct_running_mode", "foo"), ("--direct_running_mode", "invalid choice")),
        (("--config", ""), ("--config: no file is named",)),
        (("--splits", "1e308,1e308,1"), ("splits", "98,1,1")),
        (("--workers", "99999999"), ("--workers", "1 to 1024")),
        (("--output", "ftp://host/place"), ("--output ftp://host/place", "gs:// or s3://")),
        (("--output", "x" * 300), ("File name too long",)),
        (("--input", "http://host/dump"), ("--input http://host/dump", "gs:// or s3://")),
        (("--input", "folder"), ("'folder' is a folder", "'folder/*'")),
        (("--input", "/dev/zero"), ("'/dev/zero' is not a regular file",)),
        (("--source", "annotated", "--input", "lines.tsv"), ("lines.tsv is not a Parquet file",)),
    ],
    ids=lambda value: "-".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_a_wrong_command_line_begins_nothing(arguments, parts, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "lines.tsv").write_text("a\tb\n", encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    given = {"--input": str(slice_path()), "--output": "out", "--limit": "5"}
    given |= dict(zip(arguments[::2], arguments[1::2], strict=True))
    check_refused(gistmill("lead-bias", *(a for pair in given.items() for a in pair), cwd=tmp_path), *parts)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("job", "name", "arguments"),
    [
        ("lead-bias", "dump.xml", ()),
        ("lead-bias", "crawl.warc", ("--source", "warc")),
        ("gap-sentences", "texts.jsonl", _JSONL),
        ("augment", "pairs.tsv", ()),
    ],
)
def test_an_input_without_permission(job, name, arguments, tmp_path):
    secret = tmp_path / name
    secret.write_text("secret", encoding="utf-8")
    secret.chmod(0)
    done = gistmill(job, "--input", name, "--output", "out", *arguments, cwd=tmp_path, obedient=True)
    check_refused(done, f"{name}: Permission denied")
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A dataset, to be copied."""
    place = tmp_path_factory.mktemp("refusals") / "made"
    succeed("synthetic", "--tasks", "sr", "--documents", 20, "--output", place)
    return place


@pytest.mark.slow
def test_a_dataset_that_may_not_be_replaced_is_seen_before_the_work(made, tmp_path):
    shutil.copytree(made, tmp_path / "old")
    (tmp_path / "old").chmod(0o555)
    try:
        done = gistmill("synthetic", "--documents", 20, "--output", "old", "--overwrite", cwd=tmp_path, obedient=True)
    finally:
        (tmp_path / "old").chmod(0o755)
    assert done.returncode == 1 and "no permission to write in it" in done.stderr and done.stderr.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["old"]


@pytest.mark.slow
def test_explore_looks_for_its_input(made, tmp_path):
    shutil.copytree(made, tmp_path / "old")
    for arguments in (("--input", "nofile"), ("--export", "page", "--input", "old")):
        check_refused(gistmill("explore", "old", *arguments, cwd=tmp_path), "--input")


@pytest.mark.slow
@pytest.mark.waits
def test_a_page_that_is_served_leaves_nothing_when_it_is_ended(made, tmp_path):
    shutil.copytree(made, tmp_path / "data")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    served = subprocess.Popen(
        [sys.executable, "-m", "gistmill", "explore", "data", "--port", "0"],
        cwd=tmp_path,
        env={**environment(tmp_path), "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with served:
        assert served.stdout is not None and "http://" in served.stdout.readline()
        served.send_signal(signal.SIGTERM)
        assert served.wait(240) == 0
    assert list(scratch.iterdir()) == []


@pytest.mark.slow
def test_what_may_not_be_read_is_not_called_missing(made, tmp_path):
    shutil.copytree(made, tmp_path / "data")
    (part,) = (tmp_path / "data" / "sr" / "parquet").glob("train-*")
    part.chmod(0)
    done = gistmill("validate", "data", cwd=tmp_path, obedient=True)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1) and "cannot be read: Permission denied" in done.stderr
    part.parent.chmod(0)
    try:
        check_refused(
            gistmill("validate", "data", cwd=tmp_path, obedient=True), "data cannot be read", "Permission denied"
        )
    finally:
        part.parent.chmod(0o755)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_what_was_published_is_said_even_if_standard_output_is_full(tmp_path):
    command = [*COMMAND, "synthetic", "--tasks", "sr", "--documents", "20", "--output", "out", "--quiet"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment(tmp_path), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 0 and "20 documents" in done.stderr and done.stderr.count("\n") == 1
    succeed("validate", tmp_path / "out")
