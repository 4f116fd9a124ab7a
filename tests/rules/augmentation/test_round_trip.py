import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Origin, Pair
from gistmill.rules.augmentation.round_trip import (
    SplitText,
    TranslationError,
    Trip,
    Variant,
    all_variants,
    chosen_variants,
    hypotheses,
    paraphrased,
    plan,
    preferred_variants,
    translated,
)
from gistmill.rules.text.segment import split_sentences
from gistmill.rules.text.sentences import split_tokenised

TEXT = "Otters swim. They eat fish.\n\n  The river is cold.  Frogs hide. "


def pair(inputs=TEXT, targets="Otters live in rivers.", id="p-1"):
    return Pair(Origin(id, "pairs"), inputs, targets, {"id": id, "inputs": inputs, "targets": targets}, "train")


def trips(sentences, beams=2):
    ways = range(1, beams + 1)
    return {s: Trip({i: [f"<{s} {i} {j}>" for j in ways] for i in ways}) for s in sentences}


def test_there_are_k_times_k_variants_of_each_language():
    # section 4 of the paper: ten pairs, two languages, k = 10
    assert 10 + 10 * len(all_variants(["de", "ru"], 10)) == 2010
    assert len(all_variants(["de"], 10)) == 100
    assert all_variants(["de"], 2) == [Variant("de", *ways) for ways in ((1, 1), (1, 2), (2, 1), (2, 2))]


def test_every_sentence_has_the_hypotheses_of_the_variant():
    text = SplitText.of("Otters swim. They eat fish.\nFrogs hide.")
    assert paraphrased(text, trips(text.sentences), Variant("de", 2, 1)) == (
        "<Otters swim. 2 1> <They eat fish. 2 1>\n<Frogs hide. 2 1>"
    )


@given(
    st.lists(
        st.sampled_from(["Otters swim.", "they eat .", " ", "\n", "  \n", "\u3000", "\x1c", "Dr. No", "...", " ''"])
    ),
    st.sampled_from([split_sentences, split_tokenised]),
)
def test_a_text_that_nothing_is_put_into_stays(parts, splitter):
    text = "".join(parts)
    split = SplitText.of(text, splitter)
    assert split.put({}) == text
    assert not any(gap.strip() for gap, _ in split.parts) and not split.end.strip()


def test_sentences_of_texts_and_of_tokenised_ones():
    text = SplitText.of(TEXT)
    assert list(text.sentences) == ["Otters swim.", "They eat fish.", "The river is cold.", "Frogs hide."]
    assert text.put(dict.fromkeys(text.sentences, "X")) == "X X\n\n  X  X "
    made = plan(pair("otters  swim . they eat fish ! ''\nfrogs hide .", "a mayor came . he left ."), [], ("inputs",))
    assert made.sentences == ["otters  swim .", "they eat fish ! ''", "frogs hide ."]


def test_a_sentence_without_translation_stays():
    for trip in [Trip({}), Trip({1: ()}), Trip({1: ["", ""]})]:
        text = SplitText.of("Otters swim. They eat fish.")
        found = {**trips(text.sentences), "Otters swim.": trip}
        assert paraphrased(text, found, Variant("de", 1, 2)) == "Otters swim. <They eat fish. 1 2>", trip


@given(st.integers(1, 60), st.integers(0, 5), st.text(max_size=5))
def test_fewer_copies_are_among_more(copies, seed, id):
    variants = all_variants(["de", "ru"], 5)
    chosen = chosen_variants(variants, id, copies=copies, seed=seed)
    more = chosen_variants(variants, id, copies=copies + 1, seed=seed)
    assert len(set(chosen)) == len(chosen) == min(copies, 50)
    assert more[: len(chosen)] == chosen


def test_one_way_there_suffices_for_one_paraphrase():
    found = [preferred_variants(["de", "ru"], 10, f"p-{n}", seed=1) for n in range(200)]
    assert all(len({(v.language, v.forward) for v in each}) == 1 and len(set(each)) == 10 for each in found)
    assert len({each[0] for each in found}) > 120  # of 200 variants
    variants = all_variants(["de", "ru"], 10)
    keys = itertools.product("ab", (1, 2))
    assert len({tuple(chosen_variants(variants, id, copies=3, seed=seed)) for id, seed in keys}) == 4


def test_the_copies_of_a_pair_say_what_they_are():
    variants = all_variants(["de", "ru"], 2)
    made = plan(pair("Otters swim."), variants, ("inputs", "targets"))
    of_language = trips(made.sentences)
    found = translated(made, {"de": of_language, "ru": of_language}, numbers={v: n for n, v in enumerate(variants, 1)})
    assert [copy.number for copy in found.copies] == [1, 2, 3, 4, 5, 6, 7, 8]
    copy = found.copies[5]
    assert (copy.operation, copy.values) == ("round-trip ru", {"variant": "ru-1-2"})
    assert (copy.inputs, copy.targets) == ("<Otters swim. 1 2>", "<Otters live in rivers. 1 2>")
    assert found.counts == {"sentences/read": 4, "sentences/used": 4} and not found.rejects
    made = plan(pair("Otters swim."), variants[:1], ("inputs",))  # the targets are not to change
    assert made.sentences == ["Otters swim."]
    (copy,) = translated(made, {"de": trips(made.sentences)}, numbers={variants[0]: 1}).copies
    assert (copy.inputs, copy.targets) == ("<Otters swim. 1 1>", "Otters live in rivers.")


def test_a_sentence_that_stays_is_counted_whatever_other_pairs_wanted_of_it():
    for back in [Trip({2: ()}), Trip({2: ["", "b"]})]:
        variants = [Variant("de", 2, 1)]
        made = plan(pair("Otters swim. They eat fish."), variants, ("inputs",))
        found = {
            "Otters swim.": Trip({1: (), 2: ["a", "b"]}),  # the way 1 was another pair's
            "They eat fish.": back,
        }
        done = translated(made, {"de": found}, numbers={variants[0]: 3})
        assert done.counts == {"sentences/read": 2, "sentences/used": 1, "sentences/rejected/UNTRANSLATED": 1}, back
        (reject,) = done.rejects
        assert (reject.unit, reject.detail) == ("sentence", "de: They eat fish."), back
        assert done.copies[0].inputs == "a They eat fish.", back


class Fixed:
    identity = "fixed"

    def __init__(self, answer):
        self.answer = answer

    def translate(self, sentences, *, count):
        return self.answer


def test_a_translator_that_gives_something_else_is_refused():
    for answer, problem in [
        ([["a", "b"]], "results for 1 sentences, not 2"),
        ([["a", "b"], ["c"]], "1 hypotheses for a sentence instead of 2"),
        ([["a", "b"], ["c", 5]], "is not text"),
        (["ab", ["c", "d"]], "text for a sentence instead of a list"),
        (["abc", "abc"], "text for a sentence instead of a list"),
        (None, "something other than a list"),
        ((["a", "b"] for _ in "xy"), "something other than a list"),
        ([["a", "b"], None], "something other than a list"),
    ]:
        with pytest.raises(TranslationError, match=problem):
            hypotheses(Fixed(answer), ["x", "y"], count=2)


def test_a_hypothesis_is_one_line():
    assert hypotheses(Fixed([["a\nb  c ", ""], []]), ["x", "y"], count=2) == [["a b c", ""], []]
    assert hypotheses(Fixed(None), [], count=2) == []
    assert hypotheses(Fixed([["a \ud800", "b"]]), ["x"], count=2) == [["", "b"]]  # no lone surrogates
