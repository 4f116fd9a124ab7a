"""The layouts of features: the shipped weights belong to one order of blocks, and every name stands for its block."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files

import numpy as np
import pytest

from gistmill.rules.coreference import features, markables
from gistmill.rules.coreference.scorer import Scorer
from gistmill.transforms.coreference.minilm import windows

# SHA-256 of the blocks' names and places in the layouts that the shipped weights were fitted for.
SCORER = "ae97b87c73c97456367e0cf5eccd197d951be9d886b128e932eb67a1d79a6830"
DELTA = "0eb585745be82a429bbb7ca3f52819a250e0be3039730aaa882a23fe3376ec2d"


def digest(start: dict[str, int], size: int) -> str:
    return hashlib.sha256(json.dumps([*start.items(), ["", size]]).encode()).hexdigest()


def test_the_layouts_are_those_of_the_shipped_weights():
    assert digest(features.START, features.SIZE) == SCORER
    assert digest(windows.START, windows.SIZE) == DELTA


def test_a_swap_of_two_blocks_is_seen():
    names = list(features.BLOCKS)
    names[3], names[4] = names[4], names[3]
    assert digest(dict(zip(names, features.START.values())), features.SIZE) != SCORER


def test_the_layouts_have_the_size_of_the_shipped_weights():
    with files("gistmill.rules.coreference").joinpath("data", "scorer.npz").open("rb") as stream:
        assert {len(a) for name, a in np.load(stream).items() if name.startswith("embedding")} == {features.SIZE}
    with files("gistmill.transforms.coreference.minilm").joinpath("data", "delta.npz").open("rb") as stream:
        assert len(np.load(stream)["features"]) == windows.SIZE


def test_every_constant_is_the_start_of_its_block():
    for name in features.BLOCKS:
        assert getattr(features, name.upper()) == features.START[name], name


def test_roles_and_clauses_keep_their_numbers():
    roles = (
        "SUBJECT PASSIVE OBJECT DATIVE POSSESSIVE APPOSITION PREDICATE AGENT "
        "OF WITH TO PLACE PREPOSITION ROOT MODIFIER OTHER"
    )
    clauses = "MAIN RELATIVE ADVERBIAL PARTICIPLE CONTENT OPEN OTHER_CLAUSE"
    assert [getattr(markables, name) for name in roles.split()] == list(range(markables.ROLES))
    assert [getattr(markables, name) for name in clauses.split()] == list(range(markables.CLAUSES))


def test_weights_of_another_size_are_rejected():
    wrong = np.zeros((features.SIZE - 1, 3), np.float32)
    with pytest.raises(ValueError, match="fit them again"):
        Scorer({"embedding1": wrong, "output1": np.zeros(2), "embedding2": wrong, "output2": np.zeros(2)})
