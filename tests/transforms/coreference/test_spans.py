"""Spans of other packages as Mentions: what a span becomes, and laws on arbitrary parses and spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.documents import Mention, Sentence, Token
from gistmill.transforms.coreference.spans import SpanReader
from tests.testing import parsed

FIRST = parsed(
    "The|DT|det|4 actress|NN|compound|4 Ann|NNP|compound|4|B-PERSON Lee|NNP|poss|6|I-PERSON 's|POS|case|4 "
    "song|NN|nsubj|7 delighted|VBD|ROOT|0 the|DT|det|9 team|NN|dobj|7 of|IN|prep|9 Rome|NNP|pobj|10|B-GPE ,|,|punct|9 "
    "which|WDT|nsubj|14 sang|VBD|relcl|9 .|.|punct|7"
)
SECOND = parsed(
    "She|PRP|nsubj|2 thanked|VBD|ROOT|0 Bob|NNP|dobj|2|B-PERSON and|CC|cc|3 Carl|NNP|conj|3|B-PERSON ,|,|punct|2 "
    "who|WP|nsubj|8 praised|VBD|relcl|3 this|DT|dobj|8 .|.|punct|2"
)
AT = len(FIRST.tokens)


def text(mention: Mention) -> str:
    return " ".join(t.text for t in (FIRST, SECOND)[mention.sentence].tokens[mention.start : mention.end])


@pytest.mark.parametrize(
    ("span", "said", "kind"),
    [
        ((0, 5), "The actress Ann Lee", "name"),  # the possessive mark is not part of it
        ((2, 4), "Ann Lee", "name"),
        ((0, 6), "The actress Ann Lee 's song", "nominal"),
        ((7, 9), "the team", "nominal"),
        ((7, 12), "the team of Rome", "nominal"),  # nor is the comma
        ((10, 11), "Rome", "name"),
        ((AT, AT + 1), "She", "pronoun"),
        ((AT + 2, AT + 3), "Bob", "name"),
        ((AT + 2, AT + 5), "Bob and Carl", "nominal"),  # a group, as the sieve has it
        ((AT + 4, AT + 6), "Carl", "name"),
    ],
)
def test_a_span_is_a_mention(span, said, kind):
    mention = SpanReader((FIRST, SECOND)).mention(*span)
    assert (text(mention), mention.kind, mention.confidence) == (said, kind, 1.0)
    assert mention.start <= mention.head < mention.end


@pytest.mark.parametrize(
    ("span", "why"),
    [
        ((12, 13), "a relative pronoun"),
        ((AT + 8, AT + 9), "a demonstrative"),
        ((AT + 1, AT + 3), "a verb"),
        ((AT - 2, AT + 1), "two sentences"),
        ((4, 5), "a possessive mark alone"),
        ((AT - 1, AT), "a full stop"),
        ((3, 3), "nothing"),
        ((-1, 2), "before the text"),
        ((0, AT + 99), "behind the text"),
    ],
)
def test_what_is_not_a_mention(span, why):
    assert SpanReader((FIRST, SECOND)).mention(*span) is None, why


@pytest.mark.parametrize(
    ("heads", "said", "kind"),
    [
        ([3], "Ann Lee", "name"),
        ([8], "the team", "nominal"),
        ([AT], "She", "pronoun"),
        ([AT + 2, AT + 4], "Bob and Carl", "nominal"),
    ],
)
def test_a_head_stands_for_its_phrase(heads, said, kind):
    mention = SpanReader((FIRST, SECOND)).mention_of_heads(heads)
    assert (text(mention), mention.kind) == (said, kind)


@pytest.mark.parametrize("heads", [[AT + 6], [6], [3, AT + 2], [AT + 2, AT + 1]])
def test_heads_without_a_phrase(heads):
    assert SpanReader((FIRST, SECOND)).mention_of_heads(heads) is None


def test_of_two_mentions_with_one_head_the_longer_stays():
    reader = SpanReader((FIRST, SECOND))
    (cluster,) = reader.clusters([[reader.mention(AT, AT + 1), reader.mention(2, 4), reader.mention(0, 5), None]])
    assert [text(m) for m in cluster] == ["The actress Ann Lee", "She"]


def test_a_mention_stands_in_one_cluster():
    reader = SpanReader((FIRST, SECOND))
    team, song, she, ann = (reader.mention(*s) for s in ((7, 9), (0, 6), (AT, AT + 1), (2, 4)))
    assert reader.clusters([[she, team], [ann, she], [song, she, ann]]) == ((song, ann), (team, she))
    assert reader.clusters([[she], [she, None], []]) == ()


_WORDS = st.sampled_from(
    ["Ann", "Lee", "he", "her", "it", "I", "who", "the", "band", "and", "of", ",", ".", "'s", "saw"]
)
_TAGS = st.sampled_from(
    [
        ("NNP", "PROPN"),
        ("NN", "NOUN"),
        ("PRP", "PRON"),
        ("VBD", "VERB"),
        ("DT", "DET"),
        ("CC", "CCONJ"),
        (",", "PUNCT"),
        ("POS", "PART"),
        ("JJ", "ADJ"),
    ]
)
_LABELS = st.sampled_from(["nsubj", "dobj", "conj", "poss", "appos", "compound", "det", "punct", "ROOT"])
_ENTITIES = st.sampled_from(["", "", "B-PERSON", "I-PERSON", "B-DATE"])


@st.composite
def documents(draw):
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 8))
        tokens = []
        for _ in range(size):
            tag, pos = draw(_TAGS)
            word = draw(_WORDS)
            tokens.append(
                Token(word, True, tag, pos, draw(_LABELS), draw(st.integers(0, size - 1)), word, draw(_ENTITIES))
            )
        sentences.append(Sentence(tuple(tokens)))
    place = st.integers(-1, sum(len(s.tokens) for s in sentences) + 1)
    return sentences, draw(st.lists(st.lists(st.tuples(place, place), max_size=6), max_size=5))


@given(documents())
def test_clusters_are_well_formed_whatever_comes_in(made):
    sentences, groups = made
    reader = SpanReader(sentences)
    clusters = reader.clusters([reader.mention(*span) for span in group] for group in groups)
    seen = [(m.sentence, m.start, m.end) for cluster in clusters for m in cluster]
    assert len(seen) == len(set(seen))
    assert list(clusters) == sorted(clusters, key=lambda c: (c[0].sentence, c[0].start, -c[0].end))
    spans = {(a, b) for group in groups for a, b in group}
    for cluster in clusters:
        assert len(cluster) > 1
        assert list(cluster) == sorted(cluster, key=lambda m: (m.sentence, m.start, -m.end))
        assert len({(m.sentence, m.head, m.kind) for m in cluster}) == len(cluster)
        for m in cluster:
            tokens = sentences[m.sentence].tokens
            assert 0 <= m.start <= m.head < m.end <= len(tokens)
            assert m.kind in ("name", "nominal", "pronoun") and m.confidence == 1.0
            at = reader.starts[m.sentence]
            assert any(a <= at + m.start and at + m.end <= b for a, b in spans)


@given(documents(), st.data())
def test_heads_give_mentions_around_them(made, data):
    sentences, _ = made
    reader = SpanReader(sentences)
    heads = data.draw(st.lists(st.integers(0, reader.starts[-1] - 1), min_size=1, max_size=3))
    mention = reader.mention_of_heads(heads)
    if mention is not None:
        offset = reader.starts[mention.sentence]
        assert all(mention.start <= h - offset < mention.end for h in heads)
