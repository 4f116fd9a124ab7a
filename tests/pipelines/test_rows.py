"""``--rows`` by the real command: exact numbers, nested, the same with two workers, and told of everywhere."""

from __future__ import annotations

import pytest

from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import OutputConfig, configure
from gistmill.published.dataset import Dataset
from gistmill.rules.recipes import RECIPES
from tests.commands import data_checksums, gistmill, manifest, succeed

JOB = ("synthetic", "--tasks", "ensemble,sr", "--documents", "150", "--splits", "60,20,20")


def made(folder, *options):
    return succeed(*JOB, *options, "--output", folder, "--overwrite")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "all"
    made(folder)
    return Dataset(folder)


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    folder = tmp_path_factory.mktemp("some") / "rows"
    return folder, made(folder, "--rows", "40,9999,0")


def ids(dataset, split, config):
    return [row["id"] for row in dataset.rows(split, config, ["id"])]


@pytest.mark.slow
def test_each_configuration_keeps_as_many_rows_as_asked_for_and_tells_of_the_others(whole, some):
    folder, done = some
    dataset, counts = Dataset(folder), manifest(folder)["counts"]
    assert gistmill("validate", folder).returncode == 0
    for config in ("ensemble", "sr"):
        of_all = {split: ids(whole, split, config) for split in ("train", "validation", "test")}
        kept = ids(dataset, "train", config)
        assert len(kept) == dataset.num_rows("train", config) == 40 and set(kept) < set(of_all["train"])
        assert dataset.splits(config) == ("train", "validation")
        assert list(dataset.rows("validation", config)) == list(whole.rows("validation", config))
        assert counts[f"rows/{config}"] == {"train": 40, "validation": len(of_all["validation"])}
        left_out = {"train": len(of_all["train"]) - 40, "test": len(of_all["test"])}
        assert counts[f"rows_left_out/{config}"] == left_out
        line = f"rows of {config}/validation: {len(of_all['validation'])}, fewer than the 9,999 of --rows"
        assert done.stderr.count(line) == 1
        card = (folder / "README.md").read_text(encoding="utf-8")
        told = f"`--rows` left out, by hashes of their ids: {left_out['train']} of train, {left_out['test']} of test."
        assert f"Rows of `{config}` that {told}" in card
    assert "train: " not in done.stderr.replace("/validation", "")
    assert f"{sum(sum(g.values()) for k, g in counts.items() if 'left_out' in k)} rows left out" in done.stdout
    assert "that <code>--rows</code> left out" in (folder / "report.html").read_text(encoding="utf-8")
    assert manifest(folder)["configuration"]["rows"] == [40, 9999, 0]


@pytest.mark.slow
def test_a_smaller_number_keeps_a_part_with_two_workers_as_with_one(some, tmp_path):
    folder, _ = some
    made(tmp_path / "less", "--rows", "15,9999,0", "--workers", "2")
    for config in ("ensemble", "sr"):
        less, more = (ids(Dataset(place), "train", config) for place in (tmp_path / "less", folder))
        assert len(less) == 15 and set(less) < set(more)
    made(tmp_path / "same", "--rows", "40,9999,0", "--workers", "2")
    assert data_checksums(tmp_path / "same") == data_checksums(folder)


@pytest.mark.parametrize(
    ("rows", "said"),
    [("-1", "at least 0"), ("40,x", "at least 0"), ("1,2,3,4", "at most 3 numbers"), ("", "at least 0")],
)
def test_numbers_that_cannot_be_are_told_of(rows, said):
    with pytest.raises(ConfigError, match=f"rows: expected .*{said}"):
        configure(RECIPES["gap-sentences"], {"input": "a", "output": "b", "rows": rows})


def test_every_job_has_the_option():
    for recipe in RECIPES.values():
        config = configure(recipe, {"rows": "400000,10000"}, complete=False)
        assert config.of(OutputConfig).rows == (400000, 10000)
