"""Profiles, which describe the dataset that a corpus is to resemble, and the examples made with them.

Source: A. Fabbri et al., "Improving Zero and Few-Shot Abstractive Summarization with Intermediate Fine-tuning and Data
Augmentation", 2021, section 3.1 (M, bins, removal), 5.2 (choice of the summary, lead bias). As in the paper, ROUGE is
in points from 0 to 100. The paper's N, the number of sentences in a document, has no key: bounds are in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from statistics import fmean, median_low
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gistmill.core import deadline
from gistmill.core.options import OptionError, Options, option, options_of
from gistmill.core.records import Reason, Row
from gistmill.core.statistics import Column
from gistmill.core.values import SWITCH, custom, number, one_of, whole
from gistmill.rules.documents import SegmentedDocument
from gistmill.rules.extractive import Extractiveness
from gistmill.rules.languages.language import ENGLISH
from gistmill.rules.lineage import DOCUMENT_COLUMNS, lineage_values
from gistmill.rules.rouge.scoring import ROUGE_L, ROUGE_LSUM, Tokens, join, overlap, tokenise_all
from gistmill.rules.rouge.selection import ScoredDocument, best
from gistmill.rules.text.words import COUNTED, words_for

LEAD, IND_ORIG, IND_ORIG_P = "lead", "ind-orig", "ind-orig-p"
SELECTIONS = (LEAD, IND_ORIG, IND_ORIG_P)
ROUGES = ("rouge1", "rouge2", ROUGE_L, ROUGE_LSUM)
MEASURES = ("fmeasure", "precision", "recall")
# The paper's bins for the ROUGE of an extractive oracle; it does not state which datasets use which bins.
BINS = {
    "extremely abstractive": (10, 30),
    "more abstractive": (20, 30),
    "more extractive": (30, 50),
    "extremely extractive": (40, 60),
}
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")


def _name(value: Any) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value) or value == "rejects":
        raise ValueError("expected a name consisting of lower-case letters, digits, '-', '_' and '.'")
    return value


NAME = custom(_name, pattern=_NAME.pattern, metavar="NAME", allowed="a name of small letters, digits, '-', '_', '.'")
POINTS = number(lambda n: 0 <= n <= 100, "a number from 0 to 100", r"(100|[0-9]{1,2})(\.[0-9]+)?", "ROUGE")


def _bound(minimum: int, default: int, meaning: str) -> Any:
    return option(whole(minimum), default=default, unit="words", help=meaning)


@dataclass(frozen=True, kw_only=True)
class Profile(Options):
    """A profile, which becomes a configuration of the dataset. Bounds are inclusive; words as in ``Words.count``."""

    GROUP: ClassVar[str] = "profile"

    name: str = option(NAME, required=True, help="name of the configuration")
    sentences: int = option(
        whole(1), required=True, unit="sentences", help="M, the number of sentences in the summary and in the oracle"
    )
    min_oracle: float = option(POINTS, required=True, help="minimum ROUGE of the oracle: the lower bound of the bin")
    max_oracle: float = option(POINTS, required=True, help="maximum ROUGE of the oracle: the upper bound of the bin")
    selection: str = option(
        one_of(*SELECTIONS),
        default=LEAD,
        help="how to choose the summary: lead, the first M sentences; ind-orig or ind-orig-p, the M sentences "
        "with the highest ROUGE-1 F1 or precision against all others",
    )
    min_document_words: int = _bound(1, 1, "minimum number of words in the document without its summary")
    max_document_words: int = _bound(0, 0, "maximum number of words in the document without its summary; 0: no limit")
    cut: bool = option(
        SWITCH, default=True, help="cut a longer document after the last sentence that fits instead of rejecting it"
    )
    min_summary_words: int = _bound(1, 1, "minimum number of words in the summary")
    max_summary_words: int = _bound(0, 0, "maximum number of words in the summary; 0: no limit")
    remove_until_in_range: bool = option(
        SWITCH, default=False, help="remove the sentence with the highest ROUGE while the oracle is above the range"
    )
    oracle_first: bool = option(
        SWITCH, default=False, help="move the oracle's sentences to the front of the inputs (lead bias)"
    )
    rouge: str = option(one_of(*ROUGES), default="rouge1", help="ROUGE that ranks the sentences and sets the bin")
    measure: str = option(one_of(*MEASURES), default="fmeasure", help="measure of that ROUGE variant")
    stemmer: bool = option(SWITCH, default=False, help="stem English words before computing ROUGE")

    def check(self) -> None:
        """Raises ValueError if a value is missing or a lower bound exceeds its upper bound."""
        for key in REQUIRED:
            if getattr(self, key) is None:
                raise ValueError(f"{key} is missing")
        bounded = [name for name in ("document_words", "summary_words") if getattr(self, f"max_{name}")]
        self.check_order("oracle", *bounded)


FIELDS = tuple(o.name for o in options_of(Profile))
REQUIRED = tuple(o.name for o in options_of(Profile) if o.required)


def profile_of(values: Mapping[str, Any]) -> Profile:
    """Returns the profile described by ``values``.

    Raises:
        OptionError: a key is unknown, or a value is missing or invalid.
    """
    for key in values:
        if key not in FIELDS:
            raise OptionError("", f"unknown key {key!r}; a profile may contain {', '.join(FIELDS)}")
    return Profile(**values)


class Oracle(NamedTuple):
    """An oracle: its ROUGE in points, its sentences in document order, and the sentences removed to obtain it.

    ``rouge`` is computed as a fraction and rounded once, so that 56 is exactly 56; ``rouge-score`` rounds several times
    and may return 56.00000000000001.
    """

    rouge: float
    indices: tuple[int, ...]
    removed: tuple[int, ...] = ()


def oracles(sentences: Sequence[Tokens], summary: Tokens, profile: Profile) -> Iterator[Oracle]:
    """Yields the document's oracle, and then repeatedly the oracle after removing the best remaining sentence.

    An oracle consists of the M sentences with the highest individual ROUGE, earlier ones first in case of ties; its
    ROUGE is that of all M together. The last one consists of the M worst sentences; there is none with fewer than M.
    """
    size = profile.sentences
    if profile.rouge in (ROUGE_L, ROUGE_LSUM):
        overlaps = [overlap(summary, s, profile.rouge) for s in sentences]
    else:
        overlaps = ScoredDocument.of(sentences).against(summary, n=int(profile.rouge[-1]))
    order = best([o.exact(profile.measure) for o in overlaps], len(sentences))
    for first in range(len(order) - size + 1):
        deadline.check()
        indices = sorted(order[first : first + size])
        joint = overlap(summary, join([sentences[i] for i in indices]), profile.rouge)
        rouge = float(100 * joint.exact(profile.measure))
        yield Oracle(rouge, tuple(indices), tuple(sorted(order[:first])))


def into_range(found: Iterator[Oracle], profile: Profile) -> tuple[Oracle, Oracle]:
    """Returns the first oracle, and the first not above the profile's range (or the last, if all are above it).

    The two differ only if the profile removes sentences.

    Raises:
        StopIteration: there is no oracle.
    """
    first = current = next(found)
    while profile.remove_until_in_range and current.rouge > profile.max_oracle:
        following = next(found, None)
        if following is None:
            break
        current = following
    return first, current


NOVEL_SIZES = (1, 2, 3, 4)
UNIT = 10_000  # fractions are counted in units of 1 / UNIT, so that their sums are integers
ORACLE_STEP = 2
# measure -> width of a bin of its histogram
STEPS = {"document_words": 250, "summary_words": 10, "compression": 4, "coverage": 0.05, "density": 0.5}

COLUMNS: tuple[Column, ...] = (
    Column("id", "string", "unique: document id and profile"),
    Column("inputs", "string", "the document less its summary; a line is a paragraph"),
    Column("targets", "string", "the summary, on one line"),
    Column("oracle_rouge", "float64", "ROUGE of the oracle against the summary, 0 to 100, as the profile has it"),
    Column("oracle_summary", "string", "the oracle: the sentences of the inputs nearest to the summary, a line each"),
    Column("sentences", "int64", "M: sentences of the summary and of the oracle"),
    Column("summary_indices", "list<int64>", "positions of the summary's sentences in the document"),
    Column("oracle_indices", "list<int64>", "positions of the oracle's sentences in the document"),
    Column("removed_indices", "list<int64>", "positions of the sentences removed to bring the oracle into the range"),
    Column("cut_at", "int64", "position after the last sentence that is in the inputs, removed or in the summary"),
    Column("document_words", "int64", f"words of the inputs: {COUNTED}"),
    Column("summary_words", "int64", "words of the targets"),
    Column("compression", "float64", "document words for a word of the summary"),
    Column("coverage", "float64", "share of the summary's words that are in fragments shared with the inputs"),
    Column("density", "float64", "mean length of the fragment that contains a word of the summary"),
    *DOCUMENT_COLUMNS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A document divided into summary and rest by a profile that keeps it.

    Attributes:
        profile: the profile.
        document: the document; positions are sentence numbers in it.
        summary: positions of the summary's sentences, in order.
        rest: positions of the sentences in the inputs, in order.
        oracle: the oracle, with positions in the document.
        tokens: tokens of the document's first sentences, without stemming.
        words: numbers of words in the document's sentences.
        joiner: text between two sentences.
    """

    profile: Profile
    document: SegmentedDocument
    summary: Sequence[int]
    rest: Sequence[int]
    oracle: Oracle
    tokens: Sequence[Tokens]
    words: Sequence[int]
    joiner: str

    def row(self) -> tuple[Row, dict[str, int]]:
        """Returns the row and its counts."""
        inputs, targets = self._inputs(), self.joiner.join(self._texts(self.summary))
        front = self.oracle.indices if self.profile.oracle_first else ()
        in_order = [*front, *(i for i in self.rest if i not in front)]
        extractiveness = Extractiveness(self._words(in_order), self._words(self.summary))
        words, size = (sum(self.words[i] for i in indices) for indices in (self.rest, self.summary))
        shared = extractiveness.fragments()
        measures: dict[str, int | float] = {"document_words": words, "summary_words": size, "compression": words / size}
        measures |= {"coverage": shared.coverage, "density": shared.density}
        row_id = f"{self.document.id}-{self.profile.name}"
        touched = (self.rest[-1], self.summary[-1], *self.oracle.removed[-1:])
        row = Row(
            self.profile.name,
            row_id,
            {
                "id": row_id,
                "inputs": inputs,
                "targets": targets,
                "oracle_rouge": self.oracle.rouge,
                "oracle_summary": "\n".join(self._texts(self.oracle.indices)),
                "sentences": self.profile.sentences,
                "summary_indices": list(self.summary),
                "oracle_indices": list(self.oracle.indices),
                "removed_indices": list(self.oracle.removed),
                "cut_at": max(touched) + 1,
                **measures,
                **lineage_values(self.document.origin),
            },
        )
        return row, dict(self._counts(measures, extractiveness))

    def _texts(self, indices: Sequence[int]) -> list[str]:
        return [self.document.sentences[i].text for i in indices]

    def _inputs(self) -> str:
        front = self.oracle.indices if self.profile.oracle_first else ()
        later = [self.document.sentences[i] for i in self.rest if i not in front]
        paragraphs = groupby(later, lambda sentence: (sentence.section, sentence.paragraph))
        lines = [self.joiner.join(s.text for s in group) for _, group in paragraphs]
        return "\n".join([self.joiner.join(self._texts(front)), *lines] if front else lines)

    def _words(self, indices: Sequence[int]) -> tuple[str, ...]:
        return tuple(chain.from_iterable([self.tokens[i].words for i in indices]))

    def _counts(self, measures: dict[str, int | float], extractiveness: Extractiveness) -> Iterator[tuple[str, int]]:
        name = self.profile.name
        yield oracle_key(name, "kept", self.oracle.rouge), 1
        yield f"measures/{name}/removed", len(self.oracle.removed)
        yield f"measures/{name}/changed", int(bool(self.oracle.removed))
        yield f"measures/{name}/oracle", round(UNIT * self.oracle.rouge)
        for measure, value in measures.items():
            yield f"measures/{name}/{measure}", round(UNIT * value)
            yield f"{measure}/{name}/{int(value / STEPS[measure])}", 1
        for n in NOVEL_SIZES:
            every, novel = extractiveness.ngrams(n)
            yield f"measures/{name}/{n}grams", every
            yield f"measures/{name}/novel_{n}grams", novel


