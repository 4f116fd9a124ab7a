"""Templates that carry words or numbers inside prose: a table from name to renderer.

``render(name, args)`` gives the plain text of a template, or None for one that no table knows. To teach the system
another template, add its name to the table of the module it belongs to.
"""

from __future__ import annotations

from rules.wiki.templates import dates, functions, languages, numbers, plain, units
from rules.wiki.templates.arguments import Arguments, Renderer

TABLE: dict[str, Renderer] = {
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


def render(name: str, args: Arguments) -> str | None:
    """Returns the text of template ``name`` (canonical) with ``args``; None when it is unknown."""
    renderer = TABLE.get(name)
    if renderer is not None:
        return renderer(args)
    if ":" in name:
        return functions.render(name, args)
    return languages.by_prefix(name, args)


__all__ = ["Arguments", "TABLE", "canonical", "render"]
