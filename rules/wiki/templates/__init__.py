"""Templates that carry words or numbers inside prose: a table from name to renderer.

``renderer(name)`` gives the function that makes the plain text of a template, or None for one that no table knows. To
teach the system another template, add its name to the table of the module it belongs to.
"""

from __future__ import annotations

from functools import partial

from gistmill.rules.wiki.local import local_of
from gistmill.rules.wiki.templates import dates, languages, numbers, plain, units
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer

TABLE: dict[str, Renderer] = {
    **plain.CHARACTERS,
    **plain.TABLE,
    **languages.TABLE,
    **numbers.TABLE,
    **units.TABLE,
    **dates.TABLE,
}


def canonical(name: str) -> str:
    """Returns a template's name as the tables spell it: lower case, single spaces, without namespace or subst."""
    name = " ".join(name.replace("_", " ").split()).lower()
    for prefix in ("subst:", "safesubst:", "template:", "msg:"):
        name = name.removeprefix(prefix).lstrip()
    return name


def renderer(name: str, language: str = "") -> Renderer | None:
    """Returns what makes the text of template ``name`` (canonical), or None for an unknown template. On a wiki in
    another language than English a name means what it does there (``foreign``).

    The text is HOLE where nothing of the sentence is left out, and None where words are lost.
    """
    if not local_of(language).is_english:
        known = languages.renderer(name, language)
    else:
        known = TABLE.get(name) or languages.by_prefix(name) or plain.by_shape(name)
    return partial(numbers.render, name, language) if known is None and ":" in name else known


__all__ = ["TABLE", "Arguments", "canonical", "renderer"]
