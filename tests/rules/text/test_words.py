"""Words of any language: what matches, where words stand, how many there are, and which are stop words."""

import subprocess
import sys
import unicodedata
from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmill.rules.languages.language import language_named
from gistmill.rules.text.grams import LONGEST, gram_hashes, word_hashes, words
from gistmill.rules.text.words import STOP_WORDS, Word, content_words, unicode_words, words_for, words_of
from tests.cases import by_heading

CASES = by_heading(__file__)

LANGUAGES = ("de", "tr", "ru", "ar", "he", "hi", "el", "vi", "ko", "xx", "zh", "ja", "th", "km", "lo", "my")
# Letters of many scripts with what may stand at them: marks, digits, apostrophes, joiners, marks of direction, emoji.
PIECES = st.sampled_from(
    "a B ß ẞ I İ i̇ ı Σ ς é é ﬁ Ǆ 日本 東京都 が が カタカナ ｶ 1 ١٢ १२ ２ ٫ . , ' ’ - _ كِتَابٌ שָׁלוֹם नमस्ते "
    "ฉันรัก ខ្ញុំ ລາວ မြန်မာ 한국 ᄒ 😀 👩🏽‍💻 🇩🇪 ½ \u200e \u200f \u200c \u200d \u00ad \u0301 \u0345 ᾳ ŉ".split(" ")
)
TEXTS = st.one_of(
    st.lists(st.tuples(PIECES, st.sampled_from(["", "", " ", "\n", "\u3000"])), max_size=20).map(
        lambda parts: "".join(piece + space for piece, space in parts)
    ),
    st.text(max_size=40),
    st.text(st.characters(categories=["Cs", "Ll", "Zs"]), max_size=10),
)


def test_words_are_those_of_the_language():
    for code, text, expected in CASES["words are those of the language"]:
        assert words_for(code).of(text) == expected.split(), text
        assert words_for(code).count(text) == len(expected.split()), text


def test_one_huge_word_is_one_word():
    for text in ("Я" * 1_000_000, "\U0001d400" * 100_000):
        (word,) = words_for("ru").spans(text)
        assert (word.start, word.end) == (0, len(text))
    assert words_for("ru").of("Я" * 50) == ["я" * 50]


def test_a_word_stands_where_its_characters_are_behind_such_as_utf_16_has_in_two_units():
    text = "😀😀コンピュータ 𠮷野家"
    assert next(text[w.start : w.end] for w in words_for("ja").spans(text)) == "コンピュータ"
    assert words_for("ja").spans("😀 Ab")[0] == Word("ab", 2, 4)


@given(TEXTS, st.sampled_from(LANGUAGES))
@example("\ud800 a\udfffb", "de")
@example("😀コ", "ja")
def test_places_are_those_of_the_words(text, code):
    words = words_for(code)
    found = words.spans(text)
    assert [word.text for word in found] == words.of(text)
    assert words.count(text) == len(found)
    end = 0
    for word in found:
        assert end <= word.start < word.end <= len(text)
        assert words._fold.__wrapped__(text[word.start : word.end]) == word.text
        assert not any(c.isalnum() for c in text[end : word.start])
        end = word.end
    assert not any(c.isalnum() for c in text[end:])


@given(TEXTS, TEXTS, st.sampled_from(LANGUAGES))
def test_a_line_break_parts_words_in_every_language(first, second, code):
    words = words_for(code)
    assert words.of(f"{first}\n{second}") == words.of(first) + words.of(second)


@given(TEXTS, st.sampled_from(LANGUAGES))
@example("2024년a한국", "ko")
def test_a_word_is_matched_in_one_form_however_it_is_composed(text, code):
    words = words_for(code)
    found = words.of(unicodedata.normalize("NFC", text))
    assert found == words.of(unicodedata.normalize("NFD", text))
    assert all(words._fold(word) == word and unicodedata.is_normalized("NFC", word) for word in found)


@given(TEXTS)
def test_english_words_are_those_of_the_rules_for_english(text):
    for code in ("", "en", "simple"):
        words = words_for(code)
        assert words.is_english
        assert words.of(text) == words_of(text)
        assert words.content(text) == content_words(text)
        assert words.count(text) == len(text.split())
        assert words.stop_words == STOP_WORDS
        assert words.counts == {}


def test_english_has_the_words_of_unicode_where_they_are_asked_for():
    assert unicode_words(language_named("en")).of("Don’t re-read CAFÉ") == ["don't", "re", "read", "café"]


def test_stop_words_are_those_of_the_language_as_they_are_matched():
    assert words_for("de").content("Die Katze UND der Hund") == ["katze", "hund"]
    assert words_for("ja").content("これは本です") == ["本"]
    assert words_for("ar").content("القط من البيت") == ["القط", "البيت"]
    assert words_for("km").stop_words == words_for("xx").stop_words == frozenset()


def test_words_of_an_entry_are_no_stop_words_of_their_own():
    vietnamese = words_for("vi")
    assert "bởi" in vietnamese.stop_words  # has an entry of its own
    assert all(vietnamese.of(word) == [word] for word in vietnamese.stop_words)


def test_the_counts_name_the_splitter_and_its_version():
    assert words_for("ja").counts == {f"words/ja, icu4py {version('icu4py')}": 1}


# Texts as words and numbers.


WORDS = st.lists(st.text("abcdeé", min_size=1, max_size=6), max_size=40)


def test_words():
    for text, found in CASES["normalised words"]:
        assert words(text) == found.split(), text
    assert words("a\ud800b") == ["a", "b"]


@given(WORDS)
def test_a_word_has_the_same_number_everywhere(found):
    assert word_hashes(found).tolist() == [word_hashes([w])[0] for w in found]


def test_different_words_have_different_numbers():
    many = [a + b + c for a in "abcdefghij" for b in "klmnopqrst" for c in ("", "a", "aa", "aaa", "é")] * 2
    assert len(set(word_hashes(many).tolist())) == len(set(many))
    assert len(set(word_hashes(["ab", "ba", "aab", "x" * 5000, "x" * 5001]).tolist())) == 5


@given(WORDS, st.integers(1, 14))
@example(["a", "b", "a"], 2)
def test_grams_are_equal_where_their_words_are(found, n):
    grams = gram_hashes(word_hashes(found), n).tolist()
    texts = [tuple(found[i : i + n]) for i in range(len(found) - n + 1)]
    assert len(grams) == len(texts)
    assert len(set(zip(grams, texts))) == len(set(grams)) == len(set(texts))


def test_lengths_out_of_range():
    for n in (0, -1, LONGEST + 1):
        with pytest.raises(ValueError, match="n must be"):
            gram_hashes(np.zeros(3, np.uint64), n)


def test_numbers_do_not_depend_on_the_process():
    code = "from gistmill.rules.text.grams import *; print(gram_hashes(word_hashes(words('The quick brown fox')), 2).tolist())"
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in "12"
    }
    assert found == {"[14181967428525556179, 15985858936901578980, 1151070685603019985]\n"}
