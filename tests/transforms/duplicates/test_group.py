"""Steps of the comparison by themselves: what is shared by very many, and steps that are begun again."""

import apache_beam as beam
import numpy as np
import pytest

from gistmill.rules.duplicates import CAP, Bands, Sketch, unpack
from gistmill.transforms.duplicates.files import SketchFile, SketchWriter, band_column, kept_elements
from gistmill.transforms.duplicates.grouping import (
    KEYS,
    LARGE,
    MOST,
    OTHERS,
    Chunk,
    PartsWriter,
    Sizes,
    Sketches,
    TooManyDocuments,
    by_column,
    chunk_key,
    deal_exact,
    find_copies,
    find_pairs,
    read_arrays,
    sketches_at,
)
from gistmill.transforms.layout import WorkspaceLayout
from tests.transforms.duplicates.made import document

DOCUMENTS = 200_000


@pytest.fixture
def layout(tmp_path):
    (tmp_path / "comparison").mkdir()
    return WorkspaceLayout(str(tmp_path))


def bucket(layout, keys):
    """Ten chunks, of which each has sent its keys to a bucket."""
    sketches = listed(*[len(keys) // 20] * 20, chunk=len(keys) // 10)
    index = sketches.write(layout)
    parts = []
    for number, mine in enumerate(np.array_split(np.arange(len(keys), dtype=np.uint32), 10)):
        with PartsWriter(layout, index, sender=number) as writer:
            parts.append(writer.add(keys[mine], mine))
    return "000-00000", parts[::-1]


def test_a_band_that_all_share_makes_few_pairs_for_every_chunk(layout):
    sent = find_pairs(bucket(layout, np.full(DOCUMENTS, 7, np.uint64)), layout=layout)
    large = dict(e.value for e in sent if isinstance(e, beam.pvalue.TaggedOutput) and e.tag == LARGE)
    pairs = {key: read_arrays([part], "<u8")[0] for key, part in (e for e in sent if isinstance(e, tuple))}
    assert pairs.keys() == large.keys() == {chunk_key(c) for c in range(10)}
    for number, mine in enumerate(pairs[chunk_key(c)] for c in range(10)):
        seconds = unpack(mine)[1]
        assert len(mine) <= 2 * DOCUMENTS // 10 and set(seconds // (DOCUMENTS // 10)) == {number}
    assert sum(len(read_arrays([p], "<u4")[0]) for p in large.values()) == DOCUMENTS


def test_groups_up_to_the_cap_are_compared_each_with_each(layout):
    sent = find_pairs(bucket(layout, np.arange(1600, dtype=np.uint64) % 100), layout=layout)
    found = np.concatenate([read_arrays([part], "<u8")[0] for _, part in sent])
    assert CAP == 16 and len(np.unique(found)) == len(found) == 100 * 16 * 15 // 2


def test_all_but_the_first_copy_are_named_to_their_chunks(layout):
    edges, *others = find_copies(bucket(layout, np.full(2000, 7, np.uint64)), layout=layout)
    first, second = unpack(read_arrays([edges.value], "<u8")[0])
    assert not first.any() and second.tolist() == list(range(1, 2000))
    assert [e.tag for e in others] == [OTHERS] * 10
    named = [read_arrays([part], "<u4")[0].tolist() for _, part in (e.value for e in others)]
    assert named == [list(range(max(1, c * 200), (c + 1) * 200)) for c in range(10)]


def test_a_step_that_is_begun_again_writes_files_of_its_own(tmp_path, layout):
    index = Sketches(made(tmp_path, 50, files=3).files, Sizes(bucket=10)).write(layout)
    one, other = ([part for _, part in deal_exact(Chunk(index, 0), layout=layout)] for _ in range(2))
    assert {p.path for p in one}.isdisjoint(p.path for p in other) and one
    for mine, again in zip(one, other, strict=True):
        arrays = zip(read_arrays([mine], *KEYS), read_arrays([again], *KEYS), strict=True)
        assert all(np.array_equal(a, b) for a, b in arrays)


def test_parts_come_in_the_order_of_their_senders(layout):
    _, parts = bucket(layout, np.arange(20, dtype=np.uint64))
    assert read_arrays(by_column(parts)[0], "<u8", "<u4")[1].tolist() == list(range(20))


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
