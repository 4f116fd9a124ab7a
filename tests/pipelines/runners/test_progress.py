"""Progress: sums of the heartbeats, one redrawn line on a terminal, plain lines elsewhere."""

import io
import os
import pty
import re
import time

import pytest

from gistmill.pipelines.runners.progress import Progress, Totals, describe, read_totals
from gistmill.transforms.range_files import Heartbeat
from tests.cases import by_heading
from tests.commands import make
from tests.pipelines.runners.harness import wait_until

CASES = by_heading(__file__)


def test_heartbeats_are_summed_and_finished_ranges_counted(tmp_path):
    assert read_totals(tmp_path) == Totals()
    Heartbeat(tmp_path / "progress").update(ranges=5)
    for _ in range(2):
        Heartbeat(tmp_path / "progress").update(documents=3, rows=10, rejects=1)
    (tmp_path / "ranges").mkdir()
    for name in "abc":
        (tmp_path / "ranges" / f"{name}.json").touch()
    assert read_totals(tmp_path) == Totals(documents=6, rows=20, rejects=2, ranges=5, finished_ranges=3)


def test_a_broken_heartbeat_counts_as_nothing(tmp_path):
    Heartbeat(tmp_path / "progress").update(documents=3)
    for junk in ["", "{", "[]", "null", '{"documents": "x"}', '{"documents": null}']:
        (tmp_path / "progress" / "1.json").write_text(junk)
        assert read_totals(tmp_path).documents == 3


def test_the_line():
    for totals, seconds, line in CASES["the line"]:
        totals = Totals(**totals)
        assert describe(totals, seconds) == line
        assert describe(totals, seconds, "pairs") == line.replace("documents", "pairs")


def test_elsewhere_than_on_a_terminal_a_plain_line_now_and_then_and_at_the_end(tmp_path):
    stream = io.StringIO()
    with Progress(tmp_path, interval=0.05, stream=stream):
        assert wait_until(lambda: stream.getvalue().count("\n") >= 2)
        Heartbeat(tmp_path / "progress").update(documents=4)
    lines = stream.getvalue().splitlines()
    assert lines[0].startswith("planning: 0 documents") and lines[-1].startswith("reading: 4 documents")
    assert "\r" not in stream.getvalue() and "\x1b" not in stream.getvalue()


def test_on_a_terminal_one_line_is_redrawn_and_cut_to_its_width(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    leader, follower = pty.openpty()
    with open(follower, "w") as stream:
        with Progress(tmp_path, interval=0.05, stream=stream):
            Heartbeat(tmp_path / "progress").update(documents=4, ranges=2)
            shown = ""
            while "documents" not in shown:
                shown += os.read(leader, 65536).decode()
        while "\n" not in shown:
            shown += os.read(leader, 65536).decode()
    os.close(leader)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    lines = [line for line in re.split(r"[\r\n]+", plain) if line.strip()]
    assert len(lines) >= 2 and all(len(line) <= 40 for line in lines)
    assert "reading: 4 documents" in lines[-1] and lines[-1].rstrip().endswith("…")
    assert plain.count("\n") == 1


def test_a_short_run_prints_one_plain_line_also_if_it_fails(tmp_path):
    stream = io.StringIO()
    with pytest.raises(ValueError), Progress(tmp_path, stream=stream):
        time.sleep(0.2)
        raise ValueError
    assert stream.getvalue().count("\n") == 1


def test_a_closed_stream_does_not_end_the_work(tmp_path):
    stream, done = io.StringIO(), []
    with Progress(tmp_path, interval=0.02, stream=stream):
        stream.close()
        time.sleep(0.1)
        done.append("work")
    assert done == ["work"]


def test_a_quiet_job_shows_none(tmp_path):
    for options, shown in (("", True), ("--quiet", False)):
        job = f"synthetic --tasks sr --documents 3 --workers 1 --output {tmp_path}/{shown}"
        done = make(job, options)
        assert ("3 rows" in done.stderr) is shown and "3 rows" in done.stdout
