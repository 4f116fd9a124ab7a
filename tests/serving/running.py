"""A server of its own process, as a user starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import httpx

_START = 120  # seconds


class Running:
    """A server that runs.

    Attributes:
        url: where.
        client: of httpx, for it.
        process: the supervisor.
        log: what it has logged so far, as objects.
    """

    def __init__(self, *arguments: object, environment: dict[str, str] | None = None) -> None:
        command = [sys.executable, "-m", "gistmill", "serve", "--port", "0", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
        )
        self.log: list[dict] = []
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self.wait_for("serving")["url"]
        self.client = httpx.Client(base_url=self.url, timeout=240)

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            for line in lines:
                self.lines.append(line)
                if line.startswith("{"):
                    self.log.append(json.loads(line))

    def wait_for(self, message: str, count: int = 1) -> dict:
        """The log's line with this message, when it is there ``count`` times."""
        end = time.monotonic() + _START
        while time.monotonic() < end:
            found = [line for line in list(self.log) if line["message"] == message]
            if len(found) >= count:
                return found[count - 1]
            assert self.process.poll() is None, "".join(self.lines)
            time.sleep(0.02)
        raise AssertionError(f"no {message!r} in {''.join(self.lines)}")

    def post(self, route: str, body: object, **options) -> httpx.Response:
        """The answer to a POST of JSON."""
        return self.client.post(route, json=body, **options)

    def workers(self) -> list[int]:
        """Process ids of the workers that have become ready, also of dead ones."""
        return [line["worker"] for line in self.log if line["message"] == "a worker is ready"]

    def end(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal and returns the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(60)
        self._reader.join(10)
        return code


@contextmanager
def running(*arguments: object, environment: dict[str, str] | None = None):
    """A server for a while."""
    server = Running(*arguments, environment=environment)
    try:
        yield server
    finally:
        server.client.close()
        if server.process.poll() is None:
            server.end(signal.SIGINT)
