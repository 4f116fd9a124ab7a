"""Source ``pairs``: rows of published datasets, or of files of pairs, in the place of documents.

No ``--source`` names it: it is the only source of recipes that take pairs.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from gistmill.core.dataset import ConfigSchema
from gistmill.core.options import PLAIN
from gistmill.core.records import Pair, RangeEnd, Reject
from gistmill.core.verdict import Reason
from gistmill.rules.reasons import PairReason, ReadReason
from gistmill.transforms.sources.base import Provenance
from gistmill.transforms.sources.files.listing import shared_names
from gistmill.transforms.sources.files.manifests import models_of, provenance_of
from gistmill.transforms.sources.files.plan import in_order
from gistmill.transforms.sources.files.ranges import FileRange, SourceFile
from gistmill.transforms.sources.files.source import FilesSource, Planner, Reader
from gistmill.transforms.sources.pairs.config import PairsConfig
from gistmill.transforms.sources.pairs.inputs import PublishedInput, open_inputs, published_inputs
from gistmill.transforms.sources.pairs.lines import plan_lines, read_lines
from gistmill.transforms.sources.pairs.parquet import plan_parquet, read_parquet
from gistmill.transforms.sources.pairs.ranges import PARQUET, PairFile, PairRange
from gistmill.transforms.sources.pairs.rows import SOURCE


def plan_file(
    file: PairFile, config: PairsConfig, *, limit: int | None = None
) -> tuple[list[PairRange], SourceFile, int]:
    """Plans one file of any form; with ``limit`` only its first rows. See plan_parquet and plan_lines."""
    return (plan_parquet if file.form == PARQUET else plan_lines)(file, config, limit=limit)


def plan_files(files: Sequence[PairFile], *, config: PairsConfig) -> Iterator[FileRange | SourceFile]:
    """Yields the ranges of files in order, and each file; with a limit only as many as hold the first rows.

    Raises:
        SourceError: as plan_file.
    """
    return in_order(files, functools.partial(plan_file, config=config), limit=config.limit)


def read_range(place: PairRange, config: PairsConfig) -> Iterator[Pair | Reject | RangeEnd]:
    """Yields the rows of a range as pairs or rejects, in order; then one RangeEnd."""
    return (read_parquet if place.of.form == PARQUET else read_lines)(place, config)


class PairsSource(FilesSource[PairsConfig]):
    """Published datasets, and files of pairs."""

    NAME = SOURCE
    HELP = (
        "folders of published datasets, `DIR` or `DIR#CONFIGURATION`, or files of pairs in JSON Lines (plain, gz, bz2, "
        "zst), TSV or Parquet"
    )
    CONFIG = PairsConfig
    MARKUPS = frozenset({PLAIN})
    DOCUMENT: ClassVar[type[Pair]] = Pair
    REASONS: ClassVar[tuple[type[Reason], ...]] = (ReadReason, PairReason)
    DEDUPLICATE = "none"
    PROVENANCE = Provenance(
        "", "The text comes from the source files below, with whatever rights their owners have in it."
    )

    def __init__(
        self,
        files: Sequence[PairFile],
        config: PairsConfig,
        schema: ConfigSchema,
        datasets: Sequence[PublishedInput] = (),
    ) -> None:
        super().__init__(files, config)
        self.schema = schema
        self.languages = frozenset(dataset.manifest.language.code for dataset in datasets)

    @classmethod
    def open(cls, patterns: Sequence[str], config: PairsConfig) -> Self:
        """See Source.open."""
        files, schema = open_inputs(patterns, config)
        shared, (datasets, _) = shared_names(files), published_inputs(patterns)
        return cls(files, dataclasses.replace(config, shared=shared), schema, datasets)

    @classmethod
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """See Source.provenance."""
        datasets, files = published_inputs(patterns)
        of_datasets = provenance_of(d.manifest for d in datasets)
        if not files:
            return of_datasets
        notes = [of_datasets.attribution, cls.PROVENANCE.attribution]
        return Provenance("other" if of_datasets.licence else "", "\n\n".join(note for note in notes if note))

    @classmethod
    def models(cls, patterns: Sequence[str]) -> list[Mapping[str, Any]]:
        """See Source.models."""
        return models_of(d.manifest for d in published_inputs(patterns)[0])

    def planner(self, workspace: str) -> Planner:
        """See FilesSource.planner."""
        return functools.partial(plan_files, config=self.config)

    def reader(self) -> Reader:
        """See FilesSource.reader."""
        return functools.partial(read_range, config=self.config)
