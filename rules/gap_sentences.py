"""The gap-sentence recipe (PEGASUS), which removes important sentences from a document to serve as its summary.

Source: J. Zhang et al., "PEGASUS: Pre-training with extracted gap-sentences for abstractive summarization", ICML 2020,
sections 3.1 (random, lead, principal; Ind and Seq; Uniq and Orig) and 6.2 (the largest model: Ind-Orig, 45% of the
sentences, 20% of which stay in the input so that the model also learns to copy). The released "mixed and stochastic"
model (README and parameters at github.com/google-research/pegasus) draws each document's ratio uniformly between 0.33
times 0.45 and 0.45, adds 20% uniform noise to the scores, and leaves 10% of the gap sentences in the input.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import ClassVar

from gistmill.core.hashing import unit_interval
from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Reason, Row
from gistmill.core.statistics import Column
from gistmill.core.values import BETWEEN, SHARE, SWITCH, TOKEN, one_of, whole
from gistmill.rules.documents import DocumentReason, SegmentedDocument
from gistmill.rules.lineage import DOCUMENT_COLUMNS, language_of, lineage_values
from gistmill.rules.recipe import DEFAULT, SALT, Recipe
from gistmill.rules.rouge.selection import ScoredDocument, best
from gistmill.rules.text.words import COUNTED, Words, words_for

RANDOM, LEAD, PRINCIPAL = "random", "lead", "principal"
EARLIER, LATER = "earlier", "later"
TIES = (EARLIER, LATER)
SELECTIONS = (PRINCIPAL, RANDOM, LEAD)
IND, SEQ = "ind", "seq"
SCORINGS = (IND, SEQ)
ORIG, UNIQ = "orig", "uniq"
COUNTINGS = (ORIG, UNIQ)

COLUMNS: tuple[Column, ...] = (
    Column("id", "string", "unique: document id and `gaps`"),
    Column("inputs", "string", "the document with mask tokens in its gaps; a line is a paragraph"),
    Column("targets", "string", "the selected sentences in the document's order, on one line"),
    Column("selected", "list<int64>", "positions of the selected sentences in the document"),
    Column("masked", "list<int64>", "positions of those that a mask token stands for; the others stay in the inputs"),
    Column("sentences", "int64", "sentences of the document"),
    Column("input_words", "int64", f"words of the inputs: {COUNTED}; a mask token is one"),
    Column("target_words", "int64", "words of the targets"),
    *DOCUMENT_COLUMNS,
)


class GapSentencesReason(Reason):
    """Reasons why the gap-sentence recipe rejects a document."""

    MASK_IN_TEXT = "the text contains the mask token"


@dataclass(frozen=True, kw_only=True)
class GapSentencesConfig(Options):
    """The recipe's options; the defaults match the paper's largest PEGASUS model (section 6.2)."""

    GROUP: ClassVar[str] = "recipe"

    selection: str = option(
        one_of(*SELECTIONS),
        default=PRINCIPAL,
        help="how to choose the gap sentences: principal, those with the highest ROUGE-1 F1 against the rest; "
        "random; or lead, the first sentences",
    )
    scoring: str = option(
        one_of(*SCORINGS),
        default=IND,
        help="score principal sentences individually (ind), or together with those already chosen (seq)",
    )
    ngrams: str = option(
        one_of(*COUNTINGS), default=ORIG, help="count words in that score every time (orig) or only once (uniq)"
    )
    ties: str = option(
        one_of(*TIES),
        default=EARLIER,
        help="which of two sentences with equal scores to rank first; PEGASUS's code uses later",
    )
    stemmer: bool = option(SWITCH, default=False, help="stem English words before scoring; PEGASUS does not")
    gap_ratio: float = option(
        BETWEEN, default=0.45, help="share of a document's sentences to use as gap sentences, at least one"
    )
    min_gap_ratio: float | None = option(
        BETWEEN,
        help="draw each document's ratio uniformly between this value and --gap-ratio; the mixed and stochastic "
        "PEGASUS uses 0.1485 and 0.45 (default: use --gap-ratio for every document)",
    )
    score_noise: float = option(
        SHARE,
        default=0.0,
        help="multiply each score by a number drawn uniformly from 1 - N to 1 + N before ranking principal "
        "sentences; the mixed and stochastic PEGASUS uses 0.2",
    )
    left_ratio: float = option(
        SHARE,
        default=0.2,
        help="share of the gap sentences to leave unmasked in the inputs, each drawn independently; the mixed "
        "and stochastic PEGASUS uses 0.1",
    )
    mask_token: str = option(
        TOKEN,
        default="[MASK1]",
        help="token that replaces each masked sentence in the inputs; the released vocabulary uses <mask_1>",
    )
    min_sentences: int = option(whole(2), default=3, unit="sentences", help="minimum number of sentences in a document")
    max_words: int = option(
        whole(0),
        default=512,
        unit="words",
        help="cut the document after the last sentence within this many words; 0: no limit",
    )

    def check(self) -> None:
        """Raises ValueError if the lower ratio exceeds the upper, or if an option requires another selection."""
        if self.min_gap_ratio is not None and self.min_gap_ratio > self.gap_ratio:
            raise ValueError(f"min_gap_ratio: {self.min_gap_ratio:g} is above gap_ratio, {self.gap_ratio:g}")
        if self.score_noise and (self.selection, self.scoring) != (PRINCIPAL, IND):
            raise ValueError(f"score_noise requires selection {PRINCIPAL} and scoring {IND}")
        if self.ties != EARLIER and self.selection != PRINCIPAL:
            raise ValueError(f"ties: {self.ties} requires selection {PRINCIPAL}")


class GapSentences(Recipe[GapSentencesConfig]):
    """The recipe that makes at most one row per document: ``targets`` are gap sentences, ``inputs`` the masked text."""

    NAME = "gap-sentences"
    HELP = "build a pre-training corpus of gap sentences (PEGASUS)"
    TITLE = "Gap sentences"
    SUMMARY = (
        "Gap sentences made from running text (PEGASUS, Zhang et al., 2020): `targets` are sentences of a document, "
        "`inputs` the document with mask tokens in their places."
    )
    DESCRIPTION = (
        "Builds a pre-training corpus of gap sentences (PEGASUS, Zhang et al., 2020). `targets` are an "
        "article's most important sentences; in `inputs`, a mask token replaces each of them. The defaults "
        "match the largest PEGASUS model in the paper; the preset `gap-sentences-stochastic` matches the "
        "released mixed and stochastic model, which LATS fine-tunes."
    )
    EXAMPLES = (
        "gap-sentences --input enwiki-latest-pages-articles-multistream.xml.bz2 --output gaps-en",
        "gap-sentences --source jsonl --input 'texts/*.jsonl' --output gaps --selection lead --gap-ratio 0.3",
        "gap-sentences --config gap-sentences-stochastic --input 'dumps/*.bz2' --output gaps-en",
    )
    CONFIG = GapSentencesConfig
    DOCUMENT = SegmentedDocument
    TASKS = ("summarization",)
    REASONS = (GapSentencesReason,)
    COLUMNS = COLUMNS

    def __init__(self, config: GapSentencesConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt="-".join([*salt.split(), "gaps"]))

    def process(self, document: SegmentedDocument) -> Outcome:
        """Returns the document's row or the reason for rejecting it, and counts of selected and masked sentences."""
        config = self.config
        words = words_for(language_of(document.origin))
        sentences = document.sentences
        if config.max_words:
            ends = accumulate(words.count(s.text) for s in sentences)
            sentences = sentences[: sum(end <= config.max_words for end in ends)]
        if len(sentences) < config.min_sentences:
            return _refused(document, words, DocumentReason.TOO_FEW_SENTENCES, f"{len(sentences)} sentences")
        for sentence in sentences:
            if config.mask_token in sentence.text:
                return _refused(document, words, GapSentencesReason.MASK_IN_TEXT, sentence.text)
        least, most = config.min_gap_ratio, config.gap_ratio
        share = most if least is None else least + (most - least) * unit_interval(self.salt, f"{document.id}-ratio")
        # the small term corrects products such as 100 * 0.29, which is 28.999...
        count = max(1, int(share * len(sentences) + 1e-9))
        selected = sorted(self._select(document, [s.text for s in sentences], count))
        masked = [i for i in selected if self._chance(document.id, i, "left") >= config.left_ratio]
        counts = {"gaps/sentences": len(sentences), "gaps/selected": len(selected), "gaps/masked": len(masked)}
        gaps, joiner = frozenset(masked), words.language.joiner
        shown = [(s.section, s.paragraph, config.mask_token if i in gaps else s.text) for i, s in enumerate(sentences)]
        paragraphs = groupby(shown, lambda s: s[:2])
        row_id = f"{document.id}-gaps"
        values = {
            "id": row_id,
            "inputs": "\n".join(joiner.join(text for *_, text in group) for _, group in paragraphs),
            "targets": joiner.join(sentences[i].text for i in selected),
            "selected": selected,
            "masked": masked,
            "sentences": len(sentences),
            "input_words": len(masked) + sum(words.count(s.text) for i, s in enumerate(sentences) if i not in gaps),
            "target_words": sum(words.count(sentences[i].text) for i in selected),
            **lineage_values(document.origin),
        }
        row = Row(DEFAULT, row_id, values)
        return Outcome(document.origin, rows=(row,), counts={**counts, **words.counts})

    def _select(self, document: SegmentedDocument, texts: Sequence[str], count: int) -> Collection[int]:
        config, document_id = self.config, document.id
        if config.selection == LEAD:
            return range(count)
        if config.selection == RANDOM:
            return sorted(range(len(texts)), key=lambda i: self._chance(document_id, i, "selected"))[:count]
        scored = ScoredDocument(texts, stemmer=config.stemmer, language=language_of(document.origin))
        unique, later = config.ngrams == UNIQ, config.ties == LATER
        if not config.score_noise:
            return scored.principal(count, unique=unique, sequential=config.scoring == SEQ, later=later)
        # the noise is uniform, as stated in the model's README; the released code uses a normal distribution
        noise = (config.score_noise * (2 * self._chance(document_id, i, "noise") - 1) for i in range(len(texts)))
        overlaps = scored.against_rest(unique=unique)
        return best([o.exact("fmeasure") * (1 + n) for o, n in zip(overlaps, noise, strict=True)], count, later=later)

    def _chance(self, document_id: str, index: int, purpose: str) -> float:
        return unit_interval(self.salt, f"{document_id}-{index}-{purpose}")


def _refused(document: SegmentedDocument, words: Words, reason: Reason, detail: str) -> Outcome:
    return Outcome(document.origin, counts=words.counts, refused=document.origin.reject(reason, "recipe", detail))
