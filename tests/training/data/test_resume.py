"""Processes that are killed, and streams over ten million rows."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest

from benchmarks.loader import publish as publish_many
from tests.training.data.made import publish, rows

# writes the state after every batch, and then the batch: what a trainer that saves at every step has done
TRAIN = """\
import json, os, sys
from gistmill.training.data.batching import Batching
from gistmill.training.data.source import Source
from gistmill.training.data.stream import Stream

places, log, batching, stop = json.loads(sys.argv[1])
sources = [Source(place, columns=("id", "inputs"), weight=weight) for place, weight in places]
stream = Stream(sources, seed=5, batching=Batching(**batching), length=lambda row: len(row["inputs"].split()), shuffle=50)
done = [json.loads(line) for line in open(log)] if os.path.exists(log) else []
if done:
    stream.restore(done[-1][1])
with open(log, "a") as file:
    for batch in stream:
        print(json.dumps([[row["id"] for row in batch], stream.state()]), file=file, flush=True)
        if stream.epoch == stop:
            break
"""


def train(arguments):
    return subprocess.Popen([sys.executable, "-c", TRAIN, json.dumps(arguments)], stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("batching", [{"rows": 3, "pool": 24}, {"tokens": 90, "pool": 24}])
def test_a_process_that_is_killed_goes_on_with_the_same_batches(tmp_path, batching):
    places = [
        [publish(tmp_path / "a", {"train": rows(900)}, shards=3), 1],
        [publish(tmp_path / "b", {"train": rows(300, 5000)}), 1],
    ]
    whole = tmp_path / "whole"
    assert train([places, str(whole), batching, 3]).wait(timeout=300) == 0
    log, chance, killed = tmp_path / "killed", random.Random(0), 0
    for _ in range(4):
        process = train([places, str(log), batching, 3])
        size = log.stat().st_size if log.exists() else 0
        target = size + chance.randrange(1, 30_000)
        while process.poll() is None and (not log.exists() or log.stat().st_size < target):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=240)
        if process.returncode == 0:
            break
        killed += 1
        lines = log.read_bytes()
        log.write_bytes(lines[: lines.rfind(b"\n") + 1])  # a line may be torn: the checkpoint was not whole
    process = train([places, str(log), batching, 3])
    assert process.wait(timeout=300) == 0, process.stderr.read()
    assert log.read_text() == whole.read_text()
    assert killed == 4 and len(whole.read_text().splitlines()) > 100


PLACE = """\
import json, sys, time
from benchmarks.loader import words
from gistmill.training.data.batching import Batching
from gistmill.training.data.source import Source
from gistmill.training.data.stream import Stream

place, state, batching = json.loads(sys.argv[1])
begun = time.perf_counter()
stream = Stream([Source(place, columns=("id", "inputs"))], seed=0, batching=Batching(**batching), length=words)
if state:
    stream.restore(state)
batches = iter(stream)
first = [row["id"] for row in next(batches)]
spent = time.perf_counter() - begun
second = [row["id"] for row in next(batches)]
print(json.dumps([spent, first, second, stream.state()]))
"""


@pytest.mark.long
@pytest.mark.parametrize("batching", [{"rows": 32}, {"rows": 32, "pool": 4096}, {"tokens": 2000, "pool": 4096}])
def test_the_place_among_ten_million_rows(tmp_path_factory, batching):
    """Two processes that go to the same place find the same batches, and neither reads the rows before it."""
    place = tmp_path_factory.getbasetemp() / "many"
    if not place.exists():
        publish_many(place, 10_000_000)

    def run(state):
        arguments = json.dumps([str(place), state, batching])
        done = subprocess.run([sys.executable, "-c", PLACE, arguments], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    _, _, _, state = run(None)
    state |= {"pool": 2000, "batch": 17}
    (spent, first, second, then), again = run(state), run(state)
    print(f"\n{batching}: the place was found in {spent:.2f} s and {again[0]:.2f} s")
    assert again[1:] == [first, second, then] and not set(first) & set(second)
    assert (then["epoch"], then["pool"], then["batch"]) == (0, 2000, 19)


def test_a_process_that_leaves_a_stream_ends(tmp_path):
    """The threads that read ahead must not hold a process back, or bring it down."""
    place = publish(tmp_path, {"train": rows(5000)}, group=100)
    code = (
        "import sys\nfrom tests.training.data.made import stream\n"
        "found = stream(sys.argv[1], shuffle=300)\nbatches = iter(found)\n"
        "for _ in range(int(sys.argv[2])):\n    next(batches)\n"
    )
    for count in (1, 100, 1100):
        done = subprocess.run(
            [sys.executable, "-c", code, place, str(count)], capture_output=True, text=True, timeout=240
        )
        assert (done.returncode, done.stderr) == (0, "")
