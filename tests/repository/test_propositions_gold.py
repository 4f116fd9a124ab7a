"""The measures of the benchmark of statements, and the marked facts."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmarks import propositions as gold

SENTENCE = "Ada was born in Kent in 1815 , but Leo owned the old mill by the river ."


def sets(*texts):
    return [gold.words_of(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Bob's 2nd", {"bob", "s", "2nd"}),
        ("the Mill, the mill", {"the", "mill"}),
        ("low-cost F-35_B Évian", {"low", "cost", "f", "35", "b", "évian"}),
        ("– ( ) …", set()),
    ],
)
def test_words_are_runs_of_letters_and_digits(text, words):
    assert gold.words_of(text) == words


def test_jaccard_is_the_share_of_words_in_both():
    one, other, none = sets("a b c", "b c d", "")
    assert gold.jaccard(one, other) == 2 / 4
    assert gold.jaccard(one, one) == 1
    assert gold.jaccard(none, none) == gold.jaccard(one, none) == 0


def test_a_statement_is_found_often_but_owned_once():
    score = gold.Score()
    score.add(sets("a b c d"), sets("a b c", "a b d", "x y"))  # 3/4, 3/4 and 0
    figures = score.figures()
    assert figures["found 0.5"] == 2 / 3 and figures["own 0.5"] == 1 / 3 and figures["theirs 0.5"] == 1
    assert figures["found 0.8"] == figures["own 0.8"] == figures["theirs 0.8"] == 0
    assert figures["best"] == pytest.approx(0.5) and figures["split"] == 0


def test_figures_are_over_all_sentences_with_and_without_statements():
    score = gold.Score()
    score.add([], sets("a b"))
    score.add(sets("a b", "c d", "e f"), sets("a b", "c d"))
    score.add(sets("a"), [])
    figures = score.figures()
    assert figures["sentences"] == 3 and figures["statements"] == 4 / 3 and figures["split"] == 1 / 3
    assert figures["found 0.8"] == figures["own 0.8"] == 2 / 3 and figures["theirs 0.8"] == 2 / 4


def test_pairs_are_taken_from_the_highest_down():
    assert gold.matched([[0.6, 0.9], [0.5, 0.8]]) == [0.9, 0.5]
    assert gold.matched([[0.4, 0.4]]) == [0.4]
    assert gold.matched([]) == []


def person(*masks, reference=False):
    return {"is_reference_response": reference, "propositions": [{"token_indices": mask} for mask in masks]}


@pytest.fixture
def folder(tmp_path):
    """One sentence of PropSegmEnt with a reference, one without, one of news; two rows of WikiSplit."""
    tokens = [{"text": text} for text in SENTENCE.split()]
    sentence = {"sentence_text": SENTENCE, "tokens": tokens}
    clusters = [{"cluster_id": "1", "documents": [{"document_id": "2", "sentences": [sentence, sentence]}]}]
    blank = {"is_reference_response": False}  # a person who sees no proposition has no list
    records = [
        (("1", "2", 0), [blank, person([0, 1], [9, 10, 12, 13], reference=True), person([0])]),
        (("1", "2", 1), [blank, person([0])]),
        (("9", "2", 0), [person([0], reference=True), blank]),
    ]
    named = ("cluster_id", "document_id", "sentence_index")
    propositions = [
        {"sentence_id": dict(zip(named, place, strict=True)), "segmentation_responses": people}
        for place, people in records
    ]
    (tmp_path / "document_clusters.dev.json").write_text(json.dumps(clusters), encoding="utf-8")
    (tmp_path / "propositions.dev.json").write_text(json.dumps(propositions), encoding="utf-8")
    rows = [(SENTENCE, 'Ada " was born . <::::> Leo owned the mill .'), ("\" It 's odd .", "It is . <::::> Odd .")]
    (tmp_path / "tune.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    return tmp_path


def test_the_reference_is_that_of_the_person_the_data_names(folder):
    (item,) = gold.read_propsegment(folder)
    assert item.references == tuple(sets("ada was", "leo owned old mill"))
    assert item.other == () and item.group == "1" and item.text == SENTENCE


def test_a_quotation_mark_of_wikisplit_is_a_mark(folder):
    first, second = gold.read_wikisplit(folder)
    assert first.references == tuple(sets("ada was born", "leo owned the mill")) and first.other is None
    assert second.text == ['"', "It", "'s", "odd", "."] and second.words == {"it", "s", "odd"}


def test_the_command_prints_each_set_and_names_what_is_missing(folder, capsys):
    (folder / "tune.tsv").unlink()
    gold.main(["--data", str(folder), "--grain", "clause"])
    printed = capsys.readouterr().out
    figures = json.loads(printed.splitlines()[-1])
    assert "skipping WikiSplit" in printed and "WikiSplit" not in figures
    assert figures["PropSegmEnt"]["clause"]["statements"] == 2  # it is split at "but"
    assert figures["PropSegmEnt"]["clause"]["own 0.5"] == 1 / 2  # the second, by 4 of 7 words
    assert figures["PropSegmEnt"]["another person"]["statements"] == 0
    assert set(figures["facts"]) == {"whole sentence", "clause"}


def test_fewer_facts_have_a_higher_quality_and_more_of_them_are_right(capsys):
    gold.main(["--grain", "fact", "--half", "develop", "--curve"])
    printed = capsys.readouterr().out
    figures = json.loads(printed.splitlines()[-1])["facts"]
    counts = [figures[f"fact, {least:.2f}"]["statements"] for least in gold.CURVE]
    assert counts == sorted(counts) and counts[0] < figures["fact"]["statements"] < counts[-1]
    assert gold.right(1.0)[1] > gold.right(0.91)[1] > gold.right(0.0)[1] and "of 1338 facts read" in printed


def test_an_unknown_grain_is_named(capsys):
    with pytest.raises(SystemExit):
        gold.main(["--grain", "clause,word"])
    assert "unknown: word; choose from sentence, clause, fact" in capsys.readouterr().err


def test_a_group_is_in_one_half_and_facts_are_halved():
    items = gold.read_facts()
    halves = {(item.group, item.half) for item in items}
    assert len(halves) == len({item.group for item in items})
    assert Counter(item.half for item in items) == {"develop": 50, "check": 50}
    assert min(len(item.references) for item in items) >= 2
