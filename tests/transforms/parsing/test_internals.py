"""What the fast parser leans on, part by part: when a new spaCy or thinc changes one, this fails, not the rows."""

import ast
import dataclasses
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.ml.parser_model import ParserStepModel  # type: ignore[import-not-found]

import gistmill.transforms.parsing.plain as internals
from gistmill.transforms.models import describe_model, load_model
from gistmill.transforms.parsing.plain import ArcStates, Unsupported, decisive_digest, lemma_rules, take_apart

PACKAGE = Path(internals.__file__).parent


@pytest.fixture(scope="module")
def model():
    return load_model()


@pytest.fixture(scope="module")
def other():
    """A second copy, which tests change."""
    return load_model()


def pipe(model, name):
    return model.nlp.get_pipe(name)


def names(network):
    return [node.name for node in network.walk()]


# what is leaned on: where it is, and what is expected there
LEANED_ON = {
    "ParserStepModel.get_token_ids": lambda m: callable(ParserStepModel.get_token_ids),
    "Parser.moves.init_batch": lambda m: callable(pipe(m, "parser").moves.init_batch),
    "Parser.moves.n_moves": lambda m: pipe(m, "parser").moves.n_moves == 106,
    "Parser.transition_states": lambda m: callable(pipe(m, "parser").transition_states),
    "Parser.set_annotations": lambda m: callable(pipe(m, "parser").set_annotations),
    "Parser.postprocesses": lambda m: [f.__name__ for f in pipe(m, "parser").postprocesses] == ["deprojectivize"],
    "Parser.cfg: beam_width": lambda m: {pipe(m, n).cfg["beam_width"] for n in ("parser", "ner")} == {1},
    "EntityRecognizer.moves.get_class_name": lambda m: (
        {pipe(m, "ner").moves.get_class_name(i)[:2] for i in range(pipe(m, "ner").moves.n_moves)}
        == {"B-", "I-", "L-", "U-", "O"}
    ),
    "Tagger.cfg: overwrite": lambda m: pipe(m, "tagger").cfg["overwrite"] is False,
    "Tagger.model: softmax": lambda m: names(pipe(m, "tagger").model)[-1] == "softmax",
    "Tok2Vec.model: refs": lambda m: set(pipe(m, "tok2vec").model.ref_names) == {"embed", "encode"},
    "embed: columns": lambda m: (
        pipe(m, "tok2vec").model.get_ref("embed").layers[0].attrs["columns"]
        == ["NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE"]
    ),
    "encode: nodes": lambda m: (
        [names(pipe(m, "tok2vec").model.get_ref("encode")).count(n) for n in ("maxout", "layernorm", "expand_window")]
        == [4, 4, 4]
    ),
    "encode: pad": lambda m: pipe(m, "tok2vec").model.get_ref("encode").attrs["pad"] == 4,
    "parser_model: refs": lambda m: set(pipe(m, "ner").model.ref_names) == {"tok2vec", "lower", "upper"},
    "parser_model: attrs": lambda m: (
        pipe(m, "ner").model.attrs["has_upper"] and not pipe(m, "ner").model.attrs["unseen_classes"]
    ),
    "parser_model: layers": lambda m: pipe(m, "ner").model.layers[0].layers[0].has_ref("encode"),
    "Lemmatizer.cache": lambda m: isinstance(pipe(m, "lemmatizer").cache, dict),
    "Lemmatizer.lookups: lemma_index": lambda m: len(pipe(m, "lemmatizer").lookups.get_table("lemma_index")) == 4,
    "Vocab.lex_attr_getters": lambda m: isinstance(m.nlp.vocab.lex_attr_getters, dict),
    "Tokenizer.max_cache_size": lambda m: isinstance(m.nlp.tokenizer.max_cache_size, int),
}


def test_spacy_and_the_model_still_have_what_we_lean_on(model):
    for part, holds in LEANED_ON.items():
        assert holds(model), f"spaCy {spacy.__version__}: {part} is not what it was; mend {internals.__name__}"


# Names that stand for something private: of a module that spaCy does not document, and of a network's inside.
PRIVATE = {"get_param", "get_ref", "get_class_name", "walk", "moves", "transition_states", "lookups", "max_cache_size"}


def private_names(source):
    nodes = list(ast.walk(ast.parse(source)))
    modules = {n.module for n in nodes if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("spacy.ml")}
    return modules | {n.attr for n in nodes if isinstance(n, ast.Attribute) and n.attr in PRIVATE}


def test_one_module_alone_touches_private_parts():
    touched = {p.name: private_names(p.read_text(encoding="utf-8")) for p in PACKAGE.glob("*.py")}
    touched["fast.py"] -= {"moves"}  # the names of transitions, of Parts
    assert {name for name, found in touched.items() if found} == {"plain.py"}
    assert private_names("from spacy.ml.x import y\nz.walk()") == {"spacy.ml.x", "walk"}


