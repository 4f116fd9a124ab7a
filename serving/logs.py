"""Structured logs: one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime
from traceback import format_tb

from typing_extensions import override

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonFormatter(logging.Formatter):
    """Writes a record with its extra fields as a line of JSON.

    Args:
        texts: whether messages of exceptions are written, which may hold texts of requests.
    """

    def __init__(self, *, texts: bool) -> None:
        super().__init__()
        self._texts = texts

    @override
    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "pid": os.getpid(),
            **{name: value for name, value in vars(record).items() if name not in _STANDARD},
        }
        if record.exc_info:
            kind, error, traceback = record.exc_info
            said["error"] = f"{kind.__name__}: {error}" if self._texts and kind else getattr(kind, "__name__", "")
            said["traceback"] = "".join(format_tb(traceback))
        return json.dumps(said, ensure_ascii=True, default=str)


def log_as_json(*, texts: bool) -> None:
    """Sends the logs of the process to standard error, as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(texts=texts))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("gistmill.serving").setLevel(logging.INFO)
