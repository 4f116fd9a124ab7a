"""What the benchmark of statements counts."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from benchmarks.propositions import covered, negations
from gistmill.rules.documents import Sentence, Token


def made(text, statements, *heads, replaced=""):
    """A sentence, whose tokens have the indices of their heads or depend on the first, and its statements."""
    words = text.split()
    tokens = [Token(w, True, "", "", "", head, w) for w, head in zip(words, heads or [0] * len(words), strict=True)]
    operations = [f"REPLACE {replaced} by X"] if replaced else []
    return Sentence(tuple(tokens), 0, 0), [SimpleNamespace(text=s, operations=operations) for s in statements]


def test_coverage_counts_content_words_by_their_lemmas_once():
    barking = made("The dogs barked and the dogs ran .", ["A dog barks.", "The animals sleep."])
    assert covered([barking, made("It snowed .", [])]) == 2 / 4  # of dog, bark, run, snow


def test_a_mention_that_has_given_way_is_kept():
    assert covered([made("The company grew .", ["Acme grew."], replaced="The company")]) == 1
    assert covered([made("The company grew .", ["Acme grew."])]) == 1 / 2


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
def test_a_negation_is_lost_where_its_verb_has_none(statements, lost):
    assert negations([made("Ann did not sing but Bob danced .", statements, 3, 3, 3, 3, 3, 6, 3, 3)]) == (lost, 1)


def test_a_verb_that_occurs_twice_tells_nothing():
    assert negations([made("Ann did not sing but Bob sang .", ["Bob sang."], 3, 3, 3, 3, 3, 6, 3, 3)]) == (0, 0)


@pytest.mark.slow
def test_the_command_measures_texts(tmp_path):
    lines = [
        {"title": "Ada Byron", "text": "Ada Byron wrote two books, and Carl Roth printed two poems. It rained."},
        {"id": "b", "text": "The mill did not burn in the war. The council sold the mill to Ann Reed in 1901."},
    ]
    (tmp_path / "texts.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "benchmarks.propositions",
        "--input",
        str(tmp_path / "texts.jsonl"),
        "--rounds",
        "1",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["sentences"], found["words"], found["negations"], found["negations lost"]) == (4, 31, 1, 0)
    assert found["statements a sentence"] > 1 and 0 < found["resolved"] < 1 and found["words/s"] > 0
