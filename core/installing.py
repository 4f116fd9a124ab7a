"""Commands that install packages, as a person can run them: no index has to have Gistmill itself."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires

_OWN = "gistmill"
_WITHIN = re.compile(r"gistmill\[(.+)\]")  # an extra that asks for others


def pip_install(*arguments: str) -> str:
    """Returns the command that installs packages where this Python looks for them, whatever is activated."""
    return shlex.join([sys.executable, "-m", "pip", "install", *arguments])


def install_extra(extra: str) -> str:
    """Returns the command that installs what an extra of Gistmill asks for.

    It names the packages and not ``gistmill[EXTRA]``: so it is right for a checkout, a wheel and an image.

    Raises:
        ValueError: there is no such extra.
    """
    try:
        packages = list(_packages(extra))
    except PackageNotFoundError:  # Python finds the modules without an installation
        return f"{pip_install(f'.[{extra}]')}, in a checkout"
    if not packages:
        raise ValueError(f"there is no extra {extra!r}")
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
