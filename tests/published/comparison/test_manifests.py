"""What manifests and statistics say of a difference."""

from datetime import UTC, datetime

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.manifest import DumpEntry, ModelEntry, PublishedFile, SourceEntry
from gistmill.core.statistics import Statistics, distribution
from gistmill.published.comparison.comparison import Moved, Side, causes, distributions, rejected, rejects_of
from tests.manifests import made_manifest


def test_nothing_that_decides_differs_between_equal_manifests():
    manifest = made_manifest(
        configuration={"coref": "sieve", "workers": 1},
        models=(ModelEntry(name="m", files={"a": "0"}),),
        arithmetic=(Arithmetic("NumPy", "2", "X86_V3", 1),),
    )
    other = made_manifest(
        configuration={"coref": "sieve", "workers": 2, "output": "elsewhere"},
        models=manifest.models,
        arithmetic=manifest.arithmetic,
        runner="FlinkRunner",
        end=datetime(2027, 1, 1, tzinfo=UTC),
    )
    assert causes(manifest, other) == ()


def test_everything_that_decides_is_a_cause():
    old = made_manifest(
        configuration={"coref": "sieve", "min": 3, "rates": {"A": 0.5}},
        versions={"spacy": "3.8.1", "source_sha256": "a" * 64},
        models=(ModelEntry(name="m", version="1", files={"x": "0"}),),
        arithmetic=(Arithmetic("NumPy", "2", "X86_V3", 1),),
        sources=(SourceEntry(name="a.xml", size=10, sha256="b" * 64, kind="plain"),),
        dumps=(DumpEntry(file="a.xml", wiki="enwiki", date="20260901", url="", sha1=""),),
    )
    new = made_manifest(
        configuration={"coref": "minilm", "rates": {"A": 0.6}},
        versions={"spacy": "3.8.2", "source_sha256": "c" * 64},
        models=(ModelEntry(name="m", version="1", files={"x": "1"}), ModelEntry(name="n", sha256="d" * 64)),
        arithmetic=(Arithmetic("NumPy", "2", "BASELINE", 1),),
        sources=(SourceEntry(name="b.xml", size=10, sha256=None, kind="plain"),),
        dumps=(DumpEntry(file="b.xml", wiki="enwiki", date="20261001", url="", sha1=""),),
    )
    found = {(c.what, c.name): (c.old, c.new) for c in causes(old, new)}
    assert found.pop(("model", "m"))[0].startswith("1 ")
    assert found == {
        ("code", "gistmill"): (f"0.1.0 ({'a' * 12})", f"0.1.0 ({'c' * 12})"),
        ("package", "spacy"): ("3.8.1", "3.8.2"),
        ("model", "n"): ("", "d" * 12),
        ("arithmetic", "NumPy"): ("2 X86_V3", "2 BASELINE"),
        ("option", "coref"): ("sieve", "minilm"),
        ("option", "min"): ("3", ""),
        ("option", "rates"): ('{"A": 0.5}', '{"A": 0.6}'),
        ("input", "enwiki"): ("20260901", "20261001"),
    }


def test_other_inputs_are_named_with_size_and_digest():
    old = made_manifest(sources=(SourceEntry(name="a", size=1000, sha256="b" * 64, kind="plain"),))
    (cause,) = causes(old, made_manifest())
    assert (cause.what, cause.name, cause.old, cause.new) == ("input", "a", f"1,000 bytes, {'b' * 12}", "")


def test_rejects_of_documents_and_of_the_units_of_a_recipe():
    counts = {
        "documents": {"read": 10, "used": 7},
        "documents/rejected": {"REDIRECT": 3},
        "profiles/xsum": {"read": 7, "used": 5, "rejected/TOO_LONG": 2},
    }
    assert rejects_of(counts) == {("documents", "REDIRECT"): 3, ("profiles/xsum", "TOO_LONG"): 2}


def test_the_reason_whose_share_moved_most_comes_first():
    old = made_manifest(counts={"documents": {"read": 100}, "documents/rejected": {"A": 50, "B": 1}})
    new = made_manifest(counts={"documents": {"read": 200}, "documents/rejected": {"A": 100, "C": 30}})
    c, b, a = rejected(old, new)
    assert (c.reason, c.old, c.new, c.new_share) == ("C", 0, 30, 0.15)
    assert (b.reason, b.old_share, b.new_share) == ("B", 0.01, 0.0)
    assert (a.reason, a.old_share, a.new_share) == ("A", 0.5, 0.5)
    assert rejected(made_manifest(), new)[0].old_share == 0


def test_distributions_are_in_order_of_their_drift():
    def statistics(**kinds):
        return Statistics(counts={}, distributions={k: {"full": distribution(v)} for k, v in kinds.items()})

    old = statistics(types={"A": 5, "B": 5}, connectives={"but": 5})
    new = statistics(types={"A": 9, "C": 1}, connectives={"but": 50}, tasks={"x": 1})
    found = distributions(old, new)
    assert [m.kind for m in found] == ["types", "connectives", "tasks"]
    assert found[0].values == (("B", 5, 0), ("A", 5, 9), ("C", 0, 1))
    assert found[0].shares() == (("B", 0.5, 0.0), ("A", 0.5, 0.9), ("C", 0.0, 0.1))
    assert Moved.of("types", "full", {}, {}).shares() == ()


def test_a_side_counts_rows_and_bytes():
    counts = {
        "documents": {"read": 9, "used": 8},
        "rows/full": {"train": 5, "test": 1},
        "rows_left_out/full": {"train": 7},
    }
    files = (PublishedFile(path="a", bytes=3, sha256=""), PublishedFile(path="b", bytes=4, sha256=""))
    found = Side.of("place", made_manifest(counts=counts, files=files))
    assert (found.rows, found.splits) == ({"full": 6}, {"full/train": 5, "full/test": 1})
    assert (found.read, found.used, found.bytes) == (9, 8, 7)
