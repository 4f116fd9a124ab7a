"""Bad and hostile requests: a 4xx that says what is wrong, while others are answered."""

import json
import socket
import threading
import time

import pytest

GOOD = {"pairs": [{"first": "It rained, so we left."}]}
MEGABYTE = 1 << 20


def detail(answer, status):
    """What a problem says."""
    assert answer.status_code == status, answer.text[:500]
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert found["status"] == status and set(found) == {"title", "status", "detail"} and len(found["detail"]) < 2000
    return found["detail"]


def first(text):
    return {"pairs": [{"first": text}]}


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 422, "Field required"),
        (b"{", 400, "not JSON"),
        (b'{"pairs": [{"first": "\xff"}]}', 400, "JSON"),
        (b"[" * 100_000, 400, "JSON"),
        (b'{"pairs": ' + b'[{"first":' * 50_000, 400, "JSON"),
        (b'{"pairs": [], "n": ' + b"9" * 10_000 + b"}", 400, "JSON"),
        (b'{"pairs": [{"first": NaN}]}', 422, "pairs.0.first"),
        (json.dumps(first("A\0 b.")).encode(), 422, "pairs.0.first"),
        (json.dumps(first("A \ud800 b.")).encode(), 422, "pairs.0.first"),
        (json.dumps(first("   \t\n")).encode(), 422, "pairs.0.first"),
        (json.dumps(first("a" * (MEGABYTE - 100))).encode(), 422, "at most 4000"),
        (json.dumps(first("“" * 10_000)).encode(), 422, "at most 4000"),
        (json.dumps(first("“'" * 1_000)).encode(), 422, "at most 256"),
        (json.dumps({"pairs": [{"first": "A."}] * 33}).encode(), 422, "at most 32"),
        (json.dumps({"pairs": []}).encode(), 422, "pairs"),
        (json.dumps({**GOOD, "tokenised": True}).encode(), 422, "tokenised"),
        (json.dumps({**GOOD, "x" * 10_000: True}).encode(), 422, "Extra inputs"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, bytes) else str(value),
)
def test_a_bad_body_is_refused_and_said_why(server, body, status, said):
    answer = server.client.post("/v1/split", content=body, headers={"content-type": "application/json"})
    found = detail(answer, status)
    assert said in found and "a" * 100 not in found


def test_a_body_of_100_megabytes_is_refused_and_the_connection_closed(server):
    answer = server.client.post("/v1/split", content=(bytes(MEGABYTE) for _ in range(100)))
    assert "larger than 1048576 bytes" in detail(answer, 413)
    assert answer.headers["connection"] == "close"
    assert server.post("/v1/split", GOOD).status_code == 200


def test_nested_quotes_and_long_words_of_an_article_are_read(server):
    for text in ('"' * 10_000, "“‘" * 5_000 + "Yes." + "’”" * 5_000, "a" * 900_000, "A. " * 1_999):
        answer = server.post("/v1/summarize", {"text": text})
        assert answer.status_code == 200 and answer.json()["paragraphs"]
    assert "3000 sentences" in detail(server.post("/v1/summarize", {"text": "It rained. " * 3_000}), 422)


def test_a_page_that_is_nested_too_deeply_has_no_summary(server):
    found = server.post("/v1/summarize", {"html": "<div>" * 5_000 + "Text."}).json()
    assert found["summary"] == "" and found["why"].startswith("the page could not be read")


def test_what_is_neither_text_nor_page_nor_sections_is_refused(server):
    assert "text: Field required" in detail(server.post("/v1/summarize", {"title": "News"}), 422)
    assert "text" in detail(server.post("/v1/summarize", {"text": "A.", "html": "<p>A."}), 422)
    assert detail(server.post("/v1/summarize", []), 422)


def test_what_is_not_there_is_a_problem_too(server):
    assert detail(server.client.get("/v2"), 404)
    answer = server.client.get("/v1/split")
    assert detail(answer, 405) and answer.headers["allow"] == "POST"


def raw(server, *parts, pause=0.0):
    """Sends bytes on a connection of its own; returns what comes back until it is closed."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        found = b""
        while more := connection.recv(65536):
            found += more
    return found


HEAD = b"POST /v1/split HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"


def test_what_comes_too_slowly_is_refused_while_others_are_answered(server):
    found = {}

    def send(name, *parts):
        found[name] = raw(server, *parts)

    sent = {"head": (HEAD,), "body": (HEAD + b"\r\n{",), "nothing": ()}
    threads = [threading.Thread(target=send, args=(name, *parts)) for name, parts in sent.items() for _ in range(5)]
    for thread in threads:
        thread.start()
    assert server.post("/v1/split", GOOD).status_code == 200
    for thread in threads:
        thread.join()
    for name in sent:
        assert found[name].startswith(b"HTTP/1.1 408 ") and b"was not there within 1.5 s" in found[name]


def test_what_is_not_http_is_refused(server):
    assert raw(server, b"\x16\x03\x01\x00garbage\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    assert raw(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n").startswith(
        b"HTTP/1.1 431 "
    )


def test_a_client_that_asks_before_it_sends_too_much_need_not_send_it(server):
    asked = HEAD.replace(b" 1000\r", b" 104857600\r") + b"Expect: 100-continue\r\n\r\n"
    assert raw(server, asked).startswith(b"HTTP/1.1 413 ")
