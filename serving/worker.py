"""A worker: a process that accepts connections on the shared port and answers their requests.

uvicorn's own server would accept all simultaneous connections, and on SIGTERM close the port while connections are
still waiting. It waits indefinitely for a request head and, with httptools, accepted one of 50 MiB (0.54).
"""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import logging
import os
import signal
import socket
import time
from asyncio import TimerHandle
from http import HTTPStatus
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any, ClassVar

import uvicorn
from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gistmill.core.addresses import names_of
from gistmill.rules.augmentation.round_trip import TranslationError
from gistmill.serving import batching
from gistmill.serving.app import create_app
from gistmill.serving.articles import open_translators
from gistmill.serving.config import ServingConfig
from gistmill.serving.engines import open_engines
from gistmill.serving.middleware import MEDIA_TYPE, log_as_json, problem_body
from gistmill.serving.service import Service
from gistmill.transforms.installed import ModelError

_LINGER = 2.0  # seconds


class Protocol(HttpToolsProtocol):
    """A connection.

    Class attributes:
        HEAD_SECONDS: time limit for a request head, and for the first data on a new connection.
        HEAD_BYTES: maximum size of a request head.
    """

    HEAD_SECONDS: ClassVar[float] = 10.0
    HEAD_BYTES: ClassVar[int] = 64 << 10

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._head: TimerHandle | None = None
        self._size = 0  # bytes received of an incomplete head
        self._refused: TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        batching.CONNECTIONS.inc()
        self._expect_head()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        batching.CONNECTIONS.dec()
        self._has_head()
        if self._refused is not None:
            self._refused.cancel()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        if self._refused is not None:
            return
        self._size += len(data)
        super().data_received(data)
        if self._head is not None and self._size > self.HEAD_BYTES:
            self._refuse(431, f"the head of the request is larger than {self.HEAD_BYTES} bytes")

    def on_message_begin(self) -> None:
        """Handles the start of a request."""
        if self._head is None:
            self._expect_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Handles a complete request head."""
        self._has_head()
        super().on_headers_complete()

    def shutdown(self) -> None:
        """Closes the connection after its request. A new connection may still send its first request."""
        if self.cycle is not None:
            super().shutdown()

    def _expect_head(self) -> None:
        problem = f"the head of the request did not arrive within {self.HEAD_SECONDS:g} s"
        self._head = self.loop.call_later(self.HEAD_SECONDS, self._refuse, 408, problem)

    def _has_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self._head, self._size = None, 0

    def send_400_response(self, msg: str) -> None:
        """Responds to data that is not HTTP."""
        self._refuse(400, "the request is not HTTP/1.1")

    def _refuse(self, status: int, detail: str) -> None:
        """Sends an error before a request is complete and closes the connection. Further input is read for a while,
        because closing a connection with unread bytes resets it and loses the response."""
        self._has_head()
        if self._refused is not None or self.transport.is_closing():
            return
        body = problem_body(status, detail)
        lines = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            f"content-type: {MEDIA_TYPE}",
            f"content-length: {len(body)}",
            "connection: close",
        )
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.write_eof()
        self._refused = self.loop.call_later(_LINGER, self.transport.close)


READY = "ready"  # sent to the supervisor; any other message is the reason why the worker cannot start
_START = 300.0  # seconds for a worker to load its models
_STUCK = 30.0  # seconds beyond the request time limit after which a batch counts as hung
_SILENT = 30.0  # seconds until a hanging worker is terminated
_TWICE = 1.0  # minimum seconds between signals to count as separate
_PAUSE = 0.02  # seconds between checks when all connections are in use
_LOGGER = logging.getLogger(__name__)


def work(config: ServingConfig, listening: socket.socket, pipe: Connection) -> None:
    """Serves until SIGTERM or SIGINT, or until the supervisor exits.

    Args:
        config: the options.
        listening: the socket shared by all workers.
        pipe: the pipe to the supervisor; it receives one message: READY, or the reason why the worker cannot start.
    """
    log_as_json(texts=config.log_texts)
    _live(_START)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # sent by the terminal; the supervisor decides when to stop
    try:
        translators, engines = open_translators(config), open_engines(config)  # the faster one first
    except (ModelError, TranslationError) as error:
        pipe.send(str(error))
        return
    service = Service(config, engines, translators)
    Protocol.HEAD_SECONDS = config.read_timeout
    gc.freeze()  # a body with 300,000 lists triggers garbage collections, which would scan the models each time
    Server(config, service, listening, pipe).run(sockets=[])


class Server(uvicorn.Server):
    """uvicorn's server, with three differences: it accepts one connection at a time from the shared port, and none when
    it has reached its maximum, so that no worker takes them all; after SIGTERM the port stays open for a while; and it
    terminates if the event loop or a batch hangs."""

    def __init__(self, config: ServingConfig, service: Service, listening: socket.socket, pipe: Connection) -> None:
        super().__init__(
            uvicorn.Config(
                create_app(config, service, names=names_of(config.host, listening.getsockname()[0])),
                http=Protocol,
                loop="asyncio",
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=int(config.timeout + config.read_timeout) + 1,
            )
        )
        self._config, self._service, self._listening, self._pipe = config, service, listening, pipe
        self._draining_since: float | None = None
        self._connecting: set[asyncio.Task[Any]] = set()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Drains on SIGTERM; stops without draining on SIGINT, and without waiting for requests on a second SIGINT."""
        now = time.monotonic()
        if sig == signal.SIGINT:
            # the terminal and the supervisor both send it, at about the same time
            self.force_exit = self.should_exit and now > (self._draining_since or now) + _TWICE
            self.should_exit = True
        self._draining_since = self._draining_since or now
        self._service.draining = True

    @override
    async def startup(self, sockets: Any = None) -> None:
        """Starts up, then accepts connections."""
        await super().startup(sockets)
        self._listening.setblocking(False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._listening.fileno(), self._accept)
        supervisor = parent_process()
        if supervisor is not None:
            self._loop.add_reader(supervisor.sentinel, os._exit, 1)
        self._pipe.send(READY)

    @override
    async def on_tick(self, counter: int) -> bool:
        """Runs periodic checks, ten times a second."""
        if counter % 10 == 0:
            since = self._service.busy_since()
            if since is None or time.monotonic() <= since + self._config.timeout + _STUCK:
                _live(_SILENT)
        drained = self._draining_since is not None and time.monotonic() > self._draining_since + self._config.drain
        return await super().on_tick(counter) or drained

    async def shutdown(self, sockets: Any = None) -> None:
        """Accepts the waiting connections and releases the port, then shuts down as uvicorn.Server does."""
        _live(2 * (self._config.timeout + self._config.read_timeout) + _SILENT)  # first for batches, then for requests
        self._loop.remove_reader(self._listening.fileno())
        # connections that arrive between the last check and the close are lost, so nothing may come between the two
        async with self._service.quiet():
            while self._take():
                pass
            self._listening.close()
        await asyncio.gather(*self._connecting, return_exceptions=True)
        await super().shutdown(sockets)

    def _accept(self) -> None:
        if len(self.server_state.connections) + len(self._connecting) >= self._config.max_connections:
            self._loop.remove_reader(self._listening.fileno())
            self._loop.call_later(_PAUSE, self._look_again)
            return
        self._take()

    def _look_again(self) -> None:
        if self._listening.fileno() >= 0:
            self._loop.add_reader(self._listening.fileno(), self._accept)

    def _take(self) -> bool:
        """Accepts a connection; returns whether one was waiting."""
        try:
            connection, _ = self._listening.accept()
        except BlockingIOError:  # another worker was faster
            return False
        except OSError as error:  # the client has disconnected, or no file descriptors are left
            _LOGGER.warning("a connection was not accepted", extra={"error": str(error)})
            return False
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        task = self._loop.create_task(self._loop.connect_accepted_socket(self._protocol, connection))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)
        return True

    def _protocol(self) -> Protocol:
        return Protocol(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state, _loop=self._loop
        )


def _live(seconds: float) -> None:
    """Terminates the process after this time unless called again, even if C code holds the interpreter lock, and
    writes each thread's stack to standard error."""
    faulthandler.dump_traceback_later(seconds, exit=True)
