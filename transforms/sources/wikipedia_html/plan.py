"""Planning: one pass over a snapshot finds where it can be cut, and which lines hold old versions of pages.

A file of plain text is cut into ranges of bytes. What is packed can be read from its beginning only, so its lines are
spooled. All files are planned by one worker, because two of them may have a page.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.plan import in_order
from gistmill.transforms.sources.files.ranges import UNREAD, FileRange, InputFile, SourceFile, range_key
from gistmill.transforms.sources.jsonl.lines import PLAIN, Line
from gistmill.transforms.sources.jsonl.objects import BOM
from gistmill.transforms.sources.wikipedia_html.archive import form_of, lines_of_snapshot
from gistmill.transforms.sources.wikipedia_html.config import TEXT_PER_BYTE, SnapshotConfig
from gistmill.transforms.sources.wikipedia_html.page import identity_of
from gistmill.transforms.sources.wikipedia_html.spool import Spool
from gistmill.transforms.sources.wikipedia_html.versions import Versions

_SMALLEST_RANGE = 1 << 16


def plan_files(
    files: Sequence[InputFile], *, workspace: str, config: SnapshotConfig
) -> Iterator[FileRange | SourceFile]:
    """Yields the ranges of files in order, and each file; with a limit only as many as hold the first documents.

    Args:
        files: the files.
        workspace: folder of the run; spooled chunks go to ``spool/`` in it.
        config: how they are read.

    Raises:
        SourceError: a decompression bomb.
    """
    versions = Versions()
    plan = functools.partial(plan_file, workspace=workspace, config=config, versions=versions)
    planned = list(in_order(files, plan, limit=config.limit))
    ranges = [each for each in planned if isinstance(each, FileRange)]
    keys = [each.key for each in ranges]
    superseded: dict[str, list[int]] = defaultdict(list)
    for file, offset in versions.superseded():
        superseded[keys[bisect_right(keys, range_key(file, offset)) - 1]].append(offset)
    for each in planned:
        yield replace(each, superseded=tuple(superseded[each.key])) if isinstance(each, FileRange) else each


def plan_file(
    file: InputFile, *, workspace: str, config: SnapshotConfig, versions: Versions, limit: int | None
) -> tuple[list[FileRange], SourceFile, int]:
    """Plans one file as ``plan_files``, and adds its pages to ``versions``; with ``limit`` only its first documents.

    Returns:
        The ranges in order, what the manifest says of the file, and how many documents the limit took.
    """
    form, documents = form_of(file.path), 0
    text = file.size * (1 if form.is_plain else TEXT_PER_BYTE)
    target = config.target_bytes(text, smallest=_SMALLEST_RANGE, ratio=TEXT_PER_BYTE)
    cap = config.max_line_bytes
    cuts = _Cuts(file, target) if form.is_plain else Spool(file, workspace=workspace, target=target, cap=cap)
    try:
        for line in lines_of_snapshot(file.path, form, cap=cap):
            if isinstance(line, Damage):
                cuts.close(line)
                break
            cuts.add(line)
            if line.oversized or line.data.removeprefix(BOM).strip():
                documents += 1
                if not line.oversized and (identity := identity_of(line)) is not None:
                    versions.add(file.index, line.offset, identity)
            if documents == limit:
                break
    finally:
        cuts.close()
    sha256 = UNREAD if limit is None else None
    return cuts.ranges, SourceFile(file.path, file.size, sha256, form.name), documents


class _Cuts:
    """Cuts a file of plain text into ranges of lines, of ``target`` bytes or a little more."""

    def __init__(self, file: InputFile, target: int) -> None:
        self.ranges: list[FileRange] = []
        self._file, self._target = file, target
        self._first: Line | None = None
        self._end = 0

    def add(self, line: Line) -> None:
        """Takes in the next line."""
        if self._first is not None and line.offset - self._first.offset >= self._target:
            self.close()
        self._first = self._first or line
        self._end = min(line.offset + line.length + 1, self._file.size)

    def close(self, damage: Damage | None = None) -> None:
        """Ends the range at hand."""
        if self._first is None:
            return
        self.ranges.append(
            FileRange(
                key=range_key(self._file.index, self._first.offset),
                file=self._file.path,
                path=self._file.path,
                kind=PLAIN,
                start=self._first.offset,
                end=self._end,
                size=self._end - self._first.offset,
                last=self._end == self._file.size,
                damage=(damage,) if damage else (),
                first_line=self._first.number,
            )
        )
        self._first = None
