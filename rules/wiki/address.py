"""The address of a page of Wikipedia, as far as the name of its dump tells the wiki."""

from __future__ import annotations

import re

_DUMP = re.compile(r"(?P<language>[a-z][a-z_]*)wiki-")


def page_address(file: str, revision: str) -> str:
    """Returns the URL of a revision of a page; "" where the wiki or the revision is not known.

    Args:
        file: name of the dump's file, such as ``enwiki-20260901-pages-articles-multistream.xml.bz2``.
        revision: id of the revision, or "".
    """
    found = _DUMP.match(file)
    if not found:
        return ""
    host = f"https://{found['language'].replace('_', '-')}.wikipedia.org"
    return f"{host}/?oldid={revision}" if revision.isascii() and revision.isdigit() else ""
