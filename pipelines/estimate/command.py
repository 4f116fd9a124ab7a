"""``gistmill estimate JOB``: what a job over an input would give and cost, from a sample of the input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions

from gistmill.core import text_output
from gistmill.core.options import SHORT, OptionError, add_options, from_flags, options_of
from gistmill.core.row_budget import RowBudget
from gistmill.core.values import nearest
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.estimate.sample import EstimateConfig, read_prices, try_sample
from gistmill.pipelines.estimate.whole import Whole, offers, text, to_json, whole_of
from gistmill.pipelines.job import JobConfig, OutputConfig, RunConfig, recipe_named
from gistmill.pipelines.options import parse
from gistmill.pipelines.runners.local import is_local
from gistmill.pipelines.runners.machine import workers_for
from gistmill.pipelines.runners.quiet import mute_stores, show_warnings
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.transforms.duplicates.find import NONE, DuplicatesConfig
from gistmill.transforms.steps.choose_split import SplitConfig

LOCAL = "local"
_ENOUGH = 10  # ranges of a sample whose intervals are of use
_DESCRIPTION = """\
Estimates what a job over an input would give and cost: rows by configuration and type, documents, bytes, processor
time, memory, and time and price for numbers of workers. It runs the job over some ranges of the input, drawn at
random, with one worker on this machine. Nothing is published. --output may be left out; --workers and --runner say
what is asked for, not how the sample runs.

All options of the job may be given, as `gistmill JOB --help` shows them.
"""
_EPILOG = """\
examples:
  gistmill estimate discofuse --input enwiki-multistream.xml.bz2 --sample-ranges 200
  gistmill estimate lead-bias --config lead-bias-wikipedia --input dump.xml.bz2 --for-workers 1,8,64
  gistmill estimate discofuse --input dump.xml.bz2 --prices prices.yaml --machine large --for-workers 64 --runner Flink
  gistmill estimate discofuse --input dump.xml.bz2 --json | jq .rows.full

exit codes: 0 estimated; 1 the run over the sample failed; 2 the command line, the input or the prices are wrong.
docs/estimate.md explains how the numbers are made, and what they take for granted.
"""


def main(argv: Sequence[str]) -> int:
    """Prints the estimate; returns the exit code.

    Raises:
        ConfigError: the command line, the prices, the configuration or an input are wrong.
    """
    asked, job, rest, everything = _arguments(argv)
    recipe = recipe_named(job)
    prices = read_prices(asked.prices) if asked.prices is not None else None
    if prices and asked.machine is not None and asked.machine not in prices.machines:
        known = list(prices.machines)
        hint = nearest(asked.machine, known) or f"; there are {', '.join(known)}"
        raise ConfigError(f"--machine: {asked.prices} has no {asked.machine!r}{hint}")
    parsed = parse(recipe, rest if _has_output(rest) else [*rest, "--output", "estimate"])
    # the runner's name in a file of prices, and the arguments of Beam for a run on this machine
    options = PipelineOptions(list(parsed.beam))
    named = str(options.view_as(StandardOptions).runner).rpartition(".")[2].removesuffix("Runner").lower()
    runner, beam = LOCAL if is_local(options) else named, [*parsed.beam, "--runner=DirectRunner"]
    show_warnings()
    mute_stores()

    def say(line: str) -> None:
        text_output.say(f"gistmill estimate: {line}")

    try:
        trial = try_sample(parsed.config, asked, beam=beam, say=say, guard=exit_on_signals, progress=not asked.json)
    except JobFailed as error:
        say(str(error))
        return 1
    output, split = parsed.config.of(OutputConfig), parsed.config.of(SplitConfig)
    whole = whole_of(trial, RowBudget.of(output.rows, salt=split.salt))
    workers = asked.for_workers or (parsed.config.of(RunConfig).workers or workers_for(None),)
    found = offers(whole, workers, prices, runner=runner, only=asked.machine)
    currency, said = prices.currency if prices else "", list(_assumptions(parsed.config, whole))
    if asked.json:
        made = to_json(whole, found, recipe=recipe, currency=currency, assumptions=said)
        text_output.say(json.dumps(made, ensure_ascii=False), sys.stdout)
    else:
        shown = text(whole, found, recipe=recipe, currency=currency, assumptions=said, everything=everything)
        print(text_output.printable_lines(shown), end="")
    return 0


def _assumptions(config: JobConfig, whole: Whole) -> Iterator[str]:
    """Yields what the estimate takes for granted, a line each."""
    if whole.sampled == whole.ranges:
        yield "All ranges were read: counts are exact."
    elif whole.sampled < _ENOUGH:
        yield "The sample is of few ranges, so intervals are wide: a larger --sample-share makes them narrower."
    if whole.looked and whole.sampled < whole.ranges:
        yield "The input was read and cleaned whole, to know how many sentences each range has."
    duplicates = config.sections.get(DuplicatesConfig)
    if isinstance(duplicates, DuplicatesConfig) and duplicates.deduplicate != NONE:
        yield (
            "Duplicates are found in the sample alone. The whole has more of them, so fewer rows; the search itself "
            "takes more time than a sample shows."
        )
    if config.of(OutputConfig).rows is not None:
        yield "Rows of configurations and bytes are those that --rows leaves; types are of the rows before that."
    yield "Values that the sample does not have are not listed. The machines' own load is not in the intervals."


def _arguments(argv: Sequence[str]) -> tuple[EstimateConfig, str, list[str], bool]:
    known = {o.name: o for o in options_of(EstimateConfig)}
    usage = "gistmill estimate JOB [options of the job] [options below]"
    parser = CommandParser("estimate", usage=usage, description=_DESCRIPTION, epilog=_EPILOG)
    add_options(parser, known.values())
    parser.add_argument("--all", action="store_true", help="cut no table")
    flags, rest = parser.parse_known_args(list(argv))
    try:
        asked = EstimateConfig.from_values(from_flags(flags, known))
    except OptionError as error:
        place = f"{known[error.name].flag}: " if error.name else ""
        raise ConfigError(f"{place}{error.problem}") from None
    if not rest or rest[0].startswith("-"):
        raise ConfigError("name the job first, as in: gistmill estimate discofuse --input dump.xml.bz2")
    return asked, rest[0], rest[1:], bool(flags.all)


def _has_output(arguments: Sequence[str]) -> bool:
    return any(a.partition("=")[0] == "--output" or a.startswith(SHORT["--output"]) for a in arguments)
