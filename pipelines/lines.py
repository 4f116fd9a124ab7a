"""Commands on rows of sentences and on a text: their arguments, input and output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from gistmill.core.options import Parser, add_options, from_flags, options_of
from gistmill.core.text_output import say
from gistmill.pipelines.errors import ConfigError
from gistmill.rules.propositions.statements import PropositionsConfig
from gistmill.transforms.coreference import NAMES
from gistmill.transforms.models import ModelError


def add_files(parser: argparse.ArgumentParser) -> None:
    """Adds the options of input and output."""
    parser.add_argument(
        *("-i", "--input"), metavar="FILE", default="-", help="TSV rows, UTF-8; - reads standard input (default: -)"
    )
    parser.add_argument(
        *("-o", "--output"), metavar="FILE", default="-", help="where the JSON lines go (default: standard output)"
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


def read(path: str, command: str, *, flag: str = "--input") -> bytes:
    """Returns the bytes of a file, or of standard input for "-", for which a line asks on a terminal.

    Args:
        path: of the file.
        command: without ``gistmill``, for that line.
        flag: that names the file, for an error.

    Raises:
        ConfigError: the file cannot be read.
    """
    if path == "-":
        if sys.stdin.isatty():
            say(f"gistmill {command}: type the input, and end it with Ctrl-D")
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"{flag} {path}: {error.strerror or error}") from None


def text_of(words: Sequence[str], path: str | None, command: str, *, flag: str = "--input") -> str:
    """Returns the text that a command is about: the words typed, or what a file or standard input holds.

    Args:
        words: of the command line.
        path: of a file in UTF-8; None for standard input where no words were typed.
        command, flag: as for ``read``.

    Raises:
        ConfigError: it is given twice, or cannot be read.
    """
    if words and path is not None:
        raise ConfigError(f"give a text or {flag}, not both")
    if words:
        return " ".join(words)
    try:
        return read("-" if path is None else path, command, flag=flag).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"the text is not valid UTF-8 (byte {error.start + 1})") from None


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


def add_text_options(parser: Parser) -> None:
    """Adds the options of the recipe ``propositions``, and those of parsing one text."""
    parser.add_argument(
        "--title", default="", metavar="TITLE", help="title of the text, whose subject pronouns often mean"
    )
    parser.add_argument("--coref", choices=NAMES, default="sieve", help="coreference resolver (default: %(default)s)")
    parser.add_argument("--spacy-model", metavar="MODEL", help="as of gistmill propositions")
    add_options(parser, options_of(PropositionsConfig))


def call_options(asked: argparse.Namespace) -> dict[str, Any]:
    """Returns the keywords for ``propositions`` and ``resolve``.

    Raises:
        OptionError: a value is wrong.
    """
    values = from_flags(asked, [o.name for o in options_of(PropositionsConfig)])
    config = PropositionsConfig.from_values(values)
    return {"title": asked.title, "config": config, "coref": asked.coref, "spacy_model": asked.spacy_model}


@contextmanager
def told() -> Iterator[None]:
    """Raises ConfigError for what is wrong with a text, an option or a model."""
    try:
        yield
    except (ModelError, ValueError) as error:
        raise ConfigError(str(error)) from None
