"""Subsets: nested for one seed, different for others, published datasets with the licence of the whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.manifest import MANIFEST
from gistmill.published.dataset import Dataset
from gistmill.training.cards import manifest_sha256
from gistmill.training.errors import SettingsError
from gistmill.training.experiments.subsets import chosen_ids, write_subset
from tests.training.data.made import publish, rows

IDS = [f"{n:04d}" for n in range(500)]


@pytest.mark.slow
@given(st.integers(0, 9), st.integers(0, 500), st.integers(0, 500), st.randoms())
def test_smaller_subsets_are_parts_of_larger_ones(seed, one, other, random):
    shuffled = random.sample(IDS, len(IDS))
    small, large = chosen_ids(IDS, min(one, other), seed), chosen_ids(shuffled, max(one, other), seed)
    assert small <= large and len(small) == min(one, other) and len(large) == max(one, other)


def test_seeds_choose_different_rows():
    chosen = [frozenset(chosen_ids(IDS, 10, seed)) for seed in range(5)]
    assert len(set(chosen)) == 5


@pytest.fixture
def whole(tmp_path):
    return publish(tmp_path / "whole", {"train": rows(95), "validation": rows(7, 200), "test": rows(9, 300)}, shards=2)


def ids(place, split="train"):
    return [row["id"] for row in Dataset(place).rows(split)]


def test_a_subset_is_a_dataset(whole, tmp_path):
    write_subset(whole, tmp_path / "few", config=None, split="train", rows=10, seed=1)
    few = Dataset(tmp_path / "few")
    assert few.validate() == []
    assert few.splits() == ("train", "validation") and few.num_rows("train") == 10
    assert set(ids(tmp_path / "few")) == chosen_ids(ids(whole), 10, 1)
    assert ids(tmp_path / "few") == sorted(ids(tmp_path / "few"))
    assert ids(tmp_path / "few", "validation") == ids(whole, "validation")
    everything = {row["id"]: row for row in Dataset(whole).rows("train")}
    assert all(row == everything[row["id"]] for row in few.rows("train"))
    for name in ("licence", "attribution", "recipe", "sources", "columns"):
        assert getattr(few.manifest, name) == getattr(Dataset(whole).manifest, name)
    assert few.manifest.configuration["subset"] == {"split": "train", "rows": 10, "seed": 1}


def test_the_same_choice_gives_the_same_bytes(whole, tmp_path):
    for name in ("a", "b"):
        write_subset(whole, tmp_path / name, config="full", split="train", rows=20, seed=2)
    assert manifest_sha256(str(tmp_path / "a")) == manifest_sha256(str(tmp_path / "b"))


def test_what_a_killed_run_has_left_is_replaced(whole, tmp_path):
    left = tmp_path / ".few.part" / "full"
    left.mkdir(parents=True)
    (left / "rest").write_text("x")
    write_subset(whole, tmp_path / "few", config=None, split="validation", rows=3, seed=1)
    assert Dataset(tmp_path / "few").validate() == [] and Dataset(tmp_path / "few").splits() == ("validation",)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rows": 96}, "train has 95 rows, and the subset needs 96"),
        ({"config": "none"}, "no configuration 'none'"),
        ({"split": "dev"}, "no rows in a split 'dev'"),
    ],
)
def test_what_cannot_be_taken_is_said(whole, tmp_path, changes, said):
    with pytest.raises(SettingsError, match=said):
        write_subset(whole, tmp_path / "few", **{"config": None, "split": "train", "rows": 5, "seed": 1, **changes})
    assert not (tmp_path / "few").exists()


def test_the_manifest_is_written_last(whole, tmp_path):
    write_subset(whole, tmp_path / "few", config=None, split="train", rows=5, seed=1)
    content = json.loads((tmp_path / "few" / MANIFEST).read_text(encoding="utf-8"))
    assert {f["path"] for f in content["files"]} == {
        p.relative_to(tmp_path / "few").as_posix() for p in (tmp_path / "few").rglob("*.parquet")
    }
