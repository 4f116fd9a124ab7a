"""Profiles: what is known beforehand of the dataset that a corpus is to resemble.

Source: A. Fabbri et al., "Improving Zero and Few-Shot Abstractive Summarization with Intermediate Fine-tuning and Data
Augmentation", 2021, section 3.1 (M, bins, removal), 5.2 (choice of the summary, lead bias). ROUGE is in points here,
0 to 100, as there. N, the sentences of a document there, has no key here: bounds are in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gistmill.core.options import OptionError, Options, option, options_of
from gistmill.core.values import SWITCH, custom, number, one_of, whole
from gistmill.rules.rouge.scoring import ROUGE_L, ROUGE_LSUM

LEAD, IND_ORIG, IND_ORIG_P = "lead", "ind-orig", "ind-orig-p"
SELECTIONS = (LEAD, IND_ORIG, IND_ORIG_P)
ROUGES = ("rouge1", "rouge2", ROUGE_L, ROUGE_LSUM)
MEASURES = ("fmeasure", "precision", "recall")
# The paper's bins of the ROUGE of an extractive oracle; it says of no dataset which one it has.
BINS = {
    "extremely abstractive": (10, 30),
    "more abstractive": (20, 30),
    "more extractive": (30, 50),
    "extremely extractive": (40, 60),
}
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")


def _name(value: Any) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value) or value == "rejects":
        raise ValueError("expected a name of small letters, digits, '-', '_' and '.'")
    return value


NAME = custom(_name, pattern=_NAME.pattern, metavar="NAME", allowed="a name of small letters, digits, '-', '_', '.'")
POINTS = number(lambda n: 0 <= n <= 100, "a number from 0 to 100", r"(100|[0-9]{1,2})(\.[0-9]+)?", "ROUGE")


def _bound(minimum: int, default: int, meaning: str) -> Any:
    return option(whole(minimum), default=default, unit="words", help=meaning)


@dataclass(frozen=True, kw_only=True)
class Profile(Options):
    """One profile: a configuration of the dataset. Bounds are inclusive, those of words are of ``Words.count``."""

    GROUP: ClassVar[str] = "profile"

    name: str = option(NAME, required=True, help="name of the configuration")
    sentences: int = option(
        whole(1), required=True, unit="sentences", help="M, the sentences of the summary and of the oracle"
    )
    min_oracle: float = option(POINTS, required=True, help="least ROUGE of the oracle: the lower bound of the bin")
    max_oracle: float = option(POINTS, required=True, help="highest ROUGE of the oracle: the upper bound of the bin")
    selection: str = option(
        one_of(*SELECTIONS),
        default=LEAD,
        help="the summary: lead, the first M sentences; ind-orig or ind-orig-p, the M sentences with the highest "
        "ROUGE-1 F1 or precision against all others",
    )
    min_document_words: int = _bound(1, 1, "words that the document, less its summary, must have")
    max_document_words: int = _bound(0, 0, "words that it may have; 0: no upper bound")
    cut: bool = option(
        SWITCH, default=True, help="a longer document ends with the last sentence within the bound; else it is rejected"
    )
    min_summary_words: int = _bound(1, 1, "words that the summary must have")
    max_summary_words: int = _bound(0, 0, "words that it may have; 0: no upper bound")
    remove_until_in_range: bool = option(
        SWITCH, default=False, help="while the oracle is above the range, remove the sentence with the highest ROUGE"
    )
    oracle_first: bool = option(
        SWITCH, default=False, help="move the oracle's sentences to the front of the inputs (lead bias)"
    )
    rouge: str = option(
        one_of(*ROUGES), default="rouge1", help="the ROUGE that ranks the sentences and decides the bin"
    )
    measure: str = option(one_of(*MEASURES), default="fmeasure", help="the measure of that ROUGE")
    stemmer: bool = option(SWITCH, default=False, help="stem English words for that ROUGE")

    def check(self) -> None:
        """Raises ValueError where a value is missing, or a lower bound is above its upper bound."""
        for key in REQUIRED:
            if getattr(self, key) is None:
                raise ValueError(f"{key} is missing")
        bounded = [name for name in ("document_words", "summary_words") if getattr(self, f"max_{name}")]
        self.check_order("oracle", *bounded)


FIELDS = tuple(o.name for o in options_of(Profile))
REQUIRED = tuple(o.name for o in options_of(Profile) if o.required)


def profile_of(values: Mapping[str, Any]) -> Profile:
    """Returns the profile that ``values`` describe.

    Raises:
        OptionError: a value is unknown, missing or cannot be used.
    """
    for key in values:
        if key not in FIELDS:
            raise OptionError("", f"unknown key {key!r}; a profile has {', '.join(FIELDS)}")
    return Profile(**values)
