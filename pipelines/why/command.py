"""``gistmill why``: what became of a page, an address or a sentence in a published dataset."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from gistmill.core.manifest import MANIFEST, ManifestError
from gistmill.core.terminal import printable
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.trace.text import reject_lines, rows_lines, shown
from gistmill.pipelines.why.fate import Answer, Fate, ask
from gistmill.published.caches import cache, check_owner
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.lookup.reading import Index
from gistmill.published.lookup.writing import write_index
from gistmill.rules.lookup import Subject
from gistmill.rules.reasons import ReadReason
from gistmill.rules.recipes import RECIPES

NOT_THERE = 1
_VERSION = 1  # of the form of an index; another one has another folder
_MANY_ROWS = 100_000  # an index of so many rows takes seconds, and the user is told
_DESCRIPTION = """\
Says what became of a page (by its title or URL) or of a sentence: the rows that were made of it, and what was rejected,
where and for which reason. A sentence is found however it is written: case, quotes, spaces and tokens do not matter.
Where nothing is exactly so, the nearest titles and sentences are offered.

The first question makes an index of the dataset, which is read as a whole for it. The index is kept in the cache of
the user, or in --index FOLDER, and serves every copy of the dataset; later questions read a few row groups.
"""
_EPILOG = """\
examples:
  gistmill why out/demo Anarchism
  gistmill why out/demo https://en.wikipedia.org/wiki/Anarchism
  gistmill why out/demo "Tarkovsky was in contact with the brothers until his death in 1986."
  gistmill why gs://bucket/discofuse-en "Anarchism" --index /data/index --json

exit codes: 0 found; 1 nothing is known of it; 2 the command line or the dataset is wrong.
"""


def main(argv: Sequence[str]) -> int:
    """Prints what is known of a question; returns the exit code.

    Raises:
        ConfigError: the command line is wrong, or the dataset or its index cannot be read or written.
    """
    arguments = _arguments(argv)
    try:
        dataset = Dataset(arguments.dataset)
        recipe = RECIPES.get(dataset.manifest.recipe)
        index = _opened(dataset, arguments.index)
        answer = ask(index, arguments.question, type_column=recipe.TYPE if recipe else "")
    except (DatasetError, ManifestError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{arguments.dataset}: {' '.join(str(error).split())}") from None
    if arguments.json:
        lines = [json.dumps(answer.to_json(), ensure_ascii=False)]
    else:
        lines = list(_lines(answer, arguments.all))
    if not answer.found and not arguments.json:
        said = f"gistmill why: {dataset.place} knows no title, URL or sentence {answer.question!r}"
        if others := dataset.manifest.counts.get("documents/rejected", {}).get(ReadReason.NAMESPACE.name):
            said += f"; pages outside the wanted namespaces are only counted (NAMESPACE {others:,})"
        print(printable(said), file=sys.stderr)
    for line in lines:
        print(printable(line))
    return 0 if answer.found else NOT_THERE


def _opened(dataset: Dataset, place: str | None) -> Index:
    """The index of a dataset, which is made where there is none or a torn one."""
    with dataset.folder.open(MANIFEST) as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    above = Path(place) if place else cache("why")
    folder = above / f"{digest[:24]}-v{_VERSION}"
    try:
        check_owner(folder)
    except PermissionError as error:
        raise ConfigError(f"{error} by --index") from None
    try:
        return Index(dataset, folder)
    except (OSError, ValueError, KeyError, TypeError):
        shutil.rmtree(folder, ignore_errors=True)
    rows = sum(dataset.manifest.rows().values())
    if rows >= _MANY_ROWS:
        print(f"gistmill why: {rows:,} rows are read once, for the index in {folder}", file=sys.stderr)
    try:
        above.mkdir(parents=True, exist_ok=True)
        write_index(dataset, folder, {"manifest_sha256": digest})
    except OSError as error:
        said = f"the index cannot be written in {above}: {error.strerror or error}"
        raise ConfigError(f"{said}; --index names another folder") from None
    return Index(dataset, folder)


def _lines(answer: Answer, everything: bool) -> Iterator[str]:
    for subject, fates in answer.found.items():
        number = answer.documents[subject]
        of = "1 document" if number == 1 else f"{number:,} documents"
        yield (
            f"{shown(answer.question)!r} is the {subject.value} of {of}"
            if subject is not Subject.SENTENCE
            else (f"the sentence is in {of}")
        )
        for fate in fates:
            yield ""
            yield from _fate_lines(fate, everything)
        if number > len(fates):
            yield f"... and {number - len(fates):,} documents more"
        if subject is Subject.SENTENCE:
            yield ""
            yield "What has neither a row nor a reject here was too short or gave nothing, and is only counted."
    for subject, near in answer.nearest.items():
        yield f"nearest {subject.value}s:"
        for one in near:
            yield f"  {one.likeness:.2f}  {shown(one.text)}  ({one.document_id})"


def _fate_lines(fate: Fate, everything: bool) -> Iterator[str]:
    yield f"{fate.document_id}  {fate.title}".rstrip()
    if fate.type_counts:
        yield "types: " + ", ".join(f"{name} {count:,}" for name, count in fate.type_counts.items())
    yield from rows_lines(fate.rows, everything=everything)
    yield from reject_lines(fate.rejects, everything=everything)


def _arguments(argv: Sequence[str]) -> Namespace:
    parser = CommandParser("why", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("dataset", metavar="DATASET", help="a published dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument("question", metavar="TITLE|URL|SENTENCE", help="what is asked for")
    parser.add_argument("--index", metavar="FOLDER", help="where the index is kept (default: the cache of the user)")
    parser.add_argument("--all", action="store_true", help="show every row and reject, not the first")
    parser.add_argument("--json", action="store_true", help="write one JSON object, with everything, for programs")
    return parser.parse_args(list(argv))
