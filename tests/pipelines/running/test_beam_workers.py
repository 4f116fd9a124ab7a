"""The names inside Beam that ``beam_workers`` touches: when a new Beam changes one, this fails, not a run of hours."""
import inspect
import threading

import grpc
from apache_beam.portability.api import beam_fn_api_pb2
from apache_beam.runners.portability.fn_api_runner import FnApiRunner, worker_handlers
from apache_beam.runners.worker import sdk_worker_main
from apache_beam.transforms.environments import Environment

from pipelines.running.beam_workers import (
    CREW_URN, CrewConnection, CrewEnvironment, CrewWorkerHandler, broken_connections_are_no_news, crew_runner)
from pipelines.running.failures import JobFailed
from pipelines.running.workers import Crew


def request():
    return beam_fn_api_pb2.InstructionRequest(process_bundle=beam_fn_api_pb2.ProcessBundleRequest())


def test_what_beam_gives_its_handlers():
    constructor, payload = worker_handlers.WorkerHandler._registered_environments[CREW_URN]
    assert constructor is CrewWorkerHandler and payload is bytes
    theirs, _ = worker_handlers.WorkerHandler._registered_environments["beam:env:harness_subprocess_python:v1"]
    assert list(inspect.signature(theirs.__init__).parameters)[2:] == ["state", "provision_info", "grpc_server"]


def test_what_beam_keeps_in_its_connections():
    servicer = worker_handlers.BeamFnControlServicer(None)
    connection = servicer._connections_by_worker_id["worker"]
    assert connection is servicer.get_conn_by_worker_id("worker")
    future = connection.push(request())
    assert list(connection._futures_by_id.values()) == [future]
    assert connection._input is None and connection.get_req().instruction_id == future.instruction_id
    assert connection._read_thread._target == connection._read


def test_what_beam_reads_in_a_worker():
    source = inspect.getsource(sdk_worker_main.create_harness)
    for name in ("PIPELINE_OPTIONS", "CONTROL_API_SERVICE_DESCRIPTOR", "WORKER_ID", "FileSystems.set_options"):
        assert name in source
    assert sdk_worker_main._load_pipeline_options('{"options": {"a": 1}}') == {"a": 1}


def test_what_the_runner_leaves_alone():
    runner = crew_runner(Crew({}))
    assert isinstance(runner, FnApiRunner) and isinstance(runner._default_environment, CrewEnvironment)
    source = inspect.getsource(FnApiRunner.run_pipeline)
    assert source.count("self._default_environment = ") == 2  # for multi_threading and multi_processing only


def test_an_environment_survives_the_wire():
    crew = Crew({})
    wire = CrewEnvironment(crew.key).to_runner_api(None)
    assert Environment.from_runner_api(wire, None).key == crew.key
    assert Crew.named(wire.payload.decode()) is crew


def test_a_failed_connection_answers_what_waits_and_what_comes():
    connection = CrewConnection(Crew({}))
    waiting = connection.push(request())
    assert not waiting.is_done()
    connection.fail(JobFailed("gone"))
    late = connection.push(request())
    for future in (waiting, late):
        assert future.is_done() and future.get(timeout=0).error == "gone"
    connection.hang_up()


def test_an_error_in_one_answer_fails_the_crew_and_a_lost_connection_is_silent():
    class Lost:
        def __init__(self, *answers):
            self.answers = iter(answers)

        def __iter__(self):
            yield from self.answers
            raise grpc.RpcError("reset by peer")

    crew = Crew({})
    connection = CrewConnection(crew)
    future = connection.push(request())
    connection._input = Lost(beam_fn_api_pb2.InstructionResponse(instruction_id=future.instruction_id))
    connection._read()
    assert future.is_done() and crew.failure is None
    connection._input = Lost(beam_fn_api_pb2.InstructionResponse(instruction_id="x", error="ValueError: bad"))
    connection._read()
    assert str(crew.failure) == "ValueError: bad" and crew.over


def test_only_lost_connections_are_hushed(capsys):
    def end(error):
        raise error

    seen = []
    before, threading.excepthook = threading.excepthook, lambda args: seen.append(args.exc_type)
    try:
        with broken_connections_are_no_news():
            for error in (grpc.RpcError(), ValueError()):
                thread = threading.Thread(target=end, args=(error,))
                thread.start()
                thread.join()
    finally:
        threading.excepthook = before
    assert seen == [ValueError]
