"""The scores that order a curriculum: length, reduction, complexity, or chance (paper, section 4.2.1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from gistmill.core.hashing import unit_interval
from gistmill.core.options import Options, option
from gistmill.core.values import PLACE, one_of
from gistmill.rules.curriculum.cleaning import Cleaner, default_stop_words
from gistmill.rules.curriculum.counts import COUNTS, Counts
from gistmill.rules.curriculum.lemmas import lemma_of
from gistmill.rules.curriculum.weights import BEST, COMBINATIONS, WEIGHTS, weights_of
from gistmill.rules.languages.language import ENGLISH
from gistmill.rules.text.words import Words, words_for

ORDERS = ("length", "reduction", "complexity", "random")
NO_STOP_WORDS = "none"
_STOP_WORDS = replace(
    PLACE, pattern=f"({NO_STOP_WORDS}|{PLACE.pattern})", metavar=f"FILE|{NO_STOP_WORDS}", allowed="a file or none"
)
_DIGITS = 9  # of the complexity after the point: equal sums are then equal numbers


@dataclass(frozen=True, kw_only=True)
class ComplexityConfig(Options):
    """What decides the complexity of a pair."""

    GROUP: ClassVar[str] = "complexity"

    weights: str | tuple[float, ...] = option(
        WEIGHTS,
        default=BEST,
        help="weights of deletions, reorderings, substitutions and additions, with a sum of 1; or a combination of the "
        f"paper's Table 4, combination-1 to combination-{len(COMBINATIONS)}. The paper found 4 best; its code has 6",
    )
    counts: str = option(
        one_of(*COUNTS),
        default=next(iter(COUNTS)),
        help="how operations are counted: as multisets, which gives the paper's means, or as its algorithms say",
    )
    stop_words: str | None = option(
        _STOP_WORDS,
        help=f"a file with a word on each line, or {NO_STOP_WORDS}: the words that are not counted (default: the "
        "list of stopwordsiso for the language of the pair)",
    )

    @property
    def stop_words_file(self) -> str | None:
        """The file that ``stop_words`` names, if it does: a material of the recipe."""
        return None if self.stop_words == NO_STOP_WORDS else self.stop_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a pair is ordered by.

    Attributes:
        input_words: words of the input, before cleaning; English ones are tokens between white space.
        target_words: the same of the target.
        counts: the operations.
        complexity: their weighted sum (equation 1).
    """

    input_words: int
    target_words: int
    counts: Counts
    complexity: float

    @property
    def reduction(self) -> float:
        """By how many per cent the target is shorter, in words; below 0 where it is longer, and 0 for an empty input.

        95.0 for 50 words of 1,000, as in section 4.2.1.
        """
        return 100 * (self.input_words - self.target_words) / self.input_words if self.input_words else 0.0


class PairScorer:
    """Measures pairs.

    Args:
        config: the options.
        stop_words: the words of the file that ``config.stop_words`` names; None where it names no file.
    """

    def __init__(self, config: ComplexityConfig, *, stop_words: Collection[str] | None = None) -> None:
        if (stop_words is None) == (config.stop_words_file is not None):
            raise ValueError("stop words are given exactly where the configuration names a file of them")
        self._stop_words = () if config.stop_words == NO_STOP_WORDS else stop_words
        self._cleaners: dict[str, Cleaner] = {}
        self._count = COUNTS[config.counts]
        self._weights = weights_of(config.weights)

    def counts(self, inputs: str, targets: str, *, language: str = ENGLISH) -> Counts:
        """Returns the operations that make the target of the input, by the words of their language."""
        words = words_for(language)
        clean = self._cleaner(words)
        return self._count(clean(inputs), clean(targets), lemma_of if words.is_english else _itself)

    def _cleaner(self, words: Words) -> Cleaner:
        code = words.language.code
        if code not in self._cleaners:
            listed = default_stop_words() if words.is_english else words.stop_words
            self._cleaners[code] = Cleaner(listed if self._stop_words is None else self._stop_words, words)
        return self._cleaners[code]

    def complexity(self, counts: Counts) -> float:
        """Returns their weighted sum (equation 1)."""
        weights = self._weights
        return round(
            weights.deletion * counts.deletions
            + weights.reordering * counts.reorderings
            + weights.substitution * counts.substitutions
            + weights.addition * counts.additions,
            _DIGITS,
        )

    def measure(self, inputs: str, targets: str, *, language: str = ENGLISH) -> Measures:
        """Returns everything that a pair is ordered by, besides chance."""
        counts = self.counts(inputs, targets, language=language)
        words = words_for(language)
        return Measures(
            input_words=words.count(inputs),
            target_words=words.count(targets),
            counts=counts,
            complexity=self.complexity(counts),
        )


def _itself(word: str) -> str:
    """There are tables of lemmas for English only."""
    return word


def order_value(order: str, measures: Measures, *, id: str, seed: int) -> float:
    """Returns what pairs are sorted by, from low to high.

    Args:
        order: one of ORDERS.
        measures: of the pair.
        id: of the pair; it and the seed decide the random order.
        seed: other seeds give other random orders.

    Raises:
        KeyError: there is no such order.
    """
    if order == "random":
        return random_value(id, seed=seed)
    return {
        "length": float(measures.input_words),
        "reduction": measures.reduction,
        "complexity": measures.complexity,
    }[order]


def random_value(id: str, *, seed: int) -> float:
    """Returns where a pair stands in the random order of a seed, in [0, 1)."""
    return unit_interval(f"curriculum {seed}", id)
