import gc
import threading
import time

import pytest

from gistmill.training.data.batching import ahead


@pytest.fixture
def gone():
    """Tells whether the threads that the test began have ended; streams of other tests may have theirs still."""
    before = set(threading.enumerate())

    def gone():
        for _ in range(100):
            if not any(thread.name == "ahead" for thread in set(threading.enumerate()) - before):
                return True
            time.sleep(0.05)
        return False

    return gone


def test_items_come_in_order(gone):
    assert list(ahead(range(100), 3)) == list(range(100)) and gone()


def test_items_are_made_before_they_are_asked_for(gone):
    made = []
    items = ahead((made.append(n) or n for n in range(100)), 2)
    assert next(items) == 0
    for _ in range(100):
        if len(made) == 4:
            break
        time.sleep(0.02)
    time.sleep(0.1)
    assert made == [0, 1, 2, 3], "one was taken, two wait, and one is in the maker's hand"
    items.close()
    assert gone()


def test_an_error_comes_in_its_place(gone):
    def items():
        yield 1
        raise ValueError("broken")

    found = ahead(items(), 5)
    assert next(found) == 1
    with pytest.raises(ValueError, match="broken"):
        next(found)
    assert gone()


def test_a_consumer_that_leaves_ends_the_thread(gone):
    for _ in ahead(range(1_000_000), 1):
        break
    gc.collect()
    assert gone()
