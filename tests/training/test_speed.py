"""The benchmark of training runs, and ends in a line of JSON. Its figures are not asserted: machines are noisy."""

import json
import subprocess
import sys

from tests.training.made import environment


def test_the_speed_of_training_is_measured():
    sizes = ["--rows", "2000", "--steps", "10", "--batch-tokens", "800", "--pieces", "400", "--matrix", "256"]
    command = [sys.executable, "-m", "benchmarks.training_speed", "--model", "tiny", "--device", "cpu", "--no-compile"]
    done = subprocess.run([*command, *sizes], env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["device"] == "cpu" and figures["gpu_busy_percent"] is None
    assert figures["tokens_per_second"] > 0 and 0 < figures["share_of_peak"] < 10
    # A T5 of a million parameters: about 6 operations for each parameter that a token meets.
    assert 5e5 < figures["operations_per_token"] < 1e7
