"""The recipe: what becomes of a document, profile by profile."""

import dataclasses
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from gistmill.rules.documents import DocumentReason
from gistmill.rules.extractive import Extractiveness
from gistmill.rules.rouge.scoring import tokenise
from gistmill.rules.wikitransfer.example import COLUMNS, Profile, WikiTransferReason
from gistmill.rules.wikitransfer.recipe import WikiTransfer, WikiTransferConfig
from tests.testing import segmented

TEXTS = (
    "Otters are mammals of the river.",
    "They eat fish.",
    "Nobody knows why.",
    "Fish are caught by otters at night in the river.",
    "It rained.",
    "Otters are mammals that eat fish.",
    "Its fur is thick.",
    "Rivers flow to the sea.",
)
SCORER = RougeScorer(["rouge1"])


def document(texts=TEXTS, *, id="news-1", per_paragraph=3):
    return segmented(texts, id=id, per_paragraph=per_paragraph)


def profile(**values):
    return Profile(**{"name": "p", "sentences": 2, "min_oracle": 0, "max_oracle": 100, **values})


def process(*profiles, texts=TEXTS, **more):
    return WikiTransfer(WikiTransferConfig(profile=profiles)).process(document(texts, **more))


def row(texts=TEXTS, **values):
    outcome = process(profile(**values), texts=texts)
    assert outcome.refused is None and outcome.rejects == ()
    (made,) = outcome.rows
    return made.values


def reason(texts=TEXTS, **values):
    outcome = process(profile(**values), texts=texts)
    assert outcome.rows == ()
    return outcome.refused.reason


def f1(targets, prediction):
    # the fraction that the score was before it was rounded
    return float(100 * Fraction(SCORER.score(targets, prediction)["rouge1"].fmeasure).limit_denominator(10_000))


def test_the_first_sentences_are_the_summary():
    values = row()
    assert values["targets"] == "Otters are mammals of the river. They eat fish."
    assert values["inputs"] == f"{TEXTS[2]}\n{' '.join(TEXTS[3:6])}\n{TEXTS[6]} {TEXTS[7]}"
    assert (values["summary_indices"], values["oracle_indices"], values["removed_indices"]) == ([0, 1], [3, 5], [])
    assert values["oracle_summary"] == f"{TEXTS[3]}\n{TEXTS[5]}"
    assert values["oracle_rouge"] == f1(values["targets"], values["oracle_summary"])
    assert (values["sentences"], values["cut_at"]) == (2, 8)
    assert (values["summary_words"], values["document_words"]) == (9, 30)
    assert values["compression"] == 30 / 9
    shared = Extractiveness(*(tokenise(values[k]).words for k in ("inputs", "targets"))).fragments()
    assert (values["coverage"], values["density"]) == shared
    assert (values["url"], values["published"], values["file"], values["offset"]) == (
        "https://example.org/a",
        "2020-01-02",
        "a.warc",
        7,
    )
    assert [*values] == [c.name for c in COLUMNS]


def test_the_oracle_goes_first():
    values = row(oracle_first=True)
    assert values["inputs"] == f"{TEXTS[3]} {TEXTS[5]}\n{TEXTS[2]}\n{TEXTS[4]}\n{TEXTS[6]} {TEXTS[7]}"
    plain = row()
    same = ("targets", "oracle_rouge", "oracle_indices", "document_words", "summary_words")
    assert [values[k] for k in same] == [plain[k] for k in same]
    shared = Extractiveness(*(tokenise(values[k]).words for k in ("inputs", "targets"))).fragments()
    assert (values["coverage"], values["density"]) == shared


def test_sentences_are_removed():
    best = row()["oracle_rouge"]
    limit = best - 1
    assert reason(max_oracle=limit) is WikiTransferReason.ORACLE_TOO_HIGH
    values = row(max_oracle=limit, remove_until_in_range=True)
    assert values["removed_indices"] in ([3], [5])
    (gone,) = values["removed_indices"]
    assert TEXTS[gone] not in values["inputs"] and values["oracle_rouge"] <= limit
    assert values["document_words"] == 30 - len(TEXTS[gone].split())
    assert reason(max_oracle=limit, min_oracle=limit, remove_until_in_range=True) is WikiTransferReason.ORACLE_TOO_LOW
    assert (
        reason(max_oracle=limit, remove_until_in_range=True, min_document_words=30)
        is WikiTransferReason.DOCUMENT_TOO_SHORT
    )
    assert row(remove_until_in_range=True) == row()  # it is in the range
    texts = ["a b c.", *["a b c d."] * 4]  # no removal helps
    assert reason(texts, sentences=1, max_oracle=20, remove_until_in_range=True) is WikiTransferReason.ORACLE_TOO_HIGH


