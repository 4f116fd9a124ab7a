"""Building a dataset: from Python with ``build``, which neither prints nor changes global settings, or from the command
line ``gistmill JOB [options]`` with ``run_job``."""

from __future__ import annotations

from gistmill.pipelines.runners.quiet import quiet_imports, unconfigured
from gistmill.transforms.arithmetic import load_pinned_numpy

load_pinned_numpy()  # before Beam does
with quiet_imports():
    import apache_beam  # noqa: F401

import sys  # noqa: E402
from collections.abc import Mapping, Sequence  # noqa: E402
from typing import Any  # noqa: E402

from gistmill.core import text_output  # noqa: E402
from gistmill.pipelines.building import build_dry, carry_out, prepare  # noqa: E402
from gistmill.pipelines.errors import ConfigError, JobFailed, OutputExists, naming_arguments  # noqa: E402
from gistmill.pipelines.job import OutputConfig, RunConfig, job_options, recipe_named  # noqa: E402
from gistmill.pipelines.options import beam_arguments, dump, parse, settings_of  # noqa: E402
from gistmill.pipelines.publication import summary  # noqa: E402
from gistmill.pipelines.runners.exits import OutputLost, drop_output  # noqa: E402
from gistmill.pipelines.runners.quiet import mute_stores, show_warnings  # noqa: E402
from gistmill.pipelines.runners.remote import is_dry  # noqa: E402
from gistmill.pipelines.runners.signals import exit_on_signals  # noqa: E402
from gistmill.published.dataset import Dataset  # noqa: E402
from gistmill.rules.recipe import Recipe  # noqa: E402
from gistmill.rules.recipes import RECIPES, add_recipe  # noqa: E402


def build(
    job: str | type[Recipe[Any]],
    *,
    config: str | Mapping[str, Any] | None = None,
    beam: Sequence[str] = (),
    progress: bool = False,
    **options: Any,
) -> Dataset:
    """Builds and publishes a dataset, as ``gistmill JOB`` does. Nothing is printed unless ``progress`` is true.

    Signal handlers and logging are not changed. An interrupt stops the workers, cleans up (unless ``resume`` is true)
    and is raised again. Interrupts and the exceptions below are raised without Gistmill's stack frames.

    Args:
        job: name of a recipe, such as ``discofuse`` or ``lead-bias``, or your own subclass of
            ``gistmill.recipes.Recipe``.
        config: options by name, or a YAML file or preset that contains them; ``options`` take precedence.
        beam: Beam options, as on the command line: ``["--runner=FlinkRunner"]``.
        progress: whether to show progress, on standard error or in the output of a notebook cell.
        options: the job's options, with underscores: ``input="dump.xml.bz2"``, ``workers=2``.

    Returns:
        The published dataset.

    Raises:
        ConfigError: an option, package, model or input is missing or cannot be used; nothing was started.
        OutputExists: the output already exists, and ``overwrite`` is not true or it is not a dataset.
        JobFailed: a step failed, the input is damaged, no rows were made (unless ``allow_empty`` is true), a store does
            not respond, or another run is writing the output; nothing was published.
    """
    try:
        with unconfigured():
            try:
                recipe = recipe_named(job) if isinstance(job, str) else add_recipe(job)
            except ValueError as error:
                raise ConfigError(str(error)) from None
            settings = settings_of(recipe, options, config=config, beam=beam_arguments(list(map(str, beam))))
            published = carry_out(prepare(settings.config, beam=settings.beam), progress=progress)
        if published is None:
            raise ConfigError("--template_location builds a graph without running it; use it on the command line")
        return Dataset(published.folder)
    except (ConfigError, OutputExists, JobFailed, KeyboardInterrupt) as error:
        named = RECIPES.get(job) if isinstance(job, str) else job
        known = job_options(named) if named is not None and named in RECIPES.values() else {}
        # the message is enough for the user; a notebook would show all frames
        raise naming_arguments(error, known).with_traceback(None) from None


def run_job(recipe: type[Recipe[Any]], argv: Sequence[str]) -> int:
    """Runs a recipe's job from its command line; returns the exit code. Raises ConfigError, before anything is started,
    if the command line, configuration or input is invalid."""
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
    except (JobFailed, OutputExists) as error:  # anything else is a bug, shown with its traceback
        say(str(error))
        return 1
    if published is None:
        text_output.say(
            f"{parsed.config.of(OutputConfig).output}: the graph was built; its last step publishes the dataset",
            sys.stdout,
        )
    else:
        try:
            text_output.say(summary(published), sys.stdout)
        except OutputLost:  # the dataset is published, so report it on standard error
            drop_output()
            say(summary(published))
    return 0
