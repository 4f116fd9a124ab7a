"""An asset of Dagster: every day it looks for a new dump, and rebuilds the corpus when there is one.

Run `dagster dev -f dagster_job.py`, or put the file into a code location. `gistmill` has to be on the path of the
worker. Where nothing is new, the asset is not materialized, and what comes after it is skipped.
"""

import json
import subprocess
from collections.abc import Iterator

import dagster

CORPUS = "/etc/gistmill/monthly.corpus.yaml"
WRONG, NOTHING_NEW = 2, 3


# a retry does not do finished stages again
@dagster.asset(  # type: ignore[untyped-decorator]
    output_required=False, retry_policy=dagster.RetryPolicy(max_retries=3, delay=15 * 60)
)
def corpus() -> Iterator[dagster.Output[None]]:
    """The corpus of Gistmill; its metadata is the summary of the rebuild: version, rows and stages."""
    done = subprocess.run(["gistmill", "rebuild", CORPUS], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, NOTHING_NEW):
        said = f"gistmill rebuild ended with code {done.returncode}; its log says why"
        raise dagster.Failure(said, allow_retries=done.returncode != WRONG)
    if done.returncode == 0:
        yield dagster.Output(None, metadata={"rebuild": dagster.MetadataValue.json(json.loads(done.stdout))})


job = dagster.define_asset_job("gistmill_rebuild", [corpus])
defs = dagster.Definitions(
    assets=[corpus],
    schedules=[dagster.ScheduleDefinition(job=job, cron_schedule="0 3 * * *")],
)