def test_oracles_are_counted_as_they_were_found_and_as_they_are_kept():
    best = row()["oracle_rouge"]
    counts = process(profile(max_oracle=best - 1, remove_until_in_range=True)).counts
    kept = row(max_oracle=best - 1, remove_until_in_range=True)["oracle_rouge"]
    assert int(kept / 2) < int(best / 2)
    assert {k: n for k, n in counts.items() if k.startswith("oracle/")} == {
        f"oracle/p/all/{int(best / 2)}": 1,
        f"oracle/p/kept/{int(kept / 2)}": 1,
    }


def test_the_range_is_inclusive():
    best = row()["oracle_rouge"]
    assert best == 56  # rouge-score says 56.00000000000001
    assert row(min_oracle=best, max_oracle=best)["oracle_rouge"] == best
    assert reason(min_oracle=best + 1e-9) is WikiTransferReason.ORACLE_TOO_LOW
    assert reason(max_oracle=best - 1e-9) is WikiTransferReason.ORACLE_TOO_HIGH


def test_one_step_beyond_a_bound():
    for bounds, expected in [
        ({"min_document_words": 30, "max_document_words": 30, "cut": False}, None),
        ({"min_document_words": 31}, WikiTransferReason.DOCUMENT_TOO_SHORT),
        ({"max_document_words": 29, "cut": False}, WikiTransferReason.DOCUMENT_TOO_LONG),
        ({"min_summary_words": 9, "max_summary_words": 9}, None),
        ({"min_summary_words": 10}, WikiTransferReason.SUMMARY_TOO_SHORT),
        ({"max_summary_words": 8}, WikiTransferReason.SUMMARY_TOO_LONG),
        ({"sentences": 4}, None),
        ({"sentences": 5}, DocumentReason.TOO_FEW_SENTENCES),
    ]:
        outcome = process(profile(**bounds))
        assert (outcome.refused and outcome.refused.reason) is expected, bounds


def test_a_long_document_is_cut():
    values = row(max_document_words=29)  # of 30
    assert values["inputs"].endswith(TEXTS[6]) and values["cut_at"] == 7
    assert values["document_words"] == 30 - len(TEXTS[7].split())
    assert row(max_document_words=30) == row()
    assert row(max_document_words=25)["document_words"] == 25  # the bound is the end of a sentence
    assert row(max_document_words=24)["document_words"] == 21
    assert reason(max_document_words=3) is DocumentReason.TOO_FEW_SENTENCES


def test_ind_orig_takes_the_principal_sentences():
    values = row(selection="ind-orig")
    scores = [SCORER.score(" ".join(TEXTS[:i] + TEXTS[i + 1 :]), t)["rouge1"] for i, t in enumerate(TEXTS)]
    for measure, selection in (("fmeasure", "ind-orig"), ("precision", "ind-orig-p")):
        chosen = sorted(sorted(range(8), key=lambda i: -getattr(scores[i], measure))[:2])
        values = row(selection=selection)
        assert values["summary_indices"] == chosen
        assert values["targets"] == " ".join(TEXTS[i] for i in chosen)
        assert sorted(values["inputs"].replace("\n", " ")) == sorted(
            " ".join(t for t in TEXTS if t not in values["targets"])
        )
    # it is chosen among the sentences that fit into the bound, which is counted from the first one
    assert max(row(selection="ind-orig", max_document_words=24)["summary_indices"]) < 4


def test_profiles_are_independent():
    profiles = [
        profile(name="a"),
        profile(name="b", min_oracle=99),
        profile(name="c", sentences=1, selection="ind-orig"),
        profile(name="d", stemmer=True),
        profile(name="e", max_document_words=20),
    ]
    together = process(*profiles)
    rows, rejects, counts = [], [], {}
    for one in profiles:
        alone = process(one)
        rows += alone.rows
        rejects += [alone.refused] if alone.refused else []
        counts |= alone.counts
    assert list(together.rows) == rows
    assert together.counts == counts and together.refused is None
    (reject,) = together.rejects
    assert (
        (reject.unit, reject.reason) == ("profile", rejects[0].reason) == ("profile", WikiTransferReason.ORACLE_TOO_LOW)
    )
    assert reject.detail == rejects[0].detail and reject.detail.startswith("b: ")
    assert counts["profiles/b/rejected/ORACLE_TOO_LOW"] == counts["profiles/b/read"] == 1


