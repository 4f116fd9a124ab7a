"""The rows that the recipe makes of ranked pairs, and its options."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Origin
from gistmill.core.statistics import Column, ConfigSchema, group_counts
from gistmill.rules.curriculum.recipe import (
    ALL,
    MEASURES,
    Curriculum,
    CurriculumConfig,
    CurriculumReason,
    Place,
    RankedPair,
    bucket_of,
    buckets_for,
    chance,
    operation_counts,
    stratified_chance,
)
from gistmill.rules.curriculum.scores import ORDERS

READ = ConfigSchema(
    name="full",
    columns=(
        Column("inputs", "string", ""),
        Column("targets", "string", ""),
        Column("kind", "string", ""),
        Column("lead", "float64", ""),
        Column("complexity", "string", "an older one"),
    ),
)
MEASURED = {"deletions": 5, "additions": 1, "reorderings": 3, "substitutions": 0, "complexity": 1.5, "input_words": 9}


def pair(*samples):
    values = {"id": "a", "inputs": "x", "targets": "y", "kind": "k", "lead": 0.5, "complexity": "old"}
    places = {
        sample: {order: Place(4 + n + at, n) for n, order in enumerate(ORDERS)} for at, sample in enumerate(samples)
    }
    return RankedPair(Origin("a", "pairs"), "x", "y", values, "train", {**MEASURED, "reduction": 40.0}, places)


def recipe(**options):
    made = Curriculum(CurriculumConfig(**options))
    made.take_schema(READ)
    return made


def test_a_row_has_the_columns_of_the_input_and_the_new_ones():
    made = recipe()
    (config,) = made.schema.configs
    (row,) = made.process(pair(ALL)).rows
    assert (config.name, row.config, row.id) == ("full", "full", "a")
    assert set(row.values) == {c.name for c in config.columns}
    assert row.values["complexity"] == 1.5 and row.values["kind"] == "k"  # a column of the same name is replaced
    assert (row.values["rank_length"], row.values["bucket_length"]) == (4, 0)
    assert (row.values["rank_complexity"], row.values["bucket_complexity"]) == (6, 2)
    assert [c.name for c in config.columns if c.name == "complexity"] == ["complexity"]
    assert {c.name for c in MEASURES} <= set(row.values)


def test_each_sample_is_a_configuration():
    made = recipe(sample="10,1000,100", subsets=2)
    names = [config.name for config in made.schema.configs]
    assert names == [f"sample-{rows}-seed-{seed}" for seed in (1, 2) for rows in (1000, 100, 10)]
    outcome = made.process(pair("sample-1000-seed-2", "sample-100-seed-2"))
    assert [row.config for row in outcome.rows] == ["sample-100-seed-2", "sample-1000-seed-2"]
    assert [row.values["rank_length"] for row in outcome.rows] == [5, 4]


def test_a_pair_in_no_sample_is_rejected():
    outcome = recipe(sample=10).process(pair())
    assert outcome.rows == () and outcome.refused.reason is CurriculumReason.NOT_SAMPLED


def test_samples_are_stratified_by_columns_of_names():
    for wrong in ["lead", "nothing"]:
        recipe(sample=10, sample_by="kind")
        with pytest.raises(ValueError, match=rf"--sample-by {wrong}: .* the columns id, inputs, targets, kind"):
            recipe(sample=10, sample_by=wrong)


def test_the_figure_has_means_and_deviations_beside_those_of_the_paper():
    found = {}
    for deletions in (1, 2, 6):
        for key, number in operation_counts(["full"], "train", {**MEASURED, "deletions": deletions}).items():
            found[key] = found.get(key, 0) + number
    (figure,) = Curriculum.figures(group_counts(found))
    paper, mine = figure.rows
    assert paper[:5] == ("LATS, Table 5", "train", 1000, 287.2, 156.54)
    assert mine == ("full", "train", 3, 3.0, 2.6458, 3.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    (figure,) = Curriculum.figures(group_counts(operation_counts(["full"], "test", MEASURED)))
    assert figure.rows[1][:5] == ("full", "test", 1, 5.0, None)
    assert Curriculum.figures({}) == []


# Buckets: equal sizes, the easiest rows first.


@given(st.integers(1, 3000), st.integers(1, 40) | st.none())
def test_buckets_have_equal_sizes_and_keep_the_order(rows, wanted):
    buckets = buckets_for(rows, wanted)
    found = [bucket_of(rank, rows, buckets) for rank in range(rows)]
    assert found == sorted(found)
    sizes = Counter(found)
    assert set(sizes) == set(range(buckets))
    assert max(sizes.values()) - min(sizes.values()) <= 1


def test_the_usual_number_of_buckets_is_that_of_the_paper():
    for rows, buckets in [(1, 1), (2, 2), (10, 2), (99, 2), (100, 5), (999, 5), (1000, 10), (10**6, 10)]:
        assert buckets_for(rows) == buckets, rows
    assert buckets_for(3, 5) == 3 and buckets_for(5, 5) == 5 and buckets_for(1000, 7) == 7


# The orders by chance that samples are drawn from.


def test_seeds_give_different_orders():
    ids = [f"row-{n}" for n in range(200)]
    one, other = (sorted(ids, key=lambda i: chance(seed, i)) for seed in (1, 2))
    assert one != other and len(set(one[:20]) & set(other[:20])) < 10
    first = {min("abcd", key=lambda s: stratified_chance(seed, s, 0, 10)) for seed in range(40)}
    assert first == set("abcd")  # the stratum of the first row


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.integers(0, 5), st.data())
def test_a_beginning_has_the_same_share_of_every_stratum(sizes, seed, data):
    order = sorted(
        (stratified_chance(seed, f"s{place}", rank, rows), place)
        for place, rows in enumerate(sizes)
        for rank in range(rows)
    )
    assert all(0 <= value < 1 for value, _ in order)
    end = data.draw(st.integers(0, len(order)))
    share = order[end][0] if end < len(order) else 1.0
    for place, rows in enumerate(sizes):
        assert abs(sum(p == place for _, p in order[:end]) - share * rows) <= 1 + 1e-9
