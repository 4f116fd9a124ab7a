"""Errors that are reported to the user in one line."""

from __future__ import annotations


class TrainingError(Exception):
    """Training failed, for example because of a broken shard, a NaN loss or a full disk. Exit code 1."""


class SettingsError(TrainingError):
    """The command line or the configuration is invalid. Exit code 2."""
