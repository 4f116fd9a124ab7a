"""Scores of fusions: exact matches, connectives and pronouns in their places; the baselines."""

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.edits import realise
from gistmill.rules.metrics.scores import (
    OTHER,
    confusion,
    connective_at,
    connective_words,
    copied,
    greedy_oracle,
    is_exact,
    joined_by_but,
    joined_by_subject,
    lead,
    pronouns_at,
    tokens_of,
)
from gistmill.rules.rouge.scoring import tokenise
from tests.cases import by_heading

CASES = by_heading(__file__)

SOURCE = "The bridge is old. It is safe, and people use it."
TARGET = "The bridge is old, but it is safe, and people use it."


def test_exact_is_about_words_and_perhaps_case():
    assert is_exact("It  rained .", "It rained .") and not is_exact("it rained .", "It rained .")
    assert is_exact("it rained .", "It rained .", cased=False)
    assert not is_exact("It rained", "It rained .", cased=False)
    assert is_exact("", " ")


def test_tokens_of_natural_text():
    assert tokens_of("Ann's well-known plan (1999), didn't fail.") == (
        ["Ann", "'s", "well", "-", "known", "plan", "(", "1999", ")", ",", "didn", "'", "t", "fail", "."]
    )


def test_the_connective_in_the_place_of_the_references():
    for prediction, found in CASES["the connective in the place of the references"]:
        assert connective_at(SOURCE, TARGET, prediction, ", but") == found, prediction
    assert connective_at(SOURCE, TARGET, TARGET, "") is None and connective_words("") == ()
    assert connective_at(SOURCE, TARGET, TARGET, "unless") is None
    source, target = "It rained. We left.", "It rained, wherefore we left."  # which nobody knows
    assert connective_at(source, target, target, ", wherefore") == "wherefore"
    assert connective_at(source, target, "It rained, so we left.", ", wherefore") == "so"


def test_of_several_places_that_of_the_new_words_counts():
    source, target = "Ann and Bob sing. Eve and Tom dance.", "Ann and Bob sing, and Eve and Tom dance."
    assert connective_at(source, target, "Ann and Bob sing, but Eve and Tom dance.", ", and") == "but"
    assert connective_at(source, target, source, ", and") == OTHER


def test_an_output_without_end_is_compared_all_the_same():
    endless = TARGET + " and so on" * 100_000
    assert connective_at(SOURCE, TARGET, endless, ", but") == "but"
    assert pronouns_at("Ann sings. Ann left.", "Ann sings. She left.", "word " * 100_000) == [("she", OTHER)]


def test_pronouns_that_the_reference_adds():
    source, target = "Ann sings. Ann loves her dog.", "Ann sings. She loves her dog."
    assert pronouns_at(source, target, target) == [("she", "she")]
    assert pronouns_at(source, target, "Ann sings. He loves her dog.") == [("she", "he")]
    assert pronouns_at(source, target, source) == [("she", OTHER)]
    assert pronouns_at(source, target, "") == [("she", OTHER)]
    assert pronouns_at(source, source, target) == []


def test_the_confusion_is_counted_and_ordered():
    found = confusion([("and", "but"), ("and", "and"), ("but", "but"), ("and", "and"), ("or", "but")])
    assert found == {"and": {"and": 2, "but": 1}, "but": {"but": 1}, "or": {"but": 1}}
    assert [*found] == ["and", "but", "or"] and [*found["and"]] == ["and", "but"]


def test_baselines_of_fusions():
    first, second = "Ann sings well .".split(), "Ann sings loudly too .".split()
    assert realise(first, second, copied(first, second)) == first + second
    assert realise(first, second, joined_by_but(first, second)) == "Ann sings well , but ann sings loudly too .".split()
    assert realise(first, second, joined_by_subject(first, second)) == "Ann sings well and loudly too .".split()
    other = "It rains .".split()
    assert joined_by_subject(first, other) == joined_by_but(first, other)


@given(*[st.lists(st.sampled_from("A b c , . !".split()), max_size=6)] * 2)
def test_baselines_fit_any_two_sentences(first, second):
    for edits_of in (copied, joined_by_but, joined_by_subject):
        assert realise(first, second, edits_of(first, second)) is not None


def test_baselines_of_summaries():
    sentences = ["Dogs bark at night.", "The mayor resigned today.", "Rain fell.", "The mayor cited his health."]
    summary = tokenise("The mayor resigned today and cited his health.")
    assert lead(sentences, 2) == sentences[:2] and lead([], 3) == []
    assert greedy_oracle(sentences, summary, most=1) == [sentences[3]]
    assert greedy_oracle(sentences, summary, most=3) == [sentences[1], sentences[3]]  # a third would lower the score
    assert greedy_oracle(sentences, tokenise("nothing alike"), most=2) == [] == greedy_oracle([], summary, most=2)
    # of equals the earlier: ROUGE-1 F1 6/15 and 4/10, of which rouge-score has 0.39999999999999997 and 0.4
    equals = ["y y b e z z c x", "e y c"]
    assert greedy_oracle(equals, tokenise("a b c d e f g"), most=1) == equals[:1]
