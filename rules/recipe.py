"""The base class of recipes. Everything about a recipe is in its class; ``rules/recipes.py`` lists the classes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from typing_extensions import override

from gistmill.core.options import Options
from gistmill.core.records import FromDocument, Outcome, Pair, Reason, Row
from gistmill.core.statistics import Column, ConfigSchema, DatasetSchema, Figure, Groups
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, SegmentedDocument
from gistmill.rules.lineage import Operation

SALT = "gistmill"
DEFAULT = "default"  # the configuration of datasets that have one

Config = TypeVar("Config", bound=Options)


class Recipe(ABC, Generic[Config]):
    """Makes the rows of a dataset from documents, one by one, and tells the rest of the system all it has to know.

    Class attributes:
        NAME: the job on the command line, and the recipe in the manifest.
        HELP: one line for the list of jobs.
        TITLE, SUMMARY: heading and first paragraph of the dataset card.
        DESCRIPTION, EXAMPLES: texts of ``--help``; the examples are the arguments of ``gistmill``.
        CONFIG: the class of its configuration, which declares its options.
        DOCUMENT: AnnotatedDocument, SegmentedDocument if it needs sentences and no parse, CleanDocument if it needs
            neither, or Pair or a class below it: see PairRecipe in rules/recipe.py.
        COLUMNS: columns of every configuration, unless ``schema`` is overridden.
        ROWS: one line for the card that describes a row of the configuration ``default``.
        REASONS: the enumerations of its own reasons for which it rejects something.
        FORMATS: the output formats that make sense; empty for all.
        DISTRIBUTIONS: groups of counts, one for each configuration, that stats.json and the report show as
            distributions, with their headings. A count ``types/full/PAIR_NONE`` is in ``types`` of ``full``.
        TYPE: the column that says of what type a row is; "" for none.
        TASKS: what models learn of the rows, as the hub of Hugging Face names tasks.
        READS: a word for its documents, in the plural: rows that are read again are ``pairs``.
        UNIT: a unit that it counts in addition to documents, sentences and pairs: a group of counts with a part for
            each configuration, in which every unit that is used gives one row; "" for none.
        DEFAULTS: defaults of its own for options that jobs share, by name.
        SEEDS: whether it can make documents itself; see ``makes_documents``.

    Args:
        config: its configuration.
        salt: seeds every random choice, together with the things chosen from.
    """

    NAME: ClassVar[str]
    HELP: ClassVar[str]
    TITLE: ClassVar[str]
    SUMMARY: ClassVar[str]
    DESCRIPTION: ClassVar[str]
    EXAMPLES: ClassVar[tuple[str, ...]]
    CONFIG: ClassVar[type[Options]]
    DOCUMENT: ClassVar[type[AnnotatedDocument] | type[SegmentedDocument] | type[CleanDocument] | type[Pair]]
    COLUMNS: ClassVar[tuple[Column, ...]]
    ROWS: ClassVar[str] = "one row per document"
    REASONS: ClassVar[tuple[type[Reason], ...]] = ()
    FORMATS: ClassVar[tuple[str, ...]] = ()
    DISTRIBUTIONS: ClassVar[dict[str, str]] = {}
    TYPE: ClassVar[str] = ""
    TASKS: ClassVar[tuple[str, ...]] = ("text-generation",)
    READS: ClassVar[str] = "documents"
    UNIT: ClassVar[str] = ""
    DEFAULTS: ClassVar[Mapping[str, Any]] = {}
    SEEDS: ClassVar[bool] = False

    def __init__(self, config: Config, *, salt: str = SALT) -> None:
        self.config = config
        self.salt = salt

    @property
    def schema(self) -> DatasetSchema:
        """The configurations of its dataset; the first is the one that loads by default."""
        return DatasetSchema(configs=(ConfigSchema(name=DEFAULT, columns=self.COLUMNS, description=self.ROWS),))

    @classmethod
    def makes_documents(cls, config: Any) -> bool:
        """Whether it makes documents itself with this configuration: it then gets Seeds, and nothing is read."""
        return False

    @property
    def needs_english(self) -> bool:
        """Whether its rules, or the parse that it needs, are for English texts only."""
        return self.DOCUMENT is AnnotatedDocument

    def take_schema(self, schema: ConfigSchema) -> None:
        """Takes the columns of the rows that the source gives, if it gives rows; before ``schema`` is asked for.

        Raises:
            ValueError: it cannot work on rows of these columns; one line that says why.
        """

    @property
    def materials(self) -> Mapping[str, str]:
        """The files that it works with, by the options that name them; ``take`` gets their contents."""
        return {}

    def take(self, materials: Mapping[str, Any]) -> None:
        """Takes what ``materials`` names, as ``transforms/materials.py`` reads it.

        Raises:
            ValueError: they cannot be used together; one line that says why.
        """

    @property
    def models(self) -> Sequence[Mapping[str, Any]]:
        """The recipe's entries among the models in the manifest, in addition to those of steps."""
        return ()

    @abstractmethod
    def process(self, document: Any) -> Outcome:
        """Returns the rows, rejects and counts of one document of the class DOCUMENT. A pure function of it."""

    def operations(self, document: Any, row_id: str) -> Sequence[Operation]:
        """Returns the operations on a document's text that make one of its rows, in order; nothing where the columns
        of the row say it all.

        Args:
            document: as ``process`` gets it.
            row_id: id of a row that ``process`` makes of it.
        """
        return ()

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns the figures of the recipe's paper, recomputed from the grouped counts of a dataset."""
        return ()


