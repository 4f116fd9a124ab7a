"""Addresses of wikis and of their pages. Nothing here needs Beam."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from gistmill.rules.wiki.page import language_of_wiki

_WIKIPEDIA = re.compile(r"(?P<language>[a-z][a-z_]*)wiki[-_]")
_LONGEST_BASE = 500
_PLAIN = ";@$!*(),/~:"  # characters that MediaWiki leaves as they are in the address of a title


def page_address(base: str, title: str, revision: str = "") -> str:
    """Returns the URL of a revision of a page: that of its title, with ``oldid``. A page that is renamed keeps it.

    Args:
        base: the URL of the wiki's main page, such as ``https://en.wikipedia.org/wiki/Main_Page``: the element ``base``
            of a dump's ``siteinfo``. The title stands in the place of what follows its last ``/`` or ``title=``.
        title: of the page.
        revision: id of the revision; anything but digits is left out.

    Returns:
        The URL; "" if the base is not a URL of a wiki, or the title is empty.
    """
    if not title or not _is_base(base):
        return ""
    cut = max(base.rfind("/"), base.rfind("title=") + len("title=") - 1)
    address = base[: cut + 1] + quote(title.replace(" ", "_"), safe=_PLAIN, errors="replace")
    if not (revision.isascii() and revision.isdigit()):
        return address
    return f"{address}{'&' if '?' in base else '?'}oldid={revision}"


def base_of_dump(file: str) -> str:
    """Returns a ``base`` for ``page_address`` of the name of a dump's file; "" if it names no Wikipedia.

    Args:
        file: such as ``enwiki-20260901-pages-articles-multistream.xml.bz2``.
    """
    found = _WIKIPEDIA.match(file)
    return f"https://{found['language'].replace('_', '-')}.wikipedia.org/wiki/" if found else ""


def languages_of(bases: Iterable[str]) -> frozenset[str]:
    """Returns the codes of the languages of wikis, of the addresses of pages there; others have none."""
    return frozenset(filter(None, map(language_of_wiki, bases)))


def _is_base(base: str) -> bool:
    if len(base) > _LONGEST_BASE or not base.isprintable() or " " in base:
        return False
    try:
        parts = urlsplit(base)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and bool(parts.path)
