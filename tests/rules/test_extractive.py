"""Extractive fragments against the procedure of the paper, word for word, and novel n-grams against sets."""

from hypothesis import example, given
from hypothesis import strategies as st

from gistmill.rules.extractive import Copied, Extractiveness, copied

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
    assert [run.length for run in measured.shared()] == found
    size = len(summary) or 1
    assert measured.fragments() == (sum(found) / size, sum(n * n for n in found) / size)


@given(st.tuples(WORDS, WORDS), st.integers(1, 5))
def test_novel_ngrams(texts, n):
    article, summary = map(tuple, texts)
    there = {article[i : i + n] for i in range(len(article) - n + 1)}
    wanted = [summary[i : i + n] for i in range(len(summary) - n + 1)]
    assert Extractiveness(article, summary).ngrams(n) == (len(wanted), sum(g not in there for g in wanted))


@given(WORDS, WORDS)
@example("a b a b c".split(), "c a b c".split())
def test_shared_runs_are_the_same_words_in_both_and_cover_every_known_word_once(article, summary):
    runs = [*Extractiveness(article, summary).shared()]
    for place, start, length in runs:
        assert length > 0 and article[place : place + length] == summary[start : start + length]
    covered = [i for _, start, length in runs for i in range(start, start + length)]
    assert covered == [i for i, word in enumerate(summary) if word in article]


def test_what_is_copied_is_found_in_the_texts_without_regard_to_case_and_marks():
    article = "Otters live here. The river \u2013 in Spring \u2013 floods: \u00c9mile\u2019s otters swim."
    summary = "the river, in spring! \u00e9mile"
    found, measured = copied(article, summary)
    assert [article[c.document_start : c.document_end] for c in found] == ["The river \u2013 in Spring", "\u00c9mile"]
    assert [summary[c.summary_start : c.summary_end] for c in found] == ["the river, in spring", "\u00e9mile"]
    assert [c.words for c in found] == [4, 1] and measured == (1.0, 17 / 5)
    assert copied("", "a b") == copied("... \u2013", "a b") == copied("a b", "?!") == ([], (0.0, 0.0))
    assert copied("a_b", "b a")[0] == [Copied(1, 2, 3, 0, 1), Copied(1, 0, 1, 2, 3)]
    found, _ = copied("\u0130zmir is a city", "a city of \u0130zmir")  # a character that grows in lower case
    assert [(c.document_start, c.document_end) for c in found] == [(9, 15), (0, 5)]


def test_what_is_copied_in_another_language_goes_by_its_words():
    article, summary = "猫は庭で眠る。😀犬は東京に住んでいます。", "犬は東京に行く。"
    found, measured = copied(article, summary, language="ja")
    assert [article[c.document_start : c.document_end] for c in found] == ["犬は東京に"]
    assert [summary[c.summary_start : c.summary_end] for c in found] == ["犬は東京に"]
    assert (found[0].words, measured.coverage) == (4, 4 / 5)
    assert copied(article, summary) == ([], (0.0, 0.0))  # as English, a sentence is one word

    found, _ = copied("Sie ging durch die STRASSE.", "durch die Straße", language="de")
    assert [c.words for c in found] == [3]
    found, _ = copied("عام ١٩٤٥ في القاهرة", "1945 في", language="ar")
    assert [c.words for c in found] == [2]
