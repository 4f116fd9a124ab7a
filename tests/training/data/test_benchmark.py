"""The benchmark of the loader runs, and ends in a line of JSON. Its figures are not asserted: machines are noisy."""

import json
import subprocess
import sys

import pytest

from benchmarks.loader import publish
from gistmill.published.dataset import Dataset


@pytest.mark.slow
def test_the_benchmark_runs():
    command = [sys.executable, "-m", "benchmarks.loader", "--rows", "25000", "--seconds", "0.1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])["found"]
    assert len(found) == 4 and all(f["rows"] > 0 and f["memory"] > 0 for f in found.values())


def test_its_dataset_is_valid(tmp_path):
    publish(tmp_path, 1_000_010)
    dataset = Dataset(tmp_path)
    assert dataset.validate() == [] and dataset.num_rows("train") == 1_000_010
