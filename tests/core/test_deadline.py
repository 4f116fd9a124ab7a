"""The deadline that rules look at themselves."""

import math

import pytest

from gistmill.core.deadline import DeadlineExceeded, check, within
from gistmill.rules.coreference.scorer import Sieve
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.gap_sentences import GapSentences, GapSentencesConfig
from gistmill.rules.rouge.scoring import tokenise, tokenise_all
from gistmill.rules.wikitransfer.example import Profile, oracles
from tests.rules.discofuse.helpers import parse
from tests.rules.discofuse.parses import FRIENDSHIP
from tests.testing import document, parsed, segmented

PAST = -1.0  # seconds: over before it begins
PROFILE = Profile(name="own", sentences=1, min_oracle=0, max_oracle=100)


def is_late():
    try:
        check()
    except DeadlineExceeded:
        return True
    return False


def test_without_a_deadline_nothing_is_late():
    assert not is_late()
    for seconds in (math.inf, 3600):
        with within(seconds):
            assert not is_late()


def test_after_the_deadline_work_ends():
    with within(PAST):
        assert is_late()


def test_a_deadline_ends_with_its_context():
    with within(PAST), within(3600):
        assert not is_late()
    with pytest.raises(ValueError), within(PAST):
        raise ValueError
    assert not is_late()


TEXTS = [f"The {n} club played at the {n} ground of the old town in {year}." for year, n in enumerate("abcdefgh" * 3)]


@pytest.mark.parametrize(
    "work",
    [
        lambda: DiscoFuse(DiscoFuseConfig()).process(document([parsed(FRIENDSHIP)])),
        lambda: Splitter(DiscoFuseConfig()).candidates(parse(FRIENDSHIP)),
        lambda: Sieve().resolve([parsed(FRIENDSHIP)]),
        lambda: GapSentences(GapSentencesConfig(scoring="seq")).process(segmented(TEXTS, per_paragraph=4)),
        lambda: list(oracles(tokenise_all(TEXTS), tokenise(TEXTS[0]), PROFILE)),
    ],
    ids=["recipe", "splitter", "coreference", "gap-sentences", "oracles"],
)
def test_what_grows_with_the_document_looks_at_the_deadline(work):
    work()
    with within(PAST), pytest.raises(DeadlineExceeded):
        work()
