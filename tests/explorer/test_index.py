"""The index: its files say of every row what the dataset says."""

import gzip
import itertools
import json
import math
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.statistics import Column
from gistmill.explorer.index import building
from gistmill.explorer.index.building import META, NOWHERE, STATES, indexed
from gistmill.explorer.index.table import Shape, WordIndex, in_sevens, read_json, rows_path, shard_of, words_of
from gistmill.explorer.server import Version, compared
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from tests.explorer.made import COLUMNS, index_of, reject, row, write_dataset


def decoded(data):
    """Numbers of 7 bits a byte."""
    numbers, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number, shift = 0, 0
    return numbers


def rows_of(version, table, word):
    """The rows of a word, as the page reads them."""
    shards = version.tables[table]["shards"]
    data = gzip.decompress((version.index / table / "words" / f"{shard_of(word, shards)}.bin").read_bytes())
    length = int.from_bytes(data[:4], "little")
    start, size, count = json.loads(data[4 : 4 + length]).get(word, [0, 0, 0])
    found = list(itertools.accumulate(decoded(data[4 + length :][start : start + size])))
    assert len(found) == count
    return found


def all_rows(version, table):
    about = version.tables[table]
    names = [c["name"] for c in about["columns"]]
    chunks = range(-(-about["rows"] // about["chunk_rows"]))
    return [dict(zip(names, r)) for n in chunks for r in read_json(rows_path(version.index / table, n))]


def codes(version, table, name):
    column = next(v for v in version.tables[table]["values"] if v["name"] == name)
    data = gzip.decompress((version.index / table / column["file"]).read_bytes())
    return [column["values"][code][0] for code in np.frombuffer(data, "<u2" if column["wide"] else "u1")]


@given(st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 300), max_size=60))
def test_numbers_are_read_back(numbers):
    data, lengths = in_sevens(np.array(numbers, np.uint32))
    assert decoded(data) == numbers and sum(lengths) == len(data)


def test_a_word_has_the_file_that_the_page_looks_for():
    # values of FNV-1a, 32 bits, by its authors
    assert [shard_of(word, 2**32) for word in ("", "a", "foobar")] == [0x811C9DC5, 0xE40C292C, 0xBF9CF968]


def test_words():
    for text, words in {
        "It's 3.5 km, NO?": ["it", "s", "3", "5", "km", "no"],
        "naïve ΣΑΣ Straße_1": ["naïve", "σας", "straße_1"],
        "": [],
        "<script>\x00\u202e": ["script"],
    }.items():
        assert words_of(text) == words


def test_words_of_many_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("gistmill.explorer.index.table._BLOCK_ROWS", 7)
    words = WordIndex(tmp_path / "words", 100)
    for number in range(100):
        words.add(number, [f"w{number % 3}", f"w{number % 3}", "all", f"only{number}"])
    words.finish()
    version = Version("", tmp_path, {"tables": [{"name": "", "shards": words.shards}]})
    assert rows_of(version, "", "all") == list(range(100))
    assert rows_of(version, "", "w1") == list(range(1, 100, 3))
    assert rows_of(version, "", "only99") == [99] and rows_of(version, "", "absent") == []
    assert not [path for path in (tmp_path / "words").iterdir() if path.suffix != ".bin"]


def test_rows_are_those_of_the_dataset_in_order(dataset, index):
    wanted = [r for split in ("train", "test") for r in Dataset(dataset).rows(split)]
    assert all_rows(index, "full") == wanted
    assert index.tables["full"]["splits"] == [["train", 0], ["test", 120]]
    assert codes(index, "full", "split") == ["train"] * 120 + ["test"] * 9
    assert codes(index, "full", "discourse_type") == [r["discourse_type"] for r in wanted]


def test_columns_to_choose_from_and_numbers(index):
    table = index.tables["full"]
    chosen = "split discourse_type connective_string has_coref_type_pronoun sentence_index"
    assert [v["name"] for v in table["values"]] == chosen.split()
    assert [n["name"] for n in table["numbers"]] == ["words of inputs", "words of targets", "score"]
    assert (table["numbers"][0]["least"], table["numbers"][0]["most"]) == (14, 18)
    assert table["values"][2]["values"] == [["", 86], [", so", 43]]
    assert [v["name"] for v in index.tables["rejects"]["values"]][1:] == ["reason", "unit", "index"]


