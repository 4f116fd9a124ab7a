"""Short ways to put hand-written parses through the rules."""

from __future__ import annotations

from rules.discofuse.anaphora import Links
from rules.discofuse.candidate import Candidate
from rules.discofuse.config import DiscoFuseConfig
from rules.discofuse.parse import Parse
from rules.discofuse.splitter import Splitter
from tests.testing import parsed


def parse(text: str) -> Parse:
    """Returns the Parse of a hand-written one."""
    return Parse(parsed(text))


def candidates(first: str, second: str = "", *, clusters=(), **config) -> tuple[Candidate, ...]:
    """Returns all candidates of one or two parses. Short sentences pass, by the conventions of the
    released data, unless the test says otherwise."""
    splitter = Splitter(DiscoFuseConfig(**{"min_sentence_tokens": 2, "conventions": "released", **config}))
    return splitter.candidates(parse(first), parse(second) if second else None, links=Links(clusters))


def outcome(first: str, second: str = "", **given) -> tuple[str, str, str, str | None]:
    """Returns (type, first sentence, second sentence, name of the reason) of the only candidate."""
    (candidate,) = candidates(first, second, **given)
    reason = candidate.verdict.reason
    return (
        candidate.discourse_type.name,
        candidate.incoherent_first_sentence,
        candidate.incoherent_second_sentence,
        reason.name if reason else None,
    )
