"""Small DoFns that misbehave on demand. In a module of their own: worker processes import them."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import apache_beam as beam
import psutil
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import S3Options, WorkerOptions

from gistmill.transforms.arithmetic import THREAD_CAPS, pins


class Record(beam.DoFn):
    """Leaves, for each element, a file with what the process sees."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def process(self, element):
        options = FileSystems._pipeline_options
        seen = {
            "pid": os.getpid(),
            "cwd": os.getcwd(),
            "python": sys.executable,
            "endpoint": options.view_as(S3Options).s3_endpoint_url,
            "cache": options.view_as(WorkerOptions).max_cache_memory_usage_mb,
            "caps": [os.environ.get(name) for name in THREAD_CAPS],
            "pins": {name: os.environ.get(name) for name in pins().variables},
        }
        Path(self._folder, f"{element}.seen").write_text(repr(seen))
        yield element


class Hang(beam.DoFn):
    """Says that it is there, starts a child that listens to nobody, and works for a minute."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def process(self, element):
        stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
        subprocess.Popen([sys.executable, "-c", stubborn], stdin=subprocess.DEVNULL)
        Path(self._folder, f"{os.getpid()}.there").touch()
        for _ in range(600):
            time.sleep(0.1)
        yield element


class Deaf(beam.DoFn):
    """Works for five minutes and swallows every exception that comes."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def process(self, element):
        Path(self._folder, f"{os.getpid()}.there").touch()
        end = time.monotonic() + 300
        while time.monotonic() < end:
            with contextlib.suppress(BaseException):
                time.sleep(0.1)
        yield element


class BadPage(ValueError):
    """An exception that Beam cannot rebuild: two arguments."""

    def __init__(self, page: int, why: str) -> None:
        super().__init__(page, why)
        self.page, self.why = page, why

    def __str__(self) -> str:
        return f"page {self.page}: {self.why}"


def fail_at_seven(element: int) -> int:
    """Raises ValueError at element 7; what comes in another process hangs for a minute."""
    if element == 7:
        raise ValueError("page 7 is\nbad")
    return element


def fail_fast(element: int) -> int:
    """Element 1 fails, element 0 works for ten minutes."""
    if element == 1:
        raise BadPage(1, "no text")
    time.sleep(600)
    return element


def interrupt(element: int) -> int:
    """Does as if somebody pressed Ctrl-C at element 7."""
    if element == 7:
        raise KeyboardInterrupt
    return element


def die(element: int) -> int:
    """Ends its process as a crash in C code does."""
    if element == 1:
        print("free(): invalid pointer", file=sys.stderr)
        os.abort()
    time.sleep(60)
    return element


def talk(element: int) -> int:
    """Logs at every level, warns and prints."""
    logging.getLogger("gistmill.transforms.talk").info("information %d", element)
    logging.getLogger("gistmill.transforms.talk").warning("warning %d\nsecond line", element)
    logging.getLogger("apache_beam.io").info("chatter %d", element)
    warnings.warn(f"python warning {element}", UserWarning, stacklevel=1)
    print("printed", element)
    return element


def listening(process: psutil.Process | None = None) -> set[str]:
    """The addresses at which a process listens on TCP: this one, if none is named."""
    found = (process or psutil.Process()).net_connections("tcp")
    return {f"{c.laddr.ip} port {c.laddr.port}" for c in found if c.status == psutil.CONN_LISTEN}


class Listening(beam.DoFn):
    """Leaves a file with the addresses at which the process listens."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def process(self, element):
        Path(self._folder, f"{element}.seen").write_text(repr(listening()))
        yield element
