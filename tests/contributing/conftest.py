"""A copy of the tree for each test, with texts in it that the commands of the page read."""

from __future__ import annotations

import json
import sys

import pytest

from tests.contributing.page import Tree

OTTERS = (
    "Otters live along the rivers and coasts of the country. They eat fish, crabs and frogs. "
    "Their dense fur keeps the cold water out. Young otters learn to swim within a few months. "
    "The animals were hunted for their fur in the past. Today they are protected by law."
)
BRIDGE = (
    "The old bridge was built by the town in the last century. A flood destroyed two of its arches. "
    "The council decided to repair them with stone from the same quarry. The work took three years. "
    "The bridge was opened again by the mayor in spring. Many people came to see it."
)
CHORUS = "The rain fell on the roof of the house. " * 4 + "The children sang a song in the kitchen."
SHORT = "The museum opens at nine in the morning. It is closed on Mondays."


@pytest.fixture
def tree(tmp_path) -> Tree:
    """A copy with ``texts.jsonl``: two documents that any recipe takes, one that repeats itself, and a short one. ``pip``
    installs into its root, where Python looks.
    """
    made = Tree(tmp_path / "tree")
    texts = {"otters": OTTERS, "bridge": BRIDGE, "chorus": CHORUS, "short": SHORT}
    lines = [json.dumps({"id": id, "title": id.capitalize(), "text": text}) + "\n" for id, text in texts.items()]
    (made.root / "texts.jsonl").write_text("".join(lines), encoding="utf-8")
    pip = f'exec "{sys.executable}" -m pip --quiet "$@" --no-deps --no-build-isolation --target "{made.root}"'
    (made.root / "bin/pip").write_text(f"#!/bin/sh\n{pip}\n", encoding="utf-8")
    (made.root / "bin/pip").chmod(0o755)
    return made
