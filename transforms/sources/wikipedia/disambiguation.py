"""Tells disambiguation pages from articles: by the signs of the English Wikipedia, and those of a wiki's language."""

from __future__ import annotations

import re

from gistmill.rules.wiki.local import Local, local_of

# Templates of the category "Disambiguation message boxes" with their redirects, in lower case. Hatnotes such as
# "about", "otheruses" or "disambiguation needed" stand in articles and do not belong here; neither do set indices.
_LISTED = """
    disambiguation|disambig|disamb|disam|dab|dis|disambiguation page
    disambiguation cleanup|disambig-cleanup|disambigcleanup|disambig cleanup|dabclean|cleanup disambig|cleanup-disambig
    dab cleanup|dab-cleanup|disamb-cleanup|disambiguation-cleanup
    airport disambiguation|airport disambig|airport dab|airportdis
    biology disambiguation
    call sign disambiguation|callsigndis|call sign disambig
    caselaw disambiguation|case law disambiguation|caselaw disambig
    chinese title disambiguation|chinesetitledisambig|disambig-chinese-char-title|chinese title disambig
    church disambiguation|churchdis
    genus disambiguation|genus disambig|genusdis|genusdisambig
    hospital disambiguation|hospitaldis|hospital disambig
    human name disambiguation|human name dab|human name disambig|hndis|hn dis|hndisambig|hndab|namedab|name dab|hn-dis
    human name disambiguation cleanup|hndis-cleanup|hndis cleanup
    letter disambiguation|letter disambig|letter-disambig
    letter-number combination disambiguation|letter–number combination disambiguation|letter-numbercombdisambig|lncdis
    2lcdisambig|3lcdisambig|tladisambig|tla disambiguation|2cc|3cc|4cc|5cc|2lc|3lc|2ldis
    mathematical disambiguation|mathematics disambiguation|mathdab|math dab|mathdis|math disambig
    military unit disambiguation|mil-unit-dis|military unit disambig
    number disambiguation|numberdis|numberdisam|numdab
    opus number disambiguation|opusdis
    phonetics disambiguation|phonetics disambig
    place name disambiguation|geodis|geo-dis|geo dis|geodisambig|geodab|place disambiguation|placedis
    portal disambiguation
    road disambiguation|roaddis|road dab|road disambig
    school disambiguation|schooldis|school disambig
    species latin name disambiguation|specieslatinnamedisambig|species latin name abbreviation disambiguation
    specieslatinnameabbreviationdisambig|latin name disambiguation|latin name disambig
    station disambiguation|stationdis|station dis
    synagogue disambiguation|synagogue disambig
    taxonomic authority disambiguation|taxonomic authority disambig
    taxonomy disambiguation|taxonomy disambig
    template disambiguation
    township disambiguation|tndis
    wikipedia disambiguation|wikipedia disambig|wp disambig|wp-disambig
    woo number disambiguation|woodis
"""
TEMPLATES = frozenset(name.strip() for name in _LISTED.strip().replace("\n", "|").split("|"))

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
