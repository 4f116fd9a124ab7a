"""Guards: each bound held and broken, and what chance is left."""

import numpy as np
import pytest

from gistmill.core.options import OptionError
from gistmill.core.statistics import Column
from gistmill.published.comparison.compare import classes, spread
from gistmill.published.comparison.comparison import (
    Comparison,
    Content,
    Lengths,
    Moved,
    Side,
    rejected,
)
from gistmill.published.comparison.guards import GuardsConfig, Range, broken, broken_alone
from tests.manifests import made_manifest

TYPES = {"A": 60_000, "B": 40_000}


def manifest(*, used=10_000, rows=None, reasons=None, unit="documents", read=None):
    refused = reasons or {}
    counts = {
        "documents": {"read": used if unit != "documents" else used + sum(refused.values()), "used": used},
        "rows/full": {"train": 90_000, "test": 10_000} if rows is None else rows,
        f"{unit}/rejected": refused,
    }
    if read is not None:
        counts.setdefault(unit, {})["read"] = read
    return made_manifest(counts=counts, columns={"full": (Column("id", "string", ""),)})


def comparison(old, new, *, types=(TYPES, TYPES), removed=0, lengths=None):
    return Comparison(
        recipe="discofuse",
        old=Side.of("old", old),
        new=Side.of("new", new),
        causes=(),
        distributions=(Moved.of("types", "full", *types),),
        rejected=rejected(old, new),
        transfer={},
        content=Content(
            documents={"old": 1000, "new": 1000, "added": removed, "removed": removed, "same": 1000 - removed},
            rows={},
            lengths=(lengths_of(*lengths),) if lengths else (),
        ),
    )


def lengths_of(*counts):
    old, new = map(np.array, counts)
    of = Moved.of("inputs", "full", *classes(old, new))
    return Lengths(config="full", column="inputs", old=spread(old), new=spread(new), moved=of)


def lines(old=None, new=None, bounds=None, **options):
    return broken(comparison(old or manifest(), new or manifest(), **options), GuardsConfig(**(bounds or {})))


def test_an_equal_version_breaks_nothing():
    assert lines() == [] and broken_alone(manifest(), GuardsConfig()) == []


def test_half_a_corpus_is_held_back():
    found = lines(new=manifest(used=5_000, rows={"train": 45_000, "test": 5_000}))
    assert [line.partition(":")[0] for line in found] == ["documents used", "rows of full"]
    assert found[0].startswith("documents used: 5,000, 0.5 times the 10,000 before (guards.documents: 0.8..1.5); ")


def test_a_corpus_that_doubles_is_held_back():
    twice = manifest(used=20_000, rows={"train": 180_000, "test": 20_000})
    assert lines(new=twice) and lines(new=twice, bounds={"documents": "0.8..", "rows": "0.8.."}) == []


def test_a_reason_that_jumps_is_held_back_though_its_share_is_small_and_one_that_becomes_rarer_is_not():
    def errors(count, read=10_000_000):
        return manifest(unit="pairs", reasons={"NO_END": count}, read=read)

    (line,) = lines(errors(6, 400_000_000), errors(70_000_000, 400_000_000))
    assert line.startswith(
        "NO_END: 70,000,000 pairs rejected, 17.5% of those read; 6 and 1.5e-06% before (guards.rejects: 0.05)"
    )
    assert lines(errors(70_000_000, 400_000_000), errors(6, 400_000_000)) == []
    for now, breaks in [(70_000, True), (400_000, True), (50, False), (390_000, True), (7_000, False)]:
        found = lines(errors(6), errors(now))
        assert bool(found) == breaks and all("guards.jump: 10 times" in line for line in found), now


def test_pages_of_other_namespaces_are_no_fault_whichever_layout_has_them():
    def pages(others):
        return manifest(reasons={"REDIRECT": 6_000, "NAMESPACE": others}, read=16_000 + others)

    assert lines(pages(0), pages(40_000)) == lines(pages(40_000), pages(0)) == []
    more = manifest(reasons={"REDIRECT": 9_000, "NAMESPACE": 40_000}, read=19_000 + 40_000)
    (line,) = lines(pages(0), more)
    assert line.startswith("REDIRECT: 9,000 documents rejected, 47.4% of those read; 6,000 and 37.5% before")


def test_faults_are_a_share_of_the_wanted_pages():
    wrong = manifest(reasons={"BAD_XML": 300, "NAMESPACE": 40_000}, read=10_300 + 40_000)
    (line,) = broken_alone(wrong, GuardsConfig())
    assert line.startswith("BAD_XML: 300 of 10,300 documents rejected")


