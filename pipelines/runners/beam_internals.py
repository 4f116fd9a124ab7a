"""Attaches a WorkerPool to Beam's FnApiRunner, and turns off Beam's special treatment of notebooks (for Beam 2.77).

FnApiRunner looks up the handler that starts an environment's workers by its URN. This module registers an environment
and a handler, because Beam's own "multi_processing" environment has several problems: it passes its command through a
shell (so a space in the interpreter's path breaks it), does not notice dead workers, notices failed ones only when all
others have finished, and its processes cannot be stopped from outside.

This module uses private names of Beam. ``tests/pipelines/runners/test_beam_internals.py`` lists them and fails if a new
Beam version lacks one. Those that transforms need too are in ``transforms/beam/internals.py``.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from types import SimpleNamespace
from typing import Any

import apache_beam as beam
import grpc
from apache_beam.portability.api import beam_fn_api_pb2
from apache_beam.portability.api import beam_fn_api_pb2_grpc as services
from apache_beam.runners.portability import abstract_job_service, local_job_service
from apache_beam.runners.portability.fn_api_runner import FnApiRunner, worker_handlers
from apache_beam.runners.portability.fn_api_runner.worker_handlers import (
    DATA_BUFFER_TIME_LIMIT_MS,
    BeamFnControlServicer,
    ControlConnection,
    ControlFuture,
    ExternalWorkerHandler,
    GrpcServer,
    GrpcStateServicer,
    GrpcWorkerHandler,
    WorkerHandler,
    WorkerHandlerManager,
)
from apache_beam.runners.worker import worker_pool_main
from apache_beam.runners.worker.data_plane import BeamFnDataServicer
from apache_beam.transforms.environments import Environment, python_sdk_capabilities
from apache_beam.utils.thread_pool_executor import shared_unbounded_instance
from typing_extensions import override

from gistmill.pipelines.errors import JobFailed, failure_of
from gistmill.pipelines.runners.worker_pool import Worker, WorkerPool

_LOGGER = logging.getLogger(__name__)

POOL_URN = "gistmill:env:worker-pool:v1"


@Environment.register_urn(POOL_URN, None)
class PoolEnvironment(Environment):
    """An environment that identifies, inside a pipeline, the WorkerPool that runs it."""

    def __init__(self, key: str) -> None:
        super().__init__(capabilities=python_sdk_capabilities(), artifacts=())
        self.key = key

    def to_runner_api_parameter(self, context: Any) -> tuple[str, bytes]:
        """Returns the URN, and the pool's key as the payload."""
        return POOL_URN, self.key.encode()

    @staticmethod
    def from_runner_api_parameter(
        payload: bytes, capabilities: Any, artifacts: Any, resource_hints: Any, context: Any
    ) -> PoolEnvironment:
        """Restores the environment of a pipeline that Beam has serialised."""
        return PoolEnvironment(payload.decode())


class WorkerConnection(ControlConnection):
    """The control connection to one worker. Pending requests are answered even if the worker has died."""

    def __init__(self, pool: WorkerPool) -> None:
        super().__init__()
        self._pool = pool
        self._failure: JobFailed | None = None
        # reentrant: a signal handler may fail the connection while its own thread is pushing
        self._answering = threading.RLock()

    def push(self, req: Any) -> ControlFuture | None:  # type: ignore[override]  # Beam has overloads, by class of req
        """Sends a request; its future fails at once if the connection has failed."""
        with self._answering:
            future = super().push(req)
            if future is not None and self._failure:
                self.fail(self._failure)
            return future

    def fail(self, failure: JobFailed) -> None:
        """Answers all pending and future requests with this failure."""
        with self._answering:
            self._failure = failure
            for key in list(self._futures_by_id):
                future: ControlFuture = self._futures_by_id.pop(key)
                future.set(beam_fn_api_pb2.InstructionResponse(instruction_id=key, error=str(failure)))

    def hang_up(self) -> None:
        """Tells the worker that there is no more work."""
        self.push(BeamFnControlServicer._DONE_MARKER)

    def _read(self) -> None:
        # A bundle's error stops the pool at once: FnApiRunner collects the workers' results in order, so it would first
        # wait, perhaps for hours, for the bundles of all workers that precede the failed one.
        try:
            for response in self._input or ():
                if response.error:
                    self._pool.fail(failure_of(response.error))
                    return
                with self._answering:
                    future = self._futures_by_id.pop(response.instruction_id, None)
                if future is not None:
                    future.set(response)
        except grpc.RpcError:  # the pool's watcher notices that the process has ended, and reports more
            _LOGGER.debug("control connection lost")


# As in Beam's GrpcServer: no limits on pings or on messages, which higher layers keep small.
_SERVER_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
)


class SocketServer:
    """A server for a pool's workers that replaces Beam's GrpcServer.

    GrpcServer opens ports on all interfaces without authentication: anyone who can reach them can read files through
    its artifact service, and run code with a pickled element. This server provides only the control, data and state
    services, on Unix sockets in a folder that only this user can enter. Raises RuntimeError if a socket fails."""

    def __init__(self, manager: WorkerHandlerManager, folder: str) -> None:
        self.control_handler = BeamFnControlServicer(manager)
        self.data_plane_handler = BeamFnDataServicer(DATA_BUFFER_TIME_LIMIT_MS)
        self._servers: list[grpc.Server] = []
        self.control_port, self.data_port, self.state_port = (
            self._serve(f"unix:{folder}/{name}", add, service)
            for name, add, service in (
                ("control", services.add_BeamFnControlServicer_to_server, self.control_handler),
                ("data", services.add_BeamFnDataServicer_to_server, self.data_plane_handler),
                ("state", services.add_BeamFnStateServicer_to_server, GrpcStateServicer(manager.state_servicer)),
            )
        )

    def _serve(self, address: str, add: Callable[[Any, grpc.Server], None], service: object) -> str:
        server = grpc.server(shared_unbounded_instance(), options=_SERVER_OPTIONS)
        server.add_insecure_port(address)
        add(service, server)
        server.start()
        self._servers.append(server)
        return address

    def close(self) -> None:
        """Stops the services, as GrpcServer does."""
        self.control_handler.done()
        for stopped in [server.stop(GrpcServer._DEFAULT_SHUTDOWN_TIMEOUT_SECS) for server in self._servers]:
            stopped.wait()


