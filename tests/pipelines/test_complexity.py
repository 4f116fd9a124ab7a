"""The options of the complexity of pairs, by the job that publishes it."""

import json

import pytest

from gistmill.pipelines import cli
from gistmill.published.dataset import Dataset
from gistmill.rules.curriculum.scores import ComplexityConfig, PairScorer
from tests.commands import manifest

ROWS = [
    {"id": "a", "inputs": "The quake of Nepal had killed heroes, don't forget", "targets": "Quake kills a hero"},
    {"id": "b", "inputs": "", "targets": "Nepal"},
    {"id": "c", "inputs": "Koirala’s group — the non-profit — helps", "targets": "Koirala helps"},
]
FILES = {"own": b"Quake\ndon't\n", "two": b"the\nof a\n", "empty": b"\n", "latin": b"caf\xe9\n", "nul": b"\0\n"}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder of a file of pairs and of some files of stop words; the current one."""
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return cli.main(["curriculum", "--input", "pairs.jsonl", "--output", "out", "--splits", "1,0,0", *arguments])


def test_counts_and_score_are_published_as_the_options_say(place):
    assert run("--stop-words", "own", "--weights", "0.5,0,0.25,0.25", "--counts", "printed") == 0
    options = ComplexityConfig(stop_words="own", weights=(0.5, 0, 0.25, 0.25), counts="printed")
    scorer = PairScorer(options, stop_words={"quake", "dont"})
    rows = {row["id"]: row for row in Dataset(place / "out").rows("train")}
    assert rows.keys() == {"a", "c"}  # there is nothing to count in an empty input
    for row in rows.values():
        measures = scorer.measure(row["inputs"], row["targets"])
        assert [row[name] for name in ("deletions", "additions", "reorderings", "substitutions")] == [
            getattr(measures.counts, name) for name in ("deletions", "additions", "reorderings", "substitutions")
        ]
        assert (row["complexity"], row["input_words"], row["reduction"]) == (
            measures.complexity,
            measures.input_words,
            measures.reduction,
        )
    assert manifest(place / "out")["versions"]["stopwordsiso"] == "0.7.1"


def test_what_is_wrong_is_one_line(place, capsys):
    for arguments, said in [
        (("--weights", "0.5,0.4,0,0"), "--weights: expected four weights with a sum of 1 (it is 0.9)"),
        (("--weights", "2,-1,0,0"), "--weights: expected a number from 0 to 1"),
        (("--weights", "combination4"), "did you mean combination-4?"),
        (("--counts", "literal"), "--counts: expected one of multiset, printed"),
        (("--stop-words", "nowhere"), "--stop-words nowhere: there is no such file"),
        (("--stop-words", "two"), "--stop-words two: line 2 has several words: 'of a'"),
        (("--stop-words", "empty"), "--stop-words empty: it has no words; for no stop words say --stop-words none"),
        (("--stop-words", "latin"), "--stop-words latin is not a text in UTF-8: byte 3 cannot be decoded"),
        (("--stop-words", "nul"), "--stop-words nul: line 1 has a character that cannot be printed"),
    ]:
        assert run(*arguments) == 2
        error = capsys.readouterr().err.strip()
        assert said in error and len(error.splitlines()) == 1
        assert not (place / "out").exists()
