"""The comparison of sketches: what brute force finds, whatever is in memory and however documents are dealt out."""

import dataclasses
import json
from pathlib import Path

import apache_beam as beam
import numpy as np
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.pipelines.runners.quiet import quiet
from gistmill.rules.duplicates import Bands, Sketch, moment
from gistmill.transforms.beam.transforms import CreateConstants
from gistmill.transforms.duplicates.minhash import DuplicatesConfig, MinhashBuckets, MinhashCluster
from gistmill.transforms.duplicates.signatures import SketchWriter
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import CHUNK_ROWS, GatherChunks
from tests.transforms.duplicates.made import document
from tests.transforms.duplicates.oracle import Known, removed

DATES = ("", "2020-01-01", "2021-02-03")


def made(folder, *, seed, documents, bands, few, ranges, old=0):
    """Sketch files of random documents, and the documents. Bands have ``few`` values; the first ``old`` ranges are old."""
    chosen = np.random.default_rng(seed)
    layout = WorkspaceLayout(str(folder))
    bases = [chosen.choice(10**6, 20, replace=False) for _ in range(max(1, documents // 4))]
    keys = _keys(chosen, few, (len(bases), bands))
    files, known = [], []
    for number, mine in enumerate(np.array_split(np.arange(documents), ranges)):
        writer = SketchWriter(layout, f"r{number:03}", Bands(count=bands, rows=7), keep=False)
        for i in mine.tolist():
            base = int(chosen.integers(len(bases)))
            shingles, mine_keys = bases[base].copy(), keys[base].copy()
            shingles[: chosen.integers(4)] = chosen.integers(10**6)
            other = chosen.random(bands) < chosen.choice([0, 0.2, 0.7])
            mine_keys[other] = _keys(chosen, few, int(other.sum()))
            page = document(f"d{i}", "x", offset=i, date=DATES[int(chosen.integers(3))])
            exact = int(chosen.integers(2 * documents)) << 43
            sketch = Sketch(exact=exact, shingles=np.unique(shingles).astype(np.uint32), bands=mine_keys)
            writer.add(page, sketch)
            known.append(
                Known(
                    id=page.id,
                    range_key=f"r{number:03}",
                    offset=i,
                    date=moment(page),
                    exact=exact,
                    bands=tuple(mine_keys.tolist()),
                    shingles=frozenset(sketch.shingles.tolist()),
                    old=number < old,
                )
            )
        files.append(dataclasses.replace(writer.close(), old=number < old))
    return files, known


def _keys(chosen, few, shape):
    return chosen.integers(0, few, shape).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)


def compared(folder, files, rows, sizes, mode="near"):
    """What the files of the ranges say; chunks have ``rows`` documents at least."""
    layout, config = WorkspaceLayout(str(folder)), DuplicatesConfig(deduplicate=mode)
    Path(layout.duplicates).mkdir(exist_ok=True)
    with quiet(), beam.Pipeline(runner=FnApiRunner()) as pipeline:
        pairs = pipeline | CreateConstants(files) | GatherChunks(layout, rows) | MinhashBuckets(layout, config, **sizes)
        _ = pairs | MinhashCluster(layout, config)
    found = {p.stem: json.loads(p.read_text()) for p in Path(layout.duplicates).iterdir()}
    assert all(value["kept"] == [] for value in found.values())
    return {range_key: value["removed"] for range_key, value in found.items()}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sketches").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("seed", "documents", "bands", "few", "ranges", "old", "rows", "sizes", "mode"),
    [
        (1, 400, 12, 3, 9, 0, 50, {"bucket": 7, "piece": 3}, "near"),  # groups over the cap, in every band
        (2, 400, 6, 40, 9, 4, 1, {"bucket": 100, "piece": 64}, "near"),
        (3, 400, 2, 1, 3, 0, 1, {"bucket": 100, "piece": 8192}, "near"),  # all have the same bands
        (4, 300, 6, 10**6, 9, 3, CHUNK_ROWS, {}, "near"),
        (5, 60, 1, 3, 5, 1, 20, {"bucket": 7, "piece": 64}, "near"),  # nothing to refine a band by
        (6, 300, 0, 1, 5, 2, 20, {"bucket": 7, "piece": 64}, "exact"),
        (7, 5, 6, 40, 9, 1, 1, {"bucket": 1, "piece": 1}, "near"),  # ranges without documents
        (8, 1, 6, 40, 1, 0, CHUNK_ROWS, {}, "near"),
    ],
)
def test_the_same_as_brute_force(folder, seed, documents, bands, few, ranges, old, rows, sizes, mode):
    files, known = made(folder, seed=seed, documents=documents, bands=bands, few=few, ranges=ranges, old=old)
    chosen = np.random.default_rng(seed).permutation(len(files))
    found = compared(folder, [files[i] for i in chosen], rows, sizes, mode)
    expected = removed(known, 0.8 if mode == "near" else None)
    assert {k: v for k, v in found.items() if v} == {k: v for k, v in expected.items() if v}
    assert found.keys() == {f.range_key for f in files if not f.old}
    assert documents < 60 or sum(map(len, found.values())) > 10


def test_a_range_in_parts_is_in_order_of_its_documents(folder):
    """The parts of a range that came in several bundles have random names."""
    files, known = made(folder, seed=9, documents=300, bands=6, few=3, ranges=6)
    parts = [dataclasses.replace(f, range_key=f"r{i // 3}") for i, f in enumerate(files)]
    found = compared(folder, parts[::-1], 1, {"bucket": 50})
    expected = removed([dataclasses.replace(d, range_key=f"r{int(d.range_key[1:]) // 3}") for d in known], 0.8)
    assert found == expected and sum(map(len, found.values())) > 10