def test_a_dataset_of_other_namespaces_alone_can_be_compared():
    nothing = manifest(used=0, rows={}, reasons={"NAMESPACE": 50}, read=50)
    some = manifest(used=10, rows={}, reasons={"NAMESPACE": 50, "REDIRECT": 2000}, read=2060)
    assert lines(nothing, some) == []


def test_chance_in_a_small_corpus_is_not_a_fault():
    assert lines(manifest(used=90, reasons={"NO_PROSE": 10}), manifest(used=82, reasons={"NO_PROSE": 18})) == []
    assert lines(manifest(used=9000, reasons={"NO_PROSE": 1000}), manifest(used=8200, reasons={"NO_PROSE": 1800}))
    assert lines(types=({"A": 8, "B": 2}, {"A": 5, "B": 5})) == []


def test_a_split_that_vanishes_is_held_back_unless_it_was_small():
    (line,) = lines(new=manifest(rows={"train": 100_000}))
    assert line.startswith("rows of full/test: 0, 0 times the 10,000 before (guards.splits: 0.5..)")
    assert lines(manifest(rows={"train": 100, "test": 3}), manifest(rows={"train": 100})) == []
    assert lines(manifest(rows={"train": 100, "test": 3}), manifest(rows={"train": 79})) != []


def test_types_that_drift_are_held_back():
    found = lines(types=(TYPES, {"A": 40_000, "B": 60_000}))
    assert [line.partition(":")[0] for line in found] == [
        "types of full",
        "share of 'A' in types of full",
        "share of 'B' in types of full",
    ]
    assert "moved by 0.170, most 'A' from 60% to 40% (guards.drift: 0.1)" in found[0]
    assert lines(types=(TYPES, {"A": 40_000, "B": 60_000}), bounds={"drift": 0.2, "shares": 0.21}) == []
    # the share of one type has a bound of its own
    assert lines(types=(TYPES, {"A": 55_500, "B": 44_500})) == []
    assert lines(types=(TYPES, {"A": 54_500, "B": 45_500})) != []
    (line,) = lines(types=(TYPES, {**TYPES, "C": 3_000}))
    assert "most 'C' from 0% to 2.91%" in line


def test_lengths_that_drift_are_held_back():
    (line,) = lines(lengths=([100] * 50, [50] * 50 + [150] * 50))
    assert line.startswith("lengths of inputs of full: moved by ")
    assert lines(lengths=([100] * 50, [101] * 50)) == []


def test_documents_that_are_gone_have_a_bound_only_where_one_is_given():
    assert lines(removed=900) == []
    (line,) = lines(removed=900, bounds={"removed": 0.5})
    assert line.startswith("documents gone: 900 of 1,000, 90% (guards.removed: 0.5)")
    assert lines(removed=500, bounds={"removed": 0.5}) == []


def test_a_first_version_has_the_absolute_bounds():
    found = broken_alone(manifest(used=0, rows={}), GuardsConfig())
    assert [line.partition(" (")[0] for line in found] == ["documents used: 0", "rows of full: 0"]
    assert broken_alone(manifest(), GuardsConfig(min_rows=100_001, min_documents=10_001)) != []


def test_faults_of_the_parser_are_few_in_any_version():
    many = manifest(used=900, reasons={"DEADLINE": 100})
    (line,) = broken_alone(many, GuardsConfig())
    assert line.startswith("DEADLINE: 100 of 1,000 documents rejected, 10% (guards.reasons: 0.01)")
    assert broken_alone(many, GuardsConfig(reasons={"DEADLINE": 0.1})) == []
    assert broken_alone(manifest(used=9, reasons={"DEADLINE": 1}), GuardsConfig()) == []
    of_unit = made_manifest(counts={"documents": {"used": 9}, "profiles/xsum": {"read": 100, "rejected/DEADLINE": 40}})
    assert "DEADLINE: 40 of 100 profiles/xsum rejected" in broken_alone(of_unit, GuardsConfig())[0]
    redirects = manifest(used=400, reasons={"REDIRECT": 600})
    assert broken_alone(redirects, GuardsConfig()) == []
    assert broken_alone(redirects, GuardsConfig(reasons={"REDIRECT": 0.5})) != []


def test_ranges():
    for text, range in [("0.9..1.2", Range(0.9, 1.2)), (".5 ..", Range(0.5, float("inf"))), ("..2", Range(0, 2))]:
        assert GuardsConfig(rows=text).rows == range, text
        assert GuardsConfig.from_values(GuardsConfig(rows=text).to_values()) == GuardsConfig(rows=text), text


def test_what_is_not_a_range():
    for text in ["..", "1.2..0.9", "1", "0.9-1.2", "a..b", "", "-1..2", 3, "1..2..3"]:
        with pytest.raises(OptionError, match="rows: expected a range"):
            GuardsConfig(rows=text)
