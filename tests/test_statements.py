"""Statements of systems side by side: what is counted, what blind sheets hide, and what filled sheets add up to."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys

import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from benchmarks import propositions, statement_measures, statement_sheets
from benchmarks.clause_splitters import printed
from benchmarks.statement_measures import Clause
from benchmarks.statement_sheets import ALL, Entry
from benchmarks.statement_systems import Passage, Statement, is_there, run_other, texts_of
from gistmill.rules.documents import Sentence, Token

TEXTS = [
    {"id": "a", "title": "Ada Byron", "text": "Ada Byron wrote two books, and Carl Roth printed two poems. It rained."},
    {"id": "b", "text": "The mill did not burn in the war. The council sold the mill to Ann Reed in 1901."},
]
# A splitter in the place of one that no environment of the tests has: it cuts at commas and loses "not".
STAND_IN = """
class ClauseSegmenter:
    def __init__(self, nlp):
        self.nlp = nlp
    def get_clauses_as_spangroup(self, doc):
        parts = doc.text.replace(" not", "").split(", ")
        return [self.nlp.make_doc(part) for part in parts if not part.startswith("It ")]
"""


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "texts.jsonl"
    path.write_text("".join(f"{json.dumps(text)}\n" for text in TEXTS), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def splitter(tmp_path_factory):
    """The variables with which clause-segmenter is there."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "clause_segmenter.py").write_text(STAND_IN, encoding="utf-8")
    about = folder / "clause_segmenter-0.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: clause-segmenter\nVersion: 0.0\n", encoding="utf-8")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def run(*arguments, environment=None, code=0):
    """The output of the benchmark and its last line; it has to end with the code."""
    words = [sys.executable, "-m", "benchmarks.propositions", *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.returncode == code, done.stderr
    return done.stderr if code else (done.stdout, json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.slow
def test_systems_are_compared_on_the_same_sentences(texts, splitter, tmp_path):
    clauses = tmp_path / "clauses.tsv"
    lines = [
        ("a", "1", TEXTS[0]["text"].partition(" It")[0], "Carl Roth printed two poems", "y", "coordinate"),
        ("a", "1", TEXTS[0]["text"].partition(" It")[0], "Ada Byron wrote poems", "y", "made up"),
        ("b", "1", "The mill did not burn in the war.", "[council] The mill did not burn", "y", "main"),
        ("b", "1", "The mill did not burn in the war.", "in the war", "n", "other"),
        ("b", "9", "Nobody wrote this.", "Nobody wrote this", "y", "main"),
    ]
    header = ("article", "sentence_number", "sentence", "clause", "asserted", "kind")
    clauses.write_text("".join("\t".join(line) + "\n" for line in (header, *lines)), encoding="utf-8")
    shown, found = run("compare", "--input", texts, "--clauses", clauses, "--rounds", 1, environment=splitter)
    assert found["sentences"] == 4 and found["words"] == 31
    assert found["clauses"] == 3 and found["clauses of no sentence"] == 1
    alone, other, own = (found["systems"][name] for name in ("sentences", "clause-segmenter", "propositions"))
    assert alone["statements"] == 1 and alone["covered"] == 1 and alone["negations lost"] == 0
    assert alone["clauses"] == 1 and alone["with brackets"] == pytest.approx(2 / 3)
    # two parts, one of the other three sentences each but "It rained", whose word it loses
    assert other["statements"] == 1 and other["covered"] < 1 and other["clauses"] == pytest.approx(2 / 3)
    assert (other["negations lost"], other["negations"]) == (1, 1) and own["negations lost"] == 0
    assert own["statements"] > 1 and own["clauses"] == pytest.approx(2 / 3)
    assert all(system["words/s"] > 0 for system in (alone, other, own))
    assert "clause-segmenter 0.0" in shown and "claucy is not there: pip install git+https" in shown


@pytest.mark.slow
def test_splitters_that_are_not_there_are_passed_over(texts):
    shown, found = run("compare", "--input", texts, "--rounds", 1, "--documents", 1)
    assert list(found["systems"]) == ["sentences", "propositions"] and found["sentences"] == 2
    assert "clause-segmenter is not there: pip install spacy && pip install --no-deps clause-segmenter" in shown


@pytest.mark.slow
def test_a_splitter_that_fails_on_a_sentence_is_named(texts, splitter, tmp_path):
    deep = STAND_IN.replace(
        "        parts =", "        if 'mill' in doc.text:\n            raise RecursionError\n        parts ="
    )
    (tmp_path / "clause_segmenter.py").write_text(deep, encoding="utf-8")
    environment = splitter | {"PYTHONPATH": os.pathsep.join([str(tmp_path), splitter["PYTHONPATH"]])}
    shown, found = run("compare", "--input", texts, "--rounds", 1, environment=environment)
    assert found["failed"] == {"clause-segmenter": 2}
    assert "clause-segmenter fails on 2 sentences, which count as without a statement" in shown


def test_a_splitter_that_breaks_is_said_in_a_line(splitter, tmp_path, monkeypatch):
    (tmp_path / "clause_segmenter.py").write_text("raise SystemError('torn')", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), splitter["PYTHONPATH"]]))
    with pytest.raises(ValueError, match="^clause-segmenter fails: SystemError: torn$"):
        run_other("clause-segmenter", sys.executable, [passage("It rained .")])


