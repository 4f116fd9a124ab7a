"""Texts as words and numbers."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.text.grams import LONGEST, gram_hashes, word_hashes, words

WORDS = st.lists(st.text("abcdeé", min_size=1, max_size=6), max_size=40)


def test_words():
    for text, found in (
        ("The  quick,\n\tBROWN fox.", ["the", "quick", "brown", "fox"]),
        ("“Don’t” – he said…", ["don", "t", "he", "said"]),
        ("Straße ﬁne ＡＢＣ", ["strasse", "fine", "abc"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("snake_case 1,234.5", ["snake", "case", "1", "234", "5"]),
        ("東京 Tower カ", ["東", "京", "tower", "カ"]),
        ("… — !", []),
        ("", []),
        ("a\ud800b", ["a", "b"]),
    ):
        assert words(text) == found, text


@given(WORDS)
def test_a_word_has_the_same_number_everywhere(found):
    assert word_hashes(found).tolist() == [word_hashes([w])[0] for w in found]


def test_different_words_have_different_numbers():
    many = [a + b + c for a in "abcdefghij" for b in "klmnopqrst" for c in ("", "a", "aa", "aaa", "é")] * 2
    assert len(set(word_hashes(many).tolist())) == len(set(many))
    assert len(set(word_hashes(["ab", "ba", "aab", "x" * 5000, "x" * 5001]).tolist())) == 5


@given(WORDS, st.integers(1, 14))
def test_grams_are_equal_where_their_words_are(found, n):
    grams = gram_hashes(word_hashes(found), n).tolist()
    texts = [tuple(found[i : i + n]) for i in range(len(found) - n + 1)]
    assert len(grams) == len(texts)
    assert len(set(zip(grams, texts))) == len(set(grams)) == len(set(texts))


def test_the_order_of_words_counts():
    assert gram_hashes(word_hashes(["a", "b"]), 2) != gram_hashes(word_hashes(["b", "a"]), 2)


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
