"""The laws of the stream."""

import itertools
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gistmill.training.data.source import InMemory, Source
from gistmill.training.data.stream import Batching
from gistmill.training.errors import SettingsError
from tests.training.data.made import epoch, numbers, publish, row, rows, stream, words

BATCHINGS = st.builds(Batching, rows=st.integers(1, 9), pool=st.sampled_from([0, 7, 30])) | st.builds(
    Batching, rows=st.none() | st.integers(1, 9), tokens=st.integers(10, 200), pool=st.sampled_from([7, 30])
)
LAW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A dataset of 157 rows in row groups of 10, in three shards."""
    return publish(tmp_path_factory.mktemp("set"), {"train": rows(157)}, shards=3)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Another one, of 41 rows whose numbers begin at 1,000."""
    return publish(tmp_path_factory.mktemp("set"), {"train": rows(41, 1000)})


@pytest.mark.slow
@LAW
@given(batching=BATCHINGS, world=st.integers(1, 5), shuffle=st.sampled_from([0, 1, 25, 1000]), seed=st.integers(0, 9))
def test_every_row_comes_once_an_epoch(place, batching, world, shuffle, seed):
    found = [
        stream(place, batching=batching, seed=seed, shuffle=shuffle, rank=rank, world=world) for rank in range(world)
    ]
    for number in range(2):
        dealt = [numbers(epoch(one, number)) for one in found]
        assert len({len(batches) for batches in dealt}) == 1
        if (count := found[0].batches_in_epoch()) is not None:
            assert len(dealt[0]) == count
        seen = sorted(itertools.chain.from_iterable(itertools.chain.from_iterable(dealt)))
        assert len(seen) == len(set(seen)) == 157 - 157 % world
        assert set(seen) <= set(range(157))


@pytest.mark.slow
@LAW
@given(batching=BATCHINGS, weights=st.sampled_from([(None, None), (1, 1), (3, 1), (0.2, 0.8)]), data=st.data())
def test_a_restored_stream_goes_on_with_the_same_batches(place, small, batching, weights, data):
    world = data.draw(st.integers(1, 3))
    rank = data.draw(st.integers(0, world - 1))
    sources = [Source(p, weight=weight) for p, weight in zip((place, small), weights)]
    undisturbed = stream(*sources, batching=batching, rank=rank, world=world)
    states, batches, iterator = [undisturbed.state()], [], iter(undisturbed)
    while undisturbed.epoch < 2:
        batches.append(next(iterator))
        states.append(undisturbed.state())
    at = data.draw(st.integers(0, len(batches)))
    resumed = stream(*sources, batching=batching, rank=rank, world=world)
    resumed.restore(json.loads(json.dumps(states[at])))
    assert resumed.state() == states[at] and resumed.epoch == states[at]["epoch"]
    again = list(itertools.islice(resumed, len(batches) - at))
    assert again == batches[at:] and resumed.state() == states[-1]


def test_a_state_at_every_batch(place):
    batching = Batching(rows=3, pool=20)
    undisturbed = stream(place, batching=batching)
    iterator = iter(undisturbed)
    batches, states = [], []
    for _ in range(70):
        states.append(undisturbed.state())
        batches.append(next(iterator))
    for at, state in enumerate(states):
        resumed = stream(place, batching=batching)
        resumed.restore(state)
        assert next(iter(resumed)) == batches[at]


def test_a_state_is_small_and_the_same_in_every_process(place, small):
    sources = [Source(place, weight=1), Source(small, weight=1)]
    found = [stream(*sources, batching=Batching(tokens=100, pool=16), rank=rank, world=2) for rank in range(2)]
    for one in found:
        list(itertools.islice(one, 5))
    assert found[0].state() == found[1].state() and len(json.dumps(found[0].state())) < 1000


