import string

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.curriculum.scores import Cleaner, default_stop_words, words_of
from tests.rules.curriculum.brute_force import cleaned
from tests.rules.curriculum.pairs import WORDS


def test_words():
    for text, words in [
        ("", []),
        (" \t\n -- … “ ” ` ", []),
        ("The Hero", ["the", "hero"]),
        ("well-known, re-elected", ["wellknown", "reelected"]),
        ("3.5 $1,000 10% 2019", ["35", "1000", "10", "2019"]),
        ("£50 €50 50° №7", ["50", "50", "50", "7"]),
        ("isn't isn’t do n't", ["isnt", "isnt", "do", "nt"]),
        ("Koirala's Koirala’s KOIRALA'S", ["koirala", "s", "koirala", "s", "koirala", "s"]),
        ("'sad o'sullivan", ["sad", "osullivan"]),
        ("said—that 2010–2012 who--me", ["said", "that", "2010", "2012", "who", "me"]),
        ("wait...what well…yes no―no", ["wait", "what", "well", "yes", "no", "no"]),
        ("«Été» „groß“ ¿qué? 「東京」", ["été", "groß", "qué", "東京"]),
        ("snake_case a/b U.S.", ["snakecase", "ab", "us"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),  # marks of a letter are not punctuation
        ("one\u00a0two\u2003three", ["one", "two", "three"]),
        ("😀 ok😀", ["ok"]),
    ]:
        assert words_of(text) == words, text


@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_as_character_by_character(text):
    assert words_of(text) == cleaned(text, ())


@given(st.text())
def test_cleaning_again_changes_nothing(text):
    words = words_of(text)
    assert words_of(" ".join(words)) == words


@given(st.text(alphabet=string.printable))
def test_ascii_is_cleaned_as_other_text(text):
    assert [*words_of(text), "é"] == words_of(text + " é")


def test_stop_words_are_left_out_every_time():
    assert Cleaner({"the", "of"})("The end of the end") == ["end", "end"]


def test_stop_words_are_cleaned_as_the_text_is():
    assert Cleaner(["Don't", "Well-Known"])("don't do well-known dont work") == ["do", "work"]


def test_without_stop_words_every_word_is_left():
    assert Cleaner(())("The end") == ["the", "end"]


def test_the_default_list():
    words = default_stop_words()
    assert len(words) == 1300
    assert {"the", "of", "said", "would", "nt", "wo"} <= words
    assert not {"earthquake", "police", "kathmandu"} & words
    assert Cleaner(words)("It isn't what they don't, wo n't or can't do 's") == []
