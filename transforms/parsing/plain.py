"""Sentences from spaCy's Docs, as ``nlp.pipe`` makes them, and the parts of a spaCy model.

No other module takes a network apart or calls an undocumented spaCy function; each part used is listed in
``tests/transforms/parsing/test_internals.py``. ``take_apart`` raises Unsupported if a part differs from the description
here; the plain parser is then used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from spacy.attrs import IDS  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.ml.parser_model import ParserStepModel  # type: ignore[import-not-found]
from spacy.morphology import Morphology  # type: ignore[import-not-found]
from spacy.tokens import Doc, Span

from gistmill.rules.documents import Sentence, Token
from gistmill.transforms.models import ModelInfo

PIPE_BATCH = 64


class Passage(NamedTuple):
    """A text to parse and its position in the document."""

    text: str
    section: int = 0
    paragraph: int = 0


class PlainParser:
    """A parser that uses ``nlp.pipe``, with any model. A passage's sentences depend only on its text."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp

    def sentences(self, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """Returns the sentences of each passage; none for white space."""
        with self._nlp.memory_zone():
            docs = self._nlp.pipe((p.text for p in passages), batch_size=PIPE_BATCH)
            return [
                sentences_of(doc, section=p.section, paragraph=p.paragraph)
                for doc, p in zip(docs, passages, strict=True)
            ]

    def whole(self, texts: Sequence[str | Sequence[str]]) -> list[Sentence]:
        """Returns each text as one sentence, regardless of the parser's boundaries. A text is a string or a list of
        tokens; it must not be blank, and its only white space must be single spaces."""
        with self._nlp.memory_zone():
            docs = self._nlp.pipe((one_sentence(self._nlp, text) for text in texts), batch_size=PIPE_BATCH)
            found = [sentence_of(doc[:]) for doc in docs]
        return [sentence for sentence in found if sentence is not None]


def one_sentence(nlp: Language, text: str | Sequence[str]) -> Doc:
    """Returns a text, or its tokens, as a Doc that the parser will not split into sentences."""
    doc = nlp.make_doc(text) if isinstance(text, str) else Doc(nlp.vocab, words=list(text))
    for token in doc:
        token.is_sent_start = token.i == 0
    return doc


def sentence_of(span: Span, *, section: int = 0, paragraph: int = 0) -> Sentence | None:
    """Turns a spaCy sentence into a Sentence without white-space tokens; returns None if nothing else is left."""
    kept = [t for t in span if not t.is_space]
    if not kept:
        return None
    place = {t.i: k for k, t in enumerate(kept)}
    tokens = []
    for k, t in enumerate(kept):
        # a token becomes a root if its head is white space or outside the sentence
        head = place.get(t.head.i, k)
        space = bool(t.whitespace_) or (t.i + 1 < len(t.doc) and t.nbor().is_space)
        entity = f"{t.ent_iob_}-{t.ent_type_}" if t.ent_type_ else ""
        tokens.append(Token(t.text, space, t.tag_, t.pos_, t.dep_, head, t.lemma_, entity))
    return Sentence(tuple(tokens), section=section, paragraph=paragraph)


def sentences_of(doc: Doc, *, section: int = 0, paragraph: int = 0) -> list[Sentence]:
    """Turns a parsed spaCy Doc into Sentences."""
    made = (sentence_of(span, section=section, paragraph=paragraph) for span in doc.sents)
    return [s for s in made if s is not None]


Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.integer[Any]]

FEATURE_RELEASES = {"spacy": "3.8", "thinc": "8.3"}
# SHA-256 of the files that determine a model's output; see decisive_digest.
MODELS = {"96ac9e83067bafecae617c41fb4df599ccc1a7ba091e4c14def2c9f427bb5b9e": "en_core_web_sm 3.8.0"}
PIPELINE = ["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer", "ner"]
# Files that only describe a model, by their name in its folder.
_TELLING = frozenset({"LICENSE", "LICENSES_SOURCES", "README.md", "accuracy.json", "meta.json"})

WIDTH = 96  # of a token's vector
PIECES = 3  # of a maxout unit of the encoder
HIDDEN = 64  # of the network that scores transitions, whose maxout units have two pieces
# The attributes that a network embeds, in order; the entity recogniser uses a subset.
EMBEDDED = ("NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE")
ENTITY_EMBEDDED = EMBEDDED[:4]
PARSER_SLOTS, ENTITY_SLOTS = 8, 3  # the number of tokens that determine a state's scores


class Unsupported(Exception):
    """The fast parser does not support this model or this release of spaCy or thinc; the text names the difference."""


@dataclass(frozen=True, slots=True)
class Maxout:
    """A layer of maxout units, normalised.

    Attributes:
        weights: (inputs, pieces * width): the columns of every unit's first piece, then of the second and the third.
        bias: (pieces * width,), in the same order.
        gain: (width,), for the normalisation.
        shift: (width,), for the normalisation.
    """

    weights: Floats
    bias: Floats
    gain: Floats
    shift: Floats


