"""``gistmill wikitransfer --fit FILE``: fits a profile to a sample of a dataset's documents and summaries."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar

from gistmill.core.options import OptionError, Options, add_options, option, options_of
from gistmill.core.text_output import say
from gistmill.core.values import SHARE, SWITCH, TEXT, one_of, whole
from gistmill.pipelines.errors import CommandParser, ConfigError
from gistmill.rules.languages.language import CODE, ENGLISH
from gistmill.rules.text.sentences import split_tokenised, splitter_for, splitter_of
from gistmill.rules.wikitransfer.example import BINS, ROUGES, FitError, Fitted, fit
from gistmill.rules.wikitransfer.profiles import dump_profile
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.rows import read_pairs

AUTO, FAST, TOKENISED, LINES = "auto", "fast", "tokenised", "lines"
_SPLITTERS: dict[str, Callable[[str], list[str]]] = {TOKENISED: split_tokenised, LINES: lambda line: [line.strip()]}


@dataclass(frozen=True, kw_only=True)
class FitConfig(Options):
    """Options for fitting a profile."""

    GROUP: ClassVar[str] = "fit"

    fit: str = option(TEXT, metavar="FILE", required=True, help="pairs: .jsonl or .tsv (also .gz, .bz2), or .parquet")
    output: str | None = option(TEXT, metavar="PROFILE.yaml", help="file for the profile (default: standard output)")
    overwrite: bool = option(SWITCH, default=False, help="replace an existing file")
    name: str | None = option(TEXT, metavar="NAME", help="name of the profile (default: the output or input file's)")
    language: str = option(CODE, default=ENGLISH, help="language of the pairs, such as de")
    document_field: str = option(TEXT, metavar="NAME", default="document", help="key or column with the documents")
    summary_field: str = option(TEXT, metavar="NAME", default="summary", help="key or column with the summaries")
    limit: int | None = option(whole(1), help="read only the first N pairs")
    share: float = option(SHARE, default=0.8, help="share of the sample that the ranges cover")
    sentences: str = option(
        one_of(AUTO, FAST, TOKENISED, LINES),
        default=AUTO,
        help="how to find sentences: fast, by rules on plain text; tokenised, by rules on text with spaces "
        "around punctuation marks; lines, one sentence per line; auto, fast or tokenised, whichever suits "
        "most marks. A line break always ends a sentence",
    )
    rouge: str = option(one_of(*ROUGES), default="rouge1", help=f"ROUGE variant for the oracle: {', '.join(ROUGES)}")
    stemmer: bool = option(SWITCH, default=False, help="stem words for that ROUGE")


def main(argv: Sequence[str]) -> int:
    """Prints or writes the profile; returns 0. Raises ConfigError if the command line or a file is invalid."""
    parser = CommandParser("wikitransfer")
    add_options(parser, options_of(FitConfig))
    # argparse would read the --help in `--fit --help` as the file
    arguments = ["--help"] if {"-h", "--help"} & {*argv} else list(argv)
    asked = parser.options(FitConfig, parser.parse_args(arguments))
    output = Path(asked.output) if asked.output else None
    if output and output.exists() and not asked.overwrite:
        raise ConfigError(f"{output} already exists; use --overwrite to replace it")
    try:
        texts = list(islice(read_pairs(asked.fit, (asked.document_field, asked.summary_field)), asked.limit))
        if not texts:
            raise FitError(f"{asked.fit} contains no pairs")
        split = _splitter(asked.sentences, texts, asked.language)
        stem = (output or Path(asked.fit)).name.split(".")[0].lower()
        fitted = fit(
            [(split(document), split(summary)) for document, summary in texts],
            name=asked.name or re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-_")[:64] or "fitted",
            share=asked.share,
            rouge=asked.rouge,
            stemmer=asked.stemmer,
            language=asked.language,
        )
    except (SourceError, FitError, OptionError) as error:
        raise ConfigError(" ".join(str(error).split())) from None
    content = _comment(fitted, asked.fit, asked.share) + dump_profile(fitted.profile)
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
    """Returns a function that splits a text into sentences; line breaks always end a sentence."""
    if method == AUTO:
        split = splitter_of((t for pair in texts for t in pair), language)
    else:
        split = splitter_for(language) if method == FAST else _SPLITTERS[method]
    return lambda text: [s for line in text.splitlines() if line.strip() for s in split(line)]


def _comment(fitted: Fitted, source: str, part: float) -> str:
    low, high = BINS[fitted.bin]
    lines = [
        f"Fitted to {fitted.pairs} pairs from {Path(source).name}; ranges cover the middle {part:.0%}.",
        f"Mean oracle {fitted.oracle:.2f}, nearest to the paper's bin {fitted.bin!r} ({low} to {high}).",
        f"Mean position of the oracle's sentences in their documents (0 to 1): {fitted.position:.2f}.",
    ]
    if fitted.too_short:
        lines.append(f"{fitted.too_short} documents have fewer sentences than a summary, and therefore no oracle.")
    return "".join(f"# {line}\n" for line in lines)
