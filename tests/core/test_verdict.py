from collections import Counter

import pytest

from gistmill.core.verdict import ACCEPTED, Verdict
from gistmill.pipelines.job import shared_reasons
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.documents import ReadReason, meanings
from gistmill.rules.recipes import RECIPES


def test_accepted_and_rejected():
    assert ACCEPTED.accepted
    assert not Verdict(DiscoFuseReason.TOO_SHORT, "3 tokens").accepted


def test_a_verdict_has_no_truth_value():
    with pytest.raises(TypeError):
        bool(ACCEPTED)


def test_every_reason_says_something_of_its_own():
    kinds = {*shared_reasons(), *(kind for recipe in RECIPES.values() for kind in recipe.REASONS)}
    names = Counter(reason.name for kind in kinds for reason in kind)
    texts = Counter(reason.value for kind in kinds for reason in kind)
    assert len(names) > 50 and set(names.values()) == set(texts.values()) == {1}


def test_what_reasons_mean():
    assert meanings(ReadReason)["REDIRECT"] == "the page is a redirect"
    assert "REDIRECT" not in meanings(DiscoFuseReason)
