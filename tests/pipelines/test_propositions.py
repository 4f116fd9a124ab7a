"""``gistmill propositions`` on two short texts: every row, word for word."""

import json

import pyarrow.parquet as pq
import pytest

from gistmill.rules.propositions.recipe import fuse
from tests.commands import manifest, succeed

TEXT = (
    "Ada Lovelace was an English writer. She worked with Charles Babbage, who built engines, and she published a program "
    "in 1843. Who read it?\n\nThe program was long."
)
STATED = [
    "Ada Lovelace was an English writer.",
    "Ada Lovelace worked with Charles Babbage.",
    "Charles Babbage built engines.",
    "Ada Lovelace published a program in 1843.",
    "The program was long.",
]


def rows(folder, config):
    return [r for f in sorted((folder / config / "parquet").glob("*.parquet")) for r in pq.read_table(f).to_pylist()]


def written(text):
    """The text of a document as `articles` writes it: a line for each paragraph."""
    return "\n".join(" ".join(block.split()) for block in text.split("\n\n"))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("propositions")
    lines = [
        {"id": "a", "title": "Ada Lovelace", "text": TEXT},
        {"id": "b", "title": "B", "text": "Who is it? Why so?"},
    ]
    (folder / "texts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    options = ("--source", "jsonl", "--splits", "1,0,0", "--languages", "any")
    succeed("propositions", "--input", folder / "texts.jsonl", "--output", folder / "out", *options)
    return folder / "out"


@pytest.mark.slow
def test_rows_say_where_their_pieces_stand(dataset):
    text = written(TEXT)
    found = rows(dataset, "propositions")
    assert [r["proposition"] for r in found] == STATED
    assert [text[r["sentence_start"] : r["sentence_end"]] for r in found] == [r["sentence"] for r in found]
    second = found[1]
    assert [text[a:b] for a, b in zip(second["piece_starts"], second["piece_ends"], strict=True)] == [
        "Ada Lovelace",
        "worked with Charles Babbage",
    ]
    assert second["operations"][:2] == ["SPLIT SINGLE_RELATIVE", "SPLIT SINGLE_S_COORD , and"]
    assert [r["unresolved"] for r in found] == [[], [], ["NAMELESS"], [], ["DEFINITE The program"]]
    assert [r["resolved"] for r in found] == [True, True, False, True, False]


def test_sentences_hold_their_statements(dataset):
    found = rows(dataset, "sentences")
    assert [s for r in found for s in r["propositions"]] == STATED
    assert [r["sentence_index"] for r in found] == [0, 1, 3]


def test_simple_sentences_lead_back(dataset):
    (row,) = rows(dataset, "rephrase")
    simple = list(zip(row["simple_sentences"], (t.split(" ") for t in row["tokens"]), strict=True))
    assert fuse(simple, row["edits"]) == row["inputs"] and row["targets"] == " ".join(row["simple_sentences"])


def test_what_states_nothing_is_counted(dataset):
    counts = manifest(dataset)["counts"]
    assert counts["sentences"] == {"read": 6, "used": 3} and counts["sentences/rejected"] == {"STATES_A_QUESTION": 3}
    assert counts["documents/rejected"] == {"NO_PROPOSITIONS": 1}
