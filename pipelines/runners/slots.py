"""Says when a job on Flink waits for slots, and gives it up after a bound: Flink itself would wait and begin again for
an hour, and the terminal would show nothing of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from gistmill.pipelines.runners.flink import FlinkJobs, Slots

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
            self.given_up = f"given up: for {waited:.0f} s {_there(slots)}; {_remedy(slots)}"
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


def _remedy(slots: Slots) -> str:
    if slots.there < slots.wanted:
        return f"start {slots.wanted - slots.there} more, or lower --parallelism, and go on with --resume"
    return "wait for the other jobs of the cluster, and go on with --resume"


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
