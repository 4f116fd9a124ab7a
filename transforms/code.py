"""The code that decides a result, as a SHA-256: of the modules that it takes, not of all of Gistmill.

A module counts as its syntax tree without comments and docstrings, so that a word in a comment makes nothing invalid.
Where it lies does not count either, so that a module can move. The tables and word lists next to a module, and in the
folder ``data`` next to it, count as their bytes.
"""

from __future__ import annotations

import ast
import hashlib
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable

_ABOVE = "gistmill."
ROOMS = ("core", "rules", "transforms")
# Forms of records, which decide nothing; other recipes' records lie there too.
_FORMS = frozenset({"gistmill.core.records", "gistmill.core.arithmetic", "gistmill.rules.documents"})
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Code:
    """``sha256`` of modules, and the versions of Python and of the ``packages`` that they import."""

    sha256: str
    packages: dict[str, str]


@lru_cache(maxsize=16)
def code_of(*roots: str, alone: tuple[str, ...] = ()) -> Code:
    """Returns the code of modules.

    Args:
        roots: names of modules; those of ROOMS that they import, and so on, belong to them.
        alone: names of modules of which only the text counts, and not what they import.

    Raises:
        FileNotFoundError: there is no such module.
    """
    digest, packages = hashlib.sha256(), {"python": ".".join(platform.python_version_tuple()[:2])}
    known = {name: _tree(name) for name in alone}
    waiting = list(roots)
    while waiting:
        if (name := waiting.pop()) not in known:
            known[name] = _tree(name)
            waiting += [found for found in _imported(known[name]) if _is_module(found) and found not in _FORMS]
    others = {*sys.stdlib_module_names, "typing_extensions", _top(_ABOVE)}
    for name, tree in known.items():
        if name not in alone:
            packages.update((p, v) for p in {*map(_top, _imported(tree))} - others if (v := installed(p)))
    for dump in sorted(ast.dump(_bare(tree)) for tree in known.values()):
        digest.update(f"{dump}\n".encode())
    for data in sorted(_data_of({_place(name)[0] for name in known})):
        digest.update(data.encode())
    return Code(digest.hexdigest(), dict(sorted(packages.items())))


def _place(name: str) -> tuple[Traversable, str]:
    """The folder of a module and the name of its file."""
    _, room, *inner = name.split(".")
    folder = files(f"{_ABOVE}{room}")
    place = folder.joinpath(*inner)  # of a package that became a module, a checkout keeps a folder of compiled files
    return (
        (place, "__init__.py")
        if (place / "__init__.py").is_file()
        else (folder.joinpath(*inner[:-1]), f"{inner[-1]}.py")
    )


def _tree(name: str) -> ast.Module:
    folder, file = _place(name)
    return ast.parse((folder / file).read_bytes())


def _data_of(folders: set[Traversable]) -> Iterator[str]:
    """Yields the SHA-256 of each file of words or numbers next to modules."""
    for place in (place for folder in folders for place in (folder, folder / "data") if place.is_dir()):
        for file in place.iterdir():
            if file.is_file() and not file.name.endswith((".py", ".pyc", ".md")):
                yield hashlib.sha256(file.read_bytes()).hexdigest()


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yields the names of modules that a tree imports, anywhere, and names that may be modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_module(name: str) -> bool:
    package, room, *inner = [*name.split("."), "", ""]
    if f"{package}." != _ABOVE or room not in ROOMS or not inner[0]:
        return False
    folder, inner = files(f"{_ABOVE}{room}"), inner[:-2]
    places = (folder.joinpath(*inner, "__init__.py"), folder.joinpath(*inner[:-1], f"{inner[-1]}.py"))
    return any(place.is_file() for place in places)


def _bare(tree: ast.Module) -> ast.Module:
    """The tree without docstrings, and without the places of our own modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_ABOVE):
            node.module = ""
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return tree


def _top(name: str) -> str:
    return name.partition(".")[0]


def installed(package: str) -> str:
    """Returns the version of a package, "" when it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
