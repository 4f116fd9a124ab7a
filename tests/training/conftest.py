"""The tests of training. Those that need torch are left out where it is missing, as in the plain development set-up."""

import os
from importlib.util import find_spec

# Before torch is loaded: tests run side by side, and threads that wait for each other take the others' time.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing is asked of the network

# These run without torch: they read datasets and predictions only.
_WITHOUT_TORCH = ("data", "evaluation", "experiments", "test_cards.py", "test_cli.py", "test_packages.py")


def pytest_ignore_collect(collection_path, config):
    """Leaves out what needs torch where there is none; None leaves the decision to others."""
    if find_spec("torch") is not None:
        return None
    here = config.rootpath / "tests" / "training"
    if not collection_path.is_relative_to(here) or collection_path == here:
        return None
    first = collection_path.relative_to(here).parts[0]
    return None if first in _WITHOUT_TORCH or first.startswith("__") else True
