"""The checks of `rules/discofuse`: where they stand in the source, and their code without some of them.

A check is a function that answers by a bool, a Reason or None, or something or None. One way through such a function is
a check too: a statement below an `if` that returns or goes on, or one operand of an `or` that decides. Names do not
hang on lines: `insertions.apposition.find`, and `insertions.apposition.find:3` for its third way.
"""

from __future__ import annotations
import __future__

import ast
import copy
import importlib
import inspect
import pkgutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import gistmill.rules.discofuse as room

RECORD = "__record_check__"  # the global by which recorded code reports
_FUTURE = __future__.annotations.compiler_flag
_LEFT_OUT = ("config", "recipe", "figures", "edits", "derivation", "balance", "released")  # they judge no candidate


@dataclass(frozen=True, slots=True)
class Source:
    """A function with its tree; ``module`` is its place below the room, and ``name`` is `module.function`."""

    module: str
    name: str
    function: FunctionType
    tree: ast.FunctionDef
    kind: str


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Attributes:
        id: its name.
        kind: `bool`, `reason` or `found` by what the function returns; `way` for a part of one.
        lines: lines of the function, or of the statement or operand.
        source: where that stands.
        number: of a way; 0 for the function.
        text: the source of a way.
    """

    id: str
    kind: str
    lines: int
    source: Source = field(repr=False)
    number: int = 0
    text: str = ""


def modules() -> Iterator[tuple[str, ModuleType]]:
    """Yields the modules of the rules, by their names below the room."""
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        name = found.name.removeprefix(f"{room.__name__}.")
        if not found.ispkg and name not in _LEFT_OUT:
            yield name, importlib.import_module(found.name)


def sources() -> list[Source]:
    """Returns the functions that may be checks, in the order of modules and lines. Cached functions are none: they look
    words up."""
    found = []
    for name, module in modules():
        tree = ast.parse(Path(inspect.getsourcefile(module) or "").read_text(encoding="utf-8"))
        for owner, node in _definitions(tree):
            kind = kind_of(ast.unparse(node.returns) if node.returns else "")
            function = _object(getattr(module, owner) if owner else module, node.name)
            if kind and function is not None:
                full = ".".join(filter(None, (name, owner, node.name)))
                found.append(Source(name, full, function, node, kind))
    return found


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from ((node.name, n) for n in node.body if isinstance(n, ast.FunctionDef))


def kind_of(returns: str) -> str:
    """Returns what kind of check a function with this annotation is; "" for none."""
    if returns == "bool":
        return "bool"
    if returns == "Reason | None":
        return "reason"
    return "found" if returns.endswith(" | None") else ""


def _object(owner: Any, name: str) -> FunctionType | None:
    value = inspect.getattr_static(owner, name)
    value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    return value if isinstance(value, FunctionType) else None


def checks() -> list[Check]:
    """Returns every check: each function, and behind it its ways."""
    return [check for source in sources() for check in of_source(source)]


def of_source(source: Source) -> list[Check]:
    """Returns the checks of one function."""
    found = [Check(source.name, source.kind, _lines(source.tree), source)]
    for number, way in enumerate(ways(source.tree), start=1):
        text = " ".join(ast.unparse(way).split())
        found.append(Check(f"{source.name}:{number}", "way", _lines(way), source, number, text))
    return found


def _lines(node: Any) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def code_without(checks: Iterable[Check]) -> list[tuple[FunctionType, CodeType]]:
    """Returns the functions that have the checks, with their code without these: a function that answers False or None,
    or one that lacks the ways."""
    gone: dict[str, tuple[Source, set[int]]] = {}
    for check in checks:
        gone.setdefault(check.source.name, (check.source, set()))[1].add(check.number)
    return [
        (source.function, _silent(source.kind) if 0 in numbers else _compiled(source, _Without(numbers)))
        for source, numbers in gone.values()
    ]


def _silent(kind: str) -> CodeType:
    made: dict[str, FunctionType] = {}
    exec(f"def silent(*_, **__): return {'False' if kind == 'bool' else 'None'}", made)
    return made["silent"].__code__


def recorded(source: Source) -> CodeType:
    """Returns the function's code, with a report of each of its ways that is taken."""
    return _compiled(source, _Reporting(source.name))


def _compiled(source: Source, change: _Ways) -> CodeType:
    tree = copy.deepcopy(source.tree)
    tree.decorator_list = []
    tree = change.visit(tree)
    module = ast.fix_missing_locations(ast.Module([tree], []))
    file = source.function.__code__.co_filename
    made = dict(source.function.__globals__)
    exec(compile(module, file, "exec", flags=_FUTURE, dont_inherit=True), made)
    return made[source.tree.name].__code__


class _Ways(ast.NodeTransformer):
    """Visits the ways of a function in order; ``way`` may put something in their place.

    A way is a statement that ends a block below an `if`, or an operand of an `or` in the test of that `if` or in
    what is returned. Of a test with operands the statement is no way itself: it would be all of them.
    """

    def __init__(self) -> None:
        self.count = 0

    def way(self, node: Any, under: ast.If | None) -> Any:
        """Returns what stands in its place; ``under`` is the `if` of a statement, and None of an operand."""
        return node

    def _next(self, node: Any, under: ast.If | None = None) -> Any:
        self.count += 1
        return self.way(node, under)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Leaves lambdas alone."""
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        """Finds the ways of an `if`."""
        last = node.body[-1]
        leaves = isinstance(last, ast.Return | ast.Continue | ast.Break)
        if leaves and isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
            node.test = self._operands(node.test)
            node.body = [self.visit(n) if isinstance(n, ast.If | ast.For | ast.While) else n for n in node.body]
        else:
            node.body = [self.visit(n) for n in node.body[:-1]] + [
                self._next(last, node) if leaves and not _chooses(last) else self.visit(last)
            ]
        node.orelse = [self.visit(n) for n in node.orelse]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """Finds the operands that a function returns."""
        if _chooses(node):
            assert isinstance(node.value, ast.BoolOp)
            node.value = self._operands(node.value)
        return node

    def _operands(self, node: ast.BoolOp) -> ast.BoolOp:
        node.values = [self._next(value) for value in node.values]
        return node


def _chooses(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Return) else None
    return isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or)


class _Listing(_Ways):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []

    def way(self, node: Any, under: ast.If | None) -> Any:
        self.found.append(under or node)
        return node


class _Without(_Ways):
    def __init__(self, numbers: Collection[int]) -> None:
        super().__init__()
        self.numbers = numbers

    def way(self, node: Any, under: ast.If | None) -> Any:
        if self.count not in self.numbers:
            return node
        return ast.Pass() if under else ast.Constant(False)


class _Reporting(_Ways):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def way(self, node: Any, under: ast.If | None) -> Any:
        told = ast.Constant(f"{self.name}:{self.count}")
        call = ast.Call(ast.Name(RECORD, ast.Load()), [told, ast.Constant(True) if under else node], [])
        return ast.If(call, [node], []) if under else call


def ways(node: ast.FunctionDef) -> Sequence[Any]:
    """Returns the ways of a function in order: operands, and for statements the `if` above them."""
    listing = _Listing()
    listing.visit(copy.deepcopy(node))
    return listing.found
