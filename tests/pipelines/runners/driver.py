"""A driver that is run as a process of its own: ``driver JOB WORKERS FOLDER [option...]``."""

from __future__ import annotations

from gistmill.pipelines.runners.quiet import mute_imports

mute_imports()  # as the command does, before Beam is imported

import logging  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

import apache_beam as beam  # noqa: E402
from apache_beam.options.pipeline_options import PipelineOptions  # noqa: E402

from gistmill.pipelines.errors import JobFailed  # noqa: E402
from gistmill.pipelines.runners import signals  # noqa: E402
from gistmill.pipelines.runners.exits import run_and_leave  # noqa: E402
from gistmill.pipelines.runners.local import run_local  # noqa: E402
from tests.pipelines.runners import jobs  # noqa: E402


def main(job: str, workers: int, folder: str, *flags: str) -> int:
    """Runs one of the jobs over 0..9 and tells its end as the command line does."""
    steps = {
        "record": lambda: beam.ParDo(jobs.Record(folder)),
        "hang": lambda: beam.ParDo(jobs.Hang(folder)),
        "deaf": lambda: beam.ParDo(jobs.Deaf(folder)),
    }
    level = logging.INFO
    if "--verbose" in flags:
        flags, level = tuple(f for f in flags if f != "--verbose"), logging.DEBUG
    if "--patient" in flags:  # what comes to its end in time does, on a busy machine too
        flags, signals.PATIENCE_SECONDS = tuple(f for f in flags if f != "--patient"), 3600.0
    logging.basicConfig(format="%(levelname)s %(message)s", force=True, level=level)

    def build(pipeline: beam.Pipeline) -> None:
        step = steps[job]() if job in steps else beam.Map(getattr(jobs, job))
        pipeline | beam.Create(range(10), reshuffle=False) | beam.Reshuffle() | "Step" >> step

    def clean_up() -> str:
        Path(folder, "cleaned").touch()
        return "cleaned"

    with signals.exit_on_signals(clean_up):
        try:
            run_local(build, options=PipelineOptions(list(flags)), workers=workers)
        except JobFailed as failure:
            print(f"failed: {failure}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    run_and_leave(lambda: main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
