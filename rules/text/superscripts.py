"""Superscripts as characters: 10⁶ is not 106."""

from __future__ import annotations

import re

_SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_EXPONENT = re.compile(r"[0-9+\-−=()n]+")


def raised(text: str) -> str:
    """Returns the text of a superscript: in superscript characters if all of it has them, else as it is."""
    text = text.strip()
    return text.translate(_SUPERSCRIPTS) if _EXPONENT.fullmatch(text) else text