@dataclass(frozen=True, slots=True)
class Encoding:
    """A network that computes a vector for each token of a text.

    Attributes:
        columns: the token attributes that it uses.
        tables: a thinc layer that maps attributes, of shape (tokens, columns), to (tokens, columns * width).
        mix: combines these into one vector.
        convolutions: layers that read three adjacent tokens each and add their output to the middle token's input.
    """

    columns: Sequence[str]
    tables: Any
    mix: Maxout
    convolutions: Sequence[Maxout]


@dataclass(frozen=True, slots=True)
class TransitionWeights:
    """The network that scores the transitions of a state.

    Attributes:
        narrow: (width, hidden) and (hidden,): the first layer for a token's vector.
        lower: (hidden, slots * pieces * hidden): the columns are grouped by slot, then by piece.
        missing: (slots * pieces * hidden,): the contribution of a slot without a token.
        bias: (pieces * hidden,), in that order.
        upper: (hidden, transitions) and (transitions,).
    """

    narrow: tuple[Floats, Floats]
    lower: Floats
    missing: Floats
    bias: Floats
    upper: tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Parts:
    """A model taken apart.

    Attributes:
        shared: the network whose vectors the tagger and the parser use.
        own: the entity recogniser's network.
        tagger: (width, tags) and (tags,).
        tags: the tags.
        arcs: the weights that score the parser's transitions.
        entities: the weights that score the entity recogniser's transitions.
        moves: the entity recogniser's transitions, such as ``B-ORG``.
    """

    shared: Encoding
    own: Encoding
    tagger: tuple[Floats, Floats]
    tags: Sequence[str]
    arcs: TransitionWeights
    entities: TransitionWeights
    moves: Sequence[str]


def take_apart(nlp: Language, info: ModelInfo) -> Parts:
    """Returns the parts of a loaded model.

    Raises:
        Unsupported: the model, the release of spaCy or thinc, or the form of a part is not supported.
    """
    check_releases(info)
    _need(nlp.pipe_names == PIPELINE, f"the pipeline consists of {', '.join(nlp.pipe_names)}")
    try:
        return _parts(*(nlp.get_pipe(name) for name in ("tok2vec", "tagger", "parser", "ner")))
    except (AttributeError, IndexError, KeyError, StopIteration, ValueError) as error:
        raise Unsupported(f"a network has an unknown form: {error!r}") from None


def _parts(tok2vec: Any, tagger: Any, parser: Any, ner: Any) -> Parts:
    _need(tagger.cfg["overwrite"] is False, "the tagger overwrites existing tags")
    _need([f.__name__ for f in parser.postprocesses] == ["deprojectivize"], "the parser uses other postprocessing")
    _need(len(ner.postprocesses) == 0, "the entity recogniser uses postprocessing")
    return Parts(
        shared=_encoding(tok2vec.model, EMBEDDED),
        own=_encoding(ner.model.layers[0].layers[0], ENTITY_EMBEDDED),
        tagger=_affine(_node(tagger.model, "softmax"), len(tagger.labels), WIDTH),
        tags=tuple(tagger.labels),
        arcs=_transition_weights(parser, PARSER_SLOTS),
        entities=_transition_weights(ner, ENTITY_SLOTS),
        moves=tuple(ner.moves.get_class_name(i) for i in range(ner.moves.n_moves)),
    )


def check_releases(info: ModelInfo) -> None:
    """Raises Unsupported unless spaCy, thinc and the model's files are supported; does not load the model."""
    for package, release in FEATURE_RELEASES.items():
        _need(version(package).startswith(f"{release}."), f"{package} is {version(package)}, not {release}")
    _need(decisive_digest(info.files) in MODELS, f"{info.name} {info.version} is not {' or '.join(MODELS.values())}")


def decisive_digest(files: Mapping[str, str]) -> str:
    """Returns one SHA-256 for the files that determine a model's output, from the SHA-256 of each file."""
    decisive = sorted((name, digest) for name, digest in files.items() if name not in _TELLING)
    return hashlib.sha256("".join(f"{n} {d}\n" for n, d in decisive).encode()).hexdigest()


def _encoding(tok2vec: Any, columns: Sequence[str]) -> Encoding:
    embed, encode = tok2vec.get_ref("embed"), tok2vec.get_ref("encode")
    _need(tuple(embed.layers[0].attrs["columns"]) == tuple(columns), "a network embeds other attributes")
    maxouts = [n for n in encode.walk() if n.name == "maxout"]
    norms = [n for n in encode.walk() if n.name == "layernorm"]
    # each layer reads one more token on either side, so as many rows of zeros separate two texts
    _need(encode.attrs["pad"] == len(maxouts) == len(norms), "an encoder uses other padding")
    windows = {n.attrs["window_size"] for n in encode.walk() if n.name == "expand_window"}
    _need(windows == {1}, "an encoder's window size differs")
    tables, mix = (layer.layers[0] for layer in embed.layers[2:4])
    _need(
        {n.name for n in tables.walk() if not n.layers} == {"ints-getitem", "hashembed"},
        "a network uses other embedding layers",
    )
    return Encoding(
        columns=columns,
        tables=tables,
        mix=_maxout(_node(mix, "maxout"), _node(mix, "layernorm"), len(columns) * WIDTH),
        convolutions=[_maxout(m, n, 3 * WIDTH) for m, n in zip(maxouts, norms, strict=True)],
    )


