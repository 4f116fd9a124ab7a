"""``--reuse``: what an older dataset of annotations has is taken from there, and the result is as if it were not."""

import json
import re
import shutil

import pytest

from gistmill.core.manifest import MANIFEST
from gistmill.core.options import WIKITEXT
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.versions import open_reuse
from gistmill.transforms.duplicates.find import DuplicatesConfig
from gistmill.transforms.steps.annotate import Annotate, AnnotationConfig
from gistmill.transforms.steps.clean import Clean, CleanConfig
from gistmill.transforms.steps.rank import DeduplicateStep
from tests.commands import gistmill, manifest, succeed
from tests.months import months

SMALL = 14_000  # bytes of a page: the tests parse a dozen pages
OPTIONS = ("--splits", "60,20,20")


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    made = months(changed=3, deleted=1, new=1, renamed=1, most_bytes=SMALL)
    return made.write(tmp_path_factory.mktemp("dumps"))


@pytest.fixture(scope="module")
def older(dumps, tmp_path_factory):
    folder = tmp_path_factory.mktemp("older") / "annotated"
    succeed("annotate", "--input", dumps[0], "--output", folder, *OPTIONS)
    return folder


@pytest.fixture(scope="module")
def whole(dumps, tmp_path_factory):
    """The second month, from nothing."""
    folder = tmp_path_factory.mktemp("whole") / "annotated"
    succeed("annotate", "--input", dumps[1], "--output", folder, *OPTIONS)
    return folder


def content(folder):
    """The bytes of every file that says nothing of the run, by path."""
    names = [p for p in folder.rglob("*") if p.is_file() and p.name not in (MANIFEST, "report.html")]
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in names}


def told(folder):
    """The manifest without what differs from run to run."""
    values = manifest(folder)
    for name in ("start", "end"):
        del values[name]
    values["files"] = [f for f in values["files"] if f["path"] != "report.html"]  # it shows the times
    return values


@pytest.fixture(scope="module")
def again(dumps, older, tmp_path_factory):
    folder = tmp_path_factory.mktemp("again") / "annotated"
    done = succeed("annotate", "--input", dumps[1], "--output", folder, *OPTIONS, "--reuse", older)
    return folder, done


@pytest.mark.slow
def test_the_result_is_that_of_a_run_from_nothing(whole, again):
    folder, _ = again
    assert content(folder) == content(whole)
    there = told(folder)
    del there["reuse"]
    assert there == told(whole)


@pytest.mark.slow
def test_only_what_changed_is_parsed(older, again):
    folder, done = again
    articles = sum(manifest(folder)["counts"]["rows/default"].values())
    counts = manifest(folder)["reuse"]["documents"]
    assert sum(counts.values()) == articles
    assert counts["parsed"] == 1 and counts["revised"] + counts["parsed"] <= 4  # where a paragraph went, nothing is new
    assert counts["revised"] >= 1
    assert f"{counts['reused']} came from annotated, {counts['revised']} were parsed in part, 1 whole" in done.stdout
    assert "can be used again" not in done.stderr


def test_the_older_dataset_is_named_without_its_folder(older, again):
    entry = manifest(again[0])["reuse"]
    assert entry["dataset"] == "annotated" and re.fullmatch("[0-9a-f]{64}", entry["sha256"])
    assert "reuse" not in manifest(again[0])["configuration"]
    assert str(older) not in (again[0] / MANIFEST).read_text()


@pytest.mark.long
def test_the_number_of_workers_changes_nothing(dumps, older, whole, tmp_path):
    succeed(
        *("annotate", "--input", dumps[1], "--output", tmp_path / "annotated", *OPTIONS),
        *("--reuse", older, "--workers", "2", "--shards", "1"),
    )
    assert content(tmp_path / "annotated") == content(whole)


@pytest.mark.slow
def test_a_changed_option_of_cleaning_makes_cleaning_invalid_and_nothing_else(dumps, older, tmp_path):
    arguments = ("annotate", "--input", dumps[1], *OPTIONS, "--keep-lists")
    done = succeed(*arguments, "--output", tmp_path / "again", "--reuse", older)
    succeed(*arguments, "--output", tmp_path / "whole")
    assert "pages are cleaned again: the option keep_lists differs: true, and there false" in done.stderr
    counts = manifest(tmp_path / "again")["reuse"]["documents"]
    assert counts["parsed"] <= 2 < counts["reused"]  # a page of lists has prose now
    assert content(tmp_path / "again") == content(tmp_path / "whole")


@pytest.mark.slow
def test_another_resolver_makes_coreference_invalid_and_nothing_else(dumps, older, tmp_path):
    arguments = ("annotate", "--input", dumps[1], *OPTIONS, "--coref", "none")
    done = succeed(*arguments, "--output", tmp_path / "again", "--reuse", older)
    succeed(*arguments, "--output", tmp_path / "whole")
    assert "coreference is resolved again" in done.stderr and "cleaned again" not in done.stderr
    assert manifest(tmp_path / "again")["reuse"]["documents"]["parsed"] == 1
    assert content(tmp_path / "again") == content(tmp_path / "whole")


def opened(older, folder, change, *, coref="sieve", deduplicate="none"):
    """What ``--reuse`` comes to with the older dataset whose manifest ``change`` has changed."""
    shutil.copytree(older, folder / "older")
    values = manifest(older)
    change(values)
    (folder / "older" / MANIFEST).write_text(json.dumps(values))
    steps = [Clean(CleanConfig(), frozenset({WIKITEXT})), Annotate(AnnotationConfig(coref=coref))]
    if deduplicate != "none":
        steps.insert(1, DeduplicateStep(DuplicatesConfig(deduplicate=deduplicate), ()))
    return open_reuse(str(folder / "older"), steps)


