"""ROUGE-N, ROUGE-L and ROUGE-Lsum, with the same results as the package ``rouge-score`` but much faster.

ROUGE: C.-Y. Lin, "ROUGE: a package for automatic evaluation of summaries", 2004. Details not specified there follow
``rouge-score`` 0.1.2, including the rounding of the last bit: the same counts are divided in the same way.

Longest common subsequences: H. Hyyro, "Bit-parallel LCS-length computation revisited", AWOCA 2004. In each row of the
table of lengths, values increase by 0 or 1 per column; bit j of ``level`` is set where they do not. The next row is
computed with a single addition, whose carries replace the table's comparisons.

Stemmer: M. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, steps 1a to 5b. Deviations, marked as
NLTK, follow the mode ``NLTK_EXTENSIONS`` of ``nltk.stem.porter.PorterStemmer``, whose stems are reproduced exactly
without having to load all of NLTK.

Tokens follow the default tokeniser of ``rouge-score``: lower-case runs of a-z and 0-9, of which those longer than three
letters are stemmed if requested. That tokeniser drops all other letters, so for other languages the words of
``rules/text/words.py`` can be used instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from gistmill.core.values import nearest
from gistmill.rules.languages.language import ENGLISH, language_named
from gistmill.rules.text.words import unicode_words, words_for


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Returns the length of the longest common subsequence."""
    rows, columns = (a, b) if len(a) < len(b) else (b, a)
    places = dict.fromkeys(rows, 0)
    for j, word in enumerate(columns):
        if word in places:
            places[word] |= 1 << j
    level = whole = (1 << len(columns)) - 1
    for word in rows:
        risen = level & places[word]
        level = (level + risen | level - risen) & whole
    return len(columns) - level.bit_count()


def union_lcs(reference: Sequence[Sequence[str]], candidate: Iterable[Sequence[str]]) -> Counter[str]:
    """Returns counts of the words in the union LCS of each reference line with all candidate lines.

    Source: C.-Y. Lin, "ROUGE", 2004, section 3.2. If a pair of lines has several longest subsequences, the same one is
    used as in ``rouge-score``: going backwards, equal last words match; otherwise the reference's last word is dropped
    if this does not shorten the subsequence, and the candidate's if it does.
    """
    # All candidate lines form one integer, with one bit per word. A clear bit before each line stops the carries.
    places: dict[str, int] = dict.fromkeys(set().union(*reference), 0)
    at, whole = 0, 0
    for line in candidate:
        at += 1
        for j, word in enumerate(line, at):
            if word in places:
                places[word] |= 1 << j
        whole |= (1 << len(line)) - 1 << at
        at += len(line)
    return Counter(chain.from_iterable([_matched([w for w in line if places[w]], places, whole) for line in reference]))


def _matched(rows: Sequence[str], places: dict[str, int], whole: int) -> list[str]:
    """Returns the words of ``rows`` that are in the subsequence for at least one line."""
    level, takes = whole, []
    for word in rows:
        at = places[word]
        risen = level & at
        summed = level + risen | level - risen
        # bits where the table increases in this row, and bits where the words are equal
        takes.append(summed - level | at)
        level = summed & whole
    ends = whole & ~(whole >> 1)
    found = []
    for word, take in zip(reversed(rows), reversed(takes), strict=True):
        # ends: the last word in each line that has not been passed yet
        left = ends & take
        if left:
            found.append(word)
            ends ^= left
            at = places[word]
            while left:
                top = left.bit_length()
                at &= (1 << top) - 1
                # the nearest equal word at or before this one, which exists where the table increases
                ends |= 1 << at.bit_length() - 2
                left ^= 1 << top - 1
    return found


