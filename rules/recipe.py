"""The base classes for recipes. A recipe is defined entirely by its class; ``rules/recipes.py`` lists the classes."""

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
DEFAULT = "default"  # the configuration of datasets with only one

Config = TypeVar("Config", bound=Options)


class Recipe(ABC, Generic[Config]):
    """A recipe, which turns documents, one at a time, into the rows of a dataset.

    Class attributes:
        NAME: name of the job on the command line, and of the recipe in the manifest.
        HELP: one line for the list of jobs.
        TITLE, SUMMARY: heading and first paragraph of the dataset card.
        DESCRIPTION, EXAMPLES: texts for ``--help``; each example is a list of arguments for ``gistmill``.
        CONFIG: the configuration class, which declares the recipe's options.
        DOCUMENT: AnnotatedDocument; SegmentedDocument if the recipe needs sentences but no parse; CleanDocument if it
            needs neither; or Pair or a subclass (see PairRecipe).
        COLUMNS: columns of every configuration, unless ``schema`` is overridden.
        ROWS: one line for the dataset card that describes a row of the ``default`` configuration.
        REASONS: enumerations of the recipe's own reasons for rejection.
        FORMATS: suitable output formats; empty for all.
        DISTRIBUTIONS: groups of counts per configuration that stats.json and the report show as distributions, with
            their headings. The count ``types/full/PAIR_NONE`` is in the group ``types`` of the configuration ``full``.
        TYPE: the column that contains a row's type; "" for none.
        TASKS: tasks that models learn from the rows, as named on the Hugging Face Hub.
        READS: plural noun for the recipe's input; recipes that read rows use ``pairs``.
        UNIT: a unit counted in addition to documents, sentences and pairs: a group of counts with a part for each
            configuration, in which every unit used makes one row; "" for none.
        DEFAULTS: the recipe's own defaults for options that jobs share, by name.
        SEEDS: whether the recipe can make documents itself; see ``makes_documents``.

    Args:
        config: the configuration.
        salt: seed for every random choice, in combination with the ids of the things to choose from.
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
        """The configurations of the dataset; the first one is loaded by default."""
        return DatasetSchema(configs=(ConfigSchema(name=DEFAULT, columns=self.COLUMNS, description=self.ROWS),))

    @classmethod
    def makes_documents(cls, config: Any) -> bool:
        """Whether, with this configuration, the recipe makes its own documents from Seeds instead of reading input."""
        return False

    @property
    def needs_english(self) -> bool:
        """Whether the recipe's rules, or the parse it needs, support only English texts."""
        return self.DOCUMENT is AnnotatedDocument

    def take_schema(self, schema: ConfigSchema) -> None:
        """Accepts the columns of the source's rows, if the source yields rows; called before ``schema`` is used.

        Raises:
            ValueError: the recipe cannot process rows with these columns; the message is one line.
        """

    @property
    def materials(self) -> Mapping[str, str]:
        """The files that the recipe uses, by the options that name them; their contents are passed to ``take``."""
        return {}

    def take(self, materials: Mapping[str, Any]) -> None:
        """Accepts the contents of the files in ``materials``, as read by ``transforms/materials.py``.

        Raises:
            ValueError: they cannot be used together; the message is one line.
        """

    @property
    def models(self) -> Sequence[Mapping[str, Any]]:
        """The recipe's entries in the manifest's list of models, in addition to those of the steps."""
        return ()

    @abstractmethod
    def process(self, document: Any) -> Outcome:
        """Returns the rows, rejects and counts for one document of class DOCUMENT; they depend only on the document."""

    def operations(self, document: Any, row_id: str) -> Sequence[Operation]:
        """Returns the operations that made a row from a document's text, in order; none if the row's columns show them.

        Args:
            document: as passed to ``process``.
            row_id: id of a row that ``process`` made from it.
        """
        return ()

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns the figures from the recipe's paper, recomputed from a dataset's grouped counts."""
        return ()


class Refused(Exception):
    """Raised if a unit of a recipe cannot use a document, with the ``reason`` and the deciding measure (``detail``)."""

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
    """Returns the outcome for a document from which each unit either makes a row or refuses to.

    Args:
        document: the document.
        rows: rows from the units that can use the document; if there are none, it is rejected.
        refused: the refusals of the other units, by name.
        counts: counts for the document.
        unit: name for a unit.
        mixed: reason for rejecting a document that all units refuse, but for different reasons.
        brief: whether the reject's details omit a reason shared by all units.
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
PAIRS = ConfigSchema(name=DEFAULT, columns=PAIR_COLUMNS)  # the schema of rows from pair files


class PairRecipe(Recipe[Config]):
    """A recipe that makes rows from rows, keeping their columns and adding its own.

    Class attributes:
        COLUMNS: the columns added; a column of that name in the input is replaced.
        DOCUMENT: Pair, or a subclass made by one of the steps.
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
        """The columns that the recipe adds with its configuration."""
        return self.COLUMNS

    @property
    def schema(self) -> DatasetSchema:
        """The configuration of the input, with the input's columns and the recipe's own."""
        own = {column.name for column in self.columns}
        kept = [column for column in self._read.columns if column.name not in own]
        made = ConfigSchema(name=self._read.name, columns=(*kept, *self.columns), description=self.ROWS)
        return DatasetSchema(configs=(made,))

    def row(self, pair: Pair, values: Mapping[str, object], *, id: str = "") -> Row:
        """Returns a row with the pair's values, except where ``values`` adds or replaces some.

        Args:
            pair: the pair.
            values: values for the recipe's columns and for any others that change, by column.
            id: id of the row; by default the pair's.
        """
        own = id or pair.id
        return Row(self._read.name, own, {**pair.values, **values, "id": own})