def oracle_key(name: str, group: str, rouge: float) -> str:
    """Returns the key for counting an oracle; its last part is the number of the bin."""
    return f"oracle/{name}/{group}/{min(int(rouge / ORACLE_STEP), 100 // ORACLE_STEP - 1)}"


class WikiTransferReason(Reason):
    """Reasons why one or all profiles reject a document."""

    SUMMARY_TOO_SHORT = "the summary has too few words"
    SUMMARY_TOO_LONG = "the summary has too many words"
    DOCUMENT_TOO_SHORT = "the document without its summary has too few words"
    DOCUMENT_TOO_LONG = "the document without its summary has too many words"
    ORACLE_TOO_LOW = "the extractive oracle's ROUGE is below the profile's range"
    ORACLE_TOO_HIGH = "the extractive oracle's ROUGE is above the profile's range"
    NO_PROFILE = "no profile could use the document"


# The paper removes sentences for extremely abstractive datasets, whose bin ends here.
ABSTRACTIVE = 30
# Sentences spread evenly over a document have a mean position of 0.5.
FRONT = 0.4

Pair = tuple[Sequence[str], Sequence[str]]  # the sentences of a document, and of its summary


class FitError(ValueError):
    """No profile can be fitted to a sample; the text is a one-line message for the user."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted profile and data on its sample.

    Attributes:
        profile: the profile.
        pairs: number of pairs in the sample.
        too_short: number of pairs without an oracle, because the document has fewer than M sentences.
        oracle: mean ROUGE of the oracles.
        position: mean relative position of the oracles' sentences in their documents, from 0 to 1.
    """

    profile: Profile
    pairs: int
    too_short: int
    oracle: float
    position: float

    @property
    def bin(self) -> str:
        """The paper's bin whose midpoint is closest to the mean oracle."""
        return min(BINS, key=lambda name: abs(sum(BINS[name]) / 2 - self.oracle))


