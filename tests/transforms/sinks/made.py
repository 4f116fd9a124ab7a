"""Made-up outcomes for the tests of the sinks and of the publisher."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.core.records import Damage, Origin, Outcome, RangeEnd, Reject, Row
from gistmill.core.row_budget import UNLIMITED, RowBudget
from gistmill.core.statistics import Column, ConfigSchema, DatasetSchema
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.documents import ReadReason
from gistmill.transforms.sinks.results import MergeSpills, Results, WriteResults, read_results
from gistmill.transforms.sinks.shards import ShardFile
from gistmill.transforms.sinks.spills import MEMORY_BYTES, RangeResult, WriteSpills

COLUMNS = (
    Column("inputs", "string", "source text"),
    Column("targets", "string", "target text"),
    Column("length", "int64", "tokens"),
    Column("score", "float64", "a number"),
    Column("flag", "bool", "a boolean"),
    Column("words", "list<string>", "a list"),
)
SCHEMA = DatasetSchema(
    configs=(
        ConfigSchema(name="full", columns=COLUMNS, tsv_columns=("targets", "inputs", "flag"), description="all rows"),
        ConfigSchema(name="balanced", columns=COLUMNS),
    )
)
FORMATS = ("parquet", "tfrecord", "tsv")


@dataclass(frozen=True)
class Source:
    path: str
    size: int
    sha256: str
    kind: str


SOURCE = Source("dump.xml", 5, "ab" * 32, "plain")


def values(number: int, text: str = "A first one .") -> dict[str, Any]:
    return {
        "inputs": f"{text} {number}",
        "targets": f"naïve\t“{number}”\nline",
        "length": number,
        "score": number / 3,
        "flag": number % 2 == 0,
        "words": ["w"] * (number % 3),
    }


def split_of(document: int) -> str:
    return ("test", "validation", "train", "train", "train")[document % 5]


def outcome(document: int, *, key: str, rows: int = 3, tag: str = "") -> Outcome | Reject:
    """Every 7th document is refused by the recipe, every 11th before it."""
    origin = Origin(f"wikipedia-{document}", "wikipedia", f"T{document}", file="dump.xml", range_key=key)
    if document % 11 == 10:
        return origin.reject(ReadReason.REDIRECT, "read")
    if document % 7 == 6:
        refused = origin.reject(DiscoFuseReason.NO_EXAMPLES, "recipe")
        return Outcome(origin, refused=refused, counts={"sentences/read": 2, "sentences/rejected/TOO_SHORT": 2})
    made = [
        Row(config, f"{origin.id}-{i}", values(document * 100 + i, f"Row{tag}"))
        for config in ("full", "balanced")
        for i in range(rows if config == "full" else 1)
    ]
    short = origin.reject(DiscoFuseReason.TOO_SHORT, "recipe", "a < b", unit="sentence", index=4)
    counts = {
        "sentences/read": rows + 1,
        "sentences/used": rows,
        "sentences/rejected/TOO_SHORT": 1,
        "types/full/PAIR_CONN": rows,
        "types/balanced/PAIR_CONN": 1,
        "connectives/full/, but": rows,
    }
    return Outcome(origin, rows=tuple(made), rejects=(short,), counts=counts, split=split_of(document))


def elements(
    documents: Sequence[int], *, ranges: int = 3, rows: int = 3, tag: str = "", damage: tuple[Damage, ...] = ()
) -> Iterator[Any]:
    """What a reader and the stages after it give, range after range."""
    for r in range(ranges):
        mine = documents[r::ranges]
        key = f"dump.xml-{r}"
        for d in mine:
            yield outcome(d, key=key, rows=rows, tag=tag)
        yield RangeEnd(key, len(mine), damage if r == 0 else ())


def written(folder: Path, stream: Iterable[Any], **options: Any) -> Iterator[RangeResult]:
    """Results of the ranges of a bundle, one when it is complete; the bundle does not end."""
    folder.mkdir(exist_ok=True)
    writer = WriteSpills(str(folder), SCHEMA, **options)
    writer.setup()
    writer.start_bundle()
    for element in stream:
        yield from writer.process(element)


def run(
    workspace: Path,
    stream: Sequence[Any],
    *,
    formats: Sequence[str] = FORMATS,
    shards: int | None = None,
    fan_in: int = 64,
    memory_bytes: int = MEMORY_BYTES,
    bundles: int = 1,
    budget: RowBudget = UNLIMITED,
    finished: Sequence[RangeResult] = (),
) -> Results:
    """Runs the sinks over a stream on Beam's own runner."""
    workspace.mkdir(exist_ok=True)
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        parts = [list(stream[i::bundles]) for i in range(bundles)]
        union = pipeline | beam.Create(parts, reshuffle=False) | beam.FlatMap(lambda part: part)
        written = union | "Spills" >> beam.ParDo(WriteSpills(str(workspace), SCHEMA, memory_bytes=memory_bytes))
        before = pipeline | "Finished" >> beam.Create(list(finished))
        results = (written, before) | "Results" >> beam.Flatten()
        shard_files = results | MergeSpills(
            str(workspace), SCHEMA, formats=formats, shards=shards, fan_in=fan_in, budget=budget
        )
        sources = pipeline | "Sources" >> beam.Create([SOURCE, SOURCE])
        (shard_files, results, sources) | WriteResults(str(workspace))
    return read_results(str(workspace))


def digests(results: Results) -> list[ShardFile]:
    """What has to be equal between two runs."""
    for s in results.shards:
        assert hashlib.sha256(Path(s.path).read_bytes()).hexdigest() == s.sha256
    return [replace(s, path="", sample="") for s in results.shards]
