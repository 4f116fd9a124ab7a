"""The fast parser finds what spaCy finds, in any batch, in any order, in any thread."""

import logging
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gistmill.transforms.parsing.fast
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing import plain
from gistmill.transforms.parsing.fast import FastParser, sentence_parser
from gistmill.transforms.parsing.plain import Passage, PlainParser
from gistmill.transforms.steps.annotate import Annotate, AnnotationConfig
from gistmill.transforms.steps.annotator import segment
from tests.dumps import pages, small_pages
from tests.samples import DISCOFUSE_ROWS, GAP_ROWS, NEWS, PAIRS, REAL_DATA, needs_real
from tests.transforms.parsing import texts

WORDS = sorted(
    {word for text in texts.EDGES for word in text.split()} | set("he she it they was were had not the of".split())
)
MADE_UP = st.one_of(
    st.text(max_size=80),
    st.text(alphabet="aB .,'’\"-()\n\t 1", max_size=120),
    st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join),
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", "", "  ", "\n", ". "])), max_size=20).map(
        lambda pairs: "".join(word + gap for word, gap in pairs)
    ),
)


def passages(chosen):
    """Texts as an annotator hands them on."""
    return [Passage(piece, n % 3, n) for n, text in enumerate(chosen) for piece in segment(text)]


def assert_equal(fast, stock, chosen):
    """Compares passage by passage, so that a difference is shown where it is."""
    for passage, ours, theirs in zip(chosen, fast.sentences(chosen), stock.sentences(chosen), strict=True):
        assert ours == theirs, passage


@pytest.mark.slow
def test_awkward_texts(fast, stock):
    assert_equal(fast, stock, [Passage(text, 1, 2) for text in texts.edge_texts()])


def test_articles(fast, stock):
    assert_equal(fast, stock, passages(texts.slice_texts(small_pages())))


@given(st.lists(MADE_UP, max_size=4))
def test_any_text(fast, stock, chosen):
    assert_equal(fast, stock, [Passage(text) for text in chosen])


@pytest.mark.slow
def test_a_text_that_is_given_as_one_sentence_is_one(fast, stock):
    split = [
        text.split() for text in [*texts.edge_texts(), *islice(texts.slice_texts(small_pages()), 40)] if text.strip()
    ]
    for chosen in ([" ".join(words)[:1000].strip() for words in split], [words[:200] for words in split]):
        for text, ours, theirs in zip(chosen, fast.whole(chosen), stock.whole(chosen), strict=True):
            assert ours == theirs, text
    assert fast.whole([]) == stock.whole([]) == []


@given(st.lists(MADE_UP.filter(lambda text: bool(text.split())), max_size=4))
@settings(max_examples=30)
def test_any_text_as_one_sentence(fast, stock, chosen):
    assert fast.whole([" ".join(text.split()) for text in chosen]) == stock.whole([" ".join(t.split()) for t in chosen])
    assert fast.whole([text.split() for text in chosen]) == stock.whole([text.split() for text in chosen])


@pytest.mark.long
def test_a_third_of_the_slice(fast, stock):
    assert_equal(fast, stock, passages(texts.slice_texts(pages()))[::3])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("texts_of", "path"),
    [
        (texts.gap_texts, GAP_ROWS),
        (texts.discofuse_texts, DISCOFUSE_ROWS),
        (texts.summary_texts, PAIRS),
        (texts.news_texts, NEWS.path),
    ],
)
def test_texts_of_every_kind(fast, stock, texts_of, path):
    assert_equal(fast, stock, passages(texts_of(path)))


@pytest.mark.long
@needs_real
@pytest.mark.parametrize(
    ("texts_of", "name"),
    [
        (texts.gap_texts, "gap-development.tsv"),
        (texts.gap_texts, "gap-validation.tsv"),
        (texts.discofuse_texts, "discofuse-gold-dev.tsv"),
        (texts.summary_texts, "cnndm-dev.jsonl"),
        (texts.news_texts, "news-dev.warc.gz"),
    ],
)
def test_real_texts(fast, stock, texts_of, name):
    assert_equal(fast, stock, passages(texts_of(REAL_DATA / name))[::3])


