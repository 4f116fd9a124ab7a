"""Extractive fragments against the procedure of the paper, word for word, and novel n-grams against sets."""

from hypothesis import example, given
from hypothesis import strategies as st

from rules.extractive import Extractiveness

WORDS = st.lists(st.sampled_from("a b c d".split()), max_size=30)


def fragments_of_the_paper(article, summary):
    """Grusky et al. (2018), Figure 3, literally."""
    found, i, j = [], 0, 0
    while i < len(summary):
        f = []
        while j < len(article):
            if summary[i] == article[j]:
                k, m = i, j
                while k < len(summary) and m < len(article) and summary[k] == article[m]:
                    k, m = k + 1, m + 1
                if len(f) < k - i:
                    f = summary[i:k]
                j = m
            else:
                j += 1
        i, j = i + max(len(f), 1), 0
        if f:
            found.append(f)
    return found


@given(WORDS, WORDS)
@example("a a a b".split(), "a a b".split())  # the second "a" of the article begins no fragment
def test_fragments_are_those_of_the_paper(article, summary):
    found = [len(f) for f in fragments_of_the_paper(article, summary)]
    measured = Extractiveness(article, summary)
    assert measured.fragment_lengths() == found
    size = len(summary) or 1
    assert measured.fragments() == (sum(found) / size, sum(n * n for n in found) / size)


@given(st.tuples(WORDS, WORDS), st.integers(1, 5))
def test_novel_ngrams(texts, n):
    article, summary = map(tuple, texts)
    there = {article[i : i + n] for i in range(len(article) - n + 1)}
    wanted = [summary[i : i + n] for i in range(len(summary) - n + 1)]
    assert Extractiveness(article, summary).ngrams(n) == (len(wanted), sum(g not in there for g in wanted))


def test_an_example_by_hand():
    article = "the otter eats fish in the cold river at night".split()
    summary = "otters say the otter eats crabs in the river".split()
    measured = Extractiveness(article, summary)
    assert measured.fragment_lengths() == [3, 2, 1]  # the otter eats | in the | river
    assert measured.fragments() == (6 / 9, (9 + 4 + 1) / 9)
    assert [measured.ngrams(n) for n in (1, 2, 3)] == [(9, 3), (8, 5), (7, 6)]
