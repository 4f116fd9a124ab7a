"""Candidates from sketch files: the same whatever the memory, and whichever file a document is in."""

import numpy as np
import pytest

from rules.duplicates.candidates import CAP, unpack
from rules.duplicates.sketch import Bands, Sketch
from tests.transforms.duplicates.made import document
from transforms.duplicates.files import Sketches, SketchWriter, kept_elements
from transforms.duplicates.find import candidate_pairs
from transforms.layout import WorkspaceLayout

BANDS = Bands(count=12, rows=7)


def made(tmp_path, count, *, files, few):
    """Documents whose bands have ``few`` values."""
    numbers = np.random.default_rng(4)
    (tmp_path / "sketches").mkdir(exist_ok=True)
    written = []
    for number, mine in enumerate(np.array_split(np.arange(count), files)):
        writer = SketchWriter(WorkspaceLayout(str(tmp_path)), f"r{number}", BANDS, keep=True)
        for i in mine:
            shingles = np.sort(numbers.choice(10**6, 5 + int(i) % 3, replace=False)).astype(np.uint32)
            bands = numbers.integers(0, few, BANDS.count).astype(np.uint64)
            writer.add(
                document(f"d{i}", "x", offset=int(i)), Sketch(exact=int(i) << 40, shingles=shingles, bands=bands)
            )
            writer.keep({"number": int(i), "text": "é\ud800"})
        written.append(writer.close())
    return Sketches(written[::-1])


@pytest.mark.parametrize("few", [3, 2000])  # groups over the cap, and below it
@pytest.mark.parametrize("memory", [1, 8 * 400 * 7, 1 << 30])
def test_memory_makes_no_difference(tmp_path, few, memory):
    sketches = made(tmp_path, 400, files=3, few=few)
    numbers = np.delete(np.arange(400), [0, 7, 399])
    pairs = candidate_pairs(sketches, numbers, memory=memory)
    assert np.array_equal(pairs, candidate_pairs(made(tmp_path, 400, files=1, few=few), numbers))
    assert not np.isin(np.concatenate(unpack(pairs)), [0, 7, 399]).any()
    assert 0 < len(pairs) <= BANDS.count * 5 * 400 * CAP / 2


def test_what_is_written_is_read(tmp_path):
    sketches, one = made(tmp_path, 50, files=4, few=9), made(tmp_path, 50, files=1, few=9)
    assert sketches.documents == 50 and sketches.band_count == BANDS.count
    assert [c.tolist() for c in sketches.columns(["offset", "exact"])] == [
        list(range(50)),
        [i << 40 for i in range(50)],
    ]
    assert np.array_equal(sketches.bands([11, 0], np.arange(50)), one.bands([11, 0], np.arange(50)))
    wanted = np.array([0, 12, 13, 49])
    found, expected = sketches.shingles(wanted), one.shingles(wanted)
    assert list(found) == wanted.tolist() and [len(s) for s in found.values()] == [5, 5, 6, 6]
    assert all(np.array_equal(found[i], expected[i]) for i in found)
    assert [e["number"] for f in sketches.files for e in kept_elements(f.kept)] == list(range(50))
