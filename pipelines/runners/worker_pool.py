"""The worker processes of one local run, which are started, monitored and stopped together.

A worker runs ``serve_driver`` in its own process group, so that it can be killed with all its children. Its standard
input is a pipe from the driver: when the driver ends for any reason, the worker reads end of file and kills its group.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from urllib.parse import quote

from gistmill.pipelines.errors import ConfigError, JobFailed, shorten
from gistmill.pipelines.runners.quiet import quieten
from gistmill.transforms.arithmetic import settle_arithmetic

Fail = Callable[[JobFailed], object]

_LOGGER = logging.getLogger(__name__)

OPTIONS_VARIABLE = "PIPELINE_OPTIONS"  # read by Beam's worker
LEVEL_VARIABLE = "GISTMILL_LOG_LEVEL"  # the driver's log level, a number
SOCKETS_VARIABLE = "GISTMILL_SOCKETS"  # the folder with the driver's sockets
# How long workers may take to tear down their DoFns when the job is done.
DISMISSAL_SECONDS = 30
_LAST_LINES = 20
_SOCKETS = "gistmill-sockets-"
# Linux allows 107 bytes for a socket's path: the folder, a name ending in 8 random letters, and "/control".
_LONGEST_PLACE = 107 - len(f"/{_SOCKETS}xxxxxxxx/control")

_START = """import json, sys
sys.path[:] = json.loads(sys.argv[1])
from gistmill.pipelines.runners.worker_pool import serve_driver
serve_driver()"""
# When the driver dies, the worker's connection breaks and its input ends at about the same time, in either order. A
# worker whose connection breaks waits this long for the end of its input, upon which its children are killed too.
_DRIVER_END_SECONDS = 2.0


@contextmanager
def socket_folder() -> Iterator[str]:
    """Creates a folder for Unix sockets that no other user can enter, and removes it at the end of the block; if the
    process is killed, its workers remove it. Raises ConfigError if the folder cannot be created."""
    place = tempfile.gettempdir()
    if len(place) > _LONGEST_PLACE or quote(place) != place:  # gRPC treats the path as part of a URL
        place = "/tmp"
    try:
        folder = tempfile.mkdtemp(prefix=_SOCKETS, dir=place)  # with mode 0700
    except OSError as error:
        raise ConfigError(
            f"the workers need a folder for sockets, and {place} cannot be used ({error.strerror}); "
            f"set TMPDIR to a folder whose path has at most {_LONGEST_PLACE} characters (letters, digits and -_./), "
            "or use --workers 1"
        ) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class WorkerPool:
    """All workers of one run. The first failure (an exception or a dead worker) kills all of them."""

    _alive: weakref.WeakValueDictionary[str, WorkerPool] = weakref.WeakValueDictionary()

    def __init__(self, options: Mapping[str, object], sockets: str) -> None:
        """``options``: the workers' pipeline options by name; ``sockets``: folder for sockets (``socket_folder``)."""
        self.key = f"pool-{id(self)}"
        self.sockets = sockets
        self.failure: JobFailed | None = None
        self._environment = dict(os.environ)
        settle_arithmetic(self._environment)
        self._environment[OPTIONS_VARIABLE] = json.dumps({"options": dict(options)})
        self._environment[LEVEL_VARIABLE] = str(logging.getLogger().getEffectiveLevel())
        self._environment[SOCKETS_VARIABLE] = sockets
        self._environment["PYTHONUNBUFFERED"] = "1"
        self._members: list[Worker] = []
        self._dismissed = False
        self._lock = threading.RLock()  # reentrant: a signal handler may interrupt its holder
        WorkerPool._alive[self.key] = self

    @staticmethod
    def named(key: str) -> WorkerPool:
        """Returns the live pool with this key."""
        return WorkerPool._alive[key]

    @staticmethod
    def fail_all(failure: JobFailed) -> None:
        """Kills all pools in this process; for signal handlers."""
        for pool in list(WorkerPool._alive.values()):
            pool.fail(failure)

    @property
    def over(self) -> bool:
        """Whether the workers have been asked, or forced, to exit."""
        return self._dismissed or self.failure is not None

    def start(self, worker_id: str, control_address: str, *, fail: Fail, hang_up: Callable[[], object]) -> Worker:
        """Starts a worker process that connects to the driver at ``control_address``.

        Args:
            worker_id: the worker's name in Beam.
            control_address: address of the driver.
            fail: function that fails all requests pending for the worker.
            hang_up: function that tells the worker that there is no more work.
        """
        environment = {
            **self._environment,
            "WORKER_ID": worker_id,
            "CONTROL_API_SERVICE_DESCRIPTOR": f"url: {json.dumps(control_address)}",
        }
        worker = Worker(self, environment, fail, hang_up)
        with self._lock:
            self._members.append(worker)
        if self.failure:
            worker.kill()
            fail(self.failure)
        return worker

    def fail(self, failure: JobFailed) -> None:
        """Kills all workers and fails their pending requests. Only the first failure is kept."""
        with self._lock:
            self.failure = self.failure or failure
        for worker in list(self._members):
            worker.kill()
        for worker in list(self._members):
            worker.fail(self.failure)

    def dismiss(self) -> None:
        """Lets the workers finish and exit; kills those still running after DISMISSAL_SECONDS."""
        if self._dismissed:
            return
        self._dismissed = True
        for worker in list(self._members):
            worker.hang_up()
        timer = threading.Timer(DISMISSAL_SECONDS, self._kill_late)
        timer.daemon = True
        timer.start()

    def _kill_late(self) -> None:
        for worker in list(self._members):
            if worker.process.poll() is None:
                _LOGGER.warning("worker %d was killed: it did not exit in %d s", worker.process.pid, DISMISSAL_SECONDS)
                worker.kill()


