"""How hard a pair is: counts of the paper's operations, their weights, and the scores that order a curriculum.

Algorithms 1 to 4 as printed cannot have given the paper's Table 5. ``multiset_counts`` reads them in the way that does;
``printed_counts`` is what they say. Both get words after cleaning. They differ in this:

- Algorithm 1 adds a word's surplus once for each occurrence of the word in the text, so a word that is deleted four
  times counts 16. On 30 pairs of CNN/DailyMail this gives 758 deletions, in texts of 695 tokens. Table 5 has 287, in
  texts of 763. Each deleted occurrence counts once here.
- Algorithm 2 goes through the words of the text, as Algorithm 1 does. So a word that only the summary has is never an
  addition, though the paper defines it as one. The words of the summary are gone through here.
- Algorithm 3 counts trigrams of the summary that the text lacks, after deletions and additions are removed. The paper's
  prose has the reverse, which is then the same number. Without additions the summaries of those 30 pairs, of 57 tokens,
  have 18.4 trigrams in all. Table 5 has 18.3 that are reordered, for summaries of 46 tokens. So nothing can have been
  removed, and the code that the authors released removes nothing; neither does this. Nor is it printed which of several
  occurrences go. The variable that is first printed as ``Reorder`` is the later ``ReoNum``.
- Algorithm 4 assigns each lemma in turn to one variable, where it must collect them. As printed, only the last deleted
  and the last added word are compared. All are compared here, as multisets: a deletion and an addition together become
  a substitution. There are no synonyms in it: the paper's example is "had" for "having".

What stands here of words is about English. Other languages have the words of ``rules/text/words.py``.
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
"""The columns of Table 4 as printed. By rounding, 2 and 7 have a sum of 0.99, and 10 one of 1.01: no order changes."""

BEST = "combination-4"  # of the paper: the best overall score. The released code (sortData.py) has combination 6.
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
        raise ValueError(f"expected four weights with a sum of 1 (it is {sum(weights):.12g})")
    return weights


WEIGHTS: Kind = custom(
    _parse,
    pattern=f"({'|'.join(COMBINATIONS)}|{_FOUR.pattern})",
    metavar="D,R,S,A",
    allowed="a combination of the paper, or four numbers from 0 to 1 with a sum of 1",
)
"""The kind of the option: the name of a combination, or four weights."""


_CLASSES = ("VERB", "NOUN", "ADJ", "ADV", "AUX")
_LONGEST = 40  # letters of a word that is looked up: what is longer is not a word, and not worth the memory


def lemma_of(word: str) -> str:
    """Returns the lemma of a word in lower case: the verb's if it can be a verb, else the noun's, and so on.

    The context decides nothing, so a form has the same lemma in all texts. A word that the tables lack is its own.

    >>> lemma_of("having"), lemma_of("had"), lemma_of("goals"), lemma_of("kathmandu")
    ('have', 'have', 'goal', 'kathmandu')
    """
    return table_lemma(word) if len(word) <= _LONGEST else word


@lru_cache(maxsize=1 << 17)
def table_lemma(word: str) -> str:
    """Returns the same, looked up once."""
    from lemminflect import getAllLemmas  # takes half a second to import

    lemmas = getAllLemmas(word)
    return next((lemmas[c][0] for c in _CLASSES if c in lemmas), word)


Lemma = Callable[[str], str]
_GRAM = 3  # words


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The operations between a text and its summary.

    Attributes:
        deletions: words of the text that the summary lacks, without those of substitutions.
        additions: words of the summary that the text lacks, without those of substitutions.
        reorderings: trigrams of the summary that the text lacks.
        substitutions: words of the text for which the summary has another form of the same lemma.
    """

    deletions: int
    additions: int
    reorderings: int
    substitutions: int


def multiset_counts(text: Sequence[str], summary: Sequence[str], lemma: Lemma = lemma_of) -> Counts:
    """Returns the counts as sizes of multisets, each occurrence of a word counted once.

    With T and S the words of text and summary, T' and S' their trigrams, and L the lemmas of words: ``substitutions``
    is ``|L(T - S) & L(S - T)|``, ``deletions`` is ``|T - S|`` and ``additions`` is ``|S - T|``, both less the
    substitutions, and ``reorderings`` is ``|S' - T'|``.

    Args:
        text: words after cleaning.
        summary: words after cleaning.
        lemma: returns the lemma of a word.
    """
    in_text, in_summary = Counter(text), Counter(summary)
    added = {w: n - in_text.get(w, 0) for w, n in in_summary.items() if n > in_text.get(w, 0)}
    additions = sum(added.values())
    deletions = len(text) - (len(summary) - additions)
    substitutions = _substitutions(in_text, in_summary, added, lemma) if added else 0
    # How many trigrams of the summary the text lacks.
    wanted = Counter(_grams(summary))
    found = Counter(filter(wanted.__contains__, _grams(text)))
    return Counts(
        deletions=deletions - substitutions,
        additions=additions - substitutions,
        reorderings=sum(max(0, n - found.get(gram, 0)) for gram, n in wanted.items()),
        substitutions=substitutions,
    )


