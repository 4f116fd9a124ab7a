"""n-grams that a document shares with evaluation texts."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gistmill.rules.contamination import ContaminationConfig, GramIndex, text_grams
from gistmill.rules.text.grams import words
from tests.cases import by_heading

CASES = by_heading(__file__)

THIRTEEN = "one two three four five six seven eight nine ten eleven twelve thirteen"


def index(*sets, ngram=13):
    made = [[text_grams(t, ngram) for t in texts] for texts in sets]
    return GramIndex.of([np.concatenate([g for g, _ in s]) for s in made], [n for s in made for g, n in s if n])


def look(text, *sets, **config):
    chosen = ContaminationConfig(**{f"decontaminate_{name}": value for name, value in config.items()})
    return index(*sets, ngram=chosen.decontaminate_ngram).look(text, chosen)


def test_thirteen_words_in_a_row():
    found = look(f"Before it, “{THIRTEEN.title()}” and after", [f"Some {THIRTEEN}, more."])
    assert (found.set, found.text, found.shared, found.of) == (0, THIRTEEN, 1, 5)
    assert look(THIRTEEN.replace("seven", "7"), [THIRTEEN]) is None
    assert look(" ".join(THIRTEEN.split()[:12]), [THIRTEEN]) is None


def test_the_first_set_that_has_enough_is_named():
    assert look(THIRTEEN, ["x " * 20], [f"a {THIRTEEN}"], [THIRTEEN]).set == 1


def test_short_texts_are_looked_for_whole():
    eight = "a short but not too short evaluation text"
    assert look(f"Here is {eight} indeed.", [eight]).text == eight
    assert look("Here is a short but not too short evaluation.", [eight]) is None
    assert look("Too short to matter in any document", ["Too short to matter"]) is None
    assert look("Too short to matter in any document", ["short to matter"], ngram=3).text == "short to matter"
    assert look("Too short to matter in any document", ["short to"], ngram=3) is None


def test_a_number_of_ngrams():
    text = f"{THIRTEEN} fourteen fifteen"
    assert look(text, [f"{THIRTEEN} fourteen"], threshold=3) is None
    assert look(text, [f"{THIRTEEN} fourteen"], [text], threshold=3).set == 1
    assert look(f"{THIRTEEN} {THIRTEEN}", [THIRTEEN], threshold=2) is None  # the same one twice


def test_a_share_of_ngrams():
    text = f"{THIRTEEN} fourteen fifteen sixteen"  # 4 n-grams
    assert look(text, [f"{THIRTEEN} fourteen"], threshold=0.5).shared == 2
    assert look(text, [f"{THIRTEEN} fourteen"], threshold=0.51) is None


def test_configurations_that_mean_nothing():
    for config, message in CASES["configurations that mean nothing"]:
        with pytest.raises(ValueError, match=message):
            ContaminationConfig(**{f"decontaminate_{name}": value for name, value in config.items()})


def test_nothing_to_look_for():
    assert look(THIRTEEN, ["too short"]) is None
    assert GramIndex.of([], []).look(THIRTEEN, ContaminationConfig()) is None


TEXTS = st.lists(st.sampled_from("abc"), max_size=25).map(" ".join)


@settings(deadline=None)
@example("b a a b", ["a b b a"], 4)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4), st.integers(2, 9))
def test_it_equals_a_search_in_the_text(text, evaluation, ngram):
    def grams(found, n):
        return {tuple(found[i : i + n]) for i in range(len(found) - n + 1)}

    shared = set()
    for other in map(words, evaluation):
        length = min(ngram, len(other))
        if length >= min(ngram, 8):
            shared |= grams(words(text), length) & grams(other, length)
    found = look(text, evaluation, ngram=ngram)
    assert (found.shared if found else 0) == len(shared)
    assert found is None or tuple(found.text.split()) in shared
