"""The endpoint of --translator-url, a real one on this machine."""

import pytest

from gistmill.rules.augmentation.translator import TranslationError
from gistmill.serving.config import ServingConfig
from gistmill.serving.translating import Translation, open_translating
from tests.transforms.translation.test_endpoint import answered, serving, status


def translating(endpoint):
    return open_translating(ServingConfig(translator_url=endpoint.url, languages=("en", "de")))


def test_an_endpoint_translates_into_english_and_back():
    with serving() as (endpoint, requests):
        there = Translation("de", ("Otter schwimmen.", "Es regnet."))
        back = Translation("de", ("Otters swim.",), back=True)
        assert translating(endpoint).translate([there, back]) == [
            ["rettO .nemmiwhcs en1", "sE .tenger en1"],
            ["srettO .miws de1"],
        ]
    asked = [(r["source"], r["target"], len(r["sentences"])) for r in requests if r["sentences"]]
    assert asked == [("de", "en", 2), ("en", "de", 1)]


def test_an_endpoint_that_fails_fails_what_asked_it_alone():
    with serving(answered, answered, status(400)) as (endpoint, _):  # it is asked for its model, once for each way
        failed, done = translating(endpoint).translate([Translation("de", ("Otter.",)), Translation("de", ("Regen.",))])
    assert isinstance(failed, TranslationError) and "400" in str(failed)
    assert done == [".negeR en1"]


def test_an_endpoint_that_does_not_answer_is_said_when_the_server_starts():
    with serving(status(400)) as (endpoint, _), pytest.raises(TranslationError, match="answered 400"):
        translating(endpoint)
