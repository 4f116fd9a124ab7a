"""The difficulty of pairs: counts of the paper's operations, their weights, and the scores that order a curriculum.

Algorithms 1 to 4, as printed in the paper, cannot have produced its Table 5. ``multiset_counts`` interprets them in a
way that can; ``printed_counts`` follows them literally. Both take words after cleaning. They differ as follows:

- Algorithm 1 adds a word's surplus once for each occurrence of the word in the text, so a word that is deleted four
  times counts 16 times. For 30 pairs from CNN/DailyMail, this gives 758 deletions in texts of 695 tokens; Table 5
  reports 287 in texts of 763. ``multiset_counts`` counts each deleted occurrence once.
- Algorithm 2, like Algorithm 1, iterates over the words of the text, so a word that occurs only in the summary is never
  counted as an addition, although the paper defines it as one. ``multiset_counts`` iterates over the summary's words.
- Algorithm 3 counts the summary's trigrams that do not occur in the text, after removing deletions and additions. (The
  paper's prose says the reverse, which then gives the same number.) Without additions, the summaries of those 30 pairs,
  of 57 tokens, contain only 18.4 trigrams; Table 5 reports 18.3 reorderings for summaries of 46 tokens. So nothing can
  have been removed. The authors' released code removes nothing either, and neither does ``multiset_counts``. The paper
  does not say which of several occurrences to remove. The variable first printed as ``Reorder`` is later ``ReoNum``.
- Algorithm 4 assigns each lemma in turn to one variable instead of collecting them, so only the last deleted and the
  last added word are compared. ``multiset_counts`` compares all of them, as multisets: a deletion and an addition
  together become a substitution. Synonyms are not considered; the paper's example is "had" for "having".

The word rules in this module are for English; for other languages, see ``rules/text/words.py``.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple
from unicodedata import category

from gistmill.core.hashing import unit_interval
from gistmill.core.options import Options, option
from gistmill.core.values import PLACE, SHARE, Kind, custom, list_of, nearest, one_of
from gistmill.rules.languages.language import ENGLISH
from gistmill.rules.text.words import Words, listed_stop_words, words_for


class Weights(NamedTuple):
    """A weight for each operation, in the order of equation 1."""

    deletion: float
    reordering: float
    substitution: float
    addition: float


COMBINATIONS: Mapping[str, Weights] = {
    f"combination-{number}": Weights(*weights)
    for number, weights in enumerate(
        (
            (0.02, 0.01, 0.43, 0.54),
            (0.52, 0.06, 0.20, 0.21),
            (0.25, 0.23, 0.41, 0.11),
            (0.11, 0.41, 0.37, 0.11),
            (0.02, 0.08, 0.81, 0.09),
            (0.19, 0.53, 0.02, 0.26),
            (0.64, 0.21, 0.01, 0.13),
            (0.33, 0.19, 0.14, 0.34),
            (0.08, 0.23, 0.57, 0.12),
            (0.30, 0.45, 0.20, 0.06),
            (0.10, 0.20, 0.30, 0.40),
        ),
        1,
    )
}
"""The columns of Table 4 as printed. Due to rounding, 2 and 7 sum to 0.99 and 10 to 1.01, which changes no order."""

BEST = "combination-4"  # the best overall score in the paper; the released code (sortData.py) uses combination 6
_FOUR = list_of(SHARE, length=4)
_TOLERANCE = 1e-9


def _parse(value: Any) -> str | tuple[float, ...]:
    if isinstance(value, str) and "," not in value:
        if value not in COMBINATIONS:
            near = nearest(value, COMBINATIONS)
            raise ValueError(f"expected four weights, or combination-1 to combination-{len(COMBINATIONS)}{near}")
        return value
    weights: tuple[float, ...] = _FOUR.parse(value)
    if abs(sum(weights) - 1) > _TOLERANCE:
        raise ValueError(f"expected four weights that sum to 1, not {sum(weights):.12g}")
    return weights


WEIGHTS: Kind = custom(
    _parse,
    pattern=f"({'|'.join(COMBINATIONS)}|{_FOUR.pattern})",
    metavar="D,R,S,A",
    allowed="a combination of the paper, or four numbers from 0 to 1 with a sum of 1",
)
"""The kind of option value: the name of a combination, or four weights."""


_CLASSES = ("VERB", "NOUN", "ADJ", "ADV", "AUX")
_LONGEST = 40  # letters; longer tokens are not words, and looking them up would waste memory


def lemma_of(word: str) -> str:
    """Returns the lemma of a lower-case word: the verb's if it can be a verb, else the noun's, and so on.

    Context is ignored, so a form has the same lemma in every text. A word missing from the tables is its own lemma.

    >>> lemma_of("having"), lemma_of("had"), lemma_of("goals"), lemma_of("kathmandu")
    ('have', 'have', 'goal', 'kathmandu')
    """
    return table_lemma(word) if len(word) <= _LONGEST else word


@lru_cache(maxsize=1 << 17)
def table_lemma(word: str) -> str:
    """Returns a word's lemma from lemminflect's tables; results are cached."""
    from lemminflect import getAllLemmas  # takes half a second to import

    lemmas = getAllLemmas(word)
    return next((lemmas[c][0] for c in _CLASSES if c in lemmas), word)


Lemma = Callable[[str], str]
_GRAM = 3  # words


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The operations between a text and its summary.

    Attributes:
        deletions: number of words that occur only in the text, excluding substitutions.
        additions: number of words that occur only in the summary, excluding substitutions.
        reorderings: number of trigrams that occur only in the summary.
        substitutions: number of words in the text that the summary replaces with another form of the same lemma.
    """

    deletions: int
    additions: int
    reorderings: int
    substitutions: int


