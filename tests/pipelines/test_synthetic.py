"""``gistmill synthetic`` by the real command."""

import itertools
import json

import pytest

import gistmill as package
from gistmill import Dataset
from gistmill.rules.synthetic.recipe import Synthetic, SyntheticConfig
from gistmill.transforms.sources.seeds import SeedsConfig, SeedsSource
from tests.cases import by_heading
from tests.commands import data_checksums, make, manifest, refusal, rows, write_jsonl
from tests.rules.synthetic.helpers import seed
from tests.transforms.test_tokenizers import sentencepiece_model

CASES = by_heading(__file__)

TASKS = "ensemble,sr,elementary:copy-quoted,sum-of-numbers"
OPTIONS = {"tasks": TASKS, "documents": 300, "seed": 7, "splits": (60, 20, 20), "workers": 1}  # by default one a core


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    return made(tmp_path_factory.mktemp("data") / "synthetic")


def made(folder, **options):
    """The folder of the dataset, made in this process."""
    package.build("synthetic", output=str(folder), **{**OPTIONS, **options})
    return folder


@pytest.mark.slow
def test_each_task_is_a_configuration(dataset):
    found = manifest(dataset)
    assert found["counts"]["documents"] == {"read": 300, "used": 300} and found["sources"] == []
    assert list(found["columns"]) == ["ensemble", "sr", "copy-quoted", "sum-of-numbers"]
    for config in found["columns"]:
        assert len(rows(dataset, config)) == 300
        assert found["counts"][f"configurations/{config}"] == {"read": 300, "used": 300}
    (model,) = found["models"]  # sr counts tokens
    assert model["name"].startswith("words: no tokenizer was given")
    assert Dataset(dataset).validate() == []
    assert "language:\n- zxx" in (dataset / "README.md").read_text(encoding="utf-8")


def test_rows_are_those_of_the_recipe(tmp_path):
    dataset = made(tmp_path / "few", documents=30)
    recipe = Synthetic(SyntheticConfig(tasks="ensemble,sr,copy-quoted,sum-of-numbers", seed=7))
    found = {row["id"]: row for config in manifest(dataset)["columns"] for row in rows(dataset, config)}
    expected = {row.id: dict(row.values) for number in range(30) for row in recipe.process(seed(number)).rows}
    assert found == expected and len(found) == 4 * 30


@pytest.mark.slow
def test_two_workers_give_the_same_bytes_and_more_documents_begin_with_the_same_rows(dataset, tmp_path):
    job = f"synthetic --tasks {TASKS} --seed 7 --splits 60,20,20 --workers 2"
    done = make(f"{job} --documents 300 --output {tmp_path}/two")
    assert "300 documents read, 300 used, 0 rejected; 300 rows in copy-quoted" in done.stdout
    assert data_checksums(tmp_path / "two") == data_checksums(dataset) != {}
    made(tmp_path / "more", documents=600)
    for config, split in itertools.product(manifest(dataset)["columns"], ("train", "validation", "test")):
        few, many = rows(dataset, config, split), rows(tmp_path / "more", config, split)
        assert few == many[: len(few)] and len(many) > 1.4 * len(few)
        numbers = [int(row["document_id"].rpartition("-")[2]) for row in many]
        assert numbers == sorted(numbers)


@pytest.mark.slow
def test_from_python_with_a_list_of_words_and_a_tokenizer(tmp_path):
    (tmp_path / "words.txt").write_text("\ufeffrot\r\ngrün\r\nblau\r\n", encoding="utf-8")
    (tmp_path / "spiece.model").write_bytes(sentencepiece_model())
    options = {"tasks": ["mdg"], "words": str(tmp_path / "words.txt"), "tokenizer": str(tmp_path / "spiece.model")}
    found = Dataset(made(tmp_path / "out", documents=40, splits=(1, 0, 0), **options))
    for row in found.rows("train"):
        assert set(row["targets"].split()) == {"rot", "grün", "blau", "."}
    (model,) = found.manifest.models
    assert model.name == "spiece.model" and len(model.sha256) == 64 and "sentencepiece" in model.packages
    assert found.manifest.configuration["words"] == "words.txt"
    assert str(tmp_path) not in json.dumps(manifest(tmp_path / "out")) and found.validate() == []


def test_real_sentences_of_another_source(tmp_path):
    text = "The old mill stood by the river until the flood of the year. " * 9
    texts = [text, "Too short. It is.", text * 8]
    source = write_jsonl(tmp_path / "in.jsonl", [{"id": f"d{i}", "text": t} for i, t in enumerate(texts)])
    real = f"--words wikipedia --source jsonl --input {source} --deduplicate none"
    make(f"synthetic --workers 1 --tasks copy-last-sentence,nsg --seed 3 --splits 1,0,0 {real} --output {tmp_path}/out")
    found = rows(tmp_path / "out", "copy-last-sentence")
    assert [row["document_id"] for row in found] == ["d0", "d2"] and found[0]["file"] == "in.jsonl"
    assert {row["targets"] for row in found} == {"the old mill stood by the river until the flood of the year ."}
    (long,) = rows(tmp_path / "out", "nsg")
    assert long["document_id"] == "d2" and len(long["inputs"].split()) == 512
    counts = manifest(tmp_path / "out")["counts"]
    assert counts["documents"] == {"read": 3, "used": 2} and counts["documents/rejected"] == {"NO_TASK": 1}
    assert counts["configurations/nsg"] == {"read": 3, "used": 1, "rejected/TOO_FEW_TOKENS": 2}


def test_documents_are_divided_into_ranges():
    for documents, ranges in [(1, 1), (128, 1), (129, 2), (4096, 32), (110_000, 108), (10**12, 4096)]:
        plan = SeedsSource(SeedsConfig(documents=documents)).plan("")
        places = list(plan._ranges)
        assert len(places) <= ranges and places[0].start == 0 and places[-1].end == documents
        assert all(a.end == b.start and a.key < b.key for a, b in itertools.pairwise(places))
        assert SeedsSource(SeedsConfig(documents=documents, limit=1)).plan("")._ranges[0].end == 1


def test_what_is_wrong_is_one_line(tmp_path, monkeypatch):
    contents = {
        "one": b"one\n",
        "empty": b"",
        "twice": b"a\nb\na\n",
        "keyword": b"a\n__d3__keyword_0__\n",
        "stop": b"a\n.\n",
        "binary": b"\xff\xfe\x00\x01" * 100,
        "nul": b"a\nb\x00c\n",
        "long": b"a" * 300 + b"\n" + b"b" * 300,
        "letters": _letters(),
        "huge": b"word\n" * 1000,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr("gistmill.transforms.materials.MOST_BYTES", 4000)
    for arguments, said in CASES["what is wrong is one line"]:
        assert said in refusal("synthetic --output o", arguments, cwd=tmp_path)
        assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*contents, "folder"])


def _letters() -> bytes:
    from tokenizers import Tokenizer, models, pre_tokenizers

    made = Tokenizer(models.BPE({"a": 0, "b": 1, ".": 2, "<unk>": 3}, [], unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made.to_str().encode()
