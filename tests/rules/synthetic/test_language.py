"""Names, keywords and fixed sentences of the synthetic language."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.synthetic.interpreter import TASKS
from gistmill.rules.synthetic.language import (
    Keyword,
    Kind,
    WordsError,
    check_words,
    is_reserved,
    nonsense_words,
    parse_keyword,
)


def test_tasks_have_the_names_of_table_7():
    assert [task.number for task in TASKS.values()] == list(range(1, 22))
    path = Path(__file__).parents[3] / "training" / "experiments" / "files" / "nonsense-tasks.yaml"
    experiment = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(experiment["axes"]["task"]) == set(TASKS)
    shown = {title: row["where"]["task"] for title, row in experiment["tables"][0]["rows"].items()}
    assert shown == {task.paper_name: task.name for task in TASKS.values()}


@given(st.integers(1, 9999), st.sampled_from(Kind), st.tuples(st.integers(0, 9999), st.integers(0, 9999)))
def test_a_token_is_parsed_to_its_keyword(task, kind, numbers):
    keyword = Keyword(task, kind, numbers[: kind.value.count("{}")])
    assert parse_keyword(keyword.token) == keyword and is_reserved(keyword.token)
    assert keyword.token.split() == [keyword.token]


def test_what_is_a_keyword():
    for token, keyword in [
        ("__d3__keyword_0__", Keyword(3, Kind.KEYWORD, (0,))),
        ("__d11__class_2_kw_1__", Keyword(11, Kind.CLASS_KEYWORD, (2, 1))),
        ("__d11__class_2__", Keyword(11, Kind.CLASS, (2,))),
        ("__d18__target_19_2__", Keyword(18, Kind.SYNONYM, (19, 2))),
        ("__d7__begin_quote__", Keyword(7, Kind.BEGIN)),
        ("__d9__keyword__", Keyword(9, Kind.SPECIAL)),
        ("__d14__63__", Keyword(14, Kind.NUMBER, (63,))),
        ("__d19__join_4__", Keyword(19, Kind.JOINER, (4,))),
        ("__d14__063__", None),
        ("__d3__keyword_00__", None),
        ("__d3__keyword_99999__", None),
        ("__d03__keyword_0__", None),
        ("__d" + "9" * 5000 + "__begin_quote__", None),
        ("__d3__keyword_", None),
        ("d3__keyword_0__", None),
        ("aaa", None),
        ("", None),
    ]:
        assert parse_keyword(token) == keyword, token


def test_reserved():
    reserved = [".", "<extra_id_0>", "__d3__keyword_0__", "__d3__anything__", "__d99__x\ny__"]
    for word in [*reserved, "aaa", "..", "__d3__", "__dx__y__", "d3", "<extra_id_1>", ""]:
        assert is_reserved(word) == (word in reserved), word


# The nonsense vocabulary, and lists of words.


def test_the_papers_vocabulary():
    words = nonsense_words()
    assert words[:4] == ("aaa", "baa", "caa", "daa") and words[25:28] == ("zaa", "aba", "bba")
    assert words[26 * 26] == "aab" and len(words) == len(set(words)) == 5000


def test_a_list_that_cannot_be_used(monkeypatch):
    assert check_words(["  one\r", "", "two", "Zwei", "été", ""]) == ("one", "two", "Zwei", "été")
    for lines, said in [
        ([], "it contains no words; at least two are needed"),
        (["", " "], "it contains no words"),
        (["one"], "it contains only one word"),
        (["one", "two", "", "one"], "line 4: 'one' is already on line 1"),
        (["one", "two words"], "line 2 contains several words: 'two words'"),
        (["one", "."], "line 2: '.' is a token of the synthetic language"),
        (["one", "<extra_id_0>"], "line 2: '<extra_id_0>' is a token"),
        (["__d3__keyword_0__", "one"], "line 1: '__d3__keyword_0__' is a token"),
        (["one", "__d77__own__"], "line 2: '__d77__own__' is a token"),
        (["one", "a\0b"], r"line 2 contains an unprintable character: 'a\x00b'"),
        (["one", "a" * 5000, "a" * 5000], "is already on line 2"),
    ]:
        with pytest.raises(WordsError) as error:
            check_words(lines)
        assert said in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 200, lines
    monkeypatch.setattr("gistmill.rules.synthetic.language.MOST_WORDS", 10)
    assert len(check_words(map(str, range(10)))) == 10
    with pytest.raises(WordsError, match="more than 10 words"):
        check_words(map(str, range(11)))