def multiset_counts(text: Sequence[str], summary: Sequence[str], lemma: Lemma = lemma_of) -> Counts:
    """Returns the counts as multiset sizes, counting each occurrence of a word once.

    Let T and S be the words of text and summary, T' and S' their trigrams, and L the lemmas of words. Then
    ``substitutions`` is ``|L(T - S) & L(S - T)|``; ``deletions`` is ``|T - S|`` and ``additions`` is ``|S - T|``, both
    minus the substitutions; and ``reorderings`` is ``|S' - T'|``.

    Args:
        text, summary: words after cleaning.
        lemma: function that returns a word's lemma.
    """
    in_text, in_summary = Counter(text), Counter(summary)
    added = {w: n - in_text.get(w, 0) for w, n in in_summary.items() if n > in_text.get(w, 0)}
    additions = sum(added.values())
    deletions = len(text) - (len(summary) - additions)
    substitutions = _substitutions(in_text, in_summary, added, lemma) if added else 0
    # Only the text's trigrams that occur in the summary are counted.
    wanted = Counter(_grams(summary))
    found = Counter(filter(wanted.__contains__, _grams(text)))
    return Counts(
        deletions=deletions - substitutions,
        additions=additions - substitutions,
        reorderings=sum(max(0, n - found.get(gram, 0)) for gram, n in wanted.items()),
        substitutions=substitutions,
    )


def printed_counts(text: Sequence[str], summary: Sequence[str], lemma: Lemma = lemma_of) -> Counts:
    """Returns the counts from Algorithms 1 to 4 as printed; of repeated words, the last occurrences are removed.

    The arguments are the same as for ``multiset_counts``.
    """
    in_text, in_summary = Counter(text), Counter(summary)
    deleted = [w for w in text if in_text[w] > in_summary[w]]
    added = [w for w in text if in_summary[w] > in_text[w]]
    substitutions = int(bool(deleted and added) and lemma(deleted[-1]) == lemma(added[-1]))
    grams, known = Counter(_grams(_first(summary, in_text))), Counter(_grams(_first(text, in_summary)))
    return Counts(
        deletions=sum(in_text[w] - in_summary[w] for w in deleted) - substitutions,
        additions=sum(in_summary[w] - in_text[w] for w in added) - substitutions,
        reorderings=sum(n * max(0, n - known[gram]) for gram, n in grams.items()),
        substitutions=substitutions,
    )


