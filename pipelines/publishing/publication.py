"""From finished shards to a dataset: checked, described, and put in place in one step, wherever that is."""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from gistmill.core.arithmetic import differences
from gistmill.core.dataset import DatasetSchema
from gistmill.core.manifest import Manifest
from gistmill.core.manifest_entries import PublishedFile
from gistmill.core.row_budget import LEFT_OUT, UNLIMITED, RowBudget
from gistmill.core.statistics import STATISTICS
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.publishing.conservation import check_conservation, check_damage
from gistmill.pipelines.publishing.empty import check_rows
from gistmill.pipelines.reporting.card import card
from gistmill.pipelines.reporting.croissant import CROISSANT, croissant
from gistmill.pipelines.reporting.manifest import RunInfo, manifest
from gistmill.pipelines.reporting.page.render import report
from gistmill.pipelines.reporting.stats import statistics
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.arithmetic import arithmetic_in_use
from gistmill.transforms.sinks.formats import SIGNATURES
from gistmill.transforms.sinks.results import Results, read_results
from gistmill.transforms.sinks.samples import read_samples
from gistmill.transforms.sinks.shards import ShardFile
from gistmill.transforms.sources.files.manifests import manifest_of
from gistmill.transforms.sources.files.ranges import SourceError

_LOGGER = logging.getLogger(__name__)

CARD = "README.md"
REPORT = "report.html"
AT_TOP = (CARD, CROISSANT)  # a hub, or a program that loads the dataset, looks for them there


class PublishError(JobFailed):
    """A shard is not there, or not as it was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A request to publish: what, and on which conditions. It may travel in the graph.

    Attributes:
        schema: the configurations of the dataset.
        formats: names of the output formats.
        run: the part of the manifest that the results do not hold.
        budget: how many rows each split keeps; the shards hold these, the results count all that were made.
        overwrite: whether a dataset that is there is replaced.
        allow_truncated: whether a dataset of damaged inputs is published.
        allow_empty: whether a dataset without a row is published.
        before: the dataset that the report compares with; "" for the one that is replaced.
    """

    schema: DatasetSchema
    formats: Sequence[str]
    run: RunInfo
    budget: RowBudget = UNLIMITED
    overwrite: bool = False
    allow_truncated: bool = False
    allow_empty: bool = False
    before: str = ""

    def budget_applied(self, results: Results) -> Results:
        """Returns the results with the counts of the rows that the shards are to hold."""
        return dataclasses.replace(results, counts=self.budget.applied(results.counts))


@dataclass(frozen=True, slots=True)
class Published:
    """A published dataset: its folder or URL, and its manifest."""

    folder: Path | str
    manifest: Manifest


class Place(Protocol):
    """Where the files of a dataset are put."""

    @property
    def output(self) -> Path | str:
        """Folder or URL of the dataset."""

    def check(self, *, overwrite: bool) -> None:
        """Raises OutputExists or StoreError when nothing can be published there."""

    def begin(self) -> None:
        """Makes room for the files; what a reader sees stays as it is."""

    def take_in(self, shard: ShardFile) -> PublishedFile:
        """Brings a shard there. Raises PublishError when it does not hold the bytes that were written."""

    def write(self, name: str, text: str) -> PublishedFile:
        """Writes a text there."""

    def finish(self, manifest: str, files: Sequence[PublishedFile]) -> None:
        """Lets readers see the dataset of this manifest and these files, in one step, and removes the old one."""


def publish_at(place: Place, root: str, publication: Publication) -> Published:
    """Publishes what the pipeline left in the workspace ``root`` at a place.

    Raises:
        ConservationError, DamagedInputError, EmptyDatasetError, OutputExists, PublishError, StoreError: nothing was
            published.
    """
    run, recipe = publication.run, RECIPES[publication.run.recipe]
    results = publication.budget_applied(read_results(root))
    check_damage(results.damage, allow_truncated=publication.allow_truncated)
    check_conservation(results, formats=publication.formats, unit=recipe.UNIT)
    samples = read_samples(results.shards)
    if not publication.allow_empty:
        check_rows(results, samples, reads=recipe.READS)
    place.check(overwrite=publication.overwrite)
    place.begin()
    files = [place.take_in(shard) for shard in results.shards]
    for short in publication.budget.short(results.counts, (c.name for c in publication.schema.configs)):
        _LOGGER.warning(short)
    if line := differences(results.arithmetic, here=arithmetic_in_use()):
        _LOGGER.warning(line)
    made = manifest(results, run=run, schema=publication.schema, files=files, end=datetime.now(UTC))
    shown = statistics(results.counts, recipe=recipe)
    before = _manifest_at(publication.before or str(place.output))
    texts = {
        CARD: card(made, run=run, schema=publication.schema),
        CROISSANT: as_json(croissant(made, run=run, schema=publication.schema)),
        STATISTICS: as_json(shown.to_json()),
        REPORT: report(made, shown, run=run, samples=samples, before=before),
    }
    files += [place.write(name, text) for name, text in texts.items()]
    ordered = tuple(sorted(files, key=lambda f: f.path))
    made = dataclasses.replace(made, files=ordered, end=datetime.now(UTC).replace(microsecond=0))
    place.finish(as_json(made.to_json()), files)
    return Published(place.output, made)


def published_file(shard: ShardFile, path: str) -> PublishedFile:
    """Returns what the manifest says of a shard brought to ``path``; signatures are not rows of the dataset."""
    if shard.config == SIGNATURES:
        return PublishedFile(path=path, bytes=shard.bytes, sha256=shard.sha256)
    return PublishedFile(
        path=path,
        bytes=shard.bytes,
        sha256=shard.sha256,
        rows=shard.rows,
        config=shard.config,
        split=shard.split,
        format=shard.format,
    )


def summary(published: Published) -> str:
    """Returns a line that says what was published, and what became of the documents, or of what else was read."""
    reads = RECIPES[published.manifest.recipe].READS
    counts, reuse = published.manifest.counts, published.manifest.reuse
    documents, rejected = counts.get("documents", {}), counts.get("documents/rejected", {})
    made = ", ".join(f"{n:,} rows in {config}" for config, n in published.manifest.rows().items()) or "no rows"
    left_out = sum(sum(group.values()) for name, group in counts.items() if name.startswith(f"{LEFT_OUT}/"))
    return (
        f"{published.folder}: {documents.get('read', 0):,} {reads} read, {documents.get('used', 0):,} used, "
        f"{sum(rejected.values()):,} rejected; {made}"
        + (f"; {left_out:,} rows left out by --rows" if left_out else "")
        + (f"; {reuse}" if reuse else "")
    )


def as_json(value: Any) -> str:
    """Returns JSON as the files of a dataset have it."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _manifest_at(place: str) -> Manifest | None:
    """The manifest of the dataset at a place; None where there is none that can be read."""
    try:
        return manifest_of(place)
    except (OSError, SourceError):
        return None
