"""A server that has dumps in Wikimedia's layouts, and the manners and faults of real ones."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.servers import serving

EXPORTS = "other/mediawiki_content_current"
_CONTACT = re.compile(r"[^ /]+/\S+ \((?:\S+@\S+|https?://\S+)\) \S+/\S+")  # name/version (contact) library/version
JOB = "articlesmultistreamdump"
_BYTES = re.compile(r"bytes=(\d+)-(\d*)")


@dataclass
class Mirror:
    """What a server has, and how it behaves.

    Attributes:
        files: content by path, without ``/`` in front.
        plan: what becomes of a request: ``plan(path, number)`` returns None, a status such as 503, "cut" (half of the
            answer, then the connection breaks), "slow" (half of it, and nothing more for a while),
            "drip" (a byte every 20 ms), "wrong" (other bytes of the same length), "plain" (no range),
            "busy N" (status 429, with N as Retry-After), or "-> URL" (a redirect).
        folders: paths of folders that are empty, without ``/`` in front.
        asks_contact: whether it refuses clients whose User-Agent has no contact, as Wikimedia's access policy says.
        style: "nginx" or "apache", of listings.
        delay: seconds that each answer takes.
        most_at_once: how many requests it has had at once.
        agents: the header User-Agent of all requests.
        ranges: whether it knows ranges.
        tag: its ETag for every file; "" for none.
        requests: (path, header Range) of all requests but those of HEAD.
        keys: the header Authorization of all requests.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    plan: Callable[[str, int], int | str | None] = lambda path, number: None
    folders: set[str] = field(default_factory=set)
    asks_contact: bool = False
    style: str = "nginx"
    delay: float = 0.0
    most_at_once: int = 0
    agents: set[str] = field(default_factory=set)
    ranges: bool = True
    tag: str = '"one"'
    requests: list[tuple[str, str]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    url: str = ""

    def asked(self, ending: str) -> list[str]:
        """The ranges that were asked for of a file."""
        return [wanted for path, wanted in self.requests if path.endswith(ending)]

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder; outside the exports, any."""
        known = (*self.files, *(f"{folder}/" for folder in self.folders))
        return not path.startswith(EXPORTS) or any(name.startswith(path) for name in known)

    def put_dump(self, wiki: str, date: str, files: dict[str, bytes], *, status: str = "done", job: str = JOB) -> None:
        """Adds a dump as a mirror has it: its status, and those files that are there."""
        described = {
            name: {
                "size": len(data),
                "url": f"/{wiki}/{date}/{name}",
                "md5": hashlib.md5(data).hexdigest(),
                "sha1": hashlib.sha1(data).hexdigest(),
            }
            for name, data in files.items()
        }
        jobs = {
            "xmlstubsdump": {"status": "done", "files": {}, "updated": "2026-01-01 00:00:00"},
            job: {"status": status, "updated": "2026-01-02 00:00:00", "files": described},
        }
        self.files[f"{wiki}/{date}/dumpstatus.json"] = json.dumps({"version": "0.8", "jobs": jobs}).encode()
        self.files |= {f"{wiki}/{date}/{name}": data for name, data in files.items()}

    def put_export(self, wiki: str, day: str, files: dict[str, bytes], *, complete: bool = True) -> str:
        """Adds a content file export: its files and, if it is complete, what says so. Returns its folder."""
        folder = f"{EXPORTS}/{wiki}/{day}/xml/bzip2"
        self.folders.add(folder)
        self.files |= {f"{folder}/{name}": data for name, data in files.items()}
        if complete:
            sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
            self.files |= {f"{folder}/SHA256SUMS": sums.encode(), f"{folder}/_SUCCESS": b""}
        return folder


@contextmanager
def serve(mirror: Mirror) -> Iterator[Mirror]:  # noqa: C901 - a handler, with what a server can get wrong
    """Runs the server; ``mirror.url`` is its address."""
    numbers = iter(range(1_000_000))
    counted, running = threading.Lock(), [0]

    def count(change):
        with counted:
            running[0] += change
            mirror.most_at_once = max(mirror.most_at_once, running[0])

    class Handler:
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            count(1)
            time.sleep(mirror.delay)
            count(-1)  # before the answer: whoever has it may ask again
            self._reply()

        do_HEAD = do_GET

        def _reply(self):
            path, wanted = urlsplit(self.path).path.lstrip("/"), self.headers.get("Range", "")  # of a proxy, a URL
            mirror.agents.add(self.headers.get("User-Agent", ""))
            if self.command == "GET":
                mirror.requests.append((path, wanted))
            mirror.keys.append(self.headers.get("Authorization"))
            fault = mirror.plan(path, next(numbers))
            if isinstance(fault, int):
                self._answer(fault, b"", {"Retry-After": "0"})
            elif fault and fault.startswith("busy "):
                self._answer(429, b"", {"Retry-After": fault.removeprefix("busy ")})
            elif mirror.asks_contact and not _CONTACT.fullmatch(self.headers.get("User-Agent", "")):
                self._answer(403, b"", {})
            elif fault and fault.startswith("-> "):
                self._answer(302, b"", {"Location": fault[3:]})
            elif path.endswith("/") and mirror.has_folder(path):
                self._answer(200, self._listing(path), {"Content-Type": "text/html"})
            elif path not in mirror.files:
                self._answer(404, b"", {})
            else:
                self._file(mirror.files[path], wanted, fault)

        def _listing(self, path):
            below = {p[len(path) :].partition("/")[0] for p in mirror.files if p.startswith(path)}
            below |= {p[len(path) :].partition("/")[0] for p in mirror.folders if f"{p}/".startswith(path)} - {""}
            names = [n if f"{path}{n}" in mirror.files else f"{n}/" for n in sorted({*below, "latest"})]
            if mirror.style == "apache":
                sorts = '<th><a href="?C=N;O=D">Name</a></th><th><a href="?C=S;O=A">Size</a></th>'
                up = '<tr><td><a href="/">Parent Directory</a></td></tr>'
                rows = "".join(f'<tr><td><A HREF="{n}">{n[:20]}..&gt;</A></td><td>1.2G</td></tr>' for n in names)
                return f"<html><table><tr>{sorts}</tr>{up}{rows}</table></html>".encode()
            lines = [f'<a href="{name}">{name}</a>   01-Sep-2026 10:00   123456' for name in names]
            return f'<html><pre><a href="../">../</a>\n{chr(10).join(lines)}</pre></html>'.encode()

        def _file(self, data, wanted, fault):
            headers = {"ETag": mirror.tag} if mirror.tag else {}
            found = _BYTES.fullmatch(wanted)
            valid = self.headers.get("If-Range", mirror.tag) == mirror.tag
            status, body = 200, data
            if found and mirror.ranges and fault != "plain" and valid:
                start, end = int(found[1]), min(int(found[2] or len(data)), len(data) - 1)
                if start >= len(data):
                    self._answer(416, b"", {})
                    return
                status, body = 206, data[start : end + 1]
                headers["Content-Range"] = f"bytes {start}-{end}/{len(data)}"
            if fault == "wrong":
                body = bytes(b ^ 1 for b in body)
            if fault == "more":
                body += b"more"
            self._answer(status, body, headers, cut=fault == "cut", slow=fault == "slow", drip=fault == "drip")

        def _answer(self, status, body, headers, *, cut=False, slow=False, drip=False):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "HEAD":
                return
            for byte in body if drip else b"":
                try:
                    self.wfile.write(bytes([byte]))
                except OSError:  # the client has gone
                    return
                time.sleep(0.02)
            if drip:
                return
            if slow:
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                time.sleep(20)
                body = body[len(body) // 2 :]
            self.wfile.write(body[: len(body) // 2] if cut else body)
            if cut:
                self.wfile.flush()
                self.close_connection = True

    with serving(Handler) as port:
        mirror.url = f"http://127.0.0.1:{port}"
        yield mirror


@contextmanager
def webhook(status: int | None = 204, **headers: str) -> Iterator[tuple[int, list[tuple[str, Any]]]]:
    """A server that answers every POST so; yields its port and what it was sent."""
    sent: list[tuple[str, Any]] = []

    class Handler:
        def do_POST(self):
            sent.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            if status is None:
                return  # the connection ends without an answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def do_GET(self):
            sent.append((self.path, None))
            self.send_response(200)
            self.end_headers()

    with serving(Handler) as port:
        yield port, sent
