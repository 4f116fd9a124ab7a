"""``gistmill gap-sentences`` by the real command."""

import json
from pathlib import Path

import pytest

from gistmill.pipelines.cli import main
from gistmill.rules.gap_sentences import COLUMNS
from tests.commands import call, data_checksums, make, manifest, rows
from tests.dumps import small_pages, write_small

CORPORA = Path(__file__).parents[2] / "corpora"
SPLITS = ("--splits", "60,20,20")


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return write_small(tmp_path_factory.mktemp("dump") / "small.xml.bz2")


@pytest.fixture(scope="module")
def dataset(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "gaps"
    make("gap-sentences", "--config", CORPORA / "gap-sentences.yaml", "--input", dump, "--output", folder, *SPLITS)
    return folder


def test_inputs_and_targets_together_are_the_document(dataset):
    counts = manifest(dataset)["counts"]
    found = rows(dataset)
    assert counts["documents"]["read"] == len(small_pages())
    assert counts["documents"]["read"] == counts["documents"]["used"] + sum(counts["documents/rejected"].values())
    assert len(found) == counts["documents"]["used"] > 3
    for row in found:
        assert list(row) == [c.name for c in COLUMNS]
        assert row["inputs"].count("[MASK1]") == len(row["masked"]) and {*row["masked"]} <= {*row["selected"]}
        assert len(row["selected"]) == max(1, int(0.45 * row["sentences"] + 1e-9))
        assert row["target_words"] == len(row["targets"].split()) and row["target_words"] <= 512
    masked, selected = (sum(len(r[k]) for r in found) for k in ("masked", "selected"))
    assert 0.65 < masked / selected < 0.95  # 0.8 on average


@pytest.mark.slow
def test_the_same_bytes_from_another_folder_with_two_workers_and_datasets_reads_them(dump, dataset, tmp_path):
    elsewhere = tmp_path / "moved" / dump.name
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(dump.read_bytes())
    import datasets

    make(
        "gap-sentences --config",
        CORPORA / "gap-sentences.yaml",
        "--input",
        elsewhere,
        "--output",
        tmp_path / "two",
        *SPLITS,
        "--workers 2",
    )
    assert data_checksums(tmp_path / "two") == data_checksums(dataset)
    loaded = datasets.load_dataset(str(dataset), cache_dir=str(tmp_path / "cache"))
    assert sum(len(split) for split in loaded.values()) == len(rows(dataset))


def test_options_reach_the_recipe(tmp_path):
    texts = ["One thing is here. Two things are there. A third one is away. Nobody knows it."] * 3
    lines = [json.dumps({"id": f"d{i}", "text": t}) for i, t in enumerate(texts)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines), encoding="utf-8")
    make(
        "gap-sentences --source jsonl --input",
        tmp_path / "in.jsonl",
        "--output",
        tmp_path / "out",
        *SPLITS,
        "--selection lead --gap-ratio 0.5 --left-ratio 0 --mask-token <mask_1> --salt",
        "'with space'",
        "--deduplicate none",
    )
    found = rows(tmp_path / "out")
    assert len(found) == 3
    assert {(r["inputs"], r["targets"]) for r in found} == {
        ("<mask_1> <mask_1> A third one is away. Nobody knows it.", "One thing is here. Two things are there.")
    }


def test_the_configuration_reads_back(tmp_path):
    printed = call(
        "gap-sentences --config", CORPORA / "gap-sentences.yaml", "--input x.bz2 --output o --stemmer --print-config"
    ).stdout
    (tmp_path / "c.yaml").write_text(printed, encoding="utf-8")
    assert call("gap-sentences", "--config", tmp_path / "c.yaml", "--print-config").stdout == printed
    assert "stemmer: true" in printed


def test_wrong_options_are_one_line(capsys, tmp_path):
    for arguments, said in [
        (("--gap-ratio", "1"), "--gap-ratio: expected a number between 0 and 1"),
        (("--gap-ratio", "0"), "--gap-ratio"),
        (("--left-ratio", "2"), "--left-ratio"),
        (("--mask-token", "a b"), "--mask-token: expected a text without white space"),
        (("--selection", "leed"), "did you mean lead?"),
        (("--min-sentences", "1"), "--min-sentences"),
        (("--ngrams", "3"), "expected one of orig, uniq"),
    ]:
        assert main(["gap-sentences", "--input", "x.xml.bz2", "--output", str(tmp_path / "out"), *arguments]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line
