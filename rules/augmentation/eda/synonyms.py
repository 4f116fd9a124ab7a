"""Synonyms of a word in its sentence: of its part of speech, for the place where it stands, and inflected like it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from gistmill.rules.augmentation.eda.parse import Parse
from gistmill.rules.documents import Token

# Nouns that have no plural and take no "a", among the synonyms of nouns that have and do.
_MASS = frozenset(
    "advice aid air ammo anger assistance attire baggage behavior behaviour bitterness bread business cash clothing "
    "conduct consternation courage damage dirt equipment evidence fabric fashion fear fun furniture gear guidance harm "
    "hatred health help homework housing information intelligence joy knowledge lack leisure luck luggage machinery "
    "manpower "
    "money music news pay permission pollution poverty progress proof property publicity rain research rice safety "
    "sand scenery shopping snow soil stuff terror traffic trash travel trouble usage utilization violence warfare "
    "wealth weather work".split()
)
_COUNTED = frozenset("a an another each every either neither one".split())
_PARTS = {"N": "n", "V": "v", "J": "a", "R": "r"}  # of the table, by the first letter of a tag
_BASE = {"n": "NN", "v": "VB", "a": "JJ", "r": "RB"}
_DATA = "synonyms.txt"
_COMPLEMENTS = {"ccomp": "c", "acomp": "a", "attr": "a", "dative": "d", "oprd": "b"}


@dataclass(frozen=True, slots=True)
class Synonym:
    """A synonym as a lemma; ``marks`` as ``synonym_table`` has them."""

    lemma: str
    marks: str = ""


class SynonymsError(ValueError):
    """A table of synonyms cannot be read; the text is one line that says why."""


class Synonyms:
    """A table of synonyms.

    Args:
        table: as ``synonym_table`` makes it.

    Raises:
        SynonymsError: a line has another form.
    """

    def __init__(self, table: str) -> None:
        self._found: dict[tuple[str, str], tuple[Synonym, ...]] = {}
        for number, line in enumerate(table.splitlines(), start=1):
            part, _, rest = line.partition(" ")
            lemma, *synonyms = rest.split(" ")
            if part not in _BASE or not synonyms:
                raise SynonymsError(f"line {number} is not PART LEMMA SYNONYM ...: {line[:60]!r}")
            self._found[part, lemma] = tuple(Synonym(*s.partition(":")[::2]) for s in synonyms)
        self.digest = hashlib.sha256(table.encode("utf-8")).hexdigest()

    @property
    def record(self) -> Mapping[str, Any]:
        """What the manifest says of the table."""
        return {"name": "wordnet-synonyms", "sha256": self.digest}

    def lemmas(self, token: Token) -> tuple[Synonym, ...]:
        """Returns the synonyms of a word of its part of speech, wherever it stands."""
        part = _PARTS.get(token.tag[0], "")
        return self._found.get((part, token.lemma.lower()), ()) or self._found.get((part, token.text.lower()), ())

    def replacements(self, parse: Parse, index: int) -> list[str]:
        """Returns what can stand in the place of a word of a sentence, in lower case and in the order of the table."""
        token = parse.tokens[index]
        found = self.lemmas(token)
        if not found:
            return []
        fits = {"N": _fits_noun, "V": _fits_verb, "J": _fits_adjective, "R": _fits_adverb}[token.tag[0]]
        forms = (inflected(s.lemma, token.tag) for s in found if fits(parse, index, s))
        return [form for form in forms if form and form != token.text.lower()]

    def modifiers(self, parse: Parse, index: int) -> list[str]:
        """Returns the synonyms of a word that can stand before a noun, or before a verb if it is an adverb of one."""
        token = parse.tokens[index]
        if token.tag[0] == "R":
            manner = parse.tokens[token.head].tag[0] == "V"  # "highly" of "highly paid" goes with no verb
            return [s.lemma for s in self.lemmas(token) if manner and s.lemma.endswith("ly")]
        return [s.lemma for s in self.lemmas(token) if s.marks != "p"] if token.tag[0] in "JN" else []


@lru_cache(maxsize=1)
def shipped() -> Synonyms:
    """Returns the table that comes with gistmill, of WordNet 3.0."""
    return Synonyms(files(__package__).joinpath("data", _DATA).read_text(encoding="ascii"))


@lru_cache(maxsize=65536)
def inflected(lemma: str, tag: str) -> str:
    """Returns the form of a lemma for a fine tag; "" where lemminflect's dictionary has none."""
    if tag in _BASE.values():
        return lemma
    if tag == "NNS" and lemma in _MASS:
        return ""
    from lemminflect import getInflection  # takes half a second to import, and most processes never need it

    forms: Sequence[str] = getInflection(lemma, tag, inflect_oov=False)
    return forms[0] if forms and " " not in forms[0] else ""


def _fits_noun(parse: Parse, index: int, synonym: Synonym) -> bool:
    """A bare singular noun is often part of an idiom, and a noun beside another one of a name for something."""
    token, labels = parse.tokens[index], parse.labels(index)
    if token.dep in ("compound", "npadvmod", "nmod") or "compound" in labels or "nmod" in labels:
        return False
    determiner = parse.determiner(index)
    return token.tag == "NNS" or bool(determiner) and not (determiner in _COUNTED and synonym.lemma in _MASS)


def _fits_verb(parse: Parse, index: int, synonym: Synonym) -> bool:
    """A verb has to take what stands with the one that it replaces."""
    needed = _needed(parse, index)
    return needed is not None and needed <= set(synonym.marks)


def _needed(parse: Parse, index: int) -> set[str] | None:
    """Returns the marks of what stands with a verb; None for a particle, which belongs to the verb's meaning."""
    token, labels = parse.tokens[index], parse.labels(index)
    if "prt" in labels or token.dep in ("aux", "auxpass"):
        return None
    needed = {_COMPLEMENTS[label] for label in labels if label in _COMPLEMENTS}
    objects = (
        bool({"dobj", "nsubjpass", "auxpass"} & set(labels)) or token.tag == "VBN" and token.dep in ("acl", "amod")
    )
    if "xcomp" in labels:
        needed |= _infinitive(parse, index, objects=objects)
    if objects and not needed & {"d", "b", "o"}:
        needed.add("t")
    if not needed:
        needed.add("p" if {"prep", "agent"} & set(labels) else "i")
    return needed


def _infinitive(parse: Parse, index: int, *, objects: bool) -> set[str]:
    for child in parse.children(index):
        if parse.tokens[child].dep == "xcomp":
            if parse.tokens[child].tag == "VBG":
                return {"g"}
            if parse.tokens[child].tag == "VB":
                return {"o" if objects else "f"}
    return {"a"}


def _fits_adjective(parse: Parse, index: int, synonym: Synonym) -> bool:
    """An adjective with a complement, such as "aware of", is left; some adjectives stand only before or after."""
    token = parse.tokens[index]
    if {"prep", "xcomp", "ccomp", "advcl", "pcomp"} & set(parse.labels(index)):
        return False
    if token.dep == "amod" and index < token.head:
        return synonym.marks != "p"
    return token.dep in ("acomp", "conj", "oprd") and synonym.marks != "a"


def _fits_adverb(parse: Parse, index: int, synonym: Synonym) -> bool:
    """Adverbs of manner and degree change places with their like; others have places of their own."""
    return parse.tokens[index].text.lower().endswith("ly") and synonym.lemma.endswith("ly")
