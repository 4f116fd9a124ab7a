import bz2
import gzip
import os
import random

import pytest

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.streams import (
    BLOCK,
    Piece,
    bz2_pieces,
    find_header,
    gzip_pieces,
    plain_pieces,
)
from tests.transforms.sources.wikipedia.exports import multistream


def noise(size, seed=1):
    return random.Random(seed).randbytes(size)


def run(pieces):
    """Returns (text, damage, offsets where streams begin)."""
    text, damage, begins = b"", [], []
    for piece in pieces:
        if isinstance(piece, Damage):
            damage.append(piece)
        elif piece.data:
            text += piece.data
        else:
            begins.append(piece.origin)
    return text, damage, begins


def put(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    return str(path)


def test_streams_are_announced_before_they_are_decompressed(tmp_path):
    parts = [b"a" * 100, b"", noise(3 * BLOCK), b"b"]
    path = put(tmp_path, multistream(parts))
    text, damage, begins = run(bz2_pieces(path))
    sizes = [len(bz2.compress(part)) for part in parts]
    assert text == b"".join(parts) and not damage
    assert begins == [0, sizes[0], sum(sizes[:2]), sum(sizes[:3])]
    assert run(bz2_pieces(path, begins[2]))[0] == b"".join(parts[2:])


def test_places_in_the_text_of_a_stream_add_up(tmp_path):
    parts = [noise(5 * BLOCK, seed) for seed in (1, 2)]
    position = {}
    for piece in bz2_pieces(put(tmp_path, multistream(parts))):
        assert piece.inner == position.get(piece.origin, 0)
        position[piece.origin] = piece.inner + len(piece.data)
    assert sorted(position.values()) == [5 * BLOCK, 5 * BLOCK]


@pytest.mark.parametrize("pad", [1, 511, 3 * BLOCK])
@pytest.mark.parametrize(("compress", "pieces"), [(bz2.compress, bz2_pieces), (gzip.compress, gzip_pieces)])
def test_zeros_after_the_end_are_padding_and_anything_else_is_damage(tmp_path, pad, compress, pieces):
    good = compress(b"text") + compress(b"more")
    assert run(pieces(put(tmp_path, good + b"\0" * pad)))[:2] == (b"textmore", [])
    for junk in b"\0" * pad + b"x", b"x" * pad:
        text, damage, _ = run(pieces(put(tmp_path, good + junk)))
        assert text == b"textmore" and [(d.offset, d.message) for d in damage] == [(len(good), "no stream begins here")]


@pytest.mark.parametrize("junk", [b"B", b"BZ", b"BZh9 junk", b"\x1f", b"\x1f\x8b"])
def test_half_a_magic_number_after_the_end_is_damage(tmp_path, junk):
    for compress, pieces in (bz2.compress, bz2_pieces), (gzip.compress, gzip_pieces):
        text, damage, _ = run(pieces(put(tmp_path, compress(b"text") + junk)))
        assert text == b"text" and len(damage) == 1


def test_every_cut_of_gzip_gives_all_text_that_zlib_can(tmp_path):
    data = " ".join(map(str, range(3000))).encode()
    packed = gzip.compress(data)
    for cut in range(2, len(packed), 37):
        text, damage, _ = run(gzip_pieces(put(tmp_path, packed[:cut])))
        assert data.startswith(text) and damage[0].offset == 0 and "cut off" in damage[0].message
    assert len(text) > len(data) * 0.9


def test_a_damaged_stream_costs_that_stream_only(tmp_path):
    parts = [bz2.compress(noise(2000, seed)) for seed in range(5)]
    broken = bytearray(parts[2])
    broken[len(broken) // 2] ^= 0xFF
    path = put(tmp_path, b"".join([*parts[:2], bytes(broken), *parts[3:]]))
    text, damage, _ = run(bz2_pieces(path))
    offset = len(parts[0]) + len(parts[1])
    assert text == noise(2000, 0) + noise(2000, 1) + noise(2000, 3) + noise(2000, 4)
    assert [d.offset for d in damage] == [offset] and "damaged" in damage[0].message and damage[0].file == path
    assert run(bz2_pieces(path, 0, offset + 5))[0] == noise(2000, 0) + noise(2000, 1)


def test_a_damaged_block_costs_no_good_block_before_it_and_is_not_given(tmp_path):
    data = " ".join(map(str, range(150_000))).encode()  # ten blocks of 100 kB
    packed = bytearray(bz2.compress(data, 1))
    packed[len(packed) * 6 // 10] ^= 0x10
    text, damage, _ = run(bz2_pieces(put(tmp_path, bytes(packed))))
    assert data.startswith(text) and len(text) > len(data) * 0.4 and len(damage) == 1


def test_a_stream_header_across_blocks_of_the_file_is_found(tmp_path):
    for shift in range(-11, 2):
        path = put(tmp_path, b"x" * (BLOCK + shift) + bz2.compress(b"a"))
        with open_input(path) as handle:
            assert find_header(handle, 3, None) == BLOCK + shift
            assert find_header(handle, BLOCK + shift + 1, None) is None
            assert find_header(handle, 0, BLOCK + shift) is None


def test_plain_pieces_begin_at_the_end_of_the_range(tmp_path):
    data = noise(BLOCK * 2 + 5)
    pieces = list(plain_pieces(put(tmp_path, data), 10, BLOCK + 100, base=1000))
    assert b"".join(piece.data for piece in pieces) == data[10:]
    assert Piece(b"", 1000 + BLOCK + 100, 0) in pieces
    assert all(piece.data == data[piece.origin - 1000 :][: len(piece.data)] for piece in pieces)


def test_memory_stays_flat_on_a_bomb(tmp_path):
    path = put(tmp_path, bz2.compress(b"\0" * (1 << 26)))
    assert os.path.getsize(path) < 200
    assert max(len(piece.data) for piece in bz2_pieces(path)) <= 1 << 22


def test_gzip_gives_all_text_however_little_is_asked_for_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("gistmill.transforms.sources.files.streams._OUTPUT", 1000)
    for size in 1000, 100_001:
        path = put(tmp_path, gzip.compress(b"\0" * size) + gzip.compress(b"end"))
        text, damage, _ = run(gzip_pieces(path))
        assert text == b"\0" * size + b"end" and not damage
