"""The recipe for plain text, which makes one row per document, like ``wikimedia/wikipedia`` on the Hugging Face Hub.

That dataset's columns ``id``, ``url``, ``title`` and ``text`` come first, in the same order and with the same meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Reason, Row
from gistmill.core.statistics import Column
from gistmill.core.values import SWITCH, whole
from gistmill.rules.documents import CleanDocument, Section
from gistmill.rules.filters import day_of
from gistmill.rules.lineage import DOCUMENT_COLUMNS, EXTRACTION_COLUMN, language_of, lineage_values
from gistmill.rules.news.article import WHOLE
from gistmill.rules.recipe import DEFAULT, Recipe
from gistmill.rules.text.sentences import splitter_of
from gistmill.rules.text.words import COUNTED, words_for

_FIRST = (
    Column("id", "string", "unique: id of the page in its wiki; of other documents, `document_id`"),
    Column("url", "string", "address of the page, or empty; of a wiki without the revision"),
    Column("title", "string", "title of the document"),
    Column("text", "string", "the text; a line is a paragraph, or with `--headings` the title of a section"),
    Column("revision", "string", "revision of the document in its source, or empty"),
    Column("date", "string", "day of the document (ISO 8601), by which `--since` compares, or empty"),
    Column("language", "string", "ISO 639-1 code of the text's language; of a Wikipedia the code in its address"),
    Column("section_titles", "list<string>", "title of each section with text; that of the lead section is empty"),
    Column("section_levels", "list<int64>", "level of its heading: 1 for the lead section, 0 where it is not known"),
    Column("section_starts", "list<int64>", "where its paragraphs begin in `text`, in characters (code points)"),
    Column("section_ends", "list<int64>", "where they end: `text[start:end]` is the section without its heading"),
    Column("characters", "int64", "characters (code points) of `text`"),
    Column("words", "int64", f"words of `text`: {COUNTED}"),
    Column("sentences", "int64", "sentences of its paragraphs, as the rules for its language find them"),
    Column("paragraphs", "int64", "paragraphs of `text`"),
)
_NAMES = frozenset(column.name for column in _FIRST)
COLUMNS: tuple[Column, ...] = (
    *_FIRST,
    *(column for column in DOCUMENT_COLUMNS if column.name not in _NAMES),
    EXTRACTION_COLUMN,
)

_WIKI = "wikipedia"  # the source's name and the prefix of its document ids


class ArticlesReason(Reason):
    """Reasons for rejecting a document."""

    TEXT_TOO_SHORT = "the text has too few characters"


@dataclass(frozen=True, kw_only=True)
class ArticlesConfig(Options):
    """The recipe's options."""

    GROUP: ClassVar[str] = "recipe"

    headings: bool = option(
        SWITCH, default=False, help="include each section's title in the text, on a line before its paragraphs"
    )
    min_characters: int = option(
        whole(1), default=1, unit="characters", help="minimum number of characters in a document's text"
    )


class LaidOut(NamedTuple):
    """A text and the positions of its sections; a section's paragraphs are ``text[start:end]``."""

    text: str
    starts: list[int]
    ends: list[int]


def laid_out(sections: Sequence[Section], *, headings: bool = False) -> LaidOut:
    """Returns the text of sections that all have paragraphs, with one line per paragraph.

    If ``headings``, each section's title is on a line before its paragraphs.
    """
    lines: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for section in sections:
        if headings and section.title:
            lines.append(section.title)
            position += len(section.title) + 1
        body = "\n".join(section.paragraphs)
        lines.append(body)
        starts.append(position)
        ends.append(position + len(body))
        position += len(body) + 1
    return LaidOut("\n".join(lines), starts, ends)


class Articles(Recipe[ArticlesConfig]):
    """The recipe that makes one plain-text row per document."""

    NAME = "articles"
    HELP = "write plain text, one row per document, as in wikimedia/wikipedia"
    TITLE = "Articles"
    SUMMARY = (
        "Documents as plain text. `id`, `url`, `title` and `text` come first, as in `wikimedia/wikipedia`; revision, "
        "date, language, sections and lengths follow."
    )
    DESCRIPTION = (
        "Writes documents as plain text, one row per document. The columns `id`, `url`, `title` and `text` "
        "come first, as in the dataset `wikimedia/wikipedia`, so that code for that dataset can read a newer "
        "dump. No parse and no model are needed. All rows are in the split train unless --splits is given."
    )
    EXAMPLES = (
        "articles --input enwiki-latest-pages-articles-multistream.xml.bz2 --output articles-en",
        "articles --source warc --input 'CC-NEWS-*.warc.gz' --output news-text --min-characters 500",
        "articles --source jsonl --input texts.jsonl --output texts --languages any --splits 98,1,1",
    )
    CONFIG = ArticlesConfig
    DOCUMENT = CleanDocument
    REASONS = (ArticlesReason,)
    COLUMNS = COLUMNS
    DEFAULTS = {"splits": (1.0, 0.0, 0.0), "page_text": WHOLE}

    def process(self, document: CleanDocument) -> Outcome:
        """Returns the document's row and length counts, or the reason for rejecting it."""
        origin = document.origin
        sections = [section for section in document.sections if section.paragraphs]
        text, starts, ends = laid_out(sections, headings=self.config.headings)
        if len(text) < self.config.min_characters:
            refused = origin.reject(ArticlesReason.TEXT_TOO_SHORT, "recipe", f"{len(text)} characters")
            return Outcome(origin, refused=refused)
        row_id = origin.id.removeprefix(f"{_WIKI}-") if origin.source.startswith(_WIKI) else origin.id
        paragraphs = [paragraph for section in sections for paragraph in section.paragraphs]
        split = splitter_of(paragraphs, language_of(origin))
        words = words_for(language_of(origin))
        lengths = {
            "characters": len(text),
            "words": words.count(text),
            "sentences": sum(len(split(paragraph)) for paragraph in paragraphs),
            "paragraphs": len(paragraphs),
        }
        url, ending = origin.metadata.url, f"oldid={origin.revision}"
        if origin.revision:  # the address of a wiki page ends with it
            url = url.removesuffix(f"?{ending}").removesuffix(f"&{ending}")
        values = {
            **lineage_values(origin),
            "id": row_id,
            "url": url,
            "text": text,
            "date": day_of(origin),
            "language": language_of(origin),
            "section_titles": [section.title for section in sections],
            "section_levels": [section.level for section in sections],
            "section_starts": starts,
            "section_ends": ends,
            "extraction": origin.metadata.extraction,
            **lengths,
        }
        counts = {**{f"text/{name}": number for name, number in lengths.items()}, **words.counts}
        return Outcome(origin, rows=(Row(DEFAULT, row_id, values),), counts=counts)
