import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from gistmill.rules.augmentation.translator import TranslationError, hypotheses
from gistmill.transforms.translation.endpoint import KEY, Endpoint, HttpTranslator, check_url
from tests.transforms.translation.fakes import Backwards


def answered(asked):
    made = Backwards(asked["target"]).translate(asked["sentences"], count=asked["hypotheses"])
    return 200, {}, {"translations": made, "model": "backwards 1"}


@contextlib.contextmanager
def serving(*answers, seconds=20.0):
    """A server that gives the answers in turn, and then translates; yields its endpoint and the list of requests."""
    waiting, requests = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append({**asked, "key": self.headers["Authorization"], "at": time.monotonic()})
            answer = waiting.pop(0) if waiting else answered
            if answer is None:  # the connection breaks
                self.close_connection = True
                self.connection.close()
                return
            status, headers, value = answer(asked)
            chunks = (
                value
                if isinstance(value, tuple)
                else [value if isinstance(value, bytes) else json.dumps(value).encode()]
            )
            self.send_response(status)
            for name, text in {"Content-Length": str(sum(map(len, chunks))), **headers}.items():
                self.send_header(name, text)
            self.end_headers()
            for chunk in chunks:
                self.wfile.write(chunk)
                time.sleep(0.1 if len(chunks) > 1 else 0)

        def handle(self):
            with contextlib.suppress(ConnectionError):  # the client had enough
                super().handle()

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/translate?v=secret"
        yield Endpoint(url, timeout=seconds, attempts=3, backoff=0.02), requests
    finally:
        server.shutdown()
        server.server_close()


def status(code, value=b"no", **headers):
    return lambda asked: (code, {name.replace("_", "-"): text for name, text in headers.items()}, value)


def slow(asked):
    time.sleep(1.5)
    return answered(asked)


def cut(asked):
    return 200, {"Content-Length": "1000"}, b'{"translations": ['


def test_sentences_go_there_in_batches_and_come_back_in_order():
    sentences = [f"sentence {'long ' * (n % 7)}{n}" for n in range(150)]
    with serving() as (endpoint, requests):
        translator = HttpTranslator(endpoint, "en", "de")
        assert translator.translate(sentences, count=3) == Backwards("de").translate(sentences, count=3)
    assert requests[0]["sentences"] == []  # which model answers
    assert [len(r["sentences"]) for r in requests[1:]] == [64, 64, 22]
    assert {(r["source"], r["target"], r["hypotheses"]) for r in requests[1:]} == {("en", "de", 3)}


def test_the_identity_is_the_place_and_the_model_without_what_may_be_secret():
    with serving() as (endpoint, _):
        translator = HttpTranslator(endpoint, "en", "de")
    assert translator.model == "backwards 1"
    assert translator.identity == f"{endpoint.name} backwards 1 en-de"
    assert endpoint.name.startswith("http://127.0.0.1:") and "secret" not in endpoint.name


def test_the_key_is_that_of_the_environment(monkeypatch):
    with serving() as (endpoint, requests):
        HttpTranslator(endpoint, "en", "de")
        monkeypatch.setenv(KEY, "k-1")
        HttpTranslator(endpoint, "en", "de")
    assert [r["key"] for r in requests] == [None, "Bearer k-1"]


@pytest.mark.long
@pytest.mark.parametrize(
    "trouble",
    [status(503), status(429), status(500), status(429, Retry_After="0"), None, slow, cut],
    ids=["503", "429", "500", "429 with a time", "broken connection", "slow", "cut off"],
)
def test_what_may_pass_is_tried_again(trouble):
    with serving(trouble, trouble, seconds=1.0 if trouble is slow else 20.0) as (endpoint, requests):
        translator = HttpTranslator(endpoint, "en", "de", model="m")
        assert translator.translate(["a b"], count=1) == [["a b de1"]]
    assert len(requests) == 3


def test_an_endpoint_says_how_long_to_wait():
    with serving(status(429, Retry_After="1")) as (endpoint, requests):
        HttpTranslator(endpoint, "en", "de", model="m").translate(["a"], count=1)
    assert requests[1]["at"] - requests[0]["at"] >= 0.9


@pytest.mark.long
@pytest.mark.parametrize(
    ("answers", "problem", "tries"),
    [
        ([status(503)] * 9, "does not answer: too many 503", 4),
        ([cut] * 9, "broke off", 4),
        ([status(404)], "answered 404", 1),
        ([status(401)], "answered 401", 1),
        ([status(302, Location="http://127.0.0.1:9/")], "answered 302", 1),
        ([status(200, b"<html>")], "gave no JSON", 1),
        ([status(200, b"\xff\xfe")], "gave no JSON", 1),
        ([status(200, b"[" * 100_000)], "gave no JSON", 1),
        ([status(200, [["a"]])], "gave no JSON", 1),
        ([status(200, {"translations": None})], "gave no JSON", 1),
        ([status(200, {"translations": ["a de1"]})], "gave no JSON", 1),
        ([status(200, {"translations": [[5]]})], "gave no JSON", 1),
        ([status(200, {"translations": []})], "gave 0 translations for 1 sentences", 1),
        ([status(200, {"translations": [["a"], ["b"]]})], "gave 2 translations for 1 sentences", 1),
        ([status(200, {"translations": [["a", "b"]]})], "gave 2 hypotheses for a sentence, and 1 were", 1),
    ],
)
def test_what_does_not_pass_is_one_line(answers, problem, tries):
    with serving(*answers) as (endpoint, requests), pytest.raises(TranslationError, match=problem) as raised:
        hypotheses(HttpTranslator(endpoint, "en", "de", model="m"), ["a"], count=1)
    assert len(requests) == tries
    assert "\n" not in str(raised.value) and "secret" not in str(raised.value)


def test_nobody_at_the_place_is_one_line():
    with pytest.raises(TranslationError, match="does not answer: .*[Cc]onnection refused"):
        HttpTranslator(Endpoint("http://127.0.0.1:9/t", timeout=1, attempts=1, backoff=0), "en", "de")


def test_no_log_has_the_url(caplog):
    """urllib3 warns of every repetition, with the URL; workers of Beam print that."""
    with caplog.at_level("INFO"), pytest.raises(TranslationError, match="does not answer") as raised:
        HttpTranslator(Endpoint("http://127.0.0.1:9/t?key=secret", timeout=1, attempts=2, backoff=0), "en", "de")
    assert "secret" not in caplog.text + str(raised.value)


@pytest.mark.slow
def test_an_answer_that_trickles_is_given_up():
    with serving(*[status(200, (b" ",) * 600)] * 4, seconds=0.5) as (endpoint, _):
        began = time.monotonic()
        with pytest.raises(TranslationError, match="broke off: no whole answer within 0.5 s"):
            HttpTranslator(endpoint, "en", "de")
    assert time.monotonic() - began < 30  # an answer would take 60 s


@pytest.mark.parametrize(
    "url", ["ftp://host/x", "host/x", "http://", "http://u:p@host/", "http://host:99999/", "http://["]
)
def test_a_url_that_cannot_be_used_is_refused(url):
    with pytest.raises(ValueError, match="translator_url") as refused:
        check_url(url)
    assert "u:p" not in str(refused.value) and "99999" not in str(refused.value)
