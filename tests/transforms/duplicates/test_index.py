"""Sketch files as one list of documents, in chunks."""

import numpy as np
import pytest

from gistmill.rules.duplicates import Bands, Sketch
from gistmill.transforms.duplicates.files import SketchFile, SketchWriter, band_column, kept_elements
from gistmill.transforms.duplicates.grouping import MOST, Sizes, Sketches, TooManyDocuments, sketches_at
from gistmill.transforms.layout import WorkspaceLayout
from tests.transforms.duplicates.made import document

BANDS = Bands(count=12, rows=7)


def made(tmp_path, count, *, files, chunk=1 << 18):
    """Documents in ranges, which come in another order."""
    numbers = np.random.default_rng(4)
    (tmp_path / "sketches").mkdir(exist_ok=True)
    written = []
    for number, mine in enumerate(np.array_split(np.arange(count), files)):
        writer = SketchWriter(WorkspaceLayout(str(tmp_path)), f"r{number}", BANDS, keep=True)
        for i in mine:
            shingles = np.sort(numbers.choice(10**6, 5 + int(i) % 3, replace=False)).astype(np.uint32)
            bands = numbers.integers(0, 9, BANDS.count).astype(np.uint64)
            one = document(f"d{i}", "x", offset=int(i))
            writer.add(one, Sketch(exact=int(i) << 40, shingles=shingles, bands=bands))
            writer.keep(one)
        written.append(writer.close())
    return Sketches(written[::-1], Sizes(chunk=chunk))


def listed(*counts, chunk, old=0):
    """Files of so many documents; a range has two files."""
    files = [
        SketchFile(
            range_key=f"r{place // 2:02}",
            table=f"{place}",
            shingles="",
            kept="",
            documents=count,
            first=place,
            bands=0,
            bytes=(0, 0, 0),
            old=place < old,
        )
        for place, count in enumerate(counts)
    ]
    return Sketches(files, Sizes(chunk=chunk))


@pytest.mark.parametrize("chunk", [1, 20, 1 << 18])
def test_what_is_written_is_read(tmp_path, chunk):
    sketches, one = made(tmp_path, 50, files=4, chunk=chunk), made(tmp_path, 50, files=1)
    assert sketches.documents == one.documents == 50 and sketches.band_count == BANDS.count
    names = ["exact", "offset", *map(band_column, (11, 0))]
    parts = [sketches.columns(c, names) for c in range(len(sketches.chunks) - 1)]
    assert np.array_equal(np.concatenate(parts, axis=1), one.columns(0, names))
    assert one.columns(0, names)[1].tolist() == list(range(50))
    wanted = np.array([0, 12, 13, 49])
    found, expected = sketches.shingles(wanted), one.shingles(wanted)
    assert list(found) == wanted.tolist() and [len(s) for s in found.values()] == [5, 5, 6, 6]
    assert all(np.array_equal(found[i], expected[i]) for i in found)
    assert sketches.rows(wanted, ["id"])["id"].to_pylist() == [b"d0", b"d12", b"d13", b"d49"]
    kept = [element.origin.offset for f in sketches.files for element in kept_elements(f.kept, ())]
    assert kept == list(range(50))


def test_the_list_is_read_as_it_was_written(tmp_path):
    sketches = made(tmp_path, 50, files=4, chunk=20)
    again = sketches_at(sketches.write(WorkspaceLayout(str(tmp_path))))
    assert again.files == sketches.files and again.sizes == sketches.sizes and again.chunks == sketches.chunks


def test_chunks_hold_whole_ranges(tmp_path):
    sketches = listed(3, 3, 3, 3, 3, 3, 3, 3, chunk=7)
    assert sketches.chunks == [0, 4, 8] and sketches.bounds.tolist() == [0, 12, 24]
    assert listed(3, 3, 3, 3, chunk=1).chunks == [0, 2, 4]
    assert listed(3, 3, 3, 3, chunk=100).chunks == [0, 4]
    assert [c for c, _ in sketches.by_chunk(np.array([0, 11, 12, 23]))] == [0, 1]


def test_old_documents_come_first_and_have_chunks_of_their_own():
    sketches = listed(3, 3, 3, 3, chunk=100, old=2)
    assert sketches.chunks == [0, 2, 4] and sketches.old == 6
    last = Sketches(sketches.files[::-1], Sizes())
    assert last.files == sketches.files


def test_numbers_have_32_bits():
    assert listed(MOST, chunk=1).documents == MOST
    with pytest.raises(TooManyDocuments, match="4,294,967,296 documents cannot be compared"):
        listed(MOST, 1, chunk=1)


def test_no_files_have_no_chunks():
    assert listed(chunk=1).chunks == [0] and listed(chunk=1).documents == 0
