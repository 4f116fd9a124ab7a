"""Names that come back in another form: "Lufile" for "Meshack Lufile", "the Huskies", "German" for "Germany"."""

from __future__ import annotations

from rules.discofuse.anaphora import Region
from rules.discofuse.parse import Parse

_NAME_TAGS = frozenset(("NNP", "NNPS"))
_LINKS = frozenset(("of", "de", "van", "von"))
_NO_PARTS = frozenset(("GPE", "NORP", "CARDINAL", "LOC", "DATE"))
_PEOPLES = frozenset(("GPE", "NORP"))
_CALENDAR = frozenset(
    """
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """.split()
)
_STEM = 4
# Peoples whose names do not begin like their countries'.
_IRREGULAR = {
    word: group
    for group, words in enumerate(
        (
            "american u.s. us u.s.a. usa america americans",
            "french france frenchmen",
            "british britain britons uk u.k.",
            "dutch netherlands holland",
            "spanish spain spaniards",
            "greek greece greeks",
            "welsh wales",
            "swiss switzerland",
            "danish denmark danes",
            "turkish turkey turks",
            "polish poland poles",
            "swedish sweden swedes",
            "irish ireland irishmen",
            "scottish scotland scots",
            "thai thailand thais",
        )
    )
    for word in words.split()
}


def find(first: Parse, second: Parse, antecedents: Region, anaphors: Region) -> int | None:
    """Returns the position of a name in the second half that the first half has in another form; None if there is none.

    A part of a name counts, and a person's name that completes one; an equal name does not.
    """
    there = _names(first, antecedents)
    if not there:
        return None
    known = [[first.tokens[k].text for k in range(*span)] for span in there]
    for start, end in _names(second, anaphors):
        words = [t.text for t in second.tokens[start:end]]
        last = second.tokens[end - 1]
        if last.entity[2:] in _NO_PARTS or last.dep == "compound":
            continue
        if words in known:
            if _is_described(first, there[known.index(words)][1] - 1):
                return start
            continue
        if any(_is_part(words, name) or last.entity[2:] == "PERSON" and _is_part(name, words) for name in known):
            return start
    return _people(first, second, antecedents, anaphors)


def _names(parse: Parse, region: Region) -> list[tuple[int, int]]:
    """Runs of proper nouns, with "of" and the like inside and a capital article before them."""
    out: list[tuple[int, int]] = []
    i = region.start
    while i < region.end:
        if parse.tokens[i].tag not in _NAME_TAGS or parse.lower[i] in _CALENDAR:
            i += 1
            continue
        start = i - 1 if i - 1 > region.start and parse.tokens[i - 1].text == "The" else i
        while i < region.end and (
            parse.tokens[i].tag in _NAME_TAGS
            or parse.lower[i] in _LINKS
            and i + 1 < region.end
            and parse.tokens[i + 1].tag == "NNP"
        ):
            i += 1
        out.append((start, i))
    return out


def _is_described(parse: Parse, head: int) -> bool:
    """Whether an apposition or a predicate noun says what the name is, so that both stand for it."""
    if parse.child(head, "appos") is not None:
        return True
    token = parse.tokens[head]
    if token.dep not in ("nsubj", "nsubjpass"):
        return False
    predicate = parse.child(token.head, "attr", "oprd")
    return predicate is not None and predicate > head and parse.tokens[predicate].pos in ("NOUN", "PROPN")


def _is_part(words: list[str], name: list[str]) -> bool:
    size = len(words)
    return len(name) > size and (name[-size:] == words or name[:size] == words)


def _people(first: Parse, second: Parse, antecedents: Region, anaphors: Region) -> int | None:
    """A people or country whose other form the first half has: "Sudanese ... Sudan"."""
    there = {first.lower[i] for i in range(antecedents.start, antecedents.end) if _is_people(first, i)}
    here = {second.lower[i]: i for i in reversed(range(anaphors.start, anaphors.end)) if _is_people(second, i)}
    for word, position in here.items():
        if any(other not in here and _are_forms(word, other) for other in there):
            return position
    return None


def _is_people(parse: Parse, i: int) -> bool:
    return parse.tokens[i].entity[2:] in _PEOPLES and parse.tokens[i].text[0].isupper()


def _are_forms(a: str, b: str) -> bool:
    if a in _IRREGULAR and _IRREGULAR[a] == _IRREGULAR.get(b):
        return True
    shared = 0
    for x, y in zip(a, b):
        if x != y:
            break
        shared += 1
    return shared >= _STEM and shared >= min(len(a), len(b)) - 2
