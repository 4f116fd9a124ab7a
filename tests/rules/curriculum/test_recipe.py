"""The rows that the recipe makes of ranked pairs, and its options."""

import pytest

from gistmill.core.options import OptionError
from gistmill.core.records import Origin
from gistmill.core.statistics import Column, ConfigSchema, group_counts
from gistmill.rules.curriculum.ranked import ALL, Place, RankedPair, counts, figures
from gistmill.rules.curriculum.recipe import MEASURES, Curriculum, CurriculumConfig, CurriculumReason
from gistmill.rules.curriculum.scores import ORDERS
from tests.cases import by_heading

CASES = by_heading(__file__)

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


def test_options_that_mean_nothing_are_errors():
    for options, message in CASES["options that mean nothing are errors"]:
        with pytest.raises(OptionError, match=message):
            CurriculumConfig(**options)


def test_samples_are_stratified_by_columns_of_names():
    for wrong in ["lead", "nothing"]:
        recipe(sample=10, sample_by="kind")
        with pytest.raises(ValueError, match=rf"--sample-by {wrong}: .* only id, inputs, targets, kind"):
            recipe(sample=10, sample_by=wrong)


def test_the_figure_has_means_and_deviations_beside_those_of_the_paper():
    found = {}
    for deletions in (1, 2, 6):
        for key, number in counts(["full"], "train", {**MEASURED, "deletions": deletions}).items():
            found[key] = found.get(key, 0) + number
    (figure,) = figures(group_counts(found))
    paper, mine = figure.rows
    assert paper[:5] == ("LATS, Table 5", "train", 1000, 287.2, 156.54)
    assert mine == ("full", "train", 3, 3.0, 2.6458, 3.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    (figure,) = figures(group_counts(counts(["full"], "test", MEASURED)))
    assert figure.rows[1][:5] == ("full", "test", 1, 5.0, None)
    assert figures({}) == []
