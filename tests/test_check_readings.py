"""Readings of what single checks refuse: what is drawn, what a reader does not see, and what the marks add up to."""

from __future__ import annotations

import csv
import json

import pytest

from benchmarks import check_readings
from benchmarks.audit_sheets import name_of


def row(check, number, **more):
    return {
        "check": check,
        "document": f"d-{number}",
        "index": 0,
        "text": f"The mill {number} is old , but the town is new .",
        "first": f"The mill {number} is old .",
        "second": "The town is new .",
        "type": "SINGLE_S_COORD",
        "connective": ", but",
        **more,
    }


ROWS = [
    *(row("often", n) for n in range(30)),
    *(row("rare", n) for n in range(28, 31)),  # two of them are refused by both
    *(row("", n) for n in range(100, 140)),
]


def drawn(**more):
    return check_readings.draw(ROWS, **{"each": 5, "most": 9, "accepted": 4, "seed": "1", **more})


def of(check, rows):
    return [r for r in rows if check in r["checks"]]


def fill(folder, marks, note=""):
    """Fills the sheet: a mark of its first sentence, or a good one."""
    with (folder / "sheet.tsv").open(newline="") as stream:
        lines = list(csv.DictReader(stream, delimiter="\t"))
    for line in lines:
        bad = line["first"] in marks
        line.update(understandable="n" if bad else "y", grammatical="y", fault="scope" if bad else "", note=note)
    with (folder / "sheet.tsv").open("w", newline="") as stream:
        out = csv.DictWriter(stream, lines[0].keys(), delimiter="\t")
        out.writeheader()
        out.writerows(lines)


def test_each_check_has_as_many_rows_as_asked_and_a_shared_row_counts_for_both():
    rows = drawn()
    assert len(of("rare", rows)) == 3
    assert len(of("often", rows)) == 5
    assert sum(r["checks"] == ["often", "rare"] for r in rows) == 2
    assert sum(not r["checks"] for r in rows) == 4


def test_the_checks_with_most_rows_are_chosen():
    rows = drawn(most=1)
    assert {c for r in rows for c in r["checks"]} >= {"often"}
    assert len(of("often", rows)) == 5


def test_checks_that_are_named_are_chosen_and_others_may_share_their_rows():
    rows = drawn(only=["rare"], accepted=0)
    assert [len(of(check, rows)) for check in ("rare", "often")] == [3, 2]
    assert drawn(only=["none"], accepted=0) == []


def test_another_seed_draws_other_rows_and_the_same_seed_the_same():
    assert drawn() == drawn()
    assert drawn() != drawn(seed="2")


def test_accepted_rows_are_mixed_among_the_refused():
    kinds = [bool(r["checks"]) for r in drawn(each=20, accepted=20)]
    assert sum(a != b for a, b in zip(kinds, kinds[1:])) > 5


def test_a_row_that_is_refused_in_one_place_is_no_accepted_one():
    rows = check_readings.draw([row("", 1), row("often", 1)], each=5, most=5, accepted=5, seed="1")
    assert [r["checks"] for r in rows] == [["often"]]
    assert check_readings.draw([row("", 1), row("often", 1)], each=0, most=5, accepted=5, seed="1") == []


def test_the_sheet_does_not_say_which_check_it_was(tmp_path):
    check_readings.write(drawn(), tmp_path / "out")
    sheet = (tmp_path / "out" / "sheet.tsv").read_text()
    assert "often" not in sheet and "rare" not in sheet and "SINGLE" not in sheet and "d-" not in sheet
    key = check_readings.read_lines(tmp_path / "out" / "key.jsonl", ("example", "checks"))
    assert len(key) == len(sheet.splitlines()) - 1
    assert all(k["example"] in sheet for k in key)


def test_readings_are_kept_in_their_form_and_scored(tmp_path, capsys):
    folder, kept = tmp_path / "out", tmp_path / "kept.jsonl"
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(r) + "\n" for r in ROWS))
    assert check_readings.main(["draw", str(rows), "--out", str(folder), "--each", "5", "--accepted", "4"]) == 0
    rare = [r["first"] for r in check_readings.read_lines(folder / "key.jsonl", ()) if "rare" in r["checks"]]
    fill(folder, rare, note="says\tmore")
    arguments = ["keep", str(folder), "--reader", "Ada", "--rules", "abc1234", "--date", "2026-11-27"]
    assert check_readings.main([*arguments, "--output", str(kept)]) == 0
    lines = check_readings.read_lines(kept, ())
    assert set(lines[0]) == {*check_readings.ROW, *check_readings.MARKS, *check_readings.MADE}
    assert {(x["reader"], x["date"], x["rules"]) for x in lines} == {("Ada", "2026-11-27", "abc1234")}
    assert {x["note"] for x in lines} == {"says more"}
    capsys.readouterr()
    assert check_readings.main(["score", str(kept)]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["checks"]
    assert found["rare"] == {"read": 3, "right": 3, "share": 1.0, "low": 0.439, "high": 1.0}
    assert found["often"]["right"] == 2 and found[""]["right"] == 0


def test_an_unfilled_sheet_is_not_kept(tmp_path):
    check_readings.write(drawn(), tmp_path / "out")
    with pytest.raises(ValueError, match="understandable has no mark"):
        check_readings.keep(tmp_path / "out", reader="Ada", date="2026-11-27", rules="abc")


def test_a_sheet_is_not_overwritten(tmp_path, capsys):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(ROWS[0]) + "\n")
    with pytest.raises(SystemExit):
        check_readings.main(["draw", str(rows), "--out", str(tmp_path)])
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "line 1 is not JSON"), ("[]", "line 1 lacks check"), ('{"check": ""}', "lacks document, text")],
)
def test_what_is_no_file_of_rows_is_said(tmp_path, capsys, text, said):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(text)
    with pytest.raises(SystemExit) as ended:
        check_readings.main(["draw", str(rows), "--out", str(tmp_path / "out")])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_names_of_examples_tell_nothing():
    assert name_of("a") != name_of("b") and name_of("a").startswith("x")
