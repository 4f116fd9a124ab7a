"""The indefinite article before a word that was not there before: "a" or "an"."""

from __future__ import annotations

import re

# Spellings whose first sound is not what the first letter says.
_SILENT_H = ("hour", "honest", "honor", "honour", "heir", "heiress", "hors")
_CONSONANT = re.compile(r"(uni([^nm]|$)(?!d|g|nt)|us[aeiu]|u[kt][aei]|ub[ai]|ur[aei]|eu|ew|once|one(?![a-rt-z])|ufo)")
_VOWEL = re.compile(r"[aeiou]")


def article(word: str) -> str:
    """Returns the indefinite article before a word.

    >>> [article(word) for word in ("car", "auto", "hour", "user", "unusual")]
    ['a', 'an', 'an', 'a', 'an']
    """
    lower = word.lower()
    if lower.startswith(_SILENT_H):
        return "an"
    return "an" if _VOWEL.match(lower) and not _CONSONANT.match(lower) else "a"