@pytest.mark.slow
def test_an_iterator_that_was_left_does_not_disturb_the_next(place):
    whole = numbers(epoch(stream(place), 2))
    found, got = stream(place), []
    while len(got) < len(whole):
        got += itertools.islice(found, 3)
    assert numbers(got)[: len(whole)] == whole


def test_the_order_depends_on_seed_and_epoch_alone(place, tmp_path):
    first = numbers(epoch(stream(place, batching=Batching(rows=1))))
    assert first == numbers(epoch(stream(place, batching=Batching(rows=1))))
    assert sum(numbers(epoch(stream(place, batching=Batching(rows=10)))), []) == sum(first, [])
    ranks = [numbers(epoch(stream(place, batching=Batching(rows=1), rank=rank, world=2))) for rank in range(2)]
    assert (ranks[0] + ranks[1]) == first[:156]
    assert first != numbers(epoch(stream(place, batching=Batching(rows=1), seed=2)))
    both = numbers(epoch(stream(place, batching=Batching(rows=1)), 1))
    assert both[:157] == first and both[157:] != first


def test_the_order_is_the_same_for_ever(place, small):
    """A checkpoint of today is continued by the version of tomorrow."""
    found = stream(Source(place, weight=2), Source(small, weight=1), batching=Batching(rows=6, pool=12))
    assert numbers(list(itertools.islice(found, 3))) == [
        [156, 152, 150, 1029, 145, 103],
        [142, 140, 137, 134, 1011, 1010],
        [1024, 141, 1020, 1016, 1015, 1012],
    ]


def test_batches_of_every_pool_and_epoch_are_shuffled_in_their_own_way(place):
    found = stream(place, batching=Batching(rows=1, pool=20), shuffle=0)
    lengths = [[words(row) for (row,) in epoch(found, number)] for number in range(2)]
    pools = [
        [sorted(pool).index(value) for value in pool]
        for part in lengths
        for pool in (part[:20], part[20:40], part[40:60])
    ]
    assert len({tuple(pool) for pool in pools}) == 6


def test_without_shuffling_rows_come_in_the_order_of_the_dataset(place):
    assert sum(numbers(epoch(stream(place, shuffle=0))), []) == list(range(157))


def test_rows_are_whole(place):
    for batch in epoch(stream(place)):
        assert all(found == row(found["number"]) for found in batch)


def test_only_the_columns_that_were_asked_for_are_read(place):
    batch = next(iter(stream(Source(place, columns=("inputs", "words")))))
    assert all(list(found) == ["inputs", "words"] for found in batch)


def test_what_a_length_leaves_in_a_row_comes_with_it(place):
    def length(found):
        found["_words"] = found["inputs"].split()
        return len(found["_words"])

    found = stream(place, batching=Batching(rows=4, pool=50))
    found._length = length
    assert all(row["_words"] == row["inputs"].split() for row in next(iter(found)))


def test_rows_of_a_batch_have_like_lengths(place):
    def padding(batching):
        batches = [[words(r) for r in batch] for batch in epoch(stream(place, batching=batching))]
        return sum(max(b) * len(b) - sum(b) for b in batches)

    assert padding(Batching(rows=8, pool=80)) * 4 < padding(Batching(rows=8))


def test_a_mixture_has_its_proportions_and_goes_on_in_the_larger_dataset(place, small):
    found = stream(Source(place, weight=1), Source(small, weight=1), batching=Batching(rows=1))
    seen = []
    for number in range(4):
        mine = [n for (n,) in numbers(epoch(found, number))]
        assert len(mine) == len(set(mine)) == 82 and sum(n >= 1000 for n in mine) == 41
        seen += [n for n in mine if n < 1000]
    assert len(set(seen[:123])) == 123, "three epochs read three different parts of the larger dataset"
    assert len(set(seen[123:])) == 41


def test_datasets_without_weights_are_read_whole(place, small):
    found = stream(place, small, batching=Batching(rows=10))
    assert sorted(sum(numbers(epoch(found)), [])) == [*range(157), *range(1000, 1041)]


