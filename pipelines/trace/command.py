"""``gistmill trace``: from a row of a published dataset back to its page, and to what the recipe did."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence

from gistmill.core.manifest import ManifestError
from gistmill.core.terminal import printable
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.trace.row import TracedDocument, TracedRow, trace_document, trace_row
from gistmill.pipelines.trace.text import document_lines, row_lines
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.finding import Finder

NOT_THERE = 1
_DESCRIPTION = """\
Goes back from a row of a published dataset: to its page and revision, to the file and offset (or the WARC record) that
it was read from, and to what the recipe did to make it. Parquet files are sorted, so that a few row groups are read.

With --input the page is read again at its place, and the recipe is run on it with the options of the dataset: then
every operation of the rules is shown, with the sentences before and after it, and whether the row comes out the same.
"""
_EPILOG = """\
examples:
  gistmill trace out/demo wikipedia-12-00001-PAIR_NONE-0
  gistmill trace s3://bucket/discofuse-en wikipedia-12-00001-PAIR_NONE-0 --json
  gistmill trace out/demo wikipedia-12-00001-PAIR_NONE-0 --input enwiki-multistream.xml.bz2
  gistmill trace discofuse-en wikipedia-12-00001-PAIR_NONE-0 --input annotated-en
  gistmill trace out/demo --document wikipedia-12

exit codes: 0 found; 1 the dataset does not have it, and the nearest ids are named; 2 the command line, the dataset or
the input is wrong.
"""


def main(argv: Sequence[str]) -> int:
    """Prints what is known of a row or document; returns the exit code.

    Raises:
        ConfigError: the command line is wrong, or the dataset or an input cannot be read.
    """
    arguments = _arguments(argv)
    try:
        dataset = Dataset(arguments.dataset)
        found = _found(dataset, arguments)
    except (DatasetError, ManifestError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{arguments.dataset} cannot be read: {' '.join(str(error).split())}") from None
    if isinstance(found, str):
        print(printable(f"gistmill trace: {found}"), file=sys.stderr)
        return NOT_THERE
    for line in found:
        print(printable(line))
    return 0


def _found(dataset: Dataset, arguments: Namespace) -> list[str] | str:
    """The lines on what was asked for; or one line, a text, which says that it is not there."""
    traced: TracedRow | TracedDocument | None
    if arguments.document:
        traced = trace_document(dataset, arguments.document)
    else:
        traced = trace_row(dataset, arguments.id, inputs=arguments.input or ())
    if traced is None:
        return _not_there(dataset, arguments.document or arguments.id, "document" if arguments.document else "row")
    if arguments.json:
        return [json.dumps(traced.to_json(), ensure_ascii=False)]
    if isinstance(traced, TracedRow):
        return list(row_lines(traced))
    return list(document_lines(traced, everything=arguments.all))


def _not_there(dataset: Dataset, wanted: str, what: str) -> str:
    near = ", ".join(Finder(dataset).neighbours(wanted)[:4])
    return f"{dataset.place} has no {what} {wanted!r}; the nearest rows are {near}"


def _arguments(argv: Sequence[str]) -> Namespace:
    parser = CommandParser("trace", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("dataset", metavar="DATASET", help="a published dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument("id", metavar="ID", nargs="?", help="id of the row")
    parser.add_argument("--document", metavar="ID", help="show all rows and rejects of this document instead")
    parser.add_argument(
        "-i",
        "--input",
        metavar="PLACE",
        action="append",
        help="what the dataset was made of, or a dataset of `gistmill annotate`: the page is read again",
    )
    parser.add_argument("--all", action="store_true", help="show every row and reject of the document, not the first")
    parser.add_argument("--json", action="store_true", help="write one JSON object, with everything, for programs")
    arguments = parser.parse_args(list(argv))
    if bool(arguments.id) == bool(arguments.document):
        raise ConfigError("name the id of one row, or a document by --document")
    if arguments.document and arguments.input:
        raise ConfigError("--input reads the page of one row again, and not with --document")
    return arguments
