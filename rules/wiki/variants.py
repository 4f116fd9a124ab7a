"""Variants of language, ``-{zh-hans:...; zh-hant:...}-``: the text is that of the first."""

from __future__ import annotations

import re

from gistmill.rules.text.marks import HOLE, LOST

_MARKUP = re.compile(r"-\{(?!\{)((?:(?!-\{(?!\{)|\}-).)*+)\}-(?!\})", re.DOTALL)
_FLAGS = re.compile(r"\s*([A-Z-](?:\s*;\s*[A-Z-])*|[a-z]{2,3}(?:-[a-z]+)*(?:\s*;\s*[a-z]{2,3}(?:-[a-z]+)*)*)?\s*\|")
_VARIANT = re.compile(r"(?:^|;)\s*(?:[^;:=]*=>\s*)?[a-z]{2,3}(?:-[a-z]+)*\s*:\s*", re.I)
_DEEPEST = 6


def without_variants(text: str) -> str:
    """Returns wikitext with the first variant in the place of each choice. What is never closed stays."""
    for _ in range(_DEEPEST):
        if "-{" not in text:
            break
        text, count = _MARKUP.subn(lambda match: _shown(match[1]), text)
        if not count:
            break
    return text


def _shown(inside: str) -> str:
    flags = _FLAGS.match(inside)
    letters = frozenset(re.split(r"[\s;]+", flags[1] or "")) if flags else frozenset()
    if flags:
        inside = inside[flags.end() :]
    if letters & {"N", "D"}:  # the name of a language, the rule itself
        return LOST
    if letters & {"H", "T", "-"}:  # a rule for other places of the page
        return HOLE
    if "R" in letters:
        return inside
    variants = list(_VARIANT.finditer(inside))
    if not variants or inside[: variants[0].start()].strip():
        return inside
    return inside[variants[0].end() : variants[1].start() if len(variants) > 1 else None].rstrip("; \n")
