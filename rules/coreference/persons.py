"""Personhood by context: persons marry and have careers. research/person_contexts.py counts the contexts."""

from __future__ import annotations

from importlib.resources import files

from gistmill.rules.coreference.markables import Markable
from gistmill.rules.coreference.syntax import OBJECTS, POSSESSIVE, SUBJECTS, Syntax


def _read() -> dict[tuple[str, str], int]:
    lines = files(__package__).joinpath("data", "person_contexts.txt").read_text(encoding="utf-8").split("\n")
    return {(role, lemma): int(bucket) for role, lemma, bucket in (line.split(" ") for line in lines if line)}


_CONTEXTS = _read()


def context_of(mention: Markable, syntax: Syntax) -> tuple[str, str] | None:
    """Returns the context of a mention: subject of a verb, object of it, owner of a noun; None in other roles."""
    tokens = syntax.tokens
    role = mention.role
    governor = tokens[tokens[syntax.base(mention.head)].head].lemma.lower()
    if role in SUBJECTS:
        return "s", governor
    if role in OBJECTS:
        return "o", governor
    return ("p", governor) if role == POSSESSIVE else None


def personhood(mention: Markable, syntax: Syntax) -> int:
    """Returns 0 where the context tells nothing, else 1 (hardly ever a person's) to 4 (nearly always)."""
    context = context_of(mention, syntax)
    return 0 if context is None else _CONTEXTS.get(context, 0)
