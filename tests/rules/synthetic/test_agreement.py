"""Generators and interpreter were written apart. They agree on every document of every task."""

import random
from collections import Counter

import pytest

from gistmill.rules.documents import SegmentedDocument
from gistmill.rules.synthetic.interpreter import READINGS, summaries
from gistmill.rules.synthetic.language import ENSEMBLE, STEP_TASKS
from gistmill.rules.synthetic.language import TASKS as LANGUAGE_TASKS
from gistmill.rules.synthetic.law import fault
from gistmill.rules.synthetic.recipe import Synthetic, SyntheticConfig
from tests.rules.synthetic.helpers import rows
from tests.testing import segmented

TASKS = [*READINGS, ENSEMBLE, *STEP_TASKS]


def asked(task):
    return f"elementary:{task}" if task in READINGS else task


def disagreements(found):
    return [(row["id"], said) for row in found if (said := fault(row)) is not None]


def test_they_agree():
    for task in TASKS:
        found = rows(range(60), tasks=asked(task), seed=5)
        assert len(found) == 60 and {row["task"] for row in found} == {task} and disagreements(found) == [], task


@pytest.mark.long
def test_they_agree_on_ten_thousand_documents():
    for task in TASKS:
        count = 1000 if task in STEP_TASKS else 10_000
        for start in range(0, count, 1000):
            assert disagreements(rows(range(start, start + 1000), tasks=asked(task), seed=6)) == [], task


def test_an_output_with_another_word_is_seen():
    for task in [*READINGS, ENSEMBLE]:
        chance = random.Random(task)
        for row in rows(range(40), tasks=asked(task), seed=7):
            tokens = row["targets"].split(" ")
            place = chance.randrange(len(tokens))
            for changed in ([*tokens[:place], "zzzz", *tokens[place + 1 :]], tokens[:place], [*tokens, "zzzz"]):
                assert fault({**row, "targets": " ".join(changed)}) is not None, task


def test_the_ensemble_is_of_tasks_that_always_show():
    """Their keywords tell the model what to write, as the paper says in its appendix (exclusions from the ensemble)."""
    found = Counter(name for row in rows(range(400), tasks=ENSEMBLE) for name in row["tasks"])
    hidden = {"copy-first-sentence", "copy-last-sentence", "check-keyword", "compare-numbers", "sum-of-numbers"}
    assert set(found) == {task.name for task in LANGUAGE_TASKS[:21]} - hidden
    assert all(40 < count < 120 for count in found.values())  # 1,200 draws of 16


def test_the_row_has_any_of_the_right_summaries():
    """The order and the synonym are drawn, so that each of them comes."""
    for task in ["copy-kwd-multiple-shuffled", "paraphrase-words"]:
        found = Counter()
        for row in rows(range(240), tasks=asked(task)):
            (told,) = summaries(row["inputs"], [task])
            found[told.index(row["targets"])] += 1
        assert len(found) == len(told) and all(
            240 / len(told) * 0.6 < n < 240 / len(told) * 1.5 for n in found.values()
        ), task


def test_real_sentences():
    words = "The U.S. river's water-mill (1912) stood 3.5 km away , e.g. __here__ ... and “there” — until <b> naïve 12:30".split()
    chance = random.Random(3)
    recipe = Synthetic(SyntheticConfig(words="wikipedia", tasks=f"elementary,{ENSEMBLE},sr,mdg"))
    count = 0
    for number in range(40):
        texts = [" ".join(chance.choices(words, k=chance.randint(5, 14))) + "." for _ in range(chance.randint(7, 13))]
        document = segmented(texts, per_paragraph=4, id=f"page-{number}")
        assert isinstance(document, SegmentedDocument)
        made = [dict(row.values) for row in recipe.process(document).rows]
        assert disagreements(made) == []
        count += len(made)
    assert count > 40 * 15