def test_a_python_that_warns_has_its_splitters(splitter, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import sys; print('old', file=sys.stderr)", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), splitter["PYTHONPATH"]]))
    assert is_there("clause-segmenter", sys.executable) and not is_there("claucy", sys.executable)


@pytest.mark.parametrize(
    ("places", "text"),
    [((0, 1), "Ann's"), ((0, 2), "Ann mill"), ((2, 3), "mill burnt"), ((), ""), ((3, 4), "burnt.")],
)
def test_tokens_that_stood_apart_have_a_space_between_them(places, text):
    doc = Doc(Vocab(), ["Ann", "'s", "mill", "burnt", "."], [False, True, True, False, False])
    assert printed([doc[i] for i in places]) == text


def lines_of(path):
    return list(csv.DictReader(path.read_text().splitlines(), delimiter="\t"))


def fill(path, bad):
    """Fills a sheet: all is good but the named questions of some statements."""
    lines = lines_of(path)
    for line in lines:
        marks = {q: "n" if q in bad.get(line["id"], ()) else "Y" for q in statement_sheets.QUESTIONS}
        line.update(marks)
    with path.open("w", newline="") as stream:
        out = csv.DictWriter(stream, lines[0], delimiter="\t")
        out.writeheader()
        out.writerows(lines)


@pytest.mark.slow
def test_sheets_are_drawn_and_read_back(texts, splitter, tmp_path):
    out = tmp_path / "audit"
    _, made = run("draw", "--input", texts, "--n", 3, "--out", out, environment=splitter)
    key, sheets = lines_of(out / "key.tsv"), [lines_of(out / f"reading-{n}.tsv") for n in (1, 2)]
    assert made["drawn"] == {"sentences": 3, "clause-segmenter": 3, "propositions": 3} and len(key) == 9
    examples = {line["id"] for line in key}
    assert made["statements"] == len(examples) < 9  # a sentence that two systems leave whole is read once
    for sheet in sheets:
        assert {line["id"] for line in sheet} == examples and len(sheet) == len(examples)
        assert not any("propositions" in value for line in sheet for value in line.values())
        assert all(line["stands_alone"] == line["true"] == line["grammatical"] == line["note"] == "" for line in sheet)
    assert [a["id"] for a in sheets[0]] != [b["id"] for b in sheets[1]]
    assert {line["two_sentences_before"] for line in sheets[0] if line["sentence"].startswith("The council")} == {
        "The mill did not burn in the war."
    }
    assert {line["resolved"] for line in key if line["system"] != "propositions"} == {""}
    assert {line["resolved"] for line in key if line["system"] == "propositions"} <= {"yes", "no"}
    assert run("draw", "--input", texts, "--out", out, environment=splitter, code=2).endswith("is there already\n")

    wrong = next(line["id"] for line in sheets[0] if line["statement"] == "The mill did burn in the war.")
    fill(out / "reading-1.tsv", {wrong: ("true",)})
    fill(out / "reading-2.tsv", {wrong: ("true", "stands_alone")})
    shown, found = run("read", *(out / f"{name}.tsv" for name in ("key", "reading-1", "reading-2")))
    shares = found["shares"]["clause-segmenter"]["both readings"]
    assert {q: round(s["share"], 2) for q, s in shares.items()} == {
        "stands_alone": 0.67, "true": 0.67, "grammatical": 1.0, ALL: 0.67
    }  # fmt: skip
    assert found["shares"]["clause-segmenter"]["reading 1"]["stands_alone"]["share"] == 1
    assert found["shares"]["propositions"]["both readings"][ALL]["share"] == 1
    assert found["agreement"]["true"] == {"equal": 1.0, "kappa": 1.0}
    assert found["agreement"]["stands_alone"]["kappa"] == 0
    assert "66.7 (20.8 to 93.8)" in shown  # Wilson's interval of two of three


def test_statements_are_drawn_by_hashes_of_sentences_that_all_have():
    passages = [passage("It rained .", id=f"d-{k}") for k in range(6)]
    whole = [(Statement(f"Rain {k}."), Statement(f"It was {k}.")) for k in range(6)]
    systems = {"one": whole, "two": [(), *whole[1:]]}
    drawn = statement_sheets.draw(passages, systems, n=5, seed="1")
    assert {d.passage.id for d in drawn} == {f"d-{k}" for k in range(1, 6)} and len(drawn) == 10
    assert drawn == statement_sheets.draw(passages, systems, n=5, seed="1")
    assert drawn != statement_sheets.draw(passages, systems, n=5, seed="2")
    two = [{d.passage.id for d in statement_sheets.draw(passages, systems, n=2, seed=seed)} for seed in "1234"]
    assert len(set(map(frozenset, two))) > 1
    for n in (0, 6):
        with pytest.raises(ValueError, match=f"--n: {n} is not one of 1 to 5"):
            statement_sheets.draw(passages, systems, n=n, seed="1")


def test_what_a_system_says_of_its_statements_is_a_part_of_its_own():
    key = {"x0": [Entry("ours", True), Entry("theirs", None)], "x1": [Entry("ours", False)]}
    good, bad = (dict.fromkeys((*statement_sheets.QUESTIONS, ALL), mark) for mark in (True, False))
    found = statement_sheets.figures(key, [{"x0": good, "x1": good}, {"x0": good, "x1": bad}])
    assert found["read"] == {"ours": 2, "ours, resolved": 1, "theirs": 1}
    shares = {part: columns["both readings"]["true"]["share"] for part, columns in found["shares"].items()}
    assert shares == {"ours": 0.5, "ours, resolved": 1.0, "theirs": 1.0}
    assert found["agreement"]["true"]["equal"] == 0.5


@pytest.mark.parametrize(
    ("key", "sheet", "said"),
    [
        ("x0\tours\tmaybe\ta", "", "resolved is 'maybe'"),
        ("", "", "has no examples"),
        ("x0\tours\tyes\ta", "x0\ty\ty\t", "x0: grammatical has no mark"),
        ("x0\tours\tyes\ta", "x1\ty\ty\ty", "the key has no example 'x1'"),
        ("x0\tours\tyes\ta", "", "lacks 1 of 1 examples"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_said(key, sheet, said, tmp_path, capsys):
    (tmp_path / "key.tsv").write_text(f"id\tsystem\tresolved\tpassage\n{key}\n")
    (tmp_path / "sheet.tsv").write_text(f"id\tstands_alone\ttrue\tgrammatical\n{sheet}\n")
    with pytest.raises(SystemExit, match="2"):
        propositions.main(["read", *(str(tmp_path / f"{name}.tsv") for name in ("key", "sheet", "sheet"))])
    assert said in capsys.readouterr().err


def passage(text, *heads, id="d-0"):
    """A sentence of tokens with the indices of their heads; without heads all depend on the first."""
    words = text.split()
    tokens = [Token(w, True, "", "", "", head, w) for w, head in zip(words, heads or [0] * len(words))]
    return Passage(id, "", text, "", Sentence(tuple(tokens), 0, 0))


class TestMeasures:
    def test_coverage_counts_content_words_by_their_lemmas_once(self):
        passages = [passage("The dogs barked and the dogs ran ."), passage("It snowed .")]
        made = [(Statement("A dog barks."), Statement("The animals sleep.")), ()]
        assert statement_measures.covered(passages, made) == 2 / 4  # of dog, bark, run, snow

    def test_a_mention_that_has_given_way_is_there(self):
        passages = [passage("The company grew .")]
        made = [(Statement("Acme grew.", gave_way="The company"),)]
        assert statement_measures.covered(passages, made) == 1
        assert statement_measures.covered(passages, [(Statement("Acme grew."),)]) == 1 / 2
        assert statement_measures.clauses_kept([Clause((0,), "the company grew")], made, brackets=True) == 1

    @pytest.mark.parametrize(
        ("statements", "lost"),
        [
            (["Ann did not sing."], 0),
            (["Ann didn't sing."], 0),
            (["Ann never sang."], 0),
            (["Bob danced."], 0),  # it does not say it at all
            (["Ann sang."], 1),
            (["Ann did not sing.", "Ann sings."], 1),
        ],
    )
    def test_a_negation_is_lost_where_its_verb_stands_without_one(self, statements, lost):
        passages = [passage("Ann did not sing but Bob danced .", 3, 3, 3, 3, 3, 6, 3, 3)]
        made = [tuple(map(Statement, statements))]
        assert statement_measures.negations(passages, made) == (lost, 1)

    def test_a_verb_that_is_there_twice_tells_nothing(self):
        passages = [passage("Ann did not sing but Bob sang .", 3, 3, 3, 3, 3, 6, 3, 3)]
        assert statement_measures.negations(passages, [(Statement("Bob sang."),)]) == (0, 0)

    def test_a_clause_is_kept_by_one_statement_and_not_by_two(self):
        clauses = [Clause((0,), "Ann sang songs")]
        assert statement_measures.clauses_kept(clauses, [(Statement("Ann sang old songs."),)], brackets=True) == 1
        apart = [(Statement("Ann sang."), Statement("She had songs."))]
        assert statement_measures.clauses_kept(clauses, apart, brackets=True) == 0

    def test_a_marked_sentence_may_be_cut_into_two(self, tmp_path):
        passages = [passage("It rained .", id="a-0"), passage("Ann , etc .", id="a-1"), passage("sang .", id="a-2")]
        path = tmp_path / "clauses.tsv"
        path.write_text('article\tsentence\tclause\tasserted\na\t"Ann, etc. sang\tAnn sang\ty\nb\tIt rained.\tx\ty\n')
        assert statement_measures.read_clauses(path, passages) == ([Clause((1, 2), "Ann sang")], 1)

    def test_what_is_no_table_of_clauses_is_said(self, tmp_path):
        (tmp_path / "clauses.tsv").write_text("article\tsentence\n")
        with pytest.raises(ValueError, match="lacks the columns clause, asserted"):
            statement_measures.read_clauses(tmp_path / "clauses.tsv", [])
        with pytest.raises(ValueError, match="cannot be read"):
            statement_measures.read_clauses(tmp_path / "none.tsv", [])


@pytest.mark.parametrize("content", ["{", "[1]", '{"title": "a"}', '{"text": 1}'])
def test_what_is_not_a_file_of_texts_is_said(content, tmp_path):
    (tmp_path / "texts.jsonl").write_text(content)
    with pytest.raises(ValueError, match="has no JSON lines with a text"):
        list(texts_of(tmp_path / "texts.jsonl"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("draw", "--out", "new", "--splitter", "claucy"), "--splitter: claucy is not there"),
        (("compare", "--other", "no-python"), "--other no-python: No such file"),
        (("compare", "--documents", "0"), "has no texts"),
        (("compare", "--rounds", "0"), "--rounds: 0 is not at least 1"),
    ],
)
def test_a_wrong_command_line(arguments, said, texts, capsys):
    with pytest.raises(SystemExit, match="2"):
        propositions.main([*arguments, "--input", str(texts)])
    assert said in capsys.readouterr().err
