"""Jobs on Flink, by its REST API: how many slots they have, and their end. Beam's job server only stops waiting for a
job that is cancelled (seen with its release 2.62), and tells nothing of slots."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from apache_beam.options.pipeline_options import FlinkRunnerOptions, GoogleCloudOptions, PipelineOptions

from gistmill.core.addresses import public_name
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
            if job is None:
                return None
            cluster, tasks = self._get("/overview"), job["tasks"]
            return Slots(
                there=cluster["slots-total"],
                free=cluster["slots-available"],
                task_managers=cluster["taskmanagers"],
                wanted=self._width(job["jid"]),
                waiting=tasks["scheduled"] > 0 or job["state"] in ("RESTARTING", "FAILING"),
                working=any(tasks[state] for state in _WITH_SLOT),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"{self.name} answers without {error}") from None

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


INTERVAL = 3.0  # seconds from one look to the next
AGAIN = 60.0  # so often a wait is told of
PATIENCE = 10.0  # seconds that tasks may ask for a slot that is there, or Flink may be silent


class SlotWait:
    """What there is to say of a job's slots, look by look.

    Attributes:
        given_up: the line that the job ends with, once it has waited as long as it may.
    """

    def __init__(self, *, bound: float) -> None:
        """``bound``: seconds that the job may wait at a time."""
        self.given_up: str | None = None
        self._bound = bound
        self._since: float | None = None
        self._said: tuple[tuple[int, bool], float] | None = None

    def look(self, slots: Slots | None, now: float) -> str | None:
        """Returns the line to say now, if there is one.

        Args:
            slots: what Flink says; None if it does not know the job yet, or any more.
            now: seconds of a clock that does not go back.
        """
        if slots is None:
            return None
        if slots.working:
            self._since = None
        elif slots.waiting and self._since is None:
            self._since = now
        waited = 0.0 if self._since is None else now - self._since
        missing = slots.wanted - slots.there
        if waited >= self._bound:
            remedy = "wait for the other jobs of the cluster"
            if missing > 0:
                remedy = f"start {missing} more, or lower --parallelism"
            self.given_up = f"given up: for {waited:.0f} s {_there(slots)}; {remedy}, and go on with --resume"
            return None
        if missing <= 0 and slots.working and self._said is not None:
            self._said = None
            return f"{_there(slots)}: the job goes on"
        line = self._line(slots, missing, waited)
        return line if line and self._is_news((slots.there, self._since is not None), now) else None

    def _line(self, slots: Slots, missing: int, waited: float) -> str | None:
        if missing > 0 and self._since is not None:
            return f"{_there(slots)}: waiting for {missing} more, {self._left(waited)}"
        if missing > 0 and slots.working:
            return f"{_there(slots)}: what runs goes on, the rest waits for {missing} more"
        if waited > PATIENCE:
            return f"{_there(slots)}: other jobs have them; waiting, {self._left(waited)}"
        return None

    def _is_news(self, seen: tuple[int, bool], now: float) -> bool:
        """Whether what was seen (slots, and whether the job stands still) is to be said, and notes it if so."""
        if self._said is not None:
            (there, stands), at = self._said
            patience = 0.0 if there != seen[0] else PATIENCE if stands != seen[1] else AGAIN if stands else float("inf")
            if now - at < patience:
                return False
        self._said = seen, now
        return True

    def _left(self, waited: float) -> str:
        return f"for {self._bound - waited:.0f} s at most (--slot-timeout)"


def _there(slots: Slots) -> str:
    managers = f"{slots.task_managers} task manager{'s' * (slots.task_managers != 1)}"
    if slots.there < slots.wanted:
        return f"{slots.there} of {slots.wanted} slots are there ({managers})"
    return f"{slots.there} slots are there ({managers}), {slots.free} of them free, {slots.wanted} are needed"


class SlotWatch:
    """A context manager that looks at a job's slots while its block runs.

    Attributes:
        failure: why the job was given up; None if it was not.
    """

    def __init__(
        self,
        jobs: FlinkJobs | None,
        *,
        bound: float,
        say: Callable[[str], object],
        stop: Callable[[], object],
        interval: float = INTERVAL,
    ) -> None:
        """
        Args:
            jobs: those of the block; with None nothing is watched.
            bound: seconds that a job may wait at a time.
            say: gets the lines.
            stop: ends the job, so that the block ends.
            interval: seconds from one look to the next.
        """
        self.failure: str | None = None
        self._jobs, self._wait = jobs, SlotWait(bound=bound)
        self._say, self._stop, self._interval = say, stop, interval
        self._silent_since: float | None = None
        self._told = False
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="slots", daemon=True)

    def __enter__(self) -> SlotWatch:
        if self._jobs is not None:
            self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._done.set()

    def _run(self) -> None:
        while self.failure is None and not self._done.wait(self._interval):
            if line := self._look(time.monotonic()):
                self._say(line)
            self.failure = self._wait.given_up
        if self.failure is not None:
            self._stop()

    def _look(self, now: float) -> str | None:
        assert self._jobs is not None
        try:
            slots = self._jobs.slots()
        except (OSError, ValueError):
            return self._silence(now)
        self._silent_since = None
        return self._wait.look(slots, now)

    def _silence(self, now: float) -> str | None:
        if self._silent_since is None:
            self._silent_since = now
        if self._told or now - self._silent_since < PATIENCE:
            return None
        self._told = True
        return f"Flink at {self._jobs.name if self._jobs else ''} does not answer; the job's slots are not watched"
