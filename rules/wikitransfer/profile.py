"""Profile: what is known beforehand of the dataset that a corpus shall resemble.

Source: A. Fabbri et al., "Improving Zero and Few-Shot Abstractive Summarization with Intermediate Fine-tuning and Data
Augmentation", 2021, section 3.1 (M, bins, removal), 5.2 (choice of the summary, lead bias). ROUGE is in points here,
0 to 100, as there.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from rules.rouge.scoring import ROUGE_L, ROUGE_LSUM

LEAD, IND_ORIG, IND_ORIG_P = "lead", "ind-orig", "ind-orig-p"
SELECTIONS = (LEAD, IND_ORIG, IND_ORIG_P)
ROUGES = ("rouge1", "rouge2", ROUGE_L, ROUGE_LSUM)
MEASURES = ("fmeasure", "precision", "recall")
# The paper's bins of the ROUGE of an extractive oracle.
BINS = {
    "extremely abstractive": (10, 30), "more abstractive": (20, 30), "more extractive": (30, 50),
    "extremely extractive": (40, 60),
}
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
_COUNTS = {
    "sentences": 1, "min_summary_words": 1, "max_summary_words": 0, "min_document_words": 1, "max_document_words": 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One profile: a configuration of the dataset. Bounds are inclusive, words are those between white space.

    Attributes:
        name: name of the configuration.
        sentences: M, sentences of the summary, and of the oracle.
        min_oracle, max_oracle: the bin: ROUGE that the oracle must have.
        selection: the summary: ``lead``, the first M sentences; ``ind-orig`` or ``ind-orig-p``, the M sentences with
            the highest ROUGE-1 F1 or precision against all others.
        min_document_words, max_document_words: words that the document, less its summary, must have; 0: no upper bound.
        cut: a longer document ends with the last sentence within the bound; else it is refused.
        min_summary_words, max_summary_words: words that the summary must have; 0: no upper bound.
        remove_until_in_range: while the oracle is above the range, the sentence with the highest ROUGE is removed.
        oracle_first: the oracle's sentences are moved to the front (lead bias).
        rouge, measure, stemmer: the ROUGE that ranks the sentences and decides the bin.
    """

    name: str
    sentences: int
    min_oracle: float
    max_oracle: float
    selection: str = LEAD
    min_document_words: int = 1
    max_document_words: int = 0
    cut: bool = True
    min_summary_words: int = 1
    max_summary_words: int = 0
    remove_until_in_range: bool = False
    oracle_first: bool = False
    rouge: str = "rouge1"
    measure: str = "fmeasure"
    stemmer: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name) or self.name == "rejects":
            raise ValueError(f"name: {self.name!r} is not a name of small letters, digits, '-', '_' and '.'")
        for name, least in _COUNTS.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ValueError(f"{name}: {value!r} is not a whole number of at least {least}")
        for name, known in (("selection", SELECTIONS), ("rouge", ROUGES), ("measure", MEASURES)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}: {getattr(self, name)!r} is not one of {', '.join(known)}")
        for name in ("cut", "remove_until_in_range", "oracle_first", "stemmer"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name}: {getattr(self, name)!r} is neither true nor false")
        for name in ("min_oracle", "max_oracle"):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 100:
                raise ValueError(f"{name}: {value!r} is not a number from 0 to 100")
        self._check_order("oracle", self.min_oracle, self.max_oracle)
        for part in ("document", "summary"):
            least, most = getattr(self, f"min_{part}_words"), getattr(self, f"max_{part}_words")
            self._check_order(f"{part}_words", least, most or least)

    @staticmethod
    def _check_order(name: str, least: float, most: float) -> None:
        if least > most:
            raise ValueError(f"min_{name}: {least} is above max_{name}, {most}")

    def to_values(self) -> dict[str, Any]:
        """Returns it as plain values, all of them, in order."""
        return asdict(self)


FIELDS = tuple(f.name for f in fields(Profile))
REQUIRED = ("name", "sentences", "min_oracle", "max_oracle")


def profile_of(values: Mapping[str, Any]) -> Profile:
    """Returns the profile that ``values`` describe.

    Raises:
        ValueError: one is unknown, missing or of no use.
    """
    for key in values:
        if key not in FIELDS:
            raise ValueError(f"unknown key {key!r}; a profile has {', '.join(FIELDS)}")
    for key in REQUIRED:
        if key not in values:
            raise ValueError(f"{key} is missing")
    return Profile(**values)
