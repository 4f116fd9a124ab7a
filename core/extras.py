"""Gistmill's extras: the commands that install them and the message for a missing one."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires

# Modules that `pip install gistmill` does not install, with the extra that does.
EXTRA_OF = {
    **dict.fromkeys(("lxml", "resiliparse", "trafilatura"), "news"),
    **dict.fromkeys(
        ("apache_beam", "fastwarc", "prometheus_client", "pyarrow", "requests", "urllib3", "zstandard"), "pipelines"
    ),
    "matplotlib": "plot",
    **dict.fromkeys(("starlette", "uvicorn"), "explore"),
    **dict.fromkeys(("ctranslate2", "fastapi"), "serve"),
}


class MissingExtra(ImportError):
    """A package from an extra is missing; the message is one line and states how to install it."""


@contextmanager
def extra_for(what: str, extra: str | None = None) -> Iterator[None]:
    """Raises MissingExtra instead if an import fails in the block and an extra provides the module.

    Args:
        what: the feature that needs the module, for the message.
        extra: the extra that the feature needs; by default, the one that provides the module.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRA_OF:
            raise
        named = extra or EXTRA_OF[module]
        raise MissingExtra(f"{what} needs gistmill[{named}]: {install_extra(named)}") from None


_OWN = "gistmill"
_WITHIN = re.compile(r"gistmill\[(.+)\]")  # an extra that includes others


def pip_install(*arguments: str) -> str:
    """Returns the command that installs packages for this Python, regardless of the active environment."""
    return shlex.join([sys.executable, "-m", "pip", "install", *arguments])


def install_extra(extra: str) -> str:
    """Returns the command that installs one of Gistmill's extras.

    It lists the packages instead of ``gistmill[EXTRA]``, so that it works for a checkout, a wheel and an image.

    Raises:
        ValueError: the extra is unknown.
    """
    try:
        packages = list(_packages(extra))
    except PackageNotFoundError:  # the modules are on the path but not installed
        return f"{pip_install(f'.[{extra}]')}, in a checkout"
    if not packages:
        raise ValueError(f"unknown extra {extra!r}")
    return pip_install(*packages)


def _packages(extra: str) -> Iterator[str]:
    for line in requires(_OWN) or ():
        package, _, marker = line.partition("; ")
        if marker != f'extra == "{extra}"':
            continue
        if inner := _WITHIN.fullmatch(package):
            for name in inner[1].split(","):
                yield from _packages(name)
        else:
            yield package
