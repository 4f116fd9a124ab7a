"""``gistmill estimate JOB``: estimates a job's rows, time and price by processing a sample of the input."""

from __future__ import annotations

import copy
import functools
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, cast

import apache_beam as beam
from apache_beam.io.filesystem import BeamIOError
from typing_extensions import override

from gistmill.core import text_output
from gistmill.core.hashing import unit_interval
from gistmill.core.options import Options, add_options, option, options_of
from gistmill.core.row_budget import ROWS, UNLIMITED
from gistmill.core.values import NOT_NEGATIVE, SWITCH, list_of, whole
from gistmill.pipelines.building import prepare, run_graph
from gistmill.pipelines.errors import CommandParser, ConfigError, JobFailed
from gistmill.pipelines.job import JobConfig, OutputConfig, RunConfig, recipe_named
from gistmill.pipelines.options import parse
from gistmill.pipelines.planning import Run
from gistmill.pipelines.publication import check_damage
from gistmill.pipelines.reporting.plain_text import duration, per_cent, size, table
from gistmill.pipelines.runners.local import workers_for
from gistmill.pipelines.runners.quiet import mute_stores, show_warnings
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.pipelines.stores import failure_of_store
from gistmill.transforms.duplicates.minhash import NONE, DuplicatesConfig
from gistmill.transforms.io import exists, is_url, read_json, write_json
from gistmill.transforms.sinks.results import read_results
from gistmill.transforms.sources.base import FilesConfig, FilesSource, PlanRanges, Readable, Reader
from gistmill.transforms.sources.files.ranges import FileRange, SourceError

