import subprocess
import sys

import pytest

from gistmill.transforms.io import write_json
from gistmill.transforms.sources.sampled import processor_seconds, read_timings, resident_peak


def test_readings_of_one_range_are_added_up(tmp_path):
    for name, record in {
        "a": {"key": "r1", "begun": 5.0, "seconds": 1.0},
        "b": {"key": "r2", "begun": 6.0, "seconds": 3.0},
        "c": {"key": "r1", "begun": 9.0, "seconds": 0.5},
    }.items():
        write_json(str(tmp_path / f"{name}.json"), record)
    assert read_timings(str(tmp_path)) == ({"r1": 1.5, "r2": 3.0}, 5.0, 9.5)


def test_nothing_read_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="no range"):
        read_timings(str(tmp_path))


def test_children_that_still_run_count():
    before = processor_seconds()
    code = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        child.stdout.readline()
        assert processor_seconds() - before >= 0.4
        assert resident_peak(child.pid) > 1_000_000
    finally:
        child.communicate(b"\n")
    assert resident_peak() > 1_000_000
    assert resident_peak(0) == 0
