"""Synonyms for a word in a sentence, with the same part of speech and inflection, and suited to its position.

Most synonyms of a word fit only one of its senses, and the sense used in a text is not known here. So the table
contains a word only if one sense accounts for most of its uses in WordNet's tagged texts, and a synonym only if that
sense also accounts for many of the synonym's uses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from gistmill.rules.augmentation.eda.parse import Parse
from gistmill.rules.documents import Token
from gistmill.rules.languages.language import english_words

# Nouns without a plural or "a" that are synonyms of countable nouns.
_MASS = english_words("augmentation", "mass")
_COUNTED = frozenset("a an another each every either neither one".split())
_PARTS = {"N": "n", "V": "v", "J": "a", "R": "r"}  # the table's parts of speech, by the first letter of a tag
_BASE = {"n": "NN", "v": "VB", "a": "JJ", "r": "RB"}
_DATA = "synonyms.txt"
_COMPLEMENTS = {"ccomp": "c", "acomp": "a", "attr": "a", "dative": "d", "oprd": "b"}


class Synonym(NamedTuple):
    """A synonym's lemma, and its ``marks`` as defined by ``synonym_table``."""

    lemma: str
    marks: str = ""


class SynonymsError(ValueError):
    """Raised if a synonym table cannot be read; the message is one line."""


class Synonyms:
    """A synonym table.

    Args:
        table: the text of the table, in the format of ``synonym_table``.

    Raises:
        SynonymsError: a line has a different format.
    """

    def __init__(self, table: str) -> None:
        self._found: dict[tuple[str, str], tuple[Synonym, ...]] = {}
        for number, line in enumerate(table.splitlines(), start=1):
            part, _, rest = line.partition(" ")
            lemma, *synonyms = rest.split(" ")
            if part not in _BASE or not synonyms:
                raise SynonymsError(f"line {number} does not have the form PART LEMMA SYNONYM ...: {line[:60]!r}")
            self._found[part, lemma] = tuple(Synonym(*s.partition(":")[::2]) for s in synonyms)
        self.digest = hashlib.sha256(table.encode("utf-8")).hexdigest()

    @property
    def record(self) -> Mapping[str, Any]:
        """The table's entry in the manifest."""
        return {"name": "wordnet-synonyms", "sha256": self.digest}

    def lemmas(self, token: Token) -> tuple[Synonym, ...]:
        """Returns a word's synonyms with the same part of speech, regardless of its position."""
        part = _PARTS.get(token.tag[0], "")
        return self._found.get((part, token.lemma.lower()), ()) or self._found.get((part, token.text.lower()), ())

    def replacements(self, parse: Parse, index: int) -> list[str]:
        """Returns the replacements for a word in a sentence, in lower case and in table order."""
        token = parse.tokens[index]
        found = self.lemmas(token)
        if not found:
            return []
        fits = {"N": _fits_noun, "V": _fits_verb, "J": _fits_adjective, "R": _fits_adverb}[token.tag[0]]
        forms = (inflected(s.lemma, token.tag) for s in found if fits(parse, index, s))
        return [form for form in forms if form and form != token.text.lower()]

    def modifiers(self, parse: Parse, index: int) -> list[str]:
        """Returns a word's synonyms that can be used before a noun or, for an adverb, before a verb."""
        token = parse.tokens[index]
        if token.tag[0] == "R":
            manner = parse.tokens[token.head].tag[0] == "V"  # "highly" in "highly paid" modifies no verb
            return [s.lemma for s in self.lemmas(token) if manner and s.lemma.endswith("ly")]
        return [s.lemma for s in self.lemmas(token) if s.marks != "p"] if token.tag[0] in "JN" else []


@lru_cache(maxsize=1)
def shipped() -> Synonyms:
    """Returns the table shipped with gistmill, made from WordNet 3.0."""
    return Synonyms(files(__package__).joinpath("data", _DATA).read_text(encoding="ascii"))


@lru_cache(maxsize=65536)
def inflected(lemma: str, tag: str) -> str:
    """Returns a lemma's form for a fine tag; "" if lemminflect's dictionary has none."""
    if tag in _BASE.values():
        return lemma
    if tag == "NNS" and lemma in _MASS:
        return ""
    from lemminflect import getInflection  # takes half a second to import, and most processes never need it

    forms: Sequence[str] = getInflection(lemma, tag, inflect_oov=False)
    return forms[0] if forms and " " not in forms[0] else ""


