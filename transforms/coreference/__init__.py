"""The coreference resolvers that ``--coref NAME`` chooses from. The sieve is part of gistmill; the others are packages
that users install, and none of them is imported before it is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gistmill.rules.documents import Mention, Sentence
from gistmill.transforms.models import data_checksums


class Resolver(Protocol):
    """The interface of a coreference resolver."""

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, each in text order; ``title`` names the document's subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """A resolver that can be chosen.

    Attributes:
        load: makes it, of the names of its weights and of the spaCy model.
        describe: returns the manifest's records of its weights, of these names and the version of gistmill, and raises
            ModelError where a package or weights are missing.
        code: the modules that resolve.
        takes_model: whether its weights can be chosen.
    """

    load: Callable[[str | None, str | None], Resolver | None]
    describe: Callable[[str | None, str | None, str], list[dict[str, Any]]]
    code: tuple[str, ...]
    takes_model: bool = False


def _sieve(model: str | None, spacy_model: str | None) -> Resolver:
    from gistmill.rules.coreference.sieve import Sieve

    return Sieve()


def _describe_sieve(model: str | None, spacy_model: str | None, version: str) -> list[dict[str, Any]]:
    return [{"name": "sieve", "version": version, "files": data_checksums("gistmill.rules.coreference")}]


def _minilm(model: str | None, spacy_model: str | None) -> Resolver:
    from gistmill.transforms.coreference.minilm import encoder

    encoder.describe()  # the import below needs the packages
    from gistmill.transforms.coreference.minilm.resolver import load_minilm

    return load_minilm()


def _describe_minilm(model: str | None, spacy_model: str | None, version: str) -> list[dict[str, Any]]:
    from gistmill.transforms.coreference.minilm import encoder

    return [*_describe_sieve(model, spacy_model, version), *encoder.describe()]  # it asks the sieve first


def _fastcoref(model: str | None, spacy_model: str | None) -> Resolver:
    from gistmill.transforms.coreference.fastcoref import FastCoref

    return FastCoref(model)


def _describe_fastcoref(model: str | None, spacy_model: str | None, version: str) -> list[dict[str, Any]]:
    from gistmill.transforms.coreference import fastcoref

    return fastcoref.describe(model)


def _coreferee(model: str | None, spacy_model: str | None) -> Resolver:
    from gistmill.transforms.coreference.coreferee import Coreferee

    return Coreferee(spacy_model)


def _describe_coreferee(model: str | None, spacy_model: str | None, version: str) -> list[dict[str, Any]]:
    from gistmill.transforms.coreference import coreferee

    return coreferee.describe(spacy_model)


_RESOLVERS = {
    "none": _Choice(load=lambda model, spacy_model: None, describe=lambda model, spacy_model, version: [], code=()),
    "sieve": _Choice(load=_sieve, describe=_describe_sieve, code=("gistmill.rules.coreference.sieve",)),
    "minilm": _Choice(
        load=_minilm, describe=_describe_minilm, code=("gistmill.transforms.coreference.minilm.resolver",)
    ),
    "fastcoref": _Choice(
        load=_fastcoref,
        describe=_describe_fastcoref,
        code=("gistmill.transforms.coreference.fastcoref",),
        takes_model=True,
    ),
    "coreferee": _Choice(
        load=_coreferee, describe=_describe_coreferee, code=("gistmill.transforms.coreference.coreferee",)
    ),
}
NAMES = tuple(_RESOLVERS)


def check_resolver(name: str, *, model: str | None = None) -> None:
    """Checks a choice, without looking whether it is installed.

    Raises:
        ValueError: no resolver has that name, or it takes no model.
    """
    if name not in _RESOLVERS:
        raise ValueError(f"no coreference resolver is called {name!r}; there are {', '.join(NAMES)}")
    if model is not None and not _RESOLVERS[name].takes_model:
        able = " or ".join(n for n, choice in _RESOLVERS.items() if choice.takes_model)
        raise ValueError(f"the coreference resolver {name} takes no weights such as {model}; {able} does")


def resolver_code(name: str) -> tuple[str, ...]:
    """Returns the names of the modules that resolve as the resolver called ``name`` does."""
    return _RESOLVERS[name].code


def load_resolver(name: str, *, model: str | None = None, spacy_model: str | None = None) -> Resolver | None:
    """Makes the resolver called ``name``; None for ``none``.

    Args:
        name: one of NAMES.
        model: weights of ``fastcoref``, a folder or a model of the Hugging Face Hub; None takes its default.
        spacy_model: the model that parses, as in ``gistmill.transforms.models``; ``coreferee`` has weights for some.

    Raises:
        ValueError: see ``check_resolver``.
        ModelError: its package, its weights or the spaCy model are missing or unusable.
    """
    check_resolver(name, model=model)
    return _RESOLVERS[name].load(model, spacy_model)


def describe_resolver(
    name: str, *, model: str | None = None, spacy_model: str | None = None, version: str = ""
) -> list[dict[str, Any]]:
    """Makes sure that package and weights of a resolver are there, without loading them.

    Args:
        name, model, spacy_model: as for ``load_resolver``.
        version: of gistmill, for weights that come with it.

    Returns the manifest's records of them: name, version, SHA-256.

    Raises:
        ValueError, ModelError: as ``load_resolver``.
    """
    check_resolver(name, model=model)
    return _RESOLVERS[name].describe(model, spacy_model, version)
