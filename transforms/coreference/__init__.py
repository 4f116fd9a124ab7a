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


@dataclass(frozen=True, slots=True)
class _Choice:
    """A resolver that can be chosen: ``load`` makes it. ``describe`` returns the manifest's records of its weights, of
    the version of gistmill, and raises PackageError where a package or weights are missing."""

    load: Callable[[], Resolver | None]
    describe: Callable[[str], list[dict[str, Any]]]


def _sieve() -> Resolver:
    from gistmill.rules.coreference.scorer import Sieve

    return Sieve()


def _describe_sieve(version: str) -> list[dict[str, Any]]:
    return [{"name": "sieve", "version": version, "files": data_checksums("gistmill.rules.coreference")}]


def _minilm() -> Resolver:
    from gistmill.transforms.coreference.minilm.resolver import load_minilm

    return load_minilm()


def _describe_minilm(version: str) -> list[dict[str, Any]]:
    from gistmill.transforms.coreference.minilm.resolver import describe

    return [*_describe_sieve(version), *describe()]  # it asks the sieve first


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

    return _Choice(lambda: checked(lambda: entry.load()()), describe)


GROUP = "gistmill.resolvers"
_OF_PACKAGES = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
_OF_GISTMILL = {
    "none": _Choice(lambda: None, lambda version: []),
    "sieve": _Choice(_sieve, _describe_sieve),
    "minilm": _Choice(_minilm, _describe_minilm),
}
_RESOLVERS = _OF_GISTMILL | {e.name: _of_package(e) for e in _OF_PACKAGES if e.name not in _OF_GISTMILL}
NAMES = tuple(_RESOLVERS)


def _choice(name: str) -> _Choice:
    if name not in _RESOLVERS:
        raise ValueError(f"no coreference resolver is called {name!r}; there are {', '.join(NAMES)}")
    return _RESOLVERS[name]


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
