"""Documents meet their forms in an older dataset. Ids alone are looked up; no document passes through a shuffle."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from gistmill.core.records import FromDocument, RangeEnd
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, KnownDocument, RawDocument
from gistmill.transforms.reuse.store import AnnotatedStore, StoreReader

# Documents that wait for one look-up: enough that a row group is read for many of them.
BATCH_DOCUMENTS = 1_000
BATCH_CHARACTERS = 16_000_000


class SkipCleaning(beam.PTransform):
    """RawDocument -> KnownDocument, where the store has its id with the same revision; every other element passes."""

    def __init__(self, store: AnnotatedStore) -> None:
        super().__init__()
        self._store = store

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "LookUp" >> beam.ParDo(_LookUp(self._store, RawDocument, _known))


class SkipParsing(beam.PTransform):
    """CleanDocument -> the same with its ``earlier`` form, where the store has its id; every other element passes."""

    def __init__(self, store: AnnotatedStore) -> None:
        super().__init__()
        self._store = store

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "LookUp" >> beam.ParDo(_LookUp(self._store, CleanDocument, _with_earlier))


def _known(document: RawDocument, earlier: AnnotatedDocument) -> FromDocument:
    revision = document.origin.revision
    return KnownDocument(document.origin, earlier) if revision and revision == earlier.origin.revision else document


def _with_earlier(document: CleanDocument, earlier: AnnotatedDocument) -> FromDocument:
    return dataclasses.replace(document, earlier=earlier)


class _LookUp(beam.DoFn):
    """Documents of the class ``cls`` wait for one look-up until there are enough. ``meet`` makes of a document and its
    earlier form what goes on. Ends of ranges wait behind their documents."""

    def __init__(
        self, store: AnnotatedStore, cls: type[Any], meet: Callable[[Any, AnnotatedDocument], FromDocument]
    ) -> None:
        self._store, self._cls, self._meet = store, cls, meet

    def setup(self) -> None:
        self._reader = StoreReader(self._store)

    def start_bundle(self) -> None:
        self._clear()

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, RangeEnd):
            self._ends.append(element)
        elif isinstance(element, self._cls):
            self._waiting.append(element)
            self._characters += _characters(element)
        else:
            yield element
        if len(self._waiting) >= BATCH_DOCUMENTS or self._characters >= BATCH_CHARACTERS:
            yield from self._flush()

    def finish_bundle(self) -> Iterator[WindowedValue]:
        for element in self._flush():
            yield WindowedValue(element, MIN_TIMESTAMP, (GlobalWindow(),))

    def _clear(self) -> None:
        self._waiting: list[Any] = []
        self._ends: list[RangeEnd] = []
        self._characters = 0

    def _flush(self) -> Iterator[Any]:
        waiting, ends = {d.id: d for d in self._waiting}, self._ends
        repeated = [d for d in self._waiting if waiting[d.id] is not d]
        self._clear()
        for earlier in self._reader.find(sorted(waiting)):
            if (document := waiting.pop(earlier.id, None)) is not None:
                yield self._meet(document, earlier)
        yield from waiting.values()
        yield from repeated  # the writer will tell of the id
        yield from ends


def _characters(document: RawDocument | CleanDocument) -> int:
    if isinstance(document, RawDocument):
        return len(document.text)
    return sum(len(p) for s in document.sections for p in s.paragraphs)