@pytest.mark.parametrize("world", [1, 2])
def test_one_row(tmp_path, world):
    place = publish(tmp_path, {"train": rows(1)})
    if world == 2:
        with pytest.raises(SettingsError, match="1 rows are too few for 2 processes"):
            stream(place, world=2)
    else:
        found = stream(place, batching=Batching(rows=4, pool=10))
        assert numbers(list(itertools.islice(found, 3))) == [[0], [0], [0]] and found.epoch == 3


def test_a_huge_row(tmp_path):
    huge = row(1, "word " * 4_000_000)
    place = publish(tmp_path, {"train": [row(0), huge, row(2)]})
    found = epoch(stream(place, batching=Batching(tokens=100, pool=10)))
    assert [huge] in found and sorted(sum(numbers(found), [])) == [0, 1, 2]


def test_rows_in_memory(place):
    sample = rows(3000)
    found = stream(InMemory([r | {"_cached": object()} for r in sample]), batching=Batching(rows=7), shuffle=500)
    assert sorted(sum(numbers(epoch(found)), [])) == list(range(3000))
    state = found.state()
    with pytest.raises(SettingsError, match="dataset 1 was"):
        stream(InMemory(sample[1:]), batching=Batching(rows=7), shuffle=500).restore(state)
    with pytest.raises(SettingsError, match="no rows"):
        InMemory([])


def test_another_stream_is_not_restored(place):
    for changed, said in [
        ({"seed": 2}, "seed was 1 but is now 2"),
        ({"shuffle": 21}, "shuffle was 20 but is now 21"),
        ({"batching": Batching(rows=5)}, "batch rows was 4 but is now 5"),
        ({"batching": Batching(rows=4, pool=9)}, "batch pool was 0 but is now 9"),
        ({"world": 2, "rank": 1}, "processes was 1 but is now 2"),
        ({"batching": Batching(tokens=5, pool=2)}, "batch rows was 4 but is now None; batch tokens was None but"),
    ]:
        state = stream(place).state()
        with pytest.raises(SettingsError, match=said):
            stream(place, **changed).restore(state)


def test_another_dataset_or_mixture_is_not_restored(place, small):
    state = stream(place).state()
    with pytest.raises(SettingsError, match="dataset 1 was [0-9a-f]{64} full/train but is now "):
        stream(small).restore(state)
    with pytest.raises(SettingsError, match="dataset 2 was None but is now"):
        stream(place, small).restore(state)
    with pytest.raises(SettingsError, match="dataset 2 was [0-9a-f]{64} full/train but is now None"):
        stream(place).restore(stream(place, small).state())
    weighed = [stream(Source(place, weight=w), Source(small, weight=1)) for w in (1, 2)]
    with pytest.raises(SettingsError, match="rows of dataset 1 in an epoch was 41 but is now 82"):
        weighed[1].restore(weighed[0].state())


@pytest.mark.parametrize("state", [{}, {"epoch": "x", "pool": 0, "batch": 0, "of": {}}, {"epoch": 0}])
def test_a_state_that_cannot_be_read(place, state):
    with pytest.raises(SettingsError.__base__, match="the position in the data cannot be read from the checkpoint"):
        stream(place).restore(state)


def test_a_moved_dataset_is_the_same(place, tmp_path):
    import shutil

    moved = str(shutil.copytree(place, tmp_path / "moved"))
    first = stream(place)
    list(itertools.islice(first, 3))
    second = stream(moved)
    second.restore(first.state())
    assert next(iter(second)) == next(iter(first))


def test_what_cannot_be_a_stream(place, small):
    for sources, options, said in (
        ((), {}, "no dataset"),
        ((place,), {"rank": 2, "world": 2}, "from 0 to 1, not 2"),
        ((Source(place, weight=1), Source(small)), {}, "give all datasets a weight, or none"),
    ):
        with pytest.raises(SettingsError, match=said):
            stream(*sources, **options)
