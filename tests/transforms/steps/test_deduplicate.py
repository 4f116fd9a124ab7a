"""Both passes in a pipeline: what is found, what stays, and that it depends on the documents alone."""

import dataclasses
import random
from pathlib import Path

import apache_beam as beam
import pytest

from gistmill.core.records import Origin, RangeEnd, Reject
from gistmill.rules.documents import CleanReason
from gistmill.rules.duplicates import bands_for
from tests.transforms.duplicates.made import deduplicate, document, removed, write_ranges

_CHOSEN = random.Random(3)
BASES = [[f"w{_CHOSEN.randrange(3000)}" for _ in range(120)] for _ in range(12)]


def edited(base, *places):
    return " ".join("other" if i in places else w for i, w in enumerate(base))


def corpus():
    """12 documents, of which 3 have an exact copy, 3 near ones, 2 a chain of near ones, and 2 look-alikes that stay."""
    made = [document(f"base-{i}", " ".join(b), date=f"2020-01-{i + 1:02}") for i, b in enumerate(BASES)]
    made += [
        document(f"copy-{i}", " ".join(BASES[i]).title().replace(" ", ",\n\n", 9), date="2021-05-05") for i in range(3)
    ]
    made += [document(f"near-{i}", edited(BASES[i], 50), date="2021-05-06") for i in range(3, 6)]
    made += [
        document("early-6", edited(BASES[6], 20), date="2019-12-31"),
        document("late-6", edited(BASES[6], 100), date="2022-01-01"),
    ]
    made += [
        document(f"chain-{i}", edited(BASES[7], *range(0, 12 * i, 12)), date=f"2023-01-{i:02}") for i in range(1, 5)
    ]
    made += [document(f"alike-{i}", edited(BASES[i], *range(0, 120, 20)), date="2018-01-01") for i in (8, 9)]
    return made


EXPECTED = {
    **{f"copy-{i}": ("EXACT_DUPLICATE", f"base-{i}") for i in range(3)},
    **{f"near-{i}": ("NEAR_DUPLICATE", f"base-{i}") for i in range(3, 6)},
    "base-6": ("NEAR_DUPLICATE", "early-6"),
    "late-6": ("NEAR_DUPLICATE", "early-6"),
    **{f"chain-{i}": ("NEAR_DUPLICATE", "base-7") for i in range(1, 5)},
}


@pytest.mark.parametrize(("ranges", "seed", "keep"), [(1, None, True), (7, 2, False)])
def test_order_and_ranges_make_no_difference(tmp_path, ranges, seed, keep):
    documents = corpus()
    if seed is not None:
        random.Random(seed).shuffle(documents)
    found = deduplicate(tmp_path, write_ranges(tmp_path / "in", documents, ranges=ranges), keep=keep)
    assert removed(found) == EXPECTED
    assert sum(isinstance(e, RangeEnd) for e in found) == ranges
    assert {e.id for e in found if not isinstance(e, RangeEnd)} == {d.id for d in documents}
    assert len(found) == len(documents) + ranges
    for element in found:
        if isinstance(element, Reject):
            assert (element.stage, element.unit) == ("deduplicate", "document")
            assert element.origin.file == "" and element.origin.range_key


def test_without_dates_the_first_stays(tmp_path):
    undated = [dataclasses.replace(d, origin=dataclasses.replace(d.origin, timestamp="")) for d in corpus()]
    refused = Origin("bad", "made", " ".join(BASES[11])).reject(CleanReason.NO_PROSE, "clean")  # nobody's copy
    same = document("same", "The same words, twice.")
    given = [refused, *undated[::-1], refused, same, same]
    elements = deduplicate(tmp_path, write_ranges(tmp_path / "in", given, ranges=4))
    found = removed(elements)
    assert found["base-0"] == ("EXACT_DUPLICATE", "copy-0") and found["base-7"] == ("NEAR_DUPLICATE", "chain-4")
    assert "base-11" not in found
    assert [e.reason for e in elements if getattr(e, "id", "") == "bad"] == [CleanReason.NO_PROSE] * 2
    kinds = [type(e).__name__ for e in elements if getattr(e, "id", "") == "same"]
    assert sorted(kinds) == ["CleanDocument", "Reject"]


