"""What the listing of a folder names, as servers such as nginx and Apache show folders: a page of HTML with links."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]


def names_in(page: bytes) -> list[str]:
    """Returns the names of files and folders that a listing links to, each once, in its order.

    Of each link the last part of its path counts, so no name leads out of the folder. Links to other servers, to the
    folder above, and those that sort the listing are left out.
    """
    links = _Links()
    links.feed(page.decode("utf-8", "replace"))
    names = (_name(link) for link in links.found)
    return [*dict.fromkeys(name for name in names if name)]


def _name(link: str) -> str:
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return ""
    name = unquote(parts.path.rstrip("/").rpartition("/")[2])
    if parts.scheme or parts.netloc or "/" in name or "\\" in name or not name.isprintable():
        return ""
    return "" if name in (".", "..") else name
