"""The fit against a computation by hand: rouge-score, numpy's percentiles, and loops."""

import itertools
import json
import math
import re

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer

from gistmill.rules.text.sentences import looks_tokenised, split_tokenised
from gistmill.rules.wikitransfer.example import FIELDS, Profile, fit, profile_of
from tests.cases import by_heading
from tests.samples import PAIR_FILES

CASES = by_heading(__file__)

SCORER = RougeScorer(["rouge1"])


def by_hand(texts, share):
    """M, document words, summary words and oracle range of pairs of tokenised texts."""
    pairs = [[re.sub(r"( [.?!])+( '')?( |$)", r"\g<0>\n", t + " ").split("\n")[:-1] for t in pair] for pair in texts]
    m = sorted(len(s) for _, s in pairs)[(len(pairs) - 1) // 2]
    found = []
    for document, summary in pairs:
        wanted = " ".join(summary)
        scores = [SCORER.score(wanted, s)["rouge1"].fmeasure for s in document]
        chosen = max(
            itertools.combinations(sorted(range(len(scores)), key=lambda i: (-scores[i], i))[: m + 2], m),
            key=lambda c: sum(scores[i] for i in c),
        )
        found.append(100 * SCORER.score(wanted, " ".join(document[i] for i in chosen))["rouge1"].fmeasure)
    ends = (50 - 50 * share, 50 + 50 * share)
    ranges = [
        np.percentile(v, ends) for v in ([len(d.split()) for d, _ in texts], [len(s.split()) for _, s in texts], found)
    ]
    return m, *[(math.floor(low + 1e-9), math.ceil(high - 1e-9)) for low, high in ranges], found


@pytest.mark.parametrize("file", PAIR_FILES)
@pytest.mark.parametrize("share", [0.8, 0.5, 1.0])
def test_pairs_in_the_form_of_cnn_and_dailymail(share, file):
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    texts = [(r["document"], r["summary"]) for r in rows]
    assert looks_tokenised(t for pair in texts for t in pair)
    m, documents, summaries, oracles, found = by_hand(texts, share)
    fitted = fit([tuple(map(split_tokenised, pair)) for pair in texts], name="cnndm", share=share)
    profile = fitted.profile
    assert profile.sentences == m == 4
    assert (profile.min_document_words, profile.max_document_words) == documents
    assert (profile.min_summary_words, profile.max_summary_words) == summaries
    assert (profile.min_oracle, profile.max_oracle) == oracles
    assert fitted.oracle == pytest.approx(sum(found) / len(texts))
    assert (fitted.pairs, fitted.too_short, fitted.bin) == (len(texts), 0, "extremely extractive")
    assert profile.oracle_first and not profile.remove_until_in_range


def test_an_abstractive_sample():
    pairs = [
        (["other words", "more", "even more", f"w{i} x{i} y{i} z{i} common"], [f"common a{i} b{i} c{i} d{i}"])
        for i in range(5)
    ]
    fitted = fit([*pairs, (["other", "words", "and", "x common y z b"], ["common a b c", "x y"])], name="p", share=0.6)
    profile = fitted.profile
    assert (profile.sentences, profile.min_oracle, profile.max_oracle) == (1, 20, 20)
    assert profile.remove_until_in_range and not profile.oracle_first and fitted.bin == "more abstractive"


def test_documents_that_are_too_short_are_counted():
    fitted = fit([(["a b"], ["a", "b"]), (["a b", "c d"], ["a b", "d c"])], name="p")
    assert (fitted.too_short, fitted.profile.sentences, fitted.oracle) == (1, 2, 100)
    assert (
        fit([(["a", "b"], ["a"]), (["a", "b", "c"], ["a", "b", "c"])], name="p").profile.sentences == 1
    )  # lower median
    with pytest.raises(ValueError, match="median summary .2."):
        fit([(["a b"], ["a", "b"])], name="p")


def test_empty_samples():
    for pairs in [[], [([], ["a"])], [(["a"], [])]]:
        with pytest.raises(ValueError, match="empty"):
            fit(pairs, name="p")


# Profiles: what they refuse.


GOOD = {"name": "mine", "sentences": 2, "min_oracle": 10, "max_oracle": 30.5}


def test_values_and_back():
    profile = profile_of({**GOOD, "stemmer": True})
    assert tuple(profile.to_values()) == FIELDS
    assert profile_of(profile.to_values()) == profile == Profile(**GOOD, stemmer=True)


def test_what_is_wrong_is_named():
    for change, said in CASES["what is wrong is named"]:
        with pytest.raises(ValueError, match="(?s)" + said.replace("(", r"\(")):
            profile_of({**GOOD, **change})
    for key in GOOD:
        with pytest.raises(ValueError, match=f"{key} is missing"):
            profile_of({k: v for k, v in GOOD.items() if k != key})
