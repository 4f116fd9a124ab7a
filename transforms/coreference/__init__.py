"""The coreference resolvers that ``--coref NAME`` chooses from; none is imported before it is chosen.

Packages bring resolvers of their own by entry points of the group ``gistmill.resolvers``: functions without arguments
that return a Resolver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

from gistmill.rules.documents import Mention, Sentence
from gistmill.transforms.installed import PackageError
from gistmill.transforms.models import data_checksums


class Resolver(Protocol):
    """The interface of a coreference resolver."""

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, each in text order; ``title`` names the document's subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """A resolver that can be chosen.

    Attributes:
        load: makes it.
        describe: returns the manifest's records of its weights, of the version of gistmill, and raises PackageError
            where a package or weights are missing.
        code: the modules of Gistmill that resolve.
    """

    load: Callable[[], Resolver | None]
    describe: Callable[[str], list[dict[str, Any]]]
    code: tuple[str, ...]


def _sieve() -> Resolver:
    from gistmill.rules.coreference.scorer import Sieve

    return Sieve()


def _describe_sieve(version: str) -> list[dict[str, Any]]:
    return [{"name": "sieve", "version": version, "files": data_checksums("gistmill.rules.coreference")}]


def _minilm() -> Resolver:
    from gistmill.transforms.coreference.minilm import encoder

    encoder.describe()  # the import below needs the packages
    from gistmill.transforms.coreference.minilm.resolver import load_minilm

    return load_minilm()


def _describe_minilm(version: str) -> list[dict[str, Any]]:
    from gistmill.transforms.coreference.minilm import encoder

    return [*_describe_sieve(version), *encoder.describe()]  # it asks the sieve first


def _of_package(entry: EntryPoint) -> _Choice:
    """The resolver of a package. The version of the package stands for its code and weights."""
    package, of_package = (entry.dist.name, entry.dist.version) if entry.dist else ("", "")

    def checked(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:  # it is another's code
            raise PackageError(
                f"the coreference resolver {entry.value} of the package {package} cannot be used: "
                f"{' '.join(str(error).split())}"
            ) from None

    def describe(version: str) -> list[dict[str, Any]]:
        checked(entry.load)
        return [{"name": entry.name, "version": of_package, "files": {}, "packages": {package: of_package}}]

    return _Choice(load=lambda: checked(lambda: entry.load()()), describe=describe, code=())


GROUP = "gistmill.resolvers"
_OF_GISTMILL = {
    "none": _Choice(load=lambda: None, describe=lambda version: [], code=()),
    "sieve": _Choice(load=_sieve, describe=_describe_sieve, code=("gistmill.rules.coreference.scorer",)),
    "minilm": _Choice(
        load=_minilm, describe=_describe_minilm, code=("gistmill.transforms.coreference.minilm.resolver",)
    ),
}
_OF_PACKAGES = {
    entry.name: _of_package(entry) for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
}
_RESOLVERS = _OF_GISTMILL | {name: choice for name, choice in _OF_PACKAGES.items() if name not in _OF_GISTMILL}
NAMES = tuple(_RESOLVERS)


def _choice(name: str) -> _Choice:
    if name not in _RESOLVERS:
        raise ValueError(f"no coreference resolver is called {name!r}; there are {', '.join(NAMES)}")
    return _RESOLVERS[name]


def resolver_code(name: str) -> tuple[str, ...]:
    """Returns the names of the modules of Gistmill that resolve as the resolver called ``name`` does."""
    return _choice(name).code


def load_resolver(name: str) -> Resolver | None:
    """Makes the resolver called ``name``, one of NAMES; None for ``none``.

    Raises:
        ValueError: no resolver has that name.
        PackageError: its package or its weights are missing or unusable.
    """
    return _choice(name).load()


def describe_resolver(name: str, *, version: str = "") -> list[dict[str, Any]]:
    """Makes sure that package and weights of a resolver are there, without loading them.

    Args:
        name: one of NAMES.
        version: of gistmill, for weights that come with it.

    Returns the manifest's records of them: name, version, SHA-256.

    Raises:
        ValueError, PackageError: as ``load_resolver``.
    """
    return _choice(name).describe(version)
