"""The parts of the fit of ``--coref minilm`` that need no torch: augmentation and questions with known answers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from benchmarks.coref_gap import Parsed
from benchmarks.slice import Text
from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.sieve import ask
from research.minilm_data import (
    AGREEING,
    Asked,
    Augmenter,
    Example,
    changed_word,
    examples_of,
    replaced,
    without_gender,
)
from tests.testing import parsed

ANN = parsed(
    "Ann|NNP|compound|2|B-PERSON Lee|NNP|nsubj|3|I-PERSON met|VBD|ROOT|0 James|NNP|compound|5|B-PERSON "
    "Ray|NNP|dobj|3|I-PERSON .|.|punct|3"
)
BOB = parsed(
    "James|NNP|nsubj|2|B-PERSON thanked|VBD|ROOT|0 Ann|NNP|poss|5|B-PERSON 's|POS|case|3 mother|NN|dobj|2 .|.|punct|2"
)


def example() -> Example:
    rows = ((0, 190), (0, next(iter(AGREEING))))
    asked = Asked(0, 4, ((0, 0, 1),), (0,), rows, (0.0, 1.0), 1.0)
    words, tags = ("Ann", "told", "James", "that", "she", "left"), ("NNP", "VBD", "NNP", "IN", "PRP", "VBD")
    return Example(0, ("ann", "lee"), words, tags, (2, 0, 1, 0, 10, 0), (1, 0, 2, 0, 0, 0), (asked,))


@pytest.mark.parametrize(
    ("word", "tag", "male", "female", "expected"),
    [
        ("her", "PRP$", "f", "m", "his"),
        ("her", "PRP", "f", "m", "him"),
        ("his", "PRP$", "f", "m", "her"),
        ("his", "PRP", "f", "m", "hers"),
        ("Wife", "NN", "m", "m", "husband"),
        ("Mr.", "NNP", "f", "m", "mrs"),
        ("he", "PRP", "m", "m", "he"),
        ("she", "PRP", "m", "f", "she"),
        ("nun", "NN", "f", "m", "monk"),
        ("table", "NN", "f", "f", "table"),
    ],
)
def test_words_change_gender(word, tag, male, female, expected):
    assert changed_word(word, tag, male=male, female=female) == expected


def test_texts_of_one_gender_keep_their_answers():
    change = Augmenter(lambda name: True, 1, one_gender=1.0)
    for _ in range(20):
        made = change(example())
        male = made.words[4] == "he"
        names = lexicon.MALE_NAMES if male else lexicon.FEMALE_NAMES
        assert {made.words[0], made.words[2]} <= names and made.words[4] in ("he", "she")
        assert made.codes == ((1, 0, 1, 0, 9, 0) if male else (2, 0, 2, 0, 10, 0))
        before, after = example().asked[0], made.asked[0]
        assert after.target == (0.0, 1.0)
        assert after.rows[1] == without_gender(before.rows[1]) != before.rows[1]
        assert made.title in ((), (made.words[0], "lee"))


def test_other_changes_swap_both_or_none():
    change = Augmenter(lambda name: True, 2)
    seen = set()
    for _ in range(60):
        made = change(example())
        seen.add((made.codes, made.words[4], made.words[0] == "Ann"))
        assert made.asked == example().asked
    assert {(codes, word) for codes, word, _ in seen} == {
        ((2, 0, 1, 0, 10, 0), "she"),
        ((1, 0, 2, 0, 9, 0), "he"),
    }
    assert {kept for codes, _, kept in seen if codes[0] == 2} == {True, False}


def test_a_repeated_name_becomes_a_pronoun_with_its_answer():
    document = Parsed(Text("1", "Ann Lee", ""), (ANN, BOB), ())
    made = [replaced(document, random.Random(seed)) for seed in range(40)]
    texts = {" ".join(t.text for t in d.sentences[1].tokens): answers for d, answers in made}
    assert texts.keys() == {"James thanked Ann 's mother .", "He thanked Ann 's mother .", "James thanked her mother ."}
    assert texts["James thanked Ann 's mother ."] == {}
    assert texts["He thanked Ann 's mother ."] == {6: frozenset({4})}
    assert texts["James thanked her mother ."] == {8: frozenset({1})}
    for document, answers in made:
        for s in document.sentences:
            assert all(0 <= t.head < len(s.tokens) for t in s.tokens)
        places = {q.pronoun.place for q in ask(document.sentences)[2]}
        assert answers.keys() <= places


class Letters:
    """A piece a letter."""

    def pieces(self, word: str) -> list[int]:
        return [ord(c) for c in word]


def test_windows_carry_the_labels():
    original = Parsed(Text("1", "Ann Lee", ""), (ANN, BOB), ())
    made = (replaced(original, random.Random(seed)) for seed in range(40))
    document, answers = next(found for found in made if found[1])
    _, _, questions = ask(document.sentences, title="Ann Lee")
    q = next(q for q in questions if q.pronoun.place in answers)
    target = (0.0, *(float(x.place in answers[q.pronoun.place]) for x in q.candidates))
    (made,) = examples_of(7, document, {q.pronoun.order: (target, 0.3)}, Letters())
    assert made.document == 7 and made.title == ("ann", "lee")
    assert len(made.words) == len(made.codes) == len(made.slots) == len(made.tags)
    asked = next(a for a in made.asked if a.target)
    assert made.words[asked.pronoun].lower() in ("he", "her") and asked.weight == 0.3
    right = next(s for s, y in zip(asked.spans, asked.target[1:], strict=True) if y)
    assert made.words[right[0]] in ("Lee", "Ray")


def test_the_mix_follows_who_knows_better():
    pytest.importorskip("onnx", reason="onnx is not installed")
    from gistmill.transforms.coreference.minilm.resolver import mixed
    from research.minilm_mix import fit_powers

    draw = np.random.default_rng(0)
    answers = []
    for k in range(60):
        right = np.arange(3) == draw.integers(3)
        vague, sharp = draw.dirichlet((5, 5, 5)), np.where(right != (k % 10 == 0), 0.8, 0.1)
        answers.append((vague, np.log(sharp / sharp.sum()), right))
    sieve, encoder = fit_powers(answers)
    assert encoder > max(0.3, sieve)
    sieve, encoder = fit_powers(answers, share=0.2)
    assert sieve == pytest.approx(0.2 * encoder) and encoder > 0.3
    for s, logs, right in answers:
        p = mixed(s, logs, (sieve, encoder))
        assert p.sum() == pytest.approx(1) and len(p) == len(right)
    assert mixed(np.array([0.2, 0.8]), np.log([0.5, 0.5]), (1.0, 1.0)) == pytest.approx([0.2, 0.8])
