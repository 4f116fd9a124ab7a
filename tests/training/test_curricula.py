"""Curricula, and trainings that follow each other: which rows are learned when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.curriculum.recipe import bucket_of, buckets_for
from gistmill.training.config import CurriculumConfig
from gistmill.training.curricula import phases, split_held_out
from gistmill.training.data.config import DataConfig
from gistmill.training.errors import SettingsError
from gistmill.training.machine import Machine
from tests.training.made import copies, copy_task, metrics, outcome, publish, ran, tiny


def bucketed(folder, sizes=(30, 20, 10)):
    """Rows whose bucket is not their order."""
    rows = copies(sum(sizes))
    numbers = [bucket for bucket, size in enumerate(sizes) for _ in range(size)]
    found = [{**row, "bucket": numbers[-1 - n]} for n, row in enumerate(rows)]
    return publish(folder, {"train": found, "validation": found[:5]})


def made(place, **options):
    data = DataConfig(datasets=(place,), batch_rows=4, seed=3)
    machine = Machine(device="cpu", precision=None)
    return phases(data, CurriculumConfig(**options), ("inputs",), lambda row: 1, machine)


def epoch(phase):
    """The ids of the rows of an epoch."""
    found, batches = [], iter(phase.stream)
    while phase.stream.epoch == 0:
        found += [row["id"] for row in next(batches)]
    return found


def test_one_pass_learns_a_bucket_at_a_time(tmp_path):
    parts = made(bucketed(tmp_path), curriculum="one-pass")
    learned = [set(epoch(part)) for part in parts]
    held_out = [{row["id"] for row in part.held_out} for part in parts]
    assert [len(ids) for ids in learned] == [27, 18, 9] and [len(ids) for ids in held_out] == [3, 2, 1]
    everything = [*learned, *held_out]
    assert len(set.union(*everything)) == sum(map(len, everything)) == 60
    assert max(map(int, learned[2])) < 10  # the last rows are in the first bucket


def test_baby_steps_keeps_the_buckets_that_were_learned(tmp_path):
    parts = made(bucketed(tmp_path), curriculum="baby-steps")
    learned = [set(epoch(part)) for part in parts]
    assert [len(ids) for ids in learned] == [27, 45, 54] and learned[0] < learned[1] < learned[2]
    assert [len(part.held_out) for part in parts] == [3, 5, 6]
    assert not learned[2] & {row["id"] for row in parts[2].held_out}
    once = made(bucketed(tmp_path / "b"), curriculum="one-pass")
    assert {r["id"] for part in once for r in part.held_out} == {r["id"] for r in parts[2].held_out}


@pytest.mark.parametrize("curriculum", ["one-pass", "baby-steps"])
def test_buckets_of_ranks_are_learned_from_easy_to_hard(tmp_path, curriculum):
    """Columns as `gistmill curriculum` makes them, of rows that are sorted by id."""
    rows = [{**row, "complexity": 0.11 * len(row["inputs"])} for row in copies(120)]
    ranks = {id: n for n, (_, id) in enumerate(sorted((row["complexity"], row["id"]) for row in rows))}
    buckets = buckets_for(len(rows))
    found = [{**row, "bucket_complexity": bucket_of(ranks[row["id"]], len(rows), buckets)} for row in rows]
    parts = made(publish(tmp_path, {"train": found}), curriculum=curriculum, bucket_column="bucket_complexity")
    assert [part.name for part in parts] == [f"bucket {n}" for n in range(5)]
    complexity = {row["id"]: row["complexity"] for row in rows}
    seen: set[str] = set()
    hardest = 0.0
    for part in parts:
        ids = {*epoch(part), *(row["id"] for row in part.held_out)}
        assert seen < ids if curriculum == "baby-steps" else not seen & ids
        assert len(fresh := ids - seen) == 24
        assert hardest <= min(complexity[id] for id in fresh)
        hardest, seen = max(complexity[id] for id in fresh), seen | ids


@given(st.integers(2, 60), st.floats(0.01, 0.99), st.integers(0, 3))
def test_the_hold_out_is_a_part_of_the_rows(count, share, seed):
    rows = [{"id": str(n)} for n in range(count)]
    kept, out = split_held_out(rows, share, seed)
    assert kept and out and sorted(r["id"] for r in [*kept, *out]) == sorted(r["id"] for r in rows)
    assert abs(len(out) - share * count) <= 1
    assert split_held_out(rows[::-1], share, seed) == (kept[::-1], out[::-1])


def test_buckets_are_whole_numbers_and_have_two_rows(tmp_path):
    for wrong in "easy", 1.5:
        place = publish(tmp_path / str(wrong), {"train": [{**row, "bucket": wrong} for row in copies(5)]})
        with pytest.raises(SettingsError, match=f"bucket must contain whole numbers, not {wrong!r}"):
            made(place, curriculum="one-pass")
    with pytest.raises(SettingsError, match="at least two rows"):
        split_held_out([{"id": "a"}], 0.1, 0)


def test_the_next_bucket_begins_when_the_hold_out_is_not_better(tmp_path):
    place, output = bucketed(tmp_path / "data"), tmp_path / "run"
    options = {"curriculum": "one-pass", "bucket_patience": 2, "bucket_epochs": 6, "steps": None}
    options |= {"schedule": "constant"}
    for folder in (output, tmp_path / "again"):
        done = ran(tiny(place, folder, **options, log_every=1))
        assert done.returncode == 0, done.stderr
    assert outcome(output) == outcome(tmp_path / "again")
    found = [(line["phase"], line["held_out_accuracy"]) for line in metrics(output) if "held_out_accuracy" in line]
    for phase in range(3):
        accuracies = [accuracy for number, accuracy in found if number == phase]
        stale, best = 0, -1.0
        for number, accuracy in enumerate(accuracies, 1):
            stale, best = (0, accuracy) if accuracy > best else (stale + 1, best)
            assert (stale == 2 or number == 6) is (number == len(accuracies))


def test_a_training_goes_on_with_the_model_of_another(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    place = publish(tmp_path / "b", {"train": copies(40, 5), "validation": copies(5)})
    assert ran(tiny(copy_task(tmp_path / "a", 60), first, steps=4)).returncode == 0
    done = ran(tiny(place, second, model=first / "model", steps=3, learning_rate=1e-4))
    assert done.returncode == 0, done.stderr
    begun = second / "checkpoints" / "step-000000000" / "model"
    for name in ("model.safetensors", "tokenizer.json"):
        assert (begun / name).read_bytes() == (first / "model" / name).read_bytes()
    changed = (second / "model" / "model.safetensors").read_bytes()
    assert changed != (begun / "model.safetensors").read_bytes()
