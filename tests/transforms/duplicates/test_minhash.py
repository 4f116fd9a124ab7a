"""Steps of the comparison by themselves: what very many share, and steps that are repeated."""

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pytest

from gistmill.rules.duplicates import CAP, Bands, Sketch, unpack
from gistmill.transforms.duplicates import minhash
from gistmill.transforms.duplicates.minhash import (
    EDGES,
    Band,
    TooManyDocuments,
    cut,
    find_copies,
    find_pairs,
    read_shingles,
)
from gistmill.transforms.duplicates.signatures import SketchFile, SketchWriter, write_table
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import Chunk, Chunks, cut_chunks, gather
from gistmill.transforms.sinks.sort import read_parts, write_parts
from tests.transforms.duplicates.made import document

DOCUMENTS = 200_000
BANDS = Bands(count=12, rows=7)


@pytest.fixture
def layout(tmp_path):
    (tmp_path / "sketches").mkdir()
    return WorkspaceLayout(str(tmp_path))


def chunks(layout, keys):
    """Ten chunks of documents, whose exact hash and only band are ``keys``."""
    found = []
    for number, mine in enumerate(np.split(keys, 10)):
        table, none = layout.new_comparison("parquet"), np.zeros(len(mine), np.int64)
        write_table(table, {"exact": mine, "band00": mine}, none)
        names = {"range_key": f"r{number}", "table": "", "shingles": "", "kept": ""}
        file = SketchFile(**names, rows=len(mine), first=0, bands=1, sizes={})
        found.append(Chunk(number=number, files=(file,), table=table))
    return found


def band(layout, keys):
    """The only band of these documents."""
    (found,) = (o for o in copies(layout, chunks(layout, keys), near=True) if isinstance(o, Band))
    (_, none), *_ = write_parts(layout, found.copies.index, [("", pa.table({"number": np.zeros(0, np.int64)}))])
    return Band(number=found.number, copies=none)  # equal keys stand for the exact hash here as well


def copies(layout, found, *, near=False):
    return list(find_copies(found, near=near, layout=layout))


def pairs(parts):
    return read_parts(parts)["pair"].to_numpy()


def test_a_band_that_all_share_makes_few_pairs_for_every_chunk(layout):
    sent = find_pairs(band(layout, np.full(DOCUMENTS, 7, np.uint64)), layout=layout)
    assert [key for key, _ in sent] == [f"{number:06d}" for number in range(10)]
    for number, (_, part) in enumerate(sent):
        seconds = unpack(pairs([part]))[1]
        assert len(seconds) <= 2 * DOCUMENTS // 10 and set(seconds // (DOCUMENTS // 10)) == {number}


@pytest.mark.parametrize("bucket", [1 << 21, 50])
def test_groups_up_to_the_cap_are_compared_each_with_each(layout, bucket):
    keys = np.arange(1600, dtype=np.uint64) % np.uint64(100) << np.uint64(57)
    sent = find_pairs(band(layout, keys), layout=layout, bucket=bucket)
    found = pairs(part for _, part in sent)
    assert CAP == 16 and len(np.unique(found)) == len(found) == 100 * 16 * 15 // 2


def test_copies_are_paired_with_the_first_and_left_out_of_the_bands(layout):
    found = copies(layout, chunks(layout, np.full(2000, 7, np.uint64)), near=True)
    ((edges,), (one,)) = (
        [o.value for o in found if getattr(o, "tag", "") == EDGES],
        [o for o in found if type(o) is Band],
    )
    first, second = unpack(pairs([edges]))
    assert not first.any() and second.tolist() == list(range(1, 2000))
    assert read_parts([one.copies])["number"].to_pylist() == list(range(1, 2000))
    assert find_pairs(one, layout=layout) == []


def test_where_exact_copies_are_looked_for_there_are_no_bands(layout):
    found = copies(layout, chunks(layout, np.arange(20, dtype=np.uint64)))
    assert len(found) == 10 and all(isinstance(o, beam.pvalue.TaggedOutput) for o in found)
    assert copies(layout, []) == []


def test_a_step_that_is_repeated_writes_files_of_its_own(layout):
    one = band(layout, np.arange(1600, dtype=np.uint64) % np.uint64(100))
    first, again = (find_pairs(one, layout=layout) for _ in range(2))
    assert {p.path for _, p in first}.isdisjoint(p.path for _, p in again) and first
    assert all(read_parts([a]) == read_parts([b]) for (_, a), (_, b) in zip(first, again, strict=True))


def test_a_pair_of_several_bands_is_compared_once(layout):
    found = [np.array(values, np.uint64) for values in ([5, 9], [9], [7, 9, 11])]
    parts = [p for _, p in write_parts(layout, "i", (("", pa.table({"pair": f})) for f in found))]
    pieces = cut(("000000", parts[::-1]), layout=layout, piece=3)
    assert [pairs([piece]).tolist() for piece in pieces] == [[5, 7, 9], [11]]


def test_numbers_have_32_bits(layout, monkeypatch):
    monkeypatch.setattr(minhash, "MOST", 1999)
    with pytest.raises(TooManyDocuments, match="2,000 documents are too many to compare at once; the limit is 1,999"):
        copies(layout, chunks(layout, np.zeros(2000, np.uint64)))


@pytest.mark.parametrize("rows", [1, 20, 1 << 18])
def test_shingles_are_found_by_number(layout, rows):
    chosen, files = np.random.default_rng(4), []
    shingles = [np.sort(chosen.choice(10**6, 5 + i % 3, replace=False)).astype(np.uint32) for i in range(50)]
    for number, mine in enumerate(np.array_split(np.arange(50), 4)):
        writer = SketchWriter(layout, f"r{number}", BANDS, keep=False)
        for i in mine.tolist():
            bands = np.zeros(BANDS.count, np.uint64)
            writer.add(document(f"d{i}", "x", offset=i), Sketch(exact=i, shingles=shingles[i], bands=bands))
        files.append(writer.close())
    documents = Chunks(gather(chunk, layout=layout) for chunk in cut_chunks(files[::-1], rows=rows))
    wanted = np.array([0, 12, 13, 49])
    found = read_shingles(documents, wanted)
    assert list(found) == wanted.tolist() and all(np.array_equal(found[i], shingles[i]) for i in found)
    assert documents.take(wanted, ["id", "exact"]).to_pydict() == {
        "id": [b"d0", b"d12", b"d13", b"d49"],
        "exact": [0, 12, 13, 49],
    }
