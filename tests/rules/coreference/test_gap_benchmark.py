"""The GAP scorer on rows made by hand, and the sieve with the real model on a real paragraph and, where there, on GAP
itself.
"""

import pytest

from benchmarks.coref_gap import Answer, GapRow, Parsed, answer, measure, parse, read_gap, score, token_offsets
from gistmill.rules.coreference.scorer import Sieve
from gistmill.rules.documents import Mention, Sentence, Token
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing.plain import sentences_of
from tests.cases import by_heading
from tests.samples import GAP_ROWS, REAL_DATA, needs_real

CASES = by_heading(__file__)


def _row(first: bool, second: bool, pronoun: str = "she") -> GapRow:
    return GapRow("1", "Ann", "Ann met Eve when she left", pronoun, 17, ((0, 3, first), (8, 11, second)))


def _parsed(row: GapRow) -> Parsed:
    words = row.text.split(" ")
    sentence = Sentence(tuple(Token(w, True, "NN", "NOUN", "dep", len(words) - 1, w) for w in words))
    return Parsed(row, (sentence,), token_offsets(row.text, [sentence]))


def test_offsets_are_those_of_the_text():
    assert _parsed(_row(True, False)).offsets == ((0, 4, 8, 12, 17, 21),)


def test_answer_reads_the_pronouns_cluster():
    parsed = _parsed(_row(False, True))
    clusters = ((Mention(0, 2, 3, 2, "name"), Mention(0, 4, 5, 4, "pronoun", 0.8)),)
    assert answer(parsed, clusters) == Answer((False, True), 0.8)
    assert answer(parsed, ()) == Answer((False, False), 0.0)
    # a mention that only holds the name ("Eve's mother") is not the name
    wide = ((Mention(0, 2, 4, 3, "nominal"), Mention(0, 4, 5, 4, "pronoun", 0.8)),)
    assert answer(parsed, wide).names == (False, False)


def test_score_counts_decisions_and_answers():
    rows = [_row(True, False), _row(True, False), _row(False, True), _row(False, False)]
    given = [
        Answer((True, False), 0.9),
        Answer((False, True), 0.6),
        Answer((False, False), 0.9),
        Answer((False, False), 0.0),
    ]
    whole = score(rows, given)
    assert (whole.true_positives, whole.false_positives, whole.false_negatives) == (1, 1, 2)
    assert (whole.precision, whole.recall) == (0.5, 1 / 3) and whole.f1 == pytest.approx(0.4)
    # the third row is answered by a third mention: wrong, though no false positive of GAP
    assert (whole.answered, whole.wrong) == (3, 2)
    cut = score(rows, given, cut=0.7)
    assert (cut.true_positives, cut.false_positives, cut.false_negatives, cut.answered) == (1, 0, 2, 2)


def test_a_file_that_is_not_gap_is_rejected(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("a\tb\n1\t2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="not a GAP file"):
        read_gap(path)


@pytest.fixture(scope="module")
def model():
    return load_model()


def test_a_real_paragraph(model):
    text = (
        "Marie Curie was born in Warsaw in 1867. She studied physics in Paris, where she met Pierre Curie. "
        "He was a teacher, and they married "
        "in 1895. Her daughter Irene shared the Nobel Prize with her husband. It was raining when Curie "
        "received the news."
    )
    sentences = tuple(sentences_of(model.nlp(text)))
    clusters = [
        [" ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end]) for m in c]
        for c in Sieve().resolve(sentences, title="Marie Curie")
    ]
    marie = next(c for c in clusters if "Marie Curie" in c)
    assert {"She", "she"} <= set(marie)
    assert any("Pierre Curie" in c and "He" in c for c in clusters)
    assert not any("It" in c for c in clusters)


def test_the_pinned_words_examples_of_fusion(model):
    from spacy.tokens import Doc

    for text, pronoun, opening, least in CASES["the pinned examples of fusion"]:
        parts = [part.split(" ") for part in text.split(" | ")]
        sentences = [s for words in parts for s in sentences_of(model.nlp(Doc(model.nlp.vocab, words=words)))]
        found = {}
        for first, *others in Sieve().resolve(sentences):
            for m in (m for m in (first, *others) if m.kind == "pronoun"):
                words = [t.text for t in sentences[first.sentence].tokens[first.start : first.end]]
                found[sentences[m.sentence].tokens[m.head].text] = " ".join(words), m.confidence
        assert found[pronoun][0] == opening and found[pronoun][1] > least, text


def test_the_pronouns_of_plain_rows_are_resolved():
    figures = measure(str(GAP_ROWS), "sieve")
    assert figures["f1"] > 0.9 and figures["precision_at_cut"] > 0.9 and figures["answered_at_cut"] >= 0.75


@needs_real
def test_gap_does_not_fall_behind():
    figures = measure(str(REAL_DATA / "gap-validation.tsv"), "sieve")
    assert figures["f1"] > 0.70 and figures["bias"] > 0.95
    assert figures["precision_at_cut"] >= 0.85 and figures["answered_at_cut"] >= 0.5


def test_parsing_keeps_offsets(model):
    row = GapRow("1", "", 'She said,  "Ann left."  Then she slept.', "She", 0, ((12, 15, False), (0, 3, False)))
    parsed = next(parse(model, [row]))
    for sentence, offsets in zip(parsed.sentences, parsed.offsets, strict=True):
        assert all(row.text.startswith(t.text, o) for t, o in zip(sentence.tokens, offsets, strict=True))
