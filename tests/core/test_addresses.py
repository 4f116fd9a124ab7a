"""Addresses of HTTP: what a server is, and what a message shows of a URL that may hold a key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.addresses import WebAddress, hosts_of, web_url, without_secrets


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://hooks.slack.com/services/T0/B0/secret", "https://hooks.slack.com/..."),
        ("HTTPS://Hooks.Slack.com", "https://hooks.slack.com/..."),
        ("http://jdoe:secret@127.0.0.1:8080?key=secret", "http://127.0.0.1:8080/..."),
        ("http://[::1]:80/secret", "http://[::1]:80/..."),
        ("https://a_b.example/secret#secret", "https://a_b.example/..."),
    ],
)
def test_of_a_url_scheme_host_and_port_are_shown(url, shown):
    assert str(WebAddress.of(url)) == shown and web_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        *("", "host/x", "/x", "//host/x", "ftp://host/x", "file:///x", "https:/host", "https://", "https:///x"),
        *("https://host:port/", "https://host:123456/", "https://a b/", "https://a\\b/", "https://[x]/", "https://@/"),
        *(" https://host/", "https://host/ x", "https://host/\n"),
    ],
)
def test_what_is_not_a_url_of_http_is_refused_without_a_word_of_it(url):
    with pytest.raises(ValueError, match="^expected a URL that begins with https:// or http://$"):
        web_url(url)


@pytest.mark.parametrize("value", [None, 5, ["https://host/"], {"url": "https://host/"}])
def test_what_is_not_text_is_refused(value):
    with pytest.raises(ValueError, match="^expected a URL"):
        web_url(value)


def test_the_hosts_of_mirrors_are_named_once():
    urls = ["https://a.example/x", "http://A.example:8080", "https://b.example", "gs://bucket/x"]
    assert hosts_of(urls) == ["a.example", "b.example"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("'https://jdoe:k@host/a?key=k' is refused", "'https://host/a' is refused"),
        ("https://jdoe:p/k@host/a: no", "https://host/a: no"),
        ("see (http://host:80/a#k, or s3://id:k@bucket/x?y)", "see (http://host:80/a or s3://bucket/x?y)"),
        ("https://jdoe:p?k@host/a: no", "https://... no"),
        ("s3://bucket/a@b?c", "s3://bucket/a@b?c"),
        ("mysql://jdoe:k@db/x", "mysql://db/x"),
        ("file:///home/x?y is a path; FILE:///a@b too", "file:///home/x?y is a path; FILE:///a@b too"),
        ("https://en.wikipedia.org/wiki/Otter has a page", "https://en.wikipedia.org/wiki/Otter has a page"),
        ("no URL: a@b, c:d, x://", "no URL: a@b, c:d, x://"),
    ],
)
def test_no_url_of_a_text_has_a_key(text, shown):
    assert without_secrets(text) == shown


KEYS = st.text(st.characters(codec="ascii", exclude_characters=" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f'\"<>"), max_size=9)


@given(before=KEYS, query=KEYS)
def test_neither_password_nor_query_is_left_whatever_they_are(before, query):
    assert "SECRET" not in without_secrets(f"of https://jdoe:{before}SECRET@host.example/a?{query}SECRET it said")
