"""WARC files built by hand, whole and hostile."""

import dataclasses
import gzip
import io

from gistmill.transforms.sources.files.ranges import InputFile
from gistmill.transforms.sources.warc.records import GZIP, PLAIN, framed_records
from gistmill.transforms.sources.warc.source import WarcConfig, WarcSource
from tests.transforms.sources.reading import read_source

HTML = b"text/html; charset=utf-8"
DEFAULT = WarcConfig()


def uuid(number):
    return f"{number:08x}-0000-4000-8000-000000000000"


def http(body, *, status=b"200 OK", content_type=HTML, headers=()):
    lines = [b"HTTP/1.1 " + status, *([b"Content-Type: " + content_type] if content_type is not None else []), *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def record(number, block, *, length=None, kind=b"response", headers=(), record_id=True):
    lines = [
        b"WARC/1.0",
        b"WARC-Type: " + kind,
        b"WARC-Date: 2020-01-10T08:00:00Z",
        b"WARC-Target-URI: https://example.org/%d" % number,
    ]
    if record_id:
        lines.append(b"WARC-Record-ID: <urn:uuid:" + uuid(number).encode() + b">")
    content_type = b"application/http; msgtype=response" if kind == b"response" else b"application/warc-fields"
    lines += [
        b"Content-Type: " + content_type,
        *headers,
        b"Content-Length: %d" % (len(block) if length is None else length),
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + block + b"\r\n\r\n"


def page(number, text="", **more):
    return record(number, http(f"<html><p>Page {number} {text}</p></html>".encode()), **more)


def zipped(data):
    return gzip.compress(data, 1, mtime=0)


def members(*records):
    return b"".join(map(zipped, records))


def kind_of(data):
    return GZIP if data.startswith(b"\x1f\x8b") else PLAIN


def framed(data, *, cap=1 << 20, start=0, end=None):
    return list(framed_records(io.BytesIO(data), "f", kind_of(data), start=start, end=end, cap=cap))


def read_file(path, *, config=DEFAULT, limit=None):
    """Everything that a file gives through its plan, the RangeEnds apart; and these."""
    file = InputFile(str(path), path.stat().st_size, 0)
    return read_source(WarcSource([file], dataclasses.replace(config, limit=limit)))[:2]


def read_bytes(tmp_path, data, **options):
    """As read_file, of a file with these bytes."""
    path = tmp_path / "made.warc"
    path.write_bytes(data)
    return read_file(path, **options)


def planned(paths, config):
    files = [InputFile(str(path), path.stat().st_size, number) for number, path in enumerate(paths)]
    return list(WarcSource(files, config).planner("")(tuple(files)))
