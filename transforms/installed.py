"""The packages that models need, and the errors where a package or a model is missing. It loads nothing."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


class ModelError(RuntimeError):
    """The model is not installed, lacks a component, or its files are not the pinned ones."""


class PackageError(ModelError):
    """A package or its weights are missing or unusable; the text is one line with the remedy."""


def installed(package: str) -> str:
    """Returns the version of a package, "" when it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def installed_version(package: str, *, needed_by: str, install: str) -> str:
    """Returns the version of an installed package.

    Raises:
        PackageError: it is not installed; the text names the command that does it.
    """
    if not (found := installed(package)):
        raise PackageError(f"{needed_by} needs the package {package}: {install}")
    return found
