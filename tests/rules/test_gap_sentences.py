"""Gap sentences: which are selected, and what becomes of them."""

import dataclasses

import yaml
from hypothesis import given
from hypothesis import strategies as st

from gistmill import corpora
from gistmill.rules.documents import DocumentReason, TextSentence
from gistmill.rules.gap_sentences import (
    COLUMNS,
    COUNTINGS,
    SCORINGS,
    SELECTIONS,
    GapSentences,
    GapSentencesConfig,
    GapSentencesReason,
)
from gistmill.rules.recipe import SALT
from gistmill.rules.rouge.selection import ScoredDocument
from tests.cases import by_heading
from tests.testing import segmented

CASES = by_heading(__file__)

TEXTS = CASES["texts"]


def document(texts=TEXTS, *, id="news-1", per_paragraph=4):
    return segmented(texts, id=id, per_paragraph=per_paragraph)


def row(doc=None, salt=SALT, **options):
    (made,) = GapSentences(GapSentencesConfig(**options), salt=salt).process(doc or document()).rows
    return made.values


def test_inputs_have_mask_tokens_and_targets_the_sentences():
    values = row(selection="lead", gap_ratio=0.2, left_ratio=0)
    assert values["inputs"] == "\n".join(
        (f"[MASK1] [MASK1] {TEXTS[2]} {TEXTS[3]}", " ".join(TEXTS[4:8]), " ".join(TEXTS[8:]))
    )
    assert values["targets"] == f"{TEXTS[0]} {TEXTS[1]}"
    assert (values["selected"], values["masked"], values["sentences"]) == ([0, 1], [0, 1], 10)
    assert values["input_words"] == len(values["inputs"].split()) and list(values) == [c.name for c in COLUMNS]
    assert (values["url"], values["published"], values["file"], values["offset"]) == (
        "https://example.org/a",
        "2020-01-02",
        "a.warc",
        7,
    )


def test_defaults_are_those_of_pegasus():
    config = GapSentencesConfig()
    assert (config.selection, config.scoring, config.ngrams) == ("principal", "ind", "orig")
    assert (config.gap_ratio, config.left_ratio, config.mask_token) == (0.45, 0.2, "[MASK1]")


def test_principal_sentences_stand_in_the_documents_order():
    for scoring in SCORINGS:
        for ngrams in COUNTINGS:
            values = row(scoring=scoring, ngrams=ngrams)
            wanted = ScoredDocument(TEXTS).principal(4, unique=ngrams == "uniq", sequential=scoring == "seq")
            assert values["selected"] == sorted(wanted), (scoring, ngrams)
            assert values["targets"] == " ".join(TEXTS[i] for i in sorted(wanted)), (scoring, ngrams)


def test_the_ways_to_choose_differ():
    # alone, the two alike are best; together they add nothing to each other
    texts = ("a b c d", "a b c d", "e f g", "a b e f", "x", "e g h")
    chosen = {(s, n): tuple(row(document(texts), scoring=s, ngrams=n)["selected"]) for s in SCORINGS for n in COUNTINGS}
    assert len(set(chosen.values())) > 1
    assert row(document(texts))["selected"] == [0, 1]


def test_of_equal_sentences_the_earlier_is_selected_or_the_later():
    for scoring in SCORINGS:
        # each shares two words with the rest, so that its F1 is 4 of all words, whatever else it says
        texts = tuple(f"x y {filler}" for filler in ("", "a", "b c", "d e f", "g h i j", "k l m n o"))
        options = {"scoring": scoring, "gap_ratio": 0.5}
        assert row(document(texts), **options)["selected"] == [0, 1, 2], scoring
        assert row(document(texts), ties="later", **options)["selected"] == [3, 4, 5], scoring


def test_equal_sentences_are_told_apart_by_noise():
    texts = tuple(f"x y {filler}" for filler in "abcdef")
    found = {tuple(row(document(texts, id=f"d{n}"), score_noise=0.2)["selected"]) for n in range(50)}
    assert len(found) > 5
    apart = ("a", "b", "c", "d")  # noise does not change a score of 0
    assert row(document(apart), score_noise=0.2)["selected"] == [0]
    assert row(document(apart), score_noise=0.2, ties="later")["selected"] == [3]


def test_random_sentences_hang_on_the_document_and_the_salt_alone():
    one = row(selection="random")["selected"]
    assert one == row(document(tuple(t.upper() for t in TEXTS)), selection="random")["selected"]
    assert len({tuple(row(document(id=f"n-{i}"), selection="random")["selected"]) for i in range(20)}) > 10
    assert any(row(selection="random", salt=f"s{i}")["selected"] != one for i in range(5))
    seen = [0] * 10
    for i in range(1000):
        for index in row(document(id=f"n-{i}"), selection="random", gap_ratio=0.3)["selected"]:
            seen[index] += 1
    assert all(240 < n < 360 for n in seen), seen


def test_a_share_of_the_selected_stays_in_place():
    rows = [row(document(id=f"n-{i}")) for i in range(500)]
    selected, masked = (sum(len(r[k]) for r in rows) for k in ("selected", "masked"))
    assert selected == 500 * 4
    assert 0.77 < masked / selected < 0.83
    for values in rows:
        left = set(values["selected"]) - set(values["masked"])
        assert values["inputs"].count("[MASK1]") == len(values["masked"])
        assert all(TEXTS[i] in values["inputs"] and TEXTS[i] in values["targets"] for i in left)
    assert row(left_ratio=1)["masked"] == [] and row(left_ratio=0)["masked"] == row()["selected"]


