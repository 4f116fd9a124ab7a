"""Sketches: what is the same, how alike two texts are, and whether bands find what they promise."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.rules.duplicates import MAX_SHINGLES, PERMUTATIONS, bands_for, jaccard, signature, sketch

BANDS = bands_for(0.8)


def text(seed, length=300):
    chosen = random.Random(seed)
    return " ".join(f"w{chosen.randrange(5000)}" for _ in range(length))


def shingle_set(text):
    found = text.split()
    return {tuple(found[i : i + 5]) for i in range(len(found) - 4)} or {tuple(found)}


@given(st.text(max_size=200))
def test_the_same_words_are_the_same_document(plain):
    one, other = sketch(plain, BANDS), sketch(f"  {plain.upper().lower()}!\n", BANDS)
    if plain.upper().lower() == plain.lower():
        assert one.exact == other.exact
        assert one.bands.tolist() == other.bands.tolist()
        assert jaccard(one.shingles, other.shingles) == 1.0


@settings(deadline=None)
@given(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60),
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60),
)
def test_similarity_is_that_of_the_shingles(one, other):
    one, other = " ".join(one), " ".join(other)
    a, b = shingle_set(one), shingle_set(other)
    assert jaccard(sketch(one, BANDS).shingles, sketch(other, BANDS).shingles) == len(a & b) / len(a | b)


def test_a_short_document_is_near_only_what_is_equal():
    assert jaccard(sketch("One two three.", BANDS).shingles, sketch("one two three", BANDS).shingles) == 1.0
    assert jaccard(sketch("One two three.", BANDS).shingles, sketch("one two four", BANDS).shingles) == 0.0
    assert sketch("", BANDS).exact == sketch("?!", BANDS).exact != sketch("a", BANDS).exact


def test_long_documents_are_compared_by_a_part_of_their_shingles():
    found = text(1, 30_000).split()
    edited = found[:26_000] + text(2, 4_000).split()
    one, other = sketch(" ".join(found), BANDS), sketch(" ".join(edited), BANDS)
    assert len(one.shingles) == MAX_SHINGLES
    exact = len(shingle_set(" ".join(found)) & shingle_set(" ".join(edited))) / len(
        shingle_set(" ".join(found)) | shingle_set(" ".join(edited))
    )
    assert jaccard(one.shingles, other.shingles) == pytest.approx(exact, abs=0.025)
    assert jaccard(one.shingles, sketch(text(3), BANDS).shingles) == 0.0


def test_signatures_estimate_the_similarity():
    for similarity in [0.5, 0.8, 0.9]:
        numbers = np.random.default_rng(5)
        size, errors = 400, []
        for _ in range(200):
            grams = numbers.integers(0, 2**63, 2 * size, dtype=np.uint64)
            both, half = int(similarity * size), (size - int(similarity * size)) // 2
            one, other = grams[: both + half], np.concatenate((grams[:both], grams[both + half : size]))
            errors.append((signature(one) == signature(other)).mean() - both / size)
        expected = (similarity * (1 - similarity) / PERMUTATIONS) ** 0.5
        assert abs(np.mean(errors)) < 4 * expected / len(errors) ** 0.5, similarity
        assert 0.8 * expected < np.std(errors) < 1.25 * expected, similarity


def test_bands_find_pairs_at_the_threshold():
    for threshold in [0.3, 0.5, 0.7, 0.8, 0.9, 1.0]:
        bands = bands_for(threshold)
        assert bands.count * bands.rows <= PERMUTATIONS, threshold
        assert 1 - (1 - threshold**bands.rows) ** bands.count >= 0.999, threshold


def test_thresholds_out_of_range():
    for threshold in [0, -0.1, 1.1]:
        with pytest.raises(ValueError, match="similarity threshold"):
            bands_for(threshold)


def test_exact_mode_makes_no_shingles():
    assert not len(sketch("a b c d e f", None).shingles) and not len(sketch("a b c d e f", None).bands)
