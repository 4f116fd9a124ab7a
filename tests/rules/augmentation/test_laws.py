"""Laws that the operations of EDA keep on any sentence."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.augmentation.config import OPERATIONS
from gistmill.rules.augmentation.eda.operations import changed_words, text_of
from gistmill.rules.documents import Sentence, Token
from gistmill.rules.text.words import STOP_WORDS
from tests.rules.augmentation.helpers import pieces

WORDS = {
    "NN": "car town idea house mayor question hour apple",
    "NNS": "cars towns ideas children",
    "JJ": "big old small useful honest important",
    "RB": "quickly really not never slowly",
    "VBD": "bought saw helped said 's",
    "DT": "a an the A",
    "CD": "ten 3 1,000 ½",
    "NNP": "Paris Obama",
    "IN": "of in",
    "PUNCT": ', . ( ) " ! — - 😀 犬',
}
DEPS = "ROOT nsubj dobj pobj amod advmod det compound punct prep conj attr nummod".split()


@st.composite
def sentences(draw):
    size = draw(st.integers(1, 14))
    tokens = []
    for _ in range(size):
        tag = draw(st.sampled_from(list(WORDS)))
        word = draw(st.sampled_from(WORDS[tag].split()))
        inside = ["I-ORG"] if tokens and tokens[-1].entity else []
        entity = draw(st.sampled_from(["", "", "", "B-ORG", *inside]))
        pos = {"N": "NOUN", "V": "VERB"}.get(tag[0], "X")
        head = draw(st.integers(0, size - 1))
        dep = draw(st.sampled_from(DEPS))
        tokens.append(Token(word, draw(st.integers(0, 4)) > 0, tag, pos, dep, head, word.lower(), entity))
    return Sentence(tuple(tokens))


CASES = st.tuples(sentences(), st.integers(0, 10**6), st.sampled_from([0.1, 0.5, 0.99]), st.booleans())


def made(operation, case):
    sentence, seed, alpha, fitting = case
    return pieces(operation, sentence, seed=seed, alpha=alpha, fitting=fitting)


@pytest.mark.parametrize("operation", OPERATIONS)
@given(case=CASES)
def test_what_is_not_free_stays_in_its_order(operation, case):
    parse, found = made(operation, case)
    kept = [(i, t.text) for i, t in enumerate(parse.tokens) if i not in parse.free]
    assert [(p.token, p.text) for p in found if p.token >= 0 and p.token not in parse.free] == kept
    free = [parse.tokens[i] for i in parse.free]
    assert not any(t.entity or t.tag == "CD" or any(c.isdigit() for c in t.text) or t.text in STOP_WORDS for t in free)
    text = text_of(parse, found)
    assert "  " not in text and text == text.strip()
    if not changed_words(parse, found):
        same = pieces("deletion", case[0], seed=0, alpha=1e-9)[1]  # equal words may have changed places by a detour
        assert [(p.text, p.space) for p in found] == [(p.text, p.space) for p in same]
        assert text == "".join(t.text + " " * t.space for t in parse.tokens).rstrip()


@given(case=CASES)
def test_deletion_only_removes(case):
    parse, found = made("deletion", case)
    left = iter(enumerate(parse.tokens))
    assert all(any((p.token, p.text) == (i, t.text) for i, t in left) for p in found)
    assert any(t.text[0].isalnum() for t in parse.tokens) <= any(p.text[0].isalnum() for p in found)


@given(case=CASES)
def test_a_swap_is_a_permutation_of_free_words(case):
    parse, found = made("swap", case)
    assert Counter(p.text for p in found) == Counter(t.text for t in parse.tokens)
    moved = {i for i, p in enumerate(found) if p.token != i}
    assert moved <= set(parse.free) and len(found) == len(parse.tokens)
    assert [p.space for p in found] == [t.space for t in parse.tokens]


@given(case=CASES)
def test_an_insertion_adds_words_and_no_more_than_n(case):
    parse, found = made("insertion", case)
    assert [p.text for p in found if p.token >= 0] == [t.text for t in parse.tokens]
    assert len(found) - len(parse.tokens) <= max(1, int(case[2] * parse.words + 1e-9))


@given(case=CASES)
def test_synonyms_stand_in_the_places_of_free_words(case):
    parse, found = made("synonyms", case)
    assert [p.token for p in found] == list(range(len(parse.tokens)))
    changed = [i for i, p in enumerate(found) if p.text != parse.tokens[i].text]
    assert set(changed) <= set(parse.free)
    assert len(changed) <= max(1, int(case[2] * parse.words + 1e-9))
