"""What a source gives of files, read by its plain functions, without Beam."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gistmill.core.records import RangeEnd
from gistmill.transforms.sources.base import FilesSource
from gistmill.transforms.sources.files.ranges import SourceFile

Read = tuple[list[Any], list[RangeEnd], list[SourceFile]]


def read(
    kind: type[FilesSource[Any]], paths: Sequence[Path | str], *, workspace: Path | str = "", **options: Any
) -> Read:
    """Opens files and reads them as ``read_source``."""
    return read_source(kind.open([str(path) for path in paths], kind.CONFIG(**options)), workspace)


def read_source(source: FilesSource[Any], workspace: Path | str = "") -> Read:
    """Returns documents and rejects, the ends of ranges and the files; checks what every source keeps to."""
    elements: list[Any] = []
    ends: list[RangeEnd] = []
    files: list[SourceFile] = []
    for planned in source.planner(str(workspace))(source.files):
        if isinstance(planned, SourceFile):
            assert (planned.sha256 is None) == (source.config.limit is not None)
            files.append(planned)
            continue
        *found, end = source.reader()(planned)
        assert isinstance(end, RangeEnd) and (end.range_key, end.documents) == (planned.key, len(found))
        assert all((e.origin.range_key, e.origin.file) == (planned.key, planned.file) for e in found)
        elements += found
        ends.append(end)
    assert [end.range_key for end in ends] == sorted({end.range_key for end in ends})
    return elements, ends, files