def test_how_many_are_selected():
    for ratio, sentences, selected in CASES["how many are selected"]:
        texts = [f"word{i}." for i in range(sentences)]
        assert len(row(document(texts), gap_ratio=ratio)["selected"]) == selected, ratio


def test_long_documents_end_with_a_whole_sentence():
    values = row(max_words=22, gap_ratio=0.4, left_ratio=0, selection="lead")
    assert values["sentences"] == 4  # 3 + 4 + 12 + 3 words
    assert row(max_words=0)["sentences"] == 10


def test_documents_that_give_nothing():
    recipe = GapSentences(GapSentencesConfig())
    short = recipe.process(document(TEXTS[:2]))
    assert (
        short.rows == ()
        and short.refused.reason is DocumentReason.TOO_FEW_SENTENCES
        and short.refused.origin == document().origin
    )
    marked = recipe.process(document(("A [MASK1] is here.", *TEXTS)))
    assert marked.rows == () and marked.refused.reason is GapSentencesReason.MASK_IN_TEXT
    assert GapSentences(GapSentencesConfig(mask_token="<mask_1>")).process(document(("A [MASK1].", *TEXTS))).rows
    assert recipe.process(document(("word " * 600, *TEXTS))).refused.reason is DocumentReason.TOO_FEW_SENTENCES


def test_paragraphs_of_two_sections_are_not_run_together():
    sentences = (TextSentence("A b.", 0, 0), TextSentence("C d.", 1, 0), TextSentence("E f.", 1, 1))
    doc = dataclasses.replace(document(), sentences=sentences)
    assert row(doc, selection="lead", left_ratio=0)["inputs"] == "[MASK1]\nC d.\nE f."


@given(
    st.lists(st.text("ab c.", min_size=1, max_size=12), max_size=12),
    st.sampled_from(SELECTIONS),
    st.sampled_from(SCORINGS),
    st.sampled_from(COUNTINGS),
    st.floats(0.01, 0.99),
)
def test_what_was_masked_put_back_gives_the_document(texts, selection, scoring, ngrams, ratio):
    config = GapSentencesConfig(selection=selection, scoring=scoring, ngrams=ngrams, gap_ratio=ratio, left_ratio=0.3)
    outcome = GapSentences(config).process(document(texts, per_paragraph=100))
    if len(texts) < 3:
        assert outcome.refused is not None
        return
    values = outcome.rows[0].values
    gone = iter([texts[i] for i in values["masked"]])
    parts = values["inputs"].split("[MASK1]")
    assert "".join(p + next(gone, "") for p in parts) == " ".join(texts)
    assert 1 <= len(values["selected"]) < len(texts) and set(values["masked"]) <= set(values["selected"])
    assert outcome.counts == {
        "gaps/sentences": len(texts),
        "gaps/selected": len(values["selected"]),
        "gaps/masked": len(values["masked"]),
    }


def test_the_ratio_of_a_document_is_drawn_between_two():
    many = [f"Sentence {n} tells of the otter." for n in range(100)]
    options = {"min_gap_ratio": 0.2, "gap_ratio": 0.4, "max_words": 0}
    found = [len(row(document(many, id=f"d{n}"), **options)["selected"]) for n in range(200)]
    assert min(found) >= 20 and max(found) < 40 and len(set(found)) > 15
    assert 28 < sum(found) / len(found) < 31  # uniform, rounded down
    assert len(row(document(many, id="d7"), **options)["selected"]) == found[7]
    assert [len(row(document(many, id=f"d{n}"), salt="x", **options)["selected"]) for n in range(9)] != found[:9]
    assert row(min_gap_ratio=0.4, gap_ratio=0.4) == row(gap_ratio=0.4)


def test_noise_changes_the_order_of_near_scores_only():
    scores = [o.exact("fmeasure") for o in ScoredDocument(TEXTS).against_rest()]
    plain = set(row(gap_ratio=0.3)["selected"])
    found = [set(row(document(id=f"d{n}"), gap_ratio=0.3, score_noise=0.2)["selected"]) for n in range(100)]
    assert plain in found and len(set(map(frozenset, found))) > 1
    for chosen in found:
        worst = min(scores[i] for i in chosen)
        assert all(scores[i] * 0.8 <= worst * 1.2 for i in range(len(TEXTS)) if i not in chosen)
    assert found[3] == set(row(document(id="d3"), gap_ratio=0.3, score_noise=0.2)["selected"])


def test_the_stochastic_preset_leaves_a_tenth_in_place():
    values = yaml.safe_load(corpora.preset("gap-sentences-stochastic").read_text(encoding="utf-8"))
    own = {name: values[name] for name in ("gap_ratio", "min_gap_ratio", "score_noise", "left_ratio")}
    made = [row(document(id=f"d{n}"), **own) for n in range(400)]
    selected, masked = (sum(len(values[name]) for values in made) for name in ("selected", "masked"))
    assert 0.87 < masked / selected < 0.93
    assert {len(values["selected"]) for values in made} == {1, 2, 3, 4}
