"""Publishing: the folder and what reads it, the checks before, overwriting, and death in the middle of it."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from gistmill.core.arithmetic import differences
from gistmill.core.records import Damage, Origin, RangeEnd, Reject
from gistmill.pipelines import disk
from gistmill.pipelines.errors import OutputExists
from gistmill.pipelines.place import LocalPlace, PublishError
from gistmill.pipelines.publication import ConservationError, DamagedInputError, Publication, publish
from gistmill.rules.documents import CleanReason
from gistmill.transforms.arithmetic import arithmetic_in_use
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from tests.commands import leftovers
from tests.html_page import Page
from tests.pipelines.publishing.made import INFO, build, check_whole, die, finish_pipeline, locked
from tests.transforms.sinks.made import FORMATS, SCHEMA, elements, run, written


@pytest.fixture
def finished(tmp_path):
    """A workspace whose pipeline has run, ready to be published."""
    made = locked(tmp_path / "demo")
    finish_pipeline(made.root, documents=30, formats=("parquet",))
    yield made
    made.drop()


def tell(finished: LocalPlace, **options):
    return publish(finished, Publication(schema=SCHEMA, formats=("parquet",), run=INFO, **options))


def test_the_folder_and_the_card_are_as_designed(tmp_path):
    made = build(tmp_path / "demo")
    content = check_whole(tmp_path / "demo")
    assert content == json.loads(json.dumps(made.manifest.to_json()))
    names = [f["path"] for f in content["files"]]
    assert "full/parquet/train-00000-of-00002.parquet" in names and "rejects/part-00000-of-00001.jsonl.gz" in names
    assert {"README.md", "stats.json", "report.html", "balanced/tfrecord/test-00001-of-00002.tfrecord.gz"} <= set(names)
    assert leftovers(tmp_path) == []
    assert content["recipe"] == "discofuse" and content["models"] == [{"name": "m", "sha256": "00"}]
    assert content["sources"] == [{"name": "dump.xml", "size": 5, "sha256": "ab" * 32, "kind": "plain"}]
    assert content["counts"]["documents"] == {"read": 40, "used": 32}
    assert content["start"] == "2026-01-01T00:00:00+00:00" < content["end"] and content["machine_dependent"] == {}
    rows = {f["path"]: f["rows"] for f in content["files"] if f.get("format") == "parquet"}
    assert rows == {p: pq.read_metadata(tmp_path / "demo" / p).num_rows for p in rows}
    text = (tmp_path / "demo" / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(text.split("---\n")[1])
    assert front["license"] == "cc-by-sa-4.0" and [c["config_name"] for c in front["configs"]] == ["full", "balanced"]
    assert [c.get("default") for c in front["configs"]] == [True, None]
    assert [d["split"] for d in front["configs"][0]["data_files"]] == ["train", "validation", "test"]
    assert "| full | 60 | 18 | 18 | 96 |" in text and "CC BY-SA 4.0" in text and "| `words` | `list<string>` |" in text


@pytest.mark.parametrize("mask", [0o027, pytest.param(0o002, marks=pytest.mark.slow)])
def test_others_may_read_what_the_umask_lets_them(tmp_path, mask):
    before = os.umask(mask)
    try:
        build(tmp_path / "demo", stream=list(elements(range(40))), temp_dir=tmp_path / "temp")
        other = locked(tmp_path / "other", temp_dir=tmp_path / "temp")
        assert {f.stat().st_mode & 0o777 for f in (other.root, other.home)} == {0o700}
        other.drop()
    finally:
        os.umask(before)
    folders = {p.stat().st_mode & 0o777 for p in [tmp_path / "demo", *(tmp_path / "demo").rglob("*")] if p.is_dir()}
    files = {p.stat().st_mode & 0o777 for p in (tmp_path / "demo").rglob("*") if p.is_file()}
    assert folders == {0o777 & ~mask} and files == {0o666 & ~mask}


def files_of(made, folder):
    """The files of a dataset with their SHA-256, and its report without the minute in which the run ended."""
    files = {f.path: f.sha256 for f in made.manifest.files if f.path != "report.html"}
    report = (folder / "report.html").read_text(encoding="utf-8")
    return files, re.sub(r"(?<= to )\d{4}-\d\d-\d\dT\d\d:\d\d", "", report)


def test_the_same_rows_give_the_same_files(tmp_path):
    first = build(tmp_path / "a")
    second = build(tmp_path / "b", stream=list(elements(range(40))), temp_dir=tmp_path / "temp")
    same = [files_of(first, tmp_path / "a"), files_of(second, tmp_path / "b")]
    assert same[0] == same[1]  # the card, stats and report too, since the run began at the same time
    assert leftovers(tmp_path / "temp") == []


@pytest.mark.slow
def test_datasets_loads_it_and_serves_the_new_rows_after_an_overwrite(tmp_path):
    build(tmp_path / "demo")
    first = _load(tmp_path)
    build(tmp_path / "demo", tag="NEW", overwrite=True)
    second = _load(tmp_path)
    assert first["configs"] == second["configs"] == ["full", "balanced"]
    assert first["rows"] == second["rows"] == {"train": 60, "validation": 18, "test": 18}
    assert first["columns"] == ["id", "inputs", "targets", "length", "score", "flag", "words"]
    assert first["first"].startswith("Row ") and second["first"].startswith("RowNEW ")
    assert second["balanced"] == {"train": 20, "validation": 6, "test": 6}


def _load(folder: Path) -> dict:
    """What ``datasets`` finds, in a process of its own: it reads where its cache is at import."""
    code = (
        "import json, sys, datasets\n"
        "d = datasets.load_dataset(sys.argv[1]); b = datasets.load_dataset(sys.argv[1], 'balanced')\n"
        "print(json.dumps({'configs': datasets.get_dataset_config_names(sys.argv[1]), 'rows': d.num_rows, "
        "'columns': d['train'].column_names, 'first': d['train'][0]['inputs'], 'balanced': b.num_rows}))\n"
    )
    places = {"HF_HOME": str(folder / "hf"), "HF_DATASETS_CACHE": str(folder / "hf" / "datasets")}
    command = [sys.executable, "-c", code, str(folder / "demo")]
    environment = {**os.environ, **places, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_empty_splits_and_configurations_are_not_listed(tmp_path):
    only_train = [
        e
        if isinstance(e, (RangeEnd, Reject)) or not e.rows
        else dataclasses.replace(e, split="train", rows=tuple(r for r in e.rows if r.config == "balanced"), counts={})
        for e in elements(range(20))
    ]
    build(tmp_path / "demo", stream=only_train, formats=("parquet", "tsv"))
    card = (tmp_path / "demo" / "README.md").read_text(encoding="utf-8")
    (config,) = yaml.safe_load(card.split("---\n")[1])["configs"]
    assert config["config_name"] == "balanced" and config["default"] is True
    assert config["data_files"] == [{"split": "train", "path": "balanced/parquet/train-*.parquet"}]
    assert re.fullmatch(r"1\.\d+\.\d+", config["version"])
    assert not (tmp_path / "demo" / "full").exists()


def test_stats_and_report(tmp_path):
    build(
        tmp_path / "demo",
        stream=[
            *elements(range(40)),
            Origin("x", "wikipedia", range_key="z").reject(CleanReason.DEADLINE, "clean"),
            RangeEnd("z", 1, (Damage("<b>.xml", 9, "cut & gone"),)),
        ],
        allow_truncated=True,
    )
    stats = json.loads((tmp_path / "demo" / "stats.json").read_text(encoding="utf-8"))
    assert stats["types"]["full"] == [{"value": "PAIR_CONN", "count": 96, "share": 1.0}]
    assert stats["connectives"]["full"][0]["value"] == ", but"
    assert stats["counts"]["documents/rejected"]["DEADLINE"] == 1
    page = Page((tmp_path / "demo" / "report.html").read_text(encoding="utf-8"))
    assert not page.open and not page.seen & {"script", "img"} and page.outside == []
    assert "A <small> fusion corpus" in page.text and "<b>.xml is damaged at byte 9: cut & gone" in page.text
    assert "the parser or the rules did not finish" in page.text and "PAIR_CONN" in page.text
    content = check_whole(tmp_path / "demo")
    assert content["machine_dependent"] == {"documents/rejected/DEADLINE": 1}
    assert content["damage"] == [{"file": "<b>.xml", "offset": 9, "message": "cut & gone"}]


@pytest.mark.slow
def test_damage_is_refused_unless_allowed(tmp_path):
    stream = list(elements(range(20), damage=(Damage("dump.xml.bz2", 812, "the stream ends early"),)))
    line = (
        "^dump.xml.bz2 is damaged at byte 812: the stream ends early; nothing was published. Use --allow-truncated to "
        "publish the rest of the input$"
    )
    with pytest.raises(DamagedInputError, match=line):
        build(tmp_path / "demo", stream=stream)
    assert not (tmp_path / "demo").exists() and leftovers(tmp_path) == []
    build(tmp_path / "demo", stream=stream, allow_truncated=True)
    assert "is damaged at byte 812" in (tmp_path / "demo" / "README.md").read_text(encoding="utf-8")


def test_workers_that_compute_differently_are_told_of(tmp_path, caplog):
    *_, last = here = arithmetic_in_use()
    other = dataclasses.replace(last, kernel="Zen")
    stream = [
        dataclasses.replace(e, arithmetic=(last if e.range_key == "dump.xml-0" else other,))
        if isinstance(e, RangeEnd)
        else e
        for e in elements(range(20))
    ]
    made = build(tmp_path / "demo", stream=stream)
    assert set(made.manifest.arithmetic) == {last, other}
    (line,) = (r.getMessage() for r in caplog.records)
    assert line == differences([last, other], here=here)
    caplog.clear()
    assert build(tmp_path / "same").manifest.arithmetic == () and not caplog.records


def test_what_is_not_conserved_is_not_published(finished):
    path = WorkspaceLayout(str(finished.root)).results
    whole = read_json(path)
    for key, message in [
        ("documents/used", "30 documents read, but 25 used and 6 rejected"),
        ("sentences/read", "sentences read, but"),
        ("pairs/used", "0 pairs read, but 1 used and 0 rejected"),
        ("rows/full/train", "rows of full/train were made, but"),
        ("rejects/read/document/REDIRECT", "rows of rejects/rejects were made"),
        ("documents/rejected/TOO_DEEP", "documents read"),
    ]:
        write_json(path, {**whole, "counts": {**whole["counts"], key: whole["counts"].get(key, 0) + 1}})
        with pytest.raises(ConservationError, match=message):
            tell(finished)
        assert not finished.output.exists()


def test_a_lost_or_changed_shard_is_not_published(finished):
    results = WorkspaceLayout(str(finished.root)).results
    whole = read_json(results)
    kept = [s for s in whole["shards"] if (s["config"], s["split"]) != ("full", "test")]
    write_json(results, {**whole, "shards": kept})
    with pytest.raises(ConservationError, match="rows of full/test were made, but 0 are in its parquet files"):
        tell(finished)
    write_json(results, whole)
    path = Path(whole["shards"][0]["path"])
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(PublishError, match="does not contain the bytes"):
        tell(finished)
    assert not finished.output.exists()


def content(path: Path):
    """What a power cut may lose of a file or folder that is not synced."""
    return sorted(os.listdir(path)) if path.is_dir() else path.read_bytes()


@pytest.mark.parametrize("overwrite", [False, True])
def test_all_is_on_the_disk_before_the_name_is_and_then_the_name(finished, tmp_path, monkeypatch, overwrite):
    synced: dict[int, object] = {}
    fsync, put_in_place = os.fsync, disk.put_in_place

    def recording(handle):
        fsync(handle)
        synced[os.fstat(handle).st_ino] = content(Path(os.readlink(f"/proc/self/fd/{handle}")))

    def putting(made, output, *, aside):
        parts = [made, *made.rglob("*")]
        assert len(parts) > 10
        assert [p for p in parts if synced.get(p.stat().st_ino) != content(p)] == []
        put_in_place(made, output, aside=aside)

    if overwrite:
        build(tmp_path / "other")
        os.rename(tmp_path / "other", finished.output)
    monkeypatch.setattr(os, "fsync", recording)
    monkeypatch.setattr(disk, "put_in_place", putting)
    tell(finished, overwrite=overwrite)
    assert synced[finished.output.parent.stat().st_ino] == content(finished.output.parent)
    check_whole(finished.output)


def test_what_is_there_is_respected(tmp_path):
    (tmp_path / "empty").mkdir()
    LocalPlace(tmp_path / "empty").check(overwrite=False)
    LocalPlace(tmp_path / "new" / "deep").check(overwrite=False)
    build(tmp_path / "empty")
    with pytest.raises(OutputExists, match="already contains a dataset; use --overwrite to replace it"):
        LocalPlace(tmp_path / "empty").check(overwrite=False)
    LocalPlace(tmp_path / "empty").check(overwrite=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.doc").write_text("")
    (tmp_path / "file").write_text("")
    for overwrite in (False, True):
        with pytest.raises(OutputExists, match="is not empty and does not contain a dataset"):
            LocalPlace(tmp_path / "other").check(overwrite=overwrite)
        with pytest.raises(OutputExists, match="is not a folder"):
            LocalPlace(tmp_path / "file").check(overwrite=overwrite)


def test_a_dataset_that_came_meanwhile_is_respected(finished, tmp_path):
    build(tmp_path / "other")
    os.rename(tmp_path / "other", finished.output)
    before = check_whole(finished.output)
    with pytest.raises(OutputExists, match="--overwrite"):
        tell(finished)
    assert check_whole(finished.output) == before


def report(folder: Path) -> str:
    return (folder / "report.html").read_text(encoding="utf-8")


def test_a_crash_between_the_two_steps_of_an_exchange_is_repaired(tmp_path):
    build(tmp_path / "demo")
    dead = locked(tmp_path / "demo")
    os.rename(tmp_path / "demo", dead.home / "replaced")
    die(dead)
    locked(tmp_path / "demo").drop()
    check_whole(tmp_path / "demo")
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_a_driver_killed_anywhere_while_publishing_leaves_a_whole_dataset(tmp_path):
    (tmp_path / "out").mkdir()
    command = [sys.executable, "-m", "tests.pipelines.publishing.kill_publishing", str(tmp_path / "out" / "demo")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    old, new, *names = done.stdout.split()
    assert int(old) > 20 and int(new) > 0  # it died before and after the exchange
    assert names == ["demo"]


def test_a_failed_run_that_is_resumed_gives_the_same_dataset(tmp_path):
    from gistmill.transforms.sinks.spills import finished_ranges

    whole = build(tmp_path / "whole")
    stream = list(elements(range(40)))
    failed = locked(tmp_path / "demo", fingerprint={"tag": ""})
    list(written(failed.root, stream[:20]))
    assert "1 finished ranges" in failed.drop(keep=True)
    again = locked(tmp_path / "demo", fingerprint={"tag": ""}, resume=True)
    done = finished_ranges(str(again.root))
    rest = [e for e in stream if (e if isinstance(e, RangeEnd) else e.origin).range_key not in done]
    assert again.root == failed.root and len(done) == 1 and len(rest) < len(stream)
    run(again.root, rest, shards=2, finished=list(done.values()))
    made = publish(again, Publication(schema=SCHEMA, formats=FORMATS, run=INFO))
    again.drop()
    assert files_of(made, tmp_path / "demo") == files_of(whole, tmp_path / "whole")
