import string

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.curriculum.scores import Cleaner, default_stop_words, words_of
from tests.cases import by_heading
from tests.rules.curriculum.brute_force import cleaned
from tests.rules.curriculum.pairs import WORDS

CASES = by_heading(__file__)


def test_words():
    for text, words in CASES["words"]:
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