# NLTK: words for which the rules are wrong
_IRREGULAR = {
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
    **{w: w for w in ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed")},
}
_LETTERS = str.maketrans({**dict.fromkeys("abcdefghijklmnopqrstuvwxyz0123456789", "c"), **dict.fromkeys("aeiou", "v")})
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "fulli": "ful", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = dict.fromkeys("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(), "")
# if two suffixes fit, the longer one is found, because it starts further left
_ENDS_2, _ENDS_3, _ENDS_4 = (re.compile(f"(?:{'|'.join(rules)})$") for rules in (_STEP_2, _STEP_3, _STEP_4))


def stem(word: str) -> str:
    """Returns the stem of a word that consists of lower-case letters a to z and digits; empty only for ""."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _past_and_progressive(_plural(word))
    if word[-1] == "y" and len(word) > 2 and _shape(word)[-2] == "c":  # 1c, NLTK's condition
        word = word[:-1] + "i"
    word, _ = _replaced(_step_2(word), _ENDS_3, _STEP_3)
    base, suffix = _replaced(word, _ENDS_4, _STEP_4, least=2)
    return _final_letters(word if suffix == "ion" and base[-1] not in "st" else base)


def _shape(word: str) -> str:
    """Returns a word's pattern of consonants "c" and vowels "v"; a y after a consonant is a vowel."""
    shape = word.translate(_LETTERS)
    at = word.find("y", 1)
    while at > 0:
        shape = f"{shape[:at]}{'v' if shape[at - 1] == 'c' else 'c'}{shape[at + 1 :]}"
        at = word.find("y", at + 1)
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Whether a word ends in consonant-vowel-consonant, except w, x or y; NLTK also accepts just vowel-consonant."""
    shape = _shape(word)
    return (shape.endswith("cvc") and word[-1] not in "wxy") or shape == "vc"


def _plural(word: str) -> str:  # 1a
    if word[-1] != "s" or word.endswith("ss"):
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]  # NLTK: dies, die
    return word[:-1]


def _past_and_progressive(word: str) -> str:  # 1b
    if word.endswith("ied"):  # NLTK
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    base = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    if not base or "v" not in (shape := _shape(base)):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and shape[-1] == "c":
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if shape.count("vc") == 1 and _ends_short(base) else base


def _replaced(word: str, ends: re.Pattern[str], rules: Mapping[str, str], least: int = 1) -> tuple[str, str]:
    """Returns the word with its suffix replaced by a rule, and the old suffix; "" if no rule fits."""
    found = ends.search(word)
    if found is None:
        return word, ""
    suffix, base = found[0], word[: found.start()]
    # NLTK: the l in -logi counts as part of the stem, so that geo- and theo- are long enough
    if _measure(base + "l" if suffix == "logi" else base) < least:
        return word, ""
    return base + rules[suffix], suffix


def _step_2(word: str) -> str:
    replaced, suffix = _replaced(word, _ENDS_2, _STEP_2)
    return _step_2(replaced) if suffix == "alli" else replaced  # NLTK: repeated after -alli


def _final_letters(word: str) -> str:  # 5a and 5b
    if word[-1] == "e":
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


ROUGE_SCORE, UNICODE = "rouge-score", "unicode"
WORDS = (ROUGE_SCORE, UNICODE)
_SEPARATED = bytes(c if c in b"abcdefghijklmnopqrstuvwxyz0123456789\n" else ord(" ") for c in range(256))
_MOST_STEMS = 1 << 18  # about 40 MB; since words recur in English texts, few are stemmed twice


class _Stems(dict[str, str]):
    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        found = self[word] = stem(word) if len(word) > 3 else word
        return found


_STEMS = _Stems()


class Tokens:
    """An immutable tokenised text; ``lines`` contains the words of each line (possibly none).

    Counts are computed when they are first needed, and cached.
    """

    __slots__ = ("_ngrams", "_words", "lines")

    def __init__(self, lines: Iterable[tuple[str, ...]]) -> None:
        self.lines = tuple(lines)
        self._words: tuple[str, ...] | None = None
        self._ngrams: dict[int, Counter[Any]] = {}

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all lines, in order."""
        if self._words is None:
            self._words = self.lines[0] if len(self.lines) == 1 else tuple(chain.from_iterable(self.lines))
        return self._words

    def __len__(self) -> int:
        return len(self.words)

    def ngrams(self, n: int) -> Counter[Any]:
        """Returns the count of each n-gram, which is a word for n = 1, else a tuple; n-grams may span lines."""
        if n not in self._ngrams:
            self._ngrams[n] = Counter(self._each(n))
        return self._ngrams[n]

    def ngrams_among(self, wanted: Mapping[Any, int], n: int) -> Counter[Any]:
        """Returns the counts of the wanted n-grams, and possibly others; faster if a long text is used only once."""
        return self._ngrams[n] if n in self._ngrams else Counter(filter(wanted.__contains__, self._each(n)))

    def _each(self, n: int) -> Iterable[Any]:
        return self.words if n == 1 else zip(*(self.words[i:] for i in range(n)), strict=False)


def tokenise(text: str, *, stemmer: bool = False, words: str = ROUGE_SCORE, language: str = ENGLISH) -> Tokens:
    """Tokenises a text, line by line (``\\n``); empty lines are left out.

    Args:
        text: the text.
        stemmer: whether to stem words with the Porter stemmer for English.
        words: ``rouge-score`` for words as defined by that package, for English only; or ``unicode`` for words found by
            ICU in any language and script (see ``docs/languages.md``).
        language: ISO 639-1 code of the text's language, or code of a Wikipedia.

    Raises:
        ValueError: ``words`` is unknown, does not support the language, or does not support stemming.

    >>> tokenise("The cats sat.", stemmer=True).words
    ('the', 'cat', 'sat')
    """
    if words not in WORDS:
        raise ValueError(f"words: {words!r} is not one of {', '.join(WORDS)}{nearest(words, WORDS)}")
    if words == UNICODE:
        if stemmer:
            raise ValueError(f"stemmer: available only for English with words={ROUGE_SCORE!r}; leave it out")
        own = unicode_words(language_named(language or ENGLISH))
        return Tokens(tuple(own.of(line)) for line in text.split("\n") if line)
    if not words_for(language).is_english:
        raise ValueError(
            f"language: words={ROUGE_SCORE!r} supports only English, not {language!r}; use words={UNICODE!r}"
        )
    return Tokens(_words(filter(None, _plain(text)), stemmer=stemmer))


def tokenise_all(texts: Sequence[str], *, stemmer: bool = False, language: str = ENGLISH) -> list[Tokens]:
    """Tokenises several short texts, such as the sentences of a document.

    Args:
        texts: the texts. English texts are processed together, which is twice as fast as one by one.
        stemmer: whether to stem English words; words in other languages are never stemmed.
        language: the texts' language. Words are those of rouge-score for English, and of Unicode for other languages.
    """
    own = words_for(language)
    if not own.is_english:
        return [Tokens(tuple(own.of(line)) for line in text.split("\n") if line) for text in texts]
    lines = _plain("\n".join(texts))
    if len(lines) != len(texts):  # the texts contain line breaks, or there are no texts
        return [tokenise(t, stemmer=stemmer) for t in texts]
    return [Tokens((words,)) for words in _words(lines, stemmer=stemmer)]


def join(parts: Iterable[Tokens]) -> Tokens:
    """Returns a text that consists of the lines of all parts, in order."""
    return Tokens(chain.from_iterable([p.lines for p in parts]))


def _plain(text: str) -> list[str]:
    """Returns a text's lines, with all characters that are not part of a word replaced with spaces."""
    # bytes are twice as fast as a regular expression; non-ASCII characters become "?" and then a space
    return text.lower().encode("ascii", "replace").translate(_SEPARATED).decode("ascii").split("\n")


def _words(lines: Iterable[str], *, stemmer: bool) -> Iterator[tuple[str, ...]]:
    return (tuple(map(_STEMS.__getitem__, line.split()) if stemmer else line.split()) for line in lines)


ROUGE_L, ROUGE_LSUM = "rougeL", "rougeLsum"
TYPES = (*(f"rouge{n}" for n in range(1, 10)), ROUGE_L, ROUGE_LSUM)


class Score(NamedTuple):
    """Precision, recall and their harmonic mean, each from 0 to 1."""

    precision: float
    recall: float
    fmeasure: float


NOTHING = Score(0.0, 0.0, 0.0)


class Overlap(NamedTuple):
    """The counts for a score: the units shared by a prediction and a target, and the number of units in each."""

    hits: int
    predicted: int
    wanted: int

    def score(self) -> Score:
        """Returns the score, with the same rounding as ``rouge-score``."""
        if not self.hits:
            return NOTHING
        precision, recall = self.hits / self.predicted, self.hits / self.wanted
        return Score(precision, recall, 2 * precision * recall / (precision + recall))

    def exact(self, measure: str) -> Fraction:
        """Returns a measure as a fraction, for comparisons, since equal scores may differ slightly as floats."""
        if not self.hits:
            return Fraction(0)
        if measure == "fmeasure":
            return Fraction(2 * self.hits, self.predicted + self.wanted)
        return Fraction(self.hits, {"precision": self.predicted, "recall": self.wanted}[measure])


def score(
    target: Tokens, prediction: Tokens, types: Iterable[str] = ("rouge1", "rouge2", ROUGE_LSUM)
) -> dict[str, Score]:
    """Scores a prediction against a target (the reference).

    ``types`` are names from TYPES. ROUGE-Lsum uses the texts' lines; the other types ignore line breaks.

    Raises:
        ValueError: a type is unknown.

    >>> score(tokenise("the cat sat on the mat"), tokenise("the cat lay on the mat"))["rouge2"]
    Score(precision=0.6, recall=0.6, fmeasure=0.6)
    """
    return {t: overlap(target, prediction, t).score() for t in types}


def overlap(target: Tokens, prediction: Tokens, rouge_type: str) -> Overlap:
    """Returns the counts for a score; see ``score``."""
    if rouge_type == ROUGE_L:
        hits = lcs_length(target.words, prediction.words)
    elif rouge_type == ROUGE_LSUM:
        there = prediction.ngrams(1)
        # a word counts as a hit no more often than it occurs
        hits = sum([min(k, there[w]) for w, k in union_lcs(target.lines, prediction.lines).items()])
    elif rouge_type in TYPES:
        return overlap_of_ngrams(target, prediction, int(rouge_type[5:]))
    else:
        raise ValueError(f"{rouge_type!r} is not one of {', '.join(TYPES)}")
    return Overlap(hits, len(prediction), len(target))


def overlap_of_ngrams(target: Tokens, prediction: Tokens, n: int) -> Overlap:
    """Returns the counts for ROUGE-n."""
    predicted, wanted = len(prediction) - n + 1, len(target) - n + 1
    if predicted <= 0 or wanted <= 0:
        return Overlap(0, max(predicted, 0), max(wanted, 0))
    short, long = (target, prediction) if wanted < predicted else (prediction, target)
    units = short.ngrams(n)
    there = long.ngrams(n) if n == 1 else long.ngrams_among(units, n)
    hits = sum([k if k < there[u] else there[u] for u, k in units.items() if u in there])
    return Overlap(hits, predicted, wanted)
