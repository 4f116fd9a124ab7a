"""Verdict, the answer of every filter, and Reason, the closed list of what can be wrong."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Reason(str, Enum):
    """Every reason for which the system refuses a document, a sentence or a pair."""

    # read
    BAD_XML = "the page is not well-formed XML"
    BAD_PAGE = "the page lacks an id or a title"
    EMPTY_PAGE = "the page has no text"
    NAMESPACE = "the page is outside the wanted namespaces"
    REDIRECT = "the page is a redirect"
    DISAMBIGUATION = "the page is a disambiguation page"
    TOO_LARGE = "the document is over the size cap"
    # clean
    TOO_MANY_OPENERS = "more unclosed markup openers than the parser can handle in time"
    TOO_DEEP = "markup nested deeper than the cap"
    DEADLINE = "the parser did not finish before the deadline"
    PARSER_DIED = "the parser's process died on this document"
    NO_PROSE = "no paragraph of prose is left after cleaning"
    # recipe
    NO_EXAMPLES = "no sentence or pair of the document gave an example"
    TOO_SHORT = "too few tokens"
    NON_ASCII = "characters outside ASCII"
    NO_PHENOMENON = "no discourse phenomenon was found"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Accepted (``reason`` is None) or refused; ``detail`` is one line for a person.

    It has no truth value on purpose: ask ``verdict.accepted``.
    """

    reason: Reason | None = None
    detail: str = ""

    @property
    def accepted(self) -> bool:
        """Whether nothing was wrong."""
        return self.reason is None

    def __bool__(self) -> bool:
        raise TypeError("a Verdict has no truth value; ask .accepted")


ACCEPTED = Verdict()
