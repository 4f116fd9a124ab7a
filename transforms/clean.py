"""Cleaning: RawDocuments become CleanDocuments of plain prose, or Rejects with a reason."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apache_beam as beam

from rules.records import CleanDocument, RawDocument, Reject, Section
from rules.text.caps import Caps, check_caps
from rules.text.prose import plain_paragraphs
from rules.text.wikitext import CleaningConfig
from rules.verdict import Reason
from transforms.guard import ChildDied, DeadlineExceeded, Guard

# Far above the slowest honest page (half a second) and above what a page just under the caps takes.
DEADLINE_S = 60.0
# Address space of the parser's process; a page just under the caps stays far below.
MEMORY_LIMIT = 3 << 30

MARKUPS = ("wikitext", "plain")


class Cleaner:
    """Cleans documents one by one: caps first, then the parser behind a guard. Not bound to Beam.

    Args:
        config: what cleaning keeps.
        caps: what is refused before the parser sees it.
        deadline_s: seconds for one page; a page that needs longer is tried once more, then refused.
        memory_limit: bytes of address space for the parser's process.
    """

    def __init__(
        self, *, config: CleaningConfig = CleaningConfig(), caps: Caps = Caps(), deadline_s: float = DEADLINE_S,
        memory_limit: int | None = MEMORY_LIMIT,
    ) -> None:
        self._caps = caps
        self._guard = Guard(
            "rules.text.wikitext:clean_wikitext", keywords={"config": config}, deadline_s=deadline_s,
            memory_limit=memory_limit,
        )

    def clean(self, document: RawDocument) -> CleanDocument | Reject:
        """Returns the cleaned document, or a Reject of stage ``clean``.

        Raises:
            ValueError: a markup that nothing here can clean.
            RemoteError: the cleaning code itself failed; the page is named in a note.
        """
        if document.markup == "plain":
            sections = _plain_sections(document.text)
        elif document.markup == "wikitext":
            verdict = check_caps(document.text, self._caps)
            if verdict.reason is not None:
                return _reject(document, verdict.reason, verdict.detail)
            try:
                sections = self._guard.call(document.text)
            except DeadlineExceeded as error:
                return _reject(document, Reason.DEADLINE, f"{error}; tried twice")
            except ChildDied as error:
                return _reject(document, Reason.PARSER_DIED, f"{error}; tried twice")
            except Exception as error:
                error.add_note(f"while cleaning {document.id} ({document.title!r})")
                raise
        else:
            raise ValueError(f"document {document.id}: markup {document.markup!r} is not one of {', '.join(MARKUPS)}")
        return _cleaned(document, sections) if sections else _reject(document, Reason.NO_PROSE, "")

    def close(self) -> None:
        """Ends the parser's process."""
        self._guard.close()


def _plain_sections(text: str) -> tuple[Section, ...]:
    paragraphs = plain_paragraphs(text)
    return (Section("", 1, paragraphs),) if paragraphs else ()


def _cleaned(document: RawDocument, sections: tuple[Section, ...]) -> CleanDocument:
    return CleanDocument(
        id=document.id, source=document.source, title=document.title, sections=sections, revision=document.revision,
        timestamp=document.timestamp, file=document.file, offset=document.offset, range_key=document.range_key,
    )


def _reject(document: RawDocument, reason: Reason, detail: str) -> Reject:
    return Reject(
        id=document.id, reason=reason, stage="clean", detail=detail, title=document.title, file=document.file,
        offset=document.offset, range_key=document.range_key,
    )


class _CleanFn(beam.DoFn):
    def __init__(self, **options: Any) -> None:
        self._options = options
        self._cleaner: Cleaner | None = None

    def setup(self) -> None:
        self._cleaner = Cleaner(**self._options)

    def process(self, element: Any) -> Iterator[Any]:
        assert self._cleaner is not None
        yield self._cleaner.clean(element) if isinstance(element, RawDocument) else element

    def teardown(self) -> None:
        if self._cleaner is not None:
            self._cleaner.close()


class CleanDocuments(beam.PTransform):
    """RawDocument -> CleanDocument or Reject; everything else passes unchanged. Arguments as for Cleaner."""

    def __init__(
        self, config: CleaningConfig = CleaningConfig(), caps: Caps = Caps(), deadline_s: float = DEADLINE_S,
        memory_limit: int | None = MEMORY_LIMIT,
    ) -> None:
        super().__init__()
        self._options = {"config": config, "caps": caps, "deadline_s": deadline_s, "memory_limit": memory_limit}
        Cleaner(**self._options).close()  # fails at construction when an option is bad

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        """Applies the cleaner to every element."""
        return documents | "Clean" >> beam.ParDo(_CleanFn(**self._options))
