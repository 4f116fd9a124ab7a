"""The nonsense vocabulary, and lists of words."""

import pytest

from gistmill.rules.synthetic.language import WordsError, check_words, nonsense_words


def test_the_papers_vocabulary():
    words = nonsense_words()
    assert words[:4] == ("aaa", "baa", "caa", "daa") and words[25:28] == ("zaa", "aba", "bba")
    assert words[26 * 26] == "aab" and len(words) == len(set(words)) == 5000


def test_a_list_keeps_its_order():
    assert check_words(["  one\r", "", "two", "Zwei", "été", ""]) == ("one", "two", "Zwei", "été")


def test_a_list_that_cannot_be_used():
    for lines, said in [
        ([], "it has no words; at least two are needed"),
        (["", " "], "it has no words"),
        (["one"], "it has only one word"),
        (["one", "two", "", "one"], "line 4: 'one' is on line 1 already"),
        (["one", "two words"], "line 2 has several words: 'two words'"),
        (["one", "."], "line 2: '.' is a token of the synthetic language"),
        (["one", "<extra_id_0>"], "line 2: '<extra_id_0>' is a token"),
        (["__d3__keyword_0__", "one"], "line 1: '__d3__keyword_0__' is a token"),
        (["one", "__d77__own__"], "line 2: '__d77__own__' is a token"),
        (["one", "a\0b"], r"line 2 has a character that cannot be printed: 'a\x00b'"),
        (["one", "a" * 5000, "a" * 5000], "is on line 2 already"),
    ]:
        with pytest.raises(WordsError) as error:
            check_words(lines)
        assert said in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 200, lines


def test_a_huge_list(monkeypatch):
    monkeypatch.setattr("gistmill.rules.synthetic.language.MOST_WORDS", 10)
    assert len(check_words(map(str, range(10)))) == 10
    with pytest.raises(WordsError, match="more than 10 words"):
        check_words(map(str, range(11)))