class Refused(Exception):
    """A unit of a recipe cannot use a document: ``reason``, and ``detail``, the measure that decided."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


def outcome_of_units(
    document: FromDocument,
    rows: Sequence[Row],
    refused: Mapping[str, Refused],
    counts: Mapping[str, int],
    *,
    unit: str,
    mixed: Reason,
    brief: bool = False,
) -> Outcome:
    """Returns the outcome of a document of which each unit makes a row, or refuses it.

    Args:
        document: the document.
        rows: of the units that can use it; without one, the document is rejected.
        refused: why the others cannot, by name.
        counts: of the document.
        unit: the name of a unit.
        mixed: why a document is rejected that all units refuse for different reasons.
        brief: whether the reject names a reason that all units have once only.
    """
    origin = document.origin
    if rows:
        rejects = tuple(
            origin.reject(r.reason, "recipe", f"{name}: {r.detail}", unit=unit) for name, r in refused.items()
        )
        return Outcome(origin, rows=tuple(rows), counts=counts, rejects=rejects)
    reasons = {r.reason for r in refused.values()}
    reason = reasons.pop() if len(reasons) == 1 else mixed
    short = brief and reason is not mixed
    details = "; ".join(f"{n}: {'' if short else f'{r.reason.name}, '}{r.detail}" for n, r in refused.items())
    return Outcome(origin, counts=counts, refused=origin.reject(reason, "recipe", details))


PAIR_COLUMNS: tuple[Column, ...] = (
    Column("id", "string", "id of the pair"),
    Column("inputs", "string", "the inputs"),
    Column("targets", "string", "the targets"),
    Column("document_id", "string", "id of the document; that of the pair if its file names none"),
)
PAIRS = ConfigSchema(name=DEFAULT, columns=PAIR_COLUMNS)  # what files of pairs give


class PairRecipe(Recipe[Config]):
    """Makes rows of rows: its dataset has the columns of the rows that it reads, and its own.

    Class attributes:
        COLUMNS: the columns that it adds. One that the input has already is replaced.
        DOCUMENT: Pair, or the class below it that one of the steps makes.
    """

    DOCUMENT: ClassVar[type[Pair]] = Pair
    ROWS: ClassVar[str] = "one row per pair"
    READS = "pairs"

    def __init__(self, config: Config, *, salt: str = SALT) -> None:
        super().__init__(config, salt=salt)
        self._read = PAIRS

    @override
    def take_schema(self, schema: ConfigSchema) -> None:
        self._read = schema

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that it adds with its configuration."""
        return self.COLUMNS

    @property
    def schema(self) -> DatasetSchema:
        """The configuration of the input, with the columns of the input and its own."""
        own = {column.name for column in self.columns}
        kept = [column for column in self._read.columns if column.name not in own]
        made = ConfigSchema(name=self._read.name, columns=(*kept, *self.columns), description=self.ROWS)
        return DatasetSchema(configs=(made,))

    def row(self, pair: Pair, values: Mapping[str, object], *, id: str = "") -> Row:
        """Returns the row of a pair with values for its columns, and for other columns that differ from the pair's.

        Args:
            pair: whose values it has.
            values: by column.
            id: of the row; by default that of the pair.
        """
        own = id or pair.id
        return Row(self._read.name, own, {**pair.values, **values, "id": own})
