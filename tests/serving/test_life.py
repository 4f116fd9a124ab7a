"""A server of several processes: overload, deaths, ends, metrics."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import httpx
import pytest

from gistmill.pipelines.cli import main
from tests.serving.running import running

pytestmark = [pytest.mark.slow, pytest.mark.waits]

BODY = {"pairs": [{"first": "The Sharks started slowly, yet they recovered to claim sixth spot."}]}


class Load:
    """Clients that ask again and again, each over a connection of its own.

    Attributes:
        statuses: of the answers.
        lost: requests that were sent and not answered.
        refused: the last answer that sends a client away.
    """

    def __init__(self, url, clients, body=BODY):
        self.statuses, self.lost, self.refused = [], [], None
        self._url, self._body = url, body
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(clients)]
        for thread in self._threads:
            thread.start()

    def _ask(self):
        with httpx.Client(base_url=self._url, timeout=240, headers=KEY) as client:
            while not self._stop.is_set():
                try:
                    answer = client.post("/v1/split", json=self._body)
                    self.statuses.append(answer.status_code)
                    self.refused = answer if answer.status_code == 429 else self.refused
                except httpx.ConnectError:  # nobody listens any more: nothing was sent
                    return
                except httpx.TransportError as error:
                    self.lost.append(repr(error))

    def end(self):
        """Lets the clients end and returns what they got."""
        self._stop.set()
        for thread in self._threads:
            thread.join(60)
        return self.statuses, self.lost


def wait_until(count, load):
    while len(load.statuses) < count:
        time.sleep(0.02)


KEY = {"Authorization": "Bearer sesame"}


@pytest.fixture(scope="module")
def two():
    """A server of two processes, which wants a key and has a translator."""
    german = "--languages", "en,de", "--translator", "tests.serving.translators:german"
    with running("--workers", 2, "--drain", 1.0, *german, environment={"GISTMILL_API_KEY": "sesame"}) as found:
        yield found


def test_a_key_is_asked_for_where_one_is_set(two):
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "sesame"}):
        answer = two.post("/v1/split", BODY, headers=headers)
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"
    for content in (b"{", b'{"pairs":[' + b"1," * 400_000 + b"1]}"):  # the key comes before the body
        assert (
            two.client.post("/v1/split", content=content, headers={"Content-Type": "application/json"}).status_code
            == 401
        )
    assert two.post("/v1/split", BODY, headers=KEY).status_code == 200
    assert two.client.get("/healthz").status_code == two.client.get("/metrics").status_code == 200
    described = two.client.get("/openapi.json").json()
    assert described["paths"]["/v1/fuse"]["post"]["security"] and "sesame" not in str(described)


def summarize(server, **article):
    answer = server.post("/v1/summarize", article, headers=KEY)
    return answer.status_code, answer.json()


def test_an_article_is_translated_and_its_summary_back(two):
    """The lead-bias paper, section 4.9."""
    text = "Die Brücke war gesperrt. Der Fluss stieg."
    _, found = summarize(two, text=text, market="de-at")
    assert (found["language"], found["summary"], found["paragraphs"]) == ("de", text, [text])
    assert found["read"]["complete"] and found["read"]["of_characters"] == len("The bridge was closed. The river rose.")
    _, english = summarize(two, text="The river rose.", language="en", market="de-at")
    assert (english["language"], english["summary"]) == ("en", "The river rose.")


def test_what_cannot_be_translated_is_said_and_a_translator_that_fails_fails_its_request_alone(two):
    _, found = summarize(two, text="NIEMAND WEISS ES. Der Fluss stieg.", language="de")
    assert found["summary"] == "Der Fluss stieg."
    assert found["read"]["note"].startswith("1 of 2 sentences could not be translated.")
    assert not found["read"]["complete"]
    status, found = summarize(two, text="KAPUTT ist es.", language="de")
    assert status == 503 and found["detail"] == "the translator is broken"
    assert summarize(two, text="Der Fluss stieg.", language="de")[0] == 200


def test_a_killed_worker_loses_its_requests_alone_and_is_replaced(two):
    before = two.workers()
    load = Load(two.url, 8)
    wait_until(20, load)
    os.kill(before[0], signal.SIGKILL)
    replaced = two.wait_for("a worker is replaced")
    assert (replaced["worker"], replaced["exit_code"], replaced["why"]) == (before[0], -signal.SIGKILL, "it died")
    two.wait_for("a worker is ready", count=3)
    wait_until(len(load.statuses) + 40, load)
    statuses, lost = load.end()
    assert set(statuses) == {200} and len(lost) <= 8
    # the metrics of the dead count still, and its waiting requests do not
    text = two.client.get("/metrics").text
    counted = sum(
        float(n) for n in re.findall(r'gistmill_requests_total\{.*route="/v1/split",status="200"\} ([\d.]+)', text)
    )
    assert len(statuses) <= counted <= len(statuses) + len(lost)
    assert sum(float(n) for n in re.findall(r"^gistmill_waiting_items\{.*\} ([\d.]+)", text, re.M)) == 0
    assert {"gistmill_batch_items_bucket", "gistmill_request_seconds_bucket"} <= set(re.findall(r"^\w+", text, re.M))


def test_sigterm_under_load_loses_no_request(two):
    """The last test of this server."""
    load = Load(two.url, 8)
    wait_until(20, load)
    two.process.send_signal(signal.SIGTERM)
    two.wait_for("ending")
    with httpx.Client(base_url=two.url) as client:
        answer = client.get("/readyz")
    assert answer.status_code == 503 and answer.headers["connection"] == "close"
    assert two.process.wait(60) == 0
    statuses, lost = load.end()
    assert set(statuses) == {200} and lost == []
    for pid in two.workers():
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_more_than_can_be_done_is_answered_by_429_and_said_when_to_come_back(server):
    load = Load(server.url, 12, {"pairs": BODY["pairs"] * 32})
    wait_until(24, load)
    statuses, lost = load.end()
    assert set(statuses) == {200, 429} and lost == []
    refused = load.refused
    assert int(refused.headers["retry-after"]) >= 1 and "try again" in refused.json()["detail"]


def test_the_end_of_the_supervisor_is_the_end_of_its_workers():
    with running("--workers", 2) as server:
        workers = server.workers()
        server.process.kill()
        server.process.wait(60)
        end = time.monotonic() + 60
        alive = set(workers)
        while alive and time.monotonic() < end:
            time.sleep(0.05)
            for pid in list(alive):
                with contextlib.suppress(OSError):
                    os.kill(pid, 0)
                    continue
                alive.discard(pid)
        assert not alive


def refused(capsys, *arguments):
    """What a command line is told that is wrong."""
    assert main(["serve", "--port", "0", *map(str, arguments)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_wrong_command_line_or_a_port_that_is_taken_is_said_in_one_line(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for arguments, said in [
            (["--port", taken.getsockname()[1]], "Address already in use"),
            (["--fusion", "/nowhere"], "--fusion /nowhere is not a folder"),
            (["--languages", "de"], "languages: de requires translator"),
            (["--languages", "en,en"], "each code only once"),
            (["--translator", "tests.nothing:here"], "has no effect"),
            (["--languages", "en,xx"], "--languages"),
            (["--port", "70000"], "--port: expected a whole number from 0 to 65535"),
            (["--prot", "1"], "unknown option --prot; did you mean --port?"),
        ]:
            assert said in refused(capsys, *arguments)


def test_a_translator_that_cannot_be_opened_is_said_in_one_line():
    arguments = ["--port", "0", "--languages", "en,de", "--translator", "tests.nothing:here"]
    command = [sys.executable, "-m", "gistmill", "serve", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    (line,) = (line for line in done.stderr.splitlines() if not line.startswith("{"))
    assert done.returncode == 2 and "--translator tests.nothing:here" in line


@pytest.mark.long
def test_a_worker_whose_batch_hangs_is_replaced():
    options = ("--languages", "en,de", "--translator", "tests.serving.translators:hanging", "--timeout", 0.5)
    with running(*options) as server:
        (hung,) = server.workers()
        assert summarize(server, text="Der Fluss stieg.", language="de")[0] == 504
        assert server.client.get("/healthz").status_code == 200
        server.wait_for("a worker is ready", count=2)
        replaced = server.wait_for("a worker is replaced")
        assert (replaced["worker"], replaced["exit_code"]) == (hung, 1)
        assert summarize(server, text="The river rose.")[0] == 200
        lines = "".join(server.lines)
        assert "translators.py" in lines and "Der Fluss" not in lines


@pytest.mark.long
def test_workers_that_die_at_their_start_end_the_server(tmp_path):
    (tmp_path / "dying.py").write_text("import os\n\n\ndef open(source, target):\n    os._exit(9)\n", encoding="utf-8")
    arguments = ["--port", "0", "--languages", "en,de", "--translator", "dying:open"]
    command = [sys.executable, "-m", "gistmill", "serve", *arguments]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 1 and '"no worker can start"' in done.stderr
