"""The augment recipe, which keeps every pair and adds changed copies of the pairs in the train split.

EDA copies are made here; round-trip translations are made in an earlier step (``round_trip.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from typing_extensions import override

from gistmill.core.records import Outcome, Pair, Reason, Row
from gistmill.core.statistics import Column, ConfigSchema
from gistmill.rules.augmentation.config import COLUMN, EDA, AugmentConfig, Copy, ParsedPair, PreparedPair
from gistmill.rules.augmentation.eda.operations import Eda
from gistmill.rules.augmentation.round_trip import TranslatedPair
from gistmill.rules.recipe import SALT, PairRecipe
from gistmill.rules.row_invariants import invariants_of

_NO_COPY = {"parent_id": "", "operation": "", "seed": 0, "copy": 0}
_TEXTS = ("id", "inputs", "targets")


_VARIANT = Column(
    "variant",
    "string",
    "language and numbers of the hypotheses there and back, such as de-3-7; empty where nothing is translated",
)
_AUGMENTED = Column(
    "augmented_inputs", "string", "the inputs of a copy; empty in validation and test, where nothing is augmented"
)


class AugmentReason(Reason):
    """Reasons for dropping a copy."""

    UNCHANGED = "the copy is identical to its original"
    REPEATED = "the copy is identical to an earlier copy of the same pair"


class Augment(PairRecipe[AugmentConfig]):
    """The recipe that makes a row for each pair and for each of its copies."""

    NAME = "augment"
    HELP = "add changed copies of its pairs to a dataset"
    TITLE = "Augmented pairs"
    SUMMARY = (
        "The pairs of a dataset, and changed copies of those of the split train. A row with a `parent_id` is a copy of "
        "the row of this id."
    )
    DESCRIPTION = (
        "Adds changed copies of its pairs to a dataset. Copies are made by easy data augmentation (EDA, Wei "
        "and Zou, 2019), as in LATS, or by round-trip translation, as in WikiTransfer. Validation and test "
        "rows are not changed."
    )
    EXAMPLES = (
        "augment --input gaps-en --output gaps-en-eda",
        "augment --input pairs.jsonl --operations synonyms,deletion --copies 2 --fields inputs --output augmented",
        "augment --method round-trip --input few --forward en-de,en-ru --backward de-en,ru-en --output few-augmented",
    )
    CONFIG = AugmentConfig
    DOCUMENT = PreparedPair
    REASONS = (AugmentReason,)
    COLUMNS = (
        Column("parent_id", "string", "id of the pair that the row is a copy of; empty if it is not a copy"),
        Column("operation", "string", "how the copy was made; empty if it is not a copy"),
        Column("seed", "int64", "the seed of the copy; 0 if it is not a copy"),
        Column("copy", "int64", "number of the copy, from 1; 0 if it is not a copy"),
    )
    ROWS = "one row per pair, and one per copy"
    DISTRIBUTIONS = {"operations": "Copies by operation"}
    TYPE = "operation"

    def __init__(self, config: AugmentConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt=salt)
        self._broken: Collection[str] = ()
        self._eda = Eda(config) if config.method == EDA else None
        self._own = () if self._eda else (_VARIANT,)
        self._as_column = config.augmented_as == COLUMN
        self._no_copy = {**_NO_COPY, **{column.name: "" for column in self._own}}

    @property
    @override
    def needs_english(self) -> bool:
        """Whether EDA is used, since its synonyms are English."""
        return self.config.method == EDA

    @property
    @override
    def materials(self) -> Mapping[str, str]:
        return {"wordnet": self.config.wordnet} if self.config.wordnet else {}

    @override
    def take(self, materials: Mapping[str, Any]) -> None:
        if self._eda:
            self._eda.take(materials)

    @property
    @override
    def models(self) -> Sequence[Mapping[str, Any]]:
        return self._eda.models if self._eda else ()  # the translation step lists the translators

    @property
    @override
    def columns(self) -> tuple[Column, ...]:
        made = [c for c in self.COLUMNS if not self._as_column or c.name in ("operation", "seed")]
        return (*([_AUGMENTED] if self._as_column else []), *made, *self._own)

    def take_schema(self, schema: ConfigSchema) -> None:
        """Accepts the columns of the pairs, leaving out those whose values would be wrong for changed texts.

        Raises:
            ValueError: the pairs have already been augmented, so ids might not be unique.
        """
        names = {column.name for column in schema.columns}
        if names >= _NO_COPY.keys():
            raise ValueError("the pairs have already been augmented; augment the original dataset")
        if self._as_column:  # a row's own texts stay unchanged
            super().take_schema(schema)
            return
        broken = {name for law, _ in invariants_of(names) for name in (*law.columns, *law.more)} - {*_TEXTS}
        kept = tuple(column for column in schema.columns if column.name not in broken)
        self._broken = broken & names
        super().take_schema(ConfigSchema(name=schema.name, columns=kept))

    @override
    def row(self, pair: Pair, values: Mapping[str, object], *, id: str = "") -> Row:
        row = super().row(pair, values, id=id)
        return replace(row, values={n: v for n, v in row.values.items() if n not in self._broken})

    def process(self, pair: PreparedPair) -> Outcome:
        """Returns the rows for a pair and its copies; a copy identical to the pair or to another copy is rejected."""
        counts, rejects = Counter(pair.counts), list(pair.rejects)
        copies: list[Copy] = []
        seen = {(pair.inputs, pair.targets)}
        made: Iterable[Copy] = ()
        if isinstance(pair, TranslatedPair):
            made = pair.copies
        elif isinstance(pair, ParsedPair) and self._eda:
            made = self._eda.copies(pair)
        for copy in made:
            counts["copies/read"] += 1
            texts = (copy.inputs, pair.targets if self._as_column else copy.targets)
            if texts in seen:
                first = texts == (pair.inputs, pair.targets)
                reason = AugmentReason.UNCHANGED if first else AugmentReason.REPEATED
                counts[f"copies/rejected/{reason.name}"] += 1
                rejects.append(
                    pair.origin.reject(reason, "recipe", f"copy {copy.number}, {copy.operation}", unit="copy")
                )
                continue
            seen.add(texts)
            copies.append(copy)
            counts["copies/used"] += 1
            counts[f"operations/{self._read.name}/{copy.operation}"] += 1
            counts.update(copy.counts)
            if self._as_column:
                break
        if self._as_column:
            rows = [self._row_as_column(pair, copies)]
        else:
            own = {"parent_id": pair.id, "seed": self.config.seed}
            rows = [self.row(pair, self._no_copy)]
            for copy in copies:
                changed = {"inputs": copy.inputs, "targets": copy.targets}
                values = {**changed, **own, "operation": copy.operation, "copy": copy.number, **copy.values}
                rows.append(self.row(pair, values, id=f"{pair.id}-{self.config.method}-{copy.number}"))
        return Outcome(pair.origin, rows=tuple(rows), rejects=tuple(rejects), counts=counts)

    def _row_as_column(self, pair: PreparedPair, copies: Sequence[Copy]) -> Row:
        """Returns the row for a pair with the inputs of its copy, or with its own inputs if no copy differs from it."""
        names = [column.name for column in self.columns]
        values: dict[str, object] = {name: self._no_copy[name] for name in names if name != _AUGMENTED.name}
        values[_AUGMENTED.name] = "" if type(pair) is PreparedPair else pair.inputs
        for copy in copies:
            own = {"operation": copy.operation, "seed": self.config.seed, **copy.values}
            values |= {_AUGMENTED.name: copy.inputs, **own}
        return self.row(pair, values)