class Worker:
    """A worker process, and two threads that read its output and wait for its end."""

    def __init__(
        self, pool: WorkerPool, environment: Mapping[str, str], fail: Fail, hang_up: Callable[[], object]
    ) -> None:
        self.fail, self.hang_up = fail, hang_up
        self._pool = pool
        self._gone = False
        self._last_lines: deque[str] = deque(maxlen=_LAST_LINES)
        # The worker can import everything that the driver can, wherever it was started.
        path = json.dumps([os.path.abspath(entry) for entry in sys.path])
        # A list, not a shell command, because the interpreter's path may contain a space. Without -P, the working
        # directory, which others may be able to write to, would be searched for modules first.
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, path],
            env=dict(environment),
            process_group=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._listener = threading.Thread(target=self._listen, name="worker output", daemon=True)
        self._watcher = threading.Thread(target=self._watch, name="worker watch", daemon=True)
        self._listener.start()
        self._watcher.start()

    def kill(self) -> None:
        """Kills the process and its children at once."""
        if self._gone:  # another process may have its id by now
            return
        with suppress(ProcessLookupError, PermissionError):  # all gone (macOS raises the latter for zombies)
            os.killpg(self.process.pid, signal.SIGKILL)

    def join(self) -> None:
        """Waits until the process and its children have ended and its output has been read."""
        self._watcher.join()

    def _watch(self) -> None:
        code = self.process.wait()
        assert self.process.stdin is not None
        self.process.stdin.close()
        expected = self._pool.over
        self.kill()  # its remaining children
        self._gone = True
        self._listener.join(timeout=1)
        if not expected:
            self._pool.fail(JobFailed(self._obituary(code), details="\n".join(self._last_lines)))

    def _obituary(self, code: int) -> str:
        if code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
            if -code == signal.SIGKILL:
                how += " (usually because memory ran out)"
        else:
            how = f"ended with exit code {code}"
        said = shorten(f": {self._last_lines[-1]}") if self._last_lines else ""
        return f"worker process {self.process.pid} {how}{said}"

    def _listen(self) -> None:
        """Passes the worker's log records to the driver's loggers, and keeps the last of its other lines of output."""
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                text = line.decode("utf-8", errors="replace").rstrip()
                if not self._relay(text) and text:
                    self._last_lines.append(text)
                    _LOGGER.debug("worker %d: %s", self.process.pid, text)

    @staticmethod
    def _relay(text: str) -> bool:
        try:
            name, level, message = json.loads(text)["log"]
        except (ValueError, KeyError, TypeError):
            return False
        logger = logging.getLogger(name)
        if logger.isEnabledFor(level):
            logger.log(level, "%s", message)
        return True


class _ToDriver(logging.Handler):
    """A handler that writes each record as a line of JSON to standard error, which the driver reads."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = json.dumps({"log": [record.name, record.levelno, self.format(record)]})
            os.write(sys.stderr.fileno(), line.encode() + b"\n")
        except Exception:  # a record that cannot be formatted must not stop the worker
            self.handleError(record)


def _end_with_driver() -> None:
    """Waits until standard input ends, which means that the driver is gone; then removes the socket folder, in case the
    driver was killed, and kills this process's group."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    shutil.rmtree(os.environ[SOCKETS_VARIABLE], ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def serve_driver() -> None:
    """Runs Beam's worker for the driver given in the environment until it disconnects, then ends the process."""
    driver_watch = threading.Thread(target=_end_with_driver, name="driver watch", daemon=True)
    driver_watch.start()

    logging.disable(logging.WARNING)  # the driver has already logged Beam's warnings on import
    from apache_beam.runners.worker import sdk_worker_main  # takes a second; the watch must already be running

    logging.disable(logging.NOTSET)

    logging.getLogger().handlers[:] = [_ToDriver()]
    logging.captureWarnings(True)
    if int(os.environ[LEVEL_VARIABLE]) > logging.DEBUG:
        quieten()
    try:
        sdk_worker_main.main([])
    except BaseException:
        driver_watch.join(_DRIVER_END_SECONDS)
        raise
    # The work is done and the DoFns are torn down. Freeing the model object by object would take another second.
    os._exit(0)