COUNTS: dict[str, Callable[[Sequence[str], Sequence[str], Lemma], Counts]] = {
    "multiset": multiset_counts,
    "printed": printed_counts,
}
"""The counting methods, by name; the first is the default."""


def _substitutions(in_text: Counter[str], in_summary: Counter[str], added: dict[str, int], lemma: Lemma) -> int:
    """Returns the size of the intersection of the deleted and the added words' lemmas."""
    wanted: dict[str, int] = {}
    for word, times in added.items():
        base = lemma(word)
        wanted[base] = wanted.get(base, 0) + times
    found = dict.fromkeys(wanted, 0)
    for word, times in in_text.items():
        if (base := lemma(word)) in wanted:
            found[base] += max(0, times - in_summary.get(word, 0))
    return sum(min(times, found[base]) for base, times in wanted.items())


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[i:] for i in range(_GRAM)), strict=False)


def _first(words: Sequence[str], times: Counter[str]) -> list[str]:
    """Returns the first occurrences of each word, at most as many as ``times`` specifies."""
    left = times.copy()
    kept = []
    for word in words:
        if left[word] > 0:
            left[word] -= 1
            kept.append(word)
    return kept


# The paper uses tokenised text, in which these are separate tokens. In other text, they separate words.
_BREAKS = ("--", "...", "–", "—", "―", "…")
_possessive = re.compile(r"['’](?=[sS]\b)")
_WITHOUT_MARKS = str.maketrans("", "", string.punctuation)
# The parts that tokenisers make from "don't" and "won't" and that are not in the list below.
_PIECES = frozenset({"nt", "wo"})


class Cleaner:
    """A cleaner that returns the words of a text to be counted.

    Args:
        stop_words: words to leave out. They are cleaned in the same way as texts: "don't" removes "dont".
        words: word rules for the language of the texts; by default English.
    """

    def __init__(self, stop_words: Collection[str], words: Words | None = None) -> None:
        self._words_of = words_of if words is None or words.is_english else words.of
        self.stop_words = frozenset(w for entry in stop_words for w in self._words_of(entry))

    def __call__(self, text: str) -> list[str]:
        """Returns every occurrence of words other than stop words in a text, in order."""
        stop_words, found = self.stop_words, self._words_of(text)
        return [w for w in found if w not in stop_words]


def words_of(text: str) -> list[str]:
    """Returns the non-empty white-space tokens of an English text, in lower case and without punctuation.

    Punctuation is any character in the Unicode categories P and S, in any position: "well-known" becomes "wellknown".
    Dashes, ellipses and the apostrophe of a possessive "s" separate tokens.

    >>> words_of("Koirala's (42) well-known work—it isn't over.")
    ['koirala', 's', '42', 'wellknown', 'work', 'it', 'isnt', 'over']
    """
    for mark in _BREAKS:
        text = text.replace(mark, " ")
    text = _possessive.sub(" ", text)
    if text.isascii():
        return text.translate(_WITHOUT_MARKS).lower().split()
    # For non-ASCII text, str.translate takes several times as long as a few replacements.
    for mark in filter(_is_mark, set(text)):
        text = text.replace(mark, "")
    return text.lower().split()


@lru_cache(maxsize=4096)
def _is_mark(character: str) -> bool:
    return category(character)[0] in "PS"


@cache
def default_stop_words() -> frozenset[str]:
    """Returns the default English list: the 1,298 stop words from stopwordsiso 0.7.1, and parts of contractions."""
    return frozenset(listed_stop_words(ENGLISH)) | _PIECES


ORDERS = ("length", "reduction", "complexity", "random")
NO_STOP_WORDS = "none"
_STOP_WORDS = replace(
    PLACE, pattern=f"({NO_STOP_WORDS}|{PLACE.pattern})", metavar=f"FILE|{NO_STOP_WORDS}", allowed="a file or none"
)
_DIGITS = 9  # decimal places of the complexity, so that equal sums are equal numbers


