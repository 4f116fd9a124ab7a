"""The annotator with the real model."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.core.records import Origin
from gistmill.rules.documents import CleanDocument, Mention, Section, natural_text
from gistmill.transforms.installed import ModelError
from gistmill.transforms.models import describe_model, load_model
from gistmill.transforms.steps.annotator import Annotator, segment, work_for


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


def test_a_run_without_white_space_is_cut_before_the_tokenizer_sees_it():
    prose = "The council met on Monday."
    for mark in ",", "=", "!?", "'s", "a,b;", "ab":
        run = mark * (1500 // len(mark))
        pieces = segment(f"{prose} {run} It talked.")
        assert pieces[0].startswith(prose) and pieces[-1].endswith("It talked.")
        assert max(map(len, " ".join(pieces).split())) == 300, mark
        assert "".join("".join(pieces).split()) == "".join(f"{prose}{run}It talked.".split()), mark


def test_words_and_scripts_without_spaces_are_not_cut():
    for whole in "a" * 300, f"http://example.org/{'a-' * 140}", "字" * 4000, "é" * 400, "a b " * 400:
        assert segment(f"He came to {whole} and left.") == [f"He came to {whole} and left."]


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


def test_an_over_long_paragraph_is_parsed_in_pieces(annotator):
    (long, empty) = annotator.annotate([document("The cat sat on the mat. " * 1_000), document(" \n ")])
    assert sum(len(s.tokens) for s in long.sentences) == 7_000 and empty.sentences == ()


def test_a_missing_model_is_named():
    with pytest.raises(ModelError, match="no_such_model"):
        describe_model("no_such_model")


def test_a_package_that_has_a_models_name_and_no_model_is_told_from_spacys(tmp_path, monkeypatch):
    (tmp_path / "en_core_web_fake").mkdir()
    (tmp_path / "en_core_web_fake" / "__init__.py").write_text("raise SystemExit('it was imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        ModelError, match="'en_core_web_fake' is not a spaCy model: .*en-core-web-trf 999.9.9 do not come from spaCy"
    ):
        describe_model("en_core_web_fake")


def test_changed_weights_are_refused(monkeypatch):
    import gistmill.transforms.models as models

    models._describe.cache_clear()
    monkeypatch.setattr(models, "PINNED", {(describe_model().name, describe_model().version): "0" * 64})
    models._describe.cache_clear()
    with pytest.raises(ModelError, match="differ from the pinned ones"):
        load_model()
    models._describe.cache_clear()


FIRST = ("The river rises in the hills.", "It was closed in 2007 and razed.", "She won the race by far.")


def earlier(annotator, *paragraphs, title="T", mark=""):
    """The annotated form of an older document; ``mark`` is put on its lemmas, so that they are known again."""
    (found,) = annotator.annotate([document(*paragraphs, title=title)])
    sentences = (replace(s, tokens=tuple(t._replace(lemma=t.lemma + mark) for t in s.tokens)) for s in found.sentences)
    return replace(found, sentences=tuple(sentences))


@given(st.lists(st.sampled_from([*FIRST, "He left."]), max_size=6), st.lists(st.sampled_from(FIRST), max_size=6))
@settings(max_examples=30)
def test_a_document_with_an_earlier_form_comes_out_as_without(annotator, now, before):
    fresh = document(*now)
    old = earlier(annotator, *before)
    assert list(annotator.annotate([replace(fresh, earlier=old), fresh])) == 2 * list(annotator.annotate([fresh]))


def test_paragraphs_that_an_earlier_form_has_are_not_parsed_again(annotator):
    old = earlier(annotator, *FIRST, mark="!")
    (found,) = annotator.annotate([replace(document(FIRST[1], "He left.", FIRST[0]), earlier=old)])
    marked = [{t.lemma.endswith("!") for t in s.tokens} for s in found.sentences]
    assert marked == [{True}, {False}, {True}]
    assert [s.paragraph for s in found.sentences] == [0, 1, 2]


class Named:
    """A resolver that calls everything by the title."""

    def resolve(self, sentences, *, title=""):
        return ((Mention(0, 0, 1, 0, title), Mention(0, 0, 1, 0, title)),)


def test_clusters_are_kept_where_text_title_and_resolver_are_the_same(annotator):
    old = replace(earlier(annotator, FIRST[0]), clusters=((Mention(0, 0, 1, 0, "kept"),),))
    for same_resolver, title, text, kind in (
        (True, "T", FIRST[0], "kept"),
        (False, "T", FIRST[0], "T"),
        (True, "Renamed", FIRST[0], "Renamed"),
        (True, "T", FIRST[1], "T"),
    ):
        resolving = Annotator(load_model(), Named(), same_resolver=same_resolver)
        (found,) = resolving.annotate([replace(document(text, title=title), earlier=old)])
        assert found.clusters[0][0].kind == kind, (same_resolver, title, text)


def test_the_work_for_a_document_is_what_its_earlier_form_lacks(annotator):
    works = {(): (13, "parsed"), FIRST[:1]: (12, "revised"), FIRST[:2]: (10, "reused"), FIRST[2:]: (13, "parsed")}
    for before, work in works.items():
        old = earlier(annotator, *before) if before else None
        assert work_for(replace(document(*FIRST[:2]), earlier=old)) == work, before
