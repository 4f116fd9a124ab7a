"""What extras of Gistmill bring: the commands that install them, and the line for one that is missing."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires

# Modules that `pip install gistmill` does not bring, and the extra that does.
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
    """A package of an extra is missing; the text is one line with the remedy."""


@contextmanager
def extra_for(what: str, extra: str | None = None) -> Iterator[None]:
    """Raises MissingExtra in the place of an import that fails in the block, if an extra brings the module.

    Args:
        what: needs the module, for the line.
        extra: that brings all of it; by default the one of the module.
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
_WITHIN = re.compile(r"gistmill\[(.+)\]")  # an extra that asks for others


def pip_install(*arguments: str) -> str:
    """Returns the command that installs packages where this Python looks for them, whatever is activated."""
    return shlex.join([sys.executable, "-m", "pip", "install", *arguments])


def install_extra(extra: str) -> str:
    """Returns the command that installs an extra of Gistmill.

    It names the packages and not ``gistmill[EXTRA]``: so it is right for a checkout, a wheel and an image.

    Raises:
        ValueError: the extra is unknown.
    """
    try:
        packages = list(_packages(extra))
    except PackageNotFoundError:  # Python finds the modules without an installation
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
