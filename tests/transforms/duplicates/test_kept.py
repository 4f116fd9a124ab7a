"""What a first pass keeps: read as it was written, and never run."""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import struct
import zlib
from pathlib import Path

import pyarrow as pa
import pytest

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.records import Damage, Metadata, Origin, RangeEnd, Reject
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, CleanReason, Section
from gistmill.transforms.duplicates.signatures import KeptError, read_kept, write_kept
from gistmill.transforms.io import create
from tests.transforms.duplicates.made import document

METADATA = Metadata(
    url="https://x.example/a", site="X", author="A", language="en", record="<urn:uuid:1>", fetched="2026"
)
PLACE = ("/data/\udce9.warc.gz", 1 << 40, "00000-000000000000001", METADATA)
ORIGIN = Origin("news-1", "warc", 'Otters "swim"\n', "12", "2026-01-02T03:04:05Z", *PLACE)
ELEMENTS = [
    CleanDocument(ORIGIN, (Section("", 1, ("é \U0001f9a6", "\ud83e\udda6 halves", "")), Section("Diet", 2, ()))),
    CleanDocument(Origin("empty", "made"), ()),
    Reject(ORIGIN, CleanReason.LANGUAGE, "clean", "de", "document", -1),
    RangeEnd("r", 3),
    RangeEnd("r", 3, (Damage("f", 7, "torn"),), {"pages/all": 9}, (Arithmetic("numpy", "2.4", "SSE2", 0),)),
]


def written(path: Path, *elements: object) -> str:
    with create(str(path)) as file:
        for element in elements:
            write_kept(file, element)
    return str(path)


def framed(plain: bytes) -> bytes:
    packed = pa.Codec("zstd").compress(plain, asbytes=True)
    return struct.pack("<2I", len(plain), len(packed)) + packed


def test_elements_are_read_as_they_were_written(tmp_path):
    found = list(read_kept(written(tmp_path / "kept", *ELEMENTS), [CleanReason]))
    assert found == ELEMENTS
    assert len(found[0].sections[0].paragraphs[1]) == 9  # the halves of a surrogate pair stay two characters
    assert list(read_kept(written(tmp_path / "none"), [])) == []


def test_what_no_step_before_gives_is_refused(tmp_path):
    annotated = AnnotatedDocument(ORIGIN, ())
    for element in {"a": 1}, annotated, None, dataclasses.replace(document("a", "b"), earlier=annotated):
        with pytest.raises(TypeError, match="cannot be kept"):
            written(tmp_path / "kept", element)


class Payload:
    """A pickle that makes a file when it is read."""

    def __init__(self, target: Path) -> None:
        self._target = target

    def __reduce__(self) -> tuple:
        return os.mkdir, (str(self._target),)


def test_a_planted_pickle_is_an_error_and_is_not_run(tmp_path):
    payload = pickle.dumps(Payload(tmp_path / "run"))
    packed = zlib.compress(payload)
    for number, content in enumerate([payload, struct.pack("<I", len(packed)) + packed, framed(payload)]):
        path = tmp_path / f"planted-{number}"
        path.write_bytes(content)
        with pytest.raises(KeptError, match=f"{path} does not contain documents kept by a first pass"):
            list(read_kept(str(path), [CleanReason]))
    assert not (tmp_path / "run").exists()
    pickle.loads(payload)
    assert (tmp_path / "run").exists()  # the payload is one


GOOD = json.loads('["document", ["a", "b", "", "", "", "", 0, "", ["", "", "", "", "", "", "", ""]], [["", 1, ["x"]]]]')


END = ["end", "r", 1]
OTHER: list[object] = [
    *(None, [], {}, "document", ["document"]),
    *(["document", GOOD[1], sections] for sections in ([["", "1", ["x"]]], [["", 1, "x"]], [["", 1, [2]]])),
    ["document", GOOD[1][:8], []],
    ["document", [*GOOD[1][:8], [""] * 7], []],
    ["document", ["a", None, *GOOD[1][2:]], []],
    *(
        ["reject", GOOD[1], reason, "clean", "", "document", -1]
        for reason in ("CleanReason.NOBODY", "__class__.__name__", ["CleanReason", "DEADLINE"])
    ),
    *([*END, *rest] for rest in ([[], {"a": "b"}, []], [[["f"]], {}, []], [[], {}, [[1, 2, 3, 4]]])),
]


def test_json_of_another_form_is_an_error(tmp_path):
    path = tmp_path / "kept"
    path.write_bytes(framed(json.dumps(GOOD).encode()))
    assert [e.id for e in read_kept(str(path), [])] == ["a"]
    for value in OTHER:
        path.write_bytes(framed(json.dumps(value).encode()))
        with pytest.raises(KeptError, match="does not contain documents"):
            list(read_kept(str(path), [CleanReason]))


def test_a_torn_file_is_an_error(tmp_path):
    path = Path(written(tmp_path / "kept", ELEMENTS[0]))
    whole = path.read_bytes()
    for content in *(whole[:cut] for cut in (1, 7, 9, -1)), framed(b"[" * 100_000):
        path.write_bytes(content)
        with pytest.raises(KeptError, match="does not contain documents"):
            list(read_kept(str(path), []))
