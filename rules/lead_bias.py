"""The lead-bias recipe (Zhu et al., 2021), in which an article's lead is the summary of the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, ClassVar

from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Reason, Row
from gistmill.core.statistics import Cell, Column, Figure, Groups, ratio
from gistmill.core.values import SHARE, custom, whole
from gistmill.rules.documents import DocumentReason, SegmentedDocument, TextSentence
from gistmill.rules.lineage import DOCUMENT_COLUMNS, language_of, lineage_values
from gistmill.rules.recipe import DEFAULT, SALT, Recipe
from gistmill.rules.text.words import COUNTED, Words, words_for


class LeadBiasReason(Reason):
    """Reasons why the lead-bias recipe rejects a document."""

    NO_LEAD = "the document has no lead of the requested kind"
    LEAD_TOO_SHORT = "the lead has too few words"
    LEAD_TOO_LONG = "the lead has too many words"
    REST_TOO_SHORT = "the rest after the lead has too few words"
    REST_TOO_LONG = "the rest after the lead has too many words"
    LEAD_REPEATED = "the rest repeats a sentence of the lead, alone or within a longer one"
    LOW_OVERLAP = "too few of the lead's words occur in the rest"


OVERLAP_BINS, POSITION_BINS = 100, 20
RATIO_UNIT = 10_000  # ratios are multiplied by this and truncated, so that their sums are whole numbers
# In the order in which they are applied; a document is rejected by the first that it fails.
FILTERS = (
    DocumentReason.TOO_FEW_SENTENCES,
    LeadBiasReason.LEAD_TOO_SHORT,
    LeadBiasReason.LEAD_TOO_LONG,
    LeadBiasReason.REST_TOO_SHORT,
    LeadBiasReason.REST_TOO_LONG,
    LeadBiasReason.LEAD_REPEATED,
    LeadBiasReason.LOW_OVERLAP,
)
_SHOWN_BINS = 20


def _beside_paper(groups: Groups) -> Figure:
    before, after = groups["sums/all"], groups.get("sums/kept", {})
    low = groups.get(f"filter/{LeadBiasReason.LOW_OVERLAP.name}", {})
    rows = (
        ("share of articles below the overlap threshold", ratio(low.get("alone", 0), before["documents"]), 0.832),
        ("the same, of those that pass the other filters", ratio(low.get("fell", 0), low.get("reached", 0)), None),
        ("share of articles kept", ratio(after.get("documents", 0), before["documents"]), 0.05),
        ("median overlap of those kept", _median(groups.get("overlap/kept", {})), 0.734),
        ("mean words of the lead", ratio(after.get("lead_words", 0), after.get("documents", 0)), 60.0),
        ("mean words of the rest", ratio(after.get("rest_words", 0), after.get("documents", 0)), 602.5),
        ("mean words of the lead before filtering", ratio(before["lead_words"], before["documents"]), None),
        ("mean words of the rest before filtering", ratio(before["rest_words"], before["documents"]), None),
        ("median overlap before filtering", _median(groups.get("overlap/all", {})), None),
    )
    return Figure(
        key="paper",
        title="Beside the paper",
        head=("measure", "here", "paper"),
        rows=rows,
        note="The paper's numbers are of news articles of three years from the index of a search engine.",
        in_card=True,
    )


def _filters(groups: Groups) -> Figure:
    total = groups["sums/all"]["documents"]
    rows = []
    for reason in FILTERS:
        here = groups.get(f"filter/{reason.name}", {})
        alone, reached, fell = (here.get(name, 0) for name in ("alone", "reached", "fell"))
        rows.append((reason.name, alone, ratio(alone, total), reached, fell, ratio(fell, reached)))
    return Figure(
        key="filters",
        title="Filters",
        rows=rows,
        bars=("share alone",),
        head=("filter", "fail it", "share alone", "reach it", "fall at it", "share of those"),
        note="In the order in which they are applied: how many documents fail a filter on its own, how many reach "
        "it, and how many fall there.",
    )


def _overlap(groups: Groups) -> Figure:
    before, after = (_wider(groups.get(f"overlap/{name}", {})) for name in ("all", "kept"))
    rows = [
        (f"{i / _SHOWN_BINS:.2f}", before[i], ratio(before[i], sum(before)), after[i], ratio(after[i], sum(after)))
        for i in range(_SHOWN_BINS)
    ]
    return Figure(
        key="overlap",
        title="Overlap ratio",
        rows=rows,
        bars=("share before", "share after"),
        head=("from", "before", "share before", "after", "share after"),
        note="Share of the lead's words, not counting stop words, that occur in the rest: documents by its value, "
        "before filtering and after (the paper's Figure 2, blue).",
    )


def _position(groups: Groups) -> Figure:
    rows: list[tuple[Cell, ...]] = []
    for i in range(_SHOWN_BINS):
        here = groups.get(f"position/{i / _SHOWN_BINS:.2f}", {})
        sentences = here.get("sentences", 0)
        mean = round(here.get("ratios", 0) / RATIO_UNIT / sentences, 6) if sentences else None
        rows.append((f"{i / _SHOWN_BINS:.2f}", sentences, mean))
    return Figure(
        key="position",
        title="Overlap by position",
        rows=rows,
        bars=("mean share",),
        head=("from", "sentences", "mean share"),
        note="Mean share of a sentence's words that occur in the lead, by the place of the sentence in the rest "
        "(after the paper's Figure 1, with the lead in place of a reference).",
    )


def _wider(histogram: Mapping[str, int]) -> list[int]:
    bins = [0] * _SHOWN_BINS
    for edge, number in histogram.items():
        bins[round(float(edge) * OVERLAP_BINS) * _SHOWN_BINS // OVERLAP_BINS] += number
    return bins


def _median(histogram: Mapping[str, int]) -> float | None:
    """Returns the median, assuming that values are spread evenly within its bin; None if there are no values."""
    half, below = sum(histogram.values()) / 2, 0
    for edge, number in sorted(histogram.items(), key=lambda item: float(item[0])):
        if below + number >= half > 0:
            return round(float(edge) + (half - below) / number / OVERLAP_BINS, 4)
        below += number
    return None


SENTENCES, PARAGRAPHS, LEAD_SECTION, SECTION = "sentences", "paragraphs", "lead-section", "section"
FORMS = f"{SENTENCES}:N, {PARAGRAPHS}:N, {LEAD_SECTION} or {SECTION}:TITLE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """A definition of the lead. All other sentences in the document are the rest.

    Attributes:
        kind: ``sentences`` or ``paragraphs`` (the first ``count``), ``lead-section`` (everything before the first
            heading) or ``section`` (the first one with this ``title``, such as a paper's abstract).
    """

    kind: str
    count: int = 0
    title: str = ""

    def take(self, document: SegmentedDocument) -> tuple[Sequence[TextSentence], Sequence[TextSentence]] | None:
        """Returns the lead and the rest; None if the document has no such lead."""
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
    """Returns the lead specified by ``text``, such as ``sentences:3``.

    Raises:
        ValueError: the text does not specify a lead.
    """
    kind, colon, value = text.partition(":") if isinstance(text, str) else ("", "", "")
    if kind in (SENTENCES, PARAGRAPHS) and value.isdecimal() and int(value) > 0:
        return Lead(kind=kind, count=int(value))
    if kind == LEAD_SECTION and not colon:
        return Lead(kind=kind)
    if kind == SECTION and value.strip():
        return Lead(kind=kind, title=value.strip())
    raise ValueError(f"expected {FORMS}")


_WITHIN_WORDS = 6  # minimum length of a lead sentence to be searched for within longer ones
_POSITION_KEYS = tuple(
    (f"position/{i / POSITION_BINS:.2f}/sentences", f"position/{i / POSITION_BINS:.2f}/ratios")
    for i in range(POSITION_BINS)
)

COLUMNS: tuple[Column, ...] = (
    Column("id", "string", "unique: document id and `lead`"),
    Column("inputs", "string", "the rest of the document; a line is a paragraph"),
    Column("targets", "string", "the lead, on one line"),
    Column("overlap_ratio", "float64", "share of the lead's words, not counting stop words, that occur in the rest"),
    Column("lead_words", "int64", f"words of the lead: {COUNTED}"),
    Column("rest_words", "int64", "words of the rest"),
    Column("lead_sentences", "int64", "sentences of the lead"),
    Column("rest_sentences", "int64", "sentences of the rest"),
    *DOCUMENT_COLUMNS,
)


def _bound(default: int, meaning: str, unit: str = "words") -> Any:
    return option(whole(1), default=default, unit=unit, help=meaning)


LEAD = custom(
    lambda value: str(value) if parse_lead(value) else "",
    pattern=r"(sentences:0*[1-9][0-9]*|paragraphs:0*[1-9][0-9]*|lead-section|section:.*\S.*)",
    metavar="LEAD",
    allowed=FORMS,
)


@dataclass(frozen=True, kw_only=True)
class LeadBiasConfig(Options):
    """The recipe's options. Bounds are inclusive; the defaults are the paper's (section 3)."""

    GROUP: ClassVar[str] = "recipe"

    lead: str = option(
        LEAD,
        default="sentences:3",
        help=f"part to use as the summary: {FORMS} (for example section:Abstract); everything else is the rest",
    )
    min_lead_words: int = _bound(10, "minimum number of words in the lead")
    max_lead_words: int = _bound(150, "maximum number of words in the lead")
    min_rest_words: int = _bound(150, "minimum number of words in the rest")
    max_rest_words: int = _bound(1200, "maximum number of words in the rest")
    min_sentences: int = _bound(6, "minimum number of sentences in the document", "sentences")
    min_overlap: float = option(
        SHARE, default=0.65, help="minimum share of the lead's words, excluding stop words, that occur in the rest"
    )

    def check(self) -> None:
        """Raises ValueError if a lower bound exceeds its upper bound."""
        self.check_order("lead_words", "rest_words")


class LeadBias(Recipe[LeadBiasConfig]):
    """The recipe that makes at most one row per document: ``targets`` is the lead, ``inputs`` the rest."""

    NAME = "lead-bias"
    HELP = "build a summarization dataset from each article's lead and the rest of it"
    TITLE = "Lead bias"
    SUMMARY = (
        "Summarization examples from articles themselves (Zhu et al., 2021): `targets` is the lead of an article, "
        "`inputs` the rest of it, kept where the rest has most of the lead's words."
    )
    DESCRIPTION = (
        "Builds a summarization dataset without labels (Zhu et al., 2021). `targets` is an article's lead, by "
        "default its first three sentences, and `inputs` the rest. An article is kept if its lead and rest "
        "have a suitable length, no sentence of the lead is repeated, and enough of the lead's words occur in "
        "the rest. No parse is needed."
    )
    EXAMPLES = (
        "lead-bias --source wikipedia --input enwiki-20261101-pages-articles-multistream.xml.bz2 --output leads-en",
        "lead-bias --config lead-bias-wikipedia --input 'dumps/*.bz2' --output leads-en",
        "lead-bias --source annotated --input annotated-en --output leads-en --min-overlap 0.5",
    )
    CONFIG = LeadBiasConfig
    DOCUMENT = SegmentedDocument
    TASKS = ("summarization",)
    REASONS = (LeadBiasReason,)
    COLUMNS = COLUMNS
    ROWS = "one row per article"

    def __init__(self, config: LeadBiasConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt=salt)
        self._lead = parse_lead(config.lead)

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns a comparison with the paper's numbers and Figures 1 and 2; nothing if no document was measured."""
        if "sums/all" not in groups:
            return ()
        return tuple(make(groups) for make in (_beside_paper, _filters, _overlap, _position))

    def process(self, document: SegmentedDocument) -> Outcome:
        """Returns the document's row or the reason for rejecting it, and the counts for the paper's figures."""
        parts = self._lead.take(document)
        if parts is None:
            return Outcome(
                document.origin, refused=document.origin.reject(LeadBiasReason.NO_LEAD, "recipe", self.config.lead)
            )
        words = words_for(language_of(document.origin))
        found = measure(*parts, words)
        failed = self._failed(found)
        counts = {**_counts(found, failed), **words.counts}
        if failed:
            reason, detail = next(iter(failed.items()))
            return Outcome(document.origin, counts=counts, refused=document.origin.reject(reason, "recipe", detail))
        row_id, joiner = f"{document.id}-lead", words.language.joiner
        paragraphs = groupby(found.rest, lambda s: s.paragraph)
        values = {
            "id": row_id,
            "inputs": "\n".join(joiner.join(s.text for s in group) for _, group in paragraphs),
            "targets": joiner.join(s.text for s in found.lead),
            "overlap_ratio": found.overlap_ratio,
            "lead_words": found.lead_words,
            "rest_words": found.rest_words,
            "lead_sentences": len(found.lead),
            "rest_sentences": len(found.rest),
            **lineage_values(document.origin),
        }
        return Outcome(document.origin, counts=counts, rows=(Row(DEFAULT, row_id, values),))

    def _failed(self, found: Measured) -> dict[Reason, str]:
        """Returns every filter that the document fails, in order, with the measure that decided."""
        config = self.config
        sentences = len(found.lead) + len(found.rest)
        tests = (
            (sentences < config.min_sentences, f"{sentences} sentences"),
            (found.lead_words < config.min_lead_words, f"{found.lead_words} words"),
            (found.lead_words > config.max_lead_words, f"{found.lead_words} words"),
            (found.rest_words < config.min_rest_words, f"{found.rest_words} words"),
            (found.rest_words > config.max_rest_words, f"{found.rest_words} words"),
            (found.repeated is not None, found.repeated or ""),
            (found.overlap_ratio < config.min_overlap, f"{found.overlap_ratio:.4f}"),
        )
        return {reason: detail for reason, (fails, detail) in zip(FILTERS, tests, strict=True) if fails}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A lead and its rest, with the measures used by the filters and figures.

    Attributes:
        lead, rest: the sentences.
        lead_words, rest_words: numbers of words.
        content: number of content words in the lead, counting every occurrence.
        matched: number of these that occur in the rest.
        repeated: the first lead sentence that is repeated in the rest; None if none is.
        nearness: for each sentence of the rest, RATIO_UNIT times the share of its words, including stop words, that
            occur in the lead; -1 for a sentence without words.
    """

    lead: Sequence[TextSentence]
    rest: Sequence[TextSentence]
    lead_words: int
    rest_words: int
    content: int
    matched: int
    repeated: str | None
    nearness: Sequence[int]

    @property
    def overlap_ratio(self) -> float:
        """The share of the lead's content words that occur in the rest; 0.0 if it has none."""
        return self.matched / self.content if self.content else 0.0


def measure(lead: Sequence[TextSentence], rest: Sequence[TextSentence], words: Words) -> Measured:
    """Measures a lead against its rest, using the words of their language."""
    lead_text = words.language.joiner.join([s.text for s in lead])
    in_lead = frozenset(words.of(lead_text)).__contains__
    content = words.content(lead_text)
    rest_words = [words.of(s.text) for s in rest]
    in_rest = frozenset(chain.from_iterable(rest_words)).__contains__
    return Measured(
        lead=lead,
        rest=rest,
        lead_words=words.count(lead_text),
        rest_words=sum([words.count(s.text) for s in rest]),
        content=len(content),
        matched=sum(map(in_rest, content)),
        repeated=_repeated(lead, rest_words, words),
        nearness=[RATIO_UNIT * sum(map(in_lead, each)) // len(each) if each else -1 for each in rest_words],
    )


def _repeated(lead: Sequence[TextSentence], rest: Sequence[Sequence[str]], words: Words) -> str | None:
    """Returns the first sentence of the lead that is repeated in the rest; None if none is.

    Only words are compared, not case or punctuation; ``rest`` contains the words of each sentence. The paper removes
    exact repetitions; here, a sentence is also searched for within longer ones, unless it may occur there by chance.
    """
    lines = "\n".join([f"^ {' '.join(each)} $" for each in rest])
    for sentence in lead:
        own = words.of(sentence.text)
        repetition = f" {' '.join(own)} "
        if own and (repetition if len(own) >= _WITHIN_WORDS else f"^{repetition}$") in lines:
            return sentence.text
    return None


def _counts(found: Measured, failed: Mapping[Reason, str]) -> dict[str, int]:
    """Returns the counts that one document contributes to the figures; ``figures`` reads these keys."""
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
