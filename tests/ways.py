"""Counts the ways through each function, much as radon does, and fails where they are too many; ``make check`` runs it:

python -m tests.ways
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

MOST = 20
# Outside these folders a function has at most MOST ways, and no more functions than so many have more than MANY.
# These numbers only go down.
MOST_IN = {"rules/discofuse/": 15}
MANY, WITH_MANY = 15, 22
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)


class Function(NamedTuple):
    """A function, where it stands, and how many ways lead through it."""

    path: str
    line: int
    name: str
    ways: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name} has {self.ways} ways through it"


def ways(function: ast.AST) -> int:
    """Returns 1, and 1 more for each branch, loop, handler, comprehension, its conditions, and ``and`` or ``or``."""
    return 1 + sum(map(_more, ast.walk(function)))


def _more(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    return 1 + len(node.ifs) if isinstance(node, ast.comprehension) else isinstance(node, _BRANCHES)


def functions(root: Path) -> Iterator[Function]:
    """Yields the functions of all rooms below ``root``, those of tests apart."""
    for path in sorted(root.glob("[a-z]*/**/*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(("tests/", "out/")):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield Function(name, node.lineno, node.name, ways(node))


def problems(found: Iterable[Function]) -> list[str]:
    """Returns a line for each function with too many ways, and one where too many functions have many."""
    lines, many = [], []
    for one in found:
        most = next((most for folder, most in MOST_IN.items() if one.path.startswith(folder)), MOST)
        if one.ways > most:
            lines.append(f"{one}; at most {most} are allowed")
        if most == MOST and one.ways > MANY:
            many.append(one)
    if len(many) > WITH_MANY:
        lines += map(str, many)
        lines.append(
            f"{len(many)} functions have more than {MANY} ways; {WITH_MANY} are allowed, so split one of these"
        )
    return lines


def main(root: Path = Path()) -> int:
    """Prints what is wrong; returns the exit code."""
    lines = problems(functions(root))
    print(*lines, sep="\n", end="\n" if lines else "")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
