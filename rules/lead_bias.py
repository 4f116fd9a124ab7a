"""The lead-bias recipe (Zhu et al., 2021, section 3): the lead of an article is the summary of the rest."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from types import MappingProxyType

from rules.leads import parse_lead
from rules.lineage import DOCUMENT_COLUMNS, document_reject, document_values
from rules.records import Column, Outcome, Reject, Row, SegmentedDocument, TextSentence
from rules.text.content_words import content_words, words_of
from rules.verdict import Reason

CONFIG = "default"
OVERLAP_BINS, POSITION_BINS = 100, 20
RATIO_UNIT = 10_000  # ratios are counted in this part, so that their sums are whole numbers

_POSITION_KEYS = tuple((f"position/{i / POSITION_BINS:.2f}/sentences", f"position/{i / POSITION_BINS:.2f}/ratios")
                       for i in range(POSITION_BINS))

COLUMNS: tuple[Column, ...] = (
    Column("id", "string", "unique: document id and `lead`"),
    Column("inputs", "string", "the rest of the document; a line is a paragraph"),
    Column("targets", "string", "the lead, on one line"),
    Column("overlap_ratio", "float64", "share of the lead's words, stop words apart, that occur in the rest"),
    Column("lead_words", "int64", "words of the lead, as white space divides them"),
    Column("rest_words", "int64", "words of the rest"),
    Column("lead_sentences", "int64", "sentences of the lead"),
    Column("rest_sentences", "int64", "sentences of the rest"),
    *DOCUMENT_COLUMNS,
)

# In the order in which they are applied; a document falls at the first that it fails.
FILTERS = (
    Reason.TOO_FEW_SENTENCES, Reason.LEAD_TOO_SHORT, Reason.LEAD_TOO_LONG, Reason.REST_TOO_SHORT, Reason.REST_TOO_LONG,
    Reason.LEAD_REPEATED, Reason.LOW_OVERLAP,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadBiasConfig:
    """What decides the dataset; bounds are inclusive, the defaults those of the paper.

    Attributes:
        lead: what the lead is: ``sentences:N``, ``paragraphs:N``, ``lead-section`` or ``section:TITLE``; see rules/leads.py.
        min_lead_words, max_lead_words: words that the lead must have.
        min_rest_words, max_rest_words: words that the rest must have.
        min_sentences: sentences that the document must have.
        min_overlap: least share of the lead's words, stop words apart, that occur in the rest.
    """

    lead: str = "sentences:3"
    min_lead_words: int = 10
    max_lead_words: int = 150
    min_rest_words: int = 150
    max_rest_words: int = 1200
    min_sentences: int = 6
    min_overlap: float = 0.65

    def __post_init__(self) -> None:
        parse_lead(self.lead)
        for name in ("min_lead_words", "max_lead_words", "min_rest_words", "max_rest_words", "min_sentences"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name}: {value!r} is not a whole number of at least 1")
        for part in ("lead", "rest"):
            least, most = getattr(self, f"min_{part}_words"), getattr(self, f"max_{part}_words")
            if least > most:
                raise ValueError(f"min_{part}_words: {least} is above max_{part}_words, {most}")
        overlap = self.min_overlap
        if not isinstance(overlap, (int, float)) or isinstance(overlap, bool) or not 0 <= overlap <= 1:
            raise ValueError(f"min_overlap: {overlap!r} is not a number from 0 to 1")


class LeadBias:
    """Makes at most one row of a document, in the configuration ``default``."""

    CONFIGS = (CONFIG,)
    COLUMNS = COLUMNS
    DOCUMENT = SegmentedDocument

    def __init__(self, config: LeadBiasConfig) -> None:
        self._config = config
        self._lead = parse_lead(config.lead)

    def process(self, document: SegmentedDocument) -> Outcome:
        """Returns the document's row, or the reason against it, and the counts for the figures of the paper."""
        parts = self._lead.take(document)
        if parts is None:
            return _outcome(document, refused=document_reject(document, Reason.NO_LEAD, self._config.lead))
        found = measure(*parts)
        failed = self._failed(found)
        counts = _counts(found, failed)
        if failed:
            reason, detail = next(iter(failed.items()))
            return _outcome(document, counts, refused=document_reject(document, reason, detail))
        return _outcome(document, counts, rows=(_row(document, found),))

    def _failed(self, found: Measured) -> dict[Reason, str]:
        """Every filter that the document fails, in order, with the measure that decided."""
        config = self._config
        sentences = len(found.lead) + len(found.rest)
        rest = {s.text for s in found.rest}
        repeated = [s.text for s in found.lead if s.text in rest]
        tests = (
            (sentences < config.min_sentences, f"{sentences} sentences"),
            (found.lead_words < config.min_lead_words, f"{found.lead_words} words"),
            (found.lead_words > config.max_lead_words, f"{found.lead_words} words"),
            (found.rest_words < config.min_rest_words, f"{found.rest_words} words"),
            (found.rest_words > config.max_rest_words, f"{found.rest_words} words"),
            (bool(repeated), repeated[0] if repeated else ""),
            (found.overlap_ratio < config.min_overlap, f"{found.overlap_ratio:.4f}"),
        )
        return {reason: detail for reason, (fails, detail) in zip(FILTERS, tests, strict=True) if fails}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A lead and its rest, and what filters and figures need of them.

    Attributes:
        lead, rest: the sentences.
        lead_words, rest_words: words, as white space divides them.
        content: content words of the lead, every occurrence.
        matched: how many of these occur in the rest.
        nearness: for each sentence of the rest the share of its words, stop words too, that occur in the lead, in
            RATIO_UNIT; -1 where it has none.
    """

    lead: Sequence[TextSentence]
    rest: Sequence[TextSentence]
    lead_words: int
    rest_words: int
    content: int
    matched: int
    nearness: Sequence[int]

    @property
    def overlap_ratio(self) -> float:
        """Share of the lead's content words that occur in the rest; 0.0 where it has none."""
        return self.matched / self.content if self.content else 0.0


