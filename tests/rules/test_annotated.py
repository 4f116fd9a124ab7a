import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Metadata, Origin
from gistmill.rules.annotated import COLUMNS, AnnotateConfig, KeepAnnotations, from_values, to_values
from gistmill.rules.documents import AnnotatedDocument, Mention, Sentence, Token

words = st.text(min_size=1, max_size=6)
tokens = st.builds(
    Token, words, st.booleans(), words, words, words, st.integers(0, 5), words, st.sampled_from(["", "B-ORG"])
)
sentences = st.builds(Sentence, st.lists(tokens, max_size=5).map(tuple), st.integers(0, 3), st.integers(0, 9))
mentions = st.builds(
    Mention,
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(["name", "pronoun", "nominal"]),
    st.floats(0, 1),
)
origins = st.builds(
    Origin,
    id=words,
    source=words,
    title=st.text(max_size=9),
    revision=st.text(max_size=5),
    timestamp=st.text(max_size=5),
    file=words.map(lambda w: w.replace("/", "-")),
    offset=st.integers(0, 2**40),
    range_key=words,
    metadata=st.builds(
        Metadata,
        # how an article was found on its page is told of whole articles alone
        **{f.name: st.text(max_size=5) for f in dataclasses.fields(Metadata) if f.name != "extraction"},
    ),
)
documents = st.builds(
    AnnotatedDocument,
    origins,
    sentences=st.lists(sentences, max_size=4).map(tuple),
    clusters=st.lists(st.lists(mentions, min_size=1, max_size=3).map(tuple), max_size=3).map(tuple),
    section_titles=st.lists(st.text(max_size=5), max_size=3).map(tuple),
)


@given(documents)
def test_nothing_is_lost(document):
    values = to_values(document)
    assert from_values(values, range_key=document.origin.range_key) == document
    assert list(values) == [c.name for c in COLUMNS]


def test_columns_that_do_not_fit_are_refused():
    document = AnnotatedDocument(Origin("d", "wikipedia"), (Sentence((Token("a", True, "X", "X", "ROOT", 0, "a"),)),))
    values = to_values(document)
    with pytest.raises(ValueError):
        from_values({**values, "text": []})
    with pytest.raises(ValueError, match="do not add up"):
        from_values({**values, "sentence_length": [2]})


def test_the_recipe_keeps_one_row_a_document():
    document = AnnotatedDocument(Origin("d", "wikipedia"), (Sentence((Token("a", True, "X", "X", "ROOT", 0, "a"),)),))
    outcome = KeepAnnotations(AnnotateConfig()).process(document)
    assert [(r.config, r.id) for r in outcome.rows] == [("default", "d")]
    assert outcome.counts == {"sentences/annotated": 1, "tokens/annotated": 1}


def test_rows_name_the_file_and_not_its_folder():
    for place in ("a.bz2", "/data/dumps/a.bz2", "gs://bucket/dumps/a.bz2"):
        origin = Origin("wikipedia-1", "wikipedia", "A", file=place, offset=7)
        assert from_values(to_values(AnnotatedDocument(origin, ()))).origin == dataclasses.replace(
            origin, file="a.bz2"
        ), place