def test_batches_of_any_size_and_order_give_the_same_records(fast):
    chosen = [Passage(text) for text in [*texts.edge_texts(), *islice(texts.slice_texts(small_pages()), 40)]]
    together = dict(zip(chosen, fast.sentences(chosen), strict=True))
    mixed = list(together)
    random.Random(3).shuffle(mixed)
    while mixed:
        batch = [mixed.pop() for _ in range(random.Random(len(mixed)).randint(1, min(12, len(mixed))))]
        assert fast.sentences(batch) == [together[passage] for passage in batch]


def test_no_passage_and_empty_passages(fast):
    assert fast.sentences([]) == []
    assert fast.sentences([Passage(""), Passage("One is here."), Passage(" ")])[::2] == [[], []]


def test_sections_and_paragraphs_are_those_of_the_passage(fast):
    (found,) = fast.sentences([Passage("It rained. They left.", 3, 7)])
    assert [(s.section, s.paragraph) for s in found] == [(3, 7)] * 2


def test_full_memos_and_a_full_vocabulary_change_nothing(fast, monkeypatch):
    monkeypatch.setattr(gistmill.transforms.parsing.fast, "VOCABULARY", 1_000)
    monkeypatch.setattr("gistmill.transforms.parsing.network.EMBEDDINGS", 150)
    monkeypatch.setattr("gistmill.transforms.parsing.fast.LIMIT", 100)
    monkeypatch.setattr(gistmill.transforms.parsing.fast, "BATCH_CHARACTERS", 3_000)
    small = FastParser(load_model())
    chosen = passages(texts.slice_texts(small_pages()))
    expected = fast.sentences(chosen)
    assert small.sentences(chosen) == expected
    words = list(small._nlp.vocab)
    assert small.sentences(chosen[::-1]) == expected[::-1]
    assert len(list(small._nlp.vocab)) == len(words) >= 1_000
    assert len(small._words.text) <= 100 >= len(small._words.word)


def test_threads_share_a_parser(fast):
    chosen = passages(texts.slice_texts(small_pages()))
    parts = [chosen[start::4] for start in range(4)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(fast.sentences, parts)) == [fast.sentences(part) for part in parts]


PASSAGES = [Passage("However, she won the race by far.", 1, 2), Passage(" "), Passage("There's one. They ain't two.")]


@pytest.fixture
def model():
    return load_model()


def test_the_pinned_model_goes_the_fast_way(model, caplog):
    assert isinstance(sentence_parser(model), FastParser)
    assert not caplog.records


def pattern(nlp):
    nlp.get_pipe("attribute_ruler").add([[{"LOWER": "a"}, {"LOWER": "b"}, {"LOWER": "c"}]], {"LEMMA": "d"})


def other_attribute(nlp):
    nlp.get_pipe("attribute_ruler").add([[{"LENGTH": 3}]], {"LEMMA": "d"})


def other_operator(nlp):
    nlp.get_pipe("attribute_ruler").add([[{"LOWER": {"FUZZY": "abcd"}}]], {"LEMMA": "d"})


@pytest.mark.parametrize("change", [pattern, other_attribute, other_operator])
def test_other_patterns_go_the_plain_way(model, change):
    change(model.nlp)
    assert isinstance(sentence_parser(model), PlainParser)


def test_another_spacy_goes_the_plain_way_to_the_same_rows(model, caplog, monkeypatch):
    expected = sentence_parser(load_model()).sentences(PASSAGES)
    step = Annotate(AnnotationConfig())
    step.record("0")
    assert not caplog.records
    monkeypatch.setitem(plain.FEATURE_RELEASES, "spacy", "2.0")
    parser = sentence_parser(model)
    assert isinstance(parser, PlainParser) and parser.sentences(PASSAGES) == expected
    assert not caplog.records  # each worker has a parser; the driver warns
    step.record("0")
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "the rows are the same, but the speed is at most a quarter: spacy is 3.8" in record.getMessage()
