"""Clients for a server on this machine: some that ask again and again, or so many requests a second."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Answers:
    """What clients got.

    Attributes:
        statuses: how often each status; "lost" for requests that were sent and not answered.
        seconds: from when a request was due to its answer, of answers with 200.
        lasted: seconds.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    lasted: float = 0.0

    @property
    def rate(self) -> float:
        """Answers with 200 a second."""
        return len(self.seconds) / self.lasted

    def percentile(self, share: float) -> float:
        """The time that so many of the answers took at most."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Client:
    """A connection that is kept; plain sockets, because a client takes processor time from the server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def post(self, route: str, body: Any) -> tuple[int, float]:
        """Returns the status of an answer and its Retry-After.

        Raises:
            OSError: there is no answer.
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
        """Ends the connection."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


Bodies = Iterator[tuple[str, Any]]  # routes and bodies, without an end


async def _one(client: Client, bodies: Bodies, due: float, answers: Answers) -> float:
    """Sends a request; returns the Retry-After of its answer."""
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
    """Returns what clients get that ask again as soon as they are answered; one that is sent away comes back when told.
    They stop after so many seconds, or so many requests."""

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
    """Returns what clients get that come by chance, ``rate`` of them a second, whether others are answered or not.
    Times count from when a client came."""
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
