"""A Dagster asset that checks for a new dump every day and rebuilds the corpus when there is one.

Run `dagster dev -f dagster_job.py`, or put the file into a code location. `gistmill` must be on the worker's path. If
there is no new dump, the asset is not materialized, and downstream assets are skipped.
"""

import json
import subprocess
from collections.abc import Iterator

import dagster

CORPUS = "/etc/gistmill/monthly.corpus.yaml"
WRONG, NOTHING_NEW = 2, 3


# a retry does not repeat finished stages
@dagster.asset(  # type: ignore[untyped-decorator]
    output_required=False, retry_policy=dagster.RetryPolicy(max_retries=3, delay=15 * 60)
)
def corpus() -> Iterator[dagster.Output[None]]:
    """The Gistmill corpus; its metadata summarizes the rebuild: version, rows and stages."""
    done = subprocess.run(["gistmill", "rebuild", CORPUS], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, NOTHING_NEW):
        said = f"gistmill rebuild ended with code {done.returncode}; see its log for the cause"
        raise dagster.Failure(said, allow_retries=done.returncode != WRONG)
    if done.returncode == 0:
        yield dagster.Output(None, metadata={"rebuild": dagster.MetadataValue.json(json.loads(done.stdout))})


job = dagster.define_asset_job("gistmill_rebuild", [corpus])
defs = dagster.Definitions(
    assets=[corpus],
    schedules=[dagster.ScheduleDefinition(job=job, cron_schedule="0 3 * * *")],
)
