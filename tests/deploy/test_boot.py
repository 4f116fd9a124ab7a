"""``gistmill-worker``: what the runner says becomes what Beam's worker reads, and it goes when its starter goes."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from concurrent import futures

import grpc
import psutil
import pytest
from apache_beam.portability.api import beam_provision_api_pb2, beam_provision_api_pb2_grpc, endpoints_pb2
from google.protobuf import struct_pb2, text_format

from gistmill.pipelines.runners.boot import environment_of, main, provision
from tests.stores import free_port

pytestmark = pytest.mark.waits


def info(**more):
    options = struct_pb2.Struct()
    options.update({"beam:option:parallelism:v1": "2"})
    return beam_provision_api_pb2.ProvisionInfo(
        pipeline_options=options,
        runner_capabilities=["a:v1", "b:v1"],
        logging_endpoint=endpoints_pb2.ApiServiceDescriptor(url="127.0.0.1:1"),
        control_endpoint=endpoints_pb2.ApiServiceDescriptor(url="127.0.0.1:2"),
        **more,
    )


class Service(beam_provision_api_pb2_grpc.ProvisionServiceServicer):
    """Answers as a task manager does, and remembers who asked."""

    def __init__(self):
        self.asked = []

    def GetProvisionInfo(self, request, context):
        self.asked.append(dict(context.invocation_metadata())["worker_id"])
        return beam_provision_api_pb2.GetProvisionInfoResponse(info=info())


@pytest.fixture
def runner():
    server, service = grpc.server(futures.ThreadPoolExecutor(2)), Service()
    beam_provision_api_pb2_grpc.add_ProvisionServiceServicer_to_server(service, server)
    service.port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield service
    server.stop(0)


def test_the_environment_says_what_the_runner_said():
    made = environment_of(info(), worker_id="2-1", folder="/somewhere")
    assert made["WORKER_ID"] == "2-1" and made["SEMI_PERSISTENT_DIRECTORY"] == "/somewhere"
    assert json.loads(made["PIPELINE_OPTIONS"]) == {"beam:option:parallelism:v1": "2"}
    assert made["RUNNER_CAPABILITIES"] == "a:v1 b:v1"
    control = text_format.Parse(made["CONTROL_API_SERVICE_DESCRIPTOR"], endpoints_pb2.ApiServiceDescriptor())
    assert control.url == "127.0.0.1:2"
    assert "STATUS_API_SERVICE_DESCRIPTOR" not in made  # Beam's worker takes an empty one for an address


def test_the_runner_learns_which_worker_asks(runner):
    assert provision(f"127.0.0.1:{runner.port}", "7-1").control_endpoint.url == "127.0.0.1:2"
    assert runner.asked == ["7-1"]


def test_a_runner_that_does_not_answer_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr("gistmill.pipelines.runners.boot.PROVISION_SECONDS", 0.5)
    assert main(["--id", "1-1", "--provision_endpoint", f"127.0.0.1:{free_port()}"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_it_goes_when_its_starter_is_killed():
    with socket.create_server(("127.0.0.1", 0)) as endpoint:  # it takes the worker's call and never answers
        endpoint.settimeout(120)
        start = (
            f"import subprocess, sys; subprocess.run([sys.executable, '-c', 'from gistmill.pipelines.runners.boot import run; "
            f"run()', '--id', '1-1', '--provision_endpoint', '127.0.0.1:{endpoint.getsockname()[1]}'])"
        )
        parent = subprocess.Popen([sys.executable, "-c", start])
        connection, _ = endpoint.accept()  # it watches before it calls
        with connection:
            (worker,) = psutil.Process(parent.pid).children()
            parent.kill()
            parent.wait()
            until = time.monotonic() + 30
            while _runs(worker.pid) and time.monotonic() < until:
                time.sleep(0.2)
            assert not _runs(worker.pid)


def _runs(number: int) -> bool:
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] != b"Z"
    except (FileNotFoundError, ProcessLookupError):  # the latter where it ends while it is read
        return False
