"""A hub of Hugging Face on this machine, which speaks the calls that ``gistmill push`` makes through huggingface_hub.

Files come by Git LFS, or by Xet's content-addressed storage where the library uses it. Written after the calls that
huggingface_hub 2.4 and hf_xet 1.8 make; of the storage it keeps the bytes that come, and reads none of its formats.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "hf_0123456789"
_SMALL = (".json", ".md", ".html", ".tsv", ".gitattributes")  # files that are blobs of Git there


@dataclass
class Blob:
    """A file of a repository; ``content`` is None where it came through Xet."""

    size: int
    oid: str
    sha256: str = ""
    content: bytes | None = None


@dataclass
class Repo:
    """A dataset: its files by path, and how many commits it has."""

    private: bool
    files: dict[str, Blob] = field(default_factory=dict)
    commits: int = 1

    @property
    def sha(self) -> str:
        return hashlib.sha1(str(self.commits).encode()).hexdigest()


@dataclass
class Hub:
    """The hub. ``requests`` are (method, path, bytes of the body); paths that have a part in ``refused`` are answered with
    its status; ``busy`` says that somebody else commits while files are sent."""

    port: int = 0
    repos: dict[str, Repo] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)
    requests: list[tuple[str, str, int]] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    busy: bool = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def sent(self, part: str) -> int:
        """Bytes of the bodies of requests to paths with ``part`` in them."""
        return sum(size for _, path, size in self.requests if part in path)


@contextmanager
def hub_server() -> Iterator[Hub]:
    """Runs a hub."""
    hub = Hub()

    class Handler(_Handler):
        state = hub

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Hub

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_PUT(self) -> None:
        self._answer()

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            parts = []
            while size := int(self.rfile.readline().strip(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _answer(self) -> None:
        body, path = self._body(), self.path.partition("?")[0]
        self.state.requests.append((self.command, path, len(body)))
        for part, status in self.state.refused.items():
            if part in path:
                return self._say({"error": "the disk is full"}, status=status)
        if path.startswith("/api/") and "Authorization" in self.headers:
            if self.headers["Authorization"] != f"Bearer {TOKEN}":
                return self._say({"error": "Invalid user token."}, status=401)
        elif path.startswith("/api/") and self.command != "GET":
            return self._say({"error": "Unauthorized"}, status=401)
        for method, pattern, act in _ROUTES:
            if method == self.command and (found := re.fullmatch(pattern, path)):
                return act(self, body, *found.groups())
        return self._say({"error": f"no such path: {path}"}, status=404)

    def _say(self, value: object, *, status: int = 200, **headers: str) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        if status >= 400:
            self.send_header("X-Error-Message", value["error"] if isinstance(value, dict) else "")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _repo(self, name: str) -> Repo | None:
        repo = self.state.repos.get(name)
        if repo is None or (repo.private and "Authorization" not in self.headers):
            self._say({"error": "Repository not found"}, status=404, X_Error_Code="RepoNotFound")
            return None
        return repo

    def create(self, body: bytes) -> None:
        asked = json.loads(body)
        name = f"{asked['organization']}/{asked['name']}"
        if name in self.state.repos:
            return self._say({"error": "You already created this dataset repo"}, status=409)
        attributes = b"*.parquet filter=lfs\n"
        repo = Repo(asked.get("visibility") == "private" or asked.get("private") is True)
        repo.files[".gitattributes"] = Blob(len(attributes), _blob_id(attributes), content=attributes)
        self.state.repos[name] = repo
        return self._say({"url": f"{self.state.url}/datasets/{name}", "id": name, "name": name})

    def info(self, body: bytes, name: str) -> None:
        if repo := self._repo(name):
            self._say({"id": name, "sha": repo.sha, "private": repo.private, "siblings": [], "tags": []})

    def tree(self, body: bytes, name: str, revision: str) -> None:
        if repo := self._repo(name):
            entries = [
                {"type": "file", "path": path, "size": blob.size, "oid": blob.oid}
                | ({"lfs": {"oid": blob.sha256, "size": blob.size, "pointerSize": 130}} if blob.sha256 else {})
                for path, blob in repo.files.items()
            ]
            folders = {path.rpartition("/")[0] for path in repo.files if "/" in path}
            self._say([*entries, *({"type": "directory", "path": f, "oid": "0", "size": 0} for f in sorted(folders))])

    def card(self, body: bytes) -> None:
        content = json.loads(body)["content"]
        if not content.startswith("---\n"):
            return self._say({"error": "x", "errors": [{"message": "no YAML"}], "warnings": []}, status=400)
        return self._say({"errors": [], "warnings": []})

    def modes(self, body: bytes, name: str) -> None:
        if repo := self._repo(name):
            paths = [file["path"] for file in json.loads(body)["files"]]
            files = [
                {
                    "path": path,
                    "uploadMode": "regular" if path.endswith(_SMALL) else "lfs",
                    "shouldIgnore": False,
                    "oid": repo.files[path].sha256 or repo.files[path].oid if path in repo.files else None,
                }
                for path in paths
            ]
            repo.commits += self.state.busy
            self._say({"files": files})

    def commit(self, body: bytes, name: str) -> None:
        repo = self._repo(name)
        if repo is None:
            return None
        head, *steps = [json.loads(line) for line in body.splitlines()]
        if head["value"].get("parentCommit") not in (None, repo.sha):
            return self._say({"error": "The branch has moved on"}, status=412)
        for step in steps:
            _apply(repo, self.state.large, step["key"], step["value"])
        repo.commits += 1
        url = f"{self.state.url}/datasets/{name}/commit/{repo.sha}"
        return self._say({"success": True, "commitUrl": url, "commitOid": repo.sha})

    def batch(self, body: bytes, name: str) -> None:
        objects = [
            {"oid": o["oid"], "size": o["size"]}
            | (
                {}
                if o["oid"] in self.state.large
                else {"actions": {"upload": {"href": f"{self.state.url}/lfs/{o['oid']}", "header": {}}}}
            )
            for o in json.loads(body)["objects"]
        ]
        self._say({"transfer": "basic", "objects": objects})

    def store(self, body: bytes, oid: str) -> None:
        assert hashlib.sha256(body).hexdigest() == oid
        self.state.large[oid] = body
        self._say({})

    def xet_token(self, body: bytes, name: str) -> None:
        expires = int(time.time()) + 3600
        cas = f"{self.state.url}/cas"
        self._say(
            {"casUrl": cas, "exp": expires, "accessToken": "xet"},
            X_Xet_Cas_Url=cas,
            X_Xet_Access_Token="xet",
            X_Xet_Token_Expiration=str(expires),
        )

    def xorb(self, body: bytes, key: str) -> None:
        self._say({"was_inserted": True})

    def shard(self, body: bytes) -> None:
        self._say({"result": 1})


def _apply(repo: Repo, large: dict[str, bytes], kind: str, value: Any) -> None:
    if kind == "deletedFile":
        del repo.files[value["path"]]
    elif kind == "file":
        content = base64.b64decode(value["content"])
        repo.files[value["path"]] = Blob(len(content), _blob_id(content), content=content)
    elif kind == "lfsFile":
        oid = value["oid"]
        repo.files[value["path"]] = Blob(value["size"], "0" * 40, oid, large.get(oid))


def _blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


_NAME = r"([^/]+/[^/]+)"
_ROUTES: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/api/repos/create", _Handler.create),
    ("POST", "/api/validate-yaml", _Handler.card),
    ("GET", f"/api/datasets/{_NAME}", _Handler.info),
    ("GET", f"/api/datasets/{_NAME}/tree/(.+)", _Handler.tree),
    ("POST", f"/api/datasets/{_NAME}/preupload/main", _Handler.modes),
    ("POST", f"/api/datasets/{_NAME}/commit/main", _Handler.commit),
    ("POST", f"/datasets/{_NAME}\\.git/info/lfs/objects/batch", _Handler.batch),
    ("PUT", "/lfs/(.+)", _Handler.store),
    ("GET", f"/api/datasets/{_NAME}/xet-write-token/main", _Handler.xet_token),
    ("POST", "/cas/v1/xorbs/default/(.+)", _Handler.xorb),
    ("POST", "/cas/v1/shards", _Handler.shard),
)
