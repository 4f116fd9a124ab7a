"""Programs that fit the product's models and build its data files. Importing one of the modules sets up the arithmetic,
so that results match those of the command."""

import os

from gistmill.transforms.arithmetic import THREAD_CAPS, settle_arithmetic

_GIVEN = frozenset(THREAD_CAPS) & os.environ.keys()

settle_arithmetic()  # before any of them imports NumPy


def uncap_threads() -> None:
    """Lifts the thread limit for this process and its children, before torch loads: unlike the many workers, training
    runs alone."""
    for name in THREAD_CAPS:
        if name not in _GIVEN:
            os.environ.pop(name, None)
