"""Object stores on this machine, one of them within the process, and a proxy that makes them fail."""

from __future__ import annotations

import http.client
import io
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from apache_beam.io.filesystem import FileMetadata, FileSystem

from tests.servers import serving

BUCKET = "corpora"
_HOP = {"connection", "transfer-encoding", "content-length", "host", "keep-alive"}


class MemoryStore(FileSystem):
    """An object store within this process, at ``memory://``. An object is seen when its file is closed."""

    objects: ClassVar[dict[str, bytes]] = {}

    @classmethod
    def scheme(cls):
        return "memory"

    def has_dirs(self):
        return False

    def mkdirs(self, path):
        pass

    def join(self, basepath, *paths):
        return "/".join([basepath.rstrip("/"), *paths])

    def split(self, path):
        folder, _, name = path.rpartition("/")
        return folder, name

    def _list(self, dir_or_prefix):
        yield from (self.metadata(name) for name in sorted(self.objects) if name.startswith(dir_or_prefix))

    def exists(self, path):
        return path in self.objects

    def size(self, path):
        return len(self.objects[path])

    def last_updated(self, path):
        return 0.0

    def metadata(self, path):
        return FileMetadata(path, self.size(path))

    def open(self, path, mime_type="", compression_type=""):
        return io.BytesIO(self.objects[path])

    def create(self, path, mime_type="", compression_type=""):
        objects = self.objects

        class NewObject(io.BytesIO):
            def close(self) -> None:
                if not self.closed:
                    objects[path] = self.getvalue()
                super().close()

        return NewObject()

    def copy(self, source_file_names, destination_file_names):
        for old, new in zip(source_file_names, destination_file_names, strict=True):
            self.objects[new] = self.objects[old]

    def rename(self, source_file_names, destination_file_names):
        self.copy(source_file_names, destination_file_names)
        self.delete(source_file_names)

    def delete(self, paths):
        for path in paths:
            del self.objects[path]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def gcs_server() -> Iterator[int]:
    """A Google Cloud Storage emulator with one bucket; yields its port."""
    from gcp_storage_emulator.server import create_server

    logging.getLogger("gcp_storage_emulator").setLevel(logging.CRITICAL)
    port = free_port()
    server = create_server("127.0.0.1", port, in_memory=True, default_bucket=BUCKET)
    server.start()
    try:
        yield port
    finally:
        server.stop()


@contextmanager
def s3_server() -> Iterator[int]:
    """A server that speaks S3, with one empty bucket; yields its port."""
    import boto3
    import requests
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    port = free_port()
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    try:
        # moto keeps its buckets by process, not by server
        requests.post(f"http://127.0.0.1:{port}/moto-api/reset", timeout=60).raise_for_status()
        client = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{port}",
            region_name="us-east-1",
            aws_access_key_id="key",
            aws_secret_access_key="secret",
        )
        client.create_bucket(Bucket=BUCKET)
        yield port
    finally:
        server.stop()


class Fault:
    """What the proxy does to a request instead of passing it on: ``busy`` answers 503, ``cut`` breaks the connection
    after the request was read, ``slow`` passes it on after two seconds."""

    BUSY, CUT, SLOW = "busy", "cut", "slow"


Plan = Callable[[str, str, int], str | None]


@contextmanager
def faulty_proxy(upstream: int, plan: Plan) -> Iterator[tuple[int, list[tuple[str, str, str]]]]:
    """Passes requests on to ``upstream`` unless ``plan(method, path, number of the request)`` names a Fault.

    Yields its port and the list of the faults so far, as (fault, method, path).
    """
    done: list[tuple[str, str, str]] = []
    numbers = iter(range(1_000_000))

    class Handler:
        protocol_version = "HTTP/1.1"

        def _serve(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
            fault = plan(self.command, self.path, next(numbers))
            if fault:
                done.append((fault, self.command, self.path))
            if fault == Fault.BUSY:
                self.send_response(503)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if fault == Fault.CUT:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if fault == Fault.SLOW:
                time.sleep(2)
            self._pass_on(body)

        def _pass_on(self, body):
            connection = http.client.HTTPConnection("127.0.0.1", upstream, timeout=60)
            headers = {k: v for k, v in self.headers.items() if k.lower() not in _HOP}
            connection.request(self.command, self.path, body=body, headers=headers)
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in _HOP:
                    # an upload's address must lead through here again
                    self.send_header(name, value.replace(f":{upstream}/", f":{self.server.server_port}/"))
            self.send_header("Content-Length", answer.getheader("Content-Length") or str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)
            connection.close()

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PATCH = _serve

    with serving(Handler) as port:
        yield port, done


class Gcs:
    """A client for gs://; Beam finds the server by the environment."""

    scheme = "gs"
    options: tuple[str, ...] = ()

    def __init__(self, port: int) -> None:
        from google.auth.credentials import AnonymousCredentials
        from google.cloud import storage  # type: ignore[attr-defined]  # the package has no types

        os.environ["STORAGE_EMULATOR_HOST"] = f"http://127.0.0.1:{port}"
        self.port = port
        self._bucket = storage.Client(project="test", credentials=AnonymousCredentials()).bucket(BUCKET)

    def put(self, name: str, content: bytes) -> None:
        self._bucket.blob(name).upload_from_string(content)

    def get(self, name: str) -> bytes:
        return self._bucket.blob(name).download_as_bytes()

    def names(self, prefix: str = "") -> list[str]:
        return sorted(b.name for b in self._bucket.list_blobs(prefix=prefix))


class S3:
    """A client for s3://; Beam finds the server by ``options``."""

    scheme = "s3"

    def __init__(self, port: int) -> None:
        import boto3

        url = f"http://127.0.0.1:{port}"
        self.port = port
        self.options = (
            f"--s3_endpoint_url={url}",
            "--s3_access_key_id=key",
            "--s3_secret_access_key=secret",
            "--s3_region_name=us-east-1",
        )
        self._client = boto3.client(
            "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret"
        )

    def put(self, name: str, content: bytes) -> None:
        self._client.put_object(Bucket=BUCKET, Key=name, Body=content)

    def get(self, name: str) -> bytes:
        return self._client.get_object(Bucket=BUCKET, Key=name)["Body"].read()

    def names(self, prefix: str = "") -> list[str]:
        found = self._client.list_objects_v2(Bucket=BUCKET, Prefix=prefix).get("Contents", ())
        return sorted(o["Key"] for o in found)
