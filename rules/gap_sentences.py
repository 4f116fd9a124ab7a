"""The gap-sentence recipe (PEGASUS): important sentences are cut from a document, and are its summary.

Source: J. Zhang et al., "PEGASUS: Pre-training with extracted gap-sentences for abstractive summarization", ICML 2020,
section 3.1 (random, lead, principal; Ind and Seq; Uniq and Orig) and 6.2 (the largest model: Ind-Orig, 45% of the
sentences, of which 20% stay in the input, so that the model learns to copy as well).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from rules.hashing import unit_interval
from rules.lineage import DOCUMENT_COLUMNS, document_reject, document_values
from rules.records import Column, Outcome, Row, SegmentedDocument, TextSentence
from rules.rouge.selection import ScoredDocument
from rules.verdict import Reason

CONFIG = "default"
RANDOM, LEAD, PRINCIPAL = "random", "lead", "principal"
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
    Column("input_words", "int64", "words of the inputs, as white space divides them; a mask token is one"),
    Column("target_words", "int64", "words of the targets"),
    *DOCUMENT_COLUMNS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapSentencesConfig:
    """What decides the dataset; the defaults are those of the largest PEGASUS model.

    Attributes:
        selection: ``principal``, the sentences most important by ROUGE-1 F1 against the rest; ``random``; or ``lead``,
            the first ones.
        scoring: of principal sentences: ``ind``, each alone; ``seq``, together with those chosen before.
        ngrams: in their ROUGE: ``orig``, words as often as they occur; ``uniq``, as sets.
        stemmer: whether that ROUGE stems; PEGASUS does not.
        gap_ratio: share of the sentences that is selected, rounded down, but one at least.
        left_ratio: share of the selected that stays in the inputs; each is decided by itself.
        mask_token: what stands for a selected sentence. The released vocabulary writes the paper's as ``<mask_1>``.
        min_sentences: sentences that a document must have.
        max_words: a document ends with the last sentence within so many words, as white space divides them; 0: none is
            cut. PEGASUS reads 512 word pieces.
        salt: salt of the hashes that are the only chance here.
    """

    selection: str = PRINCIPAL
    scoring: str = IND
    ngrams: str = ORIG
    stemmer: bool = False
    gap_ratio: float = 0.45
    left_ratio: float = 0.2
    mask_token: str = "[MASK1]"
    min_sentences: int = 3
    max_words: int = 512
    salt: str = "gistmill"

    def __post_init__(self) -> None:
        for name, known in (("selection", SELECTIONS), ("scoring", SCORINGS), ("ngrams", COUNTINGS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}: {getattr(self, name)!r} is not one of {', '.join(known)}")
        if not _is_number(self.gap_ratio) or not 0 < self.gap_ratio < 1:
            raise ValueError(f"gap_ratio: {self.gap_ratio!r} is not a number between 0 and 1")
        if not _is_number(self.left_ratio) or not 0 <= self.left_ratio <= 1:
            raise ValueError(f"left_ratio: {self.left_ratio!r} is not a number from 0 to 1")
        for name, least in (("min_sentences", 2), ("max_words", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ValueError(f"{name}: {value!r} is not a whole number of at least {least}")
        for name in ("mask_token", "salt"):
            value = getattr(self, name)
            if not isinstance(value, str) or value.split() != [value]:
                raise ValueError(f"{name}: {value!r} is not a text without white space")


class GapSentences:
    """Makes at most one row of a document, in the configuration ``default``."""

    CONFIGS = (CONFIG,)
    COLUMNS = COLUMNS
    DOCUMENT = SegmentedDocument

    def __init__(self, config: GapSentencesConfig) -> None:
        self._config = config

    def process(self, document: SegmentedDocument) -> Outcome:
        """Returns the document's row, or the reason against it, and how many sentences were selected and masked."""
        config = self._config
        sentences = self._within(document.sentences)
        if len(sentences) < config.min_sentences:
            return _refused(document, Reason.TOO_FEW_SENTENCES, f"{len(sentences)} sentences")
        for sentence in sentences:
            if config.mask_token in sentence.text:
                return _refused(document, Reason.MASK_IN_TEXT, sentence.text)
        # the small part is against ratios such as 0.29, of which 100 are 28.999...
        count = max(1, int(config.gap_ratio * len(sentences) + 1e-9))
        selected = sorted(self._select(document.id, [s.text for s in sentences], count))
        masked = [i for i in selected if self._chance(document.id, i, "left") >= config.left_ratio]
        counts = {"gaps/sentences": len(sentences), "gaps/selected": len(selected), "gaps/masked": len(masked)}
        row = _row(document, sentences, selected, masked, config.mask_token)
        return Outcome(document.id, document.range_key, rows=(row,), counts=counts)

    def _within(self, sentences: Sequence[TextSentence]) -> Sequence[TextSentence]:
        most = self._config.max_words
        if not most:
            return sentences
        ends = accumulate(len(s.text.split()) for s in sentences)
        return sentences[: sum(end <= most for end in ends)]

    def _select(self, document_id: str, texts: Sequence[str], count: int) -> Collection[int]:
        config = self._config
        if config.selection == LEAD:
            return range(count)
        if config.selection == RANDOM:
            return sorted(range(len(texts)), key=lambda i: self._chance(document_id, i, "selected"))[:count]
        scored = ScoredDocument(texts, stemmer=config.stemmer)
        return scored.principal(count, unique=config.ngrams == UNIQ, sequential=config.scoring == SEQ)

    def _chance(self, document_id: str, index: int, purpose: str) -> float:
        return unit_interval(self._config.salt, f"{document_id}-{index}-{purpose}")


def _row(
    document: SegmentedDocument,
    sentences: Sequence[TextSentence],
    selected: Sequence[int],
    masked: Sequence[int],
    mask_token: str,
) -> Row:
    gaps = frozenset(masked)
    shown = [(s.section, s.paragraph, mask_token if i in gaps else s.text) for i, s in enumerate(sentences)]
    inputs = "\n".join(" ".join(text for *_, text in group) for _, group in groupby(shown, lambda s: s[:2]))
    targets = " ".join(sentences[i].text for i in selected)
    row_id = f"{document.id}-gaps"
    values = {
        "id": row_id,
        "inputs": inputs,
        "targets": targets,
        "selected": list(selected),
        "masked": list(masked),
        "sentences": len(sentences),
        "input_words": len(inputs.split()),
        "target_words": len(targets.split()),
        **document_values(document),
    }
    return Row(CONFIG, row_id, values)


def _refused(document: SegmentedDocument, reason: Reason, detail: str) -> Outcome:
    return Outcome(document.id, document.range_key, refused=document_reject(document, reason, detail))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
