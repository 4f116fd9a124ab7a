"""Functions that look up packages without loading them, and the errors for missing packages and models."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


class ModelError(RuntimeError):
    """The model is not installed, lacks a component, or has files other than the pinned ones."""


class PackageError(ModelError):
    """A package or its weights are missing or unusable; the message is one line that says how to fix it."""


def installed(package: str) -> str:
    """Returns the version of a package, or "" if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def installed_version(package: str, *, needed_by: str, install: str) -> str:
    """Returns the version of a package. Raises PackageError, with the ``install`` command, if it is not installed."""
    if not (found := installed(package)):
        raise PackageError(f"{needed_by} needs the package {package}: {install}")
    return found
