"""Leases on outputs in object stores, without a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from gistmill.pipelines import stores
from gistmill.pipelines.errors import BusyError
from gistmill.pipelines.stores import EXPIRY_SECONDS, LEFT_SECONDS, Lease
from tests.stores import MemoryStore

PATH = "memory://bucket/.demo.gistmill-lease.json"
pytestmark = pytest.mark.usefixtures("objects")


@pytest.fixture
def take():
    """Takes leases, and releases them after the test."""
    taken = []

    def take(run_id="mine", **options):
        taken.append(Lease.take(PATH, run_id=run_id, settling=0, **options))
        return taken[-1]

    yield take
    for one in taken:
        one.release()


def put(run_id="other", *, age=0.0, **more):
    record = {"run_id": run_id, "pid": 7, "host": "elsewhere", "renewed": time.time() - age, **more}
    MemoryStore.objects[PATH] = json.dumps(record).encode()


def holder():
    return json.loads(MemoryStore.objects[PATH])["run_id"]


def test_a_lease_is_there_until_it_is_released(take, objects):
    lease = take()
    assert holder() == "mine" and not lease.lost
    lease.check()
    lease.release()
    assert objects == {}
    put()
    lease.release()  # a second call does nothing
    assert holder() == "other"


def test_an_object_that_is_not_a_lease_is_left_and_named(take, objects):
    for content in [
        b"",
        b"<html>",
        b"\xff\xfe",
        b"[]",
        b"5",
        b"{}",
        b'{"renewed": "soon"}',
        b'{"renewed": null}',
        b'{"renewed": 1e999}',
        b'{"renewed": NaN}',
        b"[" * 100_000,
        b'{"renewed": ' + b"9" * 400 + b"}",
        b'{"renewed": ' + b"9" * 5000 + b"}",
    ]:
        objects[PATH] = content
        for from_left in (False, True):
            with pytest.raises(BusyError, match="lease.json is not a run's lease, .* delete that object") as caught:
                take(from_left=from_left)
            assert "\n" not in str(caught.value) and objects == {PATH: content}


def test_an_object_that_takes_the_place_of_a_lease_is_told_by_the_check(take, objects):
    lease = take()
    objects[PATH], kept = b"{", objects[PATH]
    with pytest.raises(BusyError, match="is not a run's lease"):
        lease.check()
    objects[PATH] = kept


def test_a_live_run_keeps_others_out_until_it_was_not_heard_of_for_long(take):
    for age in (0.0, EXPIRY_SECONDS - 30):
        put(age=age)
        with pytest.raises(BusyError, match="process 7 on elsewhere"):
            take()
        assert holder() == "other"
    put(age=EXPIRY_SECONDS + 1)
    take()
    assert holder() == "mine"


def test_a_run_of_this_machine_whose_process_was_killed_is_followed_at_once(take):
    program = (
        "import json, os, time; from gistmill.pipelines import stores\n"
        "print(json.dumps(stores.Lease('x', 'other')._record), flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        try:
            record = json.loads(process.stdout.readline())
            put(**record)
            with pytest.raises(BusyError, match=f"process {process.pid} on"):
                take()
            put(**{**record, "born": "1"})  # its process has ended, and another has its number
            take().release()
        finally:
            process.kill()
        put(**{**record, "machine": f"{record['machine']}0"})  # another container: nobody can see its processes
        with pytest.raises(BusyError):
            take()
        put(**record, left_to="the job fusion")  # which goes on without its driver
        with pytest.raises(BusyError, match="the job fusion"):
            take()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it stays a zombie
        put(**record)
        take()
    assert holder() == "mine"


def test_of_two_that_begin_at_once_the_last_has_it(take, monkeypatch):
    monkeypatch.setattr(stores.time, "sleep", lambda _: put())  # the other writes while this one waits
    with pytest.raises(BusyError):
        take()
    assert holder() == "other"


def test_a_job_that_no_driver_waits_for_is_left_alone_for_days(take):
    put(age=LEFT_SECONDS - 60, left_to="the job fusion")
    with pytest.raises(BusyError, match="the job fusion is writing to this output .*--resume, or delete memory://"):
        take()
    take(from_left=True)
    assert holder() == "mine"


def test_a_lease_that_is_left_is_taken_by_its_run(take, objects):
    take().leave("the job fusion")
    assert json.loads(objects[PATH])["left_to"] == "the job fusion"
    with pytest.raises(BusyError):
        take("other")
    take()
    assert "left_to" not in json.loads(objects[PATH])


@pytest.mark.parametrize("age", [0.0, EXPIRY_SECONDS + 1, None])
def test_a_lease_that_another_run_took_is_lost_also_when_that_run_has_ended(take, objects, age):
    lease = take()
    if age is None:
        del objects[PATH]
    else:
        put(age=age)
    after = dict(objects)
    with pytest.raises(BusyError):
        lease.check()
    assert lease.lost
    lease.release()
    assert objects == after


def test_the_lease_of_another_run_is_not_removed(take):
    lease = take()
    put()
    lease.release()  # nobody has asked since
    assert holder() == "other"


def test_a_lease_is_renewed_until_it_is_lost(take, monkeypatch, objects):
    monkeypatch.setattr(stores, "RENEWAL_SECONDS", 0.001)
    lease = take()
    first = json.loads(objects[PATH])["renewed"]
    until = time.monotonic() + 60
    while json.loads(objects[PATH])["renewed"] == first and time.monotonic() < until:
        time.sleep(0.001)
    assert json.loads(objects[PATH])["renewed"] > first
    while lease._thread.is_alive() and time.monotonic() < until:
        put()  # again, where a renewal was already on its way
        lease._thread.join(0.05)
    assert lease.lost and not lease._thread.is_alive()


def test_a_store_that_fails_for_a_moment_does_not_end_the_renewals(take, monkeypatch, objects):
    monkeypatch.setattr(stores, "RENEWAL_SECONDS", 0.001)
    failed, write = [], MemoryStore.create

    def failing(self, path, *arguments, **options):
        if len(failed) < 3 and objects:
            failed.append(path)
            raise OSError("503")
        return write(self, path, *arguments, **options)

    monkeypatch.setattr(MemoryStore, "create", failing)
    lease = take()
    first, until = json.loads(objects[PATH])["renewed"], time.monotonic() + 60
    while json.loads(objects[PATH])["renewed"] == first and time.monotonic() < until:
        time.sleep(0.001)
    assert len(failed) == 3 and json.loads(objects[PATH])["renewed"] > first and not lease.lost
