"""benchmarks.retrieval on made-up passages, where the right ranks are known, and once as a command."""

import pytest

from benchmarks.retrieval import Index, Question, passages_of, questions_of
from benchmarks.slice import Text
from tests.repository.test_benchmarks import run

PASSAGES = [
    (("Kent", 0), "Kent: The river rose."),
    (("Kent", 16), "It flooded the old mill and the river bank."),
    (("Bath", 0), "The mill of Bath burned."),
    (("Bath", 0), "Bath has a mill."),
    (("Ayr", 0), "Ayr has no river."),
]


def test_the_rank_is_that_of_the_first_passage_of_the_sentence():
    index = Index(PASSAGES)
    for words, place, rank in (
        (["flooded"], ("Kent", 16), 1),
        (["kent", "mill"], ("Kent", 0), 1),  # the rarer word counts more
        (["kent", "mill"], ("Kent", 16), 4),  # and the shorter passage
        (["bath", "mill"], ("Bath", 0), 1),
        (["river"], ("Bath", 0), 0),
        (["unknown"], ("Ayr", 0), 0),
    ):
        assert index.rank(Question(words, place, False)) == rank, words


def test_a_question_has_the_title_and_two_words_of_the_sentence():
    sentences = [(("Ada Lovelace", i), f"She wrote letter {i}xyz to the famous Lovelace.") for i in range(200)]
    questions = list(questions_of(sentences))
    assert 20 < len(questions) < 60 and all(question.has_pronoun for question in questions)
    for question in questions:
        title, asked = question.words[:2], set(question.words[2:])
        assert title == ["ada", "lovelace"] and len(asked) == 2
        assert asked < {"wrote", "letter", "famous", f"{question.place[1]}xyz"}
    assert list(questions_of([(("Ada", i), "It is so.") for i in range(200)])) == []


def test_passages_are_of_each_kind():
    found = dict(passages_of(Text("1", "Ada Lovelace", "Ada Lovelace left Kent. She slept.")))
    assert {kind: text for kind, (_, text) in found.items()} == {
        "plain": "She slept.",
        "titled": "Ada Lovelace: She slept.",
        "resolved": "Ada Lovelace slept.",
        "chunks": "Ada Lovelace slept.",
        "statements": "Ada Lovelace slept.",
    }
    assert {place for place, _ in found.values()} == {("Ada Lovelace", 24)}


@pytest.mark.slow
def test_the_command_has_figures_of_every_kind():
    figures = run("retrieval", "--articles", 2)
    assert {(each["kind"], each["questions"]) for each in figures} >= {("plain", "all"), ("statements", "pronoun")}
