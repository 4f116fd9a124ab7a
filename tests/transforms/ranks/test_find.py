"""Ranks are those of a plain sort, whatever is in memory and however pairs are dealt out."""

import dataclasses
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.curriculum.recipe import CurriculumConfig
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.find import RangeRanks, deal, slices, slices_of, sort
from gistmill.transforms.ranks.scores import MOST_STRATA, SLICE_ROWS, SampleError, ScoreFile, plan_rankings
from tests.transforms.ranks.made import (
    drawn,
    key_of,
    pairs,
    places,
    plain_places,
    rank_files,
    ranked,
    scored,
)

TINY = {"rows": 20, "slice_rows": 16}


@pytest.mark.parametrize(
    ("ranges", "sizes", "few"), [(1, None, 5), (7, None, 5), (1, TINY, 5), (7, TINY, 5), (7, TINY, 1), (7, TINY, 1000)]
)
def test_ranks_are_those_of_a_plain_sort(tmp_path, monkeypatch, ranges, sizes, few):
    monkeypatch.setattr("gistmill.transforms.ranks.scores.PROBED", 3)  # small slices have to be told apart
    known = pairs(150, few=few)
    assert places(ranked(tmp_path, known, ranges=ranges, sizes=sizes, seed=5)) == plain_places(known, 5)


def test_measures_come_back_as_they_were(tmp_path):
    known = pairs(20)
    for pair, one in zip(ranked(tmp_path, known), known, strict=True):
        assert pair.measures["complexity"] == one.measures.complexity
        assert pair.measures["reduction"] == one.measures.reduction
        assert pair.measures["input_words"] == one.measures.input_words
        assert pair.measures["deletions"] == one.measures.counts.deletions


def test_few_or_no_pairs(tmp_path):
    for count in 0, 1, 2:
        known = [dataclasses.replace(k, pair=dataclasses.replace(k.pair, split="train")) for k in pairs(count)]
        found = ranked(tmp_path / str(count), known, ranges=2, buckets=5)
        assert places(found) == plain_places(known, 1)
        buckets = {place.bucket for pair in found for place in pair.places[""].values()}
        assert buckets == set(range(count))  # no more buckets than rows


def test_samples_are_nested_and_ranked_within_themselves(tmp_path):
    known = pairs(120)
    found = ranked(tmp_path, known, sizes=TINY, sample="10,40", subsets=2, seed=3)
    for seed in (3, 4):
        for rows in (10, 40):
            wanted = plain_places(drawn(known, rows, seed), seed)
            wanted |= plain_places((k for k in known if k.pair.split == "validation"), seed)
            assert places(found, f"sample-{rows}-seed-{seed}") == wanted
        names = [
            {p.id for p in found if p.split == "train" and f"sample-{n}-seed-{seed}" in p.places} for n in (10, 40)
        ]
        assert names[0] < names[1]
    outside = [pair for pair in found if not pair.places]
    assert outside and all(pair.split == "train" for pair in outside)


def test_a_sample_may_be_the_whole_split(tmp_path):
    known = pairs(30)
    train = [k for k in known if k.pair.split == "train"]
    found = ranked(tmp_path, known, sizes=TINY, sample=len(train))
    assert set(places(found, f"sample-{len(train)}-seed-1")) == {k.pair.id for k in known}


def test_a_stratified_sample_has_of_each_stratum_its_share(tmp_path):
    known = pairs(400, strata=("a", "a", "a", "b", "b", "ç"))
    train = Counter(k.stratum for k in known if k.pair.split == "train")
    stratum = {k.pair.id: k.stratum for k in known}
    found = ranked(tmp_path, known, sizes=TINY, sample="12,60", sample_by="kind")
    for rows in (12, 60):
        ids = {p.id for p in found if p.split == "train" and f"sample-{rows}-seed-1" in p.places}
        assert len(ids) == rows
        for name, number in Counter(stratum[i] for i in ids).items():
            assert abs(number - rows * train[name] / train.total()) < 2
    small, large = ({p.id for p in found if f"sample-{n}-seed-1" in p.places} for n in (12, 60))
    assert small < large


def test_a_stratified_sample_is_the_same_however_pairs_are_in_chunks(tmp_path):
    known, drawn_in = pairs(200, strata=("a", "b")), []
    for sizes in None, TINY:
        found = ranked(tmp_path / str(sizes is None), known, ranges=9, sizes=sizes, sample="3", sample_by="kind")
        drawn_in.append(places(found, "sample-3-seed-1"))
    assert drawn_in[0] == drawn_in[1]


