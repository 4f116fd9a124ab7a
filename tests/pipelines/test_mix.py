"""Mixtures of published datasets, by the real command."""

import shutil
from collections import Counter

import pytest

from gistmill.core.manifest import Manifest
from gistmill.published.dataset import Dataset
from tests.commands import data_checksums, make, manifest, refusal, rows, write_jsonl
from tests.manifests import write_manifest

SPLITS = ("train", "validation", "test")
SENTENCES = [f"Sentence {n} of this text tells of {n} otters in the river." for n in range(8)]


def build(folder, documents, *, name="default", options="--splits 60,20,20"):
    """Publishes a row of each document."""
    lines = [{"id": i, "text": " ".join([f"Document {i} begins here.", *SENTENCES])} for i in documents]
    write_jsonl(folder / "texts.jsonl", lines)
    source = f"--source jsonl --input {folder}/texts.jsonl --deduplicate none --formats parquet"
    make(f"gap-sentences {source} --output {folder}/{name} {options}")
    return folder / name


@pytest.fixture(scope="module")
def wiki(tmp_path_factory):
    documents, options = [f"wiki{n}" for n in range(90)], "--splits 60,20,20 --shards 2"
    return build(tmp_path_factory.mktemp("made"), documents, name="wiki", options=options)


@pytest.fixture(scope="module")
def sports(tmp_path_factory):
    return build(tmp_path_factory.mktemp("made"), [f"sports{n}" for n in range(40)], name="sports")


def mix(output, arguments):
    make(f"mix --input {arguments} --output {output}")
    assert Dataset(output).validate() == []
    return output


def without_name(row):
    return {name: value for name, value in row.items() if name != "dataset"}


def test_halves_of_two_datasets(wiki, sports, tmp_path):
    made = mix(tmp_path / "out", f"{wiki}#default,{sports} --weights 0.5,0.5")
    for split in SPLITS:
        before = {r["id"]: r for r in [*rows(wiki, split=split), *rows(sports, split=split)]}
        after = rows(made, split=split)
        counts = Counter(r["dataset"] for r in after)
        least = min(len(rows(wiki, split=split)), len(rows(sports, split=split)))
        assert counts["wiki"] == counts["sports"] == least > 0
        assert all(without_name(r) == before[r["id"]] for r in after)
    total = len(rows(made))
    assert manifest(made)["counts"]["datasets/default"] == {"wiki": total // 2, "sports": total // 2}
    assert manifest(made)["counts"]["documents/rejected"] == {"OVER_WEIGHT": 130 - total}


def test_without_weights_all_rows_are_there_and_ids_that_are_shared_get_a_number(wiki, sports, tmp_path):
    again = build(tmp_path, ["wiki7", "alone", *(f"more{n}" for n in range(20))], name="wiki")
    made = mix(tmp_path / "out", f"{wiki},{sports},{again}")
    ids = [r["id"] for r in rows(made)]
    first, later = ({r["id"] for r in rows(d)} for d in (wiki, again))
    assert len(set(ids)) == len(ids) == 152 and len(first & later) == 1
    assert set(ids) == first | {r["id"] for r in rows(sports)} | {f"3-{i}" for i in later}
    names = {r["id"]: r["dataset"] for r in rows(made)}
    assert {names[i] for i in first} == {"1-wiki"} and {names[f"3-{i}"] for i in later} == {"3-wiki"}
    for split in SPLITS:
        before = {r["id"]: r for r in [*rows(wiki, split=split), *rows(sports, split=split)]}
        after = {r["id"]: without_name(r) for r in rows(made, split=split) if not r["id"].startswith("3-")}
        assert after == before


@pytest.mark.slow
def test_neither_order_nor_workers_decide_what_is_chosen(wiki, sports, tmp_path):
    one = mix(tmp_path / "one", f"{wiki},{sports} --weights 2,1")
    other = mix(tmp_path / "other", f"{sports},{wiki} --weights 1,2 --workers 2")
    assert data_checksums(one) == data_checksums(other)
    fewer = {r["id"] for r in rows(mix(tmp_path / "few", f"{wiki},{sports} --weights 1,1"), split="train")}
    of_wiki = {i for i in fewer if "wiki" in i}
    assert of_wiki < {r["id"] for r in rows(one, split="train")}  # a smaller share is a part of a larger one
    made = mix(tmp_path / "limited", f"{wiki},{sports} --weights 1,1 --rows 10,2,2")
    assert [len(rows(made, split=split)) for split in SPLITS] == [10, 2, 2]


def test_the_manifest_and_the_card_name_all_datasets(wiki, sports, tmp_path):
    copies = []
    for folder, licence, text in ((wiki, "cc-by-sa-4.0", "By editors."), (sports, "cc0-1.0", "By reporters.")):
        copies.append(shutil.copytree(folder, tmp_path / folder.name))
        changed = {**manifest(folder), "licence": licence, "attribution": text, "models": [{"name": text}]}
        write_manifest(copies[-1], Manifest.from_json(changed))
    made = mix(tmp_path / "out", f"{copies[0]},{copies[1]} --weights 1,1")
    content = manifest(made)
    shards = {f["sha256"] for folder in copies for f in manifest(folder)["files"] if f.get("format") == "parquet"}
    assert {s["sha256"] for s in content["sources"]} == shards
    assert content["licence"] == "other" and [m["name"] for m in content["models"]] == ["By editors.", "By reporters."]
    assert content["configuration"]["input"] == ["wiki", "sports"] and content["configuration"]["weights"] == [1, 1]
    card = (made / "README.md").read_text()
    for line in ("`wiki` (licence: cc-by-sa-4.0): By editors.", "`sports` (licence: cc0-1.0): By reporters."):
        assert line in card


@pytest.mark.slow
def test_what_cannot_be_mixed_is_said(wiki, sports, tmp_path):
    train = build(tmp_path, ["a", "b"], name="train", options="--splits 1,0,0")
    curriculum = tmp_path / "curriculum"
    make(f"curriculum --input {sports} --output {curriculum}")
    for given, message in [
        (f"{sports} --weights 1", "--weights gives 1 numbers, but --input gives 2 datasets"),
        (f"{sports} --weights 1,0", "a number above 0"),
        (f"{wiki.parent}/texts.jsonl", "texts.jsonl is not a published dataset"),
        (f"{curriculum}", f"only {curriculum} contains additions, bucket_complexity"),
        (f"{train} --weights 1,1", f"{train} contains no validation rows"),
    ]:
        assert message in refusal(f"mix --input {wiki},{given} --output {tmp_path}/out")
