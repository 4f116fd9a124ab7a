"""The packages that resolvers and taggers need, and the error where one is missing."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from gistmill.transforms.models import ModelError


class PackageError(ModelError):
    """A package or its weights are missing or unusable; the text is one line with the remedy."""


def installed_version(package: str, *, needed_by: str, install: str) -> str:
    """Returns the version of an installed package.

    Raises:
        PackageError: it is not installed; the text names the command that does it.
    """
    try:
        return version(package)
    except PackageNotFoundError:
        raise PackageError(f"{needed_by} needs the package {package}: {install}") from None
