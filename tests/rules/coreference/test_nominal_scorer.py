"""The form of noun phrases, the candidates of a nominal, and laws of the scorer."""

import hashlib
import json
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.coreference import features, markables
from gistmill.rules.coreference.features import SIZE
from gistmill.rules.coreference.markables import (
    NOMINAL,
    Cluster,
    Markable,
    Syntax,
    complement,
    determiner,
    is_definite,
    modifiers,
)
from gistmill.rules.coreference.nominals import HEAD, Candidate, NominalScorer, feature_rows
from gistmill.rules.coreference.scorer import Scorer
from gistmill.transforms.coreference.minilm import windows
from tests.cases import by_heading
from tests.testing import parsed

CASES = by_heading(__file__)


def _phrase(start: int, end: int, tokens) -> Markable:
    made = Markable(0, start, end, end - 1, offset=0, kind=NOMINAL, syntax=Syntax(tokens))
    made.words = (tokens[end - 1].lemma or tokens[end - 1].text.lower(),)
    return made


OLD = parsed(
    "The|DT|det|3 old|JJ|amod|3 club|NN|nsubj|6 of|IN|prep|3 Rome|NNP|pobj|4 fell|VBD|ROOT|0||fall .|.|punct|6"
).tokens


class TestForm:
    def test_of_a_definite(self):
        phrase = _phrase(0, 3, OLD)
        assert determiner(phrase, OLD) == "the"
        assert is_definite(phrase, OLD)
        assert modifiers(phrase, OLD) == {"old"}
        assert complement(phrase, OLD) == "of"

    def test_of_others(self):
        for first, dep, expected in CASES["of others"]:
            tokens = parsed(f"{first}|DT|{dep}|2 club|NN|nsubj|3 fell|VBD|ROOT|0||fall .|.|punct|3").tokens
            phrase = _phrase(0, 2, tokens)
            assert determiner(phrase, tokens) == expected, first
            assert is_definite(phrase, tokens) is (expected == "this"), first
            assert complement(phrase, tokens) == "", first

    def test_a_bare_noun_is_not_definite(self):
        tokens = parsed("Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall .|.|punct|2").tokens
        assert not is_definite(_phrase(0, 1, tokens), tokens)
        assert determiner(_phrase(0, 1, tokens), tokens) == "bare"


class TestScorer:
    def _asked(self):
        syntax = Syntax(OLD)
        first, second = _phrase(0, 3, OLD), _phrase(0, 3, OLD)
        Cluster(0, first)
        return second, [syntax], [Candidate(HEAD, first, False, 1, 0)]

    @given(st.integers(-5, 5), st.integers(-5, 5))
    def test_the_likelier_is_chosen(self, none, head):
        nominal, syntaxes, candidates = self._asked()
        cluster, probability = NominalScorer({"none": none, "head": head}).choose(nominal, syntaxes, candidates)
        assert (cluster is None) == (head < none)
        assert probability == 0.0 if cluster is None else 0.5 <= probability <= 1.0

    def test_no_surer_than_the_link_before(self):
        nominal, syntaxes, candidates = self._asked()
        candidates[0].cluster.links[candidates[0].mention.order] = 0.6
        assert NominalScorer({"head": 9.0}).choose(nominal, syntaxes, candidates)[1] == 0.6

    def test_a_row_for_each_answer(self):
        rows = feature_rows(*self._asked())
        assert [row[0] for row in rows] == ["none", "head"]
        assert "head form same" in rows[1]


# The scorer's sums are those of the formula, for rows of any length.


WIDTH = 5
_RANDOM = np.random.default_rng(11)
WEIGHTS = {f"embedding{stage}": _RANDOM.standard_normal((SIZE, WIDTH + 1)) for stage in (1, 2)} | {
    f"output{stage}": _RANDOM.standard_normal(WIDTH) for stage in (1, 2)
}
# The rows of a table are filled up to one length.
ROWS = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=12).map(lambda row: row + [SIZE] * (12 - len(row)))


def by_the_formula(question, stage):
    embedding, output = WEIGHTS[f"embedding{stage}"], WEIGHTS[f"output{stage}"]
    scores = []
    for row in question:
        total = sum(embedding[feature] for feature in row if feature < SIZE)
        scores.append(np.maximum(total[:-1], 0) @ output + total[-1])
    odds = np.exp(np.array(scores) - max(scores))
    return odds / odds.sum()


@pytest.mark.slow
@given(st.lists(st.lists(ROWS, min_size=1, max_size=6), max_size=40), st.sampled_from([1, 2]))
def test_probabilities_follow_the_formula(questions, stage):
    found = Scorer(WEIGHTS).probabilities(questions, stage=stage)
    assert len(found) == len(questions)
    for question, answer in zip(questions, found, strict=True):
        assert np.allclose(answer, by_the_formula(question, stage), atol=1e-4)


def test_a_row_does_not_depend_on_the_length_of_the_others():
    short, long, filled = [[3, 8], [5, SIZE]], [list(range(40, 70))], [[3, 8] + [SIZE] * 28, [5] + [SIZE] * 29]
    scorer = Scorer(WEIGHTS)
    (alone,), (together, _) = (scorer.probabilities(q, stage=1) for q in ([short], [filled, long]))
    assert np.allclose(alone, together, atol=1e-6)


# The layouts of features: the shipped weights belong to one order of blocks, and every name stands for its block.


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
