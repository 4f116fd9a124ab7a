"""The line for whoever waits for a store."""

import threading

import pytest

from gistmill.core import addresses
from gistmill.core.addresses import waiting_for


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(addresses, "SECONDS", 0.02)
    monkeypatch.setattr(addresses, "_told", set())


def waited(capsys, what):
    """What is printed while somebody waits until the time is up, however busy the machine is."""
    before = set(threading.enumerate())
    with waiting_for(what):
        for timer in set(threading.enumerate()) - before:
            timer.join(60)
    return capsys.readouterr().err


def waiting():
    """The timers that are not over, without that of the timeout of tests."""
    return [t for t in threading.enumerate() if isinstance(t, threading.Timer) and t.daemon and not t.finished.is_set()]


def test_whoever_waits_for_long_is_told_the_bucket(capsys, monkeypatch):
    line = "gistmill: gs://bucket has not answered for 0.02 s; it may be tried for minutes more\n"
    for what in "gs://bucket", "gs://bucket/there/*.gz", "write gs://bucket/there":
        monkeypatch.setattr(addresses, "_told", set())
        assert waited(capsys, what) == line
    for what in "/a/file", "file:///a/file", "read a file", "":  # a local place is no store
        assert waited(capsys, what) == ""


def test_an_answer_in_time_is_not_spoken_of(capsys, monkeypatch):
    monkeypatch.setattr(addresses, "SECONDS", 600)
    with waiting_for("s3://bucket/there"):
        assert len(waiting()) == 1
    assert capsys.readouterr().err == "" and waiting() == []


def test_a_bucket_is_named_once(capsys):
    assert [waited(capsys, f"s3://{name}").count("\n") for name in ("a/1", "a/2", "b/1")] == [1, 0, 1]


def test_a_failure_ends_the_waiting(capsys, monkeypatch):
    monkeypatch.setattr(addresses, "SECONDS", 600)
    with pytest.raises(ValueError), waiting_for("s3://bucket"):
        raise ValueError
    assert capsys.readouterr().err == "" and waiting() == []
