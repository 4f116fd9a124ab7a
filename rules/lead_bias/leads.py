"""The lead of a document: the part that says what the rest is about, by the habits of its genre."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gistmill.rules.documents import SegmentedDocument, TextSentence

SENTENCES, PARAGRAPHS, LEAD_SECTION, SECTION = "sentences", "paragraphs", "lead-section", "section"
FORMS = f"{SENTENCES}:N, {PARAGRAPHS}:N, {LEAD_SECTION} or {SECTION}:TITLE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """A kind of lead. All the other sentences of the document are the rest.

    Attributes:
        kind: ``sentences``, the first ``count`` (news); ``paragraphs``, the first ``count``; ``lead-section``, all
            before the first heading (an encyclopedia); ``section``, the first one with ``title`` (a paper's abstract).
    """

    kind: str
    count: int = 0
    title: str = ""

    def take(self, document: SegmentedDocument) -> tuple[Sequence[TextSentence], Sequence[TextSentence]] | None:
        """Returns the lead and the rest; None where the document has no such lead."""
        sentences = document.sentences
        if self.kind == SENTENCES:
            return sentences[: self.count], sentences[self.count :]
        if self.kind == PARAGRAPHS:
            first = set(list(dict.fromkeys(s.paragraph for s in sentences))[: self.count])
            return _parted(sentences, lambda s: s.paragraph in first)
        titles = [title.strip().casefold() for title in document.section_titles]
        if self.kind == LEAD_SECTION:
            titles = titles[:1]  # its title is empty
        if self.title.casefold() not in titles:
            return None
        place = titles.index(self.title.casefold())
        lead, rest = _parted(sentences, lambda s: s.section == place)
        return (lead, rest) if lead else None


def _parted(
    sentences: Sequence[TextSentence], in_lead: Callable[[TextSentence], bool]
) -> tuple[list[TextSentence], list[TextSentence]]:
    return [s for s in sentences if in_lead(s)], [s for s in sentences if not in_lead(s)]


def parse_lead(text: str) -> Lead:
    """Returns the lead that ``text`` names, such as ``sentences:3``.

    Raises:
        ValueError: it names none.
    """
    kind, colon, value = text.partition(":") if isinstance(text, str) else ("", "", "")
    if kind in (SENTENCES, PARAGRAPHS) and value.isdecimal() and int(value) > 0:
        return Lead(kind=kind, count=int(value))
    if kind == LEAD_SECTION and not colon:
        return Lead(kind=kind)
    if kind == SECTION and value.strip():
        return Lead(kind=kind, title=value.strip())
    raise ValueError(f"lead: {text!r} is not {FORMS}")
