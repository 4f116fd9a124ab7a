"""``gistmill wikitransfer --fit FILE``: the profile of a dataset, from a sample of its documents and summaries."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from gistmill.core.options import OptionError
from gistmill.core.text_output import say
from gistmill.core.values import SHARE, whole
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.rules.languages.language import CODE, ENGLISH
from gistmill.rules.text.sentences import split_tokenised, splitter_for, splitter_of
from gistmill.rules.wikitransfer.example import BINS, ROUGES, FitError, Fitted, fit
from gistmill.rules.wikitransfer.profiles import dump_profile
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.tables import read_pairs

AUTO, FAST, TOKENISED, LINES = "auto", "fast", "tokenised", "lines"
METHODS = (AUTO, FAST, TOKENISED, LINES)
_SPLITTERS: dict[str, Callable[[str], list[str]]] = {TOKENISED: split_tokenised, LINES: lambda line: [line.strip()]}
_DESCRIPTION = """\
Makes a profile for --profile from a sample of pairs: M is the median number of sentences of the summaries; lengths and
the oracle's ROUGE range over the middle part of the sample. The profile is printed, or written to --output, as YAML
with every value, to be edited as needed."""


def main(argv: Sequence[str]) -> int:
    """Prints or writes the profile; returns 0.

    Raises:
        ConfigError: the command line or the file cannot be used.
    """
    wants_help = not {"-h", "--help"}.isdisjoint(argv)
    arguments = _parser().parse_args(["--help"] if wants_help else list(argv))
    output = Path(arguments.output) if arguments.output else None
    if output and output.exists() and not arguments.overwrite:
        raise ConfigError(f"{output} is there already; --overwrite replaces it")
    try:
        pairs = read_pairs(arguments.fit, (arguments.document_field, arguments.summary_field))
        texts = list(islice(pairs, arguments.limit))
        if not texts:
            raise FitError(f"{arguments.fit} holds no pairs")
        split = _splitter(arguments.sentences, texts, arguments.language)
        stem = (output or Path(arguments.fit)).name.split(".")[0].lower()
        fitted = fit(
            [(split(document), split(summary)) for document, summary in texts],
            name=arguments.name or re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-_")[:64] or "fitted",
            share=arguments.share,
            rouge=arguments.rouge,
            stemmer=arguments.stemmer,
            language=arguments.language,
        )
    except (SourceError, FitError, OptionError) as error:
        raise ConfigError(" ".join(str(error).split())) from None
    content = _comment(fitted, arguments.fit, arguments.share) + dump_profile(fitted.profile)
    if output is None:
        print(content, end="")
        return 0
    try:
        part = output.with_name(f".{output.name}.{os.getpid()}")
        part.write_text(content, encoding="utf-8")
        part.replace(output)
    except OSError as error:
        raise ConfigError(f"{output}: {error.strerror or error}") from None
    profile = fitted.profile
    say(
        f"{output}: M {profile.sentences}, oracle {profile.min_oracle:g} to {profile.max_oracle:g}, "
        f"from {fitted.pairs} pairs",
        sys.stdout,
    )
    return 0


def _splitter(method: str, texts: Sequence[tuple[str, str]], language: str) -> Callable[[str], list[str]]:
    """Returns what splits a text of a language into sentences; a line break always does."""
    if method == AUTO:
        split = splitter_of((t for pair in texts for t in pair), language)
    else:
        split = splitter_for(language) if method == FAST else _SPLITTERS[method]
    return lambda text: [s for line in text.splitlines() if line.strip() for s in split(line)]


def _comment(fitted: Fitted, source: str, part: float) -> str:
    low, high = BINS[fitted.bin]
    lines = [
        f"Fitted to {fitted.pairs} pairs of {Path(source).name}: lengths and oracle are of the middle {part:.0%}.",
        f"Mean oracle {fitted.oracle:.2f}; nearest is the bin {fitted.bin!r} of the paper, {low} to {high}.",
        f"The oracle's sentences stand at {fitted.position:.2f} of their documents on average.",
    ]
    if fitted.too_short:
        lines.append(f"{fitted.too_short} documents have fewer sentences than a summary, and so no oracle.")
    return "".join(f"# {line}\n" for line in lines)


def _checked(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """The same for argparse, with its words on what is expected."""

    def checked(value: str) -> Any:
        try:
            return parse(value)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{error}, not {value!r}") from None

    return checked


def _parser() -> CommandParser:
    parser = CommandParser("wikitransfer", description=_DESCRIPTION)
    parser.add_argument(
        "--fit", metavar="FILE", required=True, help="pairs: .jsonl or .tsv (also .gz, .bz2), or .parquet"
    )
    parser.add_argument(
        "-o", "--output", metavar="PROFILE.yaml", help="where the profile goes (default: standard output)"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is already there")
    parser.add_argument("--name", help="name of the profile (default: that of the output or the file)")
    parser.add_argument(
        "--language",
        metavar=CODE.metavar,
        type=_checked(CODE.parse),
        default=ENGLISH,
        help="the language of the pairs, such as de (default: %(default)s)",
    )
    parser.add_argument(
        "--document-field",
        metavar="NAME",
        default="document",
        help="key or column of the documents (default: document)",
    )
    parser.add_argument(
        "--summary-field", metavar="NAME", default="summary", help="key or column of the summaries (default: summary)"
    )
    parser.add_argument("--limit", metavar="N", type=_checked(whole(1).parse), help="read only the first N pairs")
    parser.add_argument(
        "--share",
        metavar="P",
        type=_checked(SHARE.parse),
        default=0.8,
        help="share of the sample that the ranges cover (default: 0.8)",
    )
    parser.add_argument(
        "--sentences",
        choices=METHODS,
        default=AUTO,
        help="fast: rules on plain text; tokenised: marks that stand alone; lines: a line is a sentence; "
        "auto: one of the first two, by what most marks do (default). A line break always ends a "
        "sentence",
    )
    parser.add_argument("--rouge", choices=ROUGES, default="rouge1", help="ROUGE of the oracle (default: rouge1)")
    parser.add_argument("--stemmer", action="store_true", help="stem words for it")
    return parser
