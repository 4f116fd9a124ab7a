"""Both passes over ranges: pairs get measures and places, everything else passes, and nothing is read in vain."""

import dataclasses
import json
import pickle

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.core.records import Origin, Pair, RangeEnd, Reject
from gistmill.pipelines.runners.quiet import quiet
from gistmill.rules.curriculum.recipe import CurriculumConfig, RankedPair
from gistmill.rules.documents import PairReason
from gistmill.transforms.beam.transforms import CreateConstants
from gistmill.transforms.ranks.find import RankPairs
from tests.transforms.duplicates.made import read_ranges, write_ranges


def pair(number, words):
    origin = Origin(f"p{number}", "made")
    return Pair(origin, " ".join(["word"] * words), "one", {"id": f"p{number}"}, "train")


PAIRS = [pair(number, words) for number, words in enumerate([5, 3, 9, 3, 1, 7])]
REJECT = Origin("bad", "made").reject(PairReason.NO_TEXT, "read")


def passed(folder, ranges, pending=None):
    """Runs both passes; returns the elements of the pending ranges."""
    output, workspace = folder / "out.pickle", folder / "work"
    (workspace / "sketches").mkdir(parents=True, exist_ok=True)
    with quiet(), beam.Pipeline(runner=FnApiRunner()) as pipeline:
        everything = pipeline | "All" >> CreateConstants(ranges)
        wanted = pipeline | "Pending" >> CreateConstants(ranges if pending is None else pending)
        found = (everything, wanted) | RankPairs(str(workspace), CurriculumConfig(buckets=2), read_ranges)
        _ = found | beam.combiners.ToList() | beam.Map(lambda elements: output.write_bytes(pickle.dumps(elements)))
    return pickle.loads(output.read_bytes())


def ranks(elements):
    return {e.id: e.places[""]["length"] for e in elements if isinstance(e, RankedPair)}


def test_pairs_get_places_and_all_else_passes(tmp_path):
    found = passed(tmp_path, write_ranges(tmp_path / "in", [*PAIRS[:2], REJECT, *PAIRS[2:]], ranges=3))
    places = {i: (place.rank, place.bucket) for i, place in ranks(found).items()}
    assert places == {"p4": (0, 0), "p1": (1, 0), "p3": (2, 0), "p0": (3, 1), "p5": (4, 1), "p2": (5, 1)}
    assert [e.reason for e in found if isinstance(e, Reject)] == [PairReason.NO_TEXT]
    assert sum(isinstance(e, RangeEnd) for e in found) == 3
    assert {e.id: e.inputs for e in found if isinstance(e, RankedPair)} == {p.id: p.inputs for p in PAIRS}


@pytest.mark.slow
def test_a_resumed_run_ranks_among_finished_ranges_and_scores_no_range_twice(tmp_path):
    ranges = write_ranges(tmp_path / "in", PAIRS, ranges=3)
    everything = ranks(passed(tmp_path, ranges))
    scores = sorted((tmp_path / "work/sketches").glob("*.scores"))
    again = ranks(passed(tmp_path, ranges, pending=ranges[2:]))
    assert again == {i: place for i, place in everything.items() if i in ("p4", "p5")}
    assert sorted((tmp_path / "work/sketches").glob("*.scores")) == scores
    marker = json.loads((tmp_path / "work/sketches" / f"{ranges[0].key}.json").read_text())
    with open(marker["table"], "ab") as torn:
        torn.write(b"more")
    assert ranks(passed(tmp_path, ranges)) == everything
    assert len(list((tmp_path / "work/sketches").glob("*.scores"))) == len(scores) + 1


def test_the_same_id_twice_is_left_to_the_writer(tmp_path):
    twice = [*PAIRS, dataclasses.replace(PAIRS[0], inputs="word " * 20)]
    found = passed(tmp_path, write_ranges(tmp_path / "in", twice, ranges=2))
    assert sorted(e.places[""]["length"].rank for e in found if isinstance(e, RankedPair)) == list(range(7))