@dataclass(frozen=True, kw_only=True)
class ComplexityConfig(Options):
    """Options for the complexity of pairs."""

    GROUP: ClassVar[str] = "complexity"

    weights: str | tuple[float, ...] = option(
        WEIGHTS,
        default=BEST,
        help="weights of deletions, reorderings, substitutions and additions, which must sum to 1; or a combination "
        f"from the paper's Table 4, combination-1 to combination-{len(COMBINATIONS)}. Combination 4 performed best in "
        "the paper; its code uses 6",
    )
    counts: str = option(
        one_of(*COUNTS),
        default=next(iter(COUNTS)),
        help="how to count operations: multiset, which reproduces the paper's means; or printed, which follows "
        "its algorithms literally",
    )
    stop_words: str | None = option(
        _STOP_WORDS,
        help=f"file of stop words to ignore, one per line, or {NO_STOP_WORDS} to count every word (default: the "
        "stopwordsiso list for the pair's language)",
    )

    @property
    def stop_words_file(self) -> str | None:
        """The file specified by ``stop_words``, if any; the recipe lists it in ``materials``."""
        return None if self.stop_words == NO_STOP_WORDS else self.stop_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The measures by which pairs are ordered.

    Attributes:
        input_words: number of words in the input before cleaning; in English, tokens separated by white space.
        target_words: the same for the target.
        counts: the numbers of operations.
        complexity: weighted sum of the counts (equation 1).
    """

    input_words: int
    target_words: int
    counts: Counts
    complexity: float

    @property
    def reduction(self) -> float:
        """The percentage by which the target has fewer words than the input; 0 for an empty input.

        It is 95.0 for a target of 50 words and an input of 1,000 (section 4.2.1), and negative if the target is longer.
        """
        return 100 * (self.input_words - self.target_words) / self.input_words if self.input_words else 0.0


class PairScorer:
    """A scorer that measures pairs.

    Args:
        config: the options.
        stop_words: the words in the file specified by ``config.stop_words``; None if no file is specified.
    """

    def __init__(self, config: ComplexityConfig, *, stop_words: Collection[str] | None = None) -> None:
        if (stop_words is None) == (config.stop_words_file is not None):
            raise ValueError("stop words must be passed if and only if the configuration specifies a stop-word file")
        self._stop_words = () if config.stop_words == NO_STOP_WORDS else stop_words
        self._cleaners: dict[str, Cleaner] = {}
        self._count = COUNTS[config.counts]
        weights = config.weights
        self._weights = COMBINATIONS[weights] if isinstance(weights, str) else Weights(*weights)

    def counts(self, inputs: str, targets: str, *, language: str = ENGLISH) -> Counts:
        """Returns the numbers of operations that turn the input into the target, using the words of their language."""
        words = words_for(language)
        code = words.language.code
        if code not in self._cleaners:
            listed = default_stop_words() if words.is_english else words.stop_words
            self._cleaners[code] = Cleaner(listed if self._stop_words is None else self._stop_words, words)
        clean = self._cleaners[code]
        # str returns the word itself, since the lemma tables are for English only
        return self._count(clean(inputs), clean(targets), lemma_of if words.is_english else str)

    def complexity(self, counts: Counts) -> float:
        """Returns the weighted sum of the counts (equation 1)."""
        deletion, reordering, substitution, addition = self._weights
        removed, moved = deletion * counts.deletions, reordering * counts.reorderings
        return round(removed + moved + substitution * counts.substitutions + addition * counts.additions, _DIGITS)

    def measure(self, inputs: str, targets: str, *, language: str = ENGLISH) -> Measures:
        """Returns all measures by which pairs are ordered, apart from the random order."""
        counts, words = self.counts(inputs, targets, language=language), words_for(language)
        sizes = {"input_words": words.count(inputs), "target_words": words.count(targets)}
        return Measures(**sizes, counts=counts, complexity=self.complexity(counts))


def order_value(order: str, measures: Measures, *, id: str, seed: int) -> float:
    """Returns the value by which pairs are sorted in ascending order.

    Args:
        order: one of ORDERS.
        measures: the pair's measures.
        id: the pair's id, which determines the random order together with the seed.
        seed: seed for the random order.

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
    """Returns a pair's position in the random order for a seed, in [0, 1)."""
    return unit_interval(f"curriculum {seed}", id)
