"""A table of synonyms, made of WordNet's files ``index.POS``, ``data.POS`` and ``cntlist.rev`` (wndb(5WN)).

A word has senses, and most of its synonyms fit one of them only. The sense of a word in a text is not known here. So
the table has a word only if one sense is most of its use, by the counts of WordNet's tagged texts, and a synonym only
if that sense is much of the synonym's use as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

PARTS: Final = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}  # of the names of files, and of the table
COUNTS: Final = "cntlist.rev"
_PART_OF_TYPE = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_FIRST_SHARE = 0.5  # the least share of a word's uses that its first sense has
_SYNONYM_SHARE = 0.4  # the same of a synonym, for the sense that it shares with the word
# A synonym that hardly anybody uses is odd in most places. These are its least uses in the tagged texts, and for each
# of them the most uses of the word.
_SYNONYM_USES, _TIMES_USED = 2, 20
_USAGE = ";u"  # a pointer to what sort of usage it is: slang, a slur, archaic
# What a verb can stand with, by the numbers of wninput(5WN): nothing, a prepositional phrase, an object, two objects,
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
_POSITIONS = {"p": "p", "a": "a", "ip": "p"}  # of adjectives that stand only after a verb, or only before a noun


class WordNetError(ValueError):
    """A file is not one of WordNet's; the text is one line that says why."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A word of a synset: ``marks`` are letters of _FRAMES for a verb, of _POSITIONS for an adjective."""

    word: str
    marks: str


@dataclass(frozen=True, slots=True)
class Senses:
    """The synsets of a word, the most frequent first, and how often the tagged texts have each."""

    synsets: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def uses(self) -> int:
        """How often the tagged texts have the word."""
        return sum(self.counts)

    def share(self, synset: str) -> float:
        """The share of its uses that have this sense; each sense counts once more, for the texts not seen."""
        return (self.counts[self.synsets.index(synset)] + 1) / (self.uses + len(self.counts))


def synonym_table(files: Mapping[str, str]) -> str:
    """Returns the table: lines ``PART LEMMA SYNONYM[:MARKS] ...``, sorted, each with a line end.

    PART is n, v, a or r. MARKS of a verb say what it can stand with: i nothing, p a prepositional phrase, t an object,
    d two, a an adjective, b an object and an adjective, c a clause, f an infinitive, o an object and an infinitive, g
    a gerund. MARKS of an adjective are p for only after a verb, and a for only before a noun.

    Args:
        files: the contents of the files ``index.POS``, ``data.POS`` and ``cntlist.rev`` by name.

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
        raise WordNetError(f"it is not in the form of WordNet's files: {type(error).__name__} {error}") from None
    return "".join(sorted(lines))


def tagged_counts(text: str) -> Iterator[tuple[tuple[str, str, int], int]]:
    """Yields (part, word, number of the sense) and its uses in the tagged texts, of the file ``cntlist.rev``."""
    for line in text.splitlines():
        key, number, count = line.split()
        word, _, sense = key.partition("%")
        yield (_PART_OF_TYPE[sense[0]], word, int(number)), int(count)


def records(text: str) -> Iterator[str]:
    """Yields the lines but those of the licence, which begin with spaces."""
    return (line for line in text.splitlines() if line and not line.startswith(" "))


def senses_of(text: str, part: str, counts: Mapping[tuple[str, str, int], int]) -> Iterator[tuple[str, Senses]]:
    """Yields each word of a file ``index.POS`` with its senses; ``part`` and ``counts`` as in ``tagged_counts``."""
    for line in records(text):
        fields = line.split()
        number = int(fields[2])
        found = tuple(counts.get((part, fields[0], i + 1), 0) for i in range(number))
        yield fields[0], Senses(tuple(fields[-number:]), found)


def _synsets(text: str, part: str) -> Iterator[tuple[str, tuple[_Member, ...]]]:
    for line in records(text):
        fields = line.partition(" | ")[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * i] for i in range(count)]
        rest = fields[4 + 2 * count :]
        pointers = [rest[1 + 4 * i : 5 + 4 * i] for i in range(int(rest[0]))]
        marked = {int(source[:2], 16) for symbol, _, _, source in pointers if symbol == _USAGE}
        frames = _frames(rest[1 + 4 * len(pointers) :], count) if part == "v" else [""] * count
        members = [_member(word, marks) for word, marks in zip(words, frames, strict=True)]
        usual = (m for number, m in enumerate(members, start=1) if not marked & {0, number})
        yield fields[0], tuple(m for m in usual if m.word.isascii() and m.word.isalpha() and m.word.islower())


def _frames(fields: list[str], words: int) -> list[str]:
    found: list[set[str]] = [set() for _ in range(words)]
    for start in range(1, len(fields), 3):  # "+ FRAME WORD", of all words if WORD is 00
        letter, word = _FRAME_OF.get(int(fields[start + 1])), int(fields[start + 2], 16)
        for letters in (found if not word else found[word - 1 : word]) if letter else ():
            letters.add(letter or "")
    return ["".join(sorted(letters)) for letters in found]


def _member(word: str, marks: str) -> _Member:
    plain, _, position = word.partition("(")
    return _Member(plain, _POSITIONS[position.rstrip(")")] if position else marks)


def _synonyms(
    senses: Mapping[str, Senses], synsets: Mapping[str, Iterable[_Member]]
) -> Iterator[tuple[str, list[str]]]:
    for word, own in senses.items():
        first = own.synsets[0]
        members = list(synsets[first])
        if own.share(first) < _FIRST_SHARE or word not in (m.word for m in members):
            continue
        found = [
            f"{m.word}:{m.marks}" if m.marks else m.word
            for m in members
            if m.word != word
            and senses[m.word].uses >= max(_SYNONYM_USES, own.uses / _TIMES_USED)
            and senses[m.word].share(first) >= _SYNONYM_SHARE
        ]
        if found:
            yield word, found
