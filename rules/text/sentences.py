"""Sentences in many languages."""

from __future__ import annotations

from collections.abc import Callable

from icu4py.breakers import SentenceBreaker


def splitter_for(code: str) -> Callable[[str], list[str]]:
    """Placeholder."""
    return lambda text: [s for a, b in SentenceBreaker(text, code).segments() if (s := text[a:b].strip())]
