import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.options import OptionError
from gistmill.rules.curriculum.scores import (
    COMBINATIONS,
    ORDERS,
    WEIGHTS,
    Cleaner,
    ComplexityConfig,
    Counts,
    Measures,
    PairScorer,
    Weights,
    default_stop_words,
    order_value,
    random_value,
    words_of,
)
from tests.cases import by_heading
from tests.rules.curriculum.brute_force import cleaned
from tests.rules.curriculum.pairs import WORDS

CASES = by_heading(__file__)

COUNTS = Counts(deletions=100, additions=4, reorderings=10, substitutions=2)


def measures(inputs, targets):
    return PairScorer(ComplexityConfig()).measure(inputs, targets)


def test_weights():
    assert COMBINATIONS[ComplexityConfig().weights] == Weights(0.11, 0.41, 0.37, 0.11)  # the paper's best
    assert PairScorer(ComplexityConfig()).complexity(COUNTS) == 16.28  # 11 + 4.1 + 0.74 + 0.44
    assert ComplexityConfig(weights="0.7,0.1,0.1,0.1").weights == (0.7, 0.1, 0.1, 0.1)  # 1 but for the last bits
    for weights, score in CASES["weights"]:
        assert PairScorer(ComplexityConfig(weights=weights)).complexity(COUNTS) == score, weights


def test_weights_that_are_none():
    for weights, problem in CASES["weights that are none"]:
        with pytest.raises(OptionError) as raised:
            ComplexityConfig(weights=weights)
        assert raised.value.name == "weights" and problem in raised.value.problem, weights


def test_the_combinations_of_the_paper():
    assert len(COMBINATIONS) == 11
    for name, weights in COMBINATIONS.items():
        assert WEIGHTS.parse(name) == name
        assert sum(weights) == pytest.approx(1, abs=0.0101)
    off = {name for name, weights in COMBINATIONS.items() if abs(sum(weights) - 1) > 1e-9}
    assert off == {"combination-2", "combination-7", "combination-10"}


def test_values_are_read_again():
    other = ComplexityConfig(weights="0.25,0.25,0.25,0.25", counts="printed", stop_words="none")
    for config in (ComplexityConfig(), other):
        assert ComplexityConfig.from_values(config.to_values()) == config
    with pytest.raises(OptionError, match="expected one of multiset, printed"):
        ComplexityConfig(counts="paper")


def test_measures():
    found = measures("Two heroes , of Nepal , rescued girls .", "Heroes rescue girls")
    assert (found.input_words, found.target_words) == (9, 3)
    assert found.reduction == pytest.approx(100 * 6 / 9)
    assert found.counts == Counts(
        deletions=1, additions=0, reorderings=1, substitutions=1
    )  # "two", "of" are stop words
    assert found.complexity == 0.89  # 0.11 + 0.41 + 0.37
    assert measures("word " * 1000, "word " * 50).reduction == 95.0  # as in the paper
    assert measures("word", "word " * 3).reduction == -200.0
    assert measures("", "word").reduction == 0.0


def test_nothing_is_left_after_cleaning():
    for inputs in ["", "   ", "the of", "-- … !"]:
        assert measures(inputs, "The").complexity == 0, inputs
        assert measures(inputs, "nepal").counts == Counts(deletions=0, additions=1, reorderings=0, substitutions=0), (
            inputs
        )


def test_stop_words_and_ways_of_counting():
    pair = "The quake of Nepal", "Nepal"
    assert PairScorer(ComplexityConfig()).counts(*pair).deletions == 1
    assert PairScorer(ComplexityConfig(stop_words="none")).counts(*pair).deletions == 3
    own = ComplexityConfig(stop_words="lists/stop.txt")
    assert own.stop_words_file == "lists/stop.txt"
    assert PairScorer(own, stop_words={"quake"}).counts(*pair).deletions == 2
    pair = "quake quake quake nepal", "nepal"
    assert PairScorer(ComplexityConfig()).counts(*pair).deletions == 3
    assert PairScorer(ComplexityConfig(counts="printed")).counts(*pair).deletions == 9
    for option, words in [("stop.txt", None), ("none", {"a"}), (None, {"a"})]:
        with pytest.raises(ValueError, match="stop words must be passed if and only if"):
            PairScorer(ComplexityConfig(stop_words=option), stop_words=words)


def test_orders():
    found = Measures(input_words=20, target_words=5, counts=COUNTS, complexity=16.28)
    values = {order: order_value(order, found, id="a", seed=1) for order in ORDERS}
    assert values == {"length": 20, "reduction": 75, "complexity": 16.28, "random": random_value("a", seed=1)}
    with pytest.raises(KeyError):
        order_value("hardness", found, id="a", seed=1)
    assert 0 <= values["random"] < 1
    assert len({values["random"], random_value("a", seed=2), random_value("b", seed=1)}) == 3


def test_words():
    for text, words in CASES["words"]:
        assert words_of(text) == words, text


@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_as_character_by_character(text):
    assert words_of(text) == cleaned(text, ())


@given(st.text())
def test_cleaning_again_changes_nothing(text):
    words = words_of(text)
    assert words_of(" ".join(words)) == words
    assert [*words, "é"] == words_of(text + " é")  # ASCII is cleaned as other text is


def test_stop_words_are_cleaned_as_the_text_is_and_left_out_every_time():
    assert Cleaner({"the", "of"})("The end of the end") == ["end", "end"]
    assert Cleaner(["Don't", "Well-Known"])("don't do well-known dont work") == ["do", "work"]
    assert Cleaner(())("The end") == ["the", "end"]


def test_the_default_list():
    words = default_stop_words()
    assert len(words) == 1300
    assert {"the", "of", "said", "would", "nt", "wo"} <= words
    assert not {"earthquake", "police", "kathmandu"} & words
    assert Cleaner(words)("It isn't what they don't, wo n't or can't do 's") == []
