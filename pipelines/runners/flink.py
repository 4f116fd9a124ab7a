"""Jobs on Flink, by its REST API: how many slots they have, and their end. Beam's job server only stops waiting for a
job that is cancelled (seen with its release 2.62), and tells nothing of slots."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apache_beam.options.pipeline_options import FlinkRunnerOptions, GoogleCloudOptions, PipelineOptions

from gistmill.core.public_names import public_name
from gistmill.pipelines.web import ask_near

_SECONDS = 4.0
_ENDED = frozenset({"FINISHED", "FAILED", "CANCELED", "CANCELLING"})
# States of a task that has a slot, and is not only waiting for one.
_WITH_SLOT = ("deploying", "initializing", "running", "canceling")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """What Flink says of its slots, and of a job's tasks.

    Attributes:
        there: slots of all task managers.
        free: those that no job has.
        task_managers: how many are registered.
        wanted: slots that the job needs: the parallelism of its widest part.
        waiting: whether tasks of the job ask for a slot, or the job is about to begin again.
        working: whether tasks of the job have a slot.
    """

    there: int
    free: int
    task_managers: int
    wanted: int
    waiting: bool
    working: bool


class FlinkJobs:
    """The jobs of one name on a Flink cluster."""

    def __init__(self, address: str, name: str) -> None:
        """``address``: of Flink's REST API, with its scheme."""
        self.address = address
        self.name = public_name(address)  # for messages
        self._name = name
        self._wanted: dict[str, int] = {}

    @classmethod
    def of(cls, options: PipelineOptions) -> FlinkJobs | None:
        """Returns the jobs of ``--job_name`` on ``--flink_master``; None where that is not an address."""
        master = options.view_as(FlinkRunnerOptions).flink_master.rstrip("/")
        name = options.view_as(GoogleCloudOptions).job_name
        if master.startswith("[") or not name:
            return None
        return cls(master if "://" in master else f"http://{master}", name)

    def slots(self) -> Slots | None:
        """Returns how the first job of this name that has not ended stands; None if there is none.

        Raises:
            OSError, ValueError: Flink does not answer, or not as its REST API does.
        """
        try:
            job = next(self._unended(), None)
            return None if job is None else self._slots_of(job)
        except (KeyError, TypeError) as error:
            raise ValueError(f"{self.name} answers without {error}") from None

    def _slots_of(self, job: Mapping[str, Any]) -> Slots:
        cluster, tasks = self._get("/overview"), job["tasks"]
        return Slots(
            there=cluster["slots-total"],
            free=cluster["slots-available"],
            task_managers=cluster["taskmanagers"],
            wanted=self._width(job["jid"]),
            waiting=tasks["scheduled"] > 0 or job["state"] in ("RESTARTING", "FAILING"),
            working=any(tasks[state] for state in _WITH_SLOT),
        )

    def cancel(self) -> None:
        """Cancels the jobs of this name that have not ended.

        Raises:
            OSError, ValueError, KeyError: Flink does not answer, or not as its REST API does.
        """
        for job in self._unended():
            ask_near("PATCH", f"{self.address}/jobs/{job['jid']}?mode=cancel", seconds=_SECONDS)

    def _unended(self) -> Iterator[dict[str, Any]]:
        for job in self._get("/jobs/overview").get("jobs", ()):
            if job["name"] == self._name and job["state"] not in _ENDED:
                yield job

    def _width(self, job: str) -> int:
        """The greatest parallelism among the parts of a job, which does not change."""
        if job not in self._wanted:
            widths = [part["parallelism"] for part in self._get(f"/jobs/{job}")["vertices"]]
            if not widths:  # the job is being prepared
                return 1
            self._wanted[job] = max(widths)
        return self._wanted[job]

    def _get(self, path: str) -> dict[str, Any]:
        answer = json.loads(ask_near("GET", self.address + path, seconds=_SECONDS))
        if not isinstance(answer, dict):
            raise ValueError(f"{self.name}{path} does not answer with an object")
        return answer
