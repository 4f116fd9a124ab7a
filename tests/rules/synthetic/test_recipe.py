"""The synthetic recipe: its options, rows, counts, and documents of real text."""

import pickle
from collections import Counter

import pytest

from gistmill.core.statistics import group_counts
from gistmill.rules.synthetic.generator import SyntheticReason
from gistmill.rules.synthetic.interpreter import TASKS
from gistmill.rules.synthetic.language import WordsError
from gistmill.rules.synthetic.recipe import Synthetic, SyntheticConfig
from tests.rules.synthetic.helpers import outcomes, rows, seed
from tests.testing import segmented

TEXT = "The river Otter's water-mill stood here, until 1912 or so. "


def of_text(sentences, *, id="news-1", **options):
    recipe = Synthetic(SyntheticConfig(words="wikipedia", **options))
    return recipe.process(segmented(sentences, per_paragraph=3, id=id))


def test_tasks_are_read():
    for given, found in [
        ("nsg", ("nsg",)),
        ("ensemble, sr", ("ensemble", "sr")),
        ("elementary:copy-quoted,check-keyword,mdg", ("copy-quoted", "check-keyword", "mdg")),
        (["elementary:copy-quoted", "ensemble"], ("copy-quoted", "ensemble")),
        ("elementary", tuple(TASKS)),
    ]:
        config = SyntheticConfig(tasks=given)
        assert config.tasks == found == SyntheticConfig(tasks=config.to_values()["tasks"]).tasks, given


def test_a_document_has_a_row_in_each_configuration():
    outcome = outcomes([12], tasks="ensemble,sr,copy-quoted")[0]
    assert [row.config for row in outcome.rows] == ["ensemble", "sr", "copy-quoted"]
    assert [row.id for row in outcome.rows] == [f"synthetic-000000000012-{row.config}" for row in outcome.rows]
    schema = Synthetic(SyntheticConfig(tasks="ensemble,sr,copy-quoted")).schema
    for row in outcome.rows:
        assert [c.name for c in schema[row.config].columns] == list(row.values)
        assert row.values["document_id"] == "synthetic-000000000012"
        for name in ("inputs", "targets"):
            assert " ".join(row.values[name].split()) == row.values[name]
    assert outcome.refused is None and outcome.rejects == ()


def test_a_row_is_a_function_of_seed_task_and_number():
    alone = {row["task"]: row for row in rows([300], tasks="sr,ensemble")}
    among = {
        row["task"]: row for row in rows(range(290, 310), tasks="nsg,ensemble,copy-quoted,sr") if "300" in row["id"]
    }
    assert alone["ensemble"] == among["ensemble"] and alone["sr"] == among["sr"]
    made = [row["inputs"] for number in (0, 1, 2) for row in rows(range(300), tasks="copy-first-sentence", seed=number)]
    assert len(set(made)) == len(made)
    of_seeds = {tuple(of_text([TEXT] * 20, seed=number).rows[0].values["tasks"]) for number in range(5)}
    assert len(of_seeds) > 2


def test_a_recipe_is_pickled_without_its_materials():
    recipe = Synthetic(SyntheticConfig(tasks="sr", words="words.txt", seed=3), salt="x")
    recipe.take({"words": tuple(f"w{i}" for i in range(50_000))})
    pickled = pickle.dumps(recipe)
    assert len(pickled) < 2_000 and pickle.loads(pickled).salt == "x"
    again = pickle.loads(pickled)
    again.take({"words": tuple(f"w{i}" for i in range(50_000))})
    assert again.process(seed(5)).rows == recipe.process(seed(5)).rows


def test_a_list_of_two_words():
    recipe = Synthetic(SyntheticConfig(words="two.txt"))
    assert recipe.materials == {"words": "two.txt"}
    recipe.take({"words": ("heads", "tails")})
    counts = Counter()
    for number in range(100):
        outcome = recipe.process(seed(number))
        counts.update(outcome.counts)
        assert {w for w in outcome.rows[0].values["inputs"].split() if not w.startswith("__")} == {
            "heads",
            "tails",
            ".",
        }
    figure = {f.key: f for f in Synthetic.figures(group_counts(counts))}["uniformity"]
    (row,) = figure.rows
    assert dict(zip(figure.head, row))["parts"] == 2 and dict(zip(figure.head, row))["p"] > 0.001


def test_words_and_tokenizer_that_do_not_go_together():
    recipe = Synthetic(SyntheticConfig(words="long.txt", tasks="sr", tokenizer="x"))

    class Letters:
        pieces, record = (), {"name": "letters"}

        def spans(self, text):
            return [(i, i + 1) for i in range(len(text)) if text[i] != " "]

    with pytest.raises(WordsError, match="sr cannot generate a document .* tokens"):
        recipe.take({"words": ("a" * 300, "b" * 300), "tokenizer": Letters()})


