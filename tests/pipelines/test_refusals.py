"""Command lines that a user gets wrong: one line says what, nothing is begun, and nothing is left behind."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.slice import slice_path
from tests.commands import COMMAND, gistmill, make, refusal


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
WRONG = [
    ("lead-bias --runner Foo", "--runner Foo & FlinkRunner"),
    ("lead-bias --num_workers x", "--num_workers & invalid int value: 'x'"),
    ("lead-bias --direct_running_mode foo", "--direct_running_mode & invalid choice"),
    ("lead-bias --config ''", "--config: no file is named"),
    ("lead-bias --splits 1e308,1e308,1", "splits & 98,1,1"),
    ("lead-bias --workers 99999999", "--workers & 1 to 1024"),
    ("lead-bias --output ftp://host/place", "--output ftp://host/place & gs:// or s3://"),
    (f"lead-bias --output {'x' * 300}", "File name too long"),
    ("lead-bias --input http://host/dump", "--input http://host/dump & gs:// or s3://"),
    ("lead-bias --input folder", "'folder' is a folder & 'folder/*'"),
    ("lead-bias --input /dev/zero", "'/dev/zero' is not a regular file"),
    ("lead-bias --source annotated --input lines.tsv", "lines.tsv is not a Parquet file"),
    ("lead-bias --lead sentence:3", "--lead: expected sentences:N, paragraphs:N, lead-section or section:TITLE"),
    ("lead-bias --min-overlap 65", "--min-overlap: expected a number from 0 to 1"),
    ("lead-bias --min-lead-words 200", "min_lead_words: 200 is above max_lead_words, 150"),
    ("lead-bias --sentences spacy", "--sentences"),
    ("lead-bias --min-overlp 0.5", "--min-overlap"),
    ("lead-bias --deduplicate fuzzy", "expected one of none, exact, near"),
    ("lead-bias --duplicate-threshold 0", "above 0"),
    ("lead-bias --decontaminate missing-*.tsv", "missing-*.tsv"),
    ("lead-bias --decontaminate broken.jsonl", "broken.jsonl, line 2: not JSON"),
    ("lead-bias --decontaminate broken.jsonl --decontaminate-ngram 100", "from 1 to 64"),
    ("lead-bias --decontaminate broken.jsonl --decontaminate-threshold 2.5", "whole number"),
    ("lead-bias --source warc --namespaces 0", "--namespaces has no effect with --source warc"),
    ("lead-bias --source warc --input broken.jsonl", "broken.jsonl: not a WARC file"),
    ("lead-bias --source warc --input nowhere.paths", "no input file matches 'nowhere.paths'"),
    ("lead-bias --source jsonl --text-markup rtf", "expected one of plain, html"),
    ("lead-bias --url-sections sports", "--url-sections"),
    ("gap-sentences --source jsonl --url-sections a/b", "--url-sections: expected words such as sports, not 'a/b'"),
    ("gap-sentences --since 2016-06-31", "--since: expected a day such as 2016-06-01, not '2016-06-31'"),
    ("gap-sentences --since 2019-01-01 --until 2018-12-31", "since: 2019-01-01 is after until, 2018-12-31"),
    ("gap-sentences --gap-ratio 1", "--gap-ratio: expected a number between 0 and 1"),
    ("gap-sentences --mask-token 'a b'", "--mask-token: expected a text without white space"),
    ("gap-sentences --selection leed", "did you mean lead?"),
    ("gap-sentences --ngrams 3", "expected one of orig, uniq"),
    ("headline --question-headline", "--question-headlines"),
    ("headline --min-title-words 60", "min_title_words: 60 is above max_title_words, 49"),
    ("articles --min-characters 0", "--min-characters: expected a whole number of at least 1"),
    ("articles --spacy-model en_core_web_sm", "--spacy-model"),
    ("articles --splits 1,0", "--splits"),
    ("propositions --precision striict", "did you mean strict?"),
    ("propositions --min-coref-confidence 1.1", "--min-coref-confidence: expected a number from 0 to 1"),
    ("propositions --languages de --source jsonl --input broken.jsonl", "English"),
    ("discofuse --input nowhere-*.bz2", "no input file matches 'nowhere-*.bz2'"),
    ("discofuse --spacy-model no_such", "no_such"),
    ("discofuse --workers 2 --runner FlinkRunner", "--workers is for runs on this machine"),
    ("discofuse --balanced-rates '{PAIR: 0.5}'", "PAIR"),
    ("discofuse --formats parquet,csv", "expected one of"),
    ("discofuse --source annotated --input lines.tsv --reuse folder", "--reuse has no effect with --source annotated"),
]


def test_a_wrong_command_line_begins_nothing(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "lines.tsv").write_text("a\tb\n", encoding="utf-8")
    (tmp_path / "broken.jsonl").write_text('{"text": "fine"}\n{"text": \n')
    before = sorted(tmp_path.iterdir())
    for words, parts in WRONG:
        needed = {"--input": slice_path(), "--output": "out"}
        needed = [word for flag, value in needed.items() if flag not in words for word in (flag, value)]
        said = refusal(words, *needed, cwd=tmp_path)
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
    assert refusal(job).endswith("--overwrite replaces it\n")
    data.chmod(0o555)
    try:
        done = gistmill(*job.split(), "--overwrite", cwd=tmp_path, obedient=True)
    finally:
        data.chmod(0o755)
    check_refused(done, "no permission to write in it", code=1)
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


def test_other_commands_name_what_they_cannot_use(data, tmp_path):
    for arguments in ("--input nofile", "--export page --input data"):
        assert "--input" in refusal("explore data", arguments, cwd=tmp_path)


@pytest.mark.slow
@pytest.mark.waits
def test_a_page_that_is_served_leaves_nothing_when_it_is_ended(data, tmp_path):
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
    command = [*COMMAND, "synthetic", "--tasks", "sr", "--documents", "20", "--output", "out", "--quiet"]
    options = {"cwd": tmp_path, "env": environment(tmp_path), "stderr": subprocess.PIPE, "text": True}
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, **options)
    check_refused(done, "20 documents", code=0)
    make("validate", tmp_path / "out")
