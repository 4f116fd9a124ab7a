"""``gistmill propositions`` and ``gistmill resolve`` by the real commands: on a text, on JSON lines and on Wikipedia."""

import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from benchmarks.slice import slice_path
from gistmill import Dataset
from gistmill.rules.propositions.rephrase import fuse
from tests.commands import data_checksums, gistmill, manifest, succeed

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


def piped(text, *arguments):
    """What a command prints that reads a text from standard input."""
    command = [sys.executable, "-m", "gistmill", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


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


def test_a_text_is_printed_as_statements():
    done = succeed("propositions", "--text", TEXT, "--title", "Ada Lovelace")
    assert done.stdout.splitlines() == STATED


def test_statements_that_need_the_text_can_be_left_out():
    done = succeed("propositions", "--text", TEXT, "--resolved-only", "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [f["text"] for f in found] == STATED[:-1] and all(f["resolved"] for f in found)
    assert [TEXT[a:b] for a, b in found[3]["pieces"]] == ["Ada Lovelace", "published a program in 1843."]


def test_a_file_and_standard_input_are_read(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    assert succeed("propositions", "--text-file", tmp_path / "a.txt").stdout.splitlines() == STATED
    assert piped(TEXT, "propositions", "--text-file", "-").splitlines() == STATED
    assert piped(TEXT, "resolve") == succeed("resolve", "--input", tmp_path / "a.txt").stdout


def test_resolve_says_what_was_replaced_by_what_where_and_how_sure():
    made = json.loads(succeed("resolve", "--json", TEXT).stdout)
    assert [(r["text"], r["by"]) for r in made["replaced"]] == [("She", "Ada Lovelace"), ("it", "the program")]
    for r in made["replaced"]:
        assert TEXT[r["start"] : r["end"]] == r["text"] and made["text"][r["new_start"] : r["new_end"]] == r["by"]
        assert 0.84 <= r["confidence"] <= 1
    found = [TEXT[r["antecedent_start"] : r["antecedent_end"]] for r in made["replaced"]]
    assert found == ["Ada Lovelace", "a program"]
    assert made["text"] == TEXT.replace("She", "Ada Lovelace").replace("read it", "read the program")
    assert "The program" in [TEXT[u["start"] : u["end"]] for u in made["unresolved"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("resolve", " "), "gistmill resolve: the text is empty\n"),
        (("propositions", "--text", ""), "gistmill propositions: the text is empty\n"),
        (
            ("propositions", "--text", "a", "--text-file", "b"),
            "gistmill propositions: give a text or --text-file, not both\n",
        ),
        (
            ("propositions", "--text-file", "gone.txt"),
            "gistmill propositions: --text-file gone.txt: No such file or directory\n",
        ),
        (
            ("resolve", "--precision", "vague", "a"),
            "gistmill resolve: precision: expected one of strict, balanced, generous, not 'vague'\n",
        ),
    ],
)
def test_a_wrong_command_is_told_in_a_line(arguments, message, tmp_path):
    done = gistmill(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_a_file_in_another_encoding_is_told(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"Ada \xff")
    done = gistmill("resolve", "--input", tmp_path / "a.txt")
    assert (done.returncode, done.stderr) == (2, "gistmill resolve: the text is not valid UTF-8 (byte 5)\n")


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


@pytest.mark.slow
def test_a_slice_of_wikipedia_gives_the_same_bytes_with_any_workers(tmp_path):
    for workers in ("1", "2"):
        output = tmp_path / workers
        succeed("propositions", "--input", slice_path(), "--limit", "40", "--output", output, "--workers", workers)
    assert data_checksums(tmp_path / "1") == data_checksums(tmp_path / "2")
    published = Dataset(tmp_path / "1")
    assert published.validate() == []
    counts = published.manifest.counts
    assert counts["sentences"]["read"] == counts["sentences"]["used"] + sum(counts["sentences/rejected"].values())
