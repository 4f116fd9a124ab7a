"""manifest.json as a typed value: there and back, older and newer versions, and what is wrong in it by name."""

from __future__ import annotations

import copy
import dataclasses
import json
from datetime import UTC, datetime

import pytest

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.json_value import JsonError, JsonValue
from gistmill.core.manifest import (
    MANIFEST_VERSION,
    DumpEntry,
    EvaluationEntry,
    ExportFile,
    Manifest,
    ManifestError,
    ModelEntry,
    Part,
    PublishedFile,
    SourceEntry,
)
from gistmill.core.records import Damage
from gistmill.core.statistics import Column
from tests.manifests import made_manifest

EXPORTS = (ExportFile(name="f-p1p9.xml.bz2", size=7, sha256="b" * 64),)
SHARD = "full/parquet/train-00000-of-00001.parquet"
FULL = made_manifest(
    configuration={"input": ["a.xml", "a.xml"], "splits": [98.0, 1.0, 1.0], "limit": None},
    versions={"apache-beam": "2.77.0"},
    models=(
        ModelEntry(name="en", version="3.8.0", sha256="ab", files={"meta.json": "cd"}),
        ModelEntry(name="fastcoref", weights="biu-nlp/f-coref", packages={"torch": "2"}),
        ModelEntry(name="sieve"),
    ),
    licence="cc-by-sa-4.0",
    attribution="From Wikipedia.",
    evaluation=(EvaluationEntry(name="t.tsv", size=1, sha256="ef", texts=5, short=1, ngrams=9),),
    sources=(
        SourceEntry(name="a.xml", size=10, sha256="01", kind="plain"),
        SourceEntry(name="a.xml", size=20, sha256=None, kind="plain"),
        SourceEntry(name="gs://b/c.bz2", size=30, sha256="02", kind="bz2"),
    ),
    damage=(Damage("a.xml", 7, "cut"),),
    arithmetic=(Arithmetic("NumPy", "2.4.6", "X86_V2", 1), Arithmetic("OpenBLAS", "0.3.31", "", 0)),
    counts={"documents": {"read": 3, "used": 2}, "rows/full": {"train": 4, "test": 1}, "rows/balanced": {"train": 2}},
    dumps=(
        DumpEntry(file="a.xml", wiki="enwiki", date="20260101", url="https://a.example/a.xml", sha1="a" * 40),
        DumpEntry(file="", wiki="frwiki", date="20260901", url="u", sha1="", layout="exports", files=EXPORTS),
    ),
    machine_dependent={"documents/rejected/DEADLINE": 1},
    columns={"full": (Column("id", "string", "id"), Column("words", "list<string>", "w"))},
    files=(
        PublishedFile(path="README.md", bytes=5, sha256="03" * 32),
        PublishedFile(path=SHARD, bytes=0, sha256="04" * 32, rows=0, config="full", split="train", format="parquet"),
    ),
)


def written(**changes):
    return json.loads(json.dumps(FULL.to_json())) | changes


def test_a_dump_of_a_manifest_before_exports_is_read():
    old = written(dumps=[{"file": "a.xml", "wiki": "enwiki", "date": "20260101", "url": "u", "sha1": "a" * 40}])
    assert Manifest.from_json(old).dumps == (
        DumpEntry(file="a.xml", wiki="enwiki", date="20260101", url="u", sha1="a" * 40),
    )


def test_it_survives_json():
    value = written()
    assert Manifest.from_json(value) == FULL and value["manifest_version"] == MANIFEST_VERSION == 2
    assert Manifest.from_json(json.loads(json.dumps(made_manifest().to_json()))) == made_manifest()
    # what is not set is not written; a zero is set
    assert value["models"][2] == {"name": "sieve"}
    assert value["files"][0] == {"path": "README.md", "bytes": 5, "sha256": "03" * 32}
    assert value["files"][1]["rows"] == value["files"][1]["bytes"] == 0
    assert value["sources"][1]["sha256"] is None


def test_the_first_manifests_do_not_say_how_was_computed():
    value = written()
    del value["arithmetic"]
    assert Manifest.from_json(value).arithmetic == ()


