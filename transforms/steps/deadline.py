"""The deadline of a page, and what happens to a document that rules do not finish before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from gistmill.core.deadline import DeadlineExceeded, within
from gistmill.core.options import Options, option
from gistmill.core.records import FromDocument, Reject
from gistmill.core.values import POSITIVE
from gistmill.rules.documents import CleanReason

Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class DeadlineConfig(Options):
    """The option of everything whose time depends on the page.

    The default is far above what honest documents take: half a second for the slowest page.
    """

    GROUP: ClassVar[str] = "cleaning"

    parse_deadline: float = option(
        POSITIVE,
        default=60.0,
        unit="seconds",
        metavar="SECONDS",
        group="cleaning",
        help="how long the parser of wikitext or HTML may work on one page before the page is rejected; then "
        "coreference, and then the recipe, has as long",
    )


def in_time(work: Callable[[], Made], document: FromDocument, *, seconds: float, stage: str) -> Made | Reject:
    """Returns what ``work`` makes of a document, or the Reject of one that it does not finish in ``seconds``."""
    try:
        with within(seconds):
            return work()
    except DeadlineExceeded:
        return document.origin.reject(CleanReason.DEADLINE, stage, f"not finished in {seconds:g} seconds")
