import copy

import numpy as np
import pytest

from gistmill.rules.fusion.labels import NONE
from gistmill.training.errors import TrainingError
from gistmill.training.tagger.caution import caution_that_keeps
from gistmill.training.tagger.config import DecodingConfig, TaggerConfig
from gistmill.training.tagger.task import Tagger
from tests.training.tagger.making import make_bert, make_row, make_rows

LONG = make_row(99, NONE, "a " * 100 + ".", "b .", "a " * 100 + ". b .")
PAIRS = [
    make_row(i, NONE, f"{'a ' * i}sat .", f"{'b ' * (i % 3)}ran .", f"{'a ' * i}sat . {'b ' * (i % 3)}ran .")
    for i in range(1, 21)
]

OTHERS = [row for row in make_rows() if row["discourse_type"] != NONE]


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    rows = [*make_rows(), *PAIRS[:3]]
    config = TaggerConfig(model="tagger", encoder=make_bert(tmp_path_factory.mktemp("bert")))
    return Tagger.create(config, lambda: iter(copy.deepcopy(rows)), seed=3)


def left_alone(task, rows, caution):
    task.decoding = DecodingConfig(caution=caution)
    return sum(found is None or found.plan == NONE for found in task.fusions(rows))


@pytest.mark.parametrize("share", [0.01, 0.3, 0.85, 0.88, 1.0])
def test_the_caution_is_the_least_that_leaves_a_share_alone(task, share):
    caution = caution_that_keeps(task, [*PAIRS, *OTHERS], share)
    wanted = int(np.ceil(share * len(PAIRS)))
    assert left_alone(task, PAIRS, caution) >= wanted
    assert left_alone(task, PAIRS, caution - 0.02) < wanted


def test_pairs_that_are_too_long_are_left_alone_whatever_the_caution(task):
    assert caution_that_keeps(task, [LONG], 1.0) == 0.0
    assert caution_that_keeps(task, [LONG, *PAIRS], 10 / 21) == caution_that_keeps(task, PAIRS, 9 / 20)


def test_without_unchanged_pairs_there_is_nothing_to_go_by(task):
    with pytest.raises(TrainingError, match="no row of the type PAIR_NONE"):
        caution_that_keeps(task, OTHERS, 0.5)
