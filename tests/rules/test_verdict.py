import pytest

from rules.verdict import ACCEPTED, Reason, Verdict


def test_accepted_and_refused():
    assert ACCEPTED.accepted
    assert not Verdict(Reason.TOO_SHORT, "3 tokens").accepted


def test_a_verdict_has_no_truth_value():
    with pytest.raises(TypeError):
        bool(ACCEPTED)


def test_every_reason_says_something_of_its_own():
    texts = [r.value for r in Reason]
    assert len(set(texts)) == len(texts) == len(Reason.__members__)
