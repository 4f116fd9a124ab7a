"""The networks: as thinc computes them, and each row by its own text alone, to the last bit."""

import numpy as np
import pytest

import gistmill.transforms.parsing.network
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing.network import Embedding, Encoder, TransitionScorer, product
from gistmill.transforms.parsing.plain import EMBEDDED, WIDTH, take_apart
from tests.transforms.parsing.texts import EDGES

TEXTS = [text for text in EDGES if text and len(text) < 3_000]


@pytest.fixture(scope="module")
def model():
    return load_model()


@pytest.fixture(scope="module")
def parts(model):
    return take_apart(model.nlp, model.info)


@pytest.fixture(scope="module")
def docs(model):
    return [model.nlp.make_doc(text) for text in TEXTS]


def attributes(docs):
    return np.concatenate([doc.to_array(list(EMBEDDED)) for doc in docs])


def rows(*shape):
    return np.random.default_rng(5).standard_normal(shape, dtype=np.float32)


@pytest.mark.parametrize("shape", [(288, 288), (96, 64), (64, 1024), (64, 384), (64, 106), (64, 74), (96, 50)])
def test_a_row_of_a_product_does_not_depend_on_the_others(shape):
    left, right = rows(70, shape[0]), rows(*shape)
    whole = product(left, right)
    for start, end in [(0, 1), (69, 70), (3, 5), (5, 8), (1, 14), (7, 70)]:
        assert (product(left[start:end], right) == whole[start:end]).all()
        into = np.empty((end - start, shape[1]), np.float32)
        product(left[start:end], right, out=into)
        assert (into == whole[start:end]).all()


def test_vectors_are_those_of_thinc(model, parts, docs):
    embedded = Embedding(parts.shared, parts.own)(attributes(docs))
    lengths = [len(doc) for doc in docs]
    shared = Encoder(parts.shared)(embedded[:, :WIDTH], lengths)
    own = Encoder(parts.own)(embedded[:, WIDTH:], lengths)
    theirs = np.concatenate(model.nlp.get_pipe("tok2vec").model.predict(docs))
    assert np.abs(shared - theirs).max() < 1e-4 < np.abs(theirs).max()
    theirs = np.concatenate(model.nlp.get_pipe("ner").model.layers[0].layers[0].predict(docs))
    assert np.abs(own - theirs).max() < 1e-4 < np.abs(theirs).max()


def test_a_text_has_the_same_vectors_in_any_batch(parts, docs, monkeypatch):
    encode = Encoder(parts.shared)
    together = encode(Embedding(parts.shared, parts.own)(attributes(docs))[:, :WIDTH], [len(doc) for doc in docs])
    alone = [encode(Embedding(parts.shared, parts.own)(attributes([doc]))[:, :WIDTH], [len(doc)]) for doc in docs]
    assert (together == np.concatenate(alone)).all()
    monkeypatch.setattr(gistmill.transforms.parsing.network, "GROUP", 40)
    backwards = docs[::-1]
    again = encode(
        Embedding(parts.shared, parts.own)(attributes(backwards))[:, :WIDTH], [len(doc) for doc in backwards]
    )
    assert (np.concatenate(alone[::-1]) == again).all()


def test_a_full_table_of_embeddings_changes_nothing(parts, docs, monkeypatch):
    expected = Embedding(parts.shared, parts.own)(attributes(docs))
    monkeypatch.setattr(gistmill.transforms.parsing.network, "EMBEDDINGS", 40)
    embed = Embedding(parts.shared, parts.own)
    for _ in range(2):
        found = np.concatenate([embed(attributes([doc])) for doc in docs])  # some texts have more kinds than fit
        assert (found == expected).all()
    assert len(embed._rows) <= 40


def test_scores_do_not_depend_on_the_batch(parts):
    scorer = TransitionScorer(parts.arcs)
    vectors = rows(20, WIDTH)
    features = scorer.features(vectors)
    assert features.shape == (21, 8, 128)
    assert (scorer.features(vectors[4:5])[0] == features[4]).all()
    summed = features[:20].sum(axis=1)
    whole = scorer.scores(summed)
    for end in (1, 2, 7):
        assert (scorer.scores(summed[:end]) == whole[:end]).all()
