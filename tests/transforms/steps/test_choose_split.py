from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmill.core.statistics import SPLITS
from gistmill.transforms.steps.recipe import SplitConfig, choose_split

shares = st.tuples(*[st.floats(0, 100)] * 3).filter(lambda s: sum(s) > 0)


@given(st.text(max_size=30), shares)
@example("", (0.0, 0.0, 5e-324))  # any point rounds to the last edge
def test_every_document_has_one_split_and_keeps_it(document_id, given_shares):
    config = SplitConfig(splits=given_shares)
    split = choose_split(document_id, config)
    assert split in SPLITS
    assert split == choose_split(document_id, config)
    assert given_shares[SPLITS.index(split)] > 0


def test_shares_are_met():
    counts = Counter(choose_split(f"wikipedia-{i}", SplitConfig()) for i in range(50_000))
    assert abs(counts["train"] / 50_000 - 0.98) < 0.003
    assert abs(counts["validation"] / 50_000 - 0.01) < 0.002


def test_another_salt_gives_another_choice():
    ids = [f"wikipedia-{i}" for i in range(2_000)]
    one, two = (Counter(choose_split(i, SplitConfig(splits=(1, 1, 1), salt=s)) + i for i in ids) for s in "ab")
    assert one != two


@pytest.mark.parametrize("bad", [(0, 0, 0), (98, 1), (98, 3, -1), (1, 1, 1, 1)])
def test_bad_shares_are_refused(bad):
    with pytest.raises(ValueError, match="splits: expected"):
        SplitConfig(splits=bad)