def another(part, name, value):
    def change(values):
        values["parts"][part][name] = value

    return change


def another_kernel(values):
    values["arithmetic"][0]["kernel"] = "another"


def no_parts(values):
    del values["parts"]


def no_hashes(values):
    values["columns"]["default"] = [c for c in values["columns"]["default"] if c["name"] != "paragraph_digest"]


def unchanged(values):
    pass


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (another("parse", "models", {"another_model": "f" * 64}), "the model differs: en_core_web_sm"),
        (another("parse", "code", "f" * 64), "the code differs"),
        (another("parse", "packages", {"python": "3.10"}), "the package numpy differs"),
        (another_kernel, "the arithmetic differs"),
        (no_parts, "it does not say what made it"),
        (no_hashes, "it has no hashes of paragraphs"),
    ],
)
def test_nothing_can_be_used_where_parses_were_made_otherwise(older, tmp_path, change, words):
    reuse = opened(older, tmp_path, change)
    assert reuse.store is None and reuse.record is None
    assert f"nothing of {tmp_path / 'older'} can be used again: {words}" in reuse.note


def test_everything_can_be_used_where_all_is_the_same(older, tmp_path):
    reuse = opened(older, tmp_path, unchanged)
    assert reuse.note == "" and reuse.store.cleaning and reuse.store.coreference
    assert [len(files) for files in reuse.store.splits] == [1] * len(reuse.store.splits)


def test_other_rules_of_cleaning_are_said(older, tmp_path):
    reuse = opened(older, tmp_path, another("clean", "code", "f" * 64))
    assert not reuse.store.cleaning and reuse.store.coreference
    assert "pages are cleaned again: the code differs" in reuse.note


def test_another_resolver_is_said(older, tmp_path):
    reuse = opened(older, tmp_path, unchanged, coref="none")
    assert reuse.store.cleaning and not reuse.store.coreference
    assert "coreference is resolved again: the model differs: none, and there sieve" in reuse.note


def test_a_step_that_reads_texts_has_them_cleaned(older, tmp_path):
    reuse = opened(older, tmp_path, unchanged, deduplicate="near")
    assert not reuse.store.cleaning and reuse.store.coreference
    assert "pages are cleaned again: Deduplicate reads their texts" in reuse.note


def lose_bytes(values):
    values["files"] = [f | {"bytes": f["bytes"] + 1} if f.get("format") == "parquet" else f for f in values["files"]]


def of_another_job(values):
    values["recipe"] = "discofuse"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lose_bytes, "is not there, or not the file that manifest.json names"),
        (of_another_job, "a dataset of 'discofuse'"),
    ],
)
def test_a_dataset_that_cannot_be_reused_is_an_error(older, tmp_path, change, words):
    with pytest.raises(ConfigError, match=words):
        opened(older, tmp_path, change)


@pytest.mark.parametrize("content_of_manifest", [None, "{", '{"manifest_version": 2}'])
def test_a_folder_without_a_manifest_that_can_be_read_is_an_error(tmp_path, content_of_manifest):
    if content_of_manifest is not None:
        (tmp_path / MANIFEST).write_text(content_of_manifest)
    with pytest.raises(ConfigError, match="--reuse: "):
        open_reuse(str(tmp_path), [])


@pytest.mark.slow
def test_a_dataset_may_replace_the_one_that_it_reuses(dumps, older, whole, tmp_path):
    arguments = ("annotate", "--output", tmp_path / "annotated", *OPTIONS)
    succeed(*arguments, "--input", dumps[0])
    succeed(*arguments, "--input", dumps[1], "--reuse", tmp_path / "annotated", "--overwrite")
    assert content(tmp_path / "annotated") == content(whole)


def test_parsed_documents_have_nothing_to_reuse(older, tmp_path):
    done = gistmill("discofuse", "--source", "annotated", "--input", older, "--output", tmp_path, "--reuse", older)
    assert done.returncode == 2 and "--reuse has no effect with --source annotated" in done.stderr


@pytest.mark.slow
def test_another_job_takes_over_the_same(dumps, older, tmp_path):
    arguments = ("discofuse", "--input", dumps[1], "--splits", "1,0,0")
    succeed(*arguments, "--output", tmp_path / "again", "--reuse", older)
    succeed(*arguments, "--output", tmp_path / "whole")
    assert content(tmp_path / "again") == content(tmp_path / "whole")
    assert manifest(tmp_path / "again")["reuse"]["documents"]["parsed"] == 1


@pytest.mark.slow
def test_documents_without_revisions_are_known_by_their_paragraphs(tmp_path):
    texts = {f"d{n}": f"The council met in {1900 + n}.\n\nIt sold the old mill to the town." for n in range(12)}
    changed = {**texts, "d3": texts["d3"] + "\n\nThe mill burned down.", "e": "A new text came.\n\nIt was short."}
    for name, documents in (("first", texts), ("second", changed)):
        lines = [json.dumps({"id": i, "title": i, "text": text}) for i, text in documents.items()]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    arguments = ("annotate", "--source", "jsonl", "--languages", "any", *OPTIONS)
    succeed(*arguments, "--input", tmp_path / "first.jsonl", "--output", tmp_path / "older")
    arguments += ("--input", tmp_path / "second.jsonl")
    succeed(*arguments, "--output", tmp_path / "whole")
    succeed(*arguments, "--output", tmp_path / "again", "--reuse", tmp_path / "older")
    assert content(tmp_path / "again") == content(tmp_path / "whole")
    assert manifest(tmp_path / "again")["reuse"]["documents"] == {"reused": 11, "revised": 1, "parsed": 1}
