"""Conversion of one line of JSON to a document or a reject."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from gistmill.core.options import HTML, PLAIN, Options, option
from gistmill.core.records import Metadata, Origin, Reject
from gistmill.core.values import TEXT, one_of
from gistmill.core.verdict import Reason
from gistmill.rules.documents import RawDocument
from gistmill.rules.languages.language import language_named
from gistmill.rules.reasons import ReadReason
from gistmill.rules.text.marks import without_controls
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.jsonl.lines import Line
from gistmill.transforms.sources.jsonl.objects import NotAnObject, no_field, object_of

SOURCE = "jsonl"
MARKUPS = (PLAIN, HTML)
_ID = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}")
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_]|$)")
_LONGEST = 4096  # characters of a title or URL that are kept
_MOST_DETAIL = 320  # characters


class EmptyText(ValueError):
    """The text of a document is empty."""


@dataclass(frozen=True, kw_only=True)
class JsonlFields(Options):
    """Which keys of an object hold what."""

    GROUP: ClassVar[str] = "input"

    text_field: str = option(
        TEXT, default="text", metavar="KEY", help="key of the text, a string or a list of paragraphs"
    )
    text_markup: str = option(
        one_of(*MARKUPS),
        default=PLAIN,
        metavar="MARKUP",
        help="markup of that text: plain, or html, from which the article is extracted",
    )
    id_field: str = option(
        TEXT,
        default="id",
        metavar="KEY",
        help="key of an id that is unique over the input; a line without it gets one from its file's name and number",
    )
    title_field: str = option(TEXT, default="title", metavar="KEY", help="key of a title")
    url_field: str = option(TEXT, default="url", metavar="KEY", help="key of a URL")
    date_field: str = option(TEXT, default="date", metavar="KEY", help="key of the date of publication")
    language_field: str = option(
        TEXT, default="language", metavar="KEY", help="key of the code of the text's language, such as de or pt-BR"
    )


def parse_line(
    line: Line, place: FileRange, fields: JsonlFields, *, label: str, looks: Callable[[], str] = str
) -> RawDocument | Reject:
    """Returns the document of a line, or a Reject of stage ``read``: TOO_LARGE, BAD_LINE or EMPTY_PAGE.

    Args:
        line: the line; the detail of a Reject names it.
        place: the range that has it.
        fields: which keys hold what.
        label: the file's name, unique among the inputs.
        looks: what a detail adds where a line does not hold an object.
    """

    unnamed = Origin(f"{place.file}#{line.offset}", SOURCE, file=place.file, offset=line.offset, range_key=place.key)

    def reject(reason: Reason, detail: str) -> Reject:
        return unnamed.reject(reason, "read", f"line {line.number}: {' '.join(detail.split())[:_MOST_DETAIL]}")

    if line.oversized:
        return reject(ReadReason.TOO_LARGE, f"{line.length} bytes long")
    try:
        return to_document(object_of(line), unnamed, fields, otherwise=f"{SOURCE}-{label}-{line.number}")
    except EmptyText as error:
        return reject(ReadReason.EMPTY_PAGE, str(error))
    except NotAnObject as error:
        return reject(ReadReason.BAD_LINE, f"{error}{looks()}")
    except ValueError as error:
        return reject(ReadReason.BAD_LINE, str(error))


def to_document(values: Mapping[str, Any], unnamed: Origin, fields: JsonlFields, *, otherwise: str) -> RawDocument:
    """Returns the document that an object or a row holds.

    Args:
        values: its fields by name.
        unnamed: its origin, without what they say.
        fields: which of them hold what.
        otherwise: the id where they have none.

    Raises:
        EmptyText: the text is empty.
        ValueError: there is no text, or text or id cannot be used.
    """
    text = _text(values, fields)
    named = own_id(values.get(fields.id_field), fields.id_field)
    if not text.strip():
        raise EmptyText(f"{fields.text_field!r} is empty")
    known = {name: _short(values.get(getattr(fields, f"{name}_field"))) for name in ("title", "url", "date")}
    origin = replace(
        unnamed,
        id=named or otherwise,
        title=known["title"],
        metadata=Metadata(url=known["url"], published=known["date"], language=_language(values, fields)),
    )
    return RawDocument(origin, text, fields.text_markup)


def _language(values: Mapping[str, Any], fields: JsonlFields) -> str:
    """The code of the language that the field names, without script and country; "" for what is not a code."""
    found = _LANGUAGE.match(_short(values.get(fields.language_field)))
    return language_named(found[1]).code if found else ""


def _text(values: Mapping[str, Any], fields: JsonlFields) -> str:
    name = fields.text_field
    if name not in values:
        raise ValueError(no_field(name, values, flag="--text-field"))
    text = values[name]
    if isinstance(text, list) and all(isinstance(part, str) for part in text):
        text = "\n\n".join(text)
    if not isinstance(text, str):
        raise ValueError(f"{name!r} is neither a string nor a list of strings")
    return without_controls(text)


def own_id(value: Any, name: str) -> str:
    """Returns an id as text, "" for None. Raises ValueError if ``value``, of the field ``name``, cannot be one."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not _ID.fullmatch(str(value).strip()):
        raise ValueError(
            f"{name!r} is not an id: a whole number, or a string of at most 200 characters without control characters"
        )
    return str(value).strip()


def _short(value: Any) -> str:
    """A value for a person, on one line."""
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return " ".join(without_controls(str(value)[:_LONGEST]).split()) if plain else ""
