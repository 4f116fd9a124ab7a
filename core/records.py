"""The records that pass through every pipeline: frozen, slotted, independent of other libraries.

A document changes its class from stage to stage (``rules/documents.py``) but keeps its Origin. A document rejected by a
stage becomes a Reject, which later stages pass on, so that every document read reaches the writer exactly once. After
each range the reader emits a RangeEnd with the numbers of documents emitted and only counted. Jobs that read rows use
a Pair instead of a document. Every filter returns a Verdict, and every reason for rejection is a Reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.text_output import short_repr


class Reason(Enum):
    """Base of the enumerations of reasons for rejection; each value is a one-line explanation for people.

    Every package and recipe defines its own enumeration. A name has the same meaning in all of them.
    """


@dataclass(frozen=True, slots=True)
class Verdict:
    """Accepted (``reason`` is None) or rejected; ``detail`` is a one-line explanation for people.

    It deliberately has no truth value: use ``verdict.accepted``.
    """

    reason: Reason | None = None
    detail: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the verdict is acceptance."""
        return self.reason is None

    def __bool__(self) -> bool:
        raise TypeError("a Verdict has no truth value; use .accepted")


ACCEPTED = Verdict()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Metadata that a page declares about itself, and where it was fetched; "" if unknown.

    Attributes:
        url: canonical URL, or the URL fetched.
        site: name of the publication.
        author: authors, as written on the page.
        published: ISO 8601 date (or date and time) of publication.
        language: ISO 639-1 code of the text's language.
        record: record id in the crawl.
        fetched: ISO 8601 time when the page was fetched.
        extraction: method that found the article on the page: ``strict`` or ``fallback``.
    """

    url: str = ""
    site: str = ""
    author: str = ""
    published: str = ""
    language: str = ""
    record: str = ""
    fetched: str = ""
    extraction: str = ""


NO_METADATA = Metadata()


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a document, kept through all stages and copied to its rows and Rejects.

    Stages pass it on unchanged, unless they find more information, such as a better title or metadata.

    Attributes:
        id: id that is unique in the whole input, such as ``wikipedia-12``; the split and all row ids derive from it.
            A document whose id cannot be read is rejected with the id ``FILE#OFFSET``.
        source: name of the source, such as ``wikipedia``.
        title: plain-text title, or "".
        revision: the source's revision id, or "".
        timestamp: ISO 8601 time of the revision, or "".
        file: path of the input file.
        offset: start of the document in that file, in bytes as counted by the source.
        range_key: key of the range that contains the document.
        metadata: the page's metadata according to the source.
    """

    id: str
    source: str
    title: str = ""
    revision: str = ""
    timestamp: str = ""
    file: str = ""
    offset: int = 0
    range_key: str = ""
    metadata: Metadata = NO_METADATA

    def reject(
        self, reason: Reason, stage: str, detail: str = "", *, unit: str = "document", index: int = -1
    ) -> Reject:
        """Returns a Reject for the document or a part of it; the arguments are Reject's attributes."""
        return Reject(self, reason, stage, detail, unit, index)


@dataclass(frozen=True, slots=True)
class FromDocument:
    """Base of everything made from one input document: the document at each stage, its Reject and its Outcome."""

    origin: Origin

    @property
    def id(self) -> str:
        """The document's id."""
        return self.origin.id


@dataclass(frozen=True, slots=True)
class Seed(FromDocument):
    """A document that the recipe generates from its ``number``, counted from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class Pair(FromDocument):
    """A row of a dataset or file of pairs, read instead of a document; ``id`` is the row's id.

    Attributes:
        inputs, targets: the two texts.
        values: all columns by name, in order, including ``id``, ``inputs`` and ``targets``.
        split: train, validation or test; "" until assigned, which happens before the first step.
    """

    __repr__ = short_repr

    inputs: str
    targets: str
    values: Mapping[str, object]
    split: str

    @property
    def document_id(self) -> str:
        """Id of the row's document, which determines its split; the row's own id if it names no document."""
        return str(self.values.get("document_id") or self.id)


@dataclass(frozen=True, slots=True)
class Reject(FromDocument):
    """A rejected document, or (``unit``) a rejected part of one.

    Attributes:
        reason: why.
        stage: ``read``, ``sections``, ``clean``, ``dates``, ``decontaminate``, ``deduplicate``, ``annotate``,
            ``recipe``.
        detail: one line for people: the text or measurement that led to the rejection.
        unit: ``document``, ``sentence``, ``pair``, ``copy``, or ``profile`` for a document usable by another profile.
        index: index of the (first) sentence in the document; -1 for a document.
    """

    reason: Reason
    stage: str
    detail: str = ""
    unit: str = "document"
    index: int = -1


@dataclass(frozen=True, slots=True)
class Damage:
    """A location where an input file is truncated or cannot be decoded: ``file``, ``offset`` in bytes, ``message``."""

    file: str
    offset: int
    message: str


@dataclass(frozen=True, slots=True)
class RangeEnd:
    """A marker that a range has been read to its end.

    Attributes:
        documents: number of documents that the reader emitted from the range.
        damage: locations of damage.
        counts: the reader's other counts, with keys as in Outcome. A document that was not emitted counts in
            ``documents/read`` and, with its reason, in ``documents/rejected/REASON``.
        arithmetic: numeric libraries that computed annotations; empty if nothing was annotated.
    """

    range_key: str
    documents: int
    damage: tuple[Damage, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    arithmetic: tuple[Arithmetic, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A dataset row: ``config`` is its configuration, ``id`` is unique within it, ``values`` contains the columns."""

    __repr__ = short_repr

    config: str
    id: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Outcome(FromDocument):
    """The result of a recipe for one document.

    Attributes:
        rows: the rows produced, for any configuration.
        rejects: rejected sentences and pairs, for the file of rejects.
        counts: counts with keys such as ``sentences/read`` or ``sentences/rejected/TOO_SHORT``.
        refused: set if the whole document produced nothing; it then counts as rejected.
        split: train, validation or test, once assigned by the Split stage.
    """

    __repr__ = short_repr

    rows: tuple[Row, ...] = ()
    rejects: tuple[Reject, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    refused: Reject | None = None
    split: str = ""