def _fits_noun(parse: Parse, index: int, synonym: Synonym) -> bool:
    """Whether a noun can be replaced. Bare singulars are often part of an idiom, and adjacent nouns of a name."""
    token, labels = parse.tokens[index], parse.labels(index)
    if token.dep in ("compound", "npadvmod", "nmod") or "compound" in labels or "nmod" in labels:
        return False
    determiner = parse.determiner(index)
    return token.tag == "NNS" or (bool(determiner) and not (determiner in _COUNTED and synonym.lemma in _MASS))


def _fits_verb(parse: Parse, index: int, synonym: Synonym) -> bool:
    """Whether a verb can take the complements of the verb it would replace."""
    needed = _needed(parse, index)
    return needed is not None and needed <= set(synonym.marks)


def _needed(parse: Parse, index: int) -> set[str] | None:
    """Returns the marks for a verb's complements; None for auxiliaries and for verbs with a particle."""
    token, labels = parse.tokens[index], parse.labels(index)
    if "prt" in labels or token.dep in ("aux", "auxpass"):
        return None
    needed = {_COMPLEMENTS[label] for label in labels if label in _COMPLEMENTS}
    objects = bool({"dobj", "nsubjpass", "auxpass"} & set(labels)) or (
        token.tag == "VBN" and token.dep in ("acl", "amod")
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
    """Whether an adjective has no complement (unlike "aware of"), and the synonym can be used in its position."""
    token = parse.tokens[index]
    if {"prep", "xcomp", "ccomp", "advcl", "pcomp"} & set(parse.labels(index)):
        return False
    if token.dep == "amod" and index < token.head:
        return synonym.marks != "p"
    return token.dep in ("acomp", "conj", "oprd") and synonym.marks != "a"


def _fits_adverb(parse: Parse, index: int, synonym: Synonym) -> bool:
    """Whether both adverbs end in "-ly", so that they have similar positions."""
    return parse.tokens[index].text.lower().endswith("ly") and synonym.lemma.endswith("ly")


PARTS: Final = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}  # parts of speech in file names, and in the table
COUNTS: Final = "cntlist.rev"
_PART_OF_TYPE = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_FIRST_SHARE = 0.5  # minimum share of a word's uses that have its first sense
_SYNONYM_SHARE = 0.4  # minimum share of a synonym's uses that have this sense
# Rare synonyms are odd in most contexts. These are a synonym's minimum number of uses in the tagged texts, and the
# maximum ratio of the word's uses to the synonym's.
_SYNONYM_USES, _TIMES_USED = 2, 20
_USAGE = ";u"  # a pointer to a kind of usage, such as slang, slurs or archaisms
# The frame numbers in wninput(5WN) for a verb's complements: nothing, a prepositional phrase, an object, two objects,
# an adjective, an object and an adjective, a clause, an infinitive, an object and an infinitive, a gerund.
_FRAMES = {
    "i": (1, 2, 3, 23),
    "p": (4, 12, 13, 22, 27),
    "t": (8, 9, 10, 11, 15, 16, 17, 18, 19, 20, 21, 30, 31),
    "d": (14,),
    "a": (6, 7),
    "b": (5,),
    "c": (26, 34),
    "f": (28,),
    "o": (24,),
    "g": (33,),
}
_FRAME_OF = {number: letter for letter, numbers in _FRAMES.items() for number in numbers}
_POSITIONS = {"p": "p", "a": "a", "ip": "p"}  # for adjectives that occur only after a verb, or only before a noun


class WordNetError(ValueError):
    """Raised if a file is not a valid WordNet file; the message is one line."""


@dataclass(frozen=True, slots=True)
class Senses:
    """A word's synsets, most frequent first, and the number of times each occurs in the tagged texts."""

    synsets: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def uses(self) -> int:
        """The number of times the word occurs in the tagged texts."""
        return sum(self.counts)

    def share(self, synset: str) -> float:
        """Returns the share of the word's uses with this sense, after adding 1 to each sense's count (smoothing)."""
        return (self.counts[self.synsets.index(synset)] + 1) / (self.uses + len(self.counts))


