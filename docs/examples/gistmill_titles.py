"""Title generation: the input is a document's text, and the target is its title."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Reason, Row
from gistmill.core.statistics import Column
from gistmill.core.values import whole
from gistmill.rules.documents import CleanDocument
from gistmill.rules.lineage import DOCUMENT_COLUMNS, lineage_values
from gistmill.rules.recipe import DEFAULT, Recipe


class TitlesReason(Reason):
    """Why the recipe rejects a document."""

    TEXT_OF_FEW_WORDS = "the text has too few words"


@dataclass(frozen=True, kw_only=True)
class TitlesConfig(Options):
    """The options of the recipe."""

    GROUP: ClassVar[str] = "recipe"

    min_text_words: int = option(whole(1), default=20, unit="words", help="words that the text must have")


class Titles(Recipe[TitlesConfig]):
    """A recipe that makes at most one row from each document."""

    NAME = "titles"
    HELP = "build a corpus of texts and their titles"
    TITLE = "Titles"
    SUMMARY = "Texts and their titles."
    DESCRIPTION = "Builds a corpus of texts and their titles."
    EXAMPLES = ("titles --source jsonl --input texts.jsonl --output titles-en",)
    CONFIG = TitlesConfig
    DOCUMENT = CleanDocument
    REASONS = (TitlesReason,)
    COLUMNS = (
        Column("inputs", "string", "the text"),
        Column("targets", "string", "its title"),
        *DOCUMENT_COLUMNS,
    )

    def process(self, document: CleanDocument) -> Outcome:
        """Returns the document's row, or the reason for rejecting the document."""
        origin = document.origin
        text = " ".join(paragraph for section in document.sections for paragraph in section.paragraphs)
        if len(text.split()) < self.config.min_text_words:
            return Outcome(origin, refused=origin.reject(TitlesReason.TEXT_OF_FEW_WORDS, "recipe"))
        row_id = f"{document.id}-title"
        values = {**lineage_values(origin), "id": row_id, "inputs": text, "targets": origin.title}
        return Outcome(origin, rows=(Row(DEFAULT, row_id, values),))
