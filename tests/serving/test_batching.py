"""Batches: what goes together, what is sent away, what fails."""

import asyncio
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.serving.batching import Batcher, OverloadedError, batch_around_first
from gistmill.serving.config import ServingConfig


class Engine:
    """Answers with the item, a length; fails for 13, and refuses 7. While ``held`` it does not answer."""

    def __init__(self, *, held=False):
        self.batches, self.go_on = [], threading.Event()
        if not held:
            self.go_on.set()

    def work(self, items):
        self.batches.append(list(items))
        assert self.go_on.wait(60)
        if 13 in items:
            raise RuntimeError("unlucky")
        return [ValueError("seven") if item == 7 else item for item in items]


def drive(engine, talk, **options):
    """What ``talk`` returns of a batcher."""

    async def run():
        batcher = Batcher("test", engine.work, ServingConfig(**options), length=int)
        batcher.start()
        try:
            return await talk(batcher)
        finally:
            await batcher.stop()

    return asyncio.run(run())


def ask(batcher, *lengths, within=10.0):
    deadline = asyncio.get_running_loop().time() + within
    return batcher.answers(lengths, deadline)


@given(
    st.lists(st.integers(0, 100), max_size=30),
    st.integers(1, 10),
    st.integers(1, 500),
)
def test_a_batch_has_the_first_item_and_its_neighbours_in_length(lengths, most, budget):
    batch = batch_around_first(lengths, most=most, budget=budget)
    if not lengths:
        assert batch == []
        return
    assert 0 in batch and batch == sorted(set(batch)) and len(batch) <= most
    chosen = [lengths[number] for number in batch]
    assert len(batch) == 1 or max(chosen) * len(batch) <= budget
    # nothing that is left lies between two that go
    left = [length for number, length in enumerate(lengths) if number not in batch]
    assert not any(min(chosen) < length < max(chosen) for length in left)


def test_every_request_gets_its_own_answers():
    async def talk(batcher):
        return await asyncio.gather(ask(batcher, 3, 1), ask(batcher, 2), ask(batcher, 900, 5, 4))

    engine = Engine()
    assert drive(engine, talk, batch_wait=20) == [[3, 1], [2], [900, 5, 4]]
    assert engine.batches[0] == [3, 1, 2, 5, 4] or engine.batches[0] == [3, 1, 2, 900, 5, 4]


def test_a_long_item_does_not_go_with_short_ones_and_does_not_starve():
    async def talk(batcher):
        long = asyncio.create_task(ask(batcher, 10_000))
        short = [asyncio.create_task(ask(batcher, 20 + number)) for number in range(8)]
        await asyncio.gather(long, *short)

    engine = Engine()
    drive(engine, talk, batch_wait=20, batch_characters=10_000)
    assert engine.batches == [[10_000], [20 + number for number in range(8)]]


def test_an_item_waits_no_longer_than_it_may():
    async def talk(batcher):
        start = time.monotonic()
        await ask(batcher, 1)
        return time.monotonic() - start

    assert 0.05 <= drive(Engine(), talk, batch_wait=50) < 5


async def begun(engine):
    """Returns when the engine works on a batch."""
    while not engine.batches:
        await asyncio.sleep(0.01)


def test_a_full_queue_sends_away_and_says_for_how_long():
    engine = Engine(held=True)

    async def talk(batcher):
        first = asyncio.create_task(ask(batcher, 1, 1, within=60))
        await begun(engine)
        second = asyncio.create_task(ask(batcher, 2, within=60))
        await asyncio.sleep(0)
        third = asyncio.create_task(ask(batcher, 4, within=60))  # now the queue is full
        await asyncio.sleep(0)
        with pytest.raises(OverloadedError) as refused:
            await ask(batcher, 3)
        engine.go_on.set()
        return await first, await second, await third, refused.value.retry_after

    *answers, retry_after = drive(engine, talk, max_queue=2, batch_wait=0)
    assert answers == [[1, 1], [2], [4]] and retry_after >= 1


def test_more_than_the_queue_holds_is_taken_where_nothing_waits():
    assert drive(Engine(), lambda batcher: ask(batcher, *range(5)), max_queue=2) == [0, 1, 2, 3, 4]


def test_what_waits_too_long_is_sent_away_and_what_is_worked_on_too_long_is_too_slow():
    engine = Engine(held=True)

    async def talk(batcher):
        slow = asyncio.create_task(ask(batcher, 1, within=2))
        await begun(engine)
        with pytest.raises(OverloadedError):
            await ask(batcher, 2, within=0.1)
        with pytest.raises(TimeoutError):
            await slow
        engine.go_on.set()
        return await ask(batcher, 3)

    assert drive(engine, talk, batch_wait=0) == [3]
    assert engine.batches == [[1], [3]]  # nobody waited for 2 any more


def test_an_item_that_is_refused_and_a_batch_that_fails_harm_nobody_else():
    async def talk(batcher):
        found = await asyncio.gather(ask(batcher, 7), ask(batcher, 8), return_exceptions=True)
        failed = await asyncio.gather(ask(batcher, 13), ask(batcher, 12), return_exceptions=True)
        return found, failed, await ask(batcher, 4)

    found, failed, after = drive(Engine(), talk, batch_wait=20)
    assert isinstance(found[0], ValueError) and found[1] == [8] and after == [4]
    assert [type(each) for each in failed] == [RuntimeError, RuntimeError]
