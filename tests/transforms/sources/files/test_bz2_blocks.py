"""bz2 files block by block: from any byte on, the same text as the whole stream."""

from __future__ import annotations

import bz2
import itertools
import random
from pathlib import Path

import pytest

from gistmill.core.records import Damage
from gistmill.transforms.sources.files import bz2_blocks
from gistmill.transforms.sources.files.bz2_blocks import block_pieces, marks
from gistmill.transforms.sources.files.streams import Piece


def noise(draw: random.Random, size: int) -> bytes:
    return draw.randbytes(size // 2) + b"<page>x</page>" * (size // 28)


@pytest.fixture(scope="module")
def text() -> bytes:
    draw = random.Random(5)
    return b"".join(noise(draw, draw.randrange(300_000)) for _ in range(10))


@pytest.fixture(scope="module", params=["one stream", "many streams"])
def file(request: pytest.FixtureRequest, text: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bz2") / "text.bz2"
    cuts = [0, len(text)] if request.param == "one stream" else [0, 7, 70_000, 700_000, 700_000, len(text)]
    path.write_bytes(b"".join(bz2.compress(text[a:b], 1) for a, b in itertools.pairwise(cuts)))
    return path


def texts(found: list[Piece | Damage]) -> bytes:
    return b"".join(piece.data for piece in found if isinstance(piece, Piece))


def damages(found: list[Piece | Damage]) -> list[Damage]:
    return [piece for piece in found if isinstance(piece, Damage)]


def test_the_text_is_that_of_the_whole_file(file: Path, text: bytes) -> None:
    found = list(block_pieces(str(file)))
    assert texts(found) == text and not damages(found) and len(found) > 10


@pytest.mark.slow
def test_each_block_belongs_to_the_part_in_which_it_begins(file: Path, text: bytes) -> None:
    size, draw = file.stat().st_size, random.Random(1)
    for _ in range(12):
        cuts = sorted({0, size, *(draw.randrange(size) for _ in range(draw.randrange(4)))})
        parts = [
            piece.data
            for start, end in itertools.pairwise(cuts)
            for piece in block_pieces(str(file), start, end)
            if isinstance(piece, Piece) and piece.origin < end
        ]
        assert b"".join(parts) == text


def test_a_magic_number_in_the_data_is_found_by_the_checksum(
    file: Path, text: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bz2_blocks, "marks", lambda data: sorted([*marks(data), (len(data) * 4 + 3, True)]))
    assert texts(found := list(block_pieces(str(file)))) == text and not damages(found)
    for start in range(0, file.stat().st_size, 100_003):
        assert not damages(list(block_pieces(str(file), start)))


def test_a_file_that_is_cut_off_says_so(file: Path, text: bytes) -> None:
    data, cut = file.read_bytes(), file.with_name("cut.bz2")
    for size in (len(data) - 1, len(data) - 5, len(data) - 11, len(data) // 2, 9_000):
        cut.write_bytes(data[:size])
        found = list(block_pieces(str(cut)))
        (damage,) = damages(found)
        assert "cut off" in damage.message and text.startswith(texts(found))


@pytest.mark.slow
def test_a_flipped_bit_costs_one_block(file: Path, text: bytes) -> None:
    data, damaged, draw = file.read_bytes(), file.with_name("damaged.bz2"), random.Random(3)
    for _ in range(12):
        at = draw.randrange(100, len(data) - 100)
        damaged.write_bytes(data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :])
        found = list(block_pieces(str(damaged)))
        assert len(damages(found)) == 1
        assert len(text) - 200_000 < len(texts(found)) <= len(text)


def test_zeros_may_follow_and_nothing_else(file: Path) -> None:
    longer = file.with_name("longer.bz2")
    longer.write_bytes(file.read_bytes() + bytes(5))
    assert not damages(list(block_pieces(str(longer))))
    longer.write_bytes(file.read_bytes() + b"more")
    assert [d.message for d in damages(list(block_pieces(str(longer))))] == ["no stream begins here"]
