"""Streams as records, however they are cut into chunks, and what is wrong with them."""

from __future__ import annotations

import gzip
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.framing import FramingError, count_lines, gunzip, tfrecord, tfrecords


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)]


@given(st.lists(st.binary(max_size=40), max_size=6), st.integers(1, 50))
def test_records_come_back_from_any_chunks(records, size):
    stream = gzip.compress(b"".join(map(tfrecord, records)))
    assert list(tfrecords(gunzip(cut(stream, size)))) == records


def test_the_framing_is_that_of_tensorflow():
    """What tf.io.TFRecordWriter writes: length, its masked CRC-32C, ``abc``, its masked CRC-32C."""
    assert tfrecord(b"abc").hex() == "0300000000000000" + "b099490e" + "616263" + "6e57f121"


def test_one_changed_byte_is_seen():
    for place in 0, 9, 13, -1:
        data = bytearray(tfrecord(b"some data"))
        data[place] ^= 1
        with pytest.raises(FramingError, match="^is damaged$"):
            list(tfrecords([bytes(data)]))


def test_a_torn_stream_is_seen():
    whole = tfrecord(b"first")
    for length in 1, 11, 12, 20:
        with pytest.raises(FramingError, match="^ends within a record$"):
            list(tfrecords(cut(whole + tfrecord(b"second")[:length], 7)))


def test_a_record_that_is_too_large_is_refused_before_it_is_read():
    claim = struct.pack("<Q", 3 << 30)
    head = claim + tfrecord(claim)[-4:]  # its checksum
    asked = []

    def chunks():
        yield head
        for _ in range(3 << 10):
            asked.append(1)
            yield b"x" * (1 << 20)

    with pytest.raises(FramingError, match=r"^contains a record of 3,221,225,472 bytes; the limit is 268,435,456$"):
        list(tfrecords(chunks()))
    assert not asked


def test_a_bomb_is_unpacked_in_pieces():
    pieces = gunzip(cut(gzip.compress(b"a" * (64 << 20)), 1 << 16))
    assert {len(piece) <= 1 << 20 for piece in pieces} == {True}


def test_what_is_not_one_gzip_stream_is_seen():
    for data in gzip.compress(b"a" * 99)[:-1], gzip.compress(b"a") + b"x", b"plain", b"":
        with pytest.raises(FramingError, match="^is not "):
            list(gunzip(cut(data, 5)))


@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=5), max_size=6), st.integers(1, 9))
def test_lines_are_counted(lines, size):
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    assert count_lines(cut(data, size)) == len(lines)


def test_a_line_without_an_end_is_seen():
    with pytest.raises(FramingError, match="^ends within a line$"):
        count_lines([b"a\nb", b""])
