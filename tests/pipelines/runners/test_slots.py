"""What is said of slots that a Flink job waits for, and when it is given up; a small server answers as Flink's REST API."""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from hypothesis import given
from hypothesis import strategies as st

from gistmill.pipelines.runners.flink import AGAIN, PATIENCE, FlinkJobs, Slots, SlotWait, SlotWatch

WHOLE = Slots(there=2, free=0, task_managers=2, wanted=2, waiting=False, working=True)
SHORT = dataclasses.replace(WHOLE, there=1, task_managers=1)
STALLED = dataclasses.replace(SHORT, waiting=True, working=False)
CROWDED = dataclasses.replace(WHOLE, waiting=True, working=False)


def lines(*looks, bound=600.0):
    """What is said at looks, each (slots, seconds)."""
    wait = SlotWait(bound=bound)
    return [wait.look(slots, now) for slots, now in looks], wait.given_up


def test_nothing_is_said_of_a_job_that_has_its_slots():
    assert lines((None, 0), (WHOLE, 3), (dataclasses.replace(WHOLE, working=False), 6), (WHOLE, 9), (None, 12)) == (
        [None] * 5,
        None,
    )


def test_missing_slots_are_told_of_at_once_and_again_each_minute():
    said, given_up = lines((WHOLE, 0), (STALLED, 3), (STALLED, 6), (STALLED, 3 + AGAIN), (WHOLE, 70), (WHOLE, 73))
    there = "1 of 2 slots are there (1 task manager)"
    assert said == [
        None,
        f"{there}: waiting for 1 more, for 600 s at most (--slot-timeout)",
        None,
        f"{there}: waiting for 1 more, for 540 s at most (--slot-timeout)",
        "2 slots are there (2 task managers), 0 of them free, 2 are needed: the job goes on",
        None,
    ]
    assert given_up is None


def test_what_runs_on_fewer_slots_is_told_of_once_and_never_given_up():
    said, given_up = lines(*((SHORT, now) for now in range(0, 5000, 100)))
    assert said[0] == "1 of 2 slots are there (1 task manager): what runs goes on, the rest waits for 1 more"
    assert not any(said[1:]) and given_up is None


def test_another_loss_is_told_of_at_once():
    none = dataclasses.replace(STALLED, there=0, task_managers=0)
    said, _ = lines((STALLED, 0), (none, 1))
    assert said[1] == "0 of 2 slots are there (0 task managers): waiting for 2 more, for 599 s at most (--slot-timeout)"


def test_slots_that_other_jobs_have_are_told_of_with_patience():
    said, _ = lines((CROWDED, 0), (CROWDED, PATIENCE), (CROWDED, PATIENCE + 1))
    assert said[:2] == [None, None]
    assert said[2].endswith("other jobs have them; waiting, for 589 s at most (--slot-timeout)")


def test_the_job_is_given_up_after_the_bound():
    for slots, why in [
        (STALLED, "1 of 2 slots are there (1 task manager); start 1 more, or lower --parallelism, and go on with"),
        (CROWDED, "2 slots are there (2 task managers), 0 of them free, 2 are needed; wait for the other jobs"),
    ]:
        _, given_up = lines((slots, 0), (slots, 29), bound=30)
        assert given_up is None
        _, given_up = lines((slots, 0), (slots, 30), bound=30)
        assert given_up.startswith(f"given up: for 30 s {why}")


def test_beginning_again_does_not_begin_the_wait_again():
    between = dataclasses.replace(STALLED, waiting=False)  # all tasks are made anew, none asks for a slot yet
    assert lines((STALLED, 0), (between, 20), (STALLED, 30), bound=30)[1] is not None
    assert lines((STALLED, 0), (SHORT, 20), (STALLED, 30), bound=30)[1] is None


@given(st.lists(st.sampled_from([None, WHOLE, SHORT, STALLED, CROWDED]), max_size=40), st.integers(1, 60))
def test_a_job_that_works_is_never_given_up_and_one_that_does_not_always_is(looks, bound):
    wait = SlotWait(bound=bound)
    for now, slots in enumerate(looks):
        wait.look(slots, now)
        assert not (wait.given_up and slots is not None and slots.working)
        if wait.given_up:
            return
    last = len(looks)
    for now in range(last, last + bound + 1):
        wait.look(STALLED, now)
    assert wait.given_up


