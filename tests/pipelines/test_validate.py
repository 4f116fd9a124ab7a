"""`gistmill validate`, and `--rows`, whose numbers a dataset has everywhere."""

import shutil

import pytest

from gistmill.published.dataset import Dataset
from tests.commands import call, data_checksums, make, manifest, succeed


@pytest.fixture
def dataset(fusion, tmp_path):
    return shutil.copytree(fusion, tmp_path / "data")


def problems(dataset):
    done = call("validate", dataset)
    assert done.returncode == (1 if done.stderr else 0)
    return done.stderr.splitlines()


ROWS_JOB = "synthetic --tasks ensemble,sr --workers 1 --documents 150 --splits 60,20,20"


def ids(dataset, split, config):
    return [row["id"] for row in dataset.rows(split, config, ["id"])]


@pytest.mark.slow
def test_each_configuration_keeps_as_many_rows_as_asked_for_and_tells_of_the_others(tmp_path):
    make(f"{ROWS_JOB} --output {tmp_path}/all")
    folder = tmp_path / "some"
    # in a process of its own, whose log goes to standard error
    done = succeed(*f"{ROWS_JOB} --output {folder} --rows 40,9999,0".split())
    whole, dataset, counts = Dataset(tmp_path / "all"), Dataset(folder), manifest(folder)["counts"]
    assert problems(folder) == []
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
    make(f"{ROWS_JOB} --output {tmp_path}/less --rows 15,9999,0")
    for config in ("ensemble", "sr"):
        less, more = (ids(Dataset(place), "train", config) for place in (tmp_path / "less", folder))
        assert len(less) == 15 and set(less) < set(more)
    make(f"{ROWS_JOB} --output {tmp_path}/same --rows 40,9999,0 --workers 2")
    assert data_checksums(tmp_path / "same") == data_checksums(folder)
