"""What was done to single sentences: the operations lead to the result, and the marks show what changed."""

import pytest

from gistmill.fusion import Fused, as_json, edits_between, explain_fusion, explain_splits, split_rows
from gistmill.rules.fusion.edits import EditsError

ROWS = [
    ("The Sharks started slowly, yet they recovered to claim sixth spot.", ""),
    ("Ann Lee lost her first match.", "However, she won the cup in May."),
    ("Rain.", ""),
]


def marks(pieces):
    return [piece.text for piece in pieces if piece.changed]


def test_splits_are_those_of_the_rules_with_what_they_did():
    explained = explain_splits(ROWS)
    assert [[c for c, _ in row] for row in explained] == [list(row) for row in split_rows(ROWS)]
    (candidate, how), *_ = explained[0]
    assert [o.name for o in how.operations] == ["DELETE", "SPLIT", "FINISH"]
    assert (marks(how.source), marks(how.result)) == (["slowly, yet they"], ["slowly. They"])
    assert " ".join(p.text for p in how.result) == as_json(candidate)["inputs"]
    assert "REPLACE" in [o.name for o in explained[1][0][1].operations]
    assert explained[2] == []


def test_an_empty_first_sentence_cannot_be_explained():
    with pytest.raises(ValueError, match="the first sentence is empty"):
        explain_splits([("A dog ran.", ""), (" ", "B.")])


FIRST, SECOND, FUSION = "The dog ran.", "The dog was fast.", "The dog ran and was fast."


def test_a_fusion_is_explained_by_its_edits():
    for tokenized in [False, True]:
        first, second, fusion = (text.replace(".", " .") if tokenized else text for text in (FIRST, SECOND, FUSION))
        fused = Fused(fusion, ["3 delete", "4 before and", "4 delete", "5 delete"], "SINGLE_VP_COORD", -1.0)
        how = explain_fusion(first, second, fused, tokenized=tokenized)
        assert [o.name for o in how.operations] == ["DELETE", "WRITE", "DELETE", "DELETE"]
        assert how.operations[-1].after == ("The dog ran and was fast .",)
        assert " ".join(p.text for p in how.source) == f"{first} {second}"
        assert marks(how.result) == ["and" if tokenized else "ran and"]


def test_edits_of_other_sentences_are_an_error():
    with pytest.raises(EditsError):
        explain_fusion("A.", "B.", Fused("A B.", ["9 delete"], "", 0.0))


def test_edits_of_a_text_that_something_else_wrote():
    for first, second, fusion, edits in [
        (FIRST, SECOND, FUSION, ["3 delete", "4 before and", "4 delete", "5 delete"]),
        ("A b.", "C d.", "A b. C d.", []),
        ("“It’s over,” he said.", "He left.", "“It’s over,” he said – he left.", ["8 delete", "9 before –", "9 lower"]),
        ("A b.", "C d.", "", None),  # there is nothing to align
        ("A b.", "C d.", "A  b.", None),  # no edits make two spaces
    ]:
        assert edits_between(first, second, fusion) == edits
