"""ROUGE against the package rouge-score, which is the reference: equal to the last bit, not only to 1e-9."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenize import tokenize as reference_tokenise
from rouge_score.tokenizers import DefaultTokenizer

from gistmill.rules.rouge import scoring
from gistmill.rules.rouge.scoring import TYPES, Overlap, Tokens, join, lcs_length, score, tokenise, tokenise_all
from gistmill.rules.rouge.selection import ScoredDocument, best
from tests.cases import by_heading
from tests.dumps import whole

CASES = by_heading(__file__)

TYPES_TRIED = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum")
MEASURES = ("precision", "recall", "fmeasure")
REFERENCE = {stemmer: RougeScorer(TYPES_TRIED, use_stemmer=stemmer) for stemmer in (False, True)}
NLTK = PorterStemmer()

# few words make long common subsequences that can be chosen in many ways; the rest is what a tokeniser stumbles over
WORDS = st.sampled_from(
    "a b c d ran runs running relational the 1999 x1 news dying naïve \u212aelvin İI ﬁne ß Σας 日本 ' -".split()
)
SPACES = st.sampled_from([" ", " ", " ", "\n", "\n\n", ". ", "\r\n", "\u2028", "\t", "\x00", "\xa0"])
WORDY = st.lists(st.tuples(WORDS, SPACES), max_size=40).map(lambda parts: "".join(w + s for w, s in parts))
BLANK = st.sampled_from(["", " ", "\n", " \n \n"])
TEXTS = st.one_of(WORDY, st.text(max_size=60), st.text("ab \n", max_size=60), BLANK)
SENTENCES = st.lists(st.lists(WORDS, max_size=7).map(" ".join), max_size=7)


class Unique:
    """The reference's tokeniser, each word once: makes rouge-score compare sets."""

    def __init__(self, stemmer: bool) -> None:
        self._tokenizer = DefaultTokenizer(stemmer)

    def tokenize(self, text: str) -> list[str]:
        return list(dict.fromkeys(self._tokenizer.tokenize(text)))


def unequal(target: str, prediction: str, *, stemmer: bool) -> dict:
    wanted = REFERENCE[stemmer].score(target, prediction)
    got = score(tokenise(target, stemmer=stemmer), tokenise(prediction, stemmer=stemmer), TYPES_TRIED)
    return {t: (got[t], tuple(wanted[t])) for t in TYPES_TRIED if tuple(got[t]) != tuple(wanted[t])}


def exact(score):
    """The fraction that a score of the reference was before it was rounded: texts here have few words."""
    return Fraction(score).limit_denominator(10_000)


def reference_selection(sentences, count, *, stemmer, unique, sequential, measure, later=False):
    scorer = RougeScorer(["rouge1"], use_stemmer=stemmer, tokenizer=Unique(stemmer) if unique else None)

    def importance(chosen):
        rest = [s for i, s in enumerate(sentences) if i not in chosen]
        scores = scorer.score(" ".join(rest), " ".join(sentences[i] for i in sorted(chosen)))
        return exact(getattr(scores["rouge1"], measure))

    if not sequential:
        scores = [importance({i}) for i in range(len(sentences))]
        return sorted(range(len(sentences)), key=lambda i: (-scores[i], -i if later else i))[:count]
    chosen: list[int] = []
    while len(chosen) < min(count, len(sentences)):
        left = [i for i in range(len(sentences)) if i not in chosen]
        chosen.append(max(left, key=lambda i: (importance({*chosen, i}), i if later else -i)))
    return chosen


@given(st.text())
def test_tokens_are_the_references(text):
    assert list(tokenise(text).words) == reference_tokenise(text, None)
    assert list(tokenise(text, stemmer=True).words) == reference_tokenise(text, NLTK)


def test_characters_outside_ascii_separate():
    for text in ["\u212aIT", "İSTANBUL", "Straße", "e\u0301te\u0301", "\ud800x", "a_b", "x²", "１２ 12", "don't"]:
        assert list(tokenise(text, stemmer=True).words) == reference_tokenise(text, NLTK), text


@given(TEXTS, TEXTS, st.booleans())
def test_scores_are_the_references(target, prediction, stemmer):
    assert not unequal(target, prediction, stemmer=stemmer)