def test_words_titles_and_documents_are_found(index):
    assert rows_of(index, "full", "rained") == list(range(129))
    assert rows_of(index, "full", "so") == list(range(129)) and rows_of(index, "full", "17") == [17]
    assert rows_of(index, "full", "otters") == []
    assert rows_of(index, "full", "title:otters")[:5] == [0, 1, 2, 3, 8]
    assert rows_of(index, "full", "document:wikipedia-001") == [4, 5, 6, 7]
    assert rows_of(index, "rejects", "document:wikipedia-000") == [0, 1]


def test_values_that_json_does_not_have_and_those_that_are_not_chosen_from(tmp_path):
    columns = (*COLUMNS, Column("url_like", "string", "a value of each row"))
    odd = [{"score": math.nan, "inputs": None}, {"score": math.inf, "title": None}, {"edits": None}]
    rows = [row(n, url_like=f"u{n}", **(odd[n] if n < 3 else {})) for n in range(60)]
    version = index_of(write_dataset(tmp_path / "demo", {"train": rows}, columns=columns), tmp_path)
    found = all_rows(version, "full")
    assert [r["score"] for r in found[:3]] == [None, None, 2 / 7] and found[0]["inputs"] is None
    assert found[2]["edits"] is None and rows_of(version, "full", "title:otters")[:2] == [0, 2]
    assert "url_like" not in [v["name"] for v in version.tables["full"]["values"]]


def test_the_kinds_of_what_is_open_are_chosen_from(tmp_path):
    columns = (*COLUMNS, Column("unresolved", "list<string>", "what is open"))
    found = [["DEFINITE the mill", "PRONOUN it", "DEFINITE the sea"], ["NAMELESS"], [], None]
    rows = [row(n, unresolved=found[n % 4]) for n in range(12)]
    for recipe, kinds in [("propositions", ["DEFINITE\nPRONOUN", "NAMELESS", "", ""]), ("discofuse", None)]:
        version = index_of(write_dataset(tmp_path / recipe, {"train": rows}, columns=columns, recipe=recipe), tmp_path)
        if kinds is None:  # a list that its recipe does not count by kinds
            assert "unresolved" not in [v["name"] for v in version.tables["full"]["values"]]
        else:
            assert codes(version, "full", "unresolved") == kinds * 3


def test_statements_have_their_grain_and_rule_and_codes_a_name(statements, tmp_path):
    version = index_of(statements, tmp_path)
    table = version.tables["propositions"]
    found = dict(zip(codes(version, "propositions", "grain"), all_rows(version, "propositions"), strict=False))
    assert {grain: row["grain"] for grain, row in found.items()} == {"sentence": "sentence", "clause": "clause"}
    done = zip(codes(version, "propositions", "operations"), codes(version, "propositions", "grain"), strict=True)
    assert {("SPLIT SINGLE_APPOSITION", "clause"), ("REPLACE\nSPLIT SINGLE_S_COORD", "clause"), ("", "sentence")} <= {
        *done
    }
    assert table["meanings"]["operations"]["SPLIT SINGLE_APPOSITION"] == "apposition"
    assert table["meanings"]["unresolved"]["CONNECTIVE"] == "a connective to what the text says before"
    reasons = {"STATES_A_QUESTION": "a question asserts nothing"}
    assert version.tables["rejects"]["meanings"] == {"reason": reasons}
    assert "grain" not in all_rows(version, "sentences")[0] and version.meta["grain"] == "clause"


def test_parsed_documents_are_shown_by_their_tokens(tmp_path):
    columns = (Column("id", "string", ""), Column("text", "list<string>", ""), Column("title", "string", ""))
    rows = [{"id": f"d{n}", "text": ["Otters", "swim", "."], "title": "T"} for n in range(3)]
    version = index_of(write_dataset(tmp_path / "demo", {"train": rows}, columns=columns), tmp_path)
    assert version.tables["full"]["texts"] == ["text"] and rows_of(version, "full", "otters") == [0, 1, 2]


