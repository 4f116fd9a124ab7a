"""Keeps Beam's own log messages off the terminal. Shared by the driver and its workers; does not import Beam."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from gistmill.core.text_output import printable_lines

_SILENT = logging.CRITICAL + 1
# Beam logs a failing bundle in each of these, with its traceback, and also raises it: the job's one-line error
# is made from the exception. The data plane and the handlers complain about workers that were ended on purpose.
_LEVELS = {
    "apache_beam": logging.WARNING,
    "apache_beam.runners.common": _SILENT,
    "apache_beam.runners.worker.sdk_worker": _SILENT,
    "apache_beam.runners.worker.sdk_worker_main": _SILENT,
    "apache_beam.runners.worker.data_plane": _SILENT,
    "apache_beam.runners.portability.fn_api_runner.worker_handlers": _SILENT,
}


class _Printable(logging.Formatter):
    """Warnings may name what strangers wrote."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_lines(super().format(record))


def show_warnings() -> None:
    """Shows warnings on standard error, unless the root logger has a handler."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Printable("gistmill: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def quieten() -> None:
    """Silences Beam's loggers in this process, for good."""
    for name, level in _LEVELS.items():
        logging.getLogger(name).setLevel(level)


@contextmanager
def quiet() -> Iterator[None]:
    """Silences Beam's loggers within the block; does nothing when the root logger shows debug messages."""
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
    """Keeps Beam from configuring the root logger, which it does where the user has not: within the block the handler
    that Python falls back to stands there, so that warnings look as they would without it."""
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
    """Drops, within the block, what Beam logs on import: that the clients of a cloud are not installed."""
    root = logging.getLogger()
    there = _is_news in root.filters  # the command has put it there, for good
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
    """Drops two kinds of messages: those of ``quiet_imports``, and those that the core of gRPC prints, past all
    loggers, when a connection ends. Whoever needs the latter sets GRPC_VERBOSITY.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # With fork support a forked child begins to poll at once, and now and then aborts before it has become another
    # program ("epoll_wait error: Bad file descriptor", grpc/grpc#43055). All that is started here is another program.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    logging.getLogger().addFilter(_is_news)


def mute_stores() -> None:
    """Drops errors that Beam's file systems both log, with tracebacks, and raise; each single try of a request that is
    tried again; and that a store is used without credentials, which a store that asks for them will say.
    """
    logging.getLogger().addFilter(lambda record: not record.getMessage().startswith("Error in _start_upload"))
    for name in ("apache_beam.internal.gcp.auth", "apache_beam.utils.retry", "google.auth", "urllib3.connectionpool"):
        logging.getLogger(name).setLevel(_SILENT)


def mute_cancelled() -> None:
    """Drops what Flink reports of a job that is cancelled on purpose: whoever cancels it says why."""
    logging.getLogger().addFilter(lambda record: "JobCancellationException" not in record.getMessage())
