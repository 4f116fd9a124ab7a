"""What a machine or an environment may lack, and how a test says that it needs it.

A test that needs a package which ``make test`` does not install is not collected without it: ``make test-train`` runs it.
A test is skipped only if it needs something of ``MACHINE``, or real texts if it is slow. Any other skip fails the run.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from typing import Any

import pytest

MACHINE = (
    "AVX2",
    "Chromium",
    "Java and Maven",
    "a machine without a GPU",
    "/dev/full",
    "root",
    "root and util-linux",
    "systemd",
)
REAL_TEXTS = "real texts beside the repository"


def needs(thing: str, *, there: bool) -> pytest.MarkDecorator:
    """Marks a test that is skipped where something of ``MACHINE`` is missing."""
    return pytest.mark.skipif(not there, reason=f"needs {thing}")


def needs_package(name: str, *, absent: bool = False) -> pytest.MarkDecorator:
    """Marks a test that is not collected unless a package is installed; with ``absent``, unless it is not."""
    return pytest.mark.package(name, absent)


def chosen(items: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Divides tests into those that have the packages they need, and the others."""
    both: tuple[list[Any], list[Any]] = ([], [])
    for item in items:
        marks = (mark.args for mark in item.iter_markers("package"))
        both[any((importlib.util.find_spec(name) is None) != absent for name, absent in marks)].append(item)
    return both


def unallowed(reports: Iterable[Any]) -> list[str]:
    """Returns the skips that neither the machine nor missing real texts excuse: "where: why".

    Environments other than that of ``make setup`` lack each other's packages, and skip what they like.
    """
    if importlib.util.find_spec("playwright") is None:
        return []
    found = []
    for report in reports:
        where, line, why = report.longrepr
        thing = re.sub(r"^Skipped: needs |: .*", "", why)
        slow = "slow" in getattr(report, "keywords", ())
        if thing not in MACHINE and not (slow and thing == REAL_TEXTS):
            found.append(f"{where}:{line}: {why.removeprefix('Skipped: ')}")
    return found
