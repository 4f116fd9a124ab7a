import subprocess
import sys

from gistmill.pipelines.estimate import draw, processor_seconds
from gistmill.transforms.sources.files.ranges import FileRange


def test_children_count_while_they_run_and_when_they_have_ended():
    before = processor_seconds()
    code = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        child.stdout.readline()
        assert processor_seconds() - before >= 0.4
    finally:
        child.communicate(b"\n")
    assert processor_seconds() - before >= 0.4


def test_the_seed_decides_which_ranges_are_drawn():
    ranges = [FileRange(key=f"{n:05d}", size=1, file="f", path="f", kind="plain", start=n, end=n + 1) for n in range(9)]
    drawn = {seed: draw(ranges, 4, seed=seed) for seed in (1, 2)}
    assert drawn[1] == draw(ranges[::-1], 4, seed=1) != drawn[2]
    assert all(len(set(chosen)) == 4 for chosen in drawn.values())
    assert {place.key for place in draw(ranges, 99, seed=1)} == {place.key for place in ranges}
