"""Command lines that a user gets wrong: one line says what, nothing is begun, and nothing is left behind."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.slice import slice_path
from tests.cases import by_heading
from tests.commands import COMMAND, gistmill, make, refusal

CASES = by_heading(__file__)


def environment(cwd: Path) -> dict[str, str]:
    """The environment of a command that is not started in the root of the project."""
    root = str(Path(__file__).parents[2])
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONPATH": root, "XDG_CACHE_HOME": str(cwd / "cache")}


def check_refused(done: subprocess.CompletedProcess[str], *parts: str, code: int = 2) -> None:
    """Asserts that one line on standard error says why, and the exit code is that of a wrong command line."""
    assert done.returncode == code and done.stderr.count("\n") == 1, done.stderr
    assert all(part in done.stderr for part in parts), done.stderr


# Wrong command lines of jobs, with what is said of each, in parts that an & divides. Input and output are added to those
# that have none.
WRONG = CASES["wrong command lines"]


def test_a_wrong_command_line_begins_nothing(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "lines.tsv").write_text("a\tb\n", encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text('{"text": "fine"}\n{"text": \n')
    before = sorted(tmp_path.iterdir())
    for words, parts in WRONG:
        needed = {"--input": slice_path(), "--output": "out"}
        needed = [word for flag, value in needed.items() if flag not in words for word in (flag, value)]
        said = refusal(words.replace("{long}", "x" * 300), *needed, cwd=tmp_path)
        assert all(part in said for part in parts.split(" & ")), (words, said)
        assert sorted(tmp_path.iterdir()) == before, words


def test_an_input_without_permission(tmp_path):
    for job, name in [
        ("lead-bias", "dump.xml"),
        ("lead-bias --source warc", "crawl.warc"),
        ("gap-sentences --source jsonl --text-field text", "texts.jsonl"),
        ("augment", "pairs.tsv"),
    ]:
        (tmp_path / name).write_text("secret", encoding="utf-8")
        (tmp_path / name).chmod(0)
        done = gistmill(*job.split(), "--input", name, "--output", "out", cwd=tmp_path, obedient=True)
        check_refused(done, f"{name}: Permission denied")
        assert not (tmp_path / "out").exists()


@pytest.fixture
def data(shared, tmp_path):
    """A dataset in the folder ``data``."""
    place = shared("numbers", lambda place: make(f"synthetic --tasks sr --documents 20 --workers 1 --output {place}"))
    return shutil.copytree(place, tmp_path / "data")


def test_a_dataset_that_may_not_be_replaced_is_seen_before_the_work(data, tmp_path):
    job = f"synthetic --documents 20 --output {data}"
    assert refusal(job).endswith("use --overwrite to replace it\n")
    data.chmod(0o555)
    try:
        done = gistmill(*job.split(), "--overwrite", cwd=tmp_path, obedient=True)
    finally:
        data.chmod(0o755)
    check_refused(done, "you do not have permission to write to it", code=1)
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


def test_what_may_not_be_read_is_not_called_missing(data, tmp_path):
    (part,) = (data / "sr" / "parquet").glob("train-*")
    part.chmod(0)
    check_refused(gistmill("validate", data, obedient=True), "cannot be read: Permission denied", code=1)
    part.parent.chmod(0)
    try:
        done = gistmill("validate", data, obedient=True)
    finally:
        part.parent.chmod(0o755)
    check_refused(done, "data cannot be read", "Permission denied")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_what_was_published_is_said_even_if_standard_output_is_full(tmp_path):
    command = [*COMMAND, *"synthetic --tasks sr --documents 20 --splits 1,0,0 --output out --quiet".split()]
    options = {"cwd": tmp_path, "env": environment(tmp_path), "stderr": subprocess.PIPE, "text": True}
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, **options)
    check_refused(done, "20 documents", code=0)
    make("validate", tmp_path / "out")