def test_files_of_rows_are_neither_large_nor_too_many():
    for rows, row_bytes, chunk in (10, 100, 64), (10, 10**6, 1), (0, 0, 64), (4_000_000, 2000, 245):
        shape = Shape(name="full", columns=(), texts=(), document="id", rows=rows, row_bytes=row_bytes)
        assert shape.chunk == chunk


def test_an_index_is_made_once_and_a_torn_one_again(dataset, tmp_path, monkeypatch):
    made = []
    write = building._write
    monkeypatch.setattr(building, "_write", lambda *args: (made.append(1), write(*args)))

    def ask():
        return indexed(Dataset(dataset), tmp_path, lambda: nullcontext(lambda rows: None))

    folder = ask()
    assert ask() == folder and len(made) == 1
    (folder / META).write_bytes((folder / META).read_bytes()[:20])
    assert ask() == folder and len(made) == 2 and read_json(folder / META)["recipe"] == "discofuse"
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_an_index_that_fails_leaves_nothing(tmp_path):
    folder = write_dataset(tmp_path / "demo", {"train": [row(0), row(1)]})
    (folder / "full/parquet/train-00001-of-00002.parquet").write_bytes(b"PAR1")
    with pytest.raises(DatasetError, match="train-00001-of-00002.parquet cannot be read"):
        index_of(folder, tmp_path / "index")
    assert list((tmp_path / "index").iterdir()) == []


def test_versions_are_compared_by_content(tmp_path):
    old = {"train": [row(n) for n in range(6)], "test": [row(n) for n in range(20, 22)]}
    new = {
        "train": [row(0, offset=99), row(1, targets="Other."), *(row(n) for n in (3, 4, 5, 7))],
        "test": [row(21)],
    }
    one = index_of(write_dataset(tmp_path / "new", new), tmp_path)
    other = index_of(write_dataset(tmp_path / "old", old), tmp_path)
    folder = compared(one, other)
    states = np.frombuffer(gzip.decompress((folder / "full/state.bin").read_bytes()), "u1")
    assert [STATES[s] for s in states] == ["same", "changed", "same", "same", "same", "only here", "same"]
    numbers = np.frombuffer(gzip.decompress((folder / "full/number.bin").read_bytes()), "<u4")
    assert list(numbers) == [0, 1, 3, 4, 5, NOWHERE, 7]
    assert read_json(folder / "about.bin") == {"full": [["same", 5], ["changed", 1], ["only here", 1]]}
    back = compared(other, one)
    assert read_json(back / "about.bin")["full"] == [["same", 5], ["changed", 1], ["only here", 2]]


def test_a_row_is_known_by_its_id_in_whatever_split(tmp_path):
    old = {"train": [row(n) for n in range(0, 300, 2)], "test": [row(n) for n in range(1, 300, 2)]}
    new = {"train": [row(n) for n in range(150)], "validation": [row(n) for n in range(150, 301)]}
    rejects = [reject("d"), reject("d", detail="another sentence of it")]
    one = index_of(write_dataset(tmp_path / "new", new, rejects), tmp_path)
    other = index_of(write_dataset(tmp_path / "old", old, rejects), tmp_path)
    folder = compared(one, other)
    assert read_json(folder / "about.bin") == {"full": [["same", 300], ["changed", 0], ["only here", 1]]}
    assert read_json(compared(other, one) / "about.bin") == {"full": [["same", 300], ["changed", 0], ["only here", 0]]}
    numbers = np.frombuffer(gzip.decompress((folder / "full/number.bin").read_bytes()), "<u4")
    assert list(numbers[:4]) == [0, 150, 1, 151] and numbers[-1] == NOWHERE


def test_a_column_of_one_version_alone_makes_no_other_row(tmp_path):
    fewer = [c for c in COLUMNS if c.name != "score"]
    rows = [{name: value for name, value in row(n).items() if name != "score"} for n in range(3)]
    one = index_of(write_dataset(tmp_path / "new", {"train": [row(n) for n in range(3)]}), tmp_path)
    other = index_of(write_dataset(tmp_path / "old", {"train": rows}, columns=fewer), tmp_path)
    assert read_json(compared(one, other) / "about.bin")["full"][0] == ["same", 3]
