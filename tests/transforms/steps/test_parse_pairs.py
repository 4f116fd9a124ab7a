"""Pairs that are parsed for EDA, in batches."""

from apache_beam.utils.shared import Shared

from gistmill.core.records import Origin, Pair, RangeEnd
from gistmill.rules.augmentation.config import ParsedPair, PreparedPair
from gistmill.rules.documents import natural_text
from gistmill.transforms.steps.annotate import AnnotationConfig
from gistmill.transforms.steps.translate import ParsePairsConfig, _Parse

INPUTS = "The old mayor bought a car. It was big.\n\n  Ms Lee watched.\u3000"
TARGETS = "A car was bought."


def pair(number, split):
    return Pair(Origin(f"p{number}", "pairs"), INPUTS, TARGETS, {"id": f"p{number}"}, split)


def made(*elements, **config):
    step = _Parse(ParsePairsConfig(**config), AnnotationConfig(coref="none"), Shared())
    step.setup()
    step.start_bundle()
    found = [out for element in elements for out in step.process(element)]
    return [*found, *(windowed.value for windowed in step.finish_bundle())]


def sentences(lines):
    return [[natural_text(s.tokens) for s in line] for line in lines]


def test_only_train_is_parsed_and_the_order_stays():
    given = [pair(0, "train"), pair(1, "test"), pair(2, "train"), RangeEnd("k", 3), pair(3, "validation")]
    first, second, third, end, last = made(*given)
    assert [e.id for e in (first, second, third, last)] == ["p0", "p1", "p2", "p3"]
    assert type(first) is type(third) is ParsedPair and type(second) is type(last) is PreparedPair
    assert end.documents == 3 and end.arithmetic
    assert (first.inputs, first.targets, first.values, first.split) == (INPUTS, TARGETS, {"id": "p0"}, "train")


def test_sentences_are_those_of_their_lines():
    both, targets = made(pair(0, "train")), made(pair(0, "train"), fields="targets")
    inputs = [["The old mayor bought a car.", "It was big."], [], ["Ms Lee watched."]]
    assert sentences(both[0].lines["inputs"]) == inputs
    assert sentences(both[0].lines["targets"]) == [["A car was bought."]]
    assert "B-PERSON" in {t.entity for s in both[0].lines["inputs"][2] for t in s.tokens}
    assert list(targets[0].lines) == ["targets"]
    assert sentences(targets[0].lines["targets"]) == [["A car was bought."]]


def test_names_in_small_letters_are_entities():
    text = "general motors unveiled their concept car at an event in shanghai ."
    (found,) = made(Pair(Origin("p", "pairs"), f"{text}\n{text.capitalize()}", "x", {}, "train"), fields="inputs")
    small, cased = (line[0].tokens for line in found.lines["inputs"])
    assert [t.text for t in small] == text.split() == [t.text.lower() for t in cased]
    assert [t.text for t in small if t.entity][:2] == ["general", "motors"]
    assert small[-2].entity and not small[2].entity and not small[5].entity
