"""Who can reach a running job: on this machine its workers use Unix sockets that are this user's alone, and no port."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import socket
import stat
import subprocess
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import apache_beam
import grpc
import psutil
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.portability.api import beam_artifact_api_pb2, beam_artifact_api_pb2_grpc
from apache_beam.runners.portability.fn_api_runner import worker_handlers
from apache_beam.runners.worker import worker_pool_main

from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.runners import worker_pool
from gistmill.pipelines.runners.beam_internals import SocketServer, ports_on_loopback
from gistmill.pipelines.runners.remote import run_remote
from gistmill.pipelines.runners.worker_pool import _LONGEST_PLACE, socket_folder
from tests.commands import COMMAND
from tests.pipelines.runners import jobs
from tests.pipelines.runners.harness import Driver
from tests.pipelines.runners.test_local import numbers
from tests.pipelines.runners.test_remote import REMOTE
from tests.users import STRANGER, by, needs_root, shared_folder


@pytest.fixture
def place(monkeypatch):
    """The folder of temporary files, with a short name."""
    with shared_folder() as folder:
        use_as_temporary(folder, monkeypatch)
        yield folder


def use_as_temporary(folder, monkeypatch):
    made = SimpleNamespace(gettempdir=lambda: str(folder), mkdtemp=tempfile.mkdtemp)
    monkeypatch.setattr(worker_pool, "tempfile", made)


def folders(place):
    return sorted(place.glob("gistmill-sockets-*"))


@pytest.fixture
def server(place):
    with socket_folder() as folder:
        made = SocketServer(worker_handlers.WorkerHandlerManager({}, None), folder)
        yield made
        made.close()


@pytest.mark.slow
def test_a_running_job_listens_on_no_port_and_its_folder_is_its_users_alone(place):
    texts = place / "texts.jsonl"
    texts.write_text(
        "".join(json.dumps({"id": str(n), "text": f"Page {n} is here. It is short."}) + "\n" for n in range(9))
    )
    command = [*COMMAND, "articles", "--source", "jsonl", "--input", str(texts), "--output", str(place / "out")]
    environment = {**os.environ, "TMPDIR": str(place)}
    ports, modes, most = set(), set(), 0
    with subprocess.Popen([*command, "--workers", "2"], env=environment, stderr=subprocess.PIPE) as driver:
        while driver.poll() is None:
            try:
                family = [psutil.Process(driver.pid), *psutil.Process(driver.pid).children(recursive=True)]
                most = max(most, len(family))
                ports.update(*map(jobs.listening, family))
                modes.update(stat.S_IMODE(folder.stat().st_mode) for folder in folders(place))
            except (psutil.NoSuchProcess, FileNotFoundError):
                pass  # it has ended meanwhile
            time.sleep(0.05)
        assert driver.returncode == 0, driver.stderr.read().decode()
    assert most >= 3 and ports == set()
    assert modes == {0o700} and folders(place) == []


def connects(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(address.removeprefix("unix:")) == 0


@needs_root
def test_another_user_cannot_connect(place, server):
    for address in (server.control_port, server.data_port, server.state_port):
        assert by(0, connects, address) and not by(STRANGER, connects, address)


def test_no_file_is_served(server):
    with grpc.insecure_channel(server.control_port) as channel:
        request = beam_artifact_api_pb2.GetArtifactRequest()
        with pytest.raises(grpc.RpcError) as caught:
            list(beam_artifact_api_pb2_grpc.ArtifactRetrievalServiceStub(channel).GetArtifact(request))
    assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.slow
def test_the_folder_of_a_killed_job_is_removed_by_its_workers_and_that_of_a_live_one_is_not(place, tmp_path):
    with socket_folder() as live:
        with Driver("hang", 2, tmp_path, env={"TMPDIR": str(place)}) as driver:
            driver.there(2)
            assert len(folders(place)) == 2
            driver.process.kill()
            assert driver.none_left()
        assert list(map(str, folders(place))) == [live]
    assert folders(place) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_folder_of_an_interrupted_job_is_removed(place, tmp_path, number):
    with Driver("hang", 2, tmp_path, env={"TMPDIR": str(place)}) as driver:
        driver.there(2)
        driver.process.send_signal(number)
        driver.wait()
    assert folders(place) == []


def test_a_folder_of_temporary_files_with_a_long_or_odd_name_is_not_used(place, monkeypatch):
    fits = "a" * (_LONGEST_PLACE - len(str(place)) - 1)
    for name in (fits, f"{fits}a", "a b", "%41"):
        (place / name).mkdir()
        use_as_temporary(place / name, monkeypatch)
        with socket_folder() as folder:
            SocketServer(worker_handlers.WorkerHandlerManager({}, None), folder).close()
            assert (Path(folder).parent == place / name) == (name == fits)


def test_without_a_folder_the_error_says_what_to_do(monkeypatch):
    use_as_temporary("/proc/self", monkeypatch)
    remedy = "set TMPDIR to a folder .* or use --workers 1"
    with pytest.raises(ConfigError, match=f"/proc/self cannot be used .*; {remedy}"), socket_folder():
        pass


def test_on_another_runner_what_this_process_serves_is_reached_from_this_machine_alone(tmp_path):
    before = jobs.listening()
    step = apache_beam.ParDo(jobs.Listening(str(tmp_path)))
    run_remote(numbers(step, 1), options=PipelineOptions(REMOTE))
    new = ast.literal_eval((tmp_path / "0.seen").read_text()) - before
    assert new and {a.partition(" ")[0].removeprefix("::ffff:") for a in new} == {"127.0.0.1"}


def test_afterwards_beam_has_its_own_ports_again():
    before = [worker_handlers.ExternalWorkerHandler.host_from_worker, worker_pool_main.grpc]
    with ports_on_loopback():
        assert worker_pool_main.grpc is not grpc
    assert before == [worker_handlers.ExternalWorkerHandler.host_from_worker, worker_pool_main.grpc]
    assert worker_pool_main.grpc is grpc


def test_where_beam_opens_ports():
    root = Path(apache_beam.__file__).parent
    opening = re.compile(r"add_(insecure|secure)_port\(")
    paths = {p.relative_to(root).as_posix(): p for p in root.rglob("*.py") if not p.stem.endswith("_test")}
    assert {n for n, p in paths.items() if opening.search(p.read_text("utf-8")) and not n.startswith("testing/")} == {
        # for these see SocketServer and ports_on_loopback
        "runners/portability/abstract_job_service.py",
        "runners/portability/fn_api_runner/worker_handlers.py",
        "runners/portability/local_job_service.py",
        "runners/worker/worker_pool_main.py",
        # programs of their own
        "runners/portability/expansion_service_main.py",
    }