def test_the_states_are_those_of_the_parser(model):
    docs = [model.nlp.make_doc(text) for text in ("One is here.", "Two.")]
    states = ArcStates(pipe(model, "parser"), docs)
    assert len(states.live) == 2
    assert states.token_ids()[:, :2].tolist() == [[0, 1], [4, 5]]  # the buffers' first tokens, texts end to end
    scores = np.zeros((2, pipe(model, "parser").moves.n_moves), np.float32)
    while states.live:
        states.advance(scores[: len(states.live)])
    states.annotate()
    assert all(doc.has_annotation("DEP") for doc in docs)


def test_the_lemmatizer_says_the_same_with_sets_and_without_a_doc(model, other):
    bare = [("mice", "NOUN"), ("Houses", "NOUN"), ("was", "AUX"), ("running", "VERB"), ("better", "ADJ"), ("x", "X")]
    base = [("News", "NOUN", "Number=Sing"), ("Houses", "NOUN", "Number=Plur"), ("best", "ADJ", "Degree=Pos")]
    words = [*((*word, "") for word in bare), *base]
    docs = [spacy.tokens.Doc(other.nlp.vocab, words=[w], pos=[p], morphs=[m]) for w, p, m in words]
    expected = [pipe(other, "lemmatizer")(doc)[0].lemma_ for doc in docs]
    assert list(map(lemma_rules(pipe(model, "lemmatizer")), *zip(*words, strict=True))) == expected
    assert expected == ["mouse", "house", *expected[2:6], "news", "house", "best"]


def test_of_new_words_no_more_is_computed_than_is_used(model, other):
    internals.tune_tokenizer(other.nlp, 10)
    whole, tuned = model.nlp.vocab["Zyxwv1"], other.nlp.vocab["Zyxwv1"]
    for attribute in ("norm_", "prefix_", "suffix_", "shape_", "lower_", "is_space"):
        assert getattr(tuned, attribute) == getattr(whole, attribute)
    assert whole.is_title and not tuned.is_title and other.nlp.vocab["\u2003"].is_space


def test_what_tells_of_a_model_does_not_decide():
    files = dict(describe_model().files)
    assert decisive_digest(files) in internals.MODELS
    assert decisive_digest({**files, "README.md": "0", "meta.json": "1"}) == decisive_digest(files)
    assert decisive_digest({**files, "ner/model": "0"}) not in internals.MODELS


def reshaped(model):
    norm = next(n for n in pipe(model, "tok2vec").model.walk() if n.name == "layernorm")
    norm.set_param("G", np.ones(5, np.float32))
    last = [n for n in pipe(model, "tok2vec").model.get_ref("encode").walk() if n.name == "layernorm"][-1]
    last.set_param("G", np.ones(5, np.float32))


# The last thing that is looked at comes first, so that each change is found before those that were made so far.
CHANGES = {
    "uses another scoring network": lambda model: pipe(model, "ner").model.attrs["unseen_classes"].add(3),
    "uses beam search": lambda model: pipe(model, "parser").cfg.update(beam_width=4),
    "a network has an unknown form": lambda model: pipe(model, "ner").model.layers.pop(0),
    "weights are of shape": reshaped,
    "uses other padding": lambda model: pipe(model, "tok2vec").model.get_ref("encode").attrs.update(pad=3),
    "a network embeds other": lambda model: (
        pipe(model, "tok2vec").model.get_ref("embed").layers[0].attrs.update(columns=["NORM"])
    ),
    "the tagger overwrites": lambda model: pipe(model, "tagger").cfg.update(overwrite=True),
    "the pipeline consists of": lambda model: model.nlp.select_pipes(disable="ner"),
}


def test_a_model_that_differs_is_not_supported(other):
    take_apart(other.nlp, other.info)
    for message, change in CHANGES.items():
        change(other)
        with pytest.raises(Unsupported, match=message):
            take_apart(other.nlp, other.info)


def test_other_releases_and_files_are_not_supported(model, monkeypatch):
    other = dataclasses.replace(model.info, files={**model.info.files, "parser/model": "0" * 64})
    with pytest.raises(Unsupported, match="is not en_core_web_sm 3.8.0"):
        take_apart(model.nlp, other)
    for package in ("spacy", "thinc"):
        with monkeypatch.context() as constants:
            constants.setitem(internals.FEATURE_RELEASES, package, "2.0")
            with pytest.raises(Unsupported, match=f"{package} is .*, not 2.0"):
                take_apart(model.nlp, model.info)
