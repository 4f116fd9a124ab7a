"""Words that indicate gender, number and animacy: lists of first names (data files) and closed classes of words.

A noun has every kind that accounts for at least a tenth of its uses in WordNet's tagged texts: "school" is a group and
a place. Two nouns without a common kind therefore seldom name the same thing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

MALE, FEMALE, NEUTER, PLURAL = "m", "f", "n", "p"
GENDERED = frozenset((MALE, FEMALE))


def read(name: str) -> str:
    """Returns the text of one of the package's data files."""
    return files(__package__).joinpath("data", name).read_text(encoding="utf-8")


_WORDS: dict[str, Any] = tomllib.loads(read("words.toml"))
MALE_NAMES = frozenset(read("male_names.txt").split())
FEMALE_NAMES = frozenset(read("female_names.txt").split())
FIRST_NAMES = MALE_NAMES | FEMALE_NAMES | frozenset(read("unisex_names.txt").split())

PRONOUNS = {
    word: gender
    for gender, words in {
        MALE: "he him his himself",
        FEMALE: "she her hers herself",
        NEUTER: "it its itself",
        PLURAL: "they them their theirs themselves",
    }.items()
    for word in words.split()
}
REFLEXIVES = frozenset({"himself", "herself", "itself", "themselves"})

MALE_NOUNS = frozenset(_WORDS["male_nouns"])
FEMALE_NOUNS = frozenset(_WORDS["female_nouns"])
# Personal roles that countries and organisations have too: "Albania is a member of NATO".
SHARED_ROLES = frozenset(_WORDS["shared_roles"])
# Personal roles missing from the data file because they have other senses too.
PERSON_NOUNS = frozenset((*read("person_nouns.txt").split(), *MALE_NOUNS, *FEMALE_NOUNS, *_WORDS["person_nouns"]))
GROUP_NOUNS = frozenset(_WORDS["group_nouns"])
# Titles before names. Their gender counts, but names are compared without them.
TITLES = frozenset(_WORDS["titles"])
# Lower-case words inside personal names.
PARTICLES = frozenset(_WORDS["particles"])
# First words of place names.
PLACE_NOUNS = frozenset("fort lake mount cape camp port".split())
# Last words of names that are never personal names.
INSTITUTION_NOUNS = frozenset(_WORDS["institution_nouns"])
# Verbs of saying and thinking: their subject is the likeliest antecedent of a subject in the reported clause.
SPEECH_LEMMAS = frozenset(_WORDS["speech_lemmas"])
# Verbs whose subject has no antecedent: "it rains", "it seems that".
WEATHER_LEMMAS = frozenset("rain snow hail drizzle thunder".split())
RAISING_LEMMAS = frozenset("seem appear happen turn emerge follow transpire matter".split())


def gender_of_noun(word: str) -> str:
    """Returns the gender determined by a lower-case noun, or ""."""
    return MALE if word in MALE_NOUNS else FEMALE if word in FEMALE_NOUNS else ""


def gender_of_first_name(name: str) -> str:
    """Returns the gender of a capitalised first name, or "" if no list contains it."""
    return MALE if name in MALE_NAMES else FEMALE if name in FEMALE_NAMES else ""


def _endings() -> dict[str, str]:
    """Returns two-letter endings shared by nearly all first names of one gender, computed from the lists."""
    counts: dict[str, list[int]] = {}
    for place, names in enumerate((MALE_NAMES, FEMALE_NAMES)):
        for name in names:
            counts.setdefault(name[-2:].lower(), [0, 0])[place] += 1
    return {e: MALE if m > f else FEMALE for e, (m, f) in counts.items() if max(m, f) >= 8 * min(m, f) and m + f >= 12}


_ENDINGS = _endings()


def leaning_of_first_name(name: str) -> str:
    """Returns the gender that the ending of an unknown first name suggests, or ""."""
    return _ENDINGS.get(name[-2:].lower(), "") if len(name) > 3 else ""


_SAME = [frozenset(group.split()) for group in _WORDS["same"]]
_FIRST_WORDS = frozenset("fort lake mount cape camp university republic kingdom bank church school museum".split())
COUNTRIES = frozenset(tuple(name.split()) for name in _WORDS["countries"])
STATES = frozenset(tuple(name.split()) for name in _WORDS["states"])


# Nouns that often refer to a named thing, by its kind. Nouns for things that every place or organisation has ("the
# government", "the court", "the street") are excluded: they seldom refer to a nearby name.
_CALLED: dict[str, frozenset[str]] = {
    noun: frozenset(kind for kind, nouns in _WORDS["called"].items() if noun in nouns)
    for nouns in _WORDS["called"].values()
    for noun in nouns
}


def calls(noun: str) -> frozenset[str]:
    """Returns the kinds of names that a noun often refers to: "group", "town", "country", "region", "site", "work",
    "event" and "thing"; none for most nouns."""
    return _CALLED.get(noun, frozenset())


def kinds_of_name(words: Sequence[str]) -> list[str]:
    """Returns the kinds of thing indicated by a name's own lower-case words: "university"."""
    words = tuple(words)
    if words in COUNTRIES:
        return ["country"]
    if words in STATES:
        return ["state"]
    if len(words) < 2:
        return []
    if "of" in words[1:]:
        return [words[words.index("of") - 1]]
    return [words[-1], *([words[0]] if words[0] in _FIRST_WORDS else [])]


def same_kind(noun: str) -> frozenset[str]:
    """Returns the nouns that may refer to the same thing as a noun, including itself."""
    return frozenset({noun}).union(*(group for group in _SAME if noun in group))


class ReferentKind(StrEnum):
    """A kind of referent; the value is its letter in the table."""

    PERSON = "p"
    ANIMAL = "a"
    GROUP = "g"  # organisations, peoples, sets
    PLACE = "l"  # regions, landforms, waters, buildings, roads
    WORK = "w"  # texts, music, films, works of art, messages
    THING = "t"  # artifacts, bodies, plants, food, substances
    EVENT = "e"  # acts, events, processes
    IDEA = "i"
    STATE = "s"  # attributes, feelings, relations, shapes
    MEASURE = "m"  # quantities, money and property, times


ABSTRACT = frozenset((ReferentKind.EVENT, ReferentKind.STATE, ReferentKind.IDEA, ReferentKind.MEASURE))


NO_KINDS: frozenset[ReferentKind] = frozenset()


def kinds_of_noun(noun: str) -> frozenset[ReferentKind]:
    """Returns the kinds of a noun, given its lower-case lemma; none if the table lacks it."""
    return _kinds(_table().get(noun, ""))


def main_kind(noun: str) -> ReferentKind | None:
    """Returns the kind of most of a noun's uses; None if the table lacks the noun."""
    letters = _table().get(noun)
    return None if letters is None else ReferentKind(letters[0])


@cache
def _table() -> dict[str, str]:
    return dict(line.split(" ") for line in read("noun_kinds.txt").splitlines())


@cache
def _kinds(letters: str) -> frozenset[ReferentKind]:
    return frozenset(map(ReferentKind, letters))
