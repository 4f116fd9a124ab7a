"""Reading one range of a snapshot: a part of a file, or a chunk of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gistmill.core.records import Damage, RangeEnd, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.jsonl.lines import PLAIN
from gistmill.transforms.sources.jsonl.objects import breaks_off
from gistmill.transforms.sources.jsonl.source import lines_in, looks_of
from gistmill.transforms.sources.wikipedia.read import end_of
from gistmill.transforms.sources.wikipedia_html.config import SnapshotConfig
from gistmill.transforms.sources.wikipedia_html.page import parse_line


def read_range(place: FileRange, config: SnapshotConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields every line of a range that is not blank, as a document or a reject, in order; then one RangeEnd.

    Pages outside the wanted namespaces are counted in the RangeEnd alone, as those of a dump.
    """
    documents, others, damage = 0, 0, list(place.damage)
    looks, is_chunk = looks_of(place), place.path != place.file
    begun = replace(place, start=0) if is_chunk else place
    for line in lines_in(begun, config, most=None):
        if isinstance(line, Damage):
            damage.append(line)
            continue
        documents += 1
        if is_chunk:
            line = line._replace(offset=place.start + line.offset)
        element = parse_line(line, place, config, looks=looks)
        if isinstance(element, Reject) and place.kind == PLAIN and breaks_off(line):
            damage.append(Damage(place.file, line.offset, f"the file ends inside line {line.number}"))
        if element is None:
            others += 1
        else:
            yield element
    yield end_of(place, documents - others, others, damage)
