"""Tells disambiguation pages from articles: by the signs of the English Wikipedia, and those of a wiki's language."""

from __future__ import annotations

import re

from gistmill.rules.languages.language import english_words
from gistmill.rules.wiki.page import Local, local_of

TEMPLATES = english_words("wiki", "disambiguation")

_TEMPLATE = re.compile(r"\{\{\s{0,20}(?:template\s{0,20}:)?([^{}|<>\[\]]{2,60})[|}]", re.IGNORECASE)
_INERT = re.compile(r"<!--.*?(?:-->|\Z)|<nowiki>.*?(?:</nowiki>|\Z)", re.DOTALL | re.IGNORECASE)
_MAGIC_WORD = "__DISAMBIG__"
_PARSOID_TEMPLATE = re.compile(
    r'(?:"|&quot;)target(?:"|&quot;):\s*\{(?:"|&quot;)wt(?:"|&quot;):\s*(?:"|&quot;)([^"&\\]{2,60})'
)
_PARSOID_SIGNS = ('property="mw:PageProp/disambiguation"', "dmbox-disambig", 'id="disambigbox"')


def is_disambiguation(title: str, text: str, language: str = "") -> str:
    """Returns the sign by which a page is a disambiguation page: of its title or a template of its text; else "".

    ``language`` is the code of the wiki's language; "" is English.
    """
    local = local_of(language)
    if sign := _in_title(title, local):
        return sign
    if sign := _find_sign(text, local):
        # Only now the slower look that leaves out comments and nowiki.
        return sign if "<" not in text else _find_sign(_INERT.sub("", text), local)
    return ""


def _in_title(title: str, local: Local) -> str:
    if title.endswith("(disambiguation)"):
        return "(disambiguation)"
    return next((end for end in local.disambiguation_titles if title.lower().endswith(end)), "")


def _find_sign(text: str, local: Local) -> str:
    if _MAGIC_WORD in text:
        return _MAGIC_WORD
    for match in _TEMPLATE.finditer(text):
        name = _name(match.group(1))
        if _is_listed(name, local):
            return "{{" + name + "}}"
    return ""


def _is_listed(name: str, local: Local) -> bool:
    return name.lower() in TEMPLATES or name.lower() in local.disambiguation


def is_disambiguation_page(title: str, html: str, language: str = "") -> str:
    """Returns the same of a page's HTML by Parsoid, which names templates and magic words beside what they show."""
    local = local_of(language)
    if sign := _in_title(title, local):
        return sign
    if sign := next((sign for sign in _PARSOID_SIGNS if sign in html), ""):
        return sign
    return next(
        (f"{{{{{name}}}}}" for name in map(_name, _PARSOID_TEMPLATE.findall(html)) if _is_listed(name, local)), ""
    )


def _name(written: str) -> str:
    return " ".join(written.replace("_", " ").split())
