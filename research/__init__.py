"""What fits the models of the product and builds its data files. It computes as the command does: importing one of its
modules settles the arithmetic."""

import os

from gistmill.transforms.arithmetic import THREAD_CAPS, settle_arithmetic

_GIVEN = frozenset(THREAD_CAPS) & os.environ.keys()

settle_arithmetic()  # before any of them imports NumPy


def uncap_threads() -> None:
    """Gives this process and those that it starts the threads of the machine back, before torch loads: a training runs
    alone, where workers are many."""
    for name in THREAD_CAPS:
        if name not in _GIVEN:
            os.environ.pop(name, None)
