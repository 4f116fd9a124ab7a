"""The supervisor: holds the port, keeps the workers, and ends them in peace."""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
import signal
import socket
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from prometheus_client.multiprocess import mark_process_dead

from gistmill import ConfigError
from gistmill.serving.config import ServingConfig
from gistmill.serving.metrics import FOLDER
from gistmill.serving.worker import BEAT, READY, work

_BACKLOG = 2048
_SILENT = 30.0  # seconds without a beat after which a worker is killed
_START = 300.0  # seconds for a worker to load its models
_AGAIN = 1.0  # seconds before a worker is replaced that had not been ready
_FAILURES = 3  # of these in a row at the start there is no use in another
_SAFE_PATH = "PYTHONSAFEPATH"  # workers look for no modules in the working directory, which others may write too
_SPAWN = multiprocessing.get_context("spawn")
_LOGGER = logging.getLogger(__name__)


@dataclass(eq=False)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    heard: float = field(default_factory=time.monotonic)
    ready: bool = False
    problem: str = ""


class Supervisor:
    """Runs a server of several processes.

    Args:
        config: the options.

    Raises:
        ConfigError: the address cannot be listened at.
    """

    def __init__(self, config: ServingConfig) -> None:
        self._config = config
        self._listening = _listen(config)
        self._workers: list[_Worker] = []
        self._signals: list[int] = []
        self._started = False
        self._failures = 0  # workers that died before they were ready

    @property
    def url(self) -> str:
        """Where the server is."""
        host, port = self._listening.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def run(self) -> int:
        """Serves until SIGTERM or SIGINT; returns the exit code.

        Raises:
            ConfigError: no worker can start, for a reason that will not pass.
        """
        folder = tempfile.mkdtemp(prefix="gistmill-serve-")
        os.environ[FOLDER] = folder
        os.environ[_SAFE_PATH] = "1"
        waker, wakes = os.pipe()
        os.set_blocking(wakes, False)
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda number, frame: self._signals.append(number))
            signal.set_wakeup_fd(wakes)
            self._workers = [self._start() for _ in range(self._config.workers)]
            while not self._signals:
                self._look(waker)
                self._mend()
                if self._failures >= _FAILURES and not self._started:
                    _LOGGER.error("no worker can start")
                    return 1
            self._end()
        finally:
            signal.set_wakeup_fd(-1)
            for worker in self._workers:
                worker.process.kill()
            shutil.rmtree(folder, ignore_errors=True)
        return 0

    def _start(self) -> _Worker:
        mine, theirs = _SPAWN.Pipe(duplex=False)
        process = _SPAWN.Process(target=work, args=(self._config, self._listening, theirs), name="gistmill-serve")
        process.start()
        theirs.close()
        return _Worker(process, mine)

    def _look(self, waker: int) -> None:
        """Hears what the workers tell, for a second at most."""
        pipes = {worker.pipe: worker for worker in self._workers if not worker.pipe.closed}
        for found in wait([waker, *pipes, *(w.process.sentinel for w in self._workers)], timeout=1.0):
            worker = pipes.get(found) if isinstance(found, Connection) else None
            if worker is not None:
                self._hear(worker)

    def _hear(self, worker: _Worker) -> None:
        try:
            told: Any = worker.pipe.recv()
        except (EOFError, OSError):
            worker.pipe.close()
            return
        worker.heard = time.monotonic()
        if told == READY:
            worker.ready = True
            _LOGGER.info("a worker is ready", extra={"worker": worker.process.pid})
            if not self._started and all(each.ready for each in self._workers):
                self._started = True
                _LOGGER.info("serving", extra={"url": self.url, "workers": self._config.workers})
        elif told != BEAT:
            worker.problem = told

    def _mend(self) -> None:
        """Replaces workers that have died or hang."""
        for number, worker in enumerate(self._workers):
            while not worker.pipe.closed and worker.pipe.poll():
                self._hear(worker)
            if worker.problem and not self._started:
                raise ConfigError(worker.problem)
            silent = time.monotonic() - worker.heard
            hangs = silent > (_SILENT if worker.ready else _START)
            if worker.process.is_alive() and not hangs:
                continue
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
            mark_process_dead(_pid(worker), os.environ[FOLDER])
            _LOGGER.error(
                "a worker is replaced",
                extra={
                    "worker": worker.process.pid,
                    "exit_code": worker.process.exitcode,
                    "why": worker.problem or ("it hung" if hangs else "it died"),
                },
            )
            if not worker.ready:
                self._failures += 1
                time.sleep(_AGAIN)
            self._workers[number] = self._start()

    def _end(self) -> None:
        """Ends the workers; the last one that leaves the port closes it."""
        self._listening.close()
        at_once = signal.SIGINT in self._signals
        for worker in self._workers:
            with suppress(ProcessLookupError):
                os.kill(_pid(worker), signal.SIGINT if at_once and worker.ready else signal.SIGTERM)
        _LOGGER.info("ending", extra={"drain_seconds": 0 if at_once else self._config.drain})
        deadline = time.monotonic() + self._config.drain + self._config.timeout + self._config.read_timeout + 5
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))


def _listen(config: ServingConfig) -> socket.socket:
    try:
        family = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)[0][0]
        found = socket.create_server((config.host, config.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise ConfigError(f"--host {config.host} --port {config.port}: {error.strerror or error}") from None
    found.setblocking(False)
    return found


def _pid(worker: _Worker) -> int:
    pid = worker.process.pid
    assert pid is not None, "it was started"
    return pid
