"""Text that is tokenised already is recognised, and its sentences end at marks that stand alone."""

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.slice import read_pages, slice_path
from gistmill.rules.text.segment import split_sentences
from gistmill.rules.text.sentences import looks_tokenised, split_tokenised, splitter_of
from tests.cases import by_heading
from tests.samples import PAIR_FILES

CASES = by_heading(__file__)


def test_tokenised_sentences():
    for text, sentences in CASES["tokenised sentences"]:
        assert split_tokenised(text) == sentences, text


def test_tokenised_text_is_recognised():
    for texts in CASES["tokenised text is recognised"]:
        assert looks_tokenised(texts) and splitter_of(texts) is split_tokenised, texts


def test_other_text_is_not():
    for texts in CASES["other text is not"]:
        assert not looks_tokenised(texts) and splitter_of(texts) is split_sentences, texts


@pytest.mark.slow
def test_no_page_of_wikipedia_looks_tokenised_until_it_is():
    """Sentences of pages in small letters, with their marks set apart, are found again."""
    found = all_ = 0
    for page in read_pages(slice_path()):
        paragraphs = page.text.split("\n")
        assert not looks_tokenised(paragraphs)
        for paragraph in paragraphs:
            sentences = [_apart(s) for s in split_sentences(paragraph)]
            # ".. ." for an ellipsis cannot be set apart
            assert looks_tokenised(sentences) or len(sentences) < 3 or ".. ." in paragraph
            found += len(set(sentences) & set(split_tokenised(" ".join(sentences))))
            all_ += len(set(sentences))
    assert all_ > 10_000 and found / all_ > 0.98


def _apart(sentence):
    marked = re.sub(r"([,;:!?()\"]|[.]+(?=[\"')]*$))", r" \1 ", sentence.lower())
    return " ".join(marked.split())


@pytest.mark.parametrize("file", PAIR_FILES)
def test_articles_in_the_form_of_cnn_and_dailymail_are_recognised(file):
    documents = [json.loads(line)["document"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert all(looks_tokenised([document]) for document in documents)
    assert all(len(split_tokenised(document)) >= 8 for document in documents)


@given(st.lists(st.sampled_from(["it", "u.s.", ".", "!", "…", '"', "'", "''", ")", ","]), max_size=30))
def test_no_token_is_lost_and_no_sentence_is_empty(tokens):
    sentences = split_tokenised(" ".join(tokens))
    assert " ".join(sentences).split() == tokens
    assert all(sentences)


def test_hostile_texts_take_linear_time():
    start = time.process_time()
    for text in (". " * 100_000, '" ' * 100_000, "." * 200_000, ", ." * 100_000):
        assert splitter_of([text])(text)
    assert time.process_time() - start < 10
