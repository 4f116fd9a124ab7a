import pytest

from gistmill.rules.fusion.edits import EditsError
from gistmill.rules.fusion.rows import fusing

FIRST, SECOND = "Zeitler lost the match .", "Zeitler was tired ."


def test_the_edits_one_after_the_other():
    steps = fusing(FIRST, SECOND, ["4 delete", "5 before because", "5 replace he", "join 3"])
    assert [(s.name, s.detail) for s in steps] == [
        ("DELETE", "'.'"),
        ("WRITE", "'because' before 'Zeitler'"),
        ("REPLACE", "'Zeitler' by 'he'"),
    ]
    assert steps[0].before == (FIRST, SECOND)
    assert [s.before for s in steps[1:]] == [s.after for s in steps[:-1]]
    assert steps[-1].after == ("Zeitler lost the match because he was tired .",)


def test_moves_and_the_end():
    steps = fusing(FIRST, SECOND, ["move 0", "9 before really", "5 lower"])
    assert [(s.name, s.detail) for s in steps] == [
        ("MOVE", "the second sentence before 'Zeitler'"),
        ("WRITE", "'really' before the end"),
        ("LOWER", "'Zeitler'"),
    ]
    assert steps[0].after == ("Zeitler was tired . Zeitler lost the match .",)


def test_no_edits_give_no_steps_and_wrong_ones_an_error():
    assert fusing(FIRST, SECOND, []) == ()
    with pytest.raises(EditsError):
        fusing(FIRST, SECOND, ["99 delete"])
