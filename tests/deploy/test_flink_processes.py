"""Processes that outlive their starter, the pinned versions, and what `submit` adds to a job's command line."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from gistmill.deploy.flink import submit
from gistmill.deploy.flink.install import InstallError, check, pinned
from gistmill.deploy.flink.processes import Process, Processes

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture
def processes(tmp_path):
    made = Processes(tmp_path / "processes.json")
    yield made
    made.stop()


def start(processes, tmp_path, name="sleeper", command=SLEEP):
    return processes.start(name, command, log=tmp_path / "log", environment=os.environ)


def test_what_was_started_is_ended_by_another_command(processes, tmp_path):
    one, two = start(processes, tmp_path, "one"), start(processes, tmp_path, "two")
    later = Processes(tmp_path / "processes.json")
    assert [p.name for p in later.all()] == ["one", "two"] and one.lives() and two.lives()
    assert [p.name for p in later.stop("one")] == ["one"] and not one.lives() and two.lives()
    assert [p.name for p in later.stop()] == ["two"] and not two.lives() and later.all() == []
    assert later.stop() == []


def test_children_end_with_their_parent(processes, tmp_path):
    child = tmp_path / "child"
    code = f"import subprocess, sys; p = subprocess.Popen({SLEEP!r}); open({str(child)!r}, 'w').write(str(p.pid)); p.wait()"
    start(processes, tmp_path, command=[sys.executable, "-c", code])
    until = time.monotonic() + 20
    while not (child.exists() and child.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    processes.stop()
    number = int(child.read_text())
    until = time.monotonic() + 10
    while os.path.exists(f"/proc/{number}") and time.monotonic() < until:
        time.sleep(0.05)
    assert _state(number) in ("gone", "Z")


def _state(number: int) -> str:
    stat = Path(f"/proc/{number}/stat")
    return stat.read_text().rpartition(")")[2].split()[0] if stat.exists() else "gone"


def test_who_replaces_a_dead_process_ends_what_it_left(processes, tmp_path):
    child = tmp_path / "child"
    code = f"import subprocess, sys; p = subprocess.Popen({SLEEP!r}, start_new_session=True); open({str(child)!r}, 'w').write(str(p.pid)); p.wait()"
    first = start(processes, tmp_path, command=[sys.executable, "-c", code])
    bystander = start(processes, tmp_path, "bystander")
    until = time.monotonic() + 20
    while not (child.exists() and child.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(first.pid, signal.SIGKILL)
    while first.lives():
        time.sleep(0.05)
    assert _state(int(child.read_text())) not in ("gone", "Z")
    second = start(processes, tmp_path)
    assert {p.name: p.pid for p in processes.all()} == {"bystander": bystander.pid, "sleeper": second.pid}
    until = time.monotonic() + 10
    while _state(int(child.read_text())) not in ("gone", "Z") and time.monotonic() < until:
        time.sleep(0.05)
    assert _state(int(child.read_text())) in ("gone", "Z")
    assert second.lives() and bystander.lives()


def test_a_later_process_of_the_same_number_is_left_alone(tmp_path):
    file = tmp_path / "processes.json"
    me = Process("not us", os.getpid(), 1, "log")
    file.write_text(json.dumps([{"name": me.name, "pid": me.pid, "born": me.born, "log": me.log}]))
    assert not me.lives() and Processes(file).stop() == []


def test_versions_are_pinned_with_checksums():
    versions = pinned()
    digests = [versions["flink"]["sha256"], *versions["job_server"]["jars"].values()]
    assert len(digests) > 100 and all(re.fullmatch("[0-9a-f]{64}", d) for d in digests)
    import apache_beam

    assert versions["beam"]["python"] == apache_beam.__version__


def test_a_download_with_another_checksum_is_refused(tmp_path):
    (tmp_path / "beam.jar").write_bytes(b"not what it was")
    with pytest.raises(InstallError, match="beam.jar has the SHA-256"):
        check(tmp_path / "beam.jar", "0" * 64)


def test_the_worker_is_kept_between_stages():
    options = submit.portable_options(job_endpoint="127.0.0.1:1", parallelism=3, worker="/opt/gist mill/worker")
    assert "--environment_cache_millis=60000" in options and "--parallelism=3" in options
    (config,) = [o for o in options if o.startswith("--environment_config=")]
    assert json.loads(config.partition("=")[2]) == {"command": "/opt/gist mill/worker"}
