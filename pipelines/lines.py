"""Commands on rows of sentences: their arguments, input and output."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from gistmill.pipelines.errors import ConfigError


def add_files(parser: argparse.ArgumentParser) -> None:
    """Adds the options of input and output."""
    parser.add_argument(
        "--input", metavar="FILE", default="-", help="TSV rows, UTF-8; - reads standard input (default: -)"
    )
    parser.add_argument(
        "--output", metavar="FILE", default="-", help="where the JSON lines go (default: standard output)"
    )
    parser.add_argument(
        "--tokenized",
        action="store_true",
        help="the cells hold tokens joined by single spaces, as in the released dataset",
    )


def read_rows(data: bytes) -> Iterator[tuple[str, str]]:
    """Yields (first, second) of every line.

    Raises:
        ConfigError: a line is not UTF-8, has more than two cells, or an empty first one; the text names the line.
    """
    lines = data.split(b"\n")
    if lines and not lines[-1].strip(b"\r"):
        lines.pop()
    for number, line in enumerate(lines, start=1):
        try:
            cells = line.removesuffix(b"\r").decode("utf-8-sig" if number == 1 else "utf-8").split("\t")
        except UnicodeDecodeError as error:
            raise ConfigError(f"line {number}: not valid UTF-8 (byte {error.start + 1} of the line)") from None
        if len(cells) > 2:
            raise ConfigError(f"line {number}: {len(cells)} cells, expected FIRST<TAB>SECOND")
        first, second = (cell.strip() for cell in (*cells, "")[:2])
        if not first:
            raise ConfigError(f"line {number}: the first cell is empty")
        yield first, second


class Parser(argparse.ArgumentParser):
    """Errors are ConfigErrors; an unknown flag names the nearest one."""

    def error(self, message: str) -> Any:
        unknown = message.removeprefix("unrecognized arguments: ").split()[:1]
        flags = [s for a in self._actions for s in a.option_strings]
        near = difflib.get_close_matches(unknown[0], flags, n=1) if message.startswith("unrecognized") else []
        raise ConfigError(message + (f"; did you mean {near[0]}?" if near else ""))


def read(path: str) -> bytes:
    """Returns the bytes of a file, or of standard input for "-".

    Raises:
        ConfigError: the file cannot be read.
    """
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"--input {path}: {error.strerror or error}") from None


@contextmanager
def writer(path: str) -> Iterator[IO[str]]:
    """Opens a file to write, or standard output for "-".

    Raises:
        ConfigError: the file cannot be written.
    """
    if path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "w", encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"--output {path}: {error.strerror or error}") from None
        yield stream
