"""``--reuse``: what an older dataset of annotations has is taken from there, and the result is as if it were not."""

import dataclasses
import json
import re
import shutil

import pytest

from gistmill.core.manifest import MANIFEST, Part
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import configure
from gistmill.pipelines.planning import opened_steps
from gistmill.pipelines.versions import difference, open_reuse, parts_of
from gistmill.rules.recipes import RECIPES
from tests.commands import make, manifest, succeed, write_jsonl
from tests.months import months

SMALL = 14_000  # bytes of a page: the tests parse a dozen pages
ANNOTATE = "annotate --splits 60,20,20"


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    made = months(changed=3, deleted=1, new=1, renamed=1, most_bytes=SMALL)
    return made.write(tmp_path_factory.mktemp("dumps"))


@pytest.fixture(scope="module")
def older(dumps, tmp_path_factory):
    folder = tmp_path_factory.mktemp("older") / "annotated"
    make(f"{ANNOTATE} --input {dumps[0]} --output {folder}")
    return folder


@pytest.fixture(scope="module")
def whole(dumps, tmp_path_factory):
    """The second month, from nothing."""
    folder = tmp_path_factory.mktemp("whole") / "annotated"
    make(f"{ANNOTATE} --input {dumps[1]} --output {folder}")
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
    return folder, succeed(*f"{ANNOTATE} --input {dumps[1]} --output {folder} --reuse {older}".split())


@pytest.mark.slow
def test_the_result_is_that_of_a_run_from_nothing(whole, again):
    folder, _ = again
    assert content(folder) == content(whole)
    there = told(folder)
    del there["reuse"]
    assert there == told(whole)


@pytest.mark.slow
def test_only_what_changed_is_parsed_and_the_older_dataset_is_named_without_its_folder(older, again):
    folder, done = again
    articles = sum(manifest(folder)["counts"]["rows/default"].values())
    entry = manifest(folder)["reuse"]
    counts = entry["documents"]
    assert sum(counts.values()) == articles
    assert counts["parsed"] == 1 and counts["revised"] + counts["parsed"] <= 4  # where a paragraph went, nothing is new
    assert counts["revised"] >= 1
    assert f"{counts['reused']} came from annotated, {counts['revised']} were parsed in part, 1 whole" in done.stdout
    assert "can be reused" not in done.stderr
    assert entry["dataset"] == "annotated" and re.fullmatch("[0-9a-f]{64}", entry["sha256"])
    assert "reuse" not in manifest(folder)["configuration"]
    assert str(older) not in (folder / MANIFEST).read_text()


@pytest.mark.long
def test_the_number_of_workers_changes_nothing(dumps, older, whole, tmp_path):
    job = f"{ANNOTATE} --input {dumps[1]} --output {tmp_path}/annotated"
    make(f"{job} --reuse {older} --workers 2 --shards 1")
    assert content(tmp_path / "annotated") == content(whole)


@pytest.mark.slow
def test_a_changed_option_makes_its_part_invalid_and_nothing_else_and_another_job_takes_over_the_same(
    dumps, older, tmp_path
):
    for number, (job, said, other) in enumerate(
        [
            (f"{ANNOTATE} --keep-lists", "pages are cleaned again: the option keep_lists differs: true", "coreference"),
            (f"{ANNOTATE} --coref none", "coreference is resolved again", "cleaned again"),
            ("discofuse --splits 1,0,0", "", "can be reused"),
        ]
    ):
        again, whole = tmp_path / f"again{number}", tmp_path / f"whole{number}"
        # in a process of its own, whose log goes to standard error
        done = succeed(*f"{job} --input {dumps[1]} --output {again} --reuse {older}".split())
        make(f"{job} --input {dumps[1]} --output {whole}")
        assert content(again) == content(whole)
        assert said in done.stderr and other not in done.stderr
        counts = manifest(again)["reuse"]["documents"]
        assert counts["parsed"] <= (2 if "lists" in job else 1) < counts["reused"]  # a page of lists has prose now


def opened(older, folder, change=lambda values: None, *, coref="sieve", deduplicate="none"):
    """What ``--reuse`` comes to with the older dataset whose manifest ``change`` has changed."""
    shutil.copytree(older, folder / "older", dirs_exist_ok=True)
    values = manifest(older)
    change(values)
    (folder / "older" / MANIFEST).write_text(json.dumps(values))
    values = {"coref": coref, "deduplicate": deduplicate}
    config = configure(RECIPES["annotate"], values, complete=False)
    return open_reuse(str(folder / "older"), parts_of(config), steps=opened_steps(config))


def another(part, name, value):
    def change(values):
        values["parts"][part][name] = value

    return change


def another_kernel(values):
    values["arithmetic"][0]["kernel"] = "another"


def no_hashes(values):
    values["columns"]["default"] = [c for c in values["columns"]["default"] if c["name"] != "paragraph_digest"]


