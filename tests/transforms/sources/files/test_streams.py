import bz2
import gzip
import itertools
import os
import random

import pytest

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.streams import BLOCK, Piece, gzip_pieces, plain_pieces


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


@pytest.mark.parametrize("pad", [1, 511, 3 * BLOCK])
@pytest.mark.parametrize(("compress", "pieces"), [(bz2.compress, block_pieces), (gzip.compress, gzip_pieces)])
def test_zeros_after_the_end_are_padding_and_anything_else_is_damage(tmp_path, pad, compress, pieces):
    good = compress(b"text") + compress(b"more")
    assert run(pieces(put(tmp_path, good + b"\0" * pad)))[:2] == (b"textmore", [])
    for junk in b"\0" * pad + b"x", b"x" * pad:
        text, damage, _ = run(pieces(put(tmp_path, good + junk)))
        assert text == b"textmore" and [(d.offset, d.message) for d in damage] == [(len(good), "no stream begins here")]


@pytest.mark.parametrize("junk", [b"B", b"BZ", b"BZh9 junk", b"\x1f", b"\x1f\x8b"])
def test_half_a_magic_number_after_the_end_is_damage(tmp_path, junk):
    for compress, pieces in (bz2.compress, block_pieces), (gzip.compress, gzip_pieces):
        text, damage, _ = run(pieces(put(tmp_path, compress(b"text") + junk)))
        assert text == b"text" and len(damage) == 1


def test_every_cut_of_gzip_gives_all_text_that_zlib_can(tmp_path):
    data = " ".join(map(str, range(3000))).encode()
    packed = gzip.compress(data)
    for cut in range(2, len(packed), 37):
        text, damage, _ = run(gzip_pieces(put(tmp_path, packed[:cut])))
        assert data.startswith(text) and damage[0].offset == 0 and "cut off" in damage[0].message
    assert len(text) > len(data) * 0.9


def test_plain_pieces_begin_at_the_end_of_the_range(tmp_path):
    data = noise(BLOCK * 2 + 5)
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


def test_gzip_gives_all_text_however_little_is_asked_for_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("gistmill.transforms.sources.files.streams._OUTPUT", 1000)
    for size in 1000, 100_001:
        path = put(tmp_path, gzip.compress(b"\0" * size) + gzip.compress(b"end"))
        text, damage, _ = run(gzip_pieces(path))
        assert text == b"\0" * size + b"end" and not damage
