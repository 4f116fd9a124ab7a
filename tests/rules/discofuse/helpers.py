"""Short ways to put hand-written parses through the rules."""

import re

from gistmill.rules.discofuse.anaphora.antecedents import phrase
from gistmill.rules.discofuse.anaphora.mentions import Links, Scene
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.discofuse.checks import Region
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import Mention
from tests.testing import mention, parsed


def parse(text: str) -> Parse:
    """Returns the Parse of a hand-written one."""
    return Parse(parsed(text))


def scene(first: str, second: str, *clusters) -> Scene:
    """Returns two sentences with the links between them."""
    one, two = parse(first), parse(second)
    halves = Region(0, 0, len(one)), Region(1, 0, len(two))
    return Scene(one, two, *halves, Links(clusters).within(0, 1), max_tokens=8)


def candidates(first: str, second: str = "", *, clusters=(), **config) -> tuple[Candidate, ...]:
    """Returns all candidates of one or two parses. Short sentences pass, by the conventions of the
    released data, unless the test says otherwise."""
    splitter = Splitter(DiscoFuseConfig(**{"min_sentence_tokens": 2, "conventions": "released", **config}))
    return splitter.candidates(parse(first), parse(second) if second else None, links=Links(clusters))


def outcome(first: str, second: str = "", **given) -> tuple[str, str, str, str | None]:
    """Returns (type, first sentence, second sentence, name of the reason) of the only candidate."""
    (candidate,) = candidates(first, second, **given)
    return _described(candidate)


def found(text: str, **given) -> list[tuple[str, str, str, str | None]]:
    """Returns (type, first sentence, second sentence, name of the reason) of every candidate."""
    return [_described(c) for c in candidates(text, conventions="extended", **given)]


def accepted(text: str, kind: str) -> tuple[str, str]:
    """Returns the two sentences of the only accepted candidate of a type."""
    ((_, first, second, _),) = [f for f in found(text) if f[0] == kind and f[3] is None]
    return first, second


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Returns the parse with other words in it."""
    text = " ".join(text.split())
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def said(first: str, start: int, end: int, kind: str = "nominal", *, head: int | None = None) -> str:
    """Returns the phrase of a mention as it is said again; "" where there is none."""
    antecedent = mention(0, start, end, kind, head=end - 1 if head is None else head)
    return " ".join(w.text for w in phrase(parse(first), antecedent, limit=9, possessive=False))


def mentions(text: str) -> list[Mention]:
    """Returns a cluster, of which each mention is written as "SENTENCE:START-END KIND" and its confidence."""
    parts = re.findall(r"(\d+):(\d+)-(\d+) (\w+) ?([\d.]*)", text)
    assert len(parts) == len(text.split("; ")), text
    return [mention(int(n), int(i), int(j), kind, confidence=float(sure or 1)) for n, i, j, kind, sure in parts]


def _described(candidate: Candidate) -> tuple[str, str, str, str | None]:
    reason = candidate.verdict.reason
    return (
        candidate.discourse_type.name,
        candidate.incoherent_first_sentence,
        candidate.incoherent_second_sentence,
        reason.name if reason else None,
    )
