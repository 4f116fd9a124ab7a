"""Rows of a first pass, numbered and in chunks. What the pass leaves is tested with the steps that use it."""

import numpy as np
import pytest

from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import Chunks, RangeFile, chunks_at, cut_chunks


def files(*counts, old=0):
    """Files of so many rows; a range has two files."""
    return [
        RangeFile(range_key=f"r{place // 2:02}", table=f"{place}", rows=count, first=place, sizes={}, old=place < old)
        for place, count in enumerate(counts)
    ]


def bounds(found, rows):
    return Chunks(cut_chunks(found, rows=rows)).bounds.tolist()


def test_chunks_hold_whole_ranges():
    assert bounds(files(3, 3, 3, 3, 3, 3, 3, 3), 7) == [0, 12, 24]
    assert bounds(files(3, 3, 3, 3), 1) == [0, 6, 12]
    assert bounds(files(3, 3, 3, 3), 100) == [0, 12]
    assert bounds([], 1) == [0]
    chunks = Chunks(cut_chunks(files(3, 3, 3, 3, 3, 3, 3, 3), rows=7))
    assert [chunk.number for chunk, _ in chunks.by_chunk(np.array([0, 11, 12, 23]))] == [0, 1]


@pytest.mark.parametrize("order", [1, -1])
def test_old_rows_come_first_and_have_chunks_of_their_own(order):
    chunks = Chunks(cut_chunks(files(3, 3, 3, 3, old=2)[::order], rows=100))
    assert chunks.bounds.tolist() == [0, 6, 12] and chunks.old == 6
    assert chunks.files == files(3, 3, 3, 3, old=2)


def test_the_list_is_read_as_it_was_written(tmp_path):
    (tmp_path / "comparison").mkdir()
    chunks = Chunks(cut_chunks(files(3, 3, 3, 3, old=2), rows=1), plan=["x"])
    again = chunks_at(chunks.write(WorkspaceLayout(str(tmp_path))), RangeFile)
    assert (again.chunks, again.files, again.plan) == (chunks.chunks, chunks.files, ["x"])
