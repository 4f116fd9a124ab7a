import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.codec import ConnectiveError, Heads, Labels, LabelsError
from gistmill.rules.fusion.decode import WITH_CONNECTIVE, Decoder, FusionConstraints, fit_prior, prior_of
from gistmill.rules.fusion.edits import DELETE, KEEP, LOWER, UPPER, realise
from tests.cases import by_heading
from tests.rules.fusion.tagging import Scripted, blank_heads

CASES = by_heading(__file__)

PLANS = ("PAIR_ANAPHORA", "PAIR_CONN", "PAIR_NONE", "SINGLE_RELATIVE", "SINGLE_S_COORD", "SINGLE_VP_COORD")
LABELS = Labels(
    PLANS,
    (KEEP, DELETE, LOWER, UPPER, "REPLACE:he", "REPLACE:she"),
    ("", ", and", ", but", "however ,", ", however ,", ",", "who"),
)
FIRST, SECOND = "The old man slept .".split(), "The old man snored loudly .".split()
STATES = np.zeros((len(FIRST) + len(SECOND) + 2, 8), np.float32)


def fuse(*, first=FIRST, second=SECOND, states=STATES, script, **options):
    decoder = Decoder(Scripted(LABELS, **script))
    return decoder.fuse(states[: len(first) + len(second) + 2], first, second, FusionConstraints(**options))


def text(fusion):
    return " ".join(fusion.tokens)


def test_rules_keep_the_likeliest_labels_together():
    for script, second, fusion in CASES["rules keep the likeliest labels together"]:
        for labels in ("operations", "phrases"):
            script[labels] = {int(at): ranked for at, ranked in script.get(labels, {}).items()}
        (found,) = fuse(script=script, second=second.split() or SECOND)
        assert text(found) == fusion and found.plan == script["plans"][0], script
        assert found.tokens == realise(FIRST, second.split() or SECOND, found.edits), script
        assert found.edits.move == (script["move"] - 1 if "SINGLE_RELATIVE" in script["plans"] else None), script


def test_an_anaphora_that_is_not_likely_enough_replaces_nothing():
    script = {"plans": ["PAIR_ANAPHORA"], "operations": {2: "REPLACE:he"}, "phrases": {6: ", but"}}
    (found,) = fuse(script=script, plan="PAIR_ANAPHORA")
    assert found.tokens == FIRST + SECOND  # the first sentence stays as it is


def test_a_connective_is_written_even_if_none_is_likely():
    (found,) = fuse(script={"plans": ["PAIR_CONN"]})
    assert any(found.edits.phrases)


def test_a_plan_that_changes_nothing_gives_way_to_the_next_one():
    script = {"operations": {5: LOWER}, "phrases": {5: ", but"}}
    (found,) = fuse(script={**script, "plans": ["PAIR_ANAPHORA", "SINGLE_S_COORD"]})
    assert text(found) == "The old man slept , but the old man snored loudly ."
    (found,) = fuse(script={**script, "plans": ["PAIR_ANAPHORA", "PAIR_NONE"]})
    assert found.plan == "PAIR_NONE" and found.tokens == FIRST + SECOND
    found = fuse(script={**script, "plans": ["PAIR_ANAPHORA", "SINGLE_S_COORD"]}, count=20)
    assert [f.plan for f in found if f.tokens == FIRST + SECOND] == ["PAIR_NONE"]


def test_marks_and_brackets_at_the_end_of_the_first_sentence_may_go():
    first = "( He slept . )".split()
    script = {"plans": ["SINGLE_VP_COORD"], "operations": {3: DELETE, 5: DELETE, 6: DELETE, 7: DELETE}}
    (found,) = fuse(script={**script, "phrases": {5: ", and"}}, first=first)
    assert text(found) == "( He slept ) , and snored loudly ."


