"""The lead-bias recipe (Zhu et al., 2021, section 3): the lead of an article is the summary of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, ClassVar

from gistmill.core.dataset import Column
from gistmill.core.figure import Figure, Groups
from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Row
from gistmill.core.values import SHARE, custom, whole
from gistmill.core.verdict import Reason
from gistmill.rules.documents import SegmentedDocument, TextSentence
from gistmill.rules.lead_bias import figures
from gistmill.rules.lead_bias.figures import FILTERS, OVERLAP_BINS, POSITION_BINS, RATIO_UNIT
from gistmill.rules.lead_bias.leads import FORMS, parse_lead
from gistmill.rules.lead_bias.reasons import LeadBiasReason
from gistmill.rules.lineage import DOCUMENT_COLUMNS, language_of, lineage_values
from gistmill.rules.recipe import DEFAULT, SALT, Recipe
from gistmill.rules.text.words import COUNTED, Words, words_for

_WITHIN_WORDS = 6  # of a lead sentence that is looked for within longer ones
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


def _lead(value: Any) -> str:
    try:
        parse_lead(value)
    except ValueError:
        raise ValueError(f"expected {FORMS}") from None
    return str(value)


LEAD = custom(
    _lead,
    pattern=r"(sentences:0*[1-9][0-9]*|paragraphs:0*[1-9][0-9]*|lead-section|section:.*\S.*)",
    metavar="LEAD",
    allowed=FORMS,
)


@dataclass(frozen=True, kw_only=True)
class LeadBiasConfig(Options):
    """The options of the recipe. Bounds are inclusive; the defaults are the paper's (section 3)."""

    GROUP: ClassVar[str] = "recipe"

    lead: str = option(
        LEAD,
        default="sentences:3",
        help=f"the summary: {FORMS} (for example section:Abstract); everything else is the rest",
    )
    min_lead_words: int = _bound(10, "words that the lead must have")
    max_lead_words: int = _bound(150, "words that the lead may have")
    min_rest_words: int = _bound(150, "words that the rest must have")
    max_rest_words: int = _bound(1200, "words that the rest may have")
    min_sentences: int = _bound(6, "sentences that the document must have", "sentences")
    min_overlap: float = option(
        SHARE,
        default=0.65,
        help="least share of the lead's words, not counting stop words, that occur in the rest",
    )

    def check(self) -> None:
        """Raises ValueError where a lower bound is above its upper bound."""
        self.check_order("lead_words", "rest_words")


class LeadBias(Recipe[LeadBiasConfig]):
    """Makes at most one row of a document: the lead as ``targets``, the rest as ``inputs``."""

    NAME = "lead-bias"
    HELP = "build a summarization dataset from the lead of each article and the rest of it"
    TITLE = "Lead bias"
    SUMMARY = (
        "Summarization examples from articles themselves (Zhu et al., 2021): `targets` is the lead of an article, "
        "`inputs` the rest of it, kept where the rest has most of the lead's words."
    )
    DESCRIPTION = (
        "Builds a summarization dataset without labels (Zhu et al., 2021). `targets` is the lead of an article, its "
        "first three sentences by default, and `inputs` the rest. Articles are kept when lead and rest have a fitting "
        "length, no sentence of the lead is repeated, and enough of the lead's words occur in the rest. No parse is "
        "needed."
    )
    EXAMPLES = (
        "lead-bias --source wikipedia --input enwiki-latest-pages-articles-multistream.xml.bz2 --output leads-en",
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
        """Returns the paper's figures 1 and 2 and its numbers beside those of the dataset."""
        return figures.figures(groups)

    def process(self, document: SegmentedDocument) -> Outcome:
        """Returns the document's row, or the reason against it, and the counts for the figures of the paper."""
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
        return Outcome(document.origin, counts=counts, rows=(_row(document, found, words.language.joiner),))

    def _failed(self, found: Measured) -> dict[Reason, str]:
        """Every filter that the document fails, in order, with the measure that decided."""
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
    """A lead and its rest, and what filters and figures need of them.

    Attributes:
        lead, rest: the sentences.
        lead_words, rest_words: how many words they have.
        content: content words of the lead, every occurrence.
        matched: how many of these occur in the rest.
        repeated: the first sentence of the lead that the rest repeats; None if it repeats none.
        nearness: for each sentence of the rest the share of its words, stop words too, that occur in the lead, in
            RATIO_UNIT; -1 where it has none.
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
        """Share of the lead's content words that occur in the rest; 0.0 where it has none."""
        return self.matched / self.content if self.content else 0.0


def measure(lead: Sequence[TextSentence], rest: Sequence[TextSentence], words: Words) -> Measured:
    """Measures a lead against its rest, by the words of their language."""
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

    Words count, not case and punctuation. The paper removes exact repetitions. Here a sentence of enough words is
    repeated within a longer one too: a shorter one stands there by chance.

    Args:
        lead: its sentences.
        rest: the words of each sentence of the rest.
        words: those of the language.
    """
    lines = "\n".join([f"^ {' '.join(each)} $" for each in rest])
    for sentence in lead:
        own = words.of(sentence.text)
        repetition = f" {' '.join(own)} "
        if own and (repetition if len(own) >= _WITHIN_WORDS else f"^{repetition}$") in lines:
            return sentence.text
    return None


def _counts(found: Measured, failed: Mapping[Reason, str]) -> dict[str, int]:
    """Returns the counts that one document adds to the figures; ``rules/lead_bias/figures.py`` reads these keys."""
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


def _row(document: SegmentedDocument, found: Measured, joiner: str) -> Row:
    row_id = f"{document.id}-lead"
    return Row(
        DEFAULT,
        row_id,
        {
            "id": row_id,
            "inputs": "\n".join(
                joiner.join(s.text for s in group) for _, group in groupby(found.rest, lambda s: s.paragraph)
            ),
            "targets": joiner.join(s.text for s in found.lead),
            "overlap_ratio": found.overlap_ratio,
            "lead_words": found.lead_words,
            "rest_words": found.rest_words,
            "lead_sentences": len(found.lead),
            "rest_sentences": len(found.rest),
            **lineage_values(document.origin),
        },
    )
