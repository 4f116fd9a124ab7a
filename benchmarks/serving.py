"""Measures the load that `gistmill serve` sustains, with the clients on the same machine.

    python -m benchmarks.serving [--seconds 60] [--clients 200] [--requests 20000] [--fusion FOLDER]

The clients use the machine's last core alone, and the server runs one worker on each of the others; a single core is
shared. Sentences come from the first pages of the slice, with one pair per request. The rows are: --clients concurrent
clients that call /v1/split again after each response; 32 clients, which saturate the server; random arrivals at 60% and
80% of that rate; the same for /v1/fuse, /v1/propositions and /v1/resolve; and --requests short requests with invented
words, during which server memory must not grow. /v1/propositions and /v1/resolve get a pair as one text. Latency counts
from a request's due time. Rates per core are responses per second of server processor time. The last line is JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice, pairwise
from typing import Any

import psutil

from benchmarks.measuring import machine, table
from benchmarks.slice import read_pages, slice_path
from gistmill.rules.text.segment import split_sentences

_PAGES, _SHORTEST, _LONGEST = 10, 40, 250  # characters of a sentence
_LOADS = (0.6, 0.8)  # of saturation
_FEW = 32  # clients who keep the server busy
_OF_TEXTS = ("/v1/propositions", "/v1/resolve")


@dataclass
class Answers:
    """The responses that clients received.

    Attributes:
        statuses: the count of each status; "lost" stands for requests without a response.
        seconds: seconds from a request's due time to its response, for responses with status 200.
        lasted: duration in seconds.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    lasted: float = 0.0

    @property
    def rate(self) -> float:
        """Responses with status 200 per second."""
        return len(self.seconds) / self.lasted

    def percentile(self, share: float) -> float:
        """Returns the time within which this share of the responses arrived."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Client:
    """A persistent connection, on plain sockets because clients compete with the server for processor time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def post(self, route: str, body: Any) -> tuple[int, float]:
        """Returns the status and Retry-After of a response.

        Raises:
            OSError: there is no response.
        """
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        assert self._reader is not None
        content = json.dumps(body).encode()
        head = (
            f"POST {route} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        try:
            self._writer.write(head.encode() + content)
            lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines[1:] if line)
            await self._reader.readexactly(int(headers["content-length"]))
        except (OSError, EOFError) as error:
            await self.close()
            raise OSError(str(error)) from None
        if headers.get("connection") == "close":
            await self.close()
        return int(lines[0].split()[1]), float(headers.get("retry-after", 0))

    async def close(self) -> None:
        """Closes the connection."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


Bodies = Iterator[tuple[str, Any]]  # an endless series of routes and bodies


async def _one(client: Client, bodies: Bodies, due: float, answers: Answers) -> float:
    """Sends a request; returns the Retry-After of its response."""
    route, body = next(bodies)
    try:
        status, retry_after = await client.post(route, body)
    except OSError:
        answers.statuses["lost"] += 1
        return 0.0
    answers.statuses[str(status)] += 1
    if status == 200:
        answers.seconds.append(time.perf_counter() - due)
    return retry_after


def closed(port: int, bodies: Bodies, *, clients: int, seconds: float = 0.0, requests: int = 0) -> Answers:
    """Returns the responses to clients that send a new request after each response, or after Retry-After if rejected.
    They stop after this number of seconds or requests."""

    async def ask(answers: Answers, end: float) -> None:
        client = Client(port)
        while time.perf_counter() < end and (not requests or answers.statuses.total() < requests):
            await asyncio.sleep(await _one(client, bodies, time.perf_counter(), answers))
        await client.close()

    async def run(answers: Answers) -> None:
        end = time.perf_counter() + (seconds or 86_400)
        await asyncio.gather(*(ask(answers, end) for _ in range(clients)))

    return _measured(run)


def opened(port: int, bodies: Bodies, *, rate: float, seconds: float, seed: int = 1) -> Answers:
    """Returns the responses to clients that arrive at random, ``rate`` per second, whether or not others have been
    answered. Times count from a client's arrival."""
    chance = random.Random(seed)

    async def run(answers: Answers) -> None:
        free: list[Client] = []

        async def ask(due: float) -> None:
            client = free.pop() if free else Client(port)
            await _one(client, bodies, due, answers)
            free.append(client)

        start = due = time.perf_counter()
        tasks = set()
        while (due := due + chance.expovariate(rate)) < start + seconds:
            await asyncio.sleep(due - time.perf_counter())
            tasks.add(asyncio.create_task(ask(due)))
        await asyncio.gather(*tasks)
        for client in free:
            await client.close()

    return _measured(run)


def _measured(run: Callable[[Answers], Awaitable[None]]) -> Answers:
    answers, start = Answers(), time.perf_counter()

    async def whole() -> None:
        await run(answers)

    asyncio.run(whole())
    answers.lasted = time.perf_counter() - start
    return answers


def pairs() -> list[tuple[str, str]]:
    """Returns pairs of consecutive sentences from the slice."""
    found = []
    for page in islice(read_pages(slice_path()), _PAGES):
        for paragraph in page.text.split("\n"):
            sentences = split_sentences(paragraph)
            found += [p for p in pairwise(sentences) if all(_SHORTEST <= len(sentence) <= _LONGEST for sentence in p)]
    return found


