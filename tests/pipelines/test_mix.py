"""Mixtures of published datasets, by the real command."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import gistmill
from gistmill.core.manifest import Manifest
from gistmill.pipelines import cli
from gistmill.published.dataset import Dataset
from tests.commands import data_checksums, manifest
from tests.manifests import write_manifest

SPLITS = ("train", "validation", "test")
SENTENCES = [f"Sentence {n} of this text tells of {n} otters in the river." for n in range(8)]


def build(folder, documents, *, name="default", **options):
    """Publishes a row of each document."""
    lines = [{"id": i, "text": " ".join([f"Document {i} begins here.", *SENTENCES])} for i in documents]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "texts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    settings = {"splits": (60, 20, 20), "deduplicate": "none", "formats": "parquet", **options}
    gistmill.build("gap-sentences", source="jsonl", input=folder / "texts.jsonl", output=folder / name, **settings)
    return folder / name


@pytest.fixture(scope="module")
def wiki(tmp_path_factory):
    return build(tmp_path_factory.mktemp("made"), [f"wiki{n}" for n in range(90)], name="wiki", shards=2)


@pytest.fixture(scope="module")
def sports(tmp_path_factory):
    return build(tmp_path_factory.mktemp("made"), [f"sports{n}" for n in range(40)], name="sports")


def mix(output, *arguments):
    assert cli.main(["mix", *map(str, arguments), "--output", str(output)]) == 0
    assert Dataset(output).validate() == []
    return output


def rows(folder, split):
    return [r for f in sorted(Path(folder).glob(f"default/parquet/{split}-*")) for r in pq.read_table(f).to_pylist()]


def without_name(row):
    return {name: value for name, value in row.items() if name != "dataset"}


def test_halves_of_two_datasets(wiki, sports, tmp_path):
    made = mix(tmp_path / "out", "--input", f"{wiki}#default,{sports}", "--weights", "0.5,0.5")
    for split in SPLITS:
        before = {r["id"]: r for r in [*rows(wiki, split), *rows(sports, split)]}
        after = rows(made, split)
        counts = Counter(r["dataset"] for r in after)
        assert counts["wiki"] == counts["sports"] == min(len(rows(wiki, split)), len(rows(sports, split))) > 0
        assert all(without_name(r) == before[r["id"]] for r in after)
    total = sum(len(rows(made, s)) for s in SPLITS)
    assert manifest(made)["counts"]["datasets/default"] == {"wiki": total // 2, "sports": total // 2}
    assert manifest(made)["counts"]["documents/rejected"] == {"OVER_WEIGHT": 130 - total}


def test_without_weights_all_rows_are_there(wiki, sports, tmp_path):
    made = mix(tmp_path / "out", "--input", f"{wiki},{sports}")
    for split in SPLITS:
        assert [without_name(r) for r in rows(made, split)] == sorted(
            [*rows(wiki, split), *rows(sports, split)], key=lambda r: r["id"]
        )


@pytest.mark.slow
def test_neither_order_nor_workers_decide_what_is_chosen(wiki, sports, tmp_path):
    one = mix(tmp_path / "one", "--input", f"{wiki},{sports}", "--weights", "2,1")
    other = mix(tmp_path / "other", "--input", f"{sports},{wiki}", "--weights", "1,2", "--workers", "2")
    assert data_checksums(one) == data_checksums(other)
    fewer = {r["id"] for r in rows(mix(tmp_path / "few", "--input", f"{wiki},{sports}", "--weights", "1,1"), "train")}
    of_wiki = {i for i in fewer if "wiki" in i}
    assert of_wiki < {r["id"] for r in rows(one, "train")}  # a smaller share is a part of a larger one


@pytest.mark.slow
def test_the_rows_of_a_split_are_limited_after_the_mixing(wiki, sports, tmp_path):
    made = mix(tmp_path / "out", "--input", f"{wiki},{sports}", "--weights", "1,1", "--rows", "10,2,2")
    assert [len(rows(made, s)) for s in SPLITS] == [10, 2, 2]


def test_ids_that_two_datasets_share_get_the_number_of_the_later_one(wiki, sports, tmp_path):
    again = build(tmp_path, ["wiki7", "alone", *(f"more{n}" for n in range(20))], name="wiki")
    made = mix(tmp_path / "out", "--input", f"{wiki},{sports},{again}")
    ids = [r["id"] for s in SPLITS for r in rows(made, s)]
    first, later = ({r["id"] for s in SPLITS for r in rows(d, s)} for d in (wiki, again))
    assert len(set(ids)) == len(ids) == 152 and len(first & later) == 1
    assert set(ids) > first | {f"3-{i}" for i in later}
    names = {r["id"]: r["dataset"] for s in SPLITS for r in rows(made, s)}
    assert {names[i] for i in first} == {"1-wiki"} and {names[f"3-{i}"] for i in later} == {"3-wiki"}


def test_the_manifest_and_the_card_name_all_datasets(wiki, sports, tmp_path):
    copies = []
    for folder, licence, text in ((wiki, "cc-by-sa-4.0", "By editors."), (sports, "cc0-1.0", "By reporters.")):
        shutil.copytree(folder, tmp_path / folder.name)
        changed = {**manifest(folder), "licence": licence, "attribution": text, "models": [{"name": text}]}
        write_manifest(tmp_path / folder.name, Manifest.from_json(changed))
        copies.append(tmp_path / folder.name)
    made = mix(tmp_path / "out", "--input", f"{copies[0]},{copies[1]}", "--weights", "1,1")
    content = manifest(made)
    shards = {f["sha256"] for folder in copies for f in manifest(folder)["files"] if f.get("format") == "parquet"}
    assert {s["sha256"] for s in content["sources"]} == shards
    assert content["licence"] == "other" and [m["name"] for m in content["models"]] == ["By editors.", "By reporters."]
    assert content["configuration"]["input"] == ["wiki", "sports"] and content["configuration"]["weights"] == [1, 1]
    card = (made / "README.md").read_text()
    assert (
        "`wiki` (licence: cc-by-sa-4.0): By editors." in card and "`sports` (licence: cc0-1.0): By reporters." in card
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--input", "{wiki},{sports}", "--weights", "1"), "--weights has 1 numbers, and --input 2 datasets"),
        (("--input", "{wiki},{sports}", "--weights", "1,0"), "a number above 0"),
        (("--input", "{wiki},{texts}"), "texts.jsonl is not a published dataset"),
        (("--input", "{wiki},{curriculum}"), "only {curriculum} has additions, bucket_complexity"),
        (("--input", "{wiki},{train}", "--weights", "1,1"), "{train} has no rows of validation"),
    ],
)
def test_what_cannot_be_mixed_is_said(arguments, message, wiki, sports, tmp_path, capsys):
    places = {"wiki": wiki, "sports": sports, "texts": wiki.parent / "texts.jsonl"}
    for name in ("curriculum", "train"):
        places[name] = tmp_path / name
        if any(f"{{{name}}}" in a for a in arguments):
            if name == "train":
                build(tmp_path, ["a", "b"], name=name, splits=(1, 0, 0))
            else:
                gistmill.build(name, input=sports, output=places[name])
    given = [a.format(**places) for a in arguments]
    assert cli.main(["mix", *given, "--output", str(tmp_path / "out")]) == 2
    assert message.format(**places) in capsys.readouterr().err
