"""The private names of Beam that we lean on: when a new Beam changes one, this fails, not a run of hours."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
import threading
from pathlib import Path

import apache_beam
import grpc
import pytest
from apache_beam.portability.api import beam_fn_api_pb2
from apache_beam.runners.portability.fn_api_runner import FnApiRunner, worker_handlers
from apache_beam.runners.worker import sdk_worker_main
from apache_beam.transforms.environments import Environment

from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.runners.beam_internals import (
    POOL_URN,
    PoolEnvironment,
    PoolRunner,
    PoolWorkerHandler,
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


def test_python_still_has_the_functions_of_an_exit():
    assert callable(__import__("atexit")._run_exitfuncs), "fix pipelines/runners/exits.py"


def request():
    return beam_fn_api_pb2.InstructionRequest(process_bundle=beam_fn_api_pb2.ProcessBundleRequest())


def test_what_beam_gives_its_handlers():
    constructor, payload = worker_handlers.WorkerHandler._registered_environments[POOL_URN]
    assert constructor is PoolWorkerHandler and payload is bytes
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
    runner = PoolRunner(WorkerPool({}, ""))
    assert isinstance(runner, FnApiRunner) and isinstance(runner._default_environment, PoolEnvironment)
    source = inspect.getsource(FnApiRunner.run_pipeline)
    assert source.count("self._default_environment = ") == 2  # for multi_threading and multi_processing only


def test_where_beam_does_something_else_in_ipython():
    root = Path(apache_beam.__file__).parent
    asks = re.compile(r"is_in_ipython|is_in_notebook|alter_label_if_ipython|get_ipython")
    paths = {p.relative_to(root).as_posix(): p for p in root.rglob("*.py") if not p.stem.endswith("_test")}
    assert {n for n, p in paths.items() if asks.search(p.read_text("utf-8")) and "/interactive/" not in n} == {
        "pipeline.py",
        "utils/interactive_utils.py",
        # runners that are not used here, a label that tells Google of notebooks, and an address for Docker
        "runners/dask/dask_runner.py",
        "runners/dataflow/dataflow_runner.py",
        "runners/direct/direct_runner.py",
        "runners/portability/fn_api_runner/worker_handlers.py",
    }


IN_IPYTHON = """
import os, threading
from IPython.core.interactiveshell import InteractiveShell
InteractiveShell.instance()
import apache_beam as beam
from gistmill.pipelines.runners.beam_internals import Pipeline

def ask(who):
    print(who, beam.pipeline.is_in_ipython())

class Ask(beam.PTransform):
    def expand(self, numbers):
        ask("inside")
        other = threading.Thread(target=ask, args=("beside",))
        other.start()
        other.join()
        return numbers | beam.Map(abs)

pipeline = Pipeline(runner="FnApiRunner")
print((pipeline | "One" >> beam.Create([1]) | "Two" >> Ask()).producer.full_label)
ask("between")
pipeline.run()
print(os.path.exists(pipeline.local_tempdir))
ask("after")
try:
    print((beam.Pipeline() | "One" >> beam.Create([1])).producer.full_label)
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.slow
def test_in_ipython_own_pipelines_are_as_elsewhere_and_those_of_others_as_beam_has_them():
    done = subprocess.run([sys.executable, "-c", IN_IPYTHON], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "inside None",
        "beside True",
        "Two/Map(abs)",
        "between True",
        "False",
        "after True",
        "AttributeError type object 'DataFrame' has no attribute 'first'",  # with a pandas before 3: [None]: One
    ], done.stderr


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
