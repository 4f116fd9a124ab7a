"""What a message shows of a URL that may hold a key, and a published file of a place: no folder of a machine, no secret."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core import addresses
from gistmill.core.addresses import (
    WebAddress,
    hosts_of,
    is_url,
    public_configuration,
    public_name,
    waiting_for,
    web_url,
    without_secrets,
)


def test_of_a_url_scheme_host_and_port_are_shown():
    for url, shown in {
        "https://hooks.slack.com/services/T0/B0/secret": "https://hooks.slack.com/...",
        "HTTPS://Hooks.Slack.com": "https://hooks.slack.com/...",
        "http://jdoe:secret@127.0.0.1:8080?key=secret": "http://127.0.0.1:8080/...",
        "http://[::1]:80/secret": "http://[::1]:80/...",
        "https://a_b.example/secret#secret": "https://a_b.example/...",
    }.items():
        assert str(WebAddress.of(url)) == shown and web_url(url) == url


def test_what_is_not_a_url_of_http_is_refused_without_a_word_of_it():
    for url in (
        *("", "host/x", "/x", "//host/x", "ftp://host/x", "file:///x", "https:/host", "https://", "https:///x"),
        *("https://host:port/", "https://host:123456/", "https://a b/", "https://a\\b/", "https://[x]/", "https://@/"),
        *(" https://host/", "https://host/ x", "https://host/\n"),
        *(None, 5, ["https://host/"], {"url": "https://host/"}),
    ):
        with pytest.raises(ValueError, match="^expected a URL beginning with https:// or http://$"):
            web_url(url)


def test_the_hosts_of_mirrors_are_named_once():
    urls = ["https://a.example/x", "http://A.example:8080", "https://b.example", "gs://bucket/x"]
    assert hosts_of(urls) == ["a.example", "b.example"]


def test_no_url_of_a_text_has_a_key():
    for text, shown in {
        "'https://jdoe:k@host/a?key=k' is refused": "'https://host/a' is refused",
        "https://jdoe:p/k@host/a: no": "https://host/a: no",
        "see (http://host:80/a#k, or s3://id:k@bucket/x?y)": "see (http://host:80/a or s3://bucket/x?y)",
        "https://jdoe:p?k@host/a: no": "https://... no",
        "s3://bucket/a@b?c": "s3://bucket/a@b?c",
        "mysql://jdoe:k@db/x": "mysql://db/x",
        "file:///home/x?y is a path; FILE:///a@b too": "file:///home/x?y is a path; FILE:///a@b too",
        "https://en.wikipedia.org/wiki/Otter has a page": "https://en.wikipedia.org/wiki/Otter has a page",
        "no URL: a@b, c:d, x://": "no URL: a@b, c:d, x://",
    }.items():
        assert without_secrets(text) == shown


KEYS = st.text(st.characters(codec="ascii", exclude_characters=" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f'\"<>"), max_size=9)


@given(before=KEYS, query=KEYS)
def test_neither_password_nor_query_is_left_whatever_they_are(before, query):
    assert "SECRET" not in without_secrets(f"of https://jdoe:{before}SECRET@host.example/a?{query}SECRET it said")


PLACES = [
    ("/home/jdoe/dumps/enwiki.xml.bz2", "enwiki.xml.bz2"),
    ("enwiki.xml.bz2", "enwiki.xml.bz2"),
    ("../jdoe/enwiki.xml.bz2", "enwiki.xml.bz2"),
    ("~jdoe/news/*/2020-??.jsonl", "2020-??.jsonl"),
    ("/home/jdoe/annotated-en/", "annotated-en"),
    ("/home/jdoe/a, b.xml", "a, b.xml"),
    ("file:///home/jdoe/enwiki.xml", "enwiki.xml"),
    ("FILE:///home/jdoe/enwiki.xml", "enwiki.xml"),
    ("/", "/"),
    ("gs://bucket/dumps/enwiki-*.xml", "gs://bucket/dumps/enwiki-*.xml"),
    ("s3://bucket/2020-??/a#1.gz", "s3://bucket/2020-??/a#1.gz"),
    ("s3://key:secret@bucket/a.gz", "s3://bucket/a.gz"),
    ("https://jdoe:secret@example.org:8080/a.gz", "https://example.org:8080/a.gz"),
    ("https://example.org/a.gz?X-Amz-Signature=secret#part", "https://example.org/a.gz"),
    ("https://example.org?token=secret", "https://example.org"),
    ("https://example.org/a@b", "https://example.org/a@b"),
]


def test_a_place_keeps_what_can_be_told():
    for place, name in PLACES:
        assert public_name(place) == name
    assert is_url("gs://a/b") and not is_url("file:///a/b") and not is_url("/a/b") and not is_url("a://"[:2])


@given(st.text(), st.from_regex(r"[a-z]{1,8}", fullmatch=True))
def test_no_folder_of_a_path_is_left(folder, name):
    assert public_name(f"/secretfolder{folder}/{name}") == name


def test_a_configuration_keeps_what_a_rerun_needs():
    kept = {"coref_model": "biu-nlp/f-coref", "salt": "a/b", "limit": None, "resume": False}
    kept |= {"balanced_rates": {"PAIR_CONN/and": 0.22}}
    profile = {"name": "mine", "rouge": "rouge1", "sentences": 3}
    values = {
        "input": ("/home/jdoe/a.xml", "gs://bucket/b.xml"),
        "output": "work/corpora/discofuse-en",
        "decontaminate": ("tests/sets/*.tsv",),
        "spacy_model": "/home/jdoe/models/mine",
        "profile": (profile,),
        "splits": (98.0, 1.0, 1.0),
    }
    public = {"input": ["a.xml", "gs://bucket/b.xml"], "output": "discofuse-en", "decontaminate": ["*.tsv"]}
    public |= {"spacy_model": "mine", "profile": [profile], "splits": [98.0, 1.0, 1.0]}
    assert public_configuration(values | kept, places={"input", "output", "decontaminate"}) == public | kept


def test_a_path_in_an_option_that_nobody_listed_is_shortened_too(tmp_path):
    for path in "/home/jdoe/x.bin", "~/jdoe/x.bin", "./jdoe/x.bin", "../jdoe/x.bin", "file:/jdoe/x.bin":
        values = {"new_option": path, "nested": {"deep": [path]}}
        assert public_configuration(values, places=()) == {"new_option": "x.bin", "nested": {"deep": ["x.bin"]}}
    assert public_configuration({"model": tmp_path / "mine"}, places=()) == {"model": "mine"}


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
    line = "gistmill: no response from gs://bucket for 0.02 s; retrying, possibly for several minutes\n"
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
