"""The real fastcoref with tiny random networks: its tokenisation, windows and clusters are those that users get."""

from __future__ import annotations

import json
import logging

import pytest

from gistmill.transforms.coreference import describe_resolver, load_resolver
from gistmill.transforms.coreference.fastcoref import FastCoref
from gistmill.transforms.coreference.spans import windows
from gistmill.transforms.installed import PackageError
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing.plain import sentences_of
from tests.environments import needs_package
from tests.testing import plain
from tests.transforms.coreference.tiny import fastcoref_model

pytestmark = needs_package("fastcoref")

TEXT = "Ann Lee saw the band in Rome, and she said that they were good. The band liked her. Bob Smith left it in 1990. "


@pytest.fixture(scope="module", params=["FCorefModel", "LingMessModel"])
def folder(request, tmp_path_factory):
    return fastcoref_model(tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="module")
def resolver(folder):
    return load_resolver("fastcoref", model=str(folder))


@pytest.fixture(scope="module")
def nlp():
    return load_model().nlp


def spans(resolver, sentences):
    """What the package itself says of a text, as sets of (start, end) over its tokens."""
    tokens = [t.text for s in sentences for t in s.tokens]
    result = resolver._coref.predict([tokens], is_split_into_words=True)[0]
    return {tuple(sorted(s for s in c if s)) for c in result.get_clusters(as_strings=False)}


def test_the_network_is_the_one_that_the_folder_holds(resolver, folder):
    name = json.loads((folder / "config.json").read_text())["architectures"][0]
    assert type(resolver._coref.model).__name__ == name


def test_every_weight_is_loaded(resolver, folder):
    """transformers fills what it does not find with random numbers, and says so only in its log."""
    from safetensors.torch import load_file

    saved, own = load_file(folder / "model.safetensors"), resolver._coref.model.state_dict()
    assert set(saved) == set(own) and all((own[name] == saved[name]).all() for name in saved)


def test_clusters_are_the_packages_own(resolver, nlp):
    sentences = sentences_of(nlp(TEXT))
    clusters = resolver.resolve(sentences)
    assert clusters and all(len(c) > 1 for c in clusters)
    starts = [0]
    for s in sentences:
        starts.append(starts[-1] + len(s.tokens))
    own = spans(resolver, sentences)
    for cluster in clusters:
        places = {starts[m.sentence] + m.head for m in cluster}
        assert any(all(any(a <= p < b for a, b in c) for p in places) for c in own)
        assert all(m.kind in ("name", "nominal", "pronoun") and m.confidence == 1.0 for m in cluster)


def test_a_long_document_is_resolved_window_by_window(folder, nlp):
    resolver = FastCoref(str(folder), window=128)  # as much as the LingMess model can take
    sentences = sentences_of(nlp(TEXT * 8))
    lengths = resolver._lengths(sentences)
    cut = windows(lengths, limit=126, overlap=31)
    assert sum(lengths) > 256 and len(cut) > 2
    clusters = resolver.resolve(sentences)
    assert max(m.sentence for c in clusters for m in c) >= cut[-1][0]
    assert resolver.resolve(sentences) == clusters


def test_no_window_is_longer_than_the_model_allows(resolver):
    """The package skips such a document without an error."""
    assert resolver._limit == (resolver._coref.max_doc_len or 4096) - 2


@pytest.mark.parametrize("text", ["Yes", "It rained .", "\u200b \ufeff \U0001f600 \u0301 ."])
def test_short_and_strange_documents(resolver, text):
    assert isinstance(resolver.resolve((plain(text),)), tuple)
    assert resolver.resolve(()) == ()


def test_a_sentence_longer_than_a_window_is_left_out(resolver, nlp):
    long = plain("word " * 5000)
    assert resolver.resolve((long,)) == ()
    around = (*sentences_of(nlp(TEXT)), long, *sentences_of(nlp(TEXT)))
    assert all(m.sentence != 3 for c in resolver.resolve(around) for m in c)


def test_loading_leaves_logging_and_the_terminal_alone(resolver, nlp, capfd):
    resolver.resolve(sentences_of(nlp(TEXT)))
    out, err = capfd.readouterr()
    assert out == "" and "it/s" not in err and "Tokenize" not in err
    assert logging.getLogger("fastcoref").level == logging.ERROR


def test_the_record_names_package_weights_and_networks(folder):
    (record,) = describe_resolver("fastcoref", model=str(folder))
    assert record["name"] == "fastcoref" and record["version"] and record["weights"] == str(folder)
    assert {"config.json", "model.safetensors"} <= set(record["files"]) and set(record["packages"]) == {
        "torch",
        "transformers",
    }


def test_a_folder_without_a_fastcoref_model_is_an_error(tmp_path):
    with pytest.raises(PackageError, match="does not hold a fastcoref model"):
        describe_resolver("fastcoref", model=str(tmp_path))
    (tmp_path / "config.json").write_text('{"model_type": "roberta"}')
    with pytest.raises(PackageError, match="no coref_head"):
        load_resolver("fastcoref", model=str(tmp_path))


def test_weights_that_cannot_be_read_are_an_error_of_one_line(folder, tmp_path):
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes() if file.suffix == ".json" else b"nothing")
    with pytest.raises(PackageError, match="cannot be loaded") as caught:
        load_resolver("fastcoref", model=str(tmp_path))
    assert "\n" not in str(caught.value)


def test_a_model_that_is_nowhere_is_an_error_of_one_line(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(PackageError, match="'nobody/nothing' is neither a folder nor .*--coref-model"):
        describe_resolver("fastcoref", model="nobody/nothing")
    with pytest.raises(PackageError, match="neither a folder"):
        describe_resolver("fastcoref", model="no/such/folder")
