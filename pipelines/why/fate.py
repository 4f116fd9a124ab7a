"""What became of a page, an address or a sentence: the rows that were made of it, and why others were not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from gistmill.pipelines.trace.row import places_json
from gistmill.published.finding import FoundRow
from gistmill.published.lookup.reading import Index, Near
from gistmill.published.lookup.texts import place_of, sentences_of, sentences_of_reject
from gistmill.rules.lookup import Subject, same

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
