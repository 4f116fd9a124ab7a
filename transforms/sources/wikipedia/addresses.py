"""URLs of wikis and their pages. This module does not need Beam."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from gistmill.rules.wiki.page import language_of_wiki

_WIKIPEDIA = re.compile(r"(?P<language>[a-z][a-z_]*)wiki[-_]")
_LONGEST_BASE = 500
_PLAIN = ";@$!*(),/~:"  # characters that MediaWiki does not escape in a page's URL


def page_address(base: str, title: str, revision: str = "") -> str:
    """Returns the URL of a page revision: the page's URL with ``oldid``, which stays valid if the page is renamed.

    Args:
        base: URL of the wiki's main page, such as ``https://en.wikipedia.org/wiki/Main_Page``, from the element
            ``base`` in a dump's ``siteinfo``. The title replaces everything after its last ``/`` or ``title=``.
        title: title of the page.
        revision: id of the revision; ignored if it does not consist of digits.

    Returns:
        The URL; "" if the base is not the URL of a wiki, or the title is empty.
    """
    if not title or not _is_base(base):
        return ""
    cut = max(base.rfind("/"), base.rfind("title=") + len("title=") - 1)
    address = base[: cut + 1] + quote(title.replace(" ", "_"), safe=_PLAIN, errors="replace")
    if not (revision.isascii() and revision.isdigit()):
        return address
    return f"{address}{'&' if '?' in base else '?'}oldid={revision}"


def base_of_dump(file: str) -> str:
    """Returns a ``base`` for ``page_address``, derived from the name of a dump file, such as
    ``enwiki-20260901-pages-articles-multistream.xml.bz2``; "" if the dump is not of a Wikipedia."""
    found = _WIKIPEDIA.match(file)
    return f"https://{found['language'].replace('_', '-')}.wikipedia.org/wiki/" if found else ""


def languages_of(bases: Iterable[str]) -> frozenset[str]:
    """Returns the language codes of wikis, given the URLs of their pages; other URLs are ignored."""
    return frozenset(filter(None, map(language_of_wiki, bases)))


def _is_base(base: str) -> bool:
    if len(base) > _LONGEST_BASE or not base.isprintable() or " " in base:
        return False
    try:
        parts = urlsplit(base)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and bool(parts.path)
