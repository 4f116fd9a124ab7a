"""Scores of summaries, ROUGE beside the package rouge-score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from gistmill.rules.metrics.scores import (
    F1,
    JACKKNIFE,
    RECALL,
    TYPES,
    Measurement,
    Setting,
    combined,
    cut_to_bytes,
    cut_to_words,
    length_bins,
    next_tokens,
    novel_ngrams,
    rouge,
    sentences_of,
)

WORDY = st.lists(st.sampled_from("the mayor resigned . today cats run running \n".split(" ")), max_size=15).map(
    " ".join
)
PLAIN = Setting(stemmer=False)


@given(WORDY, st.lists(WORDY, min_size=1, max_size=3), st.booleans())
def test_rouge_with_several_references_is_that_of_rouge_score(prediction, references, stemmer):
    divided = ["\n".join(sentences_of(text)) for text in (prediction, *references)]
    scorer = RougeScorer(list(TYPES), use_stemmer=stemmer)
    wanted = scorer.score_multi(divided[1:], divided[0])
    found = rouge(prediction, references, Setting(stemmer=stemmer))
    assert found == {kind: score.fmeasure for kind, score in wanted.items()}


def test_recall_and_cuts():
    reference, prediction = "one two three", "one two four five three"
    assert rouge(prediction, [reference], Setting(measure=RECALL))["rouge1"] == 1
    assert rouge(prediction, [reference], Setting(measure=RECALL, cut_to_reference=True))["rouge1"] == 2 / 3
    assert rouge(prediction, [reference], Setting(measure=F1, cut_bytes=7))["rouge1"] == pytest.approx(4 / 5)
    assert rouge(prediction, [reference, prediction], Setting(cut_to_reference=True))["rouge1"] == 1


def test_references_left_out_in_turn():
    references = ["one two", "one three", "four five"]  # F1 0.5, 0.5 and 0
    assert rouge("one six", references, PLAIN)["rouge1"] == 0.5
    jackknife = Setting(stemmer=False, several=JACKKNIFE)
    assert rouge("one six", references, jackknife)["rouge1"] == 0.5
    assert rouge("one two", references, jackknife)["rouge1"] == pytest.approx((1 + 1 + 0.5) / 3)
    assert rouge("one two", references[:1], jackknife)["rouge1"] == 1
    with pytest.raises(ValueError, match="a row has no reference"):
        rouge("a", [], PLAIN)


def test_a_cut_breaks_no_character():
    assert cut_to_bytes("naïve", 3) == "na" and cut_to_bytes("naïve", 4) == "naï" and cut_to_bytes("日", 2) == ""
    assert cut_to_words("a b\n\nc d", 3) == "a b\nc" and cut_to_words("a", 0) == "" and cut_to_words("", 5) == ""


@given(st.text(), st.integers(0, 20))
def test_a_cut_text_is_a_beginning(text, size):
    cut = cut_to_bytes(text, size)
    assert text.startswith(cut) and len(cut.encode("utf-8", "surrogatepass")) <= size


def test_the_combined_score_is_lats():
    # Table 6, 1,000 samples, no curriculum: 32.14 + 2 x 14.85 + 21.44 = 83.28
    assert combined({"rouge1": 32.14, "rouge2": 14.85, "rougeL": 21.44, "rougeLsum": 0}) == pytest.approx(83.28)


def test_novel_ngrams_count_every_occurrence():
    assert novel_ngrams("a b a x", "a b c", 1) == (1, 4)
    assert novel_ngrams("a b a x", "a b c", 2) == (2, 3)
    assert novel_ngrams("a", "b", 2) == (0, 0) == novel_ngrams("", "", 1)


def test_sentences_are_lines_or_found():
    assert sentences_of("One is here.\nTwo.") == ["One is here.", "Two."]
    assert sentences_of("It rained today. They left.") == ["It rained today.", "They left."]
    assert sentences_of("it rained . they left .") == ["it rained .", "they left ."]
    assert sentences_of(" \n") == []


def test_lengths_fall_into_fifths():
    references = ["w " * n for n in (5, 1, 4, 2, 3, 3, 9, 9, 9, 10)]
    assert length_bins(references) == [2, 0, 2, 0, 1, 1, 3, 3, 4, 4]
    assert length_bins([]) == [] and length_bins(["a"]) == [0]


def test_next_tokens():
    found = next_tokens([[True, False, True], []], [[-1.0, -2.0, -3.0], []])
    assert {name: one.score() for name, one in found.items()} == pytest.approx(
        {"token_accuracy": 200 / 3, "nll": 2.0, "perplexity": 7.38905609893065}
    )
    assert next_tokens([[True]], [[-1000.0]])["perplexity"].score() == float("inf")
    with pytest.raises(ValueError, match="a row has labels for 1 tokens, but likelihoods for 0"):
        next_tokens([[True]], [[]])
    assert isinstance(found["nll"], Measurement)
