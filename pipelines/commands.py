"""The command line of a building job: ``gistmill JOB [options]`` around ``pipelines/building.py``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from gistmill.core import text_output
from gistmill.pipelines.building import build_dry, carry_out, prepare
from gistmill.pipelines.errors import ConfigError, JobFailed, OutputExists
from gistmill.pipelines.job import OutputConfig, RunConfig
from gistmill.pipelines.options import dump, parse
from gistmill.pipelines.publication import summary
from gistmill.pipelines.runners.exits import OutputLost, drop_output
from gistmill.pipelines.runners.quiet import mute_stores, show_warnings
from gistmill.pipelines.runners.remote import is_dry
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.rules.recipe import Recipe


def run_job(recipe: type[Recipe[Any]], argv: Sequence[str]) -> int:
    """Runs a recipe's job from its command line; returns the exit code.

    Raises:
        ConfigError: the command line, the configuration or the input's names are wrong; nothing was begun.
    """
    parsed = parse(recipe, argv)
    if parsed.print_config:
        print(dump(parsed), end="")
        return 0
    show_warnings()
    mute_stores()

    def say(line: str) -> None:
        text_output.say(f"gistmill {recipe.NAME}: {line}")

    try:
        run = prepare(parsed.config, beam=parsed.beam)
    except OutputExists as error:
        raise ConfigError(str(error)) from None
    except JobFailed as error:
        say(str(error))
        return 1
    try:
        if is_dry(run.options):
            text_output.say(build_dry(run), sys.stdout)
            return 0
        published = carry_out(run, say=say, progress=not parsed.config.of(RunConfig).quiet, guard=exit_on_signals)
    except (JobFailed, OutputExists) as error:  # anything else is a fault of ours, shown with its traceback
        say(str(error))
        return 1
    if published is None:
        text_output.say(
            f"{parsed.config.of(OutputConfig).output}: the graph is built; its last step publishes", sys.stdout
        )
    else:
        try:
            text_output.say(summary(published), sys.stdout)
        except OutputLost:  # the dataset is there, so standard error takes it
            drop_output()
            say(summary(published))
    return 0
