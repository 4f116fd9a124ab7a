"""A page of HTML as a test looks at it."""

from __future__ import annotations

from html.parser import HTMLParser

_VOID = frozenset({"meta", "link", "br", "img", "input"})


class Page(HTMLParser):
    """What a page holds.

    Attributes:
        open: elements that are never closed, or closed out of turn.
        seen: names of all elements.
        outside: addresses of other pages or files that it loads or links to.
        text: what stands between the tags.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.outside: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        places = [v or "" for k, v in attrs if k in ("src", "href", "action", "xlink:href")]
        self.outside += [p for p in places if not p.startswith(("#", "data:"))]
        assert not [k for k, _ in attrs if k.startswith("on")]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
