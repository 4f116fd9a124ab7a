"""Training examples: hard labels of annotated pronouns, a teacher's probabilities of the others."""

from __future__ import annotations

import numpy as np
import pytest

from gistmill.rules.coreference.features import SIZE
from gistmill.rules.coreference.scorer import ask
from research.corpora import read_answers
from research.fit_coreference import TEACHER, Example, Labelled, Training, taught, train
from tests.testing import parsed

MET = parsed("Ann|NNP|nsubj|2|B-PERSON met|VBD|ROOT|0||meet Eve|NNP|dobj|2|B-PERSON .|.|punct|2")
LEFT = parsed("She|PRP|nsubj|2 left|VBD|ROOT|0||leave .|.|punct|2")


def _labelled() -> Labelled:
    questions = ask([MET, LEFT])[2]
    return Labelled(tuple(questions), (None,), (1.0,))


def test_a_teachers_answer_is_summed_by_cluster():
    # "She" is token 4, Ann token 0, Eve token 2
    labelled = taught(_labelled(), {"4": {"-1": 0.1, "0": 0.6, "2": 0.3}})
    (example,) = labelled.examples([q.rows for q in labelled.questions])
    by_place = dict(zip((-1, *(x.place for x in labelled.questions[0].candidates)), example.answers, strict=True))
    assert [example.targets[by_place[place]] for place in (-1, 0, 2)] == pytest.approx([0.1, 0.6, 0.3])


def test_a_teacher_with_other_candidates_is_not_heard():
    labelled = taught(_labelled(), {"4": {"-1": 0.1, "0": 0.2, "99": 0.7}})
    assert labelled.examples([q.rows for q in labelled.questions]) == []
    assert taught(_labelled(), {}).soft == (None,)


def test_the_teacher_gives_probabilities():
    answers = read_answers(TEACHER)
    assert "Abraham Lincoln" in answers and "development-1" in answers
    said = [p for text in answers.values() for given in text.values() for p in given.values()]
    assert len(said) > 10_000 and all(0 < p <= 1 for p in said)


@pytest.mark.parametrize("target", [0.9, 0.3])
def test_training_reproduces_probabilities(target):
    # two answers, told apart by one indicator; the second answer has two rows
    example = Example([[0], [1], [1]], [0, 1, 1], (1 - target, target))
    embedding, output = train([example] * 64, Training(members=1, epochs=60, batch=4, dropout=0.0, decay=0.0))
    assert embedding.shape == (SIZE, 25)
    rows = embedding[[0, 1, 1]]
    scores = np.maximum(rows[:, :-1], 0) @ output + rows[:, -1]
    p = np.exp(scores) / np.exp(scores).sum()
    assert p[1:].sum() == pytest.approx(target, abs=0.02)
