"""The arguments of a template call, and forms: texts with placeholders for arguments.

A placeholder names arguments in braces: ``{1}`` is the first argument; ``{2|text}`` is the second, or the one named
``text`` if the second is empty. ``{1?}`` is optional. ``{*, }`` stands for all positional arguments, joined by ", ".
``<sup>``, ``</sup>`` and ``<br>`` are as in HTML, and ``<'>`` is an apostrophe that is not markup. ``<hole>`` marks
something that is not part of the sentence, ``<lost>`` unknown words, ``<unsaid>`` pronunciation and ``<source>`` a
citation (``rules/text/prose.py``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any

from gistmill.rules.text.prose import APOSTROPHE, BREAK, HOLE, LOST, SOURCE, SUP, SUP_END, UNSAID

# Returns the text of a template: HOLE if it is not part of the sentence, None if its words are unknown.
Renderer = Callable[["Arguments"], str | None]
TABLES: dict[str, Any] = tomllib.loads(files(__package__).joinpath("templates.toml").read_text(encoding="utf-8"))
_MARKS = {"'": APOSTROPHE, "br": BREAK, "hole": HOLE, "lost": LOST, "source": SOURCE, "sup": SUP, "/sup": SUP_END}
_MARKS |= {"unsaid": UNSAID}
_MARK = re.compile(f"<({'|'.join(_MARKS)})>")
_PLACE = re.compile(r"\{(\*[^{}?]*|[\w|]+)(\??)\}")
_MOST = 60  # positional arguments


class Arguments:
    """Positional and named arguments, stripped of white space.

    Args:
        params: (key or None, half-cleaned text) in order of appearance.
        name: template name as spelt on the page.
    """

    __slots__ = ("_texts", "name")

    def __init__(self, params: Iterable[tuple[str | None, str]], name: str = "") -> None:
        self.name = name
        self._texts: dict[int | str, str] = {}
        count = 0
        for key, text in params:
            if key is None:
                count += 1
                self._texts[count] = text.strip()
            else:
                self._texts[int(key) if key.isascii() and key.isdigit() and len(key) < 4 else key] = text.strip()

    def get(self, *keys: int | str) -> str:
        """Returns the first non-empty argument among ``keys``, which are numbers (from 1) or names; "" if none is."""
        for key in keys:
            if text := self._texts.get(key):
                return text
        return ""

    def positional(self) -> list[str]:
        """Returns the positional arguments from 1 on, with "" for gaps."""
        last = max((key for key in self._texts if isinstance(key, int)), default=0)
        return [self.get(number) for number in range(1, min(last, _MOST) + 1)]

    def words(self) -> list[str]:
        """Returns the non-empty positional arguments."""
        return [text for text in self.positional() if text]


def form(*patterns: str, complete: bool = False) -> Renderer:
    """Returns a renderer that uses the first form whose required arguments are all non-empty.

    The renderer returns None if there is no such form and, if ``complete``, if a positional argument would be left out.
    """
    forms = [_form(pattern, complete) for pattern in patterns]
    if len(forms) == 1:
        return forms[0]
    return lambda args: next((text for form in forms if (text := form(args)) is not None), None)


def _form(pattern: str, complete: bool) -> Renderer:
    head, *parts = _PLACE.split(_MARK.sub(lambda match: _MARKS[match[1]], pattern))
    places = []
    last = 0  # the highest argument number in the form
    for place, optional, literal in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        keys = tuple(int(key) if key.isdigit() else key for key in place.split("|"))
        last = max([last, *(key for key in keys if isinstance(key, int))])
        places.append((keys, place[1:] if place[0] == "*" else None, optional, literal))

    def rendered(args: Arguments) -> str | None:
        text = head
        for keys, separator, optional, literal in places:
            value = args.get(*keys) if separator is None else separator.join(args.words())
            if not (value or optional):
                return None
            text += value + literal
        return None if complete and any(args.positional()[last:]) else text

    return rendered
