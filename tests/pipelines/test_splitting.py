"""The DiscoFuse rules on sentences: ``gistmill split`` by the worked examples, what it says of bad rows, and what was done:
the operations lead to the result, and the marks show what changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gistmill.fusion import Fused, as_json, edits_between, explain_fusion, explain_splits, split_rows
from gistmill.pipelines import splitting
from gistmill.rules.fusion.edits import EditsError

COLUMNS = ("discourse_type", "connective_string", "incoherent_first_sentence", "incoherent_second_sentence")
EXAMPLES = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "cases/worked_examples.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def run(tmp_path, data: bytes, *flags: str) -> list[dict]:
    """Runs the command on ``data`` and returns its JSON objects."""
    source, target = tmp_path / "rows.tsv", tmp_path / "rows.jsonl"
    source.write_bytes(data)
    assert splitting.main(["--input", str(source), "--output", str(target), *flags]) == 0
    return [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("conventions", ["released", "extended"])
def test_worked_examples(tmp_path, conventions):
    data = "".join(f"{row[0]}\t{row[1]}\n" for row in EXAMPLES).encode()
    results = run(tmp_path, data, "--tokenized", "--coref", "sieve", "--conventions", conventions)
    assert [(r["first"], r["second"]) for r in results] == [row[:2] for row in EXAMPLES]
    for row, result in zip(EXAMPLES, results, strict=True):
        made = [tuple(e[name] for name in COLUMNS) for e in result["examples"] if e["refused"] is None]
        assert row[2:] in made, result
        if conventions == "released":
            assert len(result["examples"]) == 1


def test_without_coreference_nothing_is_replaced(tmp_path):
    data = "".join(f"{row[0]}\t{row[1]}\n" for row in EXAMPLES).encode()
    for result in run(tmp_path, data, "--tokenized", "--coref", "none"):
        assert not any(e["has_coref_type_pronoun"] or "ANAPHORA" in e["discourse_type"] for e in result["examples"])
    ruiz = run(tmp_path, EXAMPLES[9][0].encode(), "--tokenized", "--coref", "none")[0]["examples"][0]
    assert ruiz["incoherent_second_sentence"] == "Brazilian players entered the penalty area before his kick ."


def test_refused_candidates_are_listed_with_their_reason(tmp_path):
    results = run(
        tmp_path,
        b"She wrote and produced the film in a single year .\nIt rains a lot in the north .\n",
        "--tokenized",
        "--coref",
        "none",
    )
    assert [e["refused"] for e in results[0]["examples"]] == ["SHARED_PART"] and results[0]["examples"][0]["why"]
    assert results[1]["examples"] == []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"One sentence .\nTwo\tcells\tthree\n", "line 2: 3 cells"),
        (b"Good row .\n\xff\xfe broken\n", "line 2: not valid UTF-8"),
        (b"A row .\n\n\nAnother .\n", "line 2: the first cell is empty"),
        (b"\tonly the second\n", "line 1: the first cell is empty"),
    ],
)
def test_bad_rows_are_named(tmp_path, capsys, data, said):
    from gistmill.pipelines.cli import main

    source = tmp_path / "rows.tsv"
    source.write_bytes(data)
    assert main(["split", "--input", str(source), "--coref", "none"]) == 2
    captured = capsys.readouterr()
    assert said in captured.err and captured.err.count("\n") == 1 and not captured.out


def test_windows_line_ends_and_byte_order_mark(tmp_path):
    (result,) = run(
        tmp_path,
        b"\xef\xbb\xbfIt rains a lot in the north .\tHowever , it snows in the south of it .\r\n",
        "--tokenized",
        "--coref",
        "none",
    )
    assert result["first"].startswith("It rains") and result["examples"][0]["discourse_type"] == "PAIR_CONN"


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("Okafor lost her title because the judges disliked her routine .", "The judges disliked Okafor 's routine ."),
        # another whom "his" can mean, and nobody who is called "he"
        ("Ruiz ordered his shot to be retaken because Keita entered the area before his kick .", None),
        ("Ruiz ordered the shot to be retaken because Brazilian players entered the area before his kick .", None),
    ],
)
def test_a_name_that_a_possessive_takes_up_is_a_person(tmp_path, text, replaced):
    """The tagger takes these surnames for common nouns."""
    (result,) = run(tmp_path, text.encode(), "--tokenized")
    (made,) = (e for e in result["examples"] if e["refused"] is None)
    assert made["has_coref_type_pronoun"] == (replaced is not None)
    assert replaced in (None, made["incoherent_second_sentence"])


ROWS = [
    ("The Sharks started slowly, yet they recovered to claim sixth spot.", ""),
    ("Ann Lee lost her first match.", "However, she won the cup in May."),
    ("Rain.", ""),
]


def marks(pieces):
    return [piece.text for piece in pieces if piece.changed]


def test_splits_are_those_of_the_rules_with_what_they_did():
    explained = explain_splits(ROWS)
    assert [[c for c, _ in row] for row in explained] == [list(row) for row in split_rows(ROWS)]
    (candidate, how), *_ = explained[0]
    assert [o.name for o in how.operations] == ["DELETE", "SPLIT", "FINISH"]
    assert (marks(how.source), marks(how.result)) == (["slowly, yet they"], ["slowly. They"])
    assert " ".join(p.text for p in how.result) == as_json(candidate)["inputs"]
    assert "REPLACE" in [o.name for o in explained[1][0][1].operations]
    assert explained[2] == []


FIRST, SECOND, FUSION = "The dog ran.", "The dog was fast.", "The dog ran and was fast."


def test_a_fusion_is_explained_by_its_edits():
    for tokenized in [False, True]:
        first, second, fusion = (text.replace(".", " .") if tokenized else text for text in (FIRST, SECOND, FUSION))
        fused = Fused(fusion, ["3 delete", "4 before and", "4 delete", "5 delete"], "SINGLE_VP_COORD", -1.0)
        how = explain_fusion(first, second, fused, tokenized=tokenized)
        assert [o.name for o in how.operations] == ["DELETE", "WRITE", "DELETE", "DELETE"]
        assert how.operations[-1].after == ("The dog ran and was fast .",)
        assert " ".join(p.text for p in how.source) == f"{first} {second}"
        assert marks(how.result) == ["and" if tokenized else "ran and"]


def test_edits_of_other_sentences_are_an_error():
    with pytest.raises(EditsError):
        explain_fusion("A.", "B.", Fused("A B.", ["9 delete"], "", 0.0))


def test_edits_of_a_text_that_something_else_wrote():
    for first, second, fusion, edits in [
        (FIRST, SECOND, FUSION, ["3 delete", "4 before and", "4 delete", "5 delete"]),
        ("A b.", "C d.", "A b. C d.", []),
        ("“It’s over,” he said.", "He left.", "“It’s over,” he said – he left.", ["8 delete", "9 before –", "9 lower"]),
        ("A b.", "C d.", "", None),  # there is nothing to align
        ("A b.", "C d.", "A  b.", None),  # no edits make two spaces
    ]:
        assert edits_between(first, second, fusion) == edits