class Flink:
    """Answers as Flink does: what stands in ``answers``, by path; notes what is cancelled."""

    def __init__(self):
        self.answers, self.cancelled = {}, []

    def job(self, state, *, name="mine", there=2, **tasks):
        counts = dict.fromkeys(("scheduled", "deploying", "initializing", "running", "canceling"), 0) | tasks
        self.answers = {
            "/jobs/overview": {
                "jobs": [
                    {"jid": "a", "name": name, "state": "FINISHED", "tasks": counts},
                    {"jid": "b", "name": "other", "state": "RUNNING", "tasks": counts},
                    {"jid": "c", "name": name, "state": state, "tasks": counts},
                ]
            },
            "/jobs/c": {"vertices": [{"parallelism": 1}, {"parallelism": 2}]},
            "/overview": {"slots-total": there, "slots-available": 0, "taskmanagers": there},
        }


@pytest.fixture
def flink():
    made = Flink()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps(made.answers.get(self.path, "no")).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def do_PATCH(self):
            made.cancelled.append(self.path)
            self.send_response(202)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    made.address = f"127.0.0.1:{server.server_port}"
    yield made
    server.shutdown()
    server.server_close()


def jobs_at(address):
    return FlinkJobs.of(PipelineOptions([f"--flink_master={address}", "--job_name=mine"]))


def test_a_job_is_found_by_its_name_and_cancelled(flink):
    flink.job("RUNNING", running=2)
    jobs = jobs_at(flink.address)
    assert jobs.slots() == Slots(there=2, free=0, task_managers=2, wanted=2, waiting=False, working=True)
    jobs.cancel()
    assert flink.cancelled == ["/jobs/c?mode=cancel"]
    flink.job("FAILED")
    assert jobs.slots() is None


def test_a_job_that_begins_again_waits(flink):
    for state in ["RESTARTING", "FAILING"]:
        flink.job(state, there=1)
        slots = jobs_at(flink.address).slots()
        assert slots.waiting and not slots.working and slots.there == 1


def test_without_an_address_there_is_no_job_and_nothing_is_watched():
    assert FlinkJobs.of(PipelineOptions(["--job_name=mine"])) is None  # Beam's default is [auto]
    with SlotWatch(None, bound=1, say=pytest.fail, stop=pytest.fail) as watch:
        pass
    assert watch.failure is None


def test_what_is_not_flink_is_an_error(flink):
    for answers in [{}, {"/jobs/overview": [1]}, {"/jobs/overview": {"jobs": [{"jid": "c"}]}}]:
        flink.answers = answers
        with pytest.raises(ValueError):
            jobs_at(flink.address).slots()


@contextmanager
def watched(flink, bound, stopped):
    said = []
    with SlotWatch(jobs_at(flink.address), bound=bound, say=said.append, stop=stopped.set, interval=0.02) as watch:
        yield watch, said


@pytest.mark.waits
def test_the_watch_stops_a_job_that_waits_too_long(flink):
    flink.job("RUNNING", there=1, scheduled=2)
    stopped = threading.Event()
    with watched(flink, 0.2, stopped) as (watch, said):
        assert stopped.wait(60)
    assert watch.failure.startswith("given up: for 0 s 1 of 2 slots are there") and len(said) == 1


@pytest.mark.waits
def test_the_watch_leaves_a_job_that_goes_on(flink):
    flink.job("RUNNING", there=1, scheduled=2)
    stopped = threading.Event()
    with watched(flink, 30, stopped) as (watch, said):
        until = time.monotonic() + 60
        while not said and time.monotonic() < until:
            time.sleep(0.01)
        flink.job("RUNNING", running=2)
        while len(said) < 2 and time.monotonic() < until:
            time.sleep(0.01)
    assert watch.failure is None and not stopped.is_set()
    assert said[0].startswith("1 of 2 slots are there") and said[1].endswith("the job goes on")


@pytest.mark.waits
def test_silence_is_told_of_once_and_ends_nothing(flink, monkeypatch):
    monkeypatch.setattr("gistmill.pipelines.runners.flink.PATIENCE", 0.05)
    flink.answers = {}
    stopped = threading.Event()
    with watched(flink, 0.1, stopped) as (watch, said):
        until = time.monotonic() + 60
        while not said and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.3)
    assert said == [f"Flink at http://{flink.address} does not answer; the job's slots are not watched"]
    assert watch.failure is None and not stopped.is_set()