def test_version_1_names_its_files_by_path():
    value = written(manifest_version=1)
    for key in ("sources", "evaluation"):
        value[key] = [{("path" if k == "name" else k): v for k, v in entry.items()} for entry in value[key]]
    assert Manifest.from_json(value) == FULL


def test_rows_are_counted_by_configuration():
    assert FULL.rows() == {"balanced": 2, "full": 5}
    assert made_manifest().rows() == {}


def test_fields_of_later_work_are_passed_over_and_a_newer_version_is_refused():
    value = written(colour="blue")
    value["files"][0]["colour"] = "red"
    assert Manifest.from_json(value) == FULL
    versions = r"manifest version 3; this one reads 1 to 2"
    newer = rf"^manifest.json was written by a newer gistmill \({versions}\); upgrade gistmill$"
    with pytest.raises(ManifestError, match=newer):
        Manifest.from_json({"manifest_version": 3, "all": "else differs"})


WRONG: list[tuple[list, object, str]] = [
    (["manifest_version"], None, "^manifest.json: manifest_version must be a whole number, not None$"),
    (["manifest_version"], 0, "manifest_version must be at least 1, not 0"),
    (["manifest_version"], True, "must be a whole number, not True"),
    (["recipe"], ..., "^manifest.json has no field 'recipe'$"),
    (["recipe"], 5, "recipe must be a string, not 5"),
    (["configuration"], [], "configuration must be an object"),
    (["start"], "yesterday", "start must be an ISO 8601 time, not 'yesterday'"),
    (["models"], {}, "models must be an array"),
    (["models", 0, "name"], ..., r"^manifest.json: models\[0\] has no field 'name'$"),
    (["models", 0, "files", "meta.json"], 1, r"models\[0\].files.meta.json must be a string, not 1"),
    (["evaluation", 0, "ngrams"], ..., r"evaluation\[0\] has no field 'ngrams'"),
    (["sources", 2, "size"], "30", r"^manifest.json: sources\[2\].size must be a whole number, not '30'$"),
    (["sources", 0, "name"], ..., r"sources\[0\] has no field 'name'"),
    (["sources", 0, "sha256"], ..., r"sources\[0\] has no field 'sha256'"),
    (["damage", 0, "offset"], None, r"damage\[0\].offset must be a whole number"),
    (["counts", "documents", "read"], 1.5, "counts.documents.read must be a whole number, not 1.5"),
    (["columns", "full", 0], "id", r"columns.full\[0\] must be an object, not 'id'"),
    (["files", 1, "rows"], True, r"files\[1\].rows must be a whole number, not True"),
    (["files", 1, "split"], 3, r"files\[1\].split must be a string"),
    (["files"], ..., "has no field 'files'"),
]


def test_what_is_missing_or_of_the_wrong_type_is_named():
    for path, value, said in WRONG:
        changed = place = copy.deepcopy(written())
        for step in path[:-1]:
            place = place[step]
        if value is ...:
            del place[path[-1]]
        else:
            place[path[-1]] = value
        with pytest.raises(ManifestError, match=said):
            Manifest.from_json(changed)
    for nothing in None, [], "manifest", 3:
        with pytest.raises(ManifestError, match="^manifest.json must be an object, not "):
            Manifest.from_json(nothing)


def test_times_keep_their_zone():
    assert Manifest.from_json(written(start="2026-01-01T02:00:00+02:00")).start == datetime(2026, 1, 1, tzinfo=UTC)


PART = Part(
    packages={"python": "3.11", "spacy": "3.8.18"},
    options={"keep_lists": False},
    models={"en_core_web_sm": "1a" * 32},
)


def test_a_part_comes_back_from_json():
    assert Part.from_json(JsonValue(json.loads(json.dumps(dataclasses.asdict(PART))), "manifest.json")) == PART


def test_a_part_without_models_is_refused():
    with pytest.raises(JsonError, match="no field 'models'"):
        Part.from_json(JsonValue({"packages": {}, "options": {}}, "manifest.json"))