def test_a_connective_at_the_start_is_written_there():
    labels = Labels((*PLANS, "SINGLE_CONN_START"), LABELS.operations, (*LABELS.phrases, "although"))
    script = {"plans": ["SINGLE_CONN_START"], "operations": {0: LOWER, 5: LOWER}}
    script["phrases"] = {0: ["", "although"], 5: [", but", ","]}
    (found,) = Decoder(Scripted(labels, **script)).fuse(STATES, FIRST, SECOND)
    assert text(found).startswith("Although the old man slept")


def test_a_word_with_a_capital_inside_a_sentence_is_not_lowered():
    for second, written in CASES["a word with a capital inside a sentence is not lowered"]:
        second = second.split()
        script = {"plans": ["SINGLE_S_COORD"], "operations": {5: LOWER}, "phrases": {5: ", but"}}
        (found,) = fuse(script=script, second=second)
        assert text(found) == f"The old man slept , but {written}", second


def test_the_plan_can_be_told():
    script = {"plans": ["SINGLE_S_COORD"], "operations": {5: LOWER}, "phrases": {5: ", but"}}
    (found,) = fuse(script=script, plan="PAIR_NONE")
    assert found.plan == "PAIR_NONE" and found.tokens == FIRST + SECOND
    with pytest.raises(LabelsError, match="does not support 'SINGLE_CATAPHORA', only PAIR_ANAPHORA"):
        fuse(script=script, plan="SINGLE_CATAPHORA")


def test_the_connective_can_be_told_without_its_commas():
    script = {"plans": ["PAIR_NONE", "SINGLE_S_COORD"], "operations": {5: LOWER}, "phrases": {5: [", and", ", but"]}}
    (found,) = fuse(script=script, connective="But")
    assert text(found) == "The old man slept , but the old man snored loudly ."
    (found,) = fuse(script=script, connective="however", plan="PAIR_CONN")
    assert found.plan == "PAIR_CONN" and "however" in text(found).lower()
    with pytest.raises(ConnectiveError, match="does not know the connective 'yet'") as caught:
        fuse(script=script, connective="yet")
    assert caught.value.words == {"and", "but", "however", "who"}


def test_the_sign_of_words_without_a_capital_is_not_part_of_a_connective():
    labels = Labels(PLANS, LABELS.operations, ("", "\\but"))
    script = {"plans": ["SINGLE_S_COORD"], "operations": {5: LOWER}, "phrases": {5: "\\but"}}
    (found,) = Decoder(Scripted(labels, **script)).fuse(STATES, FIRST, SECOND, FusionConstraints(connective="but"))
    assert text(found) == "The old man slept but the old man snored loudly ."


def test_the_likeliest_plan_is_chosen_and_caution_is_added_to_that_of_the_sentences_alone():
    class Leaning(Scripted):
        def plans(self, states, n):
            return np.log(np.array([0.3, 0.1, 0.4, 0.1, 0.05, 0.05], np.float32))

    decoder = Decoder(Leaning(LABELS, operations={5: [KEEP, "REPLACE:he"]}))
    for caution, plan in ((0.0, "PAIR_NONE"), (-0.28, "PAIR_NONE"), (-0.29, "PAIR_ANAPHORA"), (-1e9, "PAIR_ANAPHORA")):
        assert decoder.fuse(STATES, FIRST, SECOND, FusionConstraints(caution=caution))[0].plan == plan
    (told,) = decoder.fuse(STATES, FIRST, SECOND, FusionConstraints(plan="PAIR_NONE", caution=-3.0))
    assert told.tokens == FIRST + SECOND
    assert decoder.unchanged(STATES, len(FIRST)) == pytest.approx(0.4)
    for caution in (0.0, -3.0, 3.0):
        found = decoder.fuse(STATES, FIRST, SECOND, FusionConstraints(caution=caution, count=9))
        (alone,) = [fusion for fusion in found if fusion.plan == "PAIR_NONE"]
        assert alone.log_probability == pytest.approx(np.log(0.4))  # whatever the caution


