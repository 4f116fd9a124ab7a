"""Reasons why a run cannot have its workspace."""

from __future__ import annotations

from gistmill.pipelines.errors import JobFailed


class WorkspaceError(JobFailed):
    """The run cannot begin; the text is one line for the user."""


class BusyError(WorkspaceError):
    """Another run is writing the same output."""


class ResumeError(WorkspaceError):
    """There is an unfinished run, but with another configuration, input or version."""
