"""Laws of the sieve on arbitrary parses: whatever comes in, the clusters are well formed and the same each time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.coreference.markables import Syntax
from gistmill.rules.coreference.scorer import Sieve
from gistmill.rules.documents import Sentence, Token
from tests.cases import by_heading

CASES = by_heading(__file__)

SIEVE = Sieve()
_WORDS = CASES["words"]
_TAGS = CASES["tags"]
_LABELS = CASES["labels"]
_ENTITIES = ["", "", "B-PERSON", "I-PERSON", "B-GPE", "B-DATE"]


@st.composite
def _sentences(draw) -> Sentence:
    size = draw(st.integers(1, 9))
    tokens = []
    for _ in range(size):
        tag, pos = draw(st.sampled_from(_TAGS))
        word = draw(st.sampled_from(_WORDS))
        # any head at all, cycles too: a broken parse must not hang the sieve
        tokens.append(
            Token(
                word,
                True,
                tag,
                pos,
                draw(st.sampled_from(_LABELS)),
                draw(st.integers(0, size - 1)),
                word.lower(),
                draw(st.sampled_from(_ENTITIES)),
            )
        )
    return Sentence(tuple(tokens), paragraph=draw(st.integers(0, 2)))


@pytest.mark.slow
@given(st.lists(_sentences(), max_size=6), st.sampled_from(["", "Ann Lee", "Rome"]))
def test_clusters_are_well_formed(sentences, title):
    clusters = SIEVE.resolve(sentences, title=title)
    seen = set()
    for cluster in clusters:
        assert len(cluster) >= 2
        assert list(cluster) == sorted(cluster, key=lambda m: (m.sentence, m.start, -m.end))
        for m in cluster:
            key = m.sentence, m.start, m.end, m.kind
            assert key not in seen, "a mention is in one cluster only"
            seen.add(key)
            assert 0 <= m.start <= m.head < m.end <= len(sentences[m.sentence].tokens)
            assert m.kind in ("name", "pronoun", "nominal") and 0 < m.confidence <= 1
    assert clusters == SIEVE.resolve(sentences, title=title)


@given(_sentences())
def test_clauses_are_tokens_of_the_sentence(sentence):
    syntax = Syntax(sentence.tokens)
    assert all(0 <= c < len(sentence.tokens) for c in syntax.clauses)


def test_nothing_comes_of_nothing():
    assert SIEVE.resolve([]) == ()
