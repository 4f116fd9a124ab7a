import gzip
import random

import pytest

from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.streams import unpacked_pieces
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from tests.transforms.sources.wikipedia.exports import HEAD, export, page, ranges_of, read_all

DATA = export(page(number, text=f"{number} " * 50) for number in range(1, 101))
SMALL = WikipediaConfig(range_bytes=256)  # chunks of 2 kB


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(DATA))
    return path


def test_chunks_are_whole_pages_and_together_the_text(tmp_path, dump):
    ranges = ranges_of(dump, tmp_path, SMALL)
    texts = [b"".join(piece.data for piece in unpacked_pieces(place.path, "zstd")) for place in ranges]
    assert len(ranges) > 20 and b"".join(texts) == DATA
    assert all(text.endswith(b"</page>") for text in texts[:-1])
    assert all(len(text) < 2048 + 500 for text in texts)


def test_a_file_of_many_huge_pages_is_refused_before_it_fills_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("gistmill.transforms.sources.files.streams._ALWAYS_ALLOWED", 1 << 21)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(HEAD.encode() + page(1, text="x" * 10**5).encode() * 300))
    with pytest.raises(SourceError, match="bomb"):
        ranges_of(path, tmp_path)
    assert sum(chunk.stat().st_size for chunk in (tmp_path / "spool").iterdir()) < 10**7 < 300 * 10**5


def test_text_that_zstd_packs_far_smaller_than_gzip_is_no_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr("gistmill.transforms.sources.files.streams._ALWAYS_ALLOWED", 1 << 16)
    monkeypatch.setattr("gistmill.transforms.sources.wikipedia.source._SMALLEST_CHUNK", 1 << 22)
    path, text = tmp_path / "a.gz", random.Random(1).randbytes(4500).hex()  # gzip looks back less often than zstd
    path.write_bytes(gzip.compress(export(page(number, text=text) for number in range(1, 301))))
    (chunk,) = ranges_of(path, tmp_path, WikipediaConfig(range_bytes=1 << 30))
    assert chunk.end > (1 << 16) + 200 * (tmp_path / chunk.path).stat().st_size
    assert len(read_all(path, tmp_path, WikipediaConfig(range_bytes=1 << 30))[0]) == 300


def test_damage_travels_with_the_last_chunk(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(DATA)[:-20])
    *others, final = ranges_of(path, tmp_path, SMALL)
    assert not any(place.damage for place in others) and "cut off" in final.damage[0].message


def test_with_a_limit_only_the_pages_up_to_it_are_spooled(tmp_path, dump):
    ranges = ranges_of(dump, tmp_path, WikipediaConfig(limit=3))
    assert len(ranges) == 3 and sum(place.end - place.start for place in ranges) == len(DATA)
    assert ranges[-1].max_documents == 1 and not ranges[-1].last
