"""Suppression of Beam's own log messages. Used by the driver and its workers; does not import Beam."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from gistmill.core.text_output import printable_lines

_SILENT = logging.CRITICAL + 1
# Each of these loggers reports a failing bundle with its traceback, but Beam also raises the exception, from which the
# job's one-line error is made. The data plane and the handlers also complain about workers stopped on purpose.
_LEVELS = {
    "apache_beam": logging.WARNING,
    "apache_beam.runners.common": _SILENT,
    "apache_beam.runners.worker.sdk_worker": _SILENT,
    "apache_beam.runners.worker.sdk_worker_main": _SILENT,
    "apache_beam.runners.worker.data_plane": _SILENT,
    "apache_beam.runners.portability.fn_api_runner.worker_handlers": _SILENT,
}


class _Printable(logging.Formatter):
    """A formatter that escapes control characters, since warnings may quote untrusted text."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_lines(super().format(record))


def show_warnings() -> None:
    """Shows warnings on standard error, unless the root logger has a handler."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Printable("gistmill: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def quieten() -> None:
    """Silences Beam's loggers in this process permanently."""
    for name, level in _LEVELS.items():
        logging.getLogger(name).setLevel(level)


@contextmanager
def quiet() -> Iterator[None]:
    """Silences Beam's loggers within the block, unless the root logger shows debug messages."""
    before = {name: logging.getLogger(name).level for name in _LEVELS}
    try:
        if logging.getLogger().getEffectiveLevel() > logging.DEBUG:
            quieten()
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def unconfigured() -> Iterator[None]:
    """Keeps Beam from configuring a root logger without handlers: within the block, Python's fallback handler is
    attached to it, so that warnings look as they would without Beam."""
    root, fallback = logging.getLogger(), logging.lastResort
    if root.handlers or fallback is None:
        yield
        return
    root.addHandler(fallback)
    try:
        yield
    finally:
        root.removeHandler(fallback)


@contextmanager
def quiet_imports() -> Iterator[None]:
    """Drops, within the block, Beam's message on import that a cloud's client library is not installed."""
    root = logging.getLogger()
    there = _is_news in root.filters  # the command has already added it permanently
    root.addFilter(_is_news)
    try:
        with unconfigured():
            yield
    finally:
        if not there:
            root.removeFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith("apitools not found")


def mute_imports() -> None:
    """Drops the message that ``quiet_imports`` drops, and those that the gRPC core prints directly when a connection
    ends; set GRPC_VERBOSITY to see the latter."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # With fork support, a forked child starts polling at once and sometimes aborts before it executes another program
    # ("epoll_wait error: Bad file descriptor", grpc/grpc#43055). All children here execute another program.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    logging.getLogger().addFilter(_is_news)


def mute_stores() -> None:
    """Drops errors that Beam's file systems log with tracebacks as well as raise, messages on every retry of a request,
    and warnings about missing credentials, since a store that requires them returns an error."""
    logging.getLogger().addFilter(lambda record: not record.getMessage().startswith("Error in _start_upload"))
    for name in ("apache_beam.internal.gcp.auth", "apache_beam.utils.retry", "google.auth", "urllib3.connectionpool"):
        logging.getLogger(name).setLevel(_SILENT)


def mute_cancelled() -> None:
    """Drops Flink's messages about a job cancelled on purpose; its canceller reports the reason."""
    logging.getLogger().addFilter(lambda record: "JobCancellationException" not in record.getMessage())
