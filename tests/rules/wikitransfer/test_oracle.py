"""The oracle against brute force with rouge-score itself."""

import itertools
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from gistmill.rules.rouge.scoring import join, tokenise_all
from gistmill.rules.wikitransfer.example import MEASURES, ROUGES, Profile, into_range, oracles

SCORERS = {stemmer: RougeScorer(ROUGES, use_stemmer=stemmer) for stemmer in (False, True)}
SENTENCES = st.lists(st.lists(st.sampled_from("a b c d e f".split()), max_size=6).map(" ".join), min_size=1, max_size=7)


def profile(**values):
    return Profile(**{"name": "p", "sentences": 2, "min_oracle": 0, "max_oracle": 100, **values})


def reference(summary, prediction, wanted):
    scores = SCORERS[wanted.stemmer].score("\n".join(summary), "\n".join(prediction))
    # the fraction that the score was before it was rounded: texts here have few words
    return float(100 * Fraction(getattr(scores[wanted.rouge], wanted.measure)).limit_denominator(10_000))


def oracles_of(document, summary, wanted):
    tokens, target = (tokenise_all(t, stemmer=wanted.stemmer) for t in (document, summary))
    return list(oracles(tokens, join(target), wanted))


def best_subset(scores, count):
    """Of all subsets the one whose individual scores are the highest, one by one from the best down; of equals the earlier
    sentences."""
    return max(
        itertools.combinations(range(len(scores)), count),
        key=lambda chosen: (sorted((scores[i] for i in chosen), reverse=True), [-i for i in chosen]),
    )


@given(SENTENCES, SENTENCES, st.integers(1, 3), st.sampled_from(ROUGES), st.sampled_from(MEASURES), st.booleans())
def test_every_rouge_is_that_of_rouge_score(document, summary, count, rouge, measure, stemmer):
    wanted = profile(sentences=count, rouge=rouge, measure=measure, stemmer=stemmer)
    found = oracles_of(document, summary, wanted)
    assert len(found) == max(0, len(document) - count + 1)
    removed = []
    for number, oracle in enumerate(found):  # each time the best of those that are left is gone
        left = [i for i in range(len(document)) if i not in removed]
        scores = [reference(summary, [document[i]], wanted) for i in left]
        assert oracle.removed == tuple(sorted(removed)) and len(removed) == number
        assert oracle.indices == tuple(left[i] for i in best_subset(scores, count))
        assert oracle.rouge == reference(summary, [document[i] for i in oracle.indices], wanted)
        removed.append(left[best_subset(scores, 1)[0]])


def into(found, **values):
    return into_range(iter(found), profile(**values))


def test_sentences_are_removed_until_it_is_no_longer_above_the_range():
    found = oracles_of(["a b c", "a b x", "a y z", "u v w", "q r s"], ["a b c d"], profile(sentences=1))
    scores = [o.rouge for o in found]
    assert scores == sorted(scores, reverse=True) and scores[0] > 80 > scores[1] > 50 > scores[2] > 20 > scores[3] == 0
    assert into(found, max_oracle=50) == (found[0], found[0])
    assert into(found, max_oracle=50, remove_until_in_range=True) == (found[0], found[2])
    assert into(found, max_oracle=90, remove_until_in_range=True) == (found[0], found[0])
    assert into(found[:2], max_oracle=50, remove_until_in_range=True) == (found[0], found[1])  # all are too high
    assert into(found, max_oracle=scores[1], remove_until_in_range=True)[1] == found[1]  # the bound is in the range
