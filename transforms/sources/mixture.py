"""Source ``mixture``, used only by the recipe ``mix``: weighted selections of rows from published datasets."""

from __future__ import annotations

import dataclasses
import functools
import heapq
import itertools
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from typing_extensions import override

from gistmill.core.options import option
from gistmill.core.records import Pair, RangeEnd, Reject
from gistmill.core.row_budget import RowBudget
from gistmill.core.statistics import SPLITS
from gistmill.core.values import POSITIVE, list_of
from gistmill.rules.documents import PairReason, ReadReason
from gistmill.rules.mixture import MixedPair, MixtureReason, Share, counts_of
from gistmill.rules.recipe import DEFAULT, SALT
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.base import Provenance, provenance_of
from gistmill.transforms.sources.files.ranges import SourceError, shared_names
from gistmill.transforms.sources.pairs import (
    ID,
    PairFile,
    PairsConfig,
    PairsSource,
    PublishedInput,
    open_inputs,
    pair_of,
    published_inputs,
)
from gistmill.transforms.sources.rows import RowRange, checked_batches, open_parquet, read_range


@dataclass(frozen=True, kw_only=True)
class MixtureConfig(PairsConfig):
    """Options for the proportions of datasets and for reading them."""

    weights: tuple[float, ...] | None = option(
        list_of(POSITIVE),
        group="recipe",
        metavar="W,W",
        help="proportions of the datasets in each split, in --input order; the dataset that is smallest "
        "relative to its weight is used in full (default: all rows of all datasets)",
    )


def names_of(datasets: Sequence[PublishedInput]) -> list[str]:
    """Returns the names of datasets in a mixture: the last part of the folder, with the configuration if it is not
    ``default``, and with the dataset's number, from 1, if the name would otherwise not be unique."""
    plain = [
        posixpath.basename(d.folder.rstrip("/")) + (f"#{d.config}" if d.config != DEFAULT else "") for d in datasets
    ]
    return [f"{number}-{name}" if plain.count(name) > 1 else name for number, name in enumerate(plain, 1)]


def read_mixture(place: RowRange, config: PairsConfig) -> Iterator[Pair | Reject | RangeEnd]:
    """Yields the selected rows of a range as pairs, and the others as rejects, in order; then one RangeEnd."""
    assert isinstance(place.of, PairFile) and place.of.share is not None
    share = place.of.share
    keeps = share.cut.keeper() if share.cut else None
    for element in read_range(place, config, pair_of):
        if not isinstance(element, Pair):
            yield element
        elif keeps and not keeps(element.id.encode("utf-8", "surrogatepass")):
            yield element.origin.reject(MixtureReason.OVER_WEIGHT, "read", share.dataset)
        else:
            own = share.prefix + element.id
            origin = dataclasses.replace(element.origin, id=own)
            yield MixedPair(
                origin, element.inputs, element.targets, {**element.values, "id": own}, element.split, share.dataset
            )


class MixtureSource(PairsSource):
    """A source that selects rows from published datasets."""

    NAME = "mixture"
    HELP = "published dataset folders, `DIR` or `DIR#CONFIGURATION`, all with the same columns"
    CONFIG = MixtureConfig
    DOCUMENT = MixedPair
    REASONS = (ReadReason, PairReason, MixtureReason)
    READ = read_mixture

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: Any) -> Self:
        """Opens the datasets and reads the ids of all rows.

        Raises:
            SourceError: an input is not a published dataset or cannot be read, columns differ, or weights do not match.
        """
        datasets, others = published_inputs(patterns)
        if others:
            raise SourceError(f"{others[0]} is not a published dataset; mixtures can only contain published datasets")
        if config.weights is not None and len(config.weights) != len(datasets):
            raise SourceError(
                f"--weights gives {len(config.weights)} numbers, but --input gives {len(datasets)} datasets"
            )
        files, schema = open_inputs(patterns, config)
        shares = _shares(datasets, files, config.weights)
        mixed = [dataclasses.replace(file, share=shares[file.dataset, file.split]) for file in files]
        return cls(mixed, dataclasses.replace(config, shared=shared_names(files)), schema, datasets)

    @classmethod
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """Returns the combined provenance; its attribution names each dataset with its licence."""
        datasets, _ = published_inputs(patterns)
        notes = [
            f"`{name}` (licence: {dataset.manifest.licence or 'unknown'}): {dataset.manifest.attribution}".strip()
            for name, dataset in zip(names_of(datasets), datasets, strict=True)
        ]
        return dataclasses.replace(provenance_of(d.manifest for d in datasets), attribution="\n\n".join(notes))


def _shares(
    datasets: Sequence[PublishedInput], files: Sequence[PairFile], weights: Sequence[float] | None
) -> dict[tuple[int, str], Share]:
    """Returns each dataset's share of the mixture in each split, by dataset number and split."""
    # Numbers of the datasets that share an id with an earlier one. Ids ascend in each shard, so that only one batch
    # per shard is in memory.
    pairs = itertools.pairwise(heapq.merge(*(zip(_ids(file), itertools.repeat(file.dataset)) for file in files)))
    sharing = {later for (one, earlier), (other, later) in pairs if one == other and earlier != later}
    shares: dict[tuple[int, str], Share] = {}
    for split in SPLITS:
        parts = [[f for f in files if (f.dataset, f.split) == (number, split)] for number in range(len(datasets))]
        sizes = [sum(file.rows for file in part) for part in parts]
        if weights is not None and any(sizes) and 0 in sizes:
            empty = datasets[sizes.index(0)].folder
            raise SourceError(f"{empty} contains no {split} rows, so --weights cannot be applied to that split")
        counts = counts_of(sizes, weights)
        for number, (name, part) in enumerate(zip(names_of(datasets), parts, strict=True)):
            budget = RowBudget(most={split: counts[number]}, salt=f"mixture {SALT}")
            cut = budget.cut(split, functools.partial(_ids, *part), rows=sizes[number])
            prefix = f"{number + 1}-" if number in sharing else ""
            shares[number, split] = Share(dataset=name, prefix=prefix, cut=cut)
    return shares


def _ids(*files: PairFile) -> Iterator[bytes]:
    for file in files:
        column = next(own for own, name in file.columns if name == ID)
        with open_input(file.path) as handle:
            parquet = open_parquet(handle, file.path)
            if column not in parquet.schema_arrow.names:
                raise SourceError(f"{file.path} has no column {column!r}, although its manifest lists it")
            for batch in checked_batches(parquet, handle, file.path, 1 << 16, columns=[column]):
                for row_id in batch.column(0).to_pylist():
                    if not isinstance(row_id, str):
                        raise SourceError(f"{file.path}: {column!r} must be text in every row, not {row_id!r:.80}")
                    yield row_id.encode("utf-8", "surrogatepass")
