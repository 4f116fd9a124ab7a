"""The line for whoever waits for a store."""

import threading
import time

import pytest

from gistmill.core import patience
from gistmill.core.patience import waiting_for


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(patience, "SECONDS", 0.02)
    monkeypatch.setattr(patience, "_told", set())


def waited(capsys, what, seconds=0.2):
    with waiting_for(what):
        time.sleep(seconds)
    return capsys.readouterr().err


@pytest.mark.parametrize("what", ["gs://bucket", "gs://bucket/there/*.gz", "write gs://bucket/there"])
def test_whoever_waits_for_long_is_told_the_bucket(what, capsys):
    line = "gistmill: gs://bucket has not answered for 0.02 s; it may be tried for minutes more\n"
    assert waited(capsys, what) == line


@pytest.mark.parametrize("what", ["/a/file", "file:///a/file", "read a file", ""])
def test_a_local_place_is_no_store(what, capsys):
    assert waited(capsys, what) == ""


def test_an_answer_in_time_is_not_spoken_of(capsys, monkeypatch):
    monkeypatch.setattr(patience, "SECONDS", 30)
    assert waited(capsys, "s3://bucket/there") == ""
    assert not [t for t in threading.enumerate() if isinstance(t, threading.Timer) and not t.finished.is_set()]


def test_a_bucket_is_named_once(capsys):
    assert [waited(capsys, f"s3://{name}").count("\n") for name in ("a/1", "a/2", "b/1")] == [1, 0, 1]


def test_a_failure_ends_the_waiting(capsys):
    with pytest.raises(ValueError), waiting_for("s3://bucket"):
        raise ValueError
    time.sleep(0.1)
    assert capsys.readouterr().err == ""