def test_alternatives_differ_and_get_less_likely():
    script = {"plans": ["SINGLE_S_COORD", "PAIR_CONN"], "operations": {5: LOWER}, "phrases": {5: ", but"}}
    found = fuse(script={**script, "strength": 4.0}, count=5)
    assert len(found) == 5 and found[0].tokens == fuse(script={**script, "strength": 4.0})[0].tokens
    assert len({text(f) for f in found}) == 5
    scores = [f.log_probability for f in found[1:]]
    assert scores == sorted(scores, reverse=True)


WORDS = st.lists(st.sampled_from(["The", "man", "Anna", ".", ",", "slept", "I", "'s"]), min_size=1, max_size=8)


@given(WORDS, WORDS, st.integers(0, 2**32 - 1), st.sampled_from([None, *PLANS]), st.sampled_from([None, "but"]))
def test_any_states_give_fusions_of_edits_that_can_be_realised(first, second, seed, plan, connective):
    draw = np.random.default_rng(seed)
    heads = Heads(LABELS, {name: draw.normal(size=a.shape) for name, a in blank_heads(LABELS).items()})
    states = draw.normal(size=(len(first) + len(second) + 2, 8)).astype(np.float32)
    if connective and plan not in (None, *WITH_CONNECTIVE):
        with pytest.raises(LabelsError, match="has no connective"):
            Decoder(heads).fuse(states, first, second, FusionConstraints(plan=plan, connective=connective))
        return
    found = Decoder(heads).fuse(states, first, second, FusionConstraints(plan=plan, connective=connective, count=4))
    assert found
    for fusion in found:
        assert fusion.tokens == realise(first, second, fusion.edits)
        assert plan in (None, fusion.plan)
        assert connective is None or "but" in fusion.tokens or "But" in fusion.tokens
    assert len({tuple(f.tokens) for f in found}) == len(found) <= 4
    again = Decoder(heads).fuse(states, first, second, FusionConstraints(plan=plan, connective=connective, count=4))
    assert again == found


PAIR_PLANS = ("PAIR_CONN", "PAIR_NONE")


def test_the_prior_is_the_log_of_the_share_there_over_the_share_here():
    prior = fit_prior(PAIR_PLANS, ["PAIR_NONE"] * 79 + ["PAIR_CONN"] * 19, ["PAIR_NONE"] * 9 + ["PAIR_CONN"] * 29)
    assert prior == {"PAIR_CONN": round(math.log(0.75 / 0.2), 4), "PAIR_NONE": round(math.log(0.25 / 0.8), 4)}


def test_a_plan_that_never_occurs_stays_possible_and_one_that_is_not_known_does_not_count():
    prior = fit_prior(PAIR_PLANS, ["PAIR_NONE"], ["PAIR_CONN", "SINGLE_CATAPHORA"])
    assert prior == {"PAIR_CONN": round(math.log(2), 4), "PAIR_NONE": round(-math.log(2), 4)}
    assert prior_of(prior, PAIR_PLANS) == prior
    assert prior_of(None, PAIR_PLANS) == {"PAIR_CONN": 0.0, "PAIR_NONE": 0.0}


def test_what_is_not_a_number_for_each_plan_is_refused():
    for prior in CASES["what is not a number for each plan is refused"]:
        with pytest.raises(LabelsError, match="prior: expected"):
            prior_of(prior, PAIR_PLANS)


def test_the_heads_give_the_probabilities_of_a_corpus_with_these_shares():
    labels = Labels(PAIR_PLANS, (KEEP,), ("",))
    states = np.zeros((4, 8), np.float32)
    arrays = {**blank_heads(labels), "plan.score.bias": np.log([0.2, 0.8]).astype(np.float32)}
    here = np.exp(Heads(labels, arrays).plans(states, 1))
    there = np.exp(Heads(labels, arrays, {"PAIR_CONN": math.log(3), "PAIR_NONE": 0.0}).plans(states, 1))
    assert here == pytest.approx([0.2, 0.8], abs=1e-6)
    assert there == pytest.approx([0.6 / 1.4, 0.8 / 1.4], abs=1e-6)
