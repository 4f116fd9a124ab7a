"""The errors that are reported to the user, each in one line."""

from __future__ import annotations


class TrainingError(Exception):
    """The training failed: a broken shard, a loss that is not a number, a full disk. Exit code 1."""


class SettingsError(TrainingError):
    """The command line or the configuration is wrong. Exit code 2."""
