"""Variants of language, ``-{zh-hans:...; zh-hant:...}-``: the text is that of one of them, on all of a page.

Rules for a whole page (``-{H|...}-``) go: which words they mean is not looked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gistmill.rules.text.marks import HOLE, LOST

_MARKUP = re.compile(r"-\{(?!\{)((?:(?!-\{(?!\{)|\}-).)*+)\}-(?!\})", re.DOTALL)
_FLAGS = re.compile(r"\s*([A-Z-](?:\s*;\s*[A-Z-])*|[a-z]{2,3}(?:-[a-z]+)*(?:\s*;\s*[a-z]{2,3}(?:-[a-z]+)*)*)?\s*\|")
_VARIANT = re.compile(r"(?:^|;)\s*(?:[^;:=]*=>\s*)?(?P<code>[a-z]{2,3}(?:-[a-z]+)*)\s*:\s*", re.I)
_DEEPEST = 6


def without_variants(text: str, variants: Sequence[str] = ()) -> str:
    """Returns wikitext with one variant in the place of each choice. What is never closed stays.

    Args:
        text: the wikitext.
        variants: codes of variants; of each choice the first of them that it has is taken, else its own first one.
    """
    for _ in range(_DEEPEST):
        if "-{" not in text:
            break
        text, count = _MARKUP.subn(lambda match: _shown(match[1], variants), text)
        if not count:
            break
    return text


def _shown(inside: str, wanted: Sequence[str]) -> str:
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
    codes = [match["code"].lower() for match in variants]
    at = next((codes.index(code) for code in wanted if code in codes), 0)
    end = variants[at + 1].start() if at + 1 < len(variants) else None
    return inside[variants[at].end() : end].rstrip("; \n")
