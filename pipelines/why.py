"""``gistmill why``: what became of a page or a text: the rows that were made of it, or the reasons against it."""

from __future__ import annotations

import dataclasses
import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from gistmill.core.text_output import say
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.trace import NOT_THERE, TracedDocument, dataset_read, shown, trace_documents
from gistmill.published.dataset import Dataset
from gistmill.published.finding import documents_known_by, documents_with, has
from gistmill.rules.documents import ReadReason

_MOST_DOCUMENTS = 20
_WIKI = "/wiki/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is known of a question.

    Attributes:
        subject: what it is: ``title``, ``url`` or ``text``.
        number: how many documents it is of; 0 where nothing is known of it.
        documents: the first of them with their rows and rejects; of a text those that have it.
    """

    subject: str
    number: int
    documents: Sequence[TracedDocument]


def ask(dataset: Dataset, question: str) -> Answer:
    """Returns what became of a page, by its title or URL, or of a text, which is looked for where it is no title.

    Raises:
        DatasetError: the dataset cannot be read.
    """
    if "://" in question and len(question.split()) == 1:
        subject, ids = "url", documents_known_by(dataset, _values_of(question))
    else:
        subject, ids = "title", documents_known_by(dataset, {"title": question})
        if not ids:
            subject, ids = "text", documents_with(dataset, question)
    documents = trace_documents(dataset, ids[:_MOST_DOCUMENTS])
    if subject == "text":
        documents = [_having(document, question) for document in documents]
    return Answer(subject=subject, number=len(ids), documents=documents)


def _values_of(url: str) -> dict[str, str]:
    """What the page of a URL is known by: on Wikipedia by its title or revision too."""
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that are not closed
        return {"url": url}
    query = parse_qs(parts.query)
    of_path = [unquote(parts.path.removeprefix(_WIKI))] if parts.path.startswith(_WIKI) else []
    found = {"url": [url], "title": query.get("title", of_path), "revision": query.get("oldid", [])}
    return {name: values[0] for name, values in found.items() if values}


def _having(document: TracedDocument, text: str) -> TracedDocument:
    """The document with the rows that have a text, and the rejects that have it or are of a sentence that has it."""
    rows = [row for row in document.rows if has(row.values, text)]
    places = {place for row in rows for place in _places(row.values, text)}
    rejects = [
        reject
        for reject in document.rejects
        if reject["unit"] != "document" and (_rejected(reject) & places or has({"detail": reject["detail"]}, text))
    ]
    return dataclasses.replace(document, rows=rows, rejects=rejects)


def _places(row: Mapping[str, Any], text: str) -> Iterator[int]:
    """The places in its document of the sentences of a row that have the text, if the row tells."""
    if "sentence_index" in row:
        halves = [row[name] for name in ("coherent_first_sentence", "coherent_second_sentence") if name in row]
        having = [has({"text": half}, text) for half in halves] or [True]
        yield from (row["sentence_index"] + number for number, has_it in enumerate(having) if has_it)


def _rejected(reject: Mapping[str, Any]) -> set[int]:
    """The places of a rejected sentence, or of both of a pair."""
    return {reject["index"], reject["index"] + 1} if reject["unit"] == "pair" else {reject["index"]}


def _lines(question: str, answer: Answer, everything: bool) -> Iterator[str]:
    of = "1 document" if answer.number == 1 else f"{answer.number:,} documents"
    yield {
        "title": f"{shown(question)!r} is the title of {of}",
        "url": f"{shown(question)} is the URL of {of}",
        "text": f"the text is in {of}, and is no title",
    }[answer.subject]
    for document in answer.documents:
        yield ""
        yield from document.lines(everything=everything)
    if answer.number > len(answer.documents):
        yield f"... and {answer.number - len(answer.documents):,} documents more"
    if answer.subject == "text":
        yield ""
        yield "What has neither a row nor a reject here was too short or gave nothing, and is only counted."


_DESCRIPTION = """\
Says what became of a page (by its title or URL), or of a sentence or another text: the rows that were made of it, and
what was rejected, where and for which reason. Letters and digits alone count: case, quotes, spaces and tokens do not
matter. The titles of the dataset are read for it, and where none is the question, its texts.
"""
_EPILOG = """\
examples:
  gistmill why out/demo Anarchism
  gistmill why out/demo https://en.wikipedia.org/wiki/Anarchism
  gistmill why out/demo "Tarkovsky was in contact with the brothers until his death in 1986."
  gistmill why gs://bucket/discofuse-en Anarchism --json

exit codes: 0 found; 1 nothing is known of it; 2 the command line or the dataset is wrong.
"""


def main(argv: Sequence[str]) -> int:
    """Prints what is known of a question; returns the exit code.

    Raises:
        ConfigError: the command line is wrong, or the dataset cannot be read.
    """
    arguments = _arguments(argv)
    with dataset_read(arguments.dataset) as dataset:
        answer = ask(dataset, arguments.question)
    if arguments.json:
        found = {"question": arguments.question, "subject": answer.subject, "documents": answer.number}
        first = [document.to_json() for document in answer.documents]
        say(json.dumps({**found, "first": first}, ensure_ascii=False), sys.stdout)
    elif answer.number:
        for line in _lines(arguments.question, answer, arguments.all):
            say(line, sys.stdout)
    else:
        said = f"gistmill why: {dataset.place} knows no title, URL or text {arguments.question!r}"
        if others := dataset.manifest.counts.get("documents/rejected", {}).get(ReadReason.NAMESPACE.name):
            said += f"; pages outside the wanted namespaces are only counted (NAMESPACE {others:,})"
        say(said)
    return 0 if answer.number else NOT_THERE


def _arguments(argv: Sequence[str]) -> Namespace:
    parser = CommandParser("why", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("dataset", metavar="DATASET", help="a published dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument("question", metavar="TITLE|URL|TEXT", help="what is asked for")
    parser.add_argument("--all", action="store_true", help="show every row and reject, not the first")
    parser.add_argument("--json", action="store_true", help="write one JSON object, with everything, for programs")
    return parser.parse_args(list(argv))
