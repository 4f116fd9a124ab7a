"""The form of noun phrases, the candidates of a nominal, and laws of the scorer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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
