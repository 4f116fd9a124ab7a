"""``gistmill propositions`` by the real command: two short texts word for word, and small pages of the slice."""

import shlex

import pytest

import gistmill
from gistmill.rules.propositions.open_references import OpenKind
from gistmill.rules.propositions.recipe import fuse
from tests.commands import make, manifest, rows, write_jsonl
from tests.dumps import small_pages

CONFIGS = ("propositions", "sentences", "rephrase")
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


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """The dataset of two texts, of which the second states nothing."""
    folder = tmp_path_factory.mktemp("short")
    of_questions = {"id": "b", "title": "B", "text": "Who is it? Why so?"}
    write_jsonl(folder / "texts.jsonl", [{"id": "a", "title": "Ada Lovelace", "text": TEXT}, of_questions])
    source = f"--source jsonl --input {folder}/texts.jsonl --languages any"
    make(f"propositions {source} --splits 1,0,0 --output {folder}/out")
    return folder / "out"


def test_rows_say_where_their_pieces_stand(short):
    text = TEXT.replace("\n\n", "\n")  # as `articles` writes it: a line for each paragraph
    found = rows(short, "propositions")
    assert [r["proposition"] for r in found] == STATED
    assert [text[r["sentence_start"] : r["sentence_end"]] for r in found] == [r["sentence"] for r in found]
    second = found[1]
    pieces = [text[a:b] for a, b in zip(second["piece_starts"], second["piece_ends"], strict=True)]
    assert pieces == ["Ada Lovelace", "worked with Charles Babbage"]
    assert second["operations"][:2] == ["SPLIT SINGLE_RELATIVE", "SPLIT SINGLE_S_COORD , and"]
    assert [r["unresolved"] for r in found] == [[], [], ["NAMELESS"], [], ["DEFINITE The program"]]
    assert [r["resolved"] for r in found] == [True, True, False, True, False]
    sentences = rows(short, "sentences")
    assert [s for r in sentences for s in r["propositions"]] == STATED
    assert [r["sentence_index"] for r in sentences] == [0, 1, 3]
    counts = manifest(short)["counts"]
    assert counts["sentences"] == {"read": 6, "used": 3} and counts["sentences/rejected"] == {"STATES_A_QUESTION": 3}
    assert counts["documents/rejected"] == {"NO_PROPOSITIONS": 1}
    check_edits(rows(short, "rephrase"))


def check_edits(found):
    """Edits lead from simple sentences back to the complex one."""
    for row in found:
        simple = list(zip(row["simple_sentences"], (t.split(" ") for t in row["tokens"]), strict=True))
        assert fuse(simple, row["edits"]) == row["inputs"], row["id"]
        assert row["targets"] == " ".join(row["simple_sentences"])
        assert len(simple) == 1 + sum(edit.startswith("fuse ") for edit in row["edits"])
    assert found


@pytest.fixture(scope="module")
def dataset(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "propositions"
    make(f"propositions --input {dump} --output {folder} --splits 60,20,20")
    return folder


@pytest.fixture(scope="module")
def texts(articles):
    """The text that ``articles`` writes of each document."""
    return {f"wikipedia-{row['id']}": row["text"] for row in rows(articles)}


@pytest.mark.slow
def test_every_page_and_sentence_is_accounted_for_and_rows_are_as_the_schema_says(dataset):
    counts = manifest(dataset)["counts"]
    assert counts["documents"]["read"] == len(small_pages())
    for unit in ("documents", "sentences"):
        assert counts[unit]["read"] == counts[unit]["used"] + sum(counts[f"{unit}/rejected"].values())
    assert counts["sentences"]["used"] == len(rows(dataset, "sentences")) > 100
    assert sum(counts["unresolved/propositions"].values()) >= len(rows(dataset, "propositions"))
    assert gistmill.Dataset(dataset).validate() == []
    for config in CONFIGS:
        found = rows(dataset, config)
        columns = [c.name for c in gistmill.Dataset(dataset).columns(config)]
        assert found and all(list(row) == columns for row in found)
        assert len({row["id"] for row in found}) == len(found)


@pytest.mark.slow
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
    check_edits(rows(dataset, "rephrase"))


@pytest.mark.slow
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
                # a name that only the title has is of no piece
                there = " ".join((*pieces, row["title"]))
                assert by.removeprefix("the ").split()[-1].removesuffix("s").rstrip("'") in there, row
        assert row["resolved"] is (not row["unresolved"])
        for kind, _, words in (each.partition(" ") for each in row["unresolved"]):
            assert kind in OpenKind.__members__ and words.lower() in row["proposition"].lower(), row


@pytest.mark.slow
def test_python_and_the_lookups_say_of_a_page_what_the_dataset_says(dataset, dump, texts):
    document = min((row["document_id"] for row in rows(dataset, "sentences")), key=lambda d: len(texts[d]))
    (title,) = {row["title"] for row in rows(dataset, "sentences") if row["document_id"] == document}
    want = [row for row in rows(dataset, "propositions") if row["document_id"] == document]
    found = gistmill.propositions(texts[document].replace("\n", "\n\n"), title=title)
    assert [s.text for s in found] == [row["proposition"] for row in sorted(want, key=lambda r: r["id"])]
    row = next(r for r in rows(dataset, "rephrase") if r["title"])
    traced = gistmill.trace_row(gistmill.Dataset(dataset), row["id"], inputs=[str(dump)])
    assert {f.config for f in traced.found} == {"sentences", "rephrase"} and traced.differing == []
    shown = {column.name: value for column, value in traced.columns}
    assert shown["edits"] == row["edits"] and shown["propositions"] and shown["sentence"] == row["inputs"]


@pytest.mark.slow
def test_a_sentence_is_looked_up_and_one_that_states_nothing_with_its_reason(dataset, tmp_path):
    row = next(r for r in rows(dataset, "rephrase") if r["title"])
    said = looked_up(dataset, row["inputs"])
    assert {f"in {config}/" in said for config in CONFIGS} == {True} and row["id"] in said
    text = "The Tay Bridge was opened in 1878, but it collapsed: 1879 was a bad year. Who wrote that: was it him?"
    lines = [{"id": f"d{n}", "title": "Tay", "text": f"{text} Was it number {n}?"} for n in range(2)]
    source = write_jsonl(tmp_path / "a.jsonl", lines)
    make(f"propositions --source jsonl --input {source} --output {tmp_path}/out --deduplicate none")
    assert "STATES_A_QUESTION" in looked_up(tmp_path / "out", "Who wrote that: was it him?")
    assert "0 rejects" in looked_up(tmp_path / "out", "It collapsed: 1879 was a bad year.")


def looked_up(dataset, sentence):
    return make("why", dataset, shlex.quote(sentence)).stdout
