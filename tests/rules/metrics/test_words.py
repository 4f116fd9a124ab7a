"""Equal words: found as a dictionary finds them, within a group only, also where all of them collide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.metrics import ngrams
from gistmill.rules.metrics.ngrams import find_words

WORDS = ["a", "b", "A", "a\0", "é", "日本", "x" * 8, "x" * 15, "x" * 16, "y" + "x" * 15, "x" * 40, "\ud800"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=6).map(" \t".join)


@pytest.fixture(params=["spread", "colliding"], scope="module")
def mixing(request):
    """As it is, and with one place for all words of all groups."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "colliding":
            patch.setattr(ngrams, "_MIX", np.zeros(3, np.uint64))
        yield


@given(groups=st.lists(st.lists(TEXT, min_size=1, max_size=3), min_size=1, max_size=4))
def test_words_are_equal_within_their_group(mixing, groups):
    texts = [text for group in groups for text in group]
    found = find_words("".join(f"{text}\n" for text in texts), np.array([len(group) for group in groups]))
    assert found.sizes.tolist() == [len(text.split()) for text in texts]
    every = [(number, word) for number, group in enumerate(groups) for text in group for word in text.split()]
    assert [every[place] for place in found.same] == every
    assert len(set(found.same.tolist())) == len(set(every))


def test_all_white_space_divides():
    spaces = "".join(chr(c) for c in range(0x110000) if chr(c).isspace() and chr(c) != "\n")
    assert find_words("".join(f"a{space}" for space in spaces) + "\n", np.array([1])).sizes.tolist() == [len(spaces)]


def test_bytes_that_stand_alone():
    found = find_words("a.b..\n.\n", np.array([2]), lambda data: data == ord("."))
    assert found.sizes.tolist() == [5, 1]
    assert len(set(found.same.tolist())) == 3
