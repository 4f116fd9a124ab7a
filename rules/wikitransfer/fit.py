"""Fitting: the profile of a dataset, from a sample of its documents and summaries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median_low

from gistmill.rules.languages.language import ENGLISH
from gistmill.rules.rouge.tokens import join, tokenise_all
from gistmill.rules.text.words import words_for
from gistmill.rules.wikitransfer.oracle import oracles
from gistmill.rules.wikitransfer.profile import BINS, Profile

# The paper removes sentences for extremely abstractive datasets, whose bin ends here.
ABSTRACTIVE = 30
# Sentences spread evenly over a document stand at 0.5 of it on average.
FRONT = 0.4

Pair = tuple[Sequence[str], Sequence[str]]  # the sentences of a document, and of its summary


class FitError(ValueError):
    """A sample to which nothing can be fitted; the text is one line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A profile and what it was made of.

    Attributes:
        profile: the profile.
        pairs: pairs of the sample.
        too_short: pairs whose document has fewer than M sentences; they have no oracle.
        oracle: mean ROUGE of the oracles.
        position: where the oracles' sentences stand in their documents on average, from 0 to 1.
    """

    profile: Profile
    pairs: int
    too_short: int
    oracle: float
    position: float

    @property
    def bin(self) -> str:
        """The paper's bin whose middle is nearest to the mean oracle."""
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
    """Returns the profile of a sample.

    M is the median of the summaries' sentences (the lower one). Document words, summary words and oracle ROUGE range
    over the middle ``share`` of the sample, rounded outwards to whole numbers. Sentences are removed if that range ends
    in an abstractive bin, and the oracle goes first if its sentences stand in the front of their documents. Words
    are those of ``language``, an ISO 639-1 code; only English ones are stemmed.

    Raises:
        FitError: there are no pairs, one is empty, no document has M sentences, or an argument is invalid.
    """
    if not pairs or not all(document and summary for document, summary in pairs):
        raise FitError("a fit needs pairs of documents and summaries, none of them empty")
    if not 0 < share <= 1:
        raise FitError(f"the share of the sample, {share}, is not above 0 and at most 1")
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
        raise FitError(f"no document has as many sentences as the median summary, {size}")
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
    return Fitted(
        profile=profile,
        pairs=len(pairs),
        too_short=len(pairs) - len(found),
        oracle=fmean(found),
        position=fmean(positions),
    )


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the value below which that share of the values lies, between two of them in proportion."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def _middle(values: Sequence[float], share: float) -> tuple[int, int]:
    tail = (1 - share) / 2
    low, high = (round(quantile(values, t), 9) for t in (tail, 1 - tail))  # 20.000000000000004 is 20
    return math.floor(low), math.ceil(high)