def test_texts_with_hardly_a_word():
    for target, prediction in [("", ""), ("", "a"), ("a", ""), ("\n", " "), ("é", "é"), ("a\n\nb", "b\na")]:
        assert not unequal(target, prediction, stemmer=False), target
    # "a b" and "b a" share one word; which one decides what the second line can still add
    for target, prediction in [("a b", "b a"), ("a b\na", "b a"), ("a b a\nb", "b b a\na b"), ("a b c", "c a\nb\nc b")]:
        assert not unequal(target, prediction, stemmer=False), target


def test_every_type_is_known_and_others_are_rejected():
    text = tokenise(" ".join("abcdefghij"))
    assert all(s == (1, 1, 1) for s in score(text, text, TYPES).values())
    for wrong in ("rouge0", "rouge10", "rougel", ""):
        with pytest.raises(ValueError, match="is not one of"):
            score(text, text, [wrong])


@given(st.text("abc", max_size=80), st.text("abcd", max_size=80))
def test_lengths_of_common_subsequences(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        above = row
        row = [0]
        for j, y in enumerate(b):
            row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
    assert lcs_length(a, b) == row[-1]


SUFFIXES = ["", *"s es ies ed ing ied eed y e ll sses ss".split(), *scoring._STEP_2, *scoring._STEP_3, *scoring._STEP_4]


@given(st.text("aeybtlswxz1", max_size=5), st.lists(st.sampled_from(SUFFIXES), max_size=3))
def test_stems_are_nltks(base, suffixes):
    word = base + "".join(suffixes)
    assert not word or scoring.stem(word) == NLTK.stem(word)


def test_irregular_stems_are_nltks():
    assert {w: scoring.stem(w) for w in NLTK.pool} == NLTK.pool == scoring._IRREGULAR
    for word in "theology geology logy radically really spy enjoy tied dies feed ion nation sky yyyy".split():
        assert scoring.stem(word) == NLTK.stem(word), word


def test_stems_of_a_wikipedia_vocabulary_are_nltks():
    words = sorted(set(re.findall("[a-z0-9]+", whole().decode().lower())))[::6]
    assert len(words) > 8000
    assert [w for w in words if scoring.stem(w) != NLTK.stem(w)] == []


def test_the_store_of_stems_stays_bounded(monkeypatch):
    monkeypatch.setattr(scoring, "_MOST_STEMS", 5)
    text = " ".join(f"running{i}" for i in range(40)) + " running"
    assert list(tokenise(text, stemmer=True).words) == reference_tokenise(text, NLTK)
    assert len(scoring._STEMS) <= 5


@given(st.lists(TEXTS, max_size=5), st.booleans())
def test_texts_in_one_go_are_the_texts_one_by_one(texts, stemmer):
    together = tokenise_all(texts, stemmer=stemmer)
    assert [t.words for t in together] == [tokenise(t, stemmer=stemmer).words for t in texts]


@given(TEXTS, TEXTS, TEXTS)
def test_joined_texts_are_texts_on_lines(a, b, target):
    assert score(tokenise(target), join([tokenise(a), tokenise(b)])) == score(tokenise(target), tokenise(f"{a}\n{b}"))


def test_ngrams_counted_before_or_not_score_alike():
    short, long = "a b a c", "b a b a b a c c a"
    counted = Tokens(tokenise(long).lines)
    counted.ngrams(2)
    assert score(tokenise(short), counted) == score(tokenise(short), tokenise(long))


@given(SENTENCES, TEXTS, st.booleans(), st.integers(1, 3))
def test_sentences_against_a_summary(sentences, summary, stemmer, n):
    got = ScoredDocument(sentences, stemmer=stemmer).against(tokenise(summary, stemmer=stemmer), n=n)
    assert [tuple(o.score()) for o in got] == [
        tuple(REFERENCE[stemmer].score(summary, s)[f"rouge{n}"]) for s in sentences
    ]


@given(SENTENCES, st.booleans(), st.booleans())
def test_sentences_against_the_rest(sentences, stemmer, unique):
    scorer = RougeScorer(["rouge1"], use_stemmer=stemmer, tokenizer=Unique(stemmer) if unique else None)
    got = ScoredDocument(sentences, stemmer=stemmer).against_rest(unique=unique)
    for i, sentence in enumerate(sentences):
        rest = " ".join(sentences[:i] + sentences[i + 1 :])
        assert tuple(got[i].score()) == tuple(scorer.score(rest, sentence)["rouge1"])


@given(
    SENTENCES,
    st.integers(0, 5),
    st.booleans(),
    st.fixed_dictionaries(
        {"measure": st.sampled_from(MEASURES)} | dict.fromkeys(("unique", "sequential", "later"), st.booleans())
    ),
)
def test_principal_sentences_are_those_of_the_reference(sentences, count, stemmer, how):
    got = ScoredDocument(sentences, stemmer=stemmer).principal(count, **how)
    assert got == reference_selection(sentences, count, stemmer=stemmer, **how)


def test_the_best_come_first_and_equals_in_order():
    assert best([0.1, 0.5, 0.0, 0.5], 3) == [1, 3, 0]
    assert best([0.1, 0.5, 0.0, 0.5], 3, later=True) == [3, 1, 0]
    assert best([], 2) == []


def test_equal_scores_are_equal_whatever_their_last_bits():
    # each has 2 of 10 words in common: the F1 of all is 4/14, and rouge-score rounds it to two numbers
    overlaps = [Overlap(2, size, 14 - size) for size in (2, 4, 6, 9, 10)]
    assert len({o.score().fmeasure for o in overlaps}) > 1
    assert {o.exact("fmeasure") for o in overlaps} == {Fraction(4, 14)}
    assert [o.exact("precision") for o in overlaps[:2]] == [1, Fraction(1, 2)]
    assert [o.exact("recall") for o in overlaps[-2:]] == [Fraction(2, 5), Fraction(1, 2)]
    assert {Overlap(0, size, 0).exact(m) for size in (0, 3) for m in MEASURES} == {0}


UNICODE = {"words": "unicode"}
# a text, one that shares some of its words, and one that shares none
TEXTS_OF_LANGUAGES = CASES["texts of languages"]


def test_unicode_words_score_texts_of_any_script():
    for language in TEXTS_OF_LANGUAGES:
        text, near, far = (tokenise(t, **UNICODE, language=language) for t in TEXTS_OF_LANGUAGES[language])
        assert {s.fmeasure for s in score(text, text).values()} == {1.0}, language
        assert {s.fmeasure for s in score(text, far, TYPES).values()} == {0.0}, language
        assert 0 < score(text, near)["rouge1"].fmeasure < 1, language
        assert {s.fmeasure for s in score(text, text, ("rougeL", "rouge1")).values()} == {1.0}, language


def test_japanese_scores_by_hand():
    target, prediction = (tokenise(t, **UNICODE, language="ja") for t in ("猫は庭で眠る", "犬は庭で\n走る"))
    assert target.words == ("猫", "は", "庭", "で", "眠る") and prediction.lines == (
        ("犬", "は", "庭", "で"),
        ("走る",),
    )
    found = score(target, prediction, ("rouge1", "rouge2", "rougeL"))
    assert [s.recall for s in found.values()] == [3 / 5, 2 / 4, 3 / 5]


@given(TEXTS)
def test_unicode_words_are_in_lines_as_those_of_rouge_score_are(text):
    found = tokenise(text, **UNICODE, language="de")
    assert found.lines == join([tokenise(line, **UNICODE, language="de") for line in text.split("\n")]).lines
    assert len(found.lines) == len(tokenise(text).lines)


@given(TEXTS)
def test_english_is_what_is_scored_unless_said_otherwise(text):
    for language in ("en", "", "simple"):
        assert tokenise(text, words="rouge-score", language=language).lines == tokenise(text).lines
    (together,) = tokenise_all([text], language="en")
    assert together.lines in (tokenise(text).lines, ((),))


def test_words_that_there_are_not_are_refused_in_one_line():
    for options, said in CASES["words that there are not are refused in one line"]:
        with pytest.raises(ValueError, match=re.escape(said)) as caught:
            tokenise("a", **options)
        assert "\n" not in str(caught.value), options


def test_sentences_of_another_language_are_chosen_by_its_words():
    sentences = ["猫は庭で眠る。", "犬は猫と庭で遊ぶ。", "今日は晴れ。", "犬は遊ぶ。"]
    assert ScoredDocument(sentences, language="ja").principal(1) == [1]
    assert ScoredDocument(sentences).principal(1) == [0]  # English sees no word, and the first of equals is chosen
    assert ScoredDocument(sentences, language="ja", stemmer=True).principal(1) == [1]