def _maxout(maxout: Any, norm: Any, inputs: int) -> Maxout:
    weights = _shaped(maxout.get_param("W"), WIDTH, PIECES, inputs).transpose(2, 1, 0).reshape(inputs, -1)
    bias = _shaped(maxout.get_param("b"), WIDTH, PIECES).T.reshape(-1)
    gain, shift = (_shaped(norm.get_param(name), WIDTH) for name in "Gb")
    return Maxout(np.ascontiguousarray(weights), np.ascontiguousarray(bias), gain, shift)


def _transition_weights(pipe: Any, slots: int) -> TransitionWeights:
    model, moves = pipe.model, pipe.moves.n_moves
    _need(pipe.cfg["beam_width"] == 1, f"the {pipe.name} uses beam search")
    _need(
        model.attrs["has_upper"] and not model.attrs["unseen_classes"], f"the {pipe.name} uses another scoring network"
    )
    lower = model.get_ref("lower")
    weights = _shaped(lower.get_param("W"), slots, HIDDEN, 2, HIDDEN).transpose(3, 0, 2, 1).reshape(HIDDEN, -1)
    missing = _shaped(lower.get_param("pad"), 1, slots, HIDDEN, 2)[0].transpose(0, 2, 1).reshape(-1)
    return TransitionWeights(
        narrow=_affine(_node(model.layers[0], "linear"), HIDDEN, WIDTH),
        lower=np.ascontiguousarray(weights),
        missing=np.ascontiguousarray(missing),
        bias=np.ascontiguousarray(_shaped(lower.get_param("b"), HIDDEN, 2).T.reshape(-1)),
        upper=_affine(model.get_ref("upper"), moves, HIDDEN),
    )


def _affine(layer: Any, outputs: int, inputs: int) -> tuple[Floats, Floats]:
    weights = _shaped(layer.get_param("W"), outputs, inputs)
    return np.ascontiguousarray(weights.T), _shaped(layer.get_param("b"), outputs)


def _node(model: Any, name: str) -> Any:
    return next(n for n in model.walk() if n.name == name)


def _shaped(array: Floats, *shape: int) -> Floats:
    _need(array.shape == shape and array.dtype == np.float32, f"weights are of shape {array.shape}, not {shape}")
    return array


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise Unsupported(what)


class ArcStates:
    """spaCy's arc-eager states for several texts, advanced together.

    spaCy's own loop scores and advances them too, but takes Python's lock several times per step.
    """

    def __init__(self, parser: Any, docs: Sequence[Doc]) -> None:
        self._parser = parser
        self._docs = docs
        self._states = parser.moves.init_batch(docs)
        self.live: list[Any] = [s for s in self._states if not s.is_final()]
        step = ParserStepModel.__new__(ParserStepModel)  # only its token IDs are needed, not its matrices
        step.state2vec = SimpleNamespace(nF=PARSER_SLOTS)
        self._token_ids = partial(ParserStepModel.get_token_ids, step)

    def token_ids(self) -> npt.NDArray[np.int32]:
        """Returns the tokens that determine the scores of the unfinished states, of shape (live, slots): positions in
        the concatenated texts, or -1 for none."""
        ids: npt.NDArray[np.int32] = self._token_ids(self.live)
        return ids

    def advance(self, scores: Floats) -> None:
        """Applies the best valid transition to each unfinished state; ``scores`` has shape (live, transitions)."""
        self.live = self._parser.transition_states(self.live, scores)

    def annotate(self) -> None:
        """Writes heads, labels and sentence starts to the Docs."""
        self._parser.set_annotations(self._docs, self._states)


def lemma_rules(lemmatizer: Any) -> Callable[[str, str, str], str]:
    """Returns spaCy's rules for the lemma of a text with a given part of speech and morphology, without a Doc."""
    # turn the lists of base forms (such as 40,000 nouns), which would be searched linearly, into sets
    index = lemmatizer.lookups.get_table("lemma_index")
    for pos, forms in list(index.items()):
        index[pos] = frozenset(forms)

    def lemma(text: str, pos: str, morph: str) -> str:
        lemmatizer.cache.clear()  # it would grow without limit
        features = SimpleNamespace(key=morph, to_dict=partial(Morphology.feats_to_dict, morph))
        word = SimpleNamespace(text=text, orth=text, pos=pos, pos_=pos, morph=features)
        return str(lemmatizer.lemmatize(word)[0])

    return lemma


def tune_tokenizer(nlp: Language, number: int) -> None:
    """Makes the tokenizer cache ``number`` words and their tokens, and compute for new words only the features that the
    networks embed and ruler patterns test; testing for addresses and numbers takes twice as long."""
    tokenizer: Any = nlp.tokenizer
    tokenizer.max_cache_size = number
    getters = tokenizer.vocab.lex_attr_getters
    for attribute in getters.keys() - {IDS[name] for name in ("LOWER", *EMBEDDED)}:
        del getters[attribute]