def printed_counts(text: Sequence[str], summary: Sequence[str], lemma: Lemma = lemma_of) -> Counts:
    """Returns the counts of Algorithms 1 to 4 as printed. Of several occurrences the last ones are removed.

    Args:
        text: words after cleaning.
        summary: words after cleaning.
        lemma: returns the lemma of a word.
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
"""The ways of counting, by name; the first is the default."""


def _substitutions(in_text: Counter[str], in_summary: Counter[str], added: dict[str, int], lemma: Lemma) -> int:
    """The size of the intersection of the lemmas of deleted and added words."""
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
    """The first occurrences of each word, at most as many as ``times`` has."""
    left = times.copy()
    kept = []
    for word in words:
        if left[word] > 0:
            left[word] -= 1
            kept.append(word)
    return kept


# The paper counts in tokenised text, where these are tokens of their own. In other text they part words here.
_BREAKS = ("--", "...", "–", "—", "―", "…")
_possessive = re.compile(r"['’](?=[sS]\b)")
_WITHOUT_MARKS = str.maketrans("", "", string.punctuation)
# What tokenisers leave of "don't" and "won't", and the list below lacks.
_PIECES = frozenset({"nt", "wo"})


class Cleaner:
    """Makes the words that are counted of a text.

    Args:
        stop_words: what is left out. They are cleaned themselves: "don't" leaves out "dont", as the words are then.
        words: of the language of the texts; by default English.
    """

    def __init__(self, stop_words: Collection[str], words: Words | None = None) -> None:
        self._words_of = words_of if words is None or words.is_english else words.of
        self.stop_words = frozenset(w for entry in stop_words for w in self._words_of(entry))

    def __call__(self, text: str) -> list[str]:
        """Returns the words of a text other than stop words, every occurrence in order."""
        stop_words, found = self.stop_words, self._words_of(text)
        return [w for w in found if w not in stop_words]


def words_of(text: str) -> list[str]:
    """Returns the tokens of English between white space, without punctuation, in lower case; empty ones are left out.

    Punctuation is every character of Unicode's classes P and S, wherever it stands: "well-known" becomes "wellknown".
    Dashes and ellipses part tokens, as does the apostrophe of a possessive "s".

    >>> words_of("Koirala's (42) well-known work—it isn't over.")
    ['koirala', 's', '42', 'wellknown', 'work', 'it', 'isnt', 'over']
    """
    for mark in _BREAKS:
        text = text.replace(mark, " ")
    text = _possessive.sub(" ", text)
    if text.isascii():
        return text.translate(_WITHOUT_MARKS).lower().split()
    # A translation of text beyond ASCII takes several times as long as some replacements.
    for mark in filter(_is_mark, set(text)):
        text = text.replace(mark, "")
    return text.lower().split()


@lru_cache(maxsize=4096)
def _is_mark(character: str) -> bool:
    return category(character)[0] in "PS"


@cache
def default_stop_words() -> frozenset[str]:
    """Returns the default list for English: the 1,298 stop words of stopwordsiso 0.7.1, and pieces of contractions."""
    return frozenset(listed_stop_words(ENGLISH)) | _PIECES


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
        help="weights of deletions, reorderings, substitutions and additions, which must sum to 1; or a combination "
        f"from the paper's Table 4, combination-1 to combination-{len(COMBINATIONS)}. Combination 4 performed best in "
        "the paper; its code uses 6",
    )
    counts: str = option(
        one_of(*COUNTS),
        default=next(iter(COUNTS)),
        help="how to count operations: multiset, which reproduces the paper's means; or printed, by its "
        "algorithms as printed",
    )
    stop_words: str | None = option(
        _STOP_WORDS,
        help=f"file of stop words to ignore, one per line, or {NO_STOP_WORDS} to count every word (default: the "
        "stopwordsiso list for the pair's language)",
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
            raise ValueError("stop words must be passed if, and only if, the configuration names a stop-word file")
        self._stop_words = () if config.stop_words == NO_STOP_WORDS else stop_words
        self._cleaners: dict[str, Cleaner] = {}
        self._count = COUNTS[config.counts]
        weights = config.weights
        self._weights = COMBINATIONS[weights] if isinstance(weights, str) else Weights(*weights)

    def counts(self, inputs: str, targets: str, *, language: str = ENGLISH) -> Counts:
        """Returns the operations that make the target of the input, by the words of their language."""
        words = words_for(language)
        code = words.language.code
        if code not in self._cleaners:
            listed = default_stop_words() if words.is_english else words.stop_words
            self._cleaners[code] = Cleaner(listed if self._stop_words is None else self._stop_words, words)
        clean = self._cleaners[code]
        # str returns the word itself: the tables of lemmas are of English only
        return self._count(clean(inputs), clean(targets), lemma_of if words.is_english else str)

    def complexity(self, counts: Counts) -> float:
        """Returns their weighted sum (equation 1)."""
        deletion, reordering, substitution, addition = self._weights
        removed, moved = deletion * counts.deletions, reordering * counts.reorderings
        return round(removed + moved + substitution * counts.substitutions + addition * counts.additions, _DIGITS)

    def measure(self, inputs: str, targets: str, *, language: str = ENGLISH) -> Measures:
        """Returns everything that a pair is ordered by, besides chance."""
        counts, words = self.counts(inputs, targets, language=language), words_for(language)
        sizes = {"input_words": words.count(inputs), "target_words": words.count(targets)}
        return Measures(**sizes, counts=counts, complexity=self.complexity(counts))


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