def test_profiles_travel_to_workers_and_have_names_of_their_own():
    recipe = pickle.loads(pickle.dumps(WikiTransfer(WikiTransferConfig(profile=[profile()]))))
    assert recipe.process(document()) == process(profile())
    with pytest.raises(ValueError, match="are named .p."):
        WikiTransferConfig(profile=[profile(), profile()])
    with pytest.raises(ValueError, match="at least one profile"):
        WikiTransferConfig(profile=[])


def test_a_document_that_no_profile_can_use():
    same = process(profile(name="a", min_oracle=98), profile(name="b", min_oracle=99))
    assert same.refused.reason is WikiTransferReason.ORACLE_TOO_LOW and same.rejects == ()
    mixed = process(profile(name="a", min_oracle=98), profile(name="b", sentences=9))
    assert mixed.refused.reason is WikiTransferReason.NO_PROFILE
    assert (
        mixed.refused.detail.startswith("a: ORACLE_TOO_LOW, ")
        and "b: TOO_FEW_SENTENCES, 8 sentences" in mixed.refused.detail
    )
    assert mixed.refused.unit == "document"
    for texts in [(), ("",), ("One.",), ("?", "!", "...", "。"), ("日本。",) * 6]:
        removing = profile(name="b", sentences=1, selection="ind-orig", remove_until_in_range=True)
        outcome = process(profile(), removing, texts=texts)
        assert (outcome.refused is None) == bool(outcome.rows), texts


WORDS = st.lists(st.sampled_from("a b c d e fish the".split()), min_size=1, max_size=8).map(" ".join)


@given(
    st.lists(WORDS, max_size=14),
    st.fixed_dictionaries(
        {
            "sentences": st.integers(1, 3),
            "selection": st.sampled_from(["lead", "ind-orig", "ind-orig-p"]),
            "remove_until_in_range": st.booleans(),
            "oracle_first": st.booleans(),
            "max_document_words": st.integers(0, 40),
            "cut": st.booleans(),
        }
    ),
)
def test_laws(texts, options):
    wanted = profile(min_oracle=20, max_oracle=60, **options)
    outcome = process(wanted, texts=texts)
    counts = outcome.counts
    assert (
        counts["profiles/p/read"]
        == 1
        == counts.get("profiles/p/used", 0) + sum(n for k, n in counts.items() if k.startswith("profiles/p/rejected/"))
    )
    assert counts.get("profiles/p/used", 0) == len(outcome.rows) == (outcome.refused is None)
    for made in outcome.rows:
        values = made.values
        chosen, oracle, removed = (values[f"{k}_indices"] for k in ("summary", "oracle", "removed"))
        assert 20 <= values["oracle_rouge"] == f1(values["targets"], values["oracle_summary"]) <= 60
        assert (len(chosen) == len(oracle) == wanted.sentences and not removed) or wanted.remove_until_in_range
        assert not {*chosen} & {*oracle, *removed} and not {*oracle} & {*removed}
        assert values["oracle_summary"].split("\n") == [texts[i] for i in oracle]
        assert values["cut_at"] > max(*chosen, *oracle, *removed)
        rest = [i for i in range(values["cut_at"]) if i not in chosen and i not in removed]
        order = [*oracle, *(i for i in rest if i not in oracle)] if wanted.oracle_first else rest
        assert values["inputs"].split() == " ".join(texts[i] for i in order).split()
        most = wanted.max_document_words
        assert not most or len(values["inputs"].split()) <= most
        assert values["document_words"] == len(values["inputs"].split())


def test_lines_are_paragraphs_even_across_sections():
    parts = tuple(dataclasses.replace(s, section=i // 4) for i, s in enumerate(document().sentences))
    recipe = WikiTransfer(WikiTransferConfig(profile=[profile()]))
    (made,) = recipe.process(dataclasses.replace(document(), sentences=parts)).rows
    assert made.values["inputs"].split("\n")[1:3] == [TEXTS[3], f"{TEXTS[4]} {TEXTS[5]}"]
