"""Headers of WARC records and of the HTTP responses in them, as archives really have them.

No library reads them here. fastwarc, which did, read nothing of a record whose line ends, status line or media type
differ from the standard. Archives have such records: bare line feeds in ClueWeb09, and whatever servers sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

END = re.compile(rb"\n\r?\n")  # of a header: an empty line, behind line ends of either kind
_FIELD = re.compile(r"([^\s:][^:]*?)[ \t]*:[ \t]*(.*)", re.DOTALL)
_STATUS = re.compile(r"HTTP(?:/[0-9.]*)?[ \t]+([0-9]{1,9})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Header:
    """A header.

    Attributes:
        first: its first line: the version of a record, or the status line of a response.
        fields: values by names in lower case; of equal names the first counts.
    """

    first: str
    fields: dict[str, str]

    def get(self, name: str) -> str:
        """Returns the value of a field, "" without it; ``name`` is in lower case."""
        return self.fields.get(name, "")

    @property
    def status(self) -> int | None:
        """The status code of a response, None if the first line is not a status line."""
        found = _STATUS.match(self.first)
        return int(found.group(1)) if found else None


def parse_header(data: bytes) -> Header:
    """Returns the header in ``data``; the empty line at its end may lack. Lines that are not fields are passed over."""
    lines = re.split(r"\r?\n", _text(data).strip("\r\n"))
    fields: dict[str, str] = {}
    name = ""
    for line in lines[1:]:
        if line[:1] in (" ", "\t"):  # what goes on in another line
            if name:
                fields[name] = f"{fields[name]} {line.strip()}".strip()
            continue
        found = _FIELD.fullmatch(line)
        name = found.group(1).lower() if found else ""
        if not found or name in fields:
            name = ""
            continue
        fields[name] = found.group(2).strip()
    return Header(lines[0].strip(), fields)


def parse_response(block: bytes) -> tuple[Header, bytes]:
    """Returns the header and the body of an HTTP response; without an empty line all of it is header."""
    block = block.lstrip(b"\r\n")
    end = END.search(block)
    return (parse_header(block), b"") if end is None else (parse_header(block[: end.end()]), block[end.end() :])


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
