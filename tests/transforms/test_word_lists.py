"""Lists of stop words that a user gives; those of synthetic words are tested with their job."""

import pytest

from gistmill.rules.synthetic.vocabulary import WordsError
from gistmill.transforms.tables import read_stop_words


def test_a_word_a_line():
    assert read_stop_words(b"\xef\xbb\xbfthe\r\n\n  don't \nthe\n", "stop.txt") == {"the", "don't"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"the\nof a\n", "--stop-words stop.txt: line 2 has several words: 'of a'"),
        (b"", "--stop-words stop.txt: it has no words; for no stop words say --stop-words none"),
        (b"\n \n", "--stop-words stop.txt: it has no words; for no stop words say --stop-words none"),
        (b"caf\xe9\n", "--stop-words stop.txt is not a text in UTF-8: byte 3 cannot be decoded"),
    ],
)
def test_what_is_not_a_list(content, problem):
    with pytest.raises(WordsError) as raised:
        read_stop_words(content, "stop.txt")
    assert str(raised.value) == problem
