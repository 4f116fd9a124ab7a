"""The Porter stemmer with NLTK's extensions, which is the one that ``rouge-score`` stems with.

Source: M. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, steps 1a to 5b; the departures are those of
``nltk.stem.porter.PorterStemmer`` in its mode ``NLTK_EXTENSIONS`` and are marked. The stems are NLTK's letter for
letter; the code is here because all of NLTK would have to be loaded for them.
"""

from __future__ import annotations

import re

# NLTK: forms that the rules would get wrong
_IRREGULAR = {
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
    **{w: w for w in ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed")},
}
_LETTERS = str.maketrans({**dict.fromkeys("abcdefghijklmnopqrstuvwxyz0123456789", "c"), **dict.fromkeys("aeiou", "v")})
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "fulli": "ful", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = dict.fromkeys(
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(), ""
)  # fmt: skip
# where two suffixes fit, the longer one starts further left, and so is the one that is found
_ENDS_2, _ENDS_3, _ENDS_4 = (re.compile(f"(?:{'|'.join(rules)})$") for rules in (_STEP_2, _STEP_3, _STEP_4))


def stem(word: str) -> str:
    """Returns the stem of a word of the letters a to z (lower case) and digits; never empty for a word that is not."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _past_and_progressive(_plural(word))
    if word[-1] == "y" and len(word) > 2 and _shape(word)[-2] == "c":  # 1c, NLTK's condition
        word = word[:-1] + "i"
    return _final_letters(_step_4(_step_3(_step_2(word))))


def _shape(word: str) -> str:
    """The word as consonants "c" and vowels "v"; a y after a consonant is a vowel."""
    shape = word.translate(_LETTERS)
    at = word.find("y", 1)
    while at > 0:
        shape = f"{shape[:at]}{'v' if shape[at - 1] == 'c' else 'c'}{shape[at + 1 :]}"
        at = word.find("y", at + 1)
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y; NLTK: or a vowel and a consonant are all there is."""
    shape = _shape(word)
    return shape.endswith("cvc") and word[-1] not in "wxy" or shape == "vc"


def _plural(word: str) -> str:  # 1a
    if word[-1] != "s" or word.endswith("ss"):
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]  # NLTK: dies, die
    return word[:-1]


def _past_and_progressive(word: str) -> str:  # 1b
    if word.endswith("ied"):  # NLTK
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    base = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    if not base or "v" not in (shape := _shape(base)):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and shape[-1] == "c":
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if shape.count("vc") == 1 and _ends_short(base) else base


def _step_2(word: str) -> str:
    found = _ENDS_2.search(word)
    if found is None:
        return word
    suffix, base = found[0], word[: found.start()]
    # NLTK: the l of -logi counts for the stem, so that geo- and theo- are long enough
    if not _measure(base + "l" if suffix == "logi" else base):
        return word
    replaced = base + _STEP_2[suffix]
    return _step_2(replaced) if suffix == "alli" else replaced  # NLTK: what -alli leaves is looked at again


def _step_3(word: str) -> str:
    found = _ENDS_3.search(word)
    if found is None or not _measure(word[: found.start()]):
        return word
    return word[: found.start()] + _STEP_3[found[0]]


def _step_4(word: str) -> str:
    found = _ENDS_4.search(word)
    if found is None:
        return word
    base = word[: found.start()]
    return base if _measure(base) > 1 and (found[0] != "ion" or base[-1] in "st") else word


def _final_letters(word: str) -> str:  # 5a and 5b
    if word[-1] == "e":
        measure = _measure(word[:-1])
        if measure > 1 or measure == 1 and not _ends_short(word[:-1]):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
