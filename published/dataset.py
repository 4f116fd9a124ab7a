"""``Dataset``: a reader for datasets published by Gistmill.

dataset = Dataset("discofuse-en")  # or gs://bucket/discofuse-en, s3://bucket/discofuse-en
len(dataset), dataset[0]
for row in dataset.rows("train", columns=["inputs", "targets"]):
    ...
"""

from __future__ import annotations

import functools
import operator
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, overload

from gistmill.core.extras import MissingExtra, extra_for
from gistmill.core.framing import FramingError
from gistmill.core.manifest import MANIFEST, Manifest, ManifestError, PublishedFile
from gistmill.core.parquet_pages import batches_of, table_of
from gistmill.core.statistics import STATISTICS, Column, Statistics, StatisticsError, split_rank
from gistmill.core.text_output import printable
from gistmill.published.checks import problems
from gistmill.published.files import DatasetError, Folder, open_folder, read_chunks

if TYPE_CHECKING:
    import pandas
    import polars
    from datasets import DatasetDict
    from matplotlib.axes import Axes
    from pyarrow import Table
    from pyarrow.fs import FileSystem


T = TypeVar("T")
_NAMED = 4  # datasets listed in a message


class NotADataset(DatasetError):
    """There is no published dataset at the place; the text is a one-line message for the user."""


def opened_manifest(folder: Folder, read: Callable[[BinaryIO], T]) -> T:
    """Returns the result of ``read`` for the manifest in a folder.

    Raises:
        NotADataset: there is no manifest.
        ManifestError: it cannot be used; the text names the folder.
        DatasetError: the folder cannot be read.
    """
    try:
        with folder.open(MANIFEST) as file:
            return read(file)
    except (FileNotFoundError, NotADirectoryError):
        raise NotADataset(_what_is_there(folder)) from None
    except OSError as error:
        raise DatasetError(f"{folder.place} cannot be read: {' '.join(str(error).split())}") from None
    except ManifestError as error:
        raise ManifestError(f"{folder.place}: {error}") from None


def _what_is_there(folder: Folder) -> str:
    there = folder.sizes()
    if not there:
        return f"{folder.place} is not a dataset: no files found there"
    if inner := sorted(path.removesuffix(f"/{MANIFEST}") for path in there if path.endswith(f"/{MANIFEST}")):
        more = f" and {len(inner) - _NAMED} more" if len(inner) > _NAMED else ""
        return f"{folder.place} is not a dataset: specify one of the datasets in it: {', '.join(inner[:_NAMED])}{more}"
    if any("/parquet/" in f"/{path}" or "/tfrecord/" in f"/{path}" for path in there):
        return (
            f"{folder.place} is not a dataset yet: it contains data files but no {MANIFEST}, which is written last: "
            "publishing is still in progress or has failed"
        )
    return f"{folder.place} is not a dataset: it contains no {MANIFEST}"


_SPLIT = "split"  # the data frame column that contains a row's split
_VALUES = 15  # values of each kind shown in a summary
_BATCH_ROWS = 64  # rows held as Python objects at once; parsed documents are large


@dataclass(frozen=True, slots=True)
class Summary:
    """The number of rows of each kind in a dataset. Terminals and notebooks show the first values of each as a table.

    Attributes:
        counts: the splits, as ``split``, and each distribution in stats.json, such as ``types``. For every value, the
            most frequent first, it contains the number of rows in each configuration.
    """

    counts: Mapping[str, Mapping[str, Mapping[str, int]]]

    def __repr__(self) -> str:
        tables = []
        for lines in self._tables():
            widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
            cells = ([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])] for line in lines)
            tables.append("\n".join("  ".join(line).rstrip() for line in cells))
        return "\n\n".join(tables)

    def _repr_html_(self) -> str:
        return "".join(_table(head, rows) for head, *rows in self._tables())

    def _tables(self) -> Iterator[list[list[str]]]:
        for kind, values in self.counts.items():
            configs = [*dict.fromkeys(config for numbers in values.values() for config in numbers)]
            shown = islice(values.items(), _VALUES)
            lines = [[printable(value), *(f"{numbers[c]:,}" for c in configs)] for value, numbers in shown]
            if len(values) > _VALUES:
                lines.append([f"and {len(values) - _VALUES:,} more", *("" for _ in configs)])
            yield [[kind, *configs], *lines]


