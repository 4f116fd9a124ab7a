"""A hub of Hugging Face on this machine, which speaks the calls that ``gistmill push`` makes through huggingface_hub.

Files come by Git LFS. Written after the calls that huggingface_hub 2.4 makes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.servers import running

TOKEN = "hf_0123456789"
_SMALL = (".json", ".md", ".html", ".tsv", ".gitattributes")  # files that are blobs of Git there


class _Refused(Exception):
    """A status, what is wrong, and the code that the library looks for."""


@dataclass
class Blob:
    """A file of a repository."""

    content: bytes
    sha256: str = ""  # of a file that came by LFS

    @property
    def oid(self) -> str:
        return hashlib.sha1(b"blob %d\0" % len(self.content) + self.content).hexdigest()


@dataclass
class Repo:
    """A dataset: its files by path, and how many commits it has."""

    private: bool
    files: dict[str, Blob] = field(default_factory=lambda: {".gitattributes": Blob(b"*.parquet filter=lfs\n")})
    commits: int = 1

    @property
    def sha(self) -> str:
        return hashlib.sha1(str(self.commits).encode()).hexdigest()


@dataclass
class Hub:
    """The hub. ``requests`` are (method, path, bytes of the body); paths that have a part in ``refused`` are answered with
    its status; ``busy`` says that somebody else commits while files are sent."""

    url: str = ""
    repos: dict[str, Repo] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)
    requests: list[tuple[str, str, int]] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    busy: bool = False

    def sent(self, part: str) -> int:
        """Bytes of the bodies of requests to paths with ``part`` in them."""
        return sum(size for _, path, size in self.requests if part in path)

    def answer(self, act: Callable[..., Any]) -> Callable[[Request], Any]:
        """An endpoint of a method, which gets the body, and the repository that the path names."""

        async def endpoint(request: Request) -> JSONResponse:
            body, path, given = await request.body(), request.url.path, request.headers.get("Authorization")
            self.requests.append((request.method, path, len(body)))
            try:
                for status in (status for part, status in self.refused.items() if part in path):
                    raise _Refused(status, "the disk is full")
                if path.startswith("/api/") and given not in (None, f"Bearer {TOKEN}"):
                    raise _Refused(401, "Invalid user token.")
                if path.startswith("/api/") and given is None and request.method != "GET":
                    raise _Refused(401, "Unauthorized")
                names = request.path_params
                if "name" not in names:
                    return JSONResponse(act(self, body, *names.values()))
                repo = self.repos.get(f"{names['owner']}/{names['name']}")
                if repo is None or (repo.private and given is None):
                    raise _Refused(404, "Repository not found", "RepoNotFound")
                return JSONResponse(act(self, body, repo))
            except _Refused as refused:
                status, said, *code = refused.args
                headers = {"X-Error-Message": said, "X-Error-Code": "".join(code)}
                return JSONResponse({"error": said}, status, headers)

        return endpoint

    def create(self, body: bytes) -> dict[str, Any]:
        asked = json.loads(body)
        name = f"{asked['organization']}/{asked['name']}"
        if name in self.repos:
            raise _Refused(409, "You already created this dataset repo")
        self.repos[name] = Repo(asked.get("visibility") == "private" or asked.get("private") is True)
        return {"url": f"{self.url}/datasets/{name}", "id": name, "name": name}

    def info(self, body: bytes, repo: Repo) -> dict[str, Any]:
        return {"id": "user/demo", "sha": repo.sha, "private": repo.private, "siblings": [], "tags": []}

    def tree(self, body: bytes, repo: Repo) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        for path, blob in repo.files.items():
            size = len(blob.content)
            lfs = {"lfs": {"oid": blob.sha256, "size": size, "pointerSize": 130}} if blob.sha256 else {}
            entries.append({"type": "file", "path": path, "size": size, "oid": blob.oid} | lfs)
        folders = {path.rpartition("/")[0] for path in repo.files if "/" in path}
        return [*entries, *({"type": "directory", "path": f, "oid": "0", "size": 0} for f in sorted(folders))]

    def card(self, body: bytes) -> dict[str, Any]:
        if not json.loads(body)["content"].startswith("---\n"):
            raise _Refused(400, "no YAML")
        return {"errors": [], "warnings": []}

    def modes(self, body: bytes, repo: Repo) -> dict[str, Any]:
        files = []
        for path in (file["path"] for file in json.loads(body)["files"]):
            blob, mode = repo.files.get(path), "regular" if path.endswith(_SMALL) else "lfs"
            oid = blob and (blob.sha256 or blob.oid)
            files.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        repo.commits += self.busy
        return {"files": files}

    def commit(self, body: bytes, repo: Repo) -> dict[str, Any]:
        head, *steps = [json.loads(line) for line in body.splitlines()]
        if head["value"].get("parentCommit") not in (None, repo.sha):
            raise _Refused(412, "The branch has moved on")
        for kind, value in ((step["key"], step["value"]) for step in steps):
            if kind == "deletedFile":
                del repo.files[value["path"]]
            elif kind == "file":
                repo.files[value["path"]] = Blob(base64.b64decode(value["content"]))
            elif kind == "lfsFile":
                repo.files[value["path"]] = Blob(self.large[value["oid"]], value["oid"])
        repo.commits += 1
        return {"success": True, "commitUrl": f"{self.url}/datasets/user/demo/commit/{repo.sha}", "commitOid": repo.sha}

    def batch(self, body: bytes, repo: Repo) -> dict[str, Any]:
        objects = [{"oid": each["oid"], "size": each["size"]} for each in json.loads(body)["objects"]]
        for each in (each for each in objects if each["oid"] not in self.large):
            each["actions"] = {"upload": {"href": f"{self.url}/lfs/{each['oid']}", "header": {}}}
        return {"transfer": "basic", "objects": objects}

    def store(self, body: bytes, oid: str) -> dict[str, Any]:
        assert hashlib.sha256(body).hexdigest() == oid
        self.large[oid] = body
        return {}


_REPO = "datasets/{owner}/{name}"
_ROUTES = (
    ("POST", "/api/repos/create", Hub.create),
    ("POST", "/api/validate-yaml", Hub.card),
    ("GET", f"/api/{_REPO}", Hub.info),
    ("GET", f"/api/{_REPO}/tree/{{revision:path}}", Hub.tree),
    ("POST", f"/api/{_REPO}/preupload/main", Hub.modes),
    ("POST", f"/api/{_REPO}/commit/main", Hub.commit),
    ("POST", f"/{_REPO}.git/info/lfs/objects/batch", Hub.batch),
    ("PUT", "/lfs/{oid}", Hub.store),
)


@contextmanager
def hub_server() -> Iterator[Hub]:
    """Runs a hub."""
    hub = Hub()
    app = Starlette(routes=[Route(path, hub.answer(act), methods=[method]) for method, path, act in _ROUTES])
    with running(app) as port:
        hub.url = f"http://127.0.0.1:{port}"
        yield hub
