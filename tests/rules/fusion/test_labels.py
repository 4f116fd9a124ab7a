import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.codec import (
    CODES,
    SHAPES,
    Codec,
    Heads,
    Labels,
    LabelsError,
    TooLongError,
    fit_labels,
    joins,
    plan_of,
    target,
    word_codes,
)
from gistmill.rules.fusion.edits import DELETE, KEEP, LOWER, UPPER, Edits
from tests.cases import by_heading
from tests.rules.fusion.tagging import blank_heads

CASES = by_heading(__file__)

LABELS = Labels(("PAIR_CONN", "PAIR_NONE"), (KEEP, DELETE, "REPLACE:he"), ("", ", but"))


def edits(operations, phrases):
    return Edits(None, tuple(operations), tuple(phrases))


def test_a_plan_is_a_type_without_what_it_says_of_anaphora():
    for discourse_type, plan in CASES["a plan is a type without what it says of anaphora"]:
        assert plan_of(discourse_type) == plan, discourse_type
    assert joins("SINGLE_RELATIVE") and not joins("PAIR_CONN")


def test_labels_survive_json():
    assert Labels.from_values(json.loads(json.dumps(LABELS.to_values()))) == LABELS


def test_bad_labels_are_refused():
    for values, message in CASES["bad labels are refused"]:
        with pytest.raises(LabelsError, match=message):
            Labels.from_values(values)


def test_covered_edits_have_only_known_labels():
    assert LABELS.covers(edits([KEEP, "REPLACE:he"], ["", ", but", ""]))
    assert not LABELS.covers(edits([KEEP, "REPLACE:she"], ["", ", but", ""]))
    assert not LABELS.covers(edits([KEEP, KEEP], ["", ", and", ""]))


def test_fitted_phrases_are_those_that_most_rows_need():
    rows = [
        edits([KEEP, KEEP], ["so", "so", "so"]),  # three times, but in one row
        edits([KEEP, "REPLACE:it"], ["", "and", ""]),
        edits([DELETE, "REPLACE:it"], ["", "and", "but"]),
        edits([KEEP, "REPLACE:he"], ["", "", "but"]),
        edits([KEEP, KEEP], ["", "and", ""]),
    ]
    rows = [("SINGLE_S_COORD", edits) for edits in rows]
    fitted = fit_labels(iter(rows))
    assert fitted.phrases == ("", "and", "but")
    assert fitted.operations == (KEEP, DELETE, LOWER, UPPER, "REPLACE:it")
    assert fitted.plans == ("PAIR_NONE", "SINGLE_S_COORD")
    assert fit_labels(rows, most_phrases=1).phrases == ("", "and")
    assert "so" in fit_labels(rows, least_rows=1).phrases


FEW_LABELS = Labels(("PAIR_NONE", "SINGLE_S_COORD"), (KEEP, DELETE), ("", "and", "but"))


def random_heads(seed=0):
    draw = np.random.default_rng(seed)
    return {name: draw.normal(size=array.shape).astype(np.float32) for name, array in blank_heads(FEW_LABELS).items()}


def test_all_outputs_are_log_probabilities():
    heads = Heads(FEW_LABELS, random_heads())
    states = np.random.default_rng(1).normal(size=(7 + 2, 8)).astype(np.float32)
    operations, phrases = heads.tags(states, 1, True)
    outputs = [heads.plans(states, 4), heads.moves(states, 4, 0), operations, phrases]
    assert [o.shape for o in outputs] == [(2,), (5,), (7, 2), (8, 3)]
    for output in outputs:
        assert np.allclose(np.exp(output).sum(axis=-1), 1, atol=1e-5) and output.dtype == np.float32


def test_tags_depend_on_the_plan_and_on_whether_something_moves():
    heads = Heads(FEW_LABELS, random_heads())
    states = np.random.default_rng(1).normal(size=(6, 8)).astype(np.float32)
    first = heads.tags(states, 0, False)[0]
    assert not np.allclose(first, heads.tags(states, 1, False)[0])
    assert not np.allclose(first, heads.tags(states, 0, True)[0])
    assert not np.allclose(heads.moves(states, 2, 0), heads.moves(states, 2, 1))


