"""The records that travel through every pipeline: frozen, slotted, without behaviour that needs a library.

A document moves along one line and changes its class on the way (``rules/documents.py``). Its Origin goes with it. A
document that a stage rejects becomes a Reject, which later stages pass on, so that every document read reaches the
writer exactly once. The reader closes each range with a RangeEnd that says how many documents it emitted there, and how
many it only counted. Where rows are read again, a Pair takes the place of a document. Verdict is the answer
of every filter, and Reason the base of everything that can be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.text_output import short_repr


class Reason(Enum):
    """Base of the reasons for which something is rejected; the value is one line for a person.

    Each package and each recipe has its own enumeration. A name means the same in all of them.
    """


@dataclass(frozen=True, slots=True)
class Verdict:
    """Accepted (``reason`` is None) or rejected; ``detail`` is one line for a person.

    It has no truth value on purpose: ask ``verdict.accepted``.
    """

    reason: Reason | None = None
    detail: str = ""

    @property
    def accepted(self) -> bool:
        """Whether nothing was wrong."""
        return self.reason is None

    def __bool__(self) -> bool:
        raise TypeError("a Verdict has no truth value; ask .accepted")


ACCEPTED = Verdict()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """A page's own statements about itself, and where it was fetched; "" where unknown.

    Attributes:
        url: canonical URL, or the one that was fetched.
        site: name of the publication.
        author: authors, as the page gives them.
        published: ISO 8601 date (or date and time) of publication.
        language: ISO 639-1 code of the text's language.
        record: id of the record in the crawl.
        fetched: ISO 8601 time at which the page was fetched.
        extraction: how the article was found on the page: ``strict`` or ``fallback``.
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
    """Where a document comes from: the lineage that goes with it through all stages, into its rows and Rejects.

    Stages hand it on as it is; one that learns more (a better title, metadata) replaces it.

    Attributes:
        id: unique over the whole input, e.g. ``wikipedia-12``; the split and every row id derive from it. A document
            whose id cannot be read is rejected under the id ``FILE#OFFSET``.
        source: name of the source, e.g. ``wikipedia``.
        title: title, as plain text, or "".
        revision: revision id of the source, or "".
        timestamp: ISO 8601 time of the revision, or "".
        file: path of the input file.
        offset: where the document starts in that file, in bytes as the source counts them.
        range_key: key of the range that was read.
        metadata: fields that the source gives for the page.
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
        """Returns the Reject of the document, or of a part of it; the arguments are Reject's attributes."""
        return Reject(self, reason, stage, detail, unit, index)


@dataclass(frozen=True, slots=True)
class FromDocument:
    """Base of everything made of one document of the input: the document at each stage, its Reject, its Outcome."""

    origin: Origin

    @property
    def id(self) -> str:
        """Id of the document."""
        return self.origin.id


@dataclass(frozen=True, slots=True)
class Seed(FromDocument):
    """A document that the recipe makes itself, of its ``number``, counted from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class Pair(FromDocument):
    """A row of a dataset or of a file of pairs, which is read in the place of a document; ``id`` is the row's.

    Attributes:
        inputs, targets: the two texts.
        values: every column of the row by name, in order, ``id``, ``inputs`` and ``targets`` among them.
        split: train, validation or test; "" until it is chosen, which is before any step sees the pair.
    """

    __repr__ = short_repr

    inputs: str
    targets: str
    values: Mapping[str, object]
    split: str

    @property
    def document_id(self) -> str:
        """Id of the document that the row was made of, by which its split is chosen; the row's if it names none."""
        return str(self.values.get("document_id") or self.id)


@dataclass(frozen=True, slots=True)
class Reject(FromDocument):
    """A rejected document, or (``unit``) a rejected part of one.

    Attributes:
        reason: why.
        stage: ``read``, ``sections``, ``clean``, ``dates``, ``decontaminate``, ``deduplicate``, ``annotate``,
            ``recipe``.
        detail: one line for a person: the text or the measure that decided.
        unit: ``document``, ``sentence``, ``pair``, ``copy``; ``profile``: a document that another profile could use.
        index: index of the (first) sentence in the document; -1 for a document.
    """

    reason: Reason
    stage: str
    detail: str = ""
    unit: str = "document"
    index: int = -1


@dataclass(frozen=True, slots=True)
class Damage:
    """A place where an input file breaks off or cannot be decoded: ``file``, ``offset`` in bytes, ``message``."""

    file: str
    offset: int
    message: str


@dataclass(frozen=True, slots=True)
class RangeEnd:
    """Says that a range was read to its end.

    Attributes:
        documents: every document that the reader emitted from it.
        damage: where its file is damaged.
        counts: what else the reader counted there, with keys as in Outcome. A document that it did not emit is in
            ``documents/read``, and with its reason in ``documents/rejected/REASON``.
        arithmetic: what computed annotations on the way; none where nothing did.
    """

    range_key: str
    documents: int
    damage: tuple[Damage, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    arithmetic: tuple[Arithmetic, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a dataset: ``config`` names the configuration, ``id`` is unique in it, ``values`` hold the columns."""

    __repr__ = short_repr

    config: str
    id: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Outcome(FromDocument):
    """The result of a recipe for one document.

    Attributes:
        rows: the rows it gave, for any configuration.
        rejects: rejected sentences and pairs, for the rejects file.
        counts: how many of what, keys as ``sentences/read`` or ``sentences/rejected/TOO_SHORT``.
        refused: set when the document as a whole gave nothing; it then counts as rejected.
        split: train, validation or test, once the Split stage has chosen.
    """

    __repr__ = short_repr

    rows: tuple[Row, ...] = ()
    rejects: tuple[Reject, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    refused: Reject | None = None
    split: str = ""
