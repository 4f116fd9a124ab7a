"""One line of JSON to a document or a reject."""
from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.records import Metadata, RawDocument, Reject
from rules.text.marks import without_controls
from rules.verdict import Reason
from transforms.sources.jsonl_lines import Line
from transforms.sources.ranges import Range

SOURCE = "jsonl"
MARKUPS = ("plain", "html")
BOM = b"\xef\xbb\xbf"
_ID = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}")
_LONGEST = 4096  # characters of a title or URL that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonlFields:
    """Which keys of an object hold what.

    Attributes:
        text_field: key of the text: a string, or a list of strings, which are paragraphs.
        id_field: key of an id, a string or a whole number, unique over the input; a document without it gets one from its
            file's name and line number.
        title_field, url_field, date_field: keys of what else is known.
        text_markup: ``plain``, or ``html``, of which the article is extracted.

    Raises:
        ValueError: at construction, naming the value.
    """

    text_field: str = "text"
    id_field: str = "id"
    title_field: str = "title"
    url_field: str = "url"
    date_field: str = "date"
    text_markup: str = "plain"

    def __post_init__(self) -> None:
        if self.text_markup not in MARKUPS:
            raise ValueError(f"text_markup must be one of {', '.join(MARKUPS)}, not {self.text_markup!r}")


def parse_line(line: Line, place: Range, fields: JsonlFields, *, label: str) -> RawDocument | Reject:
    """Returns the document of a line, or a Reject of stage ``read``: TOO_LARGE, BAD_LINE or EMPTY_PAGE; its detail names
    the line. ``label``: the file's name, unique among the inputs."""

    def reject(reason: Reason, detail: str) -> Reject:
        return Reject(id=f"{place.file}#{line.offset}", reason=reason, stage="read", file=place.file, offset=line.offset,
                      detail=f"line {line.number}: {' '.join(detail.split())[:160]}", range_key=place.key)

    if line.oversized:
        return reject(Reason.TOO_LARGE, f"{line.length} bytes long")
    try:
        values = _object(line.data.removeprefix(BOM) if line.number == 1 else line.data)
        text = _text(values, fields)
        own_id = _own_id(values.get(fields.id_field), fields.id_field)
    except ValueError as error:
        return reject(Reason.BAD_LINE, str(error))
    if not text.strip():
        return reject(Reason.EMPTY_PAGE, f"{fields.text_field!r} is empty")
    known = {name: _short(values.get(getattr(fields, f"{name}_field"))) for name in ("title", "url", "date")}
    return RawDocument(
        id=own_id or f"{SOURCE}-{label}-{line.number}", source=SOURCE, title=known["title"], text=text,
        markup=fields.text_markup, file=place.file, offset=line.offset, range_key=place.key,
        metadata=Metadata(url=known["url"], published=known["date"]))


def _object(data: bytes) -> dict[str, Any]:
    try:
        values = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start}") from None
    except RecursionError:
        raise ValueError("not JSON that can be read: nested too deep") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(values, dict):
        raise ValueError(f"not a JSON object, but {type(values).__name__}")
    return values


def _text(values: Mapping[str, Any], fields: JsonlFields) -> str:
    name = fields.text_field
    if name not in values:
        near = ", ".join(repr(key) for key in list(values)[:8])
        raise ValueError(f"no field {name!r} (the fields are {near})")
    text = values[name]
    if isinstance(text, list) and all(isinstance(part, str) for part in text):
        text = "\n\n".join(text)
    if not isinstance(text, str):
        raise ValueError(f"{name!r} is neither a string nor a list of strings")
    return without_controls(text)


def _own_id(value: Any, name: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not _ID.fullmatch(str(value).strip()):
        raise ValueError(f"{name!r} is no id: a whole number, or a string of 200 characters at most without control characters")
    return str(value).strip()


def _short(value: Any) -> str:
    """A value for a person, on one line."""
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return " ".join(without_controls(str(value)[:_LONGEST]).split()) if plain else ""