def synonym_table(files: Mapping[str, str]) -> str:
    """Returns the synonym table as sorted lines ``PART LEMMA SYNONYM[:MARKS] ...``, each ending in a line break.

    PART is n, v, a or r. For a verb, MARKS list its complements: i nothing, p a prepositional phrase, t an object,
    d two objects, a an adjective, b an object and an adjective, c a clause, f an infinitive, o an object and an
    infinitive, g a gerund. For an adjective, they are p (only after a verb) or a (only before a noun).

    Args:
        files: the contents of the files ``index.POS``, ``data.POS`` and ``cntlist.rev``, by name.

    Raises:
        WordNetError: a line of a file cannot be read.
    """
    try:
        counts = dict(tagged_counts(files[COUNTS]))
        lines = []
        for name, part in PARTS.items():
            synsets = dict(_synsets(files[f"data.{name}"], part))
            senses = dict(senses_of(files[f"index.{name}"], part, counts))
            lines += [f"{part} {word} {' '.join(found)}\n" for word, found in _synonyms(senses, synsets)]
    except (IndexError, KeyError, ValueError) as error:
        raise WordNetError(f"not a WordNet file: {type(error).__name__} {error}") from None
    return "".join(sorted(lines))


def tagged_counts(text: str) -> Iterator[tuple[tuple[str, str, int], int]]:
    """Yields (part, word, sense number) and the number of uses in the tagged texts, from the file ``cntlist.rev``."""
    for line in text.splitlines():
        key, number, count = line.split()
        word, _, sense = key.partition("%")
        yield (_PART_OF_TYPE[sense[0]], word, int(number)), int(count)


def records(text: str) -> Iterator[str]:
    """Yields the lines of a file, except those of the licence, which begin with spaces."""
    return (line for line in text.splitlines() if line and not line.startswith(" "))


def senses_of(text: str, part: str, counts: Mapping[tuple[str, str, int], int]) -> Iterator[tuple[str, Senses]]:
    """Yields each word in a file ``index.POS`` with its senses; ``counts`` are the output of ``tagged_counts``."""
    for line in records(text):
        fields = line.split()
        number = int(fields[2])
        found = tuple(counts.get((part, fields[0], i + 1), 0) for i in range(number))
        yield fields[0], Senses(tuple(fields[-number:]), found)


def _synsets(text: str, part: str) -> Iterator[tuple[str, tuple[Synonym, ...]]]:
    for line in records(text):
        fields = line.partition(" | ")[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * i] for i in range(count)]
        rest = fields[4 + 2 * count :]
        pointers = [rest[1 + 4 * i : 5 + 4 * i] for i in range(int(rest[0]))]
        marked = {int(source[:2], 16) for symbol, _, _, source in pointers if symbol == _USAGE}
        frames = _frames(rest[1 + 4 * len(pointers) :], count) if part == "v" else [""] * count
        members = []
        for number, (name, marks) in enumerate(zip(words, frames, strict=True), start=1):
            word, _, position = name.partition("(")
            member = Synonym(word, _POSITIONS[position.rstrip(")")] if position else marks)
            if not marked & {0, number} and word.isascii() and word.isalpha() and word.islower():
                members.append(member)
        yield fields[0], tuple(members)


def _frames(fields: list[str], words: int) -> list[str]:
    found: list[set[str]] = [set() for _ in range(words)]
    for start in range(1, len(fields), 3):  # "+ FRAME WORD", for all words if WORD is 00
        letter, word = _FRAME_OF.get(int(fields[start + 1]), ""), int(fields[start + 2], 16)
        for letters in found[word - 1 : word] if word else found:
            letters.add(letter)
    return ["".join(sorted(letters)) for letters in found]


def _synonyms(
    senses: Mapping[str, Senses], synsets: Mapping[str, Iterable[Synonym]]
) -> Iterator[tuple[str, list[str]]]:
    for word, own in senses.items():
        first = own.synsets[0]
        members = list(synsets[first])
        if own.share(first) < _FIRST_SHARE or word not in (m.lemma for m in members):
            continue
        found = [
            f"{m.lemma}:{m.marks}" if m.marks else m.lemma
            for m in members
            if m.lemma != word
            and senses[m.lemma].uses >= max(_SYNONYM_USES, own.uses / _TIMES_USED)
            and senses[m.lemma].share(first) >= _SYNONYM_SHARE
        ]
        if found:
            yield word, found
