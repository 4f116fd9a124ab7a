"""The criteria for duplicates: the text of a document of any class, and the time when it appeared."""

from __future__ import annotations

from datetime import UTC, datetime

from gistmill.rules.documents import AnnotatedDocument, CleanDocument, SegmentedDocument, natural_text

Document = CleanDocument | AnnotatedDocument | SegmentedDocument
UNDATED = (1 << 63) - 1  # later than every date


def text_of(document: Document) -> str:
    """Returns the running text of a document, without titles; white space need not be that of the source."""
    if isinstance(document, CleanDocument):
        return "\n".join(p for s in document.sections for p in s.paragraphs)
    if isinstance(document, AnnotatedDocument):
        return "\n".join(natural_text(s.tokens) for s in document.sentences)
    return "\n".join(s.text for s in document.sentences)


def moment(document: Document) -> int:
    """Returns when a document appeared, in microseconds since 1970: when it was published, else its revision was made,
    else it was fetched, whichever is the first to be an ISO 8601 date; UNDATED without any. A date without a zone is
    UTC."""
    origin, page = document.origin, document.origin.metadata
    for text in (page.published, origin.timestamp, page.fetched):
        try:
            date = datetime.fromisoformat(text)
        except ValueError:
            continue
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        since = date - datetime(1970, 1, 1, tzinfo=UTC)
        return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return UNDATED