def lose_bytes(values):
    values["files"] = [f | {"bytes": f["bytes"] + 1} if f.get("format") == "parquet" else f for f in values["files"]]


@pytest.mark.slow
def test_nothing_can_be_used_where_parses_were_made_otherwise(older, tmp_path):
    for change, words in [
        (another("parse", "models", {"another_model": "f" * 64}), "the model differs: en_core_web_sm"),
        (another("parse", "packages", {"python": "3.10"}), "the package gistmill differs"),
        (another_kernel, "the arithmetic differs"),
        (lambda values: values.pop("parts"), "it does not record how it was made"),
        (no_hashes, "it contains no paragraph hashes"),
    ]:
        reuse = opened(older, tmp_path, change)
        assert reuse.store is None and reuse.record is None
        assert f"nothing in {tmp_path / 'older'} can be reused: {words}" in reuse.note


def test_what_can_be_used_and_what_is_done_again_is_said(older, tmp_path):
    for options, cleaning, coreference, note in [
        ({}, True, True, ""),
        ({"change": another("clean", "packages", {})}, False, True, "pages are cleaned again: the package gistmill"),
        ({"coref": "none"}, True, False, "coreference is resolved again: the model differs: none here, sieve "),
        ({"deduplicate": "near"}, False, True, "pages are cleaned again: Deduplicate reads their text"),
    ]:
        reuse = opened(older, tmp_path, **options)
        assert (reuse.store.cleaning, reuse.store.coreference) == (cleaning, coreference)
        assert note in reuse.note and bool(note) == bool(reuse.note)
        assert [len(files) for files in reuse.store.splits] == [1] * len(reuse.store.splits)


def test_a_dataset_that_cannot_be_reused_is_an_error(older, tmp_path):
    for change, words in [
        (lose_bytes, "is missing or differs in size from manifest.json"),
        (lambda values: values.update(recipe="discofuse"), "was made by 'discofuse', not by"),
    ]:
        with pytest.raises(ConfigError, match=words):
            opened(older, tmp_path, change)
    for manifest_text in (None, "{", '{"manifest_version": 2}'):
        if manifest_text is not None:
            (tmp_path / MANIFEST).write_text(manifest_text)
        with pytest.raises(ConfigError, match="--reuse: "):
            open_reuse(str(tmp_path), {}, steps=[])


@pytest.mark.slow
def test_a_dataset_may_replace_the_one_that_it_reuses(dumps, older, whole, tmp_path):
    job = f"{ANNOTATE} --output {tmp_path}/annotated"
    make(f"{job} --input {dumps[0]}")
    make(f"{job} --input {dumps[1]} --reuse {tmp_path}/annotated --overwrite")
    assert content(tmp_path / "annotated") == content(whole)


@pytest.mark.slow
def test_documents_without_revisions_are_known_by_their_paragraphs(tmp_path):
    texts = {f"d{n}": f"The council met in {1900 + n}.\n\nIt sold the old mill to the town." for n in range(12)}
    changed = {**texts, "d3": texts["d3"] + "\n\nThe mill burned down.", "e": "A new text came.\n\nIt was short."}
    for name, documents in (("first", texts), ("second", changed)):
        write_jsonl(tmp_path / f"{name}.jsonl", [{"id": i, "title": i, "text": t} for i, t in documents.items()])
    job = f"{ANNOTATE} --source jsonl --languages any"
    make(f"{job} --input {tmp_path}/first.jsonl --output {tmp_path}/older")
    make(f"{job} --input {tmp_path}/second.jsonl --output {tmp_path}/whole")
    make(f"{job} --input {tmp_path}/second.jsonl --output {tmp_path}/again --reuse {tmp_path}/older")
    assert content(tmp_path / "again") == content(tmp_path / "whole")
    assert manifest(tmp_path / "again")["reuse"]["documents"] == {"reused": 11, "revised": 1, "parsed": 1}


PART = Part(
    packages={"python": "3.11", "spacy": "3.8.18"},
    options={"keep_lists": False},
    models={"en_core_web_sm": "1a" * 32},
)


def changed_part(**fields):
    return dataclasses.replace(PART, **fields)


@pytest.mark.parametrize(
    ("old", "words"),
    [
        (PART, ""),
        (None, "it does not record how it was made"),
        (changed_part(options={"keep_lists": True}), "the option keep_lists differs: false here, true there"),
        (changed_part(options={}), "the option keep_lists differs: false here, nothing there"),
        (changed_part(packages={"python": "3.11"}), "the package spacy differs: 3.8.18 here, nothing there"),
        (changed_part(models={}), "the model differs: en_core_web_sm (SHA-256 1a1a1a1a1a1a...) here, none there"),
    ],
)
def test_the_first_difference_is_named(old, words):
    assert difference(old, PART) == words
