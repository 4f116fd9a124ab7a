"""Files of pairs, and the ranges that they are cut into."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from gistmill.rules.mixture import Share
from gistmill.transforms.sources.files.ranges import FileRange, InputFile

JSONL, TSV, PARQUET = "jsonl", "tsv", "parquet"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFile(InputFile):
    """A file to read.

    Attributes:
        form: JSONL, TSV or PARQUET.
        columns: the columns to read, in order: of each its name in the file and its name in a Pair.
        header: names of all columns of a TSV file.
        published: whether it is a shard of a published dataset, so that its rows have ids and nothing is to mend.
        split: of a shard.
        sha256: that a shard has to have.
        share: what a mixture has of it.
    """

    form: str
    columns: tuple[tuple[str, str], ...]
    header: tuple[str, ...] = ()
    published: bool = False
    split: str = ""
    sha256: str = ""
    share: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRange(FileRange):
    """Rows of a file of pairs. ``start`` and ``end`` count row groups in Parquet files; ``first_line`` is the number of
    the first row there, and everywhere else of the first line.

    Attributes:
        of: the file.
    """

    of: PairFile


def of_file(place: FileRange, file: PairFile) -> PairRange:
    """Returns a range of a file of lines as a range of pairs."""
    values = {field.name: getattr(place, field.name) for field in dataclasses.fields(place)}
    return PairRange(**values, of=file)
