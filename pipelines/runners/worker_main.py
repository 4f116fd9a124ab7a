"""Runs Beam's worker in a process of its own: passes its log to the driver, and ends it when the driver ends."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import sys
import threading

from gistmill.pipelines.runners.crew import LEVEL_VARIABLE, SOCKETS_VARIABLE
from gistmill.pipelines.runners.quiet import quieten

# A driver that dies breaks the connection and ends the worker's input, in either order, at about the same time. A
# worker that sees its connection break waits this long for the end of its input, which ends its children too.
_DRIVER_END_SECONDS = 2.0


class _ToDriver(logging.Handler):
    """Writes each record as one JSON line to standard error, where the driver listens."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = json.dumps({"log": [record.name, record.levelno, self.format(record)]})
            os.write(sys.stderr.fileno(), line.encode() + b"\n")
        except Exception:  # a record that cannot be formatted must not end the work that made it
            self.handleError(record)


def _end_with_driver() -> None:
    """Waits for the end of standard input, which comes when the driver is gone; removes what a killed one has left, and
    kills this process's group."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    shutil.rmtree(os.environ[SOCKETS_VARIABLE], ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Serves the driver named in the environment until it hangs up, and ends the process."""
    driver_watch = threading.Thread(target=_end_with_driver, name="driver watch", daemon=True)
    driver_watch.start()

    logging.disable(logging.WARNING)  # the driver has imported Beam too, and has logged its warnings
    from apache_beam.runners.worker import sdk_worker_main  # takes a second: the watch has to run before

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
    # The work is done and its DoFns are torn down. Freeing the model object by object would take a second more.
    os._exit(0)
