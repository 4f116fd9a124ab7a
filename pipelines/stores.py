"""Object stores (gs://, s3://) through Beam's file systems: what a driver does there, tried again when it fails."""

from __future__ import annotations

import functools
import json
import os
import re
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems

from gistmill.core.addresses import waiting_for
from gistmill.pipelines.errors import ConfigError, JobFailed, shorten
from gistmill.transforms.io import create, escaped, is_url, matching, open_input, size_of

T = TypeVar("T")
# Stores answer 503 for moments and 429 when asked too often: the waits between five tries add up to 15 seconds.
WAITS_SECONDS = (1.0, 2.0, 4.0, 8.0)
PATIENCE_SECONDS = 60.0  # a client that has tried for so long by itself, as Google's does, is not asked again
# A status stands alone in these texts; within an address the same digits are a port or a part of a name.
_HINTS = (
    (re.compile(r"NoSuchBucket|(?<![^\s(])404(?![^\s):])"), "there is no such bucket, or nothing of that name"),
    (
        re.compile(r"AccessDenied|InvalidAccessKeyId|NoCredentials|DefaultCredentials|(?<![^\s(])40[13](?![^\s):])"),
        "the store asks for credentials that allow it",
    ),
)
_MOST_JSON = 64 << 20  # bytes
_DELETED_AT_ONCE = 100  # S3 and GCS take up to 1000 and 100 names in a request


class StoreError(JobFailed):
    """The store denies access or does not answer; the text is one line for the user."""


class NotJsonError(StoreError, ValueError):
    """An object is not the small JSON file that is kept under its name."""


def retrying(what: str, action: Callable[[], T]) -> T:
    """Calls ``action`` until it succeeds, with WAITS_SECONDS in between.

    Raises:
        StoreError: it failed every time, or for too long; the text says ``what`` could not be done, and why.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    with waiting_for(what):
        for wait in (*WAITS_SECONDS, None):
            try:
                return action()
            except Exception as error:  # each store's library has exceptions of its own
                if wait is None or is_final(error) or time.monotonic() > until:
                    raise StoreError(f"cannot {what}: {reason_of(error)}") from error
                time.sleep(wait)
    raise AssertionError("unreachable")


def failure_of_store(error: BeamIOError) -> ConfigError | StoreError:
    """What a person is told where an input cannot be read: a ConfigError where another try would be answered in the
    same way, else a StoreError. The text names the input."""
    kind = ConfigError if is_final(error) else StoreError
    return kind(f"{', '.join(error.exception_details or {})}: {reason_of(error)}")


def is_final(error: BaseException) -> bool:
    """Whether another try would be answered in the same way: nothing there, or no right to it."""
    text = reason_of(error)
    return any(text.startswith(hint) for _, hint in _HINTS)


def reason_of(error: BaseException) -> str:
    """The first thing that went wrong, in one line."""
    last = list(_chain(error))[-1]
    text = " ".join(str(last).split()) or type(last).__name__
    text = text if isinstance(last, OSError) else f"{type(last).__name__}: {text}"
    return shorten(next((f"{hint} ({text})" for sign, hint in _HINTS if sign.search(text)), text))


def _chain(error: BaseException) -> Iterable[BaseException]:
    """The exception and what it was made from; Beam keeps the latter in ``exception_details``."""
    seen: list[BaseException] = []
    while error not in seen:
        seen.append(error)
        details = getattr(error, "exception_details", None)
        inner = (
            next((d for d in details.values() if isinstance(d, BaseException)), None)
            if isinstance(details, dict)
            else None
        )
        error = inner or error.__cause__ or error
    return seen


def names_below(folder: str) -> dict[str, int]:
    """Returns name -> bytes of every file below a folder, of this machine or of a store."""
    if not is_url(folder):
        paths = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
        return {path: os.path.getsize(path) for path in paths}
    return matching(f"{escaped(folder.rstrip('/'))}/**")


def remove(names: Iterable[str]) -> None:
    """Deletes objects; those that are gone already do not matter."""
    rest = sorted(names)
    for start in range(0, len(rest), _DELETED_AT_ONCE):
        part = rest[start : start + _DELETED_AT_ONCE]
        retrying(f"delete {part[0]}", functools.partial(_delete, part))


def _delete(names: list[str]) -> None:
    there = [m.path for m in (r.metadata_list[0] for r in FileSystems.match(names) if r.metadata_list)]
    if there:
        FileSystems.delete(there)


def write_text(path: str, text: str) -> None:
    """Writes a small object; a reader sees the old one or the new one."""

    def write() -> None:
        with create(path) as file:
            file.write(text.encode("utf-8", "backslashreplace"))

    retrying(f"write {path}", write)


def read_json(path: str) -> Any:
    """Reads a small JSON object; None when there is none.

    Raises:
        StoreError: the store does not answer.
        NotJsonError: it is not JSON, or is over 64 MiB.
    """

    def read() -> bytes | None:
        size = size_of(path)
        if size is None or size > _MOST_JSON:
            return None if size is None else b""
        with open_input(path) as file:
            return file.read()

    content = retrying(f"read {path}", read)
    try:
        return None if content is None else json.loads(content)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(f"{path} is not a small file of JSON: {shorten(str(error))}") from None
