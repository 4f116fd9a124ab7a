"""``gistmill why``: what happened to a page, URL or sentence: the rows made of it, or the reasons against it."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from gistmill.core.manifest import MANIFEST, ManifestError
from gistmill.core.text_output import say
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.trace.command import reject_lines, rows_lines, shown
from gistmill.pipelines.trace.row import places_json
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, cache, check_owner
from gistmill.published.finding import FoundRow
from gistmill.published.lookup.reading import Index, Near
from gistmill.published.lookup.writing import place_of, sentences_of, sentences_of_reject, write_index
from gistmill.rules.documents import ReadReason
from gistmill.rules.lookup import Subject, same
from gistmill.rules.recipes import RECIPES

_MOST_DOCUMENTS = 20
_NEAREST = 3
_WIKI = "/wiki/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of one document, or of a sentence in it.

    Attributes:
        document_id, title: of the document.
        rows: those of the document, or those that have the sentence.
        rejects: those of the document, or those of the sentence and of pairs with it.
        type_counts: how many of the rows there are of each value of the recipe's column of types; empty without one.
    """

    document_id: str
    title: str
    rows: Sequence[FoundRow]
    rejects: Sequence[Mapping[str, Any]]
    type_counts: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """Returns it as JSON values."""
        return {
            "document_id": self.document_id,
            "title": self.title,
            "rows": [{"id": row.values["id"], **places_json(row)} for row in self.rows],
            "types": dict(self.type_counts),
            "rejects": list(self.rejects),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is known of a question.

    Attributes:
        question: as it was asked.
        found: what became of it, by what it is: title, url, revision or sentence.
        documents: how many documents there are for each, of which the first ones are in ``found``.
        nearest: titles and sentences that are nearly it; only where nothing was found.
    """

    question: str
    found: Mapping[Subject, Sequence[Fate]]
    documents: Mapping[Subject, int]
    nearest: Mapping[Subject, Sequence[Near]]

    def to_json(self) -> dict[str, Any]:
        """Returns it as JSON values."""
        return {
            "question": self.question,
            "found": {
                subject.value: {"documents": self.documents[subject], "first": [fate.to_json() for fate in fates]}
                for subject, fates in self.found.items()
            },
            "nearest": {
                subject.value: [
                    {"text": n.text, "document_id": n.document_id, "likeness": round(n.likeness, 3)} for n in near
                ]
                for subject, near in self.nearest.items()
            },
        }


def ask(index: Index, question: str, *, type_column: str = "") -> Answer:
    """Returns what became of a title, URL or sentence.

    Args:
        index: of the dataset.
        question: the text; the URL of a page of Wikipedia stands for its title or revision too.
        type_column: the column that says of what type a row is; "" for none.

    Raises:
        DatasetError, OSError, ValueError: the dataset or its index cannot be read.
    """
    found: dict[Subject, list[Fate]] = {}
    documents: dict[Subject, int] = {}
    for subject, text in _readings(question):
        ids = index.documents(subject, text)
        sentence = text if subject is Subject.SENTENCE else None
        fates = [_fate(index, i, sentence, type_column) for i in ids[:_MOST_DOCUMENTS]]
        if fates := [fate for fate in fates if fate.rows or fate.rejects]:
            found[subject], documents[subject] = fates, len(ids)
    nearest = {} if found else _nearest(index, question)
    return Answer(question=question, found=found, documents=documents, nearest=nearest)


def _readings(question: str) -> list[tuple[Subject, str]]:
    """What a question may mean."""
    if "://" not in question or len(question.split()) > 1:
        return [(Subject.TITLE, question), (Subject.SENTENCE, question)]
    readings = [(Subject.URL, question)]
    try:
        parts = urlsplit(question)
    except ValueError:  # brackets that are not closed
        return readings
    query = parse_qs(parts.query)
    readings += [(Subject.REVISION, revision) for revision in query.get("oldid", [])[:1]]
    readings += [(Subject.TITLE, title.replace("_", " ")) for title in query.get("title", [])[:1]]
    if parts.path.startswith(_WIKI):
        readings.append((Subject.TITLE, unquote(parts.path.removeprefix(_WIKI)).replace("_", " ")))
    return readings


def _nearest(index: Index, question: str) -> dict[Subject, list[Near]]:
    readings = [(s, text) for s, text in _readings(question) if s in (Subject.TITLE, Subject.SENTENCE)]
    found = {subject: index.nearest(subject, text, _NEAREST) for subject, text in readings}
    return {subject: near for subject, near in found.items() if near}


def _fate(index: Index, document_id: str, sentence: str | None, type_column: str) -> Fate:
    rows, rejects = index.rows(document_id), index.rejects(document_id)
    title = next((str(v.get("title") or "") for v in [*(r.values for r in rows), *rejects]), "")
    if sentence is not None:
        rows, rejects = _of_sentence(rows, rejects, sentence)
    types = Counter(str(row.values[type_column]) for row in rows if type_column in row.values)
    return Fate(document_id=document_id, title=title, rows=rows, rejects=rejects, type_counts=dict(types.most_common()))


def _of_sentence(
    rows: Sequence[FoundRow], rejects: Sequence[dict[str, Any]], sentence: str
) -> tuple[list[FoundRow], list[dict[str, Any]]]:
    """The rows that have a sentence, and the rejects of it: known by its place in the document, or quoted."""
    having, places = [], set()
    for row in rows:
        matches = [same(sentence, [other]) for other in sentences_of(row.values)]
        if any(matches):
            having.append(row)
            places.add(place_of(row.values, matches))
    of_it = [r for r in rejects if _is_of(r, places) or same(sentence, sentences_of_reject(r))]
    return having, of_it


def _is_of(reject: Mapping[str, Any], places: set[int | None]) -> bool:
    """Whether a rejected sentence or pair has the sentence of one of the places."""
    first = reject["index"]
    if reject["unit"] == "sentence":
        return first in places
    return reject["unit"] == "pair" and bool({first, first + 1} & places)


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
        say(said)
    for line in lines:
        say(line, sys.stdout)
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
        say(f"gistmill why: {rows:,} rows are read once, for the index in {folder}")
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
            yield f"{fate.document_id}  {fate.title}".rstrip()
            if fate.type_counts:
                yield "types: " + ", ".join(f"{name} {count:,}" for name, count in fate.type_counts.items())
            yield from rows_lines(fate.rows, everything=everything)
            yield from reject_lines(fate.rejects, everything=everything)
        if number > len(fates):
            yield f"... and {number - len(fates):,} documents more"
        if subject is Subject.SENTENCE:
            yield ""
            yield "What has neither a row nor a reject here was too short or gave nothing, and is only counted."
    for subject, near in answer.nearest.items():
        yield f"nearest {subject.value}s:"
        for one in near:
            yield f"  {one.likeness:.2f}  {shown(one.text)}  ({one.document_id})"


def _arguments(argv: Sequence[str]) -> Namespace:
    parser = CommandParser("why", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("dataset", metavar="DATASET", help="a published dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument("question", metavar="TITLE|URL|SENTENCE", help="what is asked for")
    parser.add_argument("--index", metavar="FOLDER", help="where the index is kept (default: the cache of the user)")
    parser.add_argument("--all", action="store_true", help="show every row and reject, not the first")
    parser.add_argument("--json", action="store_true", help="write one JSON object, with everything, for programs")
    return parser.parse_args(list(argv))