def test_arrays_of_half_precision_are_read_and_one_that_is_missing_or_of_another_shape_is_named():
    assert Heads(FEW_LABELS, {name: array.astype(np.float16) for name, array in random_heads().items()}).width == 8
    for name in SHAPES:
        arrays = random_heads()
        del arrays[name]
        with pytest.raises(LabelsError, match=f"the array {name} is missing"):
            Heads(FEW_LABELS, arrays)
    for name, shape in CASES["an array of another shape is named"]:
        arrays = {**random_heads(), name: np.zeros(shape, np.float32)}
        with pytest.raises(LabelsError, match=f"the array {name} has the shape"):
            Heads(FEW_LABELS, arrays)


FIRST, SECOND = "Anna Lee met Bob .".split(), "Anna Lee liked UNESCO .".split()
WORDS = st.lists(st.text("aAbBcC", min_size=1, max_size=5), min_size=1, max_size=12)


def letters(word):
    return [ord(c) for c in word]


def codec(**options):
    return Codec(letters, opening=1, separator=2, **options)


def test_sentences_stand_between_special_pieces():
    found = codec().encode(["ab", "."], ["c"])
    assert found.ids.tolist() == [1, *letters("ab."), 2, *letters("c"), 2]
    assert found.types.tolist() == [0, 0, 0, 0, 0, 1, 1]
    assert found.places.tolist() == [0, 1, 3, 5, 6]  # [CLS], ab, ., c, the end


@given(WORDS, WORDS)
def test_every_word_has_its_place_and_every_piece_a_code(first, second):
    found = codec().encode(first, second)
    assert len(found.places) == len(first) + len(second) + 2
    assert [chr(found.ids[k]) for k in found.places[1:-1]] == [w[0] for w in first + second]
    assert len(found.ids) == len(found.types) == len(found.codes)
    assert found.codes.min() >= 0 and found.codes.max() < CODES
    assert all(a.dtype == np.int64 for a in (found.ids, found.types, found.codes, found.places))


def test_codes_tell_capitals_repetition_and_the_common_beginning():
    first, second = word_codes(FIRST, SECOND)
    anna, lee, met, bob, _ = first
    assert first[:2] == second[:2] and anna == lee
    assert len({anna, met, bob, second[3]}) == 4
    _, other = word_codes(FIRST, ["Yesterday", *SECOND])
    assert other[1] != second[0]  # repeated, but the sentences do not begin with it
    once, _ = word_codes(["Lee"], ["Mr", "Lee"])
    assert once[0] != word_codes(["Lee", "met"], ["Mr", "Lee", "met"])[0][0]  # a longer run is repeated


def test_a_long_word_gives_few_pieces_and_long_sentences_are_refused():
    assert len(codec().encode(["x" * 1000], ["y"]).ids) == 3 + 12 + 1
    assert len(codec(longest=7).encode(["ab", "."], ["c"]).ids) == 7
    with pytest.raises(TooLongError, match="7 word pieces; the encoder's limit is 6"):
        codec(longest=6).encode(["ab", "."], ["c"])


def test_edits_become_the_numbers_of_their_labels():
    labels = Labels(("PAIR_NONE", "SINGLE_S_COORD"), (KEEP, DELETE), ("", ", but"))
    found = target(labels, "SINGLE_S_COORD", Edits(0, (KEEP, DELETE, KEEP), ("", "", ", but", "")))
    assert (found.plan, found.move) == (1, 1)
    assert found.operations.tolist() == [0, 1, 0] and found.phrases.tolist() == [0, 0, 1, 0]
    assert target(labels, "PAIR_NONE", Edits(None, (KEEP,), ("", ""))).move == 0
    for plan, edits in [
        ("SINGLE_RELATIVE", Edits(None, (KEEP,), ("", ""))),
        ("PAIR_NONE", Edits(None, ("UPPER",), ("", ""))),
        ("PAIR_NONE", Edits(None, (KEEP,), ("", "which"))),
    ]:
        with pytest.raises(ValueError):
            target(labels, plan, edits)
