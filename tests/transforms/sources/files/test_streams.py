"""Text of packed files in pieces, as it was; padding, damage, bombs."""

import bz2
import gzip
import itertools
import lzma
import os
import random
import re
from functools import partial

import pytest
import zstandard

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.streams import BLOCK, Piece, plain_pieces, unpacked_pieces

UNPACK = {packing: partial(unpacked_pieces, packing=packing) for packing in ("gzip", "xz", "zstd")}
STREAMS = {"bz2": (bz2.compress, block_pieces), "gzip": (gzip.compress, UNPACK["gzip"])}
FRAMES = {"xz": (partial(lzma.compress, preset=0), UNPACK["xz"]), "zstd": (zstandard.compress, UNPACK["zstd"])}
TEXT = b"".join(b"Line %d of a text that is packed.\n" % number for number in range(60_000))


def put(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    return str(path)


def run(found):
    """Returns the text and the damage."""
    found = list(found)
    return b"".join(p.data for p in found if isinstance(p, Piece)), [p for p in found if isinstance(p, Damage)]


@pytest.mark.parametrize("name", STREAMS)
def test_zeros_after_the_end_are_padding_and_anything_else_is_damage(tmp_path, name):
    compress, pieces = STREAMS[name]
    good = compress(b"text") + compress(b"more")
    for pad in 1, 511, 3 * BLOCK:
        assert run(pieces(put(tmp_path, good + b"\0" * pad))) == (b"textmore", [])
        for junk in b"\0" * pad + b"x", b"x" * pad:
            text, (damage,) = run(pieces(put(tmp_path, good + junk)))
            assert text == b"textmore" and damage.offset == len(good)
            assert re.search("no stream begins here|after 0 bytes of text", damage.message)
    for junk in b"B", b"BZ", b"BZh9 junk", b"\x1f", b"\x1f\x8b":  # half a magic number
        text, damage = run(pieces(put(tmp_path, compress(b"text") + junk)))
        assert text == b"text" and len(damage) == 1, junk


def test_every_cut_of_gzip_gives_all_text_that_zlib_can(tmp_path):
    data = " ".join(map(str, range(3000))).encode()
    packed = gzip.compress(data)
    for cut in range(2, len(packed), 37):
        text, damage = run(unpacked_pieces(put(tmp_path, packed[:cut]), "gzip"))
        assert data.startswith(text) and damage[0].offset == 0 and "cut off" in damage[0].message
    assert len(text) > len(data) * 0.9


def test_plain_pieces_begin_at_the_end_of_the_range(tmp_path):
    data = random.Random(1).randbytes(BLOCK * 2 + 5)
    pieces = list(plain_pieces(put(tmp_path, data), 10, BLOCK + 100, base=1000))
    assert b"".join(piece.data for piece in pieces) == data[10:]
    assert Piece(b"", 1000 + BLOCK + 100, 0) in pieces
    assert all(piece.data == data[piece.origin - 1000 :][: len(piece.data)] for piece in pieces)


def test_memory_stays_flat_on_a_bomb(tmp_path):
    path = put(tmp_path, bz2.compress(b"\0" * (1 << 26)))
    assert os.path.getsize(path) < 200
    pieces = list(block_pieces(path))
    assert max(len(piece.data) for piece in pieces) <= 1 << 22
    assert sum(len(piece.data) for piece in pieces) == 1 << 26
    assert all(p.inner + len(p.data) == q.inner for p, q in itertools.pairwise(pieces) if p.origin == q.origin)


def test_gzip_gives_all_text_of_what_compresses_most(tmp_path):
    for size in 1000, 3_000_001:
        path = put(tmp_path, gzip.compress(b"\0" * size) + gzip.compress(b"end"))
        assert run(unpacked_pieces(path, "gzip")) == (b"\0" * size + b"end", [])


@pytest.mark.parametrize("name", FRAMES)
def test_the_text_of_frames_is_what_was_packed_and_else_damage(tmp_path, name):
    pack, pieces = FRAMES[name]
    packed = pack(TEXT)
    found = list(pieces(put(tmp_path, packed + pack(b"") + pack(b"more"))))
    assert run(found) == (TEXT + b"more", []) and len(found) > 3
    assert [piece.inner for piece in found[:3]] == [0, *itertools.accumulate(len(piece.data) for piece in found[:2])]
    text, (damage,) = run(pieces(put(tmp_path, packed[:-20])))
    assert TEXT.startswith(text) and "is cut off after" in damage.message
    changed = packed[: len(packed) // 2] + b"\x55" * 40 + packed[len(packed) // 2 + 40 :]
    text, (damage,) = run(pieces(put(tmp_path, changed)))
    assert len(text) < len(TEXT) and "is damaged after" in damage.message


def test_padding_between_xz_streams_is_no_text(tmp_path):
    content = lzma.compress(b"one") + bytes(4096) + lzma.compress(b"two") + bytes(8)
    assert run(UNPACK["xz"](put(tmp_path, content))) == (b"onetwo", [])


def test_a_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("gistmill.transforms.sources.files.streams._ALWAYS_ALLOWED", 1 << 20)
    for pack, pieces in (STREAMS | FRAMES).values():
        with pytest.raises(SourceError, match="refused as a decompression bomb"):
            run(pieces(put(tmp_path, pack(bytes(16 << 20)))))


def test_an_xz_file_that_wants_much_memory_is_damage(tmp_path):
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    text, (damage,) = run(UNPACK["xz"](put(tmp_path, lzma.compress(b"text", filters=filters))))
    assert not text and "is damaged after" in damage.message
