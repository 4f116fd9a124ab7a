"""Spill files: what goes in comes out, from any id on, and nothing but a whole file is read."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.transforms.sinks import sort as runfile
from gistmill.transforms.sinks.sort import SpillFile, SpillFileError, SpillReader, SpillWriter

ROWS = st.lists(st.tuples(st.text(min_size=1, max_size=6).map(lambda t: t.encode("utf-8")), st.binary(max_size=30)))


def write(path: Path, rows: list[tuple[bytes, bytes]]) -> SpillFile:
    writer = SpillWriter(str(path), "full/train")
    for row in sorted(rows):
        writer.add(*row)
    return writer.close()


def read(spill: SpillFile, lower: bytes = b"", upper: bytes | None = None) -> list[tuple[bytes, bytes]]:
    with SpillReader(spill) as reader:
        return list(reader.rows(lower, upper))


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(runfile, "BLOCK_BYTES", 40)


@settings(deadline=None)
@given(rows=ROWS, lower=st.text(max_size=3), upper=st.none() | st.text(max_size=3), block=st.integers(1, 200))
def test_gives_back_the_rows_between_two_ids(tmp_path_factory, rows, lower, upper, block):
    bounds = lower.encode(), None if upper is None else upper.encode()
    with pytest.MonkeyPatch.context() as constants:
        constants.setattr(runfile, "BLOCK_BYTES", block)
        spill = write(tmp_path_factory.mktemp("spill") / "a.spill", rows)
    wanted = [r for r in sorted(rows) if bounds[0] <= r[0] and (bounds[1] is None or r[0] < bounds[1])]
    assert read(spill, *bounds) == wanted
    with SpillReader(spill) as reader:
        assert list(reader.keys()) == [k for k, _ in sorted(rows)]
    assert (spill.rows, spill.raw_bytes) == (len(rows), sum(len(k) + len(v) for k, v in rows))
    assert (spill.first_id, spill.last_id) == ((min(rows)[0].decode(), max(rows)[0].decode()) if rows else ("", ""))


def test_equal_keys_over_several_blocks_are_all_found(tmp_path, small_blocks):
    rows = [(b"same", b"%020d" % i) for i in range(20)]
    assert read(write(tmp_path / "a.spill", rows), b"same") == rows


def test_a_cut_anywhere_is_an_error(tmp_path, small_blocks):
    path = tmp_path / "a.spill"
    spill = write(path, [(b"id-%03d" % i, b"value" * (i % 5)) for i in range(9)])
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(SpillFileError):
            read(spill)
        with pytest.raises(SpillFileError):  # also when the size that was announced is the size that is there
            read(dataclasses.replace(spill, bytes=size))


def test_a_changed_byte_is_an_error(tmp_path, small_blocks):
    path = tmp_path / "a.spill"
    rows = [(b"id-%03d" % i, b"value" * (i % 5)) for i in range(9)]
    spill = write(path, rows)
    whole = path.read_bytes()
    for place in range(8, len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            found = read(spill)
        except (SpillFileError, OSError, ValueError):
            continue
        assert found == rows, place


def test_a_longer_file_and_no_file_are_errors(tmp_path):
    path = tmp_path / "a.spill"
    spill = write(path, [(b"a", b"b")])
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(SpillFileError, match="is not [0-9]+ bytes long"):
        read(spill)
    path.unlink()
    with pytest.raises(SpillFileError, match="cannot be opened"):
        read(spill)


def test_rows_out_of_order_are_refused(tmp_path):
    writer = SpillWriter(str(tmp_path / "a.spill"), "full/train")
    writer.add(b"b", b"")
    with pytest.raises(ValueError, match="comes after"):
        writer.add(b"a", b"")
    writer.close()
