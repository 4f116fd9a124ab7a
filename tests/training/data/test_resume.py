"""Streams over ten million rows, and processes that leave one; tests/training/test_resume.py kills trainings."""

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gistmill.core.statistics import ID_COLUMN, Column
from tests.manifests import made_manifest, write_manifest
from tests.training.data.made import publish, published_file, rows

PLACE = """\
import json, sys, time
from tests.training.data.made import words
from gistmill.training.data.source import Source
from gistmill.training.data.stream import Batching, Stream

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


def publish_many(folder, millions):
    """Writes so many shards of a million short texts, of 4 to 64 words."""
    random_lengths, files = np.random.default_rng(0), []
    (folder / "full" / "parquet").mkdir(parents=True)
    for shard in range(millions):
        ends = np.cumsum((random_lengths.beta(2, 5, 1_000_000) * 60 + 4).astype(np.int64) * 6)
        text, offsets = b"river " * (int(ends[-1]) // 6), np.concatenate([[0], ends]).astype(np.int32)
        texts = pa.StringArray.from_buffers(1_000_000, pa.py_buffer(offsets.tobytes()), pa.py_buffer(text))
        ids = pa.array([f"{shard:06d}{number:06d}" for number in range(1_000_000)])
        path = f"full/parquet/train-{shard:05d}-of-{millions:05d}.parquet"
        pq.write_table(pa.table({"id": ids, "inputs": texts}), folder / path, row_group_size=10_000, compression="zstd")
        files.append(published_file(folder, path, rows=1_000_000))
    columns, counts = {"full": (ID_COLUMN, Column("inputs", "string", ""))}, {"rows/full": {"train": millions * 10**6}}
    write_manifest(folder, made_manifest(columns=columns, files=tuple(files), counts=counts))


@pytest.mark.long
@pytest.mark.parametrize("batching", [{"rows": 32}, {"rows": 32, "pool": 4096}, {"tokens": 2000, "pool": 4096}])
def test_the_place_among_ten_million_rows(tmp_path_factory, batching):
    """Two processes that go to the same place find the same batches, and neither reads the rows before it."""
    place = tmp_path_factory.getbasetemp() / "many"
    if not place.exists():
        publish_many(place, 10)

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


@pytest.mark.slow
@pytest.mark.waits
def test_a_process_that_leaves_a_stream_ends(tmp_path):
    """The thread that makes batches ahead must not hold a process back, or bring it down."""
    place = publish(tmp_path, {"train": rows(5000)}, group=100)
    code = (
        "import sys\nfrom gistmill.training.data.stream import prefetch\nfrom tests.training.data.made import stream\n"
        "batches = prefetch(stream(sys.argv[1], shuffle=300), 4)\n"
        "for _ in range(int(sys.argv[2])):\n    next(batches)\n"
    )
    for count in (1, 100, 1100):
        done = subprocess.run(
            [sys.executable, "-c", code, place, str(count)], capture_output=True, text=True, timeout=240
        )
        assert (done.returncode, done.stderr) == (0, "")
