"""The private names of Beam that we lean on: when a new Beam changes one, this fails, not a run of hours."""

import ast
import importlib
import threading
from pathlib import Path

import apache_beam
import grpc
from apache_beam.portability.api import beam_fn_api_pb2
from apache_beam.transforms.environments import Environment

from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.runners.beam_internals import (
    PoolEnvironment,
    WorkerConnection,
    broken_connections_leave_no_traceback,
)
from gistmill.pipelines.runners.worker_pool import WorkerPool

POOL, SHARED = "pipelines/runners/beam_internals.py", "transforms/beam/internals.py"
HANDLERS = "apache_beam.runners.portability.fn_api_runner.worker_handlers"
# names in a module of Beam (of an instance: as its class assigns it), and where we use them
PRIVATE = {
    ("apache_beam.options.pipeline_options", SHARED): "_BeamArgumentParser PipelineOptions._add_argparse_args",
    ("apache_beam.runners.common", SHARED): "_tagged_with_step",
    ("apache_beam.io.aws.clients.s3.boto3_client", SHARED): "boto3 boto3.session.Session()",
    ("apache_beam.pipeline", POOL): "alter_label_if_ipython is_in_ipython",
    ("apache_beam.runners.portability.fn_api_runner.fn_runner", POOL): "FnApiRunner._execute_bundle",
    (HANDLERS, POOL): """
        BeamFnControlServicer._DONE_MARKER BeamFnControlServicer._connections_by_worker_id
        ControlConnection._futures_by_id ControlConnection._input ControlConnection._read ControlFuture.set
        DATA_BUFFER_TIME_LIMIT_MS ExternalWorkerHandler.host_from_worker GrpcServer._DEFAULT_SHUTDOWN_TIMEOUT_SECS
        GrpcStateServicer GrpcWorkerHandler.control_address GrpcWorkerHandler.port_from_worker
        WorkerHandler.register_environment WorkerHandler._registered_environments
        WorkerHandlerManager._environments WorkerHandlerManager.state_servicer
    """,
    ("apache_beam.runners.worker.data_plane", POOL): "BeamFnDataServicer",
    ("apache_beam.utils.thread_pool_executor", POOL): "shared_unbounded_instance",
    ("apache_beam.transforms.environments", POOL): "python_sdk_capabilities Environment.register_urn",
    ("apache_beam.runners.worker.sdk_worker_main", "pipelines/runners/worker_pool.py"): "main",
}


def source_of(module):
    """The source of a module, of a compiled one too: Beam ships it beside."""
    path = Path(module.__file__)
    return path.with_name(f"{path.name.partition('.')[0]}.py").read_text(encoding="utf-8")


def has(module, name):
    """Whether a module has the name, or its source mentions the last part of one that only instances have."""
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            return part in source_of(module)
        found = getattr(found, part)
    return True


def test_beam_still_has_what_we_lean_on():
    for (module, place), names in PRIVATE.items():
        for name in names.split():
            try:
                there = has(importlib.import_module(module), name)
            except ImportError:
                there = False
            assert there, f"Beam {apache_beam.__version__} has no {module}.{name}; fix {place}"
    module = importlib.import_module(HANDLERS)
    assert not has(module, "ControlConnection._no_such_name") and not has(module, "_no_such_name")


def private_imports(source):
    """The private names of Beam that a module imports."""
    imports = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ImportFrom)]
    return {
        a.name for n in imports if (n.module or "").startswith("apache_beam") for a in n.names if a.name.startswith("_")
    }


def test_only_two_modules_touch_private_names():
    root = Path(__file__).resolve().parents[3]
    paths = [p for room in ("transforms", "pipelines") for p in (root / room).rglob("*.py")]
    touching = {p.relative_to(root).as_posix() for p in paths if private_imports(p.read_text(encoding="utf-8"))}
    assert touching <= {POOL, SHARED} and touching
    assert private_imports("def f():\n    from apache_beam.io import _x, y") == {"_x"}


def request():
    return beam_fn_api_pb2.InstructionRequest(process_bundle=beam_fn_api_pb2.ProcessBundleRequest())


def test_an_environment_survives_the_wire():
    pool = WorkerPool({}, "")
    wire = PoolEnvironment(pool.key).to_runner_api(None)
    assert Environment.from_runner_api(wire, None).key == pool.key
    assert WorkerPool.named(wire.payload.decode()) is pool


def test_a_failed_connection_answers_what_waits_and_what_comes():
    connection = WorkerConnection(WorkerPool({}, ""))
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

    pool = WorkerPool({}, "")
    connection = WorkerConnection(pool)
    future = connection.push(request())
    connection._input = Lost(beam_fn_api_pb2.InstructionResponse(instruction_id=future.instruction_id))
    connection._read()
    assert future.is_done() and pool.failure is None
    connection._input = Lost(beam_fn_api_pb2.InstructionResponse(instruction_id="x", error="ValueError: bad"))
    connection._read()
    assert str(pool.failure) == "ValueError: bad" and pool.over


def test_only_lost_connections_are_hushed(capsys):
    def end(error):
        raise error

    seen = []
    before, threading.excepthook = threading.excepthook, lambda args: seen.append(args.exc_type)
    try:
        with broken_connections_leave_no_traceback():
            for error in (grpc.RpcError(), ValueError()):
                thread = threading.Thread(target=end, args=(error,))
                thread.start()
                thread.join()
    finally:
        threading.excepthook = before
    assert seen == [ValueError]
