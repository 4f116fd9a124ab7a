"""Publishing a dataset: its finished shards are checked, described and moved into place in one step."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from gistmill.core.arithmetic import differences
from gistmill.core.manifest import MANIFEST, Manifest, ManifestError, PublishedFile
from gistmill.core.records import Damage
from gistmill.core.row_budget import LEFT_OUT, ROWS, UNLIMITED, RowBudget
from gistmill.core.statistics import SPLITS, STATISTICS, DatasetSchema
from gistmill.pipelines import stores as store
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.job import shared_reasons
from gistmill.pipelines.place import CARD, DATA, Place, StorePlace
from gistmill.pipelines.reporting.croissant import CROISSANT, croissant
from gistmill.pipelines.reporting.manifest import RunInfo, card, manifest, statistics
from gistmill.pipelines.reporting.page.view import report
from gistmill.pipelines.stores import SETTLING_SECONDS, Lease
from gistmill.rules.documents import meanings
from gistmill.rules.recipe import PairRecipe
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.arithmetic import arithmetic_in_use
from gistmill.transforms.sinks.results import Results, Samples, read_results, read_samples
from gistmill.transforms.sinks.shards import SIGNATURES, ShardFile, published_name
from gistmill.transforms.sinks.spills import REJECTS
from gistmill.transforms.sources.base import manifest_of
from gistmill.transforms.sources.files.ranges import SourceError

UNITS = ("documents", "sentences", "pairs", "copies")


class ConservationError(JobFailed):
    """Something that was read is neither used nor rejected, or a row is missing from the files."""


class DamagedInputError(JobFailed):
    """The input is truncated or cannot be decoded; the message is one line for the user."""


def check_conservation(results: Results, *, formats: Sequence[str], unit: str = "") -> None:
    """Checks that everything read is used or rejected, and that the files contain every row.

    Args:
        results: the pipeline's results, including the number of rows left out by a budget.
        formats: names of the output formats.
        unit: the recipe's UNIT, which is counted separately for each configuration.

    Raises:
        ConservationError: counts do not add up; the message lists all discrepancies in one line.
    """
    shards = [s for s in results.shards if s.config != SIGNATURES]
    wrong = [*_unbalanced(results.counts, unit), *_wrong_rows(results.counts, shards, formats), *_wrong_shards(shards)]
    if wrong:
        raise ConservationError(f"the counts do not add up: {'; '.join(wrong)}; nothing was published")


def check_damage(damage: Sequence[Damage], *, allow_truncated: bool) -> None:
    """Raises DamagedInputError if the input is damaged and that is not allowed."""
    if damage and not allow_truncated:
        first = damage[0]
        others = f" (and {len(damage) - 1} more places)" if len(damage) > 1 else ""
        raise DamagedInputError(
            f"{first.file} is damaged at byte {first.offset}: {first.message}{others}; nothing was "
            "published. Use --allow-truncated to publish the rest of the input"
        )


def _unbalanced(counts: Mapping[str, int], configurations_of: str) -> list[str]:
    wrong = []
    parts = {"/".join(k.split("/")[:2]) for k in counts if configurations_of and k.startswith(f"{configurations_of}/")}
    for unit in (*UNITS, *sorted(parts)):
        rejected = sum(n for k, n in counts.items() if k.startswith(f"{unit}/rejected/"))
        read, used = counts.get(f"{unit}/read", 0), counts.get(f"{unit}/used", 0)
        if read != used + rejected:
            wrong.append(f"{read} {unit} read, but {used} used and {rejected} rejected")
        if unit in parts:
            of_part = tuple(f"{group}/{unit.partition('/')[2]}/" for group in (ROWS, LEFT_OUT))
            rows = sum(n for k, n in counts.items() if k.startswith(of_part))
            if rows != used:
                wrong.append(f"{used} documents used by {unit}, but {rows} rows made from them")
    return wrong


def _wrong_rows(counts: Mapping[str, int], shards: Sequence[ShardFile], formats: Sequence[str]) -> list[str]:
    written, expected = Counter[tuple[str, str, str]](), Counter[tuple[str, str, str]]()
    for s in shards:
        written[s.config, s.split, s.format] += s.rows
    for key, n in counts.items():
        if key.startswith(f"{ROWS}/"):
            _, config, split = key.split("/")
            for f in formats:
                expected[config, split, f] = n
        elif key.startswith("rejects/"):
            expected[REJECTS, REJECTS, "jsonl"] += n
    return [
        f"{expected[k]} rows of {k[0]}/{k[1]} were made, but {written[k]} are in its {k[2]} files"
        for k in sorted(expected.keys() | written.keys())
        if expected[k] != written[k]
    ]


def _wrong_shards(shards: Sequence[ShardFile]) -> list[str]:
    groups: dict[tuple[str, str, str], list[ShardFile]] = defaultdict(list)
    for s in shards:
        groups[s.config, s.split, s.format].append(s)
    wrong = []
    for (config, split, format_name), group in sorted(groups.items()):
        group.sort(key=lambda s: s.index)
        if [s.index for s in group] != list(range(group[0].of)) or len({s.of for s in group}) > 1:
            wrong.append(f"the {format_name} shards of {config}/{split} are not numbered 0 to {group[0].of - 1}")
        if any(a.last_id.encode() >= b.first_id.encode() for a, b in pairwise(group)):
            wrong.append(f"the {format_name} shards of {config}/{split} are not sorted by id")
    return wrong


_SHOWN = 3  # maximum number of reasons or record types in a message
_LONGEST = 360  # maximum number of characters of a detail


class EmptyDatasetError(JobFailed):
    """The dataset would have no rows; the message gives the most common reasons, with examples, in one line."""


def check_rows(results: Results, samples: Samples, *, reads: str) -> None:
    """Checks that a dataset has at least one row, in any configuration and split.

    Args:
        results: the pipeline's results, after applying the row budget.
        samples: samples of its rejects.
        reads: the recipe's READS, a plural word for documents.

    Raises:
        EmptyDatasetError: the dataset has no rows.
    """
    if not any(key.startswith(f"{ROWS}/") for key in results.counts):
        said = "; ".join(_said(results, samples.rejects, reads))
        raise EmptyDatasetError(
            f"no rows were produced: {said}; nothing was published. Use --allow-empty to publish a dataset that "
            "contains only the rejects"
        )


def _said(results: Results, rejects: Mapping[str, Sequence[Mapping[str, Any]]], reads: str) -> Iterator[str]:
    """Yields the possible reasons for having no rows."""
    counts = results.counts
    read, used = counts.get("documents/read", 0), counts.get("documents/used", 0)
    if left_out := sum(n for key, n in counts.items() if key.startswith(f"{LEFT_OUT}/")):
        yield f"--rows left out all {left_out:,} rows made"
    elif not read:
        yield f"the input contains no {reads}{_instead(results)}"
    else:
        yield f"{used:,} of {read:,} {reads} were used" + (", but yielded none" if used else "")
        for reason, number in _commonest(counts):
            yield f"{reason} {number:,}{_example(rejects.get(reason, ()))}"


def _instead(results: Results) -> str:
    """Describes the input files and the records in them."""
    paths = [str(source["path"]) for source in results.sources]
    more = f" and {len(paths) - 1:,} more files" if len(paths) > 1 else ""
    files = f" ({paths[0]}{more})" if paths else ""
    kinds = Counter({key.partition("/")[2]: n for key, n in results.counts.items() if key.startswith("records/")})
    records = ", ".join(f"{number:,} {kind}" for kind, number in kinds.most_common(_SHOWN))
    return files + (f", but records of other types: {records}" if records else "")


def _commonest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Returns the most common reasons with their counts, reasons for whole documents first."""
    found: Counter[tuple[bool, str]] = Counter()
    for key, number in counts.items():
        group, _, rest = key.partition("/")
        if group == "rejects" and "/document/" not in rest:
            found[True, rest.rpartition("/")[2]] += number
        elif key.startswith("documents/rejected/"):
            found[False, rest.rpartition("/")[2]] += number
    ordered = sorted(found.items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
    return [(reason, number) for (_, reason), number in ordered[:_SHOWN]]


def _example(rejects: Sequence[Mapping[str, Any]]) -> str:
    """Returns a reason's meaning and an example, the first of its sampled rejects; "" if none were sampled."""
    if not rejects:
        return ""
    first = min(rejects, key=lambda reject: (reject["file"], reject["offset"], reject["index"]))
    detail = str(first["detail"])
    shown = detail if len(detail) <= _LONGEST else f"{detail[:_LONGEST]}…"
    return f": {first['text']} ({': '.join(filter(None, (first['id'], shown)))})"


_LOGGER = logging.getLogger(__name__)

REPORT = "report.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """Settings for publishing a dataset, which may be pickled with the graph."""

    schema: DatasetSchema  # the configurations of the dataset
    formats: Sequence[str]  # output formats
    run: RunInfo  # the part of the manifest that is not in the results
    # how many rows each split keeps; the shards contain only these, whereas the results count all rows made
    budget: RowBudget = UNLIMITED
    overwrite: bool = False  # whether to replace an existing dataset
    allow_truncated: bool = False  # whether to publish a dataset made from damaged inputs
    allow_empty: bool = False  # whether to publish a dataset without rows
    before: str = ""  # the dataset to compare with in the report; "" for the one being replaced


@dataclass(frozen=True, slots=True)
class Published:
    """A published dataset: its folder or URL, and its manifest."""

    folder: Path | str
    manifest: Manifest


def publish(place: Place, publication: Publication) -> Published:
    """Publishes the results from a place's workspace; the caller drops the workspace. If nothing was published, raises
    ConservationError, DamagedInputError, EmptyDatasetError, OutputExists, PublishError, StoreError or BusyError."""
    run, recipe = publication.run, RECIPES[publication.run.recipe]
    results = read_results(str(place.root))
    results = dataclasses.replace(results, counts=publication.budget.applied(results.counts))
    check_damage(results.damage, allow_truncated=publication.allow_truncated)
    check_conservation(results, formats=publication.formats, unit=recipe.UNIT)
    samples = read_samples(results.shards)
    if not publication.allow_empty:
        check_rows(results, samples, reads=recipe.READS)
    place.check(overwrite=publication.overwrite)
    files = [_published_shard(place, shard) for shard in results.shards]
    for short in publication.budget.short(results.counts, (c.name for c in publication.schema.configs)):
        _LOGGER.warning(short)
    if line := differences(results.arithmetic, here=arithmetic_in_use()):
        _LOGGER.warning(line)
    made = manifest(results, run=run, schema=publication.schema, files=files, end=datetime.now(UTC))
    shown = statistics(results.counts, recipe=recipe)
    before: Manifest | None = None  # there may be no previous version, or an unreadable one
    with suppress(OSError, SourceError):
        before = manifest_of(publication.before or str(place.output))
    texts = {
        CARD: card(made, run=run, schema=publication.schema),
        CROISSANT: _as_json(croissant(made, run=run, schema=publication.schema)),
        STATISTICS: _as_json(shown.to_json()),
        REPORT: report(made, shown, run=run, samples=samples, before=before),
    }
    for name, text in texts.items():
        data = text.encode("utf-8", "backslashreplace")
        sha256 = hashlib.sha256(data).hexdigest()
        files.append(PublishedFile(path=place.write(name, text), bytes=len(data), sha256=sha256))
    ordered = tuple(sorted(files, key=lambda f: f.path))
    made = dataclasses.replace(made, files=ordered, end=datetime.now(UTC).replace(microsecond=0))
    place.promote(_as_json(made.to_json()), [file.path for file in files])
    return Published(place.output, made)


def _published_shard(place: Place, shard: ShardFile) -> PublishedFile:
    """Publishes a shard and returns its manifest entry; signatures do not count as rows of the dataset."""
    name = published_name(shard.config, shard.split, shard.format, shard.index, shard.of)
    file = PublishedFile(path=place.put(name, shard.path, shard.sha256), bytes=shard.bytes, sha256=shard.sha256)
    if shard.config == SIGNATURES:
        return file
    return dataclasses.replace(file, rows=shard.rows, config=shard.config, split=shard.split, format=shard.format)


def summary(published: Published) -> str:
    """Returns a line on the published dataset, with the numbers of documents read, used and rejected."""
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


_MOST_TYPES = 8


def breakdown(published: Published) -> list[str]:
    """Returns lines of text on a dataset's rows by type and its most common reasons for rejects."""
    manifest, lines, rejects = published.manifest, list[str](), Counter[str]()
    for group, counts in manifest.counts.items():
        kind, _, config = group.partition("/")
        if kind == "rejects":
            rejects.update(counts)
        if kind == "types" and len(counts) > 1:
            ordered = Counter(counts).most_common()
            more = f" and {len(ordered) - _MOST_TYPES} more" if len(ordered) > _MOST_TYPES else ""
            lines.append(f"rows of {config}: {', '.join(f'{n:,} {name}' for name, n in ordered[:_MOST_TYPES])}{more}")
    if rejects:
        known = meanings(*shared_reasons(), *RECIPES[manifest.recipe].REASONS)
        parts = [(number, key.partition("/")) for key, number in rejects.most_common(_SHOWN)]
        shown = "; ".join(f"{n:,} {reason} ({unit}: {known.get(reason, '')})" for n, (unit, _, reason) in parts)
        lines.append(f"most common rejects: {shown}")
    return lines


def empty_splits(published: Published) -> str:
    """Returns a line on the splits that should have rows but have none, or "" if there are none. Jobs that read rows
    keep their splits, so they are not checked."""
    manifest, recipe = published.manifest, RECIPES[published.manifest.recipe]
    shares = manifest.configuration.get("splits") or ()
    made = {s for group, counts in manifest.counts.items() if group.split("/")[0] in (ROWS, LEFT_OUT) for s in counts}
    empty = [split for split, share in zip(SPLITS, shares, strict=False) if share and split not in made]
    if not empty or not made or issubclass(recipe, PairRecipe):
        return ""
    used, given = manifest.counts["documents"]["used"], ",".join(f"{share:g}" for share in shares)
    larger = ", such as --splits 80,10,10," if min(shares) < sum(shares) / 10 else ""
    return (
        f"no rows in {' and '.join(empty)}: --splits {given} assigns documents by hashes of their ids, and none of the "
        f"{used:,} used yielded a row there; choose larger shares{larger} or use more documents"
    )


def _as_json(value: Any) -> str:
    """Formats a value as JSON for the files of a dataset."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """A publisher of the workspace ``root`` at ``output`` (both URLs) for the run ``run_id``, which inherits the
    launcher's lease. It is part of the graph of a job that no driver waits for."""

    root: str
    output: str
    run_id: str
    publication: Publication
    settling: float = SETTLING_SECONDS

    def __call__(self, results: str) -> str:
        """Publishes the dataset, removes the workspace and returns a line for the log; ``results`` only marks the end
        of the previous step. If the dataset is already published, because a worker died before reporting success,
        returns at once. Raises the errors of ``publish``; the workspace is then kept for ``--resume``."""
        place = StorePlace(self.output, run_id=self.run_id, root=self.root)
        place.lease = Lease.take(place.lease_path, run_id=self.run_id, settling=self.settling)
        try:
            try:
                there = Manifest.from_json(store.read_json(f"{self.output}/{MANIFEST}") or {}).files
            except ManifestError:  # no manifest, or another version's; one by this run would be readable
                there = ()
            if any(file.path.startswith(f"{DATA}{self.run_id}/") for file in there):
                line = f"{self.output}: already published"
            else:
                line = summary(publish(place, self.publication))
            place.drop()
        finally:
            place.lease.release()
        _LOGGER.info("%s", line)
        return line
