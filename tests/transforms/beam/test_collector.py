"""The collector of cycles is spared while an owner lives, and is as it was afterwards."""

import gc
import inspect
import subprocess
import sys

import pytest

from gistmill.transforms.beam.internals import spare_collector


class Owner:
    """May be pointed to weakly."""


@pytest.mark.slow
def test_it_is_as_before_when_the_last_owner_is_gone():
    """In a process of its own: a model that another test keeps would be an owner too."""
    steps = inspect.getsource(_first_and_second)
    code = f"{inspect.getsource(Owner)}\n{steps}\n_first_and_second()"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    with_first, with_second, with_none = map(int, done.stdout.split())
    assert with_first > 0 and with_second > 0 and with_none == 0


def _first_and_second():
    import gc

    from gistmill.transforms.beam.internals import spare_collector

    first = Owner()
    spare_collector(first)
    print(gc.get_freeze_count())
    second = Owner()
    spare_collector(second)
    del first  # a new model is loaded before the old one goes
    print(gc.get_freeze_count())
    del second
    print(gc.get_freeze_count())


def test_garbage_in_circles_is_still_found():
    owner = Owner()
    spare_collector(owner)
    gone = []

    class Circle:
        def __del__(self):
            gone.append(True)

    circle = Circle()
    circle.itself = circle
    del circle
    gc.collect()
    assert gone
