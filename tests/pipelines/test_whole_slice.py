"""The demo's bars on the whole slice of enwiki, 206 pages. Minutes of parsing: `make test-slow` runs them."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.measuring import watch
from benchmarks.slice import slice_path
from gistmill.rules.discofuse.candidate import DiscourseType
from tests.commands import COMMAND, data_checksums, manifest, succeed
from tests.published_bytes import recorded

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slice") / "demo"
    words = ["discofuse", "--config", "discofuse-demo", "--input", str(slice_path()), "--output", str(folder)]
    return folder, watch([*COMMAND, *words, "--workers", "2"]).peak_bytes


def test_the_demo_meets_its_bars(demo):
    folder, peak = demo
    counts = manifest(folder)["counts"]
    assert counts["documents"]["read"] == 206
    assert counts["documents"]["used"] + sum(counts["documents/rejected"].values()) == 206
    assert sum(counts["rows/full"].values()) >= 5_000
    assert set(counts["types/full"]) == set(counts["types/balanced"]) == set(DiscourseType.__members__)
    assert set(counts["rows/full"]) == set(counts["rows/balanced"]) == {"train", "validation", "test"}
    assert manifest(folder)["machine_dependent"] == {}
    assert peak < 3e9


def test_annotations_give_the_demo_s_bytes(demo):
    assert recorded()["discofuse"] == data_checksums(demo[0]), "the case in tests/published_bytes.py reads annotations"


@pytest.mark.long
def test_memory_after_annotation_stays_flat(tmp_path):
    annotated = tmp_path / "annotated"
    succeed("annotate", "--input", slice_path(), "--output", annotated, "--limit", 30)
    (source,) = (annotated / "default" / "parquet").glob("train-*.parquet")
    parquet = pq.ParquetFile(source)
    for copy in range(10):
        with pq.ParquetWriter(tmp_path / f"{copy}.parquet", parquet.schema_arrow) as writer:
            for batch in parquet.iter_batches(8):
                ids = pa.array([f"{i.as_py()}-{copy}" for i in batch["id"]])
                writer.write_batch(batch.set_column(batch.schema.get_field_index("id"), "id", ids))
    peaks = {}
    for name, pattern in (("one", "0.parquet"), ("ten", "*.parquet")):
        # by default a larger input has more processes
        words = ["discofuse", "--workers", "1", "--source", "annotated", "--input", str(tmp_path / pattern), "--output"]
        peaks[name] = watch([*COMMAND, *words, str(tmp_path / name)]).peak_bytes
    read = [manifest(tmp_path / name)["counts"]["documents"]["read"] for name in peaks]
    assert read[1] == 10 * read[0]
    assert peaks["ten"] < 1.5 * peaks["one"]
