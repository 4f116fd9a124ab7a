"""``gistmill propositions`` by the real command, on small pages of the slice: rows, places, counts, and what reads them."""

import json

import pyarrow.parquet as pq
import pytest

import gistmill
from gistmill.rules.propositions.open_references import OpenKind
from gistmill.rules.propositions.recipe import fuse
from tests.commands import data_checksums, manifest, succeed
from tests.commands import gistmill as command
from tests.dumps import small_pages, write_small

SPLITS = ("--splits", "60,20,20")
CONFIGS = ("propositions", "sentences", "rephrase")


def rows(folder, config):
    files = sorted((folder / config / "parquet").glob("*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return write_small(tmp_path_factory.mktemp("dump") / "small.xml.bz2")


@pytest.fixture(scope="module")
def dataset(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "propositions"
    succeed("propositions", "--input", dump, "--output", folder, *SPLITS)
    return folder


@pytest.fixture(scope="module")
def texts(dump, tmp_path_factory):
    """The text that ``articles`` writes of each document."""
    folder = tmp_path_factory.mktemp("texts") / "articles"
    succeed("articles", "--input", dump, "--output", folder)
    return {f"wikipedia-{row['id']}": row["text"] for row in rows(folder, "default")}


@pytest.mark.slow
def test_every_page_and_sentence_is_accounted_for(dataset):
    counts = manifest(dataset)["counts"]
    documents, sentences = counts["documents"], counts["sentences"]
    assert documents["read"] == len(small_pages())
    assert documents["read"] == documents["used"] + sum(counts["documents/rejected"].values())
    assert sentences["read"] == sentences["used"] + sum(counts["sentences/rejected"].values())
    assert sentences["used"] == len(rows(dataset, "sentences")) > 100
    assert sum(counts["unresolved/propositions"].values()) >= len(rows(dataset, "propositions"))
    assert gistmill.Dataset(dataset).validate() == []


def test_rows_are_as_the_schema_says_and_their_ids_are_unique(dataset):
    for config in CONFIGS:
        found = rows(dataset, config)
        columns = [c.name for c in gistmill.Dataset(dataset).columns(config)]
        assert found and all(list(row) == columns for row in found)
        assert len({row["id"] for row in found}) == len(found)


def test_the_configurations_tell_the_same_of_a_sentence(dataset):
    by_sentence = {row["id"]: row for row in rows(dataset, "sentences")}
    made = {key: [] for key in by_sentence}
    for row in sorted(rows(dataset, "propositions"), key=lambda r: r["id"]):
        made[row["id"].rpartition("-")[0]].append(row)
    for key, row in by_sentence.items():
        assert [r["proposition"] for r in made[key]] == row["propositions"]
        assert row["resolved"] is all(r["resolved"] for r in made[key])
        assert row["quality"] == min(r["quality"] for r in made[key])
    split = {row["id"]: row["inputs"] for row in rows(dataset, "rephrase")}
    assert split == {key: by_sentence[key]["sentence"] for key in split} and len(split) > 10
    assert all(len(made[key]) > 1 for key in split)


def test_places_are_those_of_the_text_that_articles_writes(dataset, texts):
    for row in (row for config in CONFIGS for row in rows(dataset, config)):
        text = texts[row["document_id"]]
        sentence = text[row["sentence_start"] : row["sentence_end"]]
        assert sentence == row["sentence" if "sentence" in row else "inputs"], row["id"]
    for row in rows(dataset, "propositions"):
        text = texts[row["document_id"]]
        pieces = [text[a:b] for a, b in zip(row["piece_starts"], row["piece_ends"], strict=True)]
        assert pieces and all(pieces)
        if not row["operations"]:
            assert pieces == [row["proposition"]] and row["quality"] == 1
        for operation in row["operations"]:
            if operation.startswith("REPLACE"):
                by = operation.partition(" by ")[2].rpartition(" (")[0]
                assert by.removeprefix("the ").split()[-1].removesuffix("s").rstrip("'") in " ".join(pieces), row


def test_what_is_unresolved_stands_in_the_statement_behind_its_kind(dataset):
    for row in rows(dataset, "propositions"):
        assert row["resolved"] is (not row["unresolved"])
        for kind, _, words in (each.partition(" ") for each in row["unresolved"]):
            assert kind in OpenKind.__members__ and words.lower() in row["proposition"].lower(), row


def test_edits_lead_back_to_the_complex_sentence(dataset):
    for row in rows(dataset, "rephrase"):
        simple = [
            (text, tokens.split(" ")) for text, tokens in zip(row["simple_sentences"], row["tokens"], strict=True)
        ]
        assert fuse(simple, row["edits"]) == row["inputs"], row["id"]
        assert row["targets"] == " ".join(row["simple_sentences"])
        assert len(simple) == 1 + sum(edit.startswith("fuse ") for edit in row["edits"])


def test_datasets_reads_the_statements_by_default_and_the_others_by_name(dataset, tmp_path):
    import datasets

    for name in (None, *CONFIGS):
        loaded = datasets.load_dataset(str(dataset), name, cache_dir=str(tmp_path / "cache"))
        assert set(loaded) <= {"train", "validation", "test"}
        read = {row["id"]: row for split in loaded.values() for row in split}
        assert read == {row["id"]: row for row in rows(dataset, name or "propositions")}


@pytest.mark.slow
def test_the_same_bytes_with_two_workers_and_from_annotations(dataset, dump, tmp_path):
    succeed("propositions", "--input", dump, "--output", tmp_path / "two", *SPLITS, "--workers", "2")
    succeed("annotate", "--input", dump, "--output", tmp_path / "annotated")
    source = ("--source", "annotated", "--input", tmp_path / "annotated")
    succeed("propositions", *source, "--output", tmp_path / "again", *SPLITS)
    assert data_checksums(tmp_path / "two") == data_checksums(tmp_path / "again") == data_checksums(dataset) != {}


def test_python_says_of_a_page_what_the_dataset_says(dataset, texts):
    document = min((row["document_id"] for row in rows(dataset, "sentences")), key=lambda d: len(texts[d]))
    (title,) = {row["title"] for row in rows(dataset, "sentences") if row["document_id"] == document}
    want = [row for row in rows(dataset, "propositions") if row["document_id"] == document]
    found = gistmill.propositions(texts[document].replace("\n", "\n\n"), title=title)
    assert [s.text for s in found] == [row["proposition"] for row in sorted(want, key=lambda r: r["id"])]


def test_a_row_is_traced_and_a_sentence_is_looked_up(dataset, dump):
    row = next(r for r in rows(dataset, "rephrase") if r["title"])
    traced = gistmill.trace_row(gistmill.Dataset(dataset), row["id"], inputs=[str(dump)])
    assert {f.config for f in traced.found} == {"sentences", "rephrase"} and traced.differing == []
    shown = {column.name: value for column, value in traced.columns}
    assert shown["edits"] == row["edits"] and shown["propositions"] and shown["sentence"] == row["inputs"]
    said = succeed("why", dataset, row["inputs"]).stdout
    assert {f"in {config}/" in said for config in CONFIGS} == {True} and row["id"] in said


@pytest.mark.slow
def test_a_sentence_that_states_nothing_is_looked_up_with_its_reason(tmp_path):
    text = "The Tay Bridge was opened in 1878, but it collapsed: 1879 was a bad year. Who wrote that: was it him?"
    lines = [json.dumps({"id": f"d{n}", "title": "Tay", "text": f"{text} Was it number {n}?"}) for n in range(2)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    source = ("--source", "jsonl", "--title-field", "title", "--input", tmp_path / "a.jsonl")
    succeed("propositions", *source, "--output", tmp_path / "out", "--deduplicate", "none")
    assert "STATES_A_QUESTION" in succeed("why", tmp_path / "out", "Who wrote that: was it him?").stdout
    assert "0 rejects" in succeed("why", tmp_path / "out", "It collapsed: 1879 was a bad year.").stdout


@pytest.mark.slow
def test_options_reach_the_recipe(tmp_path):
    line = {"text": "Ada Lovelace wrote a program. She published it."}
    (tmp_path / "a.jsonl").write_text(json.dumps(line), encoding="utf-8")
    source = ("--source", "jsonl", "--input", tmp_path / "a.jsonl", "--languages", "any")
    found = {}
    for name, options in {
        "usual": (),
        "short": ("--max-antecedent-tokens", "1"),
        "sure": ("--precision", "strict"),
    }.items():
        succeed("propositions", *source, "--output", tmp_path / name, *options)
        found[name] = rows(tmp_path / name, "propositions")[-1]["proposition"]
    assert found == {
        "usual": "Ada Lovelace published the program.",
        "short": "She published it.",
        "sure": "Ada Lovelace published it.",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--precision", "striict"), "did you mean strict?"),
        (("--min-coref-confidence", "1.1"), "--min-coref-confidence: expected a number from 0 to 1"),
        (("--max-antecedent-tokens", "0"), "--max-antecedent-tokens: expected a whole number of at least 1"),
        (("--languages", "de"), "English"),
    ],
)
def test_wrong_options_are_one_line(arguments, said, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "Ada Lovelace left Kent."}', encoding="utf-8")
    done = command(
        "propositions", "--source", "jsonl", "--input", tmp_path / "a.jsonl", "--output", tmp_path / "out", *arguments
    )
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_the_configuration_reads_back(tmp_path):
    printed = succeed("propositions", "--input", "x.gz", "--output", "o", "--precision", "generous", "--print-config")
    (tmp_path / "c.yaml").write_text(printed.stdout, encoding="utf-8")
    assert succeed("propositions", "--config", tmp_path / "c.yaml", "--print-config").stdout == printed.stdout
    assert "precision: generous" in printed.stdout
