"""The real coreferee with random weights: its rules, its network and its chains are those that users get."""

from __future__ import annotations

import importlib
import json
import shutil
import sys

import pytest

from gistmill.transforms.coreference import describe_resolver, load_resolver
from gistmill.transforms.installed import PackageError
from gistmill.transforms.models import describe_model, load_model
from gistmill.transforms.parsing.plain import sentences_of
from tests.environments import needs_package
from tests.testing import parsed
from tests.transforms.coreference.tiny import coreferee_weights

pytestmark = needs_package("coreferee")

TEXT = (
    "Ann Lee founded the band in Rome in 1990. She left it when Bob Smith and Carl Jones joined. They said that they "
    "wanted her back. The band was sold by Jones, and he never saw its singer again. Bob hurt himself."
)


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    coreferee_weights(folder, load_model().nlp)
    return folder


@pytest.fixture
def installed(weights, monkeypatch):
    monkeypatch.syspath_prepend(str(weights))
    yield weights / "coreferee_model_en"
    for name in [n for n in sys.modules if n.startswith("coreferee_model_en")]:
        del sys.modules[name]
    importlib.invalidate_caches()


def words(sentences, cluster):
    return [" ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end]) for m in cluster]


def test_chains_become_clusters_of_whole_phrases(installed):
    sentences = sentences_of(load_model().nlp(TEXT))
    clusters = load_resolver("coreferee").resolve(sentences, title="Ann Lee")
    named = [words(sentences, c) for c in clusters]
    # grammar leaves no choice here, whatever the weights
    assert ["Ann Lee", "She", "her"] in named and ["Bob", "himself"] in named
    assert ["Bob Smith and Carl Jones", "They", "they"] in named
    kinds = {w: m.kind for c in clusters for w, m in zip(words(sentences, c), c, strict=True)}
    assert kinds["Ann Lee"] == "name" and kinds["She"] == "pronoun" and kinds["Bob Smith and Carl Jones"] == "nominal"
    assert all(m.confidence == 1.0 for c in clusters for m in c)


def test_the_parse_that_it_gets_is_the_parse_that_it_would_have_made(installed):
    """The same chains as those of coreferee's own component in a spaCy pipeline, head by head."""
    resolver = load_resolver("coreferee")
    doc = resolver._nlp(TEXT)
    assert "coreferee" in resolver._nlp.pipe_names
    sentences = sentences_of(doc)
    ours = resolver._doc(sentences)
    assert [t.morph for t in ours] == [t.morph for t in doc] and [t.pos_ for t in ours] == [t.pos_ for t in doc]
    assert ours.tensor.shape == doc.tensor.shape and abs(ours.tensor - doc.tensor).max() < 1e-4
    starts = [0]
    for s in sentences:
        starts.append(starts[-1] + len(s.tokens))
    heads = [{starts[m.sentence] + m.head for m in c} for c in resolver.resolve(sentences)]
    assert heads == [{m.root_index for m in chain} for chain in doc._.coref_chains]
    assert len(heads) > 2


def test_a_result_does_not_depend_on_what_was_resolved_before(installed):
    resolver = load_resolver("coreferee")
    nlp = load_model().nlp
    sentences = sentences_of(nlp(TEXT))
    first = resolver.resolve(sentences)
    resolver.resolve(sentences_of(nlp("The team lost its captain. He went to Paris.")))
    assert resolver.resolve(sentences) == first
    assert resolver.resolve(()) == ()


def test_an_error_inside_costs_the_document_its_clusters_and_is_told(installed, caplog):
    resolver = load_resolver("coreferee")
    broken = parsed("She|PRP|nsubj|2 left|VBD|ROOT|0 .|.|punct|2")
    resolver._annotator = None  # as good an error as any other
    assert resolver.resolve((broken,), title="Ann Lee") == ()
    assert "'Ann Lee'" in caplog.text


def test_the_record_names_the_weights(installed):
    (record,) = describe_resolver("coreferee")
    assert record["name"] == "coreferee" and record["weights"] == "coreferee_model_en.sm_3_8_0"
    assert set(record["files"]) == {"feature_table.bin", "model"} and len(record["sha256"]) == 64


def test_missing_weights_name_the_command(tmp_path, monkeypatch):
    with pytest.raises(PackageError, match="-m coreferee install en"):
        describe_resolver("coreferee")
    (tmp_path / "coreferee_model_en" / "sm_3_2_0").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PackageError, match="no weights for sm_3_8_0: .*--force-reinstall"):
        load_resolver("coreferee")


def test_weights_that_cannot_be_read_are_an_error_of_one_line(installed, capfd, tmp_path, monkeypatch):
    copy = tmp_path / "coreferee_model_en"
    shutil.copytree(installed, copy)
    (copy / "sm_3_8_0" / "model").write_bytes(b"not a model")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PackageError, match="coreferee cannot be loaded") as caught:
        load_resolver("coreferee")
    assert "\n" not in str(caught.value) and capfd.readouterr().out == ""


def test_a_spacy_model_that_it_does_not_know_is_an_error(tmp_path):
    copy = tmp_path / "model"
    shutil.copytree(describe_model().path, copy)
    meta = json.loads((copy / "meta.json").read_text())
    (copy / "meta.json").write_text(json.dumps(meta | {"name": "my_own"}))
    with pytest.raises(PackageError, match="not trained for .*: .*en_core_web_sm"):
        describe_resolver("coreferee", spacy_model=str(copy))
