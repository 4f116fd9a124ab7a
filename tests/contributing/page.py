"""The worked examples of docs/extending.md: read from its sections, and built in a copy of the tree.

A line before a block of code, or a link in place of the block, says where the text goes:

    New file `PATH`:                     a new file
    New file `PATH`: [NAME](LINK)        a new file that is a copy of the linked one
    In `PATH`, below the line `LINE`:    after the only line of a file that reads so, apart from its indentation

Blocks of ``sh`` are commands, which run in the root of the copy.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTENDING = ROOT / "docs/extending.md"
PACKAGES = ("core", "rules", "published", "transforms", "pipelines", "gistmill", "corpora", "deploy")
_COPIED = (
    *PACKAGES,
    "docs",
    "benchmarks/__init__.py",
    "benchmarks/checks.py",
    "tests/rules",
    "tests/__init__.py",
    "tests/cases.py",
    "tests/conftest.py",
    "tests/environments.py",
    "tests/testing.py",
    "pyproject.toml",
)
_PLACES = (
    re.compile(r"New file `(?P<path>[^`]+)`:\n"),
    re.compile(r"In `(?P<path>[^`]+)`, below the line `(?P<line>[^`]+)`:\n"),
)
_COPY = re.compile(r"New file `(?P<path>[^`]+)`: \[[^]]+\]\((?P<link>[^)]+)\)\n")
_FENCE = re.compile(r"^```(?P<language>\w*)$")


class PageError(ValueError):
    """The page or an example on it cannot be understood."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A block that goes into a file: a new one, or after ``line`` of one that is there."""

    path: str
    line: str | None
    text: str

    def apply(self, root: Path) -> None:
        """Makes the edit in a copy of the tree.

        Raises:
            PageError: the new file is there already, or the line is not there exactly once.
        """
        place = root / self.path
        if self.line is None:
            if place.exists():
                raise PageError(f"{self.path} is there already")
            place.parent.mkdir(exist_ok=True)
            place.write_text(self.text, encoding="utf-8")
            return
        lines = place.read_text(encoding="utf-8").splitlines(keepends=True)
        found = [i for i, line in enumerate(lines) if line.strip() == self.line]
        if len(found) != 1:
            raise PageError(f"{self.path} has {len(found)} lines {self.line!r}")
        lines.insert(found[0] + 1, self.text)
        place.write_text("".join(lines), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: edits, and the commands that show what they do."""

    edits: tuple[Edit, ...]
    commands: str


def sections() -> dict[str, str]:
    """The sections of the page that have an example, by their names: ``own-recipe`` is "Own recipe"."""
    _, *parts = EXTENDING.read_text(encoding="utf-8").split("\n## ")
    found = {head.lower().replace(" ", "-"): text for head, _, text in (part.partition("\n") for part in parts)}
    return {name: text for name, text in found.items() if "\n```" in text}


def example(section: str) -> Example:
    """Returns the example of a section, whose text is given.

    Raises:
        PageError: no line says where a block goes, or no block follows such a line.
    """
    edits: list[Edit] = []
    commands = ""
    for place, language, text in _blocks(section.splitlines(keepends=True)):
        if place is not None:
            edits.append(Edit(place["path"], place.get("line"), text))
        elif language == "sh":
            commands += text
        else:
            raise PageError(f"no line says where the block goes that begins with {text[:60]!r}")
    return Example(tuple(edits), commands)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[dict[str, str] | None, str, str]]:
    """Yields the place of a block or linked file, where a line names one, its language and its text."""
    place, rest = None, iter(lines)
    for line in rest:
        if fence := _FENCE.match(line):
            yield (
                place,
                fence["language"],
                "".join(itertools.takewhile(lambda inner: not inner.startswith("```"), rest)),
            )
            place = None
        elif copy := _COPY.fullmatch(line):
            yield copy.groupdict(), "", (EXTENDING.parent / copy["link"]).read_text(encoding="utf-8")
        elif place is not None and line.strip():
            raise PageError(f"no block of code follows the line on {place['path']!r}")
        elif found := next(filter(None, (form.fullmatch(line) for form in _PLACES)), None):
            place = found.groupdict()
    if place is not None:
        raise PageError(f"no block of code follows the line on {place['path']!r}")


class Tree:
    """A copy of the tree, in which modules, the command and tests run as in a clone.

    Attributes:
        root: where it lies.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in _COPIED:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, root / name)  # with their times, so that compiled modules stay valid
        for package in set(PACKAGES) - {"gistmill"}:  # an editable installation would find those of the checkout
            (root / "gistmill" / package).symlink_to(root / package)
        commands = root / "bin"
        commands.mkdir()
        for name, module in (("python", ""), ("gistmill", " -m gistmill")):
            (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{module} "$@"\n', encoding="utf-8")
            (commands / name).chmod(0o755)

    def add(self, name: str) -> Example:
        """Makes the edits of an example, which a section of the page has, and returns it."""
        found = example(sections()[name])
        for edit in found.edits:
            edit.apply(self.root)
        return found

    def shell(self, commands: str) -> subprocess.CompletedProcess[str]:
        """Runs commands, each of which must end well."""
        done = self._run(["bash", "-ec", commands])
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def python(self, code: str) -> str:
        """Runs Python and returns what it printed."""
        done = self._run([sys.executable, "-c", code])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def several(self, *commands: Sequence[str]) -> list[tuple[int, str, str]]:
        """Runs commands in one process, which saves time: arguments of ``gistmill``, or ``("-m", MODULE)`` of Python.

        Returns:
            Of each the exit code, and what it wrote to standard output and standard error.
        """
        return [tuple(done) for done in json.loads(self.python(f"COMMANDS = {[*map(list, commands)]!r}\n{_SEVERAL}"))]

    def _run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        path = f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}"
        env: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(self.root), "PATH": path, "COLUMNS": "200"}
        return subprocess.run(command, cwd=self.root, env=env, capture_output=True, text=True, timeout=300)


_SEVERAL = """
import contextlib, io, json, runpy
from gistmill.pipelines.cli import main

done = []
for command in COMMANDS:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = runpy.run_module(command[1], run_name="__main__") and 0 if command[0] == "-m" else main(command)
        except SystemExit as exit:
            code = exit.code or 0
    done.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(done))
"""
