"""Where the fast way cannot be gone, the plain one gives the same rows, and a warning says why."""

import logging

import pytest

from gistmill.transforms.models import load_model
from gistmill.transforms.parsing import plain
from gistmill.transforms.parsing.fast import FastParser, sentence_parser
from gistmill.transforms.parsing.plain import Passage, PlainParser
from gistmill.transforms.steps.annotate import Annotate, AnnotationConfig

PASSAGES = [Passage("However, she won the race by far.", 1, 2), Passage(" "), Passage("There's one. They ain't two.")]


@pytest.fixture
def model():
    return load_model()


def test_the_pinned_model_goes_the_fast_way(model, caplog):
    assert isinstance(sentence_parser(model), FastParser)
    assert not caplog.records


def pattern(nlp):
    nlp.get_pipe("attribute_ruler").add([[{"LOWER": "a"}, {"LOWER": "b"}, {"LOWER": "c"}]], {"LEMMA": "d"})


def other_attribute(nlp):
    nlp.get_pipe("attribute_ruler").add([[{"LENGTH": 3}]], {"LEMMA": "d"})


def other_operator(nlp):
    nlp.get_pipe("attribute_ruler").add([[{"LOWER": {"FUZZY": "abcd"}}]], {"LEMMA": "d"})


@pytest.mark.parametrize("change", [pattern, other_attribute, other_operator])
def test_other_patterns_go_the_plain_way(model, change):
    change(model.nlp)
    assert isinstance(sentence_parser(model), PlainParser)


def test_another_spacy_goes_the_plain_way_to_the_same_rows(model, caplog, monkeypatch):
    expected = sentence_parser(load_model()).sentences(PASSAGES)
    step = Annotate(AnnotationConfig())
    step.record("0")
    assert not caplog.records
    monkeypatch.setitem(plain.FEATURE_RELEASES, "spacy", "2.0")
    parser = sentence_parser(model)
    assert isinstance(parser, PlainParser)
    assert parser.sentences(PASSAGES) == expected
    assert not caplog.records  # each worker has a parser; the driver warns
    step.record("0")
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "to the same rows: spacy is 3.8" in record.getMessage()
