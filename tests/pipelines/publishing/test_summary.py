"""What a person reads at the end of a job: what the dataset holds, what was rejected, and splits that stayed empty."""

from __future__ import annotations

from gistmill.pipelines.publication import Published, breakdown, empty_splits
from tests.manifests import made_manifest

SPLITS = {"splits": [98.0, 1.0, 1.0]}


def published(counts, *, configuration=SPLITS, recipe="discofuse"):
    counts = {"documents": {"read": 30, "used": 30}, **counts}
    return Published("out", made_manifest(recipe=recipe, configuration=configuration, counts=counts))


def test_types_and_the_three_commonest_rejects_are_named_with_what_they_mean():
    rejects = {"pair/NO_VERB": 1200, "sentence/NO_VERB": 2, "document/TOO_LARGE": 7, "pair/UNRESOLVED_ANAPHOR": 3}
    types = {f"TYPE_{n}": 10 - n for n in range(9)}
    lines = breakdown(published({"rejects/recipe": rejects, "types/full": types, "types/balanced": {"PAIR_NONE": 4}}))
    first, second = lines
    assert first.startswith("rows of full: 10 TYPE_0, 9 TYPE_1, ") and first.endswith("3 TYPE_7 and 1 more")
    assert second.startswith(
        "most common rejects: 1,200 NO_VERB (pair: one of the two sentences has no finite main verb); 7"
    )
    assert "; 3 UNRESOLVED_ANAPHOR (pair: " in second and second.count(";") == 2
    assert breakdown(published({"rows/full": {"train": 3}})) == []


def test_a_split_that_should_have_rows_and_has_none_is_named_with_the_option():
    line = empty_splits(published({"rows/full": {"train": 300}, "rows/balanced": {"train": 20}}))
    assert line.startswith("no rows in validation and test: --splits 98,1,1 assigns documents by hashes of their ids")
    assert "none of the 30 used yielded a row there; choose larger shares, such as --splits 80,10,10, or use" in line
    thirds = {"splits": [60.0, 20.0, 20.0]}
    line = empty_splits(published({"rows/full": {"train": 3, "test": 1}}, configuration=thirds))
    assert line.startswith("no rows in validation: --splits 60,20,20") and line.endswith(
        "larger shares or use more documents"
    )


def test_a_split_that_is_empty_on_purpose_is_not():
    rows = {"rows/full": {"train": 300}}
    assert not empty_splits(published(rows, configuration={"splits": [1.0, 0.0, 0.0]}))
    assert not empty_splits(published({**rows, "rows_left_out/full": {"validation": 5, "test": 5}}))
    assert not empty_splits(published({"rows/full": {"validation": 1}, "rows/balanced": {"train": 2, "test": 1}}))
    assert not empty_splits(published(rows, recipe="curriculum"))  # its rows bring their splits with them
    assert not empty_splits(published({}))  # no row at all, which --allow-empty has allowed
