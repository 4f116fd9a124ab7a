"""Dumps of a wiki: the newest complete one of either layout, from the folders of its mirrors.

Wikimedia serves two layouts: content file exports (exports.py), and the older XML dumps (dump_status.py), which are
deprecated since January 2026. In both a folder appears when its dump is begun, so it does not say that it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gistmill.core.public_names import public_name
from gistmill.pipelines.rebuild.dump import Dump, DumpError, Layout
from gistmill.pipelines.rebuild.dump_status import DumpLayout
from gistmill.pipelines.rebuild.exports import ExportLayout
from gistmill.pipelines.rebuild.listings import names_in
from gistmill.pipelines.web import Session, WebError, read
from gistmill.transforms.sources.wikipedia.dump import DUMPS, EXPORTS

MIRRORS = ("https://dumps.wikimedia.org",)
AUTO: Final = "auto"
LAYOUTS = (AUTO, EXPORTS, DUMPS)


class _NoDump(DumpError):
    """The mirror that is believed first answered, and none has a complete dump."""


def find_dump(
    web: Session,
    wiki: str,
    *,
    layout: str = AUTO,
    mirrors: Sequence[str] = MIRRORS,
    date: str | None = None,
    say: Callable[[str], object] = lambda line: None,
) -> Dump:
    """Returns the newest complete dump, or that of a date. A mirror earlier in the list is believed first.

    Args:
        web: the session to ask with.
        wiki: such as ``enwiki``.
        layout: EXPORTS, DUMPS, or AUTO: exports, and dumps only where the mirrors have no complete export.
        mirrors: URLs below which the folders of the wikis lie, without ``/`` at the end.
        date: YYYYMMDD; None for the newest.
        say: gets lines for a person: the layout that AUTO takes, dumps that were passed over, mirrors that did not
            answer.

    Raises:
        DumpError: no mirror answers, or none has a complete dump. A dump of which no mirror says anything is not passed
            over: an older one would seem to be the newest. Nor does AUTO turn to the dumps if the first mirror is
            silent.
    """
    if layout == DUMPS:
        return _find(web, wiki, DumpLayout(), mirrors, date, say)
    try:
        found = _find(web, wiki, ExportLayout(), mirrors, date, say)
    except _NoDump as error:
        if layout == EXPORTS:
            raise
        say(f"taking the XML dumps (layout: dumps), as {error}")
        return _find(web, wiki, DumpLayout(), mirrors, date, say)
    if layout == AUTO:
        say(f"taking the content file export of {found.date} (layout: exports)")
    return found


def _find(
    web: Session,
    wiki: str,
    layout: Layout,
    mirrors: Sequence[str],
    date: str | None,
    say: Callable[[str], object],
) -> Dump:
    dates = {date} if date is not None else _dates(web, wiki, layout, mirrors, say)
    passed: list[str] = []
    for candidate in sorted(dates, reverse=True):
        answered = False
        for mirror in mirrors:
            try:
                return layout.complete(web, mirror, wiki, candidate)
            except WebError as error:
                answered = answered or error.status == 404
                passed.append(str(error))
            except DumpError as error:
                answered = True
                passed.append(str(error))
        if not answered:
            unknown = f"no mirror says whether the {layout.name} of {wiki} of {candidate} is complete"
            raise DumpError(f"{unknown}: {passed[-1]}")
        say(f"the {layout.name} of {candidate} is not complete: {passed[-1]}")
    why = passed[0] if passed else f"none is listed at {public_name(mirrors[0])}/{layout.folder(wiki)}/"
    raise _NoDump(f"there is no complete {layout.name} of {wiki}: {why}")


def _dates(web: Session, wiki: str, layout: Layout, mirrors: Sequence[str], say: Callable[[str], object]) -> set[str]:
    """The dates of the dumps that any mirror lists."""
    found: set[str] = set()
    silent: dict[str, str] = {}
    for mirror in mirrors:
        try:
            names = names_in(read(web, f"{mirror}/{layout.folder(wiki)}/"))
        except WebError as error:
            if error.status != 404:
                silent[mirror] = str(error)
            continue
        found.update(filter(None, map(layout.date_of, names)))
    if not found and mirrors[0] in silent:
        raise DumpError(f"no mirror lists the {layout.name}s of {wiki}: {silent[mirrors[0]]}")
    for line in silent.values():
        say(f"a mirror is left out: {line}")
    return found
