"""``gistmill-worker``: the Python worker that a runner starts with ``--environment_type PROCESS``.

Gistmill must be installed on the machine. Beam includes its own program for this purpose only in container images.
"""

from __future__ import annotations

from gistmill.transforms.arithmetic import settle_arithmetic

settle_arithmetic()  # before anything imports numpy

import argparse  # noqa: E402
import os  # noqa: E402
import signal  # noqa: E402
import tempfile  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402
from collections.abc import Mapping, Sequence  # noqa: E402

import grpc  # noqa: E402
from apache_beam.portability.api import (  # noqa: E402
    beam_provision_api_pb2,
    beam_provision_api_pb2_grpc,
    endpoints_pb2,
)
from google.protobuf import json_format, text_format  # noqa: E402

from gistmill.core.text_output import say  # noqa: E402

PROVISION_SECONDS = 60.0
_WATCH_SECONDS = 1.0


def environment_of(info: beam_provision_api_pb2.ProvisionInfo, *, worker_id: str, folder: str) -> dict[str, str]:
    """Converts the runner's provision info to the environment variables that Beam's worker reads.

    Args:
        info: the provision info.
        worker_id: the name under which the runner expects this worker.
        folder: folder for the worker's files while it runs.
    """
    made = {
        "WORKER_ID": worker_id,
        "SEMI_PERSISTENT_DIRECTORY": folder,
        "PIPELINE_OPTIONS": json_format.MessageToJson(info.pipeline_options),
        "RUNNER_CAPABILITIES": " ".join(info.runner_capabilities),
    }
    endpoints: Mapping[str, endpoints_pb2.ApiServiceDescriptor] = {
        "LOGGING_API_SERVICE_DESCRIPTOR": info.logging_endpoint,
        "CONTROL_API_SERVICE_DESCRIPTOR": info.control_endpoint,
        "STATUS_API_SERVICE_DESCRIPTOR": info.status_endpoint,
    }
    return made | {name: text_format.MessageToString(e) for name, e in endpoints.items() if e.url}


def provision(endpoint: str, worker_id: str) -> beam_provision_api_pb2.ProvisionInfo:
    """Requests this worker's provision info from the runner. Raises grpc.RpcError if the runner does not respond."""
    with grpc.insecure_channel(endpoint, options=[("grpc.enable_http_proxy", 0)]) as channel:
        service = beam_provision_api_pb2_grpc.ProvisionServiceStub(channel)
        request, name = beam_provision_api_pb2.GetProvisionInfoRequest(), (("worker_id", worker_id),)
        return service.GetProvisionInfo(request, metadata=name, timeout=PROVISION_SECONDS, wait_for_ready=True).info


def main(argv: Sequence[str] | None = None) -> int:
    """Serves the runner until it disconnects; returns the exit code."""
    parser = argparse.ArgumentParser(prog="gistmill-worker", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--id", required=True, help="name of the worker")
    parser.add_argument("--provision_endpoint", required=True, help="host:port of the runner's provision service")
    # other values that a runner may pass are also in the provision info
    arguments, _ = parser.parse_known_args(argv)
    threading.Thread(target=_end_with, args=(os.getppid(),), name="parent watch", daemon=True).start()
    try:
        info = provision(arguments.provision_endpoint, arguments.id)
    except grpc.RpcError as error:
        say(f"gistmill-worker: {arguments.provision_endpoint} does not respond: {error.details()}")
        return 1
    with tempfile.TemporaryDirectory(prefix="gistmill-worker-") as folder:
        os.environ.update(environment_of(info, worker_id=arguments.id, folder=folder))
        from apache_beam.runners.worker import sdk_worker_main

        sdk_worker_main.main([])
    return 0


def run() -> None:
    """Runs the command and exits."""
    from gistmill.pipelines.runners.exits import run_and_leave

    run_and_leave(main)


def _end_with(parent: int) -> None:
    """Kills this process when its parent is gone: a killed task manager cannot stop its workers."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
