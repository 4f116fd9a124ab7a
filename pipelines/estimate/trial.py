"""The trial: the ordinary graph over a sample of the ranges, in a workspace of its own; nothing is published."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from apache_beam.io.filesystem import BeamIOError

from gistmill.core.row_budget import UNLIMITED
from gistmill.pipelines.building import Guard, Run, prepare, run_graph, unguarded
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.estimate.frame import Drawn, Frame, finely_cut, frame_of
from gistmill.pipelines.estimate.settings import EstimateConfig
from gistmill.pipelines.job import JobConfig
from gistmill.pipelines.publishing.conservation import check_damage
from gistmill.pipelines.sections import OutputConfig, RunConfig
from gistmill.pipelines.stores import failure_of_store
from gistmill.transforms.io import is_url, join
from gistmill.transforms.sinks.results import read_results
from gistmill.transforms.sinks.spills import RangeResult, finished_ranges
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.source import FilesSource
from gistmill.transforms.sources.sampled import SampledSource, processor_seconds, read_timings, resident_peak

_TIMINGS = "timings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What the run over a sample found. Times are seconds of processor time.

    Attributes:
        frame: all ranges.
        drawn: the sample.
        ranges: what each range of the sample gave.
        seconds: what each took, from reading to its spills.
        before: what the ranges gave that were read first.
        before_seconds: what all of these took.
        start_seconds: from the start of the process to the first range, without finding ranges and looking into them.
        finish_seconds: after the last range: merging.
        shard_bytes: bytes of the dataset of all that was read.
        peak_bytes: the most that the process held.
    """

    frame: Frame
    drawn: Drawn
    ranges: Sequence[RangeResult]
    seconds: Sequence[float]
    before: Sequence[RangeResult]
    before_seconds: float
    start_seconds: float
    finish_seconds: float
    shard_bytes: int
    peak_bytes: int


def try_sample(
    config: JobConfig,
    asked: EstimateConfig,
    *,
    beam: Sequence[str],
    say: Callable[[str], object] = lambda line: None,
    guard: Guard = unguarded,
    progress: bool = False,
) -> Trial:
    """Runs a job over a sample of its input, with one worker in this process, and leaves nothing behind.

    Args:
        config: that of the job; its output and its workers do not count.
        asked: how the sample is drawn.
        beam: arguments for Beam, without a runner.
        say: gets lines for a person.
        guard: what to do about signals.
        progress: whether progress is shown on standard error.

    Raises:
        ConfigError, JobFailed, WorkspaceError, DamagedInputError: as ``prepare`` and ``carry_out``.
    """
    settings = config.of(RunConfig)
    parent = settings.temp_dir if settings.temp_dir and not is_url(settings.temp_dir) else None
    try:
        folder = tempfile.mkdtemp(prefix="gistmill-estimate-", dir=parent)
    except OSError as error:
        raise ConfigError(f"--temp-dir {parent}: {error.strerror or error}") from None
    with guard(functools.partial(shutil.rmtree, folder, ignore_errors=True)):
        try:
            run = _prepared(config, folder, beam)
            return _tried(run, config, asked, str(Path(folder, "work")), say=say, progress=progress)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _prepared(config: JobConfig, folder: str, beam: Sequence[str]) -> Run:
    output = replace(config.of(OutputConfig), output=str(Path(folder, "dataset")), overwrite=False)
    run = replace(config.of(RunConfig), workers=None, temp_dir=None, resume=False)
    sections = {**config.sections, OutputConfig: output, RunConfig: run}
    if not issubclass(config.source, FilesSource):
        raise ConfigError("the job makes its documents, and reads no files: there is nothing to sample")
    return prepare(replace(config, sections=sections), beam=beam)


def _tried(
    run: Run, config: JobConfig, asked: EstimateConfig, root: str, *, say: Callable[[str], object], progress: bool
) -> Trial:
    source = finely_cut(cast(FilesSource[Any], run.plan.source))
    Path(root).mkdir()
    try:
        frame = frame_of(source, config, workspace=root, look_bytes=asked.look_bytes)
    except SourceError as error:
        raise ConfigError(" ".join(str(error).split())) from error
    except BeamIOError as error:
        raise failure_of_store(error) from error
    if not frame.ranges:
        raise ConfigError("the input has nothing to read")
    drawn = frame.drawn(share=asked.sample_share, units=asked.sample_ranges, seed=asked.sample_seed)
    say(f"{len(drawn.ranges):,} of {len(frame.ranges):,} ranges are read, and {len(drawn.before):,} before them")
    timings = join(root, _TIMINGS)
    Path(timings).mkdir()
    chosen = SampledSource(source, [*drawn.before, *drawn.ranges], timings)
    plan = replace(run.plan, source=chosen, workspace=root, budget=UNLIMITED, shards=None)
    run_graph(run, plan, say=say, progress=progress)
    ended, results = processor_seconds(), read_results(root)
    check_damage(results.damage, allow_truncated=run.publication.allow_truncated)
    seconds, first, last = read_timings(timings)
    found = finished_ranges(root)
    return Trial(
        frame=frame,
        drawn=drawn,
        ranges=[found[place.key] for place in drawn.ranges],
        seconds=[seconds[place.key] for place in drawn.ranges],
        before=[found[place.key] for place in drawn.before],
        before_seconds=sum(seconds[place.key] for place in drawn.before),
        start_seconds=max(first - frame.plan_seconds - frame.look_seconds, 0.0),
        finish_seconds=max(ended - last, 0.0),
        shard_bytes=sum(shard.bytes for shard in results.shards),
        peak_bytes=resident_peak(),
    )