def _by_value(found: Mapping[str, Mapping[str, int]], values: Iterable[str]) -> dict[str, dict[str, int]]:
    return {value: {config: counts.get(value, 0) for config, counts in found.items()} for value in values}


class Dataset:
    """A published dataset, read from its folder.

    ``len(dataset)``, ``dataset[i]``, ``dataset[i:j]`` and iteration cover the rows of the first configuration, split
    after split. Rows and errors are those of ``rows``.

    Args:
        place: the folder: a path, or a ``gs://`` or ``s3://`` URL, with credentials from the environment
            (gistmill.published.files.filesystem_of).
        filesystem: for a URL, the file system to use instead.
        folder: an opened folder to read from instead of both.

    Attributes:
        place: the path or URL.
        folder: the folder.
        manifest: the dataset's inputs, the program and options that made it, and all its files.

    Raises:
        NotADataset: there is no manifest.json at the place.
        ManifestError: it cannot be read.
        DatasetError: the place cannot be read.
    """

    def __init__(
        self, place: str | os.PathLike[str], *, filesystem: FileSystem | None = None, folder: Folder | None = None
    ) -> None:
        self.folder = folder or open_folder(place, filesystem=filesystem)
        self.place = self.folder.place
        self.manifest = opened_manifest(self.folder, Manifest.read)
        self._group: tuple[str, int, Any] = ("", 0, None)  # one row group's path, first row number, and rows

    def __repr__(self) -> str:
        rows = ", ".join(f"{config}: {count:,}" for config, count in self.manifest.rows().items())
        return f"Dataset({self.place!r}, {self.manifest.recipe}, rows of {rows or 'nothing'})"

    def _repr_html_(self) -> str:
        """Returns the row counts and the first rows, for a notebook, or the reason if rows cannot be read."""
        head = f"<p><strong>{escape(self.place)}</strong>: a dataset of <code>{escape(self.manifest.recipe)}</code></p>"
        return f"<div>{head}{_counts(self.manifest)}{_first(self)}</div>"

    def __len__(self) -> int:
        return sum(self.num_rows(split) for split in self.splits())

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for split in self.splits():
            yield from self.rows(split)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        """Returns a row by its number, or the rows of a slice.

        Raises:
            IndexError: the row does not exist.
            TypeError: ``index`` is neither an integer nor a slice.
            DatasetError: as ``rows``.
        """
        if isinstance(index, slice):
            return [self._row(number) for number in range(len(self))[index]]
        try:
            number = range(len(self))[operator.index(index)]
        except IndexError:
            raise IndexError(f"{self.place} has no row {index}; it contains {len(self):,} rows") from None
        except TypeError:
            raise TypeError(f"a row index must be a number, not {index!r}; use rows('train') for a split") from None
        return self._row(number)

    @functools.cached_property
    def stats(self) -> Statistics:
        """The content of stats.json.

        Raises:
            DatasetError: it is missing or unreadable.
            StatisticsError: it cannot be read.
        """
        path = next((f.path for f in self.manifest.files if f.path.rpartition("/")[2] == STATISTICS), STATISTICS)
        try:
            with self.folder.open(path) as file:
                return Statistics.read(file)
        except OSError as error:
            raise DatasetError(f"{self.place}: {path} cannot be read: {' '.join(str(error).split())}") from None
        except StatisticsError as error:
            raise StatisticsError(f"{self.place}: {error}") from None

    def summary(self) -> Summary:
        """Returns the number of rows in each split and of each type, shown as small tables in terminals and notebooks.
        Raises DatasetError or StatisticsError, as ``stats``."""
        rows = {config: self.manifest.counts.get(f"rows/{config}", {}) for config in self.configs}
        splits = sorted({split for counts in rows.values() for split in counts}, key=split_rank)
        counts = {_SPLIT: _by_value(rows, splits)}
        for kind, shares in self.stats.distributions.items():
            found = {config: {s.value: s.count for s in shares.get(config, ())} for config in self.configs}
            total = sum(map(Counter, found.values()), Counter[str]())
            counts[kind] = _by_value(found, [value for value, _ in sorted(total.items(), key=lambda v: (-v[1], v[0]))])
        return Summary(counts)

    def plot(self, config: str | None = None, *, ax: Axes | None = None) -> Axes:
        """Draws the number of rows of each type: a bar for each of the 15 most frequent types, coloured by split. Rows
        without types form one bar.

        Args:
            config: the configuration; by default the first.
            ax: the matplotlib.axes.Axes to draw on; by default that of a new figure.

        Returns:
            The Axes. A notebook shows its figure; elsewhere ``plot().figure.savefig("types.png")`` writes it.

        Raises:
            DatasetError: as ``table``.
            ImportError: matplotlib is missing.
        """
        pyplot = _optional("matplotlib.pyplot", "plot", "'gistmill[plot]'")
        from gistmill.rules.recipes import RECIPES  # loads all recipes

        kind = RECIPES[self.manifest.recipe].TYPE if self.manifest.recipe in RECIPES else ""
        counts: dict[str, Mapping[str, int]] = {}
        for split in self.splits(config):
            counts[split] = {"rows": self.num_rows(split, config)}
            if kind in (column.name for column in self.columns(config)):
                found = self.table(split, config, [kind])[kind].value_counts().to_pylist()
                counts[split] = {str(each["values"]): each["counts"] for each in found}
        total = sum(map(Counter, counts.values()), Counter[str]())
        values = [value for value, _ in total.most_common(_VALUES)]
        if ax is None:
            ax = pyplot.subplots(layout="constrained")[1]
        left = [0] * len(values)
        for split, numbers in counts.items():
            widths = [numbers.get(value, 0) for value in values]
            ax.barh(values, widths, left=left, label=f"{split} ({self.num_rows(split, config):,})")
            left = list(map(operator.add, left, widths))
        ax.invert_yaxis()
        rows = f"{sum(total.values()):,} rows"
        ax.set(xlabel="rows", ylabel=kind.replace("_", " "), title=f"{self._config(config)}: {rows}")
        ax.legend()
        return ax

    @property
    def configs(self) -> tuple[str, ...]:
        """The names of the configurations; the first is the default."""
        return tuple(self.manifest.columns)

    def splits(self, config: str | None = None) -> tuple[str, ...]:
        """Returns the non-empty splits of a configuration (by default the first): train, validation, test.

        Raises:
            DatasetError: there is no such configuration.
        """
        return tuple(sorted({f.split for f in self._shards(self._config(config))}, key=split_rank))

    def columns(self, config: str | None = None) -> tuple[Column, ...]:
        """Returns the columns of a configuration (by default the first), in order.

        Raises:
            DatasetError: there is no such configuration.
        """
        return self.manifest.columns[self._config(config)]

    def num_rows(self, split: str, config: str | None = None) -> int:
        """Returns the number of rows in a split, or 0 if it is empty. Raises as ``columns``."""
        return self.manifest.counts.get(f"rows/{self._config(config)}", {}).get(split, 0)

    def rows(
        self, split: str, config: str | None = None, columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Returns an iterator over a split's rows in id order, read one batch at a time.

        Without Parquet files, or without PyArrow, they are read from TFRecord files, where fractional numbers are in
        single precision and a missing list is an empty list.

        Args:
            split: train, validation or test.
            config: the configuration; by default the first.
            columns: the names of the columns to read; by default all.

        Returns:
            For each row, a dict from column to value (str, int, float, bool, None, or a list of these), in the order
            requested. ``id`` is included only if requested.

        Raises:
            DatasetError: the configuration, split or column does not exist, or the split has neither Parquet nor
                TFRecord files; while rows are read, a file is unreadable or does not match the manifest.
            MissingExtra: there are only Parquet files, and PyArrow is not installed.
        """
        name, files = self._config(config), self._parquet(split, config, instead="tfrecord")
        wanted = [c.name for c in self.columns(name)] if columns is None else list(columns)
        if unknown := [c for c in wanted if c not in {k.name for k in self.columns(name)}]:
            known = ", ".join(c.name for c in self.columns(name))
            raise DatasetError(f"{self.place}: {name} has no column {unknown[0]!r}; its columns are {known}")
        return self._read(files, self.columns(name), wanted)

    def table(self, split: str | None = None, config: str | None = None, columns: Sequence[str] | None = None) -> Table:
        """Returns a split, or by default all splits one after the other, as one pyarrow.Table in memory. The other
        arguments and the errors are those of ``rows``."""
        pa = _pyarrow("Dataset.table")
        from gistmill.published.shards import arrow_type, opened

        tables = []
        for name in self.splits(config) if split is None else (split,):
            self.rows(name, config, columns)  # to raise its errors
            for file in self._parquet(name, config):
                with opened(self.folder, file, self.columns(config)) as (parquet, handle):
                    tables.append(table_of(parquet, handle, columns=columns))
        if tables:
            return pa.concat_tables(tables)
        wanted = [c for c in self.columns(config) if columns is None or c.name in columns]
        return pa.schema([(c.name, arrow_type(c)) for c in wanted]).empty_table()

    def to_pandas(
        self, config: str | None = None, split: str | None = None, columns: Sequence[str] | None = None
    ) -> pandas.DataFrame:
        """Returns a pandas.DataFrame, in memory.

        Args:
            config: the configuration; by default the first.
            split: train, validation or test; by default all, one after the other.
            columns: the columns, which may include ``split``; by default all, followed by ``split``.

        Raises:
            DatasetError: as ``table``.
            ImportError: pandas is missing.
        """
        _optional("pandas", "to_pandas")
        frame: pandas.DataFrame = self._with_splits(config, split, columns).to_pandas()
        return frame

    def to_polars(
        self, config: str | None = None, split: str | None = None, columns: Sequence[str] | None = None
    ) -> polars.DataFrame:
        """Returns a polars.DataFrame, in memory. Arguments and errors are those of ``to_pandas``; raises ImportError if
        polars is missing."""
        made: polars.DataFrame = _optional("polars", "to_polars").from_arrow(self._with_splits(config, split, columns))
        return made

    def to_datasets(self, config: str | None = None, columns: Sequence[str] | None = None) -> DatasetDict:
        """Returns a datasets.DatasetDict of the non-empty splits, in memory. ``datasets.load_dataset`` can read the
        folder of a larger dataset directly. Arguments and errors are those of ``table``; raises ImportError if
        datasets is missing."""
        datasets = _optional("datasets", "to_datasets")
        tables = {split: self.table(split, config, columns) for split in self.splits(config)}
        return datasets.DatasetDict({split: datasets.Dataset(table) for split, table in tables.items()})

    def validate(self) -> list[str]:
        """Returns one line for each difference from the manifest (gistmill.published.checks.problems).

        Raises:
            OSError: the place cannot be read.
        """
        with extra_for("Dataset.validate"):
            return list(problems(self.folder, self.manifest))

    def _with_splits(self, config: str | None, split: str | None, columns: Sequence[str] | None) -> Table:
        """Returns a table, with each row's split in the column ``split`` if it is requested."""
        pa = _pyarrow("Dataset.table")
        known = dict.fromkeys((*(c.name for c in self.columns(config)), _SPLIT))
        wanted = list(known if columns is None else columns)
        stored = [name for name in {**dict.fromkeys(wanted), "id": None} if name != _SPLIT]  # ids give the row count
        tables = []
        for name in (self.splits(config) or (None,)) if split is None else (split,):
            table = self.table(name, config, stored)
            tables.append(table.append_column(_SPLIT, pa.array([name] * table.num_rows, pa.string())))
        return pa.concat_tables(tables).select(wanted)

    def _config(self, config: str | None) -> str:
        if config is None and self.configs:
            return self.configs[0]
        if config not in self.configs:
            known = ", ".join(self.configs) or "none"
            raise DatasetError(f"{self.place} has no configuration {config!r}; its configurations are {known}")
        return config

    def _row(self, number: int) -> dict[str, Any]:
        _pyarrow("a row by its number")
        from gistmill.published.shards import group_with

        for file in (file for split in self.splits() for file in self._parquet(split, None)):
            if number < (rows := file.rows or 0):
                path, first, group = self._group
                if path != file.path or not first <= number < first + group.num_rows:
                    first, group = group_with(number, self.folder, file, self.columns())
                    self._group = file.path, first, group  # the next request is often for an adjacent row
                found: list[dict[str, Any]] = group.slice(number - first, 1).to_pylist()
                return found[0]
            number -= rows
        raise DatasetError(f"{self.place}: its Parquet files contain fewer rows than its manifest states")

    def _shards(self, config: str) -> list[PublishedFile]:
        return [f for f in self.manifest.files if f.config == config and f.split]

    def _parquet(self, split: str, config: str | None, *, instead: str = "") -> list[PublishedFile]:
        """Returns a split's Parquet files, or files in the format ``instead`` if it has any and Parquet is missing."""
        name = self._config(config)
        shards = [f for f in self._shards(name) if f.split == split]
        if not shards:
            known = ", ".join(self.splits(name)) or "none"
            raise DatasetError(f"{self.place}: {name} has no rows in a split {split!r}; its splits are {known}")
        files = sorted((f for f in shards if f.format == "parquet"), key=lambda f: f.path)
        if others := not (files and find_spec("pyarrow")) and [f for f in shards if f.format == instead]:
            return sorted(others, key=lambda f: f.path)
        if not files:
            formats = ", ".join(sorted({f.format for f in shards}))
            raise DatasetError(
                f"{self.place}: rows are read from Parquet files, but {name} is available only as {formats}; build "
                "jobs write Parquet files with --formats parquet"
            )
        _pyarrow(f"{self.place}, a dataset in Parquet files,")
        return files

    def _read(
        self, files: Sequence[PublishedFile], known: Sequence[Column], columns: list[str]
    ) -> Iterator[dict[str, Any]]:
        for file in files:
            if file.format != "parquet":
                yield from self._records(file, [next(c for c in known if c.name == name) for name in columns])
                continue
            from gistmill.published.shards import opened

            with opened(self.folder, file, known) as (parquet, handle):
                for batch in batches_of(parquet, handle, _BATCH_ROWS, columns=columns):
                    yield from batch.select(columns).to_pylist()

    def _records(self, file: PublishedFile, columns: list[Column]) -> Iterator[dict[str, Any]]:
        from gistmill.core.tf_example import rows_of

        count = 0
        try:
            with self.folder.open(file.path) as handle:
                for count, row in enumerate(rows_of(read_chunks(handle), columns), start=1):  # noqa: B007
                    yield row
        except FramingError as error:
            raise DatasetError(f"{self.place}: {file.path} {error}") from None
        except OSError as error:
            raise DatasetError(f"{self.place}: {file.path} cannot be read: {' '.join(str(error).split())}") from None
        if count != file.rows:
            raise DatasetError(
                f"{self.place}: {file.path} contains {count:,} rows, but the manifest says {file.rows:,}"
            )


def _pyarrow(what: str) -> Any:
    with extra_for(what):
        return import_module("pyarrow")


def _optional(module: str, method: str, installs: str = "") -> Any:
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(f"Dataset.{method} needs the package {package}: pip install {installs or package}") from None


_ROWS = 5
_COLUMNS = 8
_CELL = 120  # characters


def _counts(manifest: Manifest) -> str:
    rows = {config: manifest.counts.get(f"rows/{config}", {}) for config in manifest.columns}
    splits = sorted({split for counts in rows.values() for split in counts}, key=split_rank)
    lines = [[config, *(f"{counts.get(split, 0):,}" for split in splits)] for config, counts in rows.items() if counts]
    return _table(["rows", *splits], lines) if lines else "<p>It has no rows.</p>"


def _first(rows: Iterable[Mapping[str, Any]]) -> str:
    try:
        first = list(islice(rows, _ROWS))
    except (DatasetError, MissingExtra) as error:
        return f"<p>{escape(str(error))}</p>"
    names = list(first[0]) if first else []
    more = len(names) - _COLUMNS
    note = f"<p>and {more} more column{'s' if more > 1 else ''}</p>" if more > 0 else ""
    texts = [[str(row[name]) for name in names[:_COLUMNS]] for row in first]
    cells = [[text if len(text) <= _CELL else f"{text[: _CELL - 1]}…" for text in row] for row in texts]
    return _table(names[:_COLUMNS], cells) + note if first else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [("th", head), *(("td", row) for row in rows)]
    made = ("".join(f'<{tag} style="text-align: left">{escape(c)}</{tag}>' for c in cells) for tag, cells in lines)
    return f"<table>{''.join(f'<tr>{cells}</tr>' for cells in made)}</table>"
