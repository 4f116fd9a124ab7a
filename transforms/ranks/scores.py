"""The files of the first pass: a table for each range, with the measures of its pairs in the order of reading.

id, offset   of the pair
split        of the pair
stratum      what its row has in the column by which samples are stratified; "" where they are not
MEASURES     the columns that the recipe adds
length, reduction, complexity     by what it is ordered

The first pass: pairs in, the files of their measures out, one for each range.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from typing_extensions import override

from gistmill.core.hashing import unit_interval
from gistmill.core.records import Pair
from gistmill.rules.curriculum.recipe import SAMPLED, UNIFORM, Curriculum, CurriculumConfig
from gistmill.rules.curriculum.scores import Measures, order_value
from gistmill.rules.lineage import language_of_pair
from gistmill.transforms.first_pass import LookThrough
from gistmill.transforms.io import create
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.materials import load_materials

COUNTED = ("deletions", "additions", "reorderings", "substitutions")
FIXED = ("length", "reduction", "complexity")  # the orders that no seed decides
PROBED = 4096  # one pair of so many tells how the values are spread

_SCHEMA = pa.schema(
    [
        ("id", pa.binary()),
        ("offset", pa.int64()),
        ("split", pa.string()),
        ("stratum", pa.string()),
        *((name, pa.int64()) for name in (*COUNTED, "input_words")),
        *((name, pa.float64()) for name in FIXED),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A pair that tells how values are spread: its id, its split, and its values in FIXED."""

    id: str
    split: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFile:
    """The table of a range, or of a part of it.

    Attributes:
        range_key: of the range.
        path, bytes: the table and its size.
        rows: how many pairs it has.
        first: the offset of the first one.
        splits: how many pairs each split has.
        strata: how many pairs of the training split each stratum has.
        probes: some of the pairs.
    """

    range_key: str
    path: str
    bytes: int
    rows: int
    first: int
    splits: Mapping[str, int]
    strata: Mapping[str, int]
    probes: tuple[Probe, ...]

    @property
    def sizes(self) -> dict[str, int]:
        """The bytes of the table by path."""
        return {self.path: self.bytes}


class ScoreWriter:
    """Writes the table of a range. Pairs go in one by one, ``close`` returns what was written."""

    def __init__(self, layout: WorkspaceLayout, range_key: str, *, sampled: str) -> None:
        self._range_key, self._sampled = range_key, sampled
        self._path = layout.new_sketch(range_key, "scores")
        self._columns: list[list[Any]] = [[] for _ in _SCHEMA]
        self._splits: Counter[str] = Counter()
        self._strata: Counter[str] = Counter()
        self._probes: list[Probe] = []

    def add(self, pair: Pair, stratum: str, measures: Measures) -> None:
        """Takes a pair's measures in."""
        values = tuple(order_value(order, measures, id=pair.id, seed=0) for order in FIXED)
        counts = [getattr(measures.counts, name) for name in COUNTED]
        row = (pair.id.encode(), pair.origin.offset, pair.split, stratum, *counts, measures.input_words, *values)
        for column, value in zip(self._columns, row, strict=True):
            column.append(value)
        self._splits[pair.split] += 1
        if pair.split == self._sampled:
            self._strata[stratum] += 1
        if unit_interval("probes", pair.id) * PROBED < 1:
            self._probes.append(Probe(id=pair.id, split=pair.split, values=values))

    def close(self) -> ScoreFile:
        """Ends the table."""
        arrays = [pa.array(column, field.type) for column, field in zip(self._columns, _SCHEMA, strict=True)]
        with create(self._path) as file:
            pq.write_table(pa.table(arrays, schema=_SCHEMA), file, compression="none")
            size = file.tell()
        return ScoreFile(
            range_key=self._range_key,
            path=self._path,
            bytes=size,
            rows=len(self._columns[0]),
            first=min(self._columns[1], default=0),
            splits=dict(self._splits),
            strata=dict(self._strata),
            probes=tuple(self._probes),
        )


def to_json(file: ScoreFile) -> dict[str, Any]:
    """Returns a ScoreFile as plain JSON values."""
    return asdict(file)


def from_json(value: Mapping[str, Any]) -> ScoreFile:
    """Returns what ``to_json`` gave.

    Raises:
        TypeError, KeyError: it is something else.
    """
    probes = tuple(Probe(**{**p, "values": tuple(p["values"])}) for p in value["probes"])
    return ScoreFile(**{**value, "probes": probes})


class ScoreRanges(LookThrough[ScoreWriter]):
    """Scores the rows of the ranges; what is found of a range is a ScoreFile."""

    def __init__(self, workspace: str, config: CurriculumConfig) -> None:
        super().__init__(workspace)
        self._workspace, self._config = workspace, config

    def setup(self) -> None:
        super().setup()
        recipe = Curriculum(self._config)
        load_materials(recipe, self._workspace)
        self._scorer = recipe.scorer()

    @override
    def writer(self, range_key: str) -> ScoreWriter:
        return ScoreWriter(self._layout, range_key, sampled=SAMPLED)

    @override
    def take(self, writer: ScoreWriter, element: Any) -> None:
        if isinstance(element, Pair):
            by = self._config.sample_by
            stratum = "" if by == UNIFORM else str(element.values[by])
            measures = self._scorer.measure(element.inputs, element.targets, language=language_of_pair(element))
            writer.add(element, stratum, measures)

    @override
    def to_json(self, found: ScoreFile) -> Mapping[str, Any]:
        return to_json(found)
