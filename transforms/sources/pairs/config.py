"""The options of the source ``pairs``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import option
from gistmill.core.values import TEXT, whole
from gistmill.transforms.sources.jsonl.source import LinesConfig

ID, INPUTS, TARGETS = "id", "inputs", "targets"  # what the fields are called in a Pair
FLAGS = {ID: "--id-field", INPUTS: "--inputs-field", TARGETS: "--targets-field"}


@dataclass(frozen=True, kw_only=True)
class PairsConfig(LinesConfig):
    """Which fields of a row hold what, and how files are read.

    Attributes (not options):
        max_line_bytes: a line, or the texts of a pair, over this size are rejected as TOO_LARGE.
    """

    GROUP: ClassVar[str] = "input"

    limit: int | None = option(whole(1), unit="pairs", help="read only the first N pairs, in order of file and row")
    id_field: str = option(
        TEXT,
        default=ID,
        metavar="KEY",
        help="field of an id that is unique over the input; a row of a file without it gets one from the file's name "
        "and the row's number",
    )
    inputs_field: str = option(
        TEXT, default=INPUTS, metavar="KEY", help="field of the inputs, a string or a list of strings, which are lines"
    )
    targets_field: str = option(
        TEXT, default=TARGETS, metavar="KEY", help="field of the targets, a string or a list of strings"
    )

    def check(self) -> None:
        """Raises ValueError where two options name one field, and for a size that is not positive."""
        super().check()
        fields = (self.id_field, self.inputs_field, self.targets_field)
        if len(set(fields)) < len(fields):
            raise ValueError(f"id_field, inputs_field and targets_field have to differ, and are {', '.join(fields)}")

    @property
    def fields(self) -> dict[str, str]:
        """The names that ``id``, ``inputs`` and ``targets`` have in the input."""
        return {ID: self.id_field, INPUTS: self.inputs_field, TARGETS: self.targets_field}
