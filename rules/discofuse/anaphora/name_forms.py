"""Names that come back in another form: "Lufile" for "Meshack Lufile", "the Huskies", "German" for "Germany"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmill.rules.discofuse.parse import NAME_TAGS, NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.discofuse.region import Region

LINKS = frozenset(("of", "de", "van", "von"))
_PLACES = frozenset(("GPE", "NORP", "LOC"))
_PEOPLES = frozenset(("B-GPE", "I-GPE", "B-NORP", "I-NORP"))
_CALENDAR = frozenset(
    """
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """.split()
)
# The letters that forms of one name share at least, and those in which the shorter and the longer one end differently.
_STEM, _SHORT_END, _LONG_END = 4, 2, 3
# Peoples whose names do not begin like their countries'.
_IRREGULAR = {
    word: group
    for group, words in enumerate(
        (
            "american americans america u.s. us u.s.a. usa united_states",
            "british britons brits britain u.k. uk united_kingdom",
            "english englishmen england",
            "french frenchmen france",
            "dutch netherlands holland",
            "spanish spaniards spain",
            "portuguese portugal",
            "swiss switzerland",
            "danish danes denmark",
            "norwegian norwegians norway",
            "polish poles poland",
            "irish irishmen ireland",
            "scottish scots scotland",
            "welsh wales",
            "soviet soviets ussr u.s.s.r. soviet_union",
            "roman romans rome",
            "trojan trojans troy",
            "venetian venetians venice",
            "flemish flemings flanders",
            "finnish finns finland",
            "afghan afghans afghanistan",
            "kazakh kazakhs kazakhstan",
            "uzbek uzbeks uzbekistan",
            "thai thais thailand",
            "filipino filipinos philippine philippines",
            "peruvian peruvians peru",
            "congolese congo",
            "lao laotian laotians laos",
            "jewish jews jew",
        )
    )
    for word in words.split()
}
# Countries of two words that are one: the second word to the first.
_SECOND_WORDS = {"states": "united", "kingdom": "united", "union": "soviet"}


@dataclass(frozen=True, slots=True)
class _Name:
    """A run of proper nouns: its words, and what the entity recogniser and the parser take it for."""

    words: Sequence[str]
    is_person: bool
    is_place: bool
    modifies: bool

    @classmethod
    def at(cls, parse: Parse, start: int, end: int) -> _Name:
        tokens = parse.tokens[start:end]
        entity = tokens[-1].entity[2:]
        return cls([t.text for t in tokens], entity == "PERSON", entity in _PLACES, tokens[-1].dep == "compound")


def find(first: Parse, second: Parse, antecedents: Region, anaphors: Region) -> int | None:
    """Returns the position of a name in the second half that the first half has in another form; None if there is none.

    A part of a name counts, and a person's name that completes one. An equal name does not, unless the
    first half also says what it is: then that is its other form.
    """
    there = _names(first, antecedents)
    known = [_Name.at(first, *span) for span in there]
    for start, end in _names(second, anaphors):
        name = _Name.at(second, start, end)
        if any(_is_form(name, other) for other in known) or any(
            other.words == name.words and _is_described(first, last - 1) for (_, last), other in zip(there, known)
        ):
            return start
    return _people(first, second, antecedents, anaphors)


def _names(parse: Parse, region: Region) -> list[tuple[int, int]]:
    """Runs of proper nouns, with "of" and the like inside and a capital article before them."""
    out: list[tuple[int, int]] = []
    i = region.start
    while i < region.end:
        if parse.tokens[i].tag not in NAME_TAGS or parse.lower[i] in _CALENDAR:
            i += 1
            continue
        start = i - 1 if i - 1 > region.start and parse.tokens[i - 1].text == "The" else i
        while i < region.end and (
            parse.tokens[i].tag in NAME_TAGS
            or parse.lower[i] in LINKS
            and i + 1 < region.end
            and parse.tokens[i + 1].tag == "NNP"
        ):
            i += 1
        out.append((start, i))
    return out


def _is_described(parse: Parse, head: int) -> bool:
    """Whether an apposition or a predicate noun says what the name is, so that both stand for it."""
    apposition = parse.child(head, "appos")
    if apposition is not None and parse.lower[parse.left_edge(apposition) - 1] == ",":
        return True
    token = parse.tokens[head]
    if token.dep not in NOMINAL_SUBJECTS:
        return False
    predicate = parse.child(token.head, "attr", "oprd")
    return predicate is not None and predicate > head and parse.tokens[predicate].pos in NOUNS


def _is_form(name: _Name, other: _Name) -> bool:
    """Whether a name is another form of one that came before: a part of it, or a person's name that completes it."""
    if name.modifies:
        return False
    if name.is_person and _ends(other.words, name.words):
        return True
    place = name.is_place and not other.is_person
    return (
        _ends(name.words, other.words)
        and not (place and other.is_place)
        or (not place and _begins(name.words, other.words))
    )


def _ends(part: Sequence[str], words: Sequence[str]) -> bool:
    size = len(part)
    return len(words) > size and words[-size:] == part and words[-size - 1] != "of"


def _begins(part: Sequence[str], words: Sequence[str]) -> bool:
    size = len(part)
    return len(words) > size and words[:size] == part


def _people(first: Parse, second: Parse, antecedents: Region, anaphors: Region) -> int | None:
    """A people or country whose other form the first half has: "Sudanese ... Sudan"."""
    there, here = _peoples(first, antecedents), _peoples(second, anaphors)
    for word, position in here.items():
        if any(other not in here and _are_forms(word, other) for other in there):
            return position
    return None


def _peoples(parse: Parse, region: Region) -> dict[str, int]:
    """The words for peoples and countries, each with its first position; those of two words are joined."""
    found: dict[str, int] = {}
    for i in range(region.start, region.end):
        token, word = parse.tokens[i], parse.lower[i]
        if token.entity in _PEOPLES and token.text[0].isupper():
            first = _SECOND_WORDS.get(word)
            joined = i > region.start and parse.lower[i - 1] == first
            found.setdefault(f"{first}_{word}" if joined else word, i)
    return found


def _are_forms(a: str, b: str) -> bool:
    if a in _IRREGULAR and _IRREGULAR[a] == _IRREGULAR.get(b):
        return True
    shared = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    short, long = sorted((len(a) - shared, len(b) - shared))
    return shared >= _STEM and short <= _SHORT_END and long <= _LONG_END