def _server_of(state: Any, provision_info: Any, manager: WorkerHandlerManager) -> SocketServer | GrpcServer:
    """Returns the server for a WorkerHandlerManager, which calls this function instead of GrpcServer."""
    pools = {e.payload.decode() for e in manager._environments.values() if e.urn == POOL_URN}
    if not pools:  # one of the user's own pipelines
        return GrpcServer(state, provision_info, manager)
    return SocketServer(manager, WorkerPool.named(pools.pop()).sockets)


worker_handlers.GrpcServer = _server_of  # type: ignore[misc,assignment]


@contextmanager
def ports_on_loopback() -> Iterator[None]:
    """Within the block, ports that Beam would open on all interfaces in this process are opened on 127.0.0.1: those of
    job services and LOOPBACK worker pools, whose clients connect to ``localhost`` anyway."""

    def server(*arguments: Any, **named: Any) -> grpc.Server:
        made = grpc.server(*arguments, **named)
        add = made.add_insecure_port
        made.add_insecure_port = lambda address: add(address.replace("[::]:", "127.0.0.1:"))
        return made

    on_loopback = SimpleNamespace(**{**vars(grpc), "server": server})
    modules = (abstract_job_service, local_job_service, worker_handlers, worker_pool_main)
    changes: list[tuple[Any, str, Any]] = [(module, "grpc", on_loopback) for module in modules]
    changes.append((ExternalWorkerHandler, "host_from_worker", GrpcWorkerHandler.host_from_worker))
    before = [getattr(place, name) for place, name, _ in changes]
    for place, name, value in changes:
        setattr(place, name, value)
    try:
        yield
    finally:
        for (place, name, _), value in zip(changes, before, strict=True):
            setattr(place, name, value)


@WorkerHandler.register_environment(POOL_URN, bytes)
class PoolWorkerHandler(GrpcWorkerHandler):
    """A handler that connects FnApiRunner to one worker of a WorkerPool."""

    def __init__(self, payload: bytes, state: Any, provision_info: Any, grpc_server: Any) -> None:
        super().__init__(state, provision_info, grpc_server)
        self._pool = WorkerPool.named(payload.decode())
        self._connection = self.control_conn = WorkerConnection(self._pool)
        grpc_server.control_handler._connections_by_worker_id[self.worker_id] = self._connection
        self._worker: Worker | None = None

    def port_from_worker(self, port: Any) -> str:
        """Returns a socket address, which SocketServer uses instead of a port number."""
        return str(port)

    def start_worker(self) -> None:
        """Starts the worker process, which connects when ready."""
        fail, hang_up = self._connection.fail, self._connection.hang_up
        self._worker = self._pool.start(self.worker_id, self.control_address, fail=fail, hang_up=hang_up)

    def close(self) -> None:
        """Stops the worker after its last bundle, or at once if the run has failed."""
        if self._pool.failure:
            self._connection.hang_up()  # frees the server's thread
            if self._worker is not None:
                self._worker.join()
        else:
            self._pool.dismiss()
            super().close()


class PoolRunner(FnApiRunner):
    """A runner that runs everything in the workers of a pool."""

    def __init__(self, pool: WorkerPool) -> None:
        super().__init__(default_environment=PoolEnvironment(pool.key))
        self._pool = pool

    def _execute_bundle(self, *arguments: Any) -> Any:
        try:
            return super()._execute_bundle(*arguments)
        except (KeyboardInterrupt, SystemExit):  # FnApiRunner would wait for the workers' bundles
            self._pool.fail(JobFailed("interrupted"))
            raise


@contextmanager
def broken_connections_leave_no_traceback() -> Iterator[None]:
    """Within the block, threads that end because their gRPC peer is gone print no traceback. Beam's reader threads end
    that way when a worker dies, which the pool's watcher reports in one line."""
    before = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if issubclass(args.exc_type, grpc.RpcError):
            _LOGGER.debug("connection lost in thread %s", args.thread.name if args.thread else "?")
        else:
            before(args)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before


_OWN: ContextVar[bool] = ContextVar("own", default=False)


class Pipeline(beam.Pipeline):
    """A pipeline that behaves in IPython, and so in notebooks, as it does elsewhere.

    In IPython, Beam searches the user's variables for the pipeline to add cell numbers to its labels, which loads code
    that requires pandas below 3. It also leaves the pipeline's temporary folder on disk.
    """

    @override
    def apply(self, *arguments: Any, **named: Any) -> Any:
        return _as_own(super().apply, *arguments, **named)

    @override
    def run(self, *arguments: Any, **named: Any) -> Any:
        return _as_own(super().run, *arguments, **named)


def _as_own(call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    context = copy_context()
    context.run(_OWN.set, True)
    return context.run(call, *arguments, **named)


def _not_for_own(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def asked(*arguments: Any) -> Any:
        return None if _OWN.get() else function(*arguments)

    return asked


# The patches are permanent, because other threads may build pipelines meanwhile. The user's own pipelines are not
# affected.
for _name in ("alter_label_if_ipython", "is_in_ipython"):
    setattr(beam.pipeline, _name, _not_for_own(getattr(beam.pipeline, _name)))
