"""The base of recipes that read rows in the place of documents, and add columns to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from gistmill.core.dataset import Column, ConfigSchema, DatasetSchema
from gistmill.core.records import Pair, Row
from gistmill.rules.recipe import DEFAULT, SALT, Config, Recipe

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

    def take_schema(self, schema: ConfigSchema) -> None:
        """See Recipe.take_schema."""
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