def test_exact_copies_only(tmp_path):
    found = removed(deduplicate(tmp_path, write_ranges(tmp_path / "in", corpus(), ranges=2), deduplicate="exact"))
    assert found == {k: v for k, v in EXPECTED.items() if v[0] == "EXACT_DUPLICATE"}


@pytest.mark.slow
def test_the_threshold_decides(tmp_path):
    found = removed(deduplicate(tmp_path, write_ranges(tmp_path / "in", corpus(), ranges=2), duplicate_threshold=0.5))
    assert found == {**EXPECTED, "base-8": ("NEAR_DUPLICATE", "alike-8"), "base-9": ("NEAR_DUPLICATE", "alike-9")}
    strict = removed(
        deduplicate(tmp_path / "b", write_ranges(tmp_path / "in", corpus(), ranges=2), duplicate_threshold=1.0)
    )
    assert {i for i, (reason, _) in strict.items()} == {"copy-0", "copy-1", "copy-2"}


@pytest.mark.parametrize("texts", [[], ["One.", "", "…", "a b", "A b!", "a c"]])
def test_little_or_nothing(tmp_path, texts):
    documents = [document(f"d{i}", text) for i, text in enumerate(texts)]
    found = deduplicate(tmp_path, write_ranges(tmp_path / "in", documents, ranges=1))
    assert len(found) == len(texts) + 1
    assert set(removed(found)) == {f"d{i}" for i, t in enumerate(texts) if t in ("…", "A b!")}


@pytest.mark.slow
def test_a_resumed_run_compares_with_finished_ranges_and_reads_no_range_twice(tmp_path):
    ranges = write_ranges(tmp_path / "in", corpus(), ranges=5)
    deduplicate(tmp_path, ranges)
    for place in ranges:
        if place.key != ranges[3].key:
            Path(place.path).unlink()  # what is looked through already is not read again
    (tmp_path / "work" / "sketches" / f"{ranges[3].key}.json").unlink()
    found = deduplicate(tmp_path, ranges, pending=ranges[2:])
    here = {e.id for e in found if not isinstance(e, RangeEnd)}
    assert 0 < len(here) < len(corpus())
    assert removed(found) == {k: v for k, v in EXPECTED.items() if k in here}


@pytest.mark.slow
def test_a_torn_sketch_is_made_again(tmp_path):
    ranges = write_ranges(tmp_path / "in", corpus(), ranges=2)
    deduplicate(tmp_path, ranges)
    for path in (tmp_path / "work" / "sketches").glob(f"{ranges[0].key}-*.shingles"):
        path.write_bytes(path.read_bytes()[:-4])
    assert removed(deduplicate(tmp_path, ranges)) == EXPECTED


_GROUP = beam.GroupByKey


class _Counted(beam.PTransform):
    """Groups, and notes how many values each group has."""

    sizes: list[int] = []

    def expand(self, values):
        return values | "Group" >> _GROUP() | "Count" >> beam.Map(_counted)


def _counted(group):
    values = list(group[1])
    _Counted.sizes.append(len(values))
    return group[0], values


@pytest.mark.slow
def test_no_group_grows_with_the_copies(tmp_path, monkeypatch):
    """20,000 identical documents and 2,000 nearly so: groups hold ranges, and places of a band or its refinements."""
    monkeypatch.setattr(beam, "GroupByKey", _Counted)
    monkeypatch.setattr(_Counted, "sizes", [])
    text = " ".join(BASES[0][:30])
    documents = [document(f"d{i:05}", text) for i in range(20_000)]
    documents += [document(f"e{i:05}", f"{' '.join(BASES[1])} {i}") for i in range(2_000)]
    ranges = write_ranges(tmp_path / "in", documents, ranges=20)
    found = removed(deduplicate(tmp_path, ranges, keep=False))
    assert found == {
        **{f"d{i:05}": ("EXACT_DUPLICATE", "d00000") for i in range(1, 20_000)},
        **{f"e{i:05}": ("NEAR_DUPLICATE", "e00000") for i in range(1, 2_000)},
    }
    assert _Counted.sizes and max(_Counted.sizes) <= 5 * bands_for(0.8).count