def fit(
    pairs: Sequence[Pair],
    *,
    name: str,
    share: float = 0.8,
    rouge: str = "rouge1",
    stemmer: bool = False,
    language: str = ENGLISH,
) -> Fitted:
    """Returns a profile fitted to a sample.

    M is the (lower) median number of sentences in the summaries. The ranges of document words, summary words and oracle
    ROUGE cover the middle ``share`` of the sample, rounded outwards to whole numbers. The profile removes sentences if
    the ROUGE range ends in an abstractive bin, and puts the oracle first if its sentences tend to be at the beginning.
    Words are those of ``language``, an ISO 639-1 code; only English words are stemmed.

    Raises:
        FitError: there are no pairs, a text is empty, no document has M sentences, or ``share`` is invalid.
    """
    if not pairs or not all(document and summary for document, summary in pairs):
        raise FitError("fitting requires pairs of non-empty documents and summaries")
    if not 0 < share <= 1:
        raise FitError(f"the sample share must be greater than 0 and at most 1, not {share}")
    size = median_low([len(summary) for _, summary in pairs])
    draft = Profile(name=name, sentences=size, min_oracle=0, max_oracle=100, rouge=rouge, stemmer=stemmer)
    found, positions = [], []
    for document, summary in pairs:
        if len(document) < size:
            continue
        tokens = tokenise_all(document, stemmer=stemmer, language=language)
        target = join(tokenise_all(summary, stemmer=stemmer, language=language))
        oracle = next(oracles(tokens, target, draft))
        found.append(oracle.rouge)
        positions += [(i + 0.5) / len(document) for i in oracle.indices]
    if not found:
        raise FitError(f"no document contains as many sentences as the median summary ({size})")
    count = words_for(language).count
    documents, summaries = ([sum(map(count, pair[i])) for pair in pairs] for i in (0, 1))
    (low, high), (least, most), (shortest, longest) = (_middle(v, share) for v in (found, documents, summaries))
    profile = Profile(
        name=name,
        sentences=size,
        min_oracle=low,
        max_oracle=high,
        min_document_words=max(1, least),
        max_document_words=most,
        min_summary_words=max(1, shortest),
        max_summary_words=longest,
        remove_until_in_range=high <= ABSTRACTIVE,
        oracle_first=fmean(positions) < FRONT,
        rouge=rouge,
        stemmer=stemmer,
    )
    too_short = len(pairs) - len(found)
    return Fitted(profile, pairs=len(pairs), too_short=too_short, oracle=fmean(found), position=fmean(positions))


def _middle(values: Sequence[float], share: float) -> tuple[int, int]:
    tail = (1 - share) / 2
    low, high = np.quantile(values, (tail, 1 - tail)).round(9).tolist()  # 20.000000000000004 is 20
    return math.floor(low), math.ceil(high)
