import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.codec import CODES, Codec, Labels, TooLongError, target, word_codes
from gistmill.rules.fusion.edits import DELETE, KEEP, Edits

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


def test_codes_tell_capitals_repetition_and_the_common_beginning():
    first, second = word_codes(FIRST, SECOND)
    anna, lee, met, bob, _ = first
    assert first[:2] == second[:2] and anna == lee
    assert len({anna, met, bob, second[3]}) == 4
    _, other = word_codes(FIRST, ["Yesterday", *SECOND])
    assert other[1] != second[0]  # repeated, but the sentences do not begin with it
    once, _ = word_codes(["Lee"], ["Mr", "Lee"])
    assert once[0] != word_codes(["Lee", "met"], ["Mr", "Lee", "met"])[0][0]  # a longer run is repeated


def test_a_word_gives_a_limited_number_of_pieces():
    assert len(codec().encode(["x" * 1000], ["y"]).ids) == 3 + 12 + 1


def test_sentences_that_are_too_long_are_refused():
    assert len(codec(longest=7).encode(["ab", "."], ["c"]).ids) == 7
    with pytest.raises(TooLongError, match="7 word pieces; the encoder reads 6"):
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


def test_arrays_are_whole_numbers():
    found = codec().encode(FIRST, SECOND)
    assert all(a.dtype == np.int64 for a in (found.ids, found.types, found.codes, found.places))
