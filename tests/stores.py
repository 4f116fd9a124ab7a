"""Object stores on this machine, and a proxy that makes them fail."""

from __future__ import annotations

import http.client
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BUCKET = "corpora"
_HOP = {"connection", "transfer-encoding", "content-length", "host", "keep-alive"}


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
    port, done = free_port(), []
    numbers = iter(range(1_000_000))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

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
                    self.send_header(name, value.replace(f":{upstream}/", f":{port}/"))
            self.send_header("Content-Length", answer.getheader("Content-Length") or str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)
            connection.close()

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PATCH = _serve

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield port, done
    finally:
        server.shutdown()
        server.server_close()


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
