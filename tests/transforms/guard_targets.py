"""What the tests of the guard run in its child."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import time
from pathlib import Path


def echo(payload: object) -> tuple[object, int]:
    return payload, os.getpid()


def add(payload: int, *, more: int) -> int:
    return payload + more


def fail(payload: str) -> None:
    raise KeyError(payload)


def die(status: int) -> None:
    os._exit(status)


def kill_itself(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def spin_in_c(seconds: float) -> int:
    """Holds the interpreter's lock in C code for minutes."""
    return sum(range(int(seconds) * 10**9))


def count_then_hang(path: str) -> bool:
    if not Path(path).parent.is_absolute():
        return True
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    return bool(sum(range(10**13)))


def hang_the_first_time(path: str) -> str:
    if not Path(path).exists():
        Path(path).touch()
        time.sleep(600)
    return "done"


def die_the_first_time(path: str) -> str:
    if not Path(path).exists():
        Path(path).touch()
        os._exit(1)
    return "done"


def printing(payload: str) -> str:
    print("to standard output", payload, flush=True)
    os.write(1, b"straight to the descriptor\n")
    assert sys.stdin.read() == ""
    return payload


def loaded_modules(_: object, *, needs: str) -> set[str]:
    importlib.import_module(needs)
    return set(sys.modules)


def allocate(size: int) -> int:
    return len(bytearray(size))
