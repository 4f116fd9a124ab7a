"""Options of Beam, checked before anything is begun."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence

from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions
from apache_beam.transforms.resources import resource_hints_from_options

from gistmill.pipelines.errors import ConfigError


def beam_options(arguments: Sequence[str]) -> PipelineOptions:
    """Returns Beam's options of a command line.

    Raises:
        ConfigError: Beam does not take a value, or there is no such runner.
    """
    options = PipelineOptions(list(arguments))
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            options.get_all_options(retain_unknown_options=True)
    except SystemExit:
        message = said.getvalue().strip().rpartition("error: ")[2]
        raise ConfigError(f"an option of Beam: {message}") from None
    try:
        resource_hints_from_options(options)
    except ValueError as error:
        raise ConfigError(f"--resource_hints: {str(error).rstrip('.')}; expected such as min_ram=8GB") from None
    runner, known = options.view_as(StandardOptions).runner, StandardOptions.KNOWN_RUNNER_NAMES
    # Beam takes "flink" too, and a class by its whole name
    if runner and "." not in runner and not {runner.lower(), f"{runner}runner".lower()} & {n.lower() for n in known}:
        raise ConfigError(f"--runner {runner}: expected one of {', '.join(known)}, or a class by its whole name")
    return options