def test_counts_and_figures():
    counts: Counter[str] = Counter()
    made = outcomes(range(400), tasks="ensemble,sr")
    for outcome in made:
        counts.update(outcome.counts)
    groups = group_counts(counts)
    assert groups["configurations/ensemble"] == {"read": 400, "used": 400}
    texts = [row.values for outcome in made for row in outcome.rows if row.config == "ensemble"]
    sizes = groups["sizes/ensemble"]
    assert sizes["documents"] == 400 and sizes["words"] == sum(r["words"] for r in texts)
    assert sizes["sentences"] == sum(r["inputs"].split().count(".") for r in texts)
    assert sizes["input tokens"] == sum(len(r["inputs"].split()) for r in texts)
    assert sizes["keywords"] == sum("__d" in t for r in texts for t in r["inputs"].split())
    assert sum(groups["keyword_tenths/ensemble"].values()) == sizes["keywords"]
    assert set(groups["keyword_tenths/ensemble"]) == {str(n) for n in range(1, 11)}
    assert sum(groups["elementary_tasks/ensemble"].values()) == 1200 and "elementary_tasks/sr" not in groups
    figures = {figure.key: figure for figure in Synthetic.figures(groups)}
    for task, row in zip(("ensemble", "sr"), figures["uniformity"].rows, strict=True):
        shown = dict(zip(figures["uniformity"].head, row, strict=True))
        assert shown["task"] == task and shown["words"] == groups[f"sizes/{task}"]["words"]
        assert shown["parts"] == 50 and shown["degrees of freedom"] == 49 and 0.001 < shown["p"] < 0.999
    assert Synthetic.figures({}) == ()
    uneven = {"uniformity/x": {f"{i} of 50": 100 if i < 50 else 250 for i in range(1, 51)}, "sizes/x": {"documents": 1}}
    shown = Synthetic.figures(uneven)[1]
    assert dict(zip(shown.head, shown.rows[0]))["p"] < 1e-6


def test_the_manifest_names_what_counts_tokens():
    for tasks, named in [("ensemble", False), ("ensemble,nsg", True)]:
        models = Synthetic(SyntheticConfig(tasks=tasks)).models
        assert [m["name"] for m in models] == [
            "words: no tokenizer was given, a token is a word or a full stop"
        ] * named, tasks


def test_real_sentences_are_lower_cased_words():
    outcome = of_text([TEXT] * 20, tasks="copy-first-sentence")
    (row,) = outcome.rows
    assert row.values["targets"] == "the river otter's water-mill stood here until 1912 or so ."
    assert row.values["inputs"].startswith(row.values["targets"]) and row.values["url"] == "https://example.org/a"
    assert 7 <= row.values["sentences"] <= 13 and row.values["words"] == 10 * row.values["sentences"]
    assert outcome.counts["sizes/copy-first-sentence/words"] == row.values["words"]
    assert not any(key.startswith("uniformity/") for key in outcome.counts)


def test_bounds_of_real_documents():
    found = Counter(of_text([TEXT] * 20, id=f"d-{i}").rows[0].values["sentences"] for i in range(300))
    assert set(found) == set(range(7, 14))
    found = Counter(of_text([TEXT * 2] * 20, id=f"d-{i}").rows[0].values["sentences"] for i in range(100))
    assert set(found) == {7, 8, 9}  # 195 words at most
    for texts, accepted in [
        ([TEXT] * 7, True),
        ([TEXT] * 6, False),
        (["One two three four five."] * 7, True),
        (["One two three four five."] * 6 + ["One two three four."] + [TEXT] * 9, False),
        ([TEXT] * 7 + ["Short."], True),
        (["*", *[TEXT] * 7, "..."], True),
        ([TEXT * 3] * 7, False),
        ([], False),
    ]:
        outcome = of_text(texts)
        assert bool(outcome.rows) == accepted == (outcome.refused is None), texts
        if not accepted:
            assert outcome.refused.reason is SyntheticReason.NO_BEGINNING, texts
            assert outcome.refused.detail.startswith("ensemble: NO_BEGINNING, words in its first sentences: "), texts
            assert outcome.counts["configurations/ensemble/rejected/NO_BEGINNING"] == 1, texts


def test_a_real_document_that_only_some_tasks_can_use():
    outcome = of_text([TEXT] * 20, tasks="ensemble,sr,nsg")
    assert [row.config for row in outcome.rows] == ["ensemble"]
    assert [(r.reason, r.unit) for r in outcome.rejects] == [(SyntheticReason.TOO_FEW_TOKENS, "configuration")] * 2
    assert outcome.counts["configurations/sr/rejected/TOO_FEW_TOKENS"] == 1
    long = ["word " * 120] + [TEXT] * 60
    assert [row.values["sentences"] for row in of_text(long, tasks="ensemble,sr").rows] == [8, 37]
    nothing = of_text(["word " * 600], tasks="ensemble,sr").refused
    assert nothing.reason is SyntheticReason.NO_TASK and "sr: OVERSHOT, 601 tokens" in nothing.detail
