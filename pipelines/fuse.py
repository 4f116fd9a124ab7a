"""``gistmill fuse``: two sentences become one text, from the command line."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gistmill.pipelines import lines
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.fusing import fusions_of, loaded, wanted_plan
from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.fusion.codec import TooLongError
from gistmill.rules.fusion.decode import Wanted
from gistmill.rules.fusion.labels import LabelsError
from gistmill.transforms.models import ModelError

if TYPE_CHECKING:
    from gistmill.transforms.fusion.tagger import Tagger

_DESCRIPTION = """\
Fuses sentences. Each input row is FIRST<TAB>SECOND; or two sentences are given as arguments. Each output line is a JSON
object with the row, its fusions, the best first (text, edits, discourse type, and score, a log probability), and the
probability that the sentences are left alone.
"""
_EPILOG = """\
examples:
  gistmill fuse "The Sharks started slowly." "The Sharks recovered to claim sixth spot." --connective but
  gistmill fuse -i rows.tsv -o fusions.jsonl --alternatives 3
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``gistmill fuse``."""
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE", help="two sentences, in place of --input")
    lines.add_files(parser)
    parser.add_argument(
        "--type", choices=DiscourseType.__members__, metavar="TYPE", help="discourse type (default: the likeliest)"
    )
    parser.add_argument(
        "--connective", metavar="WORDS", help="connective, such as 'although' (default: the likeliest, or none)"
    )
    parser.add_argument(
        "--caution",
        type=_number,
        default=0.0,
        metavar="N",
        help="added to the log probability of leaving two sentences alone; a larger number leaves more of them alone "
        "(default: 0)",
    )
    parser.add_argument(
        "--n",
        "--alternatives",
        dest="n",
        type=_whole,
        default=1,
        metavar="N",
        help="maximum number of fusions per row: the best one and the likeliest others (default: 1)",
    )
    parser.add_argument(
        "--model",
        metavar="FOLDER",
        help="folder of a tagger that gistmill-train exported (default: the one of the package)",
    )


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, not {text!r}")
    return int(text)


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise argparse.ArgumentTypeError(f"expected a number, not {text!r}")
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the job.

    Raises:
        ConfigError: the command line or a row is wrong.
    """
    parser = CommandParser("fuse", description=_DESCRIPTION, epilog=_EPILOG)
    add_arguments(parser)
    return run(parser.parse_args(argv))


def run(args: argparse.Namespace) -> int:
    """Fuses every row and writes one JSON object per row, in order; returns 0.

    Raises:
        ConfigError: the input cannot be read, a row is malformed (with its line number), or the tagger is missing or
            has not learnt what is wanted. Nothing has been written then.
    """
    rows = _rows(args)
    wanted = Wanted(plan=wanted_plan(args.type), connective=args.connective, caution=args.caution, count=args.n)
    try:
        tagger = loaded(args.model)
        fusions_of(tagger, ("A .", "B ."), wanted, True)  # tells whether type and connective are known
    except (ModelError, LabelsError) as error:
        raise ConfigError(str(error)) from None
    with lines.writer(args.output) as output:
        for result in _results(tagger, rows, wanted, args.tokenized):
            output.write(json.dumps(result, ensure_ascii=False) + "\n")
    return 0


def _rows(args: argparse.Namespace) -> list[tuple[str, str]]:
    if not args.sentences:
        rows = list(lines.read_rows(lines.read(args.input, "fuse")))
        for number, (_, second) in enumerate(rows, start=1):
            if not second:
                raise ConfigError(f"line {number}: the second cell is empty")
        return rows
    if args.input != "-":
        raise ConfigError("give sentences or --input, not both")
    sentences = [" ".join(sentence.split()) for sentence in args.sentences]
    if len(sentences) != 2 or not all(sentences):
        raise ConfigError(f"expected two sentences, not {sum(map(bool, sentences))}")
    return [(sentences[0], sentences[1])]


def _results(
    tagger: Tagger, rows: Sequence[tuple[str, str]], wanted: Wanted, tokenized: bool
) -> Iterator[dict[str, Any]]:
    for row in rows:
        found: dict[str, Any] = {"fusions": [], "unchanged_probability": None}
        why = None
        try:
            found = asdict(fusions_of(tagger, row, wanted, tokenized))
        except TooLongError as error:
            why = str(error)
        yield {"first": row[0], "second": row[1], **found, "why": why}
