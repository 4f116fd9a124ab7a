"""Kinds of what common nouns name (person, place, event, ...), by the lexicographer classes of WordNet 3.0
(lexnames(5WN)); research/build_noun_kinds.py makes the table.

A noun has every kind that is at least a tenth of its use in WordNet's tagged texts: "school" is a group and a place.
So two nouns that share no kind seldom name the same thing.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib.resources import files

LEAST_SHARE = 0.1


class Kind(StrEnum):
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


ABSTRACT = frozenset((Kind.EVENT, Kind.STATE, Kind.IDEA, Kind.MEASURE))


NO_KINDS: frozenset[Kind] = frozenset()


def kinds_of_noun(noun: str) -> frozenset[Kind]:
    """Returns the kinds of a noun's lemma in lower case; none for a noun that the table lacks."""
    letters = _table().get(noun)
    return NO_KINDS if letters is None else _kinds(letters)


def main_kind(noun: str) -> Kind | None:
    """Returns the kind of most of the noun's use; None for a noun that the table lacks."""
    letters = _table().get(noun)
    return None if letters is None else Kind(letters[0])


@cache
def _table() -> dict[str, str]:
    text = files(__package__).joinpath("data", "noun_kinds.txt").read_text(encoding="utf-8")
    return dict(line.split(" ") for line in text.splitlines())


@cache
def _kinds(letters: str) -> frozenset[Kind]:
    return frozenset(map(Kind, letters))
