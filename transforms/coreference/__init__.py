"""The one adapter behind which coreference sits: ``--coref NAME``. The sieve is our own; the others are packages that
users install, and none of them is imported before it is asked for."""
from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from rules.records import Mention, Sentence
from transforms.models import ModelError


class Resolver(Protocol):
    """What a coreference system must offer."""

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, each in text order; ``title`` names the document's subject."""


class ResolverError(ModelError):
    """A resolver's package or weights are missing or of no use; the text is one line with the remedy."""


def _sieve(model: str | None, spacy_model: str | None) -> Resolver:
    from rules.coreference.sieve import Sieve

    return Sieve()


def _minilm(model: str | None, spacy_model: str | None) -> Resolver:
    from transforms.coreference.minilm import weights

    weights.describe()  # the import below needs the packages
    from transforms.coreference.minilm.resolver import load_minilm

    return load_minilm()


def _fastcoref(model: str | None, spacy_model: str | None) -> Resolver:
    from transforms.coreference.fastcoref import FastCoref

    return FastCoref(model)


def _coreferee(model: str | None, spacy_model: str | None) -> Resolver:
    from transforms.coreference.coreferee import Coreferee

    return Coreferee(spacy_model)


_RESOLVERS = {"none": lambda model, spacy_model: None, "sieve": _sieve, "minilm": _minilm,
              "fastcoref": _fastcoref, "coreferee": _coreferee}
NAMES = tuple(_RESOLVERS)


def check_resolver(name: str, *, model: str | None = None) -> None:
    """Checks a choice, without looking whether it is installed.

    Raises:
        ValueError: no resolver has that name, or it takes no model.
    """
    if name not in _RESOLVERS:
        raise ValueError(f"no coreference resolver is called {name!r}; there are {', '.join(NAMES)}")
    if model is not None and name != "fastcoref":
        raise ValueError(f"--coref-model {model} is for --coref fastcoref, not for {name}")


def load_resolver(name: str, *, model: str | None = None, spacy_model: str | None = None) -> Resolver | None:
    """Makes the resolver called ``name``; None for ``none``.

    Args:
        name: one of NAMES.
        model: weights of ``fastcoref``, a folder or a model of the Hugging Face Hub; None takes its default.
        spacy_model: the model that parses, as in ``transforms.models``; ``coreferee`` has weights for some.

    Raises:
        ValueError: see ``check_resolver``.
        ModelError: its package, its weights or the spaCy model are missing or of no use.
    """
    check_resolver(name, model=model)
    return _RESOLVERS[name](model, spacy_model)


def describe_resolver(name: str, *, model: str | None = None, spacy_model: str | None = None) -> list[dict[str, Any]]:
    """Makes sure that package and weights of a resolver are there, without loading them.

    Returns the manifest's records of them: name, version, SHA-256; none for what is part of gistmill.

    Raises:
        ValueError, ModelError: as ``load_resolver``.
    """
    check_resolver(name, model=model)
    if name == "fastcoref":
        from transforms.coreference import fastcoref

        return fastcoref.describe(model)
    if name == "minilm":
        from transforms.coreference.minilm import weights

        return weights.describe()
    if name == "coreferee":
        from transforms.coreference import coreferee

        return coreferee.describe(spacy_model)
    return []


def installed_version(package: str, *, needed_by: str, install: str) -> str:
    """Returns the version of an installed package.

    Raises:
        ResolverError: it is not installed; the text names the command that does it.
    """
    try:
        return version(package)
    except PackageNotFoundError:
        raise ResolverError(f"{needed_by} needs the package {package}: {install}") from None
