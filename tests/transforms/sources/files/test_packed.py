"""zstd and xz files: their text in pieces, as it was; damage, bombs."""

import lzma

import pytest
import zstandard

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.streams import xz_pieces, zstd_pieces

TEXT = b"".join(b"Line %d of a text that is packed.\n" % number for number in range(200_000))
FORMS = {"xz": (lzma.compress, xz_pieces), "zstd": (zstandard.compress, zstd_pieces)}


@pytest.fixture(params=FORMS)
def form(request):
    return FORMS[request.param]


def read(tmp_path, content, pieces):
    (tmp_path / "file").write_bytes(content)
    found = list(pieces(str(tmp_path / "file")))
    return b"".join(p.data for p in found if not isinstance(p, Damage)), [p for p in found if isinstance(p, Damage)]


@pytest.mark.slow
def test_text_is_what_was_packed(tmp_path, form):
    pack, pieces = form
    assert read(tmp_path, pack(TEXT), pieces) == (TEXT, [])
    assert read(tmp_path, pack(TEXT) + pack(b"") + pack(b"more"), pieces) == (TEXT + b"more", [])
    (tmp_path / "file").write_bytes(pack(TEXT))
    inner = 0
    for piece in pieces(str(tmp_path / "file")):
        assert piece.inner == inner
        inner += len(piece.data)


def test_padding_between_xz_streams_is_no_text(tmp_path):
    content = lzma.compress(b"one") + bytes(4096) + lzma.compress(b"two") + bytes(8)
    assert read(tmp_path, content, xz_pieces) == (b"onetwo", [])


@pytest.mark.slow
def test_what_is_cut_off_is_damage(tmp_path, form):
    pack, pieces = form
    text, (damage,) = read(tmp_path, pack(TEXT)[:-20], pieces)
    assert TEXT.startswith(text) and "the file ends inside" in damage.message


@pytest.mark.slow
def test_what_is_changed_is_damage(tmp_path, form):
    pack, pieces = form
    content = bytearray(pack(TEXT))
    content[len(content) // 2 : len(content) // 2 + 40] = b"\x55" * 40
    text, (damage,) = read(tmp_path, bytes(content), pieces)
    assert len(text) < len(TEXT) and "damaged before here" in damage.message


@pytest.mark.slow
def test_a_bomb_is_refused(tmp_path, form):
    pack, pieces = form
    with pytest.raises(SourceError, match="refused as a decompression bomb"):
        read(tmp_path, pack(bytes(400 << 20)), pieces)


def test_an_xz_file_that_wants_much_memory_is_damage(tmp_path):
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    text, (damage,) = read(tmp_path, lzma.compress(b"text", filters=filters), xz_pieces)
    assert not text and "damaged before here" in damage.message
