"""Profiles: what they refuse."""

import pytest

from gistmill.rules.wikitransfer.example import FIELDS, Profile, profile_of

GOOD = {"name": "mine", "sentences": 2, "min_oracle": 10, "max_oracle": 30.5}


def test_values_and_back():
    profile = profile_of({**GOOD, "stemmer": True})
    assert tuple(profile.to_values()) == FIELDS
    assert profile_of(profile.to_values()) == profile == Profile(**GOOD, stemmer=True)


def test_what_is_wrong_is_named():
    for change, said in [
        ({"name": "rejects"}, "name"),
        ({"name": "a/b"}, "name"),
        ({"name": 3}, "name"),
        ({"name": ""}, "name"),
        ({"sentences": 0}, "sentences"),
        ({"sentences": True}, "sentences"),
        ({"sentences": 1.5}, "sentences"),
        ({"selection": "first"}, "lead, ind-orig, ind-orig-p"),
        ({"rouge": "rouge3"}, "rouge1, rouge2, rougeL, rougeLsum"),
        ({"measure": "f1"}, "fmeasure"),
        ({"cut": "yes"}, "cut"),
        ({"oracle_first": 1}, "oracle_first"),
        ({"min_oracle": -1}, "min_oracle"),
        ({"max_oracle": 101}, "max_oracle"),
        ({"max_oracle": "high"}, "max_oracle"),
        ({"min_oracle": 31}, "min_oracle: 31 is above max_oracle, 30.5"),
        ({"max_oracle": float("nan")}, "max_oracle"),
        (
            {"min_document_words": 100, "max_document_words": 99},
            "min_document_words: 100 is above max_document_words, 99",
        ),
        ({"min_summary_words": 10, "max_summary_words": 9}, "min_summary_words"),
        ({"min_document_words": 0}, "min_document_words"),
        ({"max_document_words": -1}, "max_document_words"),
        ({"oracle": 3}, "unknown key 'oracle'"),
    ]:
        with pytest.raises(ValueError, match="(?s)" + said.replace("(", r"\(")):
            profile_of({**GOOD, **change})


def test_what_is_missing_is_named():
    for key in GOOD:
        with pytest.raises(ValueError, match=f"{key} is missing"):
            profile_of({k: v for k, v in GOOD.items() if k != key})
