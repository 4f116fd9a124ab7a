"""Who calls what in `rules/discofuse`: callers of a function, and what nothing calls once some functions are gone."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

ROOM = "gistmill.rules.discofuse"
_FOLDER = Path(__file__).parents[1] / "rules" / "discofuse"
_ELSEWHERE = ("rules", "transforms", "pipelines", "training", "serving", "explorer", "published", "gistmill")

Calls = Mapping[str, frozenset[str]]  # of a function, by `module.name`: where it is named


def calls(folder: Path = _FOLDER) -> dict[str, frozenset[str]]:
    """Returns the functions of the room with the places that name them: functions of the room, `module.` where a module
    names them outside functions, and `elsewhere` for another room. A method is named by every attribute of its name.
    """
    trees = {
        _module(path, folder): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))
    }
    functions = {name for module, tree in trees.items() for name, _ in _functions(module, tree)}
    methods = _methods(functions)
    found: dict[str, set[str]] = defaultdict(set)
    for module, tree in trees.items():
        known = _imported(tree) | {n.rpartition(".")[2]: n for n in functions if n.rpartition(".")[0] == module}
        for place, node in _places(module, tree):
            for name in _named(node, known, methods):
                found[name].add(place)
    for name in _named_elsewhere(folder):
        found[name].add("elsewhere")
    return {name: frozenset(found[name] - {name}) for name in sorted(functions)}


def _methods(functions: Collection[str]) -> dict[str, set[str]]:
    """The functions of classes, by their own names."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in functions:
        owner = name.rsplit(".", 2)[-2]
        if owner.lstrip("_")[:1].isupper():
            found[name.rpartition(".")[2]].add(name)
    return found


def useless(gone: Collection[str], named: Calls) -> set[str]:
    """Returns the functions that only those in ``gone`` name, and those that only these name, and so on."""
    out: set[str] = set()
    while True:
        more = {n for n, at in named.items() if at and n not in out and n not in gone and at <= {*gone, *out}}
        if not more:
            return out
        out |= more


def _module(path: Path, folder: Path) -> str:
    return ".".join(path.relative_to(folder).with_suffix("").parts)


def _functions(module: str, tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield f"{module}.{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{module}.{node.name}.{n.name}", n) for n in node.body if isinstance(n, ast.FunctionDef))


def _places(module: str, tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    functions = dict(_functions(module, tree))
    yield from functions.items()
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            yield f"{module}.", node


def _imported(tree: ast.Module) -> dict[str, str]:
    """What the names that a module imports from the room stand for; a module is there with a dot behind it or not."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(ROOM):
            below = (node.module or "").removeprefix(ROOM).lstrip(".")
            for alias in node.names:
                found[alias.asname or alias.name] = f"{below}.{alias.name}".lstrip(".")
    return found


def _named(node: ast.AST, known: Mapping[str, str], methods: Mapping[str, Collection[str]]) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in known:
            yield known[part.id]
        elif isinstance(part, ast.Attribute):
            yield from methods.get(part.attr, ())
            if isinstance(part.value, ast.Name) and part.value.id in known:
                yield f"{known[part.value.id]}.{part.attr}"


def _named_elsewhere(folder: Path) -> Iterator[str]:
    for room in _ELSEWHERE:
        for path in (folder.parents[1] / room).rglob("*.py"):
            if path.is_relative_to(folder):
                continue
            text = path.read_text(encoding="utf-8")
            if ROOM in text:
                tree = ast.parse(text)
                yield from _named(tree, _imported(tree), {})
