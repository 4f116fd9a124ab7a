"""The annotator with the real model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.records import CleanDocument, Origin, Section, natural_text
from transforms.models import ModelError, describe_model, load_model
from transforms.steps.annotator import Annotator, segment


@pytest.fixture(scope="module")
def annotator():
    return Annotator(load_model(), None)


def document(*paragraphs, id="d", title="T"):
    return CleanDocument(Origin(id, "wikipedia", title), (Section("", 1, tuple(paragraphs)),))


@given(st.text(alphabet="ab .!?\n", max_size=200), st.integers(3, 40))
def test_segments_are_short_and_lose_nothing(text, limit):
    pieces = segment(text, limit)
    assert all(0 < len(p) <= limit for p in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_segments_end_at_sentences_where_they_can():
    assert segment("One is here. Two is there. Three.", 28) == ["One is here. Two is there.", "Three."]


def test_text_comes_back_and_heads_stay_inside(annotator):
    text = "Dr. Smith (born 1901) didn't  go; he was ill. They met in the U.S. in 1920."
    (found,) = annotator.annotate([document(text, "Second paragraph here.")])
    assert " ".join(natural_text(s.tokens) for s in found.sentences if s.paragraph == 0) == " ".join(text.split())
    assert {s.paragraph for s in found.sentences} == {0, 1}
    for sentence in found.sentences:
        assert all(0 <= t.head < len(sentence.tokens) and t.text.strip() for t in sentence.tokens)
        assert any(t.head == i for i, t in enumerate(sentence.tokens))


def test_a_batch_changes_nothing(annotator):
    texts = ["The river rises in the hills.", "It was closed in 2007 and razed.", "However, she won the race by far."]
    together = list(annotator.annotate([document(t, id=t) for t in texts]))
    alone = [next(annotator.annotate([document(t, id=t)])) for t in texts]
    assert together == alone


def test_a_document_of_white_space_has_no_sentence(annotator):
    (found,) = annotator.annotate([document(" \n ")])
    assert found.sentences == ()


def test_an_over_long_paragraph_is_parsed_in_pieces(annotator):
    (found,) = annotator.annotate([document("The cat sat on the mat. " * 2_000)])
    assert sum(len(s.tokens) for s in found.sentences) == 14_000


def test_a_missing_model_is_named():
    with pytest.raises(ModelError, match="no_such_model"):
        describe_model("no_such_model")


def test_changed_weights_are_refused(monkeypatch):
    import transforms.models as models

    models._describe.cache_clear()
    monkeypatch.setattr(models, "PINNED", {(describe_model().name, describe_model().version): "0" * 64})
    models._describe.cache_clear()
    with pytest.raises(ModelError, match="not the pinned ones"):
        load_model()
    models._describe.cache_clear()