def measure(lead: Sequence[TextSentence], rest: Sequence[TextSentence]) -> Measured:
    """Measures a lead against its rest."""
    lead_text = " ".join([s.text for s in lead])
    in_lead = frozenset(words_of(lead_text)).__contains__
    content = content_words(lead_text)
    rest_words = [words_of(s.text) for s in rest]
    in_rest = frozenset(chain.from_iterable(rest_words)).__contains__
    return Measured(
        lead=lead, rest=rest, lead_words=len(lead_text.split()), rest_words=sum([len(s.text.split()) for s in rest]),
        content=len(content), matched=sum(map(in_rest, content)),
        nearness=[RATIO_UNIT * sum(map(in_lead, words)) // len(words) if words else -1 for words in rest_words],
    )


def _counts(found: Measured, failed: Mapping[Reason, str]) -> dict[str, int]:
    """What one document adds to the figures; ``pipelines/running/figures.py`` reads these keys."""
    counts = {f"filter/{reason.name}/alone": 1 for reason in failed}
    fell = next(iter(failed), None)
    for reason in FILTERS:
        counts[f"filter/{reason.name}/reached"] = 1
        if reason is fell:
            counts[f"filter/{reason.name}/fell"] = 1
            break
    for group in ("all",) if failed else ("all", "kept"):
        counts[f"sums/{group}/documents"] = 1
        counts[f"sums/{group}/sentences"] = len(found.lead) + len(found.rest)
        counts[f"sums/{group}/lead_words"] = found.lead_words
        counts[f"sums/{group}/rest_words"] = found.rest_words
        if found.rest:
            place = min(found.matched * OVERLAP_BINS // (found.content or 1), OVERLAP_BINS - 1)
            counts[f"overlap/{group}/{place / OVERLAP_BINS:.2f}"] = 1
    for index, near in enumerate(found.nearness):
        if near >= 0:
            sentences, ratios = _POSITION_KEYS[index * POSITION_BINS // len(found.nearness)]
            counts[sentences] = counts.get(sentences, 0) + 1
            counts[ratios] = counts.get(ratios, 0) + near
    return counts


def _row(document: SegmentedDocument, found: Measured) -> Row:
    row_id = f"{document.id}-lead"
    return Row(CONFIG, row_id, {
        "id": row_id,
        "inputs": "\n".join(" ".join(s.text for s in group) for _, group in groupby(found.rest, lambda s: s.paragraph)),
        "targets": " ".join(s.text for s in found.lead),
        "overlap_ratio": found.overlap_ratio,
        "lead_words": found.lead_words, "rest_words": found.rest_words,
        "lead_sentences": len(found.lead), "rest_sentences": len(found.rest),
        **document_values(document),
    })


def _outcome(document: SegmentedDocument, counts: Mapping[str, int] = MappingProxyType({}), *, rows: tuple[Row, ...] = (),
             refused: Reject | None = None) -> Outcome:
    return Outcome(document.id, document.range_key, rows=rows, counts=dict(counts), refused=refused)