def test_within_a_stratum_a_sample_is_drawn_by_chance(tmp_path):
    known = pairs(200, strata=("a", "b"))
    found = ranked(tmp_path, known, sample="20", sample_by="kind", seed=2)
    ids = {p.id for p in found if p.split == "train" and p.places}
    for name in ("a", "b"):
        mine = [k for k in known if k.stratum == name]
        kept = sum(k.pair.id in ids for k in mine)
        assert {k.pair.id for k in drawn(mine, kept, 2)} <= ids


def test_a_sample_larger_than_the_split_is_an_error():
    files = [_file({"train": 9, "test": 100}, {"": 9})]
    with pytest.raises(SampleError, match=r"^--sample 10: the training split contains only 9 pairs$"):
        plan_rankings(files, CurriculumConfig(sample="5,10"), SLICE_ROWS)
    with pytest.raises(SampleError, match="only 0 pairs"):
        plan_rankings([], CurriculumConfig(sample="5"), SLICE_ROWS)


def test_too_many_strata_are_an_error():
    many = {str(number): 1 for number in range(MOST_STRATA + 1)}
    with pytest.raises(SampleError, match=r"--sample-by title: it has 1,001 values; the limit is 1,000"):
        plan_rankings([_file({"train": 1001}, many)], CurriculumConfig(sample="5", sample_by="title"), SLICE_ROWS)


def test_a_range_in_two_files_is_one_range(tmp_path):
    """A bundle may end within a range."""
    known = pairs(30)
    files = scored(tmp_path, known, ranges=2)
    files = [dataclasses.replace(file, range_key="r") for file in files]
    assert rank_files(tmp_path, files[::-1], CurriculumConfig(), {"rows": 5, "slice_rows": 16}) == ["r"]
    of_range = RangeRanks(WorkspaceLayout(str(tmp_path)), "r", None)
    assert places(of_range.ranked(k.pair) for k in known) == plain_places(known, 1)


def test_a_bundle_that_is_repeated_changes_nothing(tmp_path, monkeypatch):
    """Each step is done twice, as after a failure, and the second attempt's files are the ones that count."""
    known = pairs(100)
    once = places(ranked(tmp_path / "once", known, sizes=TINY, sample="30", subsets=2), "sample-30-seed-2")
    for step in (deal, slices, sort):
        monkeypatch.setattr(f"gistmill.transforms.ranks.find.{step.__name__}", _twice(step))
    assert places(ranked(tmp_path / "twice", known, sizes=TINY, sample="30", subsets=2), "sample-30-seed-2") == once


def test_ranks_need_the_ranges_in_no_order(tmp_path):
    known = pairs(60)
    files = scored(tmp_path, known, ranges=5)
    keys = [key_of(number) for number in range(5)]
    assert sorted(rank_files(tmp_path, files[::-1], CurriculumConfig(), TINY)) == keys
    layout = WorkspaceLayout(str(tmp_path))
    found = [RangeRanks(layout, key_of(n), None).ranked(k.pair) for n in range(5) for k in known[12 * n : 12 * n + 12]]
    assert places(found) == plain_places(known, 1)


def _twice(step):
    def done(*arguments, **options):
        list(step(*arguments, **options))
        return list(step(*arguments, **options))

    return done


def _file(splits, strata):
    return ScoreFile(
        range_key="r", table="p", sizes={}, rows=sum(splits.values()), first=0, splits=splits, strata=strata, probes=()
    )


@given(
    st.lists(st.tuples(st.integers(0, 3), st.text(min_size=1, max_size=3)), unique_by=lambda key: key[1]),
    st.lists(st.tuples(st.integers(0, 3), st.text(max_size=3)), max_size=4),
)
def test_a_slice_has_the_keys_between_two_bounds(keys, bounds):
    keys = sorted((float(value), row_id.encode()) for value, row_id in keys)
    bounds = sorted((float(value), row_id) for value, row_id in bounds)
    table = pa.table({"value": [v for v, _ in keys], "id": pa.array([i for _, i in keys], pa.binary())})
    found = list(slices_of(table, bounds))
    assert [key for _, part in found for key in zip(*part.to_pydict().values(), strict=True)] == keys
    for number, part in found:
        for value, row_id in zip(*part.to_pydict().values(), strict=True):
            assert number == sum((bound, end.encode()) <= (value, row_id) for bound, end in bounds)
