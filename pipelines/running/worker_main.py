"""What a worker process runs: Beam's worker, with the driver's log and the driver's end looked after."""
from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading

from pipelines.running.quiet import quieten
from pipelines.running.workers import LEVEL_VARIABLE


class _ToDriver(logging.Handler):
    """Writes each record as one JSON line to standard error, where the driver listens."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = json.dumps({"log": [record.name, record.levelno, self.format(record)]})
            os.write(sys.stderr.fileno(), line.encode() + b"\n")
        except Exception:  # a record that cannot be formatted must not end the work that made it
            self.handleError(record)


def _end_with_driver() -> None:
    """Waits for the end of standard input, which comes when the driver is gone, and kills this process's group."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Serves the driver named in the environment until it hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, which ends its workers
    threading.Thread(target=_end_with_driver, name="driver watch", daemon=True).start()

    # imported here: the watch must stand before, and what imports complain about is not worth the driver's log
    from apache_beam.runners.worker import sdk_worker_main

    logging.getLogger().handlers[:] = [_ToDriver()]
    logging.captureWarnings(True)
    if int(os.environ[LEVEL_VARIABLE]) > logging.DEBUG:
        quieten()
    sdk_worker_main.main([])
