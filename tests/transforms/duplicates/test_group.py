"""Steps of the comparison by themselves: what is shared by very many, and steps that are begun again."""

import apache_beam as beam
import numpy as np
import pytest

from gistmill.rules.duplicates import CAP, unpack
from gistmill.transforms.duplicates.grouping import (
    KEYS,
    LARGE,
    OTHERS,
    Chunk,
    PartsWriter,
    Sizes,
    Sketches,
    by_column,
    chunk_key,
    deal_exact,
    find_copies,
    find_pairs,
    read_arrays,
)
from gistmill.transforms.layout import WorkspaceLayout
from tests.transforms.duplicates.test_index import listed, made

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
