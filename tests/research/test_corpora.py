"""The texts that were labelled by reading: how their sources are read, and what the labels make of a question."""

from __future__ import annotations

import json

import pytest

from benchmarks.coref_gap import Parsed
from benchmarks.slice import Text
from research import corpora
from research.fit_coreference import READ_WEIGHT, label_read
from tests.testing import parsed

WIKITEXT = """
 = Old Mill =

 The mill ( built in 1901 @-@ 02 ) wasn 't small ; it said " no " .

 = = History = =

 It burned .
"""
MET = parsed("Ann|NNP|nsubj|2|B-PERSON met|VBD|ROOT|0||meet Eve|NNP|dobj|2|B-PERSON .|.|punct|2")
LEFT = parsed("She|PRP|nsubj|2 left|VBD|ROOT|0||leave .|.|punct|2")


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "wiki.test.raw").write_text(WIKITEXT, encoding="utf-8")
    article = {
        "title": "New_York",
        "paragraphs": [{"context": "It grew."}, {"context": "It grew."}, {"context": "It fell."}],
    }
    (tmp_path / "squad.json").write_text(json.dumps({"data": [article]}), encoding="utf-8")
    (tmp_path / "bbc" / "tech").mkdir(parents=True)
    (tmp_path / "bbc" / "tech" / "001.txt").write_text("A headline\n\nIt costs \xa35.\n", encoding="latin-1")
    return tmp_path / "wiki.test.raw", [tmp_path / "squad.json"], tmp_path / "bbc"


def test_texts_are_read_from_their_sources(sources, monkeypatch):
    names = ("wiki-Old Mill", "squad-New York", "bbc-bbc/tech/001.txt")
    monkeypatch.setattr(corpora, "read_answers", lambda _: dict.fromkeys(names, {}))
    found = {t.id: (t.title, t.text) for t in corpora.read_texts(*sources)}
    assert found == {
        "wiki-Old Mill": ("Old Mill", 'The mill (built in 1901-02) wasn \'t small; it said "no".\nIt burned.'),
        "squad-New York": ("New York", "It grew.\nIt fell."),
        "bbc-bbc/tech/001.txt": ("A headline", "It costs \xa35."),
    }


def test_a_source_without_a_labelled_text_is_refused(sources):
    with pytest.raises(ValueError, match="texts with labels are in none of the sources"):
        corpora.read_texts(*sources)


def test_the_labels_name_pronouns_and_noun_phrases():
    labels = corpora.read_answers(corpora.LABELS)
    assert len(labels) == 193
    anaphors = {anaphor[0] for answers in labels.values() for anaphor in answers}
    assert anaphors == {"p", "n"} and sum(map(len, labels.values())) == 14_875


@pytest.mark.parametrize(("meant", "right"), [([0], {0}), ([2], {2}), ([], {-1})])
def test_a_candidate_is_right_where_its_cluster_is_meant(meant, right):
    text = Parsed(Text("a", "", ""), (MET, LEFT), ())
    labelled = label_read(text, {"p4": meant})
    (question,), (answers,) = labelled.questions, labelled.right
    places = (-1, *(x.place for x in question.candidates))
    assert {place for place, good in zip(places, answers, strict=True) if good} == right
    assert labelled.weights == (READ_WEIGHT,)


def test_an_anaphor_without_a_label_is_left_out():
    assert label_read(Parsed(Text("a", "", ""), (MET, LEFT), ()), {}).right == (None,)
