"""The split audit: what is drawn and judged, what the sheets hide, and what filled sheets add up to."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks import audit_readings, audit_sheets, split_audit
from benchmarks.audit_sheets import Entry, Mark
from gistmill.rules.discofuse.recipe import COLUMNS
from tests.manifests import made_manifest, shard, write_manifest

GOOD = "The old mill was sold to the council in 1901 ."
FRAGMENT = "Sold to the council of the town in 1901 ."


def row(number: int, kind: str, second: str = GOOD) -> dict[str, object]:
    values: dict[str, object] = {
        c.name: {"float64": 0.0, "int64": 0, "list<string>": ["KEEP"]}.get(c.type, "") for c in COLUMNS
    }
    return values | {
        "id": f"d-{number:03d}",
        "discourse_type": kind,
        "connective_string": ", and",
        "targets": "A\nand B.",
        "incoherent_first_sentence": GOOD,
        "incoherent_second_sentence": second,
    }


NONE = [row(90 + i, "PAIR_NONE") for i in range(5)]
ROWS = NONE + [row(i, "PAIR_CONN") for i in range(30)] + [row(30 + i, "SINGLE_RELATIVE", FRAGMENT) for i in range(3)]


def dataset(folder):
    path = folder / "full" / "parquet" / "train-00000-of-00001"
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(ROWS), path)
    columns = {"full": COLUMNS}
    files = (shard(folder, path.relative_to(folder).as_posix(), rows=len(ROWS)),)
    write_manifest(folder, made_manifest(files=files, columns=columns))
    return folder


def test_rows_are_read(tmp_path):
    found = list(split_audit.rows_of(dataset(tmp_path), "full"))
    assert [r["id"] for r in found] == [r["id"] for r in ROWS]
    assert found[-1]["incoherent_second_sentence"] == FRAGMENT


def test_what_is_not_a_dataset_is_said(tmp_path):
    with pytest.raises(ValueError, match="not a dataset"):
        list(split_audit.rows_of(tmp_path, "full"))
    with pytest.raises(ValueError, match="balanced"):
        list(split_audit.rows_of(dataset(tmp_path), "balanced"))


class TestDraw:
    def test_types_get_even_shares_and_what_one_lacks_goes_to_others(self):
        drawn = split_audit.draw(ROWS, n=12, seed="1")
        assert Counter(r["discourse_type"] for r in drawn) == {"PAIR_CONN": 9, "SINGLE_RELATIVE": 3}

    def test_the_seed_decides_and_order_does_not(self):
        def ids(rows, seed):
            return [r["id"] for r in split_audit.draw(rows, n=12, seed=seed)]

        assert ids(ROWS, "1") == ids(ROWS[::-1], "1") != ids(ROWS, "2")

    def test_more_than_there_are(self):
        assert len(split_audit.draw(ROWS, n=1000, seed="1")) == len(ROWS) - len(NONE)
        assert split_audit.draw([], n=10, seed="1") == []

    def test_unchanged_pairs_are_left_out(self):
        assert split_audit.draw(NONE, n=10, seed="1") == []


def drawn(tmp_path):
    """A key and two sheets, as the command writes them."""
    folder, out = dataset(tmp_path / "data"), tmp_path / "audit"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.split_audit", "draw", "--dataset", folder, "--n", "6", "--out", out],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return out, json.loads(done.stdout.splitlines()[-1])


def lines_of(path):
    return list(csv.DictReader(path.read_text().splitlines(), delimiter="\t"))


def filled(path, marks="y y", **by_example):
    """Fills a sheet: marks for all examples, and others for some."""
    lines = lines_of(path)
    for line in lines:
        given = by_example.get(line["example"], marks).split(" ")
        line.update(zip(("understandable", "grammatical", "fault"), given))
    with path.open("w", newline="") as stream:
        out = csv.DictWriter(stream, lines[0], delimiter="\t")
        out.writeheader()
        out.writerows(lines)
    return path


def test_the_command_draws_and_reads(tmp_path, capsys):
    out, figures = drawn(tmp_path)
    assert figures == {"n": 6, "per_type": {"PAIR_CONN": 3, "SINGLE_RELATIVE": 3}}
    key = {e["example"]: e for e in lines_of(out / "key.tsv")}
    sheets = [lines_of(out / f"reading-{n}.tsv") for n in (1, 2)]
    assert len(key) == 6 and {e["connective"] for e in key.values()} == {", and"}
    for lines in sheets:
        assert {line["example"] for line in lines} == set(key)
        assert lines[0]["original"] == "A and B." and lines[0]["first"] == GOOD
        assert all(line["understandable"] == line["grammatical"] == line["fault"] == "" for line in lines)
    assert [a["example"] for a in sheets[0]] != [b["example"] for b in sheets[1]]

    one, two = sorted(name for name, e in key.items() if e["type"] == "SINGLE_RELATIVE")[:2]
    filled(out / "reading-1.tsv", **{one: "n n fragment", two: "Y No tense"})
    filled(out / "reading-2.tsv", **{one: "0 1 noun"})
    assert split_audit.main(["read", *(str(out / f"{n}.tsv") for n in ("key", "reading-1", "reading-2"))]) == 0
    text = capsys.readouterr().out
    assert f"fragment     SINGLE_RELATIVE              {one} {key[one]['id']}" in text
    found = json.loads(text.splitlines()[-1])
    assert found["shares"]["reading 1"]["grammatical"]["share"] == 0.6667
    assert found["shares"]["both readings"]["both"]["share"] == 0.6667
    assert found["agreement"]["understandable"] == {"equal": 1.0, "kappa": 1.0}
    assert found["agreement"]["grammatical"] == {"equal": 0.6667, "kappa": 0.0}
    assert found["faults"]["both readings"] == {"fragment": 1, "tense": 1}
    assert found["types"]["SINGLE_RELATIVE"] == {"read": 3, "faulty": 2}

    assert split_audit.main(["read", str(out / "key.tsv"), str(out / "reading-2.tsv")]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["agreement"] == {} and found["faults"] == {"reading 1": {"noun": 1}}


@pytest.mark.parametrize(
    ("more", "said"),
    [(("--n", "0"), "--n: 0"), (("--config", "tiny"), "tiny"), (("--out", "."), "--out: . is there already")],
)
def test_a_wrong_command_line(tmp_path, more, said, capsys):
    with pytest.raises(SystemExit) as stop:
        split_audit.main(["draw", "--dataset", str(dataset(tmp_path)), "--out", str(tmp_path / "audit"), *more])
    assert stop.value.code == 2 and said in capsys.readouterr().err


def test_a_dataset_that_is_given_twice(tmp_path, capsys):
    folder = str(dataset(tmp_path / "data"))
    with pytest.raises(SystemExit):
        split_audit.main(["draw", "--dataset", folder, folder, "--out", str(tmp_path / "audit")])
    assert "share rows, such as d-0" in capsys.readouterr().err and not (tmp_path / "audit").exists()


ENTRIES = [Entry(f"x{n}", "PAIR_CONN", "", f"row-{n}") for n in range(3)]
KEY = {e.example: e for e in ENTRIES}


def sheet(tmp_path, *lines, header="example\tunderstandable\tgrammatical\tfault"):
    path = tmp_path / "sheet.tsv"
    path.write_bytes("\r\n".join(["\ufeff" + header, *lines, ""]).encode())
    return path


class TestSheets:
    def test_what_spreadsheets_and_hands_change_is_read(self, tmp_path):
        lines = ("x2\ty\ty", "", "\t\t\t", "x0\tYES\t 1 \t", 'x1\tn\t0\t"Noun"')
        assert audit_sheets.read_sheet(sheet(tmp_path, *lines), KEY) == {
            "x2": Mark(True, True, ""),
            "x0": Mark(True, True, ""),
            "x1": Mark(False, False, "noun"),
        }

    @pytest.mark.parametrize(
        ("lines", "said"),
        [
            (("x0\ty\ty\t", "x1\ty\t\t"), "x1: grammatical has no mark"),
            (("x0\ty\ty\t", "x1\tmaybe\ty\t"), "x1: understandable is 'maybe'"),
            (("x0\ty\ty\t", "x1\tn\ty\t"), "x1: fault is empty; write one of noun, "),
            (("x0\ty\ty\t", "x1\tn\ty\tugly"), "x1: fault is 'ugly'"),
            (("x0\ty\ty\tnoun",), "x0: fault is 'noun', but both marks are y"),
            (("x0\ty\ty\t", "x7\ty\ty\t"), "the key has no example 'x7'"),
            (("x0\ty\ty\t", "x0\ty\ty\t"), "x0 stands there twice"),
            (("x0\ty\ty\t",), "lacks 2 of 3 examples, the first is x1"),
            ((), "lacks 3 of 3"),
        ],
    )
    def test_what_is_wrong_is_said_in_a_line(self, tmp_path, lines, said):
        with pytest.raises(ValueError) as error:
            audit_sheets.read_sheet(sheet(tmp_path, *lines), KEY)
        assert said in str(error.value) and "\n" not in str(error.value)

    def test_what_is_not_a_sheet_is_said(self, tmp_path):
        with pytest.raises(ValueError, match="lacks the columns fault; they are separated by tabs"):
            audit_sheets.read_sheet(sheet(tmp_path, header="example\tunderstandable\tgrammatical"), KEY)
        with pytest.raises(ValueError, match="cannot be read: No such file"):
            audit_sheets.read_sheet(tmp_path / "none.tsv", KEY)
        (tmp_path / "latin.tsv").write_bytes("example\tunderstandable\tgrammatical\tfault\xe9".encode("latin-1"))
        with pytest.raises(ValueError, match="is not a table in UTF-8"):
            audit_sheets.read_sheet(tmp_path / "latin.tsv", KEY)
        with pytest.raises(ValueError, match="no examples"):
            audit_sheets.read_key(sheet(tmp_path, header="example\ttype\tconnective\tid"))

    def test_a_name_tells_nothing_of_the_row(self, tmp_path):
        audit_sheets.write_sheet(ROWS, tmp_path / "sheet.tsv", order="1")
        text = (tmp_path / "sheet.tsv").read_text()
        assert not any(str(r["id"]) in text or str(r["discourse_type"]) in text for r in ROWS)
        assert all(
            line["example"][0] == "x" for line in lines_of(tmp_path / "sheet.tsv")
        )  # no number for a spreadsheet


class TestMarks:
    """Marks that `gistmill explore` exported."""

    @staticmethod
    def export(tmp_path, name, *marks):
        path = tmp_path / name
        about = {"dataset": "d", "recipe": "discofuse", "config": "full", "connective": "", "blind": True}
        lines = [
            json.dumps(about | {"id": i, "type": "PAIR_CONN", "mark": mark, "note": note}) for i, mark, note in marks
        ]
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        return path

    def test_a_bad_row_has_the_fault_of_its_note(self, tmp_path):
        marks = [
            ("a", "good", "Tense: fine"),
            ("b", "bad", "Antecedent : who?"),
            ("c", "bad", "odd"),
            ("d", "", "later"),
        ]
        found = audit_sheets.read_marks(self.export(tmp_path, "m.jsonl", *marks))
        assert {entry.id: mark for entry, mark in found.values()} == {
            "a": Mark(True, True, ""),
            "b": Mark(False, False, "antecedent"),
            "c": Mark(False, False, "other"),
        }

    def test_two_readers_agree_on_rows_that_both_mark(self, tmp_path, capsys):
        first = self.export(tmp_path, "1.jsonl", ("a", "good", ""), ("b", "bad", "noun: x"), ("c", "good", ""))
        second = self.export(tmp_path, "2.jsonl", ("a", "good", ""), ("b", "good", ""))
        assert split_audit.main(["marks", str(first), str(second)]) == 0
        out = capsys.readouterr().out
        figures = json.loads(out.splitlines()[-1])
        assert "1 marks of rows that the other reader has not marked" in out
        assert figures["n"] == 2 and figures["agreement"]["both"]["equal"] == 0.5
        assert figures["types"] == {"PAIR_CONN": {"read": 2, "faulty": 1}}
        assert split_audit.main(["marks", str(first)]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["n"] == 3

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("", "marks no row good or bad"),
            ("{", "is not an export of gistmill explore"),
            ("[1]", "is not an export of gistmill explore"),
            ('{"id": "a"}', "is not an export of gistmill explore"),
        ],
    )
    def test_what_is_not_an_export_is_said(self, tmp_path, content, said, capsys):
        (tmp_path / "m.jsonl").write_text(content)
        with pytest.raises(SystemExit):
            split_audit.main(["marks", str(tmp_path / "m.jsonl")])
        assert said in capsys.readouterr().err

    def test_rows_that_no_two_readers_share(self, tmp_path, capsys):
        paths = [str(self.export(tmp_path, f"{i}.jsonl", (i, "bad", ""))) for i in "ab"]
        with pytest.raises(SystemExit):
            split_audit.main(["marks", *paths])
        assert "no row in common" in capsys.readouterr().err


class TestFigures:
    def test_kappa(self):
        # Cohen's formula by hand: 20 both yes, 15 both no, 5 and 10 apart, so (0.7 - 0.5) / (1 - 0.5)
        first = [True] * 20 + [True] * 5 + [False] * 10 + [False] * 15
        second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
        assert audit_readings.kappa(first, second) == pytest.approx(0.4)
        assert audit_readings.kappa([True, False], [False, True]) == -1
        assert audit_readings.kappa([True] * 9, [True] * 9) is None

    def test_intervals_are_wilsons(self):
        # Wilson's formula by hand for 194 of 200
        low, high = audit_readings.interval(194, 200)
        assert (round(low, 4), round(high, 4)) == (0.9361, 0.9862)
        assert audit_readings.interval(200, 200)[1] == pytest.approx(1) and audit_readings.interval(200, 200)[0] < 0.99

    def test_an_example_is_good_if_every_reader_says_so(self):
        good = Mark(True, True, "")
        found = audit_readings.strict(
            [
                {"x0": good, "x1": good, "x2": Mark(True, False, "form")},
                {"x0": good, "x1": Mark(False, True, "noun"), "x2": Mark(False, True, "scope")},
            ]
        )
        assert found == {"x0": good, "x1": Mark(False, True, "noun"), "x2": Mark(False, False, "form")}

    def test_tables_without_any_fault(self):
        good = {name: Mark(True, True, "") for name in KEY}
        text = audit_readings.show(audit_readings.figures(KEY, {"reading 1": good, "reading 2": good}))
        assert "undefined" in text and "100.0" in text
        assert audit_readings.faulty_lines(KEY, [good]) == []