_JSON_VERSION = 2
_RANGES = 5_000  # target number of ranges
_RANGE_BYTES = 250_000  # minimum size of a range without --range-bytes: about one bz2 block
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, kw_only=True)
class EstimateConfig(Options):
    """Options of the estimate."""

    GROUP: ClassVar[str] = "estimate"

    sample_ranges: int = option(whole(1), default=20, help="number of input ranges to read")
    sample_seed: int = option(whole(0), default=1, help="seed for drawing the ranges")
    price: float | None = option(NOT_NEGATIVE, help="price per core hour, in any currency")
    for_workers: tuple[int, ...] | None = option(
        list_of(whole(1)),
        metavar="N,N",
        help="numbers of workers for which to estimate the time (default: --workers, or as many as this machine "
        "can run)",
    )
    json: bool = option(SWITCH, default=False, help="print one JSON object (docs/contracts.md)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The estimate for a job over the whole input."""

    ranges: int  # total number of ranges
    ranges_sampled: int  # number of ranges read
    share_sampled: float  # share of the input that was read, by expected bytes of text
    # by key of the manifest's counts, before ``--rows``; only keys that occur in the sample
    counts: Mapping[str, int]
    rows: Mapping[str, int]  # by configuration, after ``--rows``
    dataset_bytes: int  # size of the published dataset
    cpu_seconds: float  # processor time, excluding process startup
    memory_bytes: int  # peak memory of the worker


def main(argv: Sequence[str]) -> int:
    """Prints the estimate; returns the exit code. Raises ConfigError if the command line or input is invalid."""
    asked, job, rest = parse_arguments(argv)
    recipe = recipe_named(job)
    parsed = parse(recipe, [*rest, "--output", "estimate"])
    show_warnings()
    mute_stores()

    def say(line: str) -> None:
        text_output.say(f"gistmill estimate: {line}")

    try:
        found = estimated(parsed.config, asked, beam=[*parsed.beam, "--runner=DirectRunner"], say=say)
    except JobFailed as error:
        say(str(error))
        return 1
    price = None if asked.price is None else found.cpu_seconds / 3600 * asked.price
    workers = asked.for_workers or (parsed.config.of(RunConfig).workers or workers_for(None),)
    times = {number: found.cpu_seconds / number for number in workers}
    notes = list(_notes(parsed.config, found))
    if asked.json:
        made = {
            "estimate_version": _JSON_VERSION,
            "job": recipe.NAME,
            **asdict(found),
            "price": price,
            "offers": [{"workers": number, "seconds": seconds} for number, seconds in times.items()],
            "assumptions": notes,
        }
        text_output.say(json.dumps(made, ensure_ascii=False), sys.stdout)
        return 0
    lines = [
        ("share of the input that was read", per_cent(found.share_sampled)),
        *((f"rows of {name}", f"{number:,}") for name, number in found.rows.items()),
        *((f"{recipe.READS} {key}", f"{found.counts.get(f'documents/{key}', 0):,}") for key in ("read", "used")),
        ("dataset", size(found.dataset_bytes)),
        ("memory per worker", size(found.memory_bytes)),
        ("processor time", duration(found.cpu_seconds)),
        *((f"time with {n:,} worker{'s' if n > 1 else ''}", duration(seconds)) for n, seconds in times.items()),
        *([] if price is None else [("price", f"{price:,.2f}")]),
    ]
    shown = "\n".join([*table(("", "estimate"), lines), "", *notes, ""])
    print(text_output.printable_lines(shown), end="")
    return 0


def parse_arguments(argv: Sequence[str]) -> tuple[EstimateConfig, str, list[str]]:
    """Returns the estimate's options, the job and its arguments. Raises ConfigError if any are invalid or missing."""
    usage = "gistmill estimate JOB [options of the job] [options below]"
    parser = CommandParser("estimate", usage=usage)
    add_options(parser, options_of(EstimateConfig))
    flags, rest = parser.parse_known_args(list(argv))
    asked = parser.options(EstimateConfig, flags)
    if not rest or rest[0].startswith("-"):
        raise ConfigError("specify the job first, as in: gistmill estimate discofuse --input dump.xml.bz2")
    return asked, rest[0], rest[1:]


def estimated(
    config: JobConfig, asked: EstimateConfig, *, beam: Sequence[str], say: Callable[[str], object]
) -> Estimate:
    """Runs a job on a sample of its input, with one worker in this process, and leaves no files; ignores the output and
    workers in ``config``. ``beam`` contains Beam's arguments. Raises the errors of ``prepare`` and ``carry_out``."""
    if not issubclass(config.source, FilesSource):
        raise ConfigError("the job generates its documents instead of reading files, so there is nothing to sample")
    settings = config.of(RunConfig)
    parent = settings.temp_dir if settings.temp_dir and not is_url(settings.temp_dir) else None
    try:
        place = tempfile.TemporaryDirectory(prefix="gistmill-estimate-", dir=parent, ignore_cleanup_errors=True)
    except OSError as error:
        raise ConfigError(f"--temp-dir {parent}: {error.strerror or error}") from None
    alone = replace(settings, workers=1, temp_dir=None, resume=False)
    with place as folder, exit_on_signals(place.cleanup):
        output = replace(config.of(OutputConfig), output=str(Path(folder, "dataset")), overwrite=False)
        sections = {**config.sections, OutputConfig: output, RunConfig: alone}
        return _tried(prepare(replace(config, sections=sections), beam=beam), asked, Path(folder), say=say)


def _tried(run: Run, asked: EstimateConfig, folder: Path, *, say: Callable[[str], object]) -> Estimate:
    """Plans the ranges of a run, processes a sample of them, and extrapolates to all ranges."""
    source, workspace, begun = copy.copy(cast(FilesSource[Any], run.plan.source)), folder / "work", folder / "begun"
    if isinstance(source.config, FilesConfig) and source.config.range_bytes is None:  # the size changes no content
        size, most = sum(file.size for file in source.files), source.config.most_range_bytes
        source.config = replace(source.config, range_bytes=min(max(size // _RANGES, _RANGE_BYTES), most))
    workspace.mkdir()
    start = processor_seconds()
    try:
        ranges = [made for made in source.planner(str(workspace))(source.files) if isinstance(made, FileRange)]
    except SourceError as error:
        raise ConfigError(" ".join(str(error).split())) from error
    except BeamIOError as error:
        raise failure_of_store(error) from error
    if not ranges:
        raise ConfigError("the input contains nothing to read")
    planned = processor_seconds() - start
    drawn = draw(ranges, asked.sample_ranges, seed=asked.sample_seed)
    say(f"reading {len(drawn):,} of {len(ranges):,} ranges")
    chosen = SampledSource(source, drawn, str(begun))
    plan = replace(run.plan, source=chosen, workspace=str(workspace), budget=UNLIMITED, shards=None)
    run_graph(run, plan, progress=not asked.json)
    worked, results = processor_seconds() - read_json(str(begun)), read_results(str(workspace))
    check_damage(results.damage, allow_truncated=run.publication.allow_truncated)
    share = sum(max(place.size, 1) for place in drawn) / sum(max(place.size, 1) for place in ranges)
    counts = {key: round(number / share) for key, number in results.counts.items()}
    made, left = _rows(counts), _rows(run.plan.budget.applied(counts))
    return Estimate(
        ranges=len(ranges),
        ranges_sampled=len(drawn),
        share_sampled=share,
        counts=counts,
        rows=dict(left),
        dataset_bytes=round(sum(s.bytes for s in results.shards) / share * left.total() / (made.total() or 1)),
        cpu_seconds=planned + worked / share,
        memory_bytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    )


def _rows(counts: Mapping[str, int]) -> Counter[str]:
    rows = Counter[str]()
    for key, number in counts.items():
        if key.startswith(f"{ROWS}/"):
            rows[key.split("/")[1]] += number
    return rows


def _notes(config: JobConfig, found: Estimate) -> Iterator[str]:
    """Yields the assumptions of the estimate, one per line."""
    if found.ranges_sampled == found.ranges:
        yield "All ranges were read: counts are exact."
    else:
        yield "Try another --sample-seed to see how much the numbers vary; more --sample-ranges make them steadier."
    duplicates = config.find(DuplicatesConfig)
    if duplicates is not None and duplicates.deduplicate != NONE:
        yield "Duplicates are found only in the sample; the full input has more, yields fewer rows and takes longer."


def draw(ranges: Iterable[FileRange], count: int, *, seed: int) -> list[FileRange]:
    """Returns ``count`` of the ranges, or all if there are fewer, in a random order determined by the seed."""
    return sorted(ranges, key=lambda place: unit_interval(f"sample {seed}", place.key))[:count]


class SampledSource(Readable):
    """A sample of a file source's ranges. The first read writes ``processor_seconds`` to the JSON file ``begun``; by
    then, the reading stage has imported its packages and loaded its models."""

    def __init__(self, source: FilesSource[Any], ranges: Sequence[FileRange], begun: str) -> None:
        self.files, self.schema = source.files, source.schema
        self._ranges, self._begun, self._reader = ranges, begun, source.reader()

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        return PlanRanges(self._ranges)

    @override
    def read(self) -> beam.PTransform:
        return beam.FlatMap(functools.partial(_read, reader=self._reader, begun=self._begun))


def _read(place: FileRange, *, reader: Reader, begun: str) -> Iterable[Any]:
    if not exists(begun):
        write_json(begun, processor_seconds())
    return reader(place)


def processor_seconds() -> float:
    """Returns the processor time of this process and its children, such as parsers, including ended ones."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, children = time.process_time() + ended.ru_utime + ended.ru_stime, list[str]()
    for thread in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended
            children += thread.read_text().split()
    for pid in children:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / _TICKS
    return seconds
