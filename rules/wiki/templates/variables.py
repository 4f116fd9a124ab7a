"""Variables, ``{{PAGENAME}}``: those that stand for the title of the page. All others depend on the wiki or the day."""

from __future__ import annotations

from gistmill.rules.wiki.markup import PROJECT_PREFIXES

_SUBJECTS = frozenset("fullpagename subjectpagename articlepagename".split())


def page_name(name: str, title: str) -> str | None:
    """Returns the text of variable ``name`` (canonical) on the page ``title``, None for one that is not its name."""
    if not title:
        return None
    if name in _SUBJECTS:
        return title
    prefix, colon, rest = title.partition(":")
    bare = rest if colon and prefix.lower() in PROJECT_PREFIXES else title
    match name:
        case "pagename":
            return bare
        case "basepagename":
            return bare.rpartition("/")[0] or bare
        case "rootpagename":
            return bare.partition("/")[0]
        case "subpagename":
            return bare.rpartition("/")[2]
    return None
