"""Cancels jobs on Flink itself: Beam's job server only stops waiting for them (seen with its release 2.62)."""

from __future__ import annotations

import json
import urllib.request

from apache_beam.options.pipeline_options import FlinkRunnerOptions, GoogleCloudOptions, PipelineOptions

_SECONDS = 4.0
# The cluster is near: a proxy meant for the internet must not stand in the way.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_ENDED = frozenset({"FINISHED", "FAILED", "CANCELED", "CANCELLING"})


def cancel_on_flink(options: PipelineOptions) -> None:
    """Cancels the jobs of this ``--job_name`` on ``--flink_master``; does nothing where that is not an address.

    Raises:
        OSError, ValueError: Flink does not answer, or not as its REST API does.
    """
    master = options.view_as(FlinkRunnerOptions).flink_master.rstrip("/")
    name = options.view_as(GoogleCloudOptions).job_name
    if master.startswith("[") or not name:
        return
    address = master if "://" in master else f"http://{master}"
    for job in json.loads(_ask("GET", f"{address}/jobs/overview"))["jobs"]:
        if job["name"] == name and job["state"] not in _ENDED:
            _ask("PATCH", f"{address}/jobs/{job['jid']}?mode=cancel")


def _ask(method: str, url: str) -> bytes:
    with _OPENER.open(urllib.request.Request(url, method=method), timeout=_SECONDS) as answer:
        return answer.read()
