"""Runs a function that may hang or die in a child process that can be killed. Nothing here imports Beam."""

from __future__ import annotations

from gistmill.transforms.guard.process import ChildDied, Guard, GuardError, RemoteError

__all__ = ["ChildDied", "Guard", "GuardError", "RemoteError"]