@contextmanager
def server(*options: str) -> Iterator[tuple[int, psutil.Process]]:
    """Runs a server; yields its port and process."""
    command = [sys.executable, "-m", "gistmill", "serve", "--port", "0", *options]
    environment = {name: value for name, value in os.environ.items() if name != "GISTMILL_API_KEY"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stderr is not None
    try:
        line = next((line for line in process.stderr if '"serving"' in line), None)
        if line is None:
            raise SystemExit(f"the server did not start: {' '.join(options)}")
        # nobody reads its log any more
        with open(os.devnull, "w") as nothing:
            subprocess.Popen(["cat"], stdin=process.stderr, stdout=nothing)
        yield int(json.loads(line)["url"].rpartition(":")[2]), psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        process.stderr.close()


def resident(process: psutil.Process) -> int:
    """Returns the resident memory of a process and its children, in bytes."""
    return sum(each.memory_info().rss for each in [process, *process.children(recursive=True)])


def bodies(route: str, found: Sequence[tuple[str, str]]) -> Bodies:
    """Yields requests of one pair each, repeatedly; routes that take a text get the pair as one text."""
    if route in _OF_TEXTS:
        return ((route, {"text": f"{first} {second}"}) for first, second in cycle(found))
    return ((route, {"pairs": [{"first": first, "second": second}]}) for first, second in cycle(found))


def invented() -> Bodies:
    """Yields short requests with new invented words, to all routes in turn."""
    number = 0
    while True:
        number += 1
        word = "".join(
            "bcdfghklmnprstvz"[(number >> shift) & 15] + "aeiou"[(number >> shift) % 5] for shift in (0, 4, 8, 12, 16)
        )
        pair = [{"first": f"The {word} slept.", "second": f"However, {word}{number} left."}]
        yield (
            ("/v1/split", {"pairs": pair}),
            ("/v1/fuse", {"pairs": pair}),
            ("/v1/propositions", {"text": f"The {word} slept. It left {word}{number}."}),
            ("/v1/resolve", {"text": f"The {word} slept. It left {word}{number}."}),
            ("/v1/summarize", {"text": f"The {word} slept. It left {word}{number}."}),
        )[number % 5]


def used(process: psutil.Process) -> float:
    """Returns the processor time of a process and its children, in seconds."""
    return sum(sum(each.cpu_times()[:2]) for each in [process, *process.children(recursive=True)])


class Measured:
    """The measured table rows."""

    def __init__(self, process: psutil.Process) -> None:
        self._process = process
        self.rows: list[dict[str, Any]] = []

    def run(self, name: str, load: Callable[[], Answers]) -> Answers:
        """Runs a load and adds its row; ``rate_of_core`` is responses per second of server processor time."""
        before = used(self._process)
        answers = load()
        cost = used(self._process) - before
        self.rows.append(
            {
                "load": name,
                "rate": round(answers.rate, 1),
                "rate_of_core": round(len(answers.seconds) / cost, 1),
                "statuses": dict(sorted(answers.statuses.items())),
                **{f"p{share}_ms": round(1000 * answers.percentile(share / 100), 1) for share in (50, 95, 99)},
            }
        )
        return answers


def measure(port: int, process: psutil.Process, asked: argparse.Namespace) -> tuple[list[dict[str, Any]], list[int]]:
    """Returns the table rows, and the server's memory after each tenth of the many requests."""
    found, seconds, table = pairs(), asked.seconds, Measured(process)

    def many(route: str, clients: int, lasting: float) -> Answers:
        return closed(port, bodies(route, found), clients=clients, seconds=lasting)

    def arrive(route: str, rate: float) -> Answers:
        return opened(port, bodies(route, found), rate=rate, seconds=seconds)

    table.run(f"{asked.clients} clients, /v1/split", partial(many, "/v1/split", asked.clients, seconds))
    for route in ("/v1/split", "/v1/fuse", *_OF_TEXTS):
        full = table.run(f"saturated, {route}", partial(many, route, _FEW, seconds / 2))
        for load in _LOADS:
            table.run(f"{load:.0%} of that, {route}", partial(arrive, route, load * full.rate))
    rows = table.rows.copy()
    memory, words = [], invented()
    for tenth in range(1, 11):
        name = f"invented words, all routes, tenth {tenth}"
        table.run(name, lambda: closed(port, words, clients=8, requests=asked.requests // 10))
        memory.append(resident(process))
    return [*rows, table.rows[-1]], memory


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table and a line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="seconds per load (default: 60)")
    parser.add_argument("--clients", type=int, default=200, help="number of concurrent clients (default: 200)")
    parser.add_argument("--requests", type=int, default=20_000, help="number of unique requests (default: 20000)")
    parser.add_argument("--fusion", metavar="FOLDER", help="fusion model (default: the packaged one)")
    arguments = parser.parse_args(argv)
    cores = sorted(os.sched_getaffinity(0))
    own = cores[:-1] or cores
    options = ["--workers", str(len(own)), *(["--fusion", arguments.fusion] if arguments.fusion else [])]
    os.sched_setaffinity(0, own)  # processes started from here on stay there
    with server(*options) as (port, process):
        os.sched_setaffinity(0, cores[-1:])
        rows, memory = measure(port, process, arguments)
    print(machine(("fastapi", "uvicorn", "httptools", "spacy", "onnxruntime")), end="\n\n")
    columns = ("load", "rate", "rate_of_core", "p50_ms", "p95_ms", "p99_ms")
    statuses = [", ".join(f"{status}: {count}" for status, count in r["statuses"].items()) for r in rows]
    cells = [(*(str(r[name]) for name in columns), said) for r, said in zip(rows, statuses, strict=True)]
    print(table(("load", "200s/s", "per core", "p50 ms", "p95 ms", "p99 ms", "answers"), cells))
    sizes = ", ".join(f"{each / 1e6:.0f}" for each in memory)
    print(f"\nmemory after each tenth of {arguments.requests} requests, MB: {sizes}")
    print(json.dumps({"rows": rows, "memory": memory, "workers": len(own)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
