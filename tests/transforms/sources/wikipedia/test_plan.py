import bz2
import io
import random
from dataclasses import replace

import pytest

from gistmill.core.records import Damage
from gistmill.transforms.sources.files import bz2_blocks
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.ranges import UNREAD, SourceError, SourceFile
from gistmill.transforms.sources.wikipedia import source as planning
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from tests.transforms.sources.wikipedia.exports import (
    export,
    multistream,
    page,
    planned,
    ranges_of,
    segments,
    write_kinds,
)

DATA = export(page(number, text=f"{number} " * 100) for number in range(1, 201))
NOISE = export(page(number, text=random.Random(number).randbytes(1500).hex()) for number in range(1, 700))
SMALL = WikipediaConfig(range_bytes=100)


def test_ranges_cover_the_file_in_order_and_their_keys_sort(tmp_path):
    for kind, path in write_kinds(tmp_path, DATA).items():
        for config in SMALL, WikipediaConfig():
            ranges = ranges_of(path, tmp_path / "work", config)
            assert [place.end for place in ranges[:-1]] == [place.start for place in ranges[1:]], kind
            assert ranges[0].start == 0 and [place.last for place in ranges] == [False] * (len(ranges) - 1) + [True]
            keys = [place.key for place in ranges]
            assert keys == sorted(set(keys)) and all(place.size > 0 for place in ranges)
            again = ranges_of(path, tmp_path / "work", config)  # chunks have new names
            assert [replace(p, path="") for p in ranges] == [replace(p, path="") for p in again]


def test_the_source_record_holds_size_and_kind_and_no_checksum_yet(tmp_path):
    kinds = {"plain": "plain", "single": "bz2", "scanned": "bz2", "gzip": "gzip"}
    paths = write_kinds(tmp_path, DATA)
    (tmp_path / "work").mkdir()
    for kind, expected in kinds.items():
        for limit, checksum in (None, UNREAD), (9, None):
            made = planned(paths[kind], tmp_path / "work", WikipediaConfig(limit=limit))
            (one,) = (source for source in made if isinstance(source, SourceFile))
            assert one == SourceFile(str(paths[kind]), paths[kind].stat().st_size, checksum, expected)


class Counted(io.FileIO):
    """A file as it is opened for its blocks; ``bytes`` counts what is read of all of them."""

    bytes = 0

    def read(self, size):
        data = super().read(size)
        Counted.bytes += len(data)
        return data


@pytest.mark.parametrize("limit", [None, 1, 60])
def test_the_ranges_of_bz2_are_known_without_a_pass_over_the_file(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(bz2_blocks, "open_input", Counted)
    monkeypatch.setattr(bz2_blocks, "_READ", 1 << 14)
    monkeypatch.setattr(planning, "LONGEST", 1 << 12)
    path = tmp_path / "a.bz2"
    path.write_bytes(bz2.compress(NOISE, 1))
    Counted.bytes = 0
    ranges = ranges_of(path, tmp_path, WikipediaConfig(limit=limit))
    assert 0 < Counted.bytes < path.stat().st_size / 3 and not list(tmp_path.glob("spool/*"))
    assert len(ranges) > 20 if limit is None else len(ranges) < 5 and ranges[-1].end < path.stat().st_size / 3


@pytest.mark.slow
def test_small_inputs_still_make_many_ranges(tmp_path):
    for kind, path in write_kinds(tmp_path, NOISE).items():
        if kind not in ("pbzip2", "single"):  # 20 streams, and 3 blocks
            assert 20 <= len(ranges_of(path, tmp_path / "work")) <= 50, kind


def test_no_range_is_smaller_than_a_block(tmp_path):
    path = tmp_path / "a.bz2"
    path.write_bytes(bz2.compress(NOISE, 1))
    blocks = list(bz2_blocks.origins(str(path)))
    assert blocks[0] == 0 and len(blocks) > 20 and blocks == sorted(set(blocks))
    for size in 1, 20_000:
        assert [place.start for place in ranges_of(path, tmp_path, WikipediaConfig(range_bytes=size))] == blocks


def test_the_last_range_holds_the_end_of_the_export_whole(tmp_path):
    parts = segments(DATA, [*range(0, len(DATA) - 100, len(DATA) // 20), *range(len(DATA) - 99, len(DATA))])
    path = tmp_path / "a.bz2"
    path.write_bytes(multistream(parts))
    ranges = ranges_of(path, tmp_path, SMALL)
    pieces = block_pieces(str(path), ranges[-1].start)
    text = b"".join(piece.data for piece in pieces if not isinstance(piece, Damage))
    assert ranges[-1].last and 64 <= len(text) < 70 and DATA.endswith(text)


def test_an_input_that_is_not_an_export_fails_the_planning_by_name(tmp_path):
    for path in write_kinds(tmp_path, b"<html>" + DATA).values():
        with pytest.raises(SourceError, match=path.name):
            ranges_of(path, tmp_path)
