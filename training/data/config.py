"""The options for the training data and its batches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.values import FOLDER, POSITIVE, SWITCH, TOKEN, custom, list_of, nearest, whole
from gistmill.training.data.encoded import Encode, encoded
from gistmill.training.data.source import Readable, Row, Source
from gistmill.training.data.stream import Batching, Stream

_PLACE = re.compile(r"(?P<place>[^#]*?)(#(?P<config>[^#/@]+)(/(?P<split>[^#/@]+))?)?(@(?P<weight>[0-9.]+))?")
_KEYS = {"place": FOLDER, "config": TOKEN, "split": TOKEN, "weight": POSITIVE}
_BATCH_ROWS = 32


def _dataset(value: Any) -> dict[str, Any]:
    """Parses ``PLACE#CONFIG/SPLIT@WEIGHT``, in which only PLACE is required, or a mapping with these keys."""
    if isinstance(value, str) and (found := _PLACE.fullmatch(value.strip())):
        value = {key: part for key, part in found.groupdict().items() if part is not None}
    if not isinstance(value, Mapping) or not value.get("place"):
        raise ValueError("expected PLACE[#CONFIG[/SPLIT]][@WEIGHT], or a mapping with place, config, split and weight")
    read = {}
    for key, part in value.items():
        if key not in _KEYS:
            raise ValueError(f"unknown key {key!r} in a dataset{nearest(str(key), _KEYS)}")
        if part is not None:
            try:
                read[str(key)] = _KEYS[key].parse(part)
            except ValueError as error:
                raise ValueError(f"dataset {key}: {error}, not {part!r}") from None
    return read


DATASETS = list_of(
    custom(
        _dataset,
        pattern=r"(gs|s3)://[^/\s,#]+/[^,#\r\n]+(#[^#/@,\s]+(/[^#/@,\s]+)?)?(@[0-9.]+)?",
        metavar="PLACE[#CONFIG[/SPLIT]][@WEIGHT]",
        allowed="a published dataset with, if wanted, its configuration, split, and weight in the mixture",
    )
)


@dataclass(frozen=True, kw_only=True)
class DataConfig(Options):
    """The options for the training data.

    In YAML, ``datasets`` is a list of places or of mappings with ``place``, ``config``, ``split`` and ``weight``.
    """

    GROUP: ClassVar[str] = "data"

    datasets: tuple[dict[str, Any], ...] = option(
        DATASETS, required=True, help="published datasets to train on; several are mixed by weight"
    )
    split: str = option(TOKEN, default="train", help="split to read if a dataset names none")
    seed: int = option(whole(0), default=0, help="seed for the row order")
    batch_rows: int | None = option(
        whole(1),
        unit="rows",
        help=f"maximum number of rows per batch per process (default: {_BATCH_ROWS}, or no limit with --batch-tokens)",
    )
    batch_tokens: int | None = option(
        whole(1), unit="tokens", help="maximum number of tokens per batch per process, with padding (default: no limit)"
    )
    bucket_rows: int = option(
        whole(0),
        default=4096,
        unit="rows",
        help="number of rows to sort by length together, so that each batch contains rows of similar length; 0: "
        "do not sort",
    )
    shuffle_rows: int = option(
        whole(0),
        default=100_000,
        unit="rows",
        help="number of rows to shuffle together in memory; 0: keep the dataset's order",
    )
    verify: bool = option(
        SWITCH,
        default=False,
        help="compare the SHA-256 of every shard with the manifest before training",
        published=False,
    )
    token_cache: bool = option(
        SWITCH,
        default=True,
        fingerprinted=False,
        help="tokenise all rows once, before training, on all cores, and store the token IDs in --cache; otherwise "
        "rows are tokenised as they are read, which is faster if training uses little of a large dataset",
    )
    cache: str | None = option(
        FOLDER,
        help="folder for the rows' token IDs (default: gistmill in the user's cache folder)",
        published=False,
        local=True,
    )

    @override
    def check(self) -> None:
        weights = [d.get("weight") for d in self.datasets]
        if None in weights and any(weights):
            raise ValueError("datasets: give all of them a weight, or none")
        if self.batch_tokens is not None and not self.bucket_rows:
            raise ValueError("batch_tokens requires bucket_rows greater than 0")

    @property
    def batching(self) -> Batching:
        """The rules for forming batches."""
        rows = self.batch_rows or (None if self.batch_tokens else _BATCH_ROWS)
        return Batching(rows=rows, tokens=self.batch_tokens, pool=self.bucket_rows)

    def sources(self, columns: Sequence[str], *, split: str | None = None) -> tuple[Source, ...]:
        """Returns the datasets to read, with these columns; ``split``, if given, replaces each dataset's own split."""
        return tuple(
            Source(
                d["place"],
                config=d.get("config"),
                split=split or d.get("split", self.split),
                columns=tuple(columns),
                weight=d.get("weight"),
                verify=self.verify,
            )
            for d in self.datasets
        )

    def stream(
        self,
        columns: Sequence[str],
        length: Callable[[Row], int],
        *,
        rank: int = 0,
        world: int = 1,
        encode: Encode | None = None,
    ) -> Stream:
        """Returns the training batches of one process.

        Args:
            columns: the columns to read.
            length, rank, world: see Stream.
            encode: turns a row into numbers. With --token-cache, these are cached and replace the row's columns.

        Raises:
            SettingsError, TrainingError: see Stream.
        """
        splits: list[Readable] = [source.open() for source in self.sources(columns)]
        if encode and self.token_cache:
            splits = [encoded(split, encode, cache=Path(self.cache) if self.cache else None) for split in splits]
        return Stream(
            splits,
            seed=self.seed,
            batching=self.batching,
            length=length,
            rank=rank,
            world=world,
            shuffle=self.shuffle_rows,
        )
