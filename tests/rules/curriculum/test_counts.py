"""Counts by both readings: cases by hand, and the same as lists counted one by one."""

import statistics

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.curriculum.scores import (
    Cleaner,
    Counts,
    default_stop_words,
    lemma_of,
    multiset_counts,
    printed_counts,
    table_lemma,
)
from tests.cases import by_heading
from tests.rules.curriculum import brute_force
from tests.rules.curriculum.pairs import WORDS, pairs_of
from tests.samples import REAL_DATA, needs_real

CASES = by_heading(__file__)

OPERATIONS = ("deletions", "reorderings", "substitutions", "additions")
TABLE_5 = {
    "deletions": (287.2, 156.54),
    "reorderings": (18.31, 5.82),
    "substitutions": (0.4, 0.62),
    "additions": (4.4, 2.99),
}
_words = st.lists(st.sampled_from(brute_force.cleaned(" ".join(WORDS), ())), max_size=30)


def counts(deletions, additions, reorderings, substitutions):
    return Counts(deletions=deletions, additions=additions, reorderings=reorderings, substitutions=substitutions)


def test_multisets():
    for text, summary, expected in CASES["multisets"]:
        assert multiset_counts(text.split(), summary.split()) == counts(*expected), text


def test_as_printed():
    for text, summary, expected in CASES["as printed"]:
        assert printed_counts(text.split(), summary.split()) == counts(*expected), text
    # last occurrences are removed before trigrams
    assert printed_counts("a b c a".split(), "a b c".split()).reorderings == 0
    assert printed_counts("a x b c a".split(), "b c a".split()).reorderings == 1


def test_lemmas():
    words, lemmas = "risen women left koirala 42 éclairs", "rise woman leave koirala 42 éclairs"
    assert [lemma_of(word) for word in words.split()] == lemmas.split() and lemma_of("") == ""
    before = table_lemma.cache_info().currsize  # what is too long for a word is its own lemma, and not remembered
    assert lemma_of("goals" * 1000) == "goals" * 1000
    assert multiset_counts(["x" * 99], ["y" * 99]) == counts(1, 1, 0, 0)
    assert table_lemma.cache_info().currsize == before


@given(_words, _words)
def test_both_readings_are_those_of_lists(text, summary):
    assert multiset_counts(text, summary) == brute_force.multiset(text, summary)
    assert printed_counts(text, summary) == brute_force.printed(text, summary)


@given(_words, _words)
def test_the_counts_of_any_texts_follow_the_laws(text, summary):
    found = multiset_counts(text, summary)
    assert min(found.deletions, found.additions, found.reorderings, found.substitutions) >= 0
    assert len(text) - found.deletions == len(summary) - found.additions
    assert found.reorderings <= max(0, len(summary) - 2)
    turned = multiset_counts(summary, text)
    assert (turned.deletions, turned.additions, turned.substitutions) == (
        found.additions,
        found.deletions,
        found.substitutions,
    )


def means(count):
    """Mean and standard deviation of each operation on the real pairs."""
    clean = Cleaner(default_stop_words())
    found = [count(clean(text), clean(summary)) for text, summary in pairs_of(REAL_DATA / "cnndm-dev.jsonl")]
    values = {name: [getattr(counts, name) for counts in found] for name in OPERATIONS}
    return {name: (statistics.mean(v), statistics.stdev(v)) for name, v in values.items()}


@needs_real
def test_multisets_give_the_means_of_the_paper_and_the_algorithms_as_printed_do_not():
    found, printed = means(multiset_counts), means(printed_counts)
    for name, (paper, deviation) in TABLE_5.items():
        assert abs(found[name][0] - paper) < deviation, name
    for name in ("deletions", "additions"):
        paper, deviation = TABLE_5[name]
        assert abs(printed[name][0] - paper) > deviation, name
