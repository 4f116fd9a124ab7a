"""A sentence split again and again, until no rule of DiscoFuse makes an accepted split of a part.

The parts are split by the same rules, and with the same verdict, as the sentences of ``discofuse``. A connective that
ties the sentence to the one before is taken out, as ``discofuse`` does it with a pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gistmill.core import deadline
from gistmill.rules.discofuse import pair_connective
from gistmill.rules.discofuse.candidate import Candidate, DiscourseType
from gistmill.rules.discofuse.operations import sentence
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.discofuse.words import Word
from gistmill.rules.propositions.projection import projected
from gistmill.rules.propositions.under_openings import loses_opening

_RIGHT = 0.98  # of single splits
LEAST = 3  # tokens of a sentence: subject, verb and mark


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, or what a split has made of a part of one.

    Attributes:
        parse: its parse.
        origins: for each of its tokens the position in the sentence; -1 for a word that a rule has written.
        split: the accepted split of it; None for a part that no rule splits.
        connective: the connective that is taken out of it; "" for none.
        below: the two parts that the split makes, or the one without the connective.
    """

    parse: Parse
    origins: tuple[int, ...]
    split: Candidate | None = None
    connective: str = ""
    below: tuple[Part, ...] = ()

    def leaves(self, path: tuple[Part, ...] = ()) -> Iterator[tuple[Part, tuple[Part, ...]]]:
        """Yields the parts to which nothing more is done, in order, each with the parts above it, the highest first."""
        if not self.below:
            yield self, path
        for part in self.below:
            yield from part.leaves((*path, self))


def described(part: Part) -> str:
    """Returns what was done to a part: "SPLIT SINGLE_S_COORD , and", "DELETE however ,"."""
    if part.split is None:
        return f"DELETE {part.connective}"
    return f"SPLIT {part.split.discourse_type.name} {part.split.connective_string}".rstrip()


def quality(splits: int) -> float:
    """Returns the probability that so many splits are right: benchmarks/readings/splits.md has the share of one."""
    return _RIGHT**splits


def divided(parse: Parse, splitter: Splitter) -> Part:
    """Returns a sentence with all its splits.

    Args:
        parse: the sentence.
        splitter: judges the splits; it gets no coreference, so that pronouns stay as they stand.
    """
    return _divided(parse, tuple(range(len(parse))), splitter)


def _divided(parse: Parse, origins: tuple[int, ...], splitter: Splitter) -> Part:
    deadline.check()
    for candidate in splitter.candidates(parse):
        if not candidate.verdict.accepted or loses_opening(parse, candidate):
            continue
        if _gets_shorter(candidate, len(parse)) and not _lacks_object(candidate) and not _tears_list(parse, candidate):
            halves = [_part(words, parse, origins, splitter) for words in (candidate.first, candidate.second)]
            return Part(parse, origins, split=candidate, below=tuple(halves))
    match = next(pair_connective.find_all(parse), None)
    if match is not None and parse.lower[:2] != ["but", "for"]:  # "But for the war, it would stand" has no connective
        words = sentence(pair_connective.apply(parse, match))
        if len(words) >= LEAST:
            return Part(parse, origins, connective=match.text, below=(_part(words, parse, origins, splitter),))
    return Part(parse, origins)


def _lacks_object(candidate: Candidate) -> bool:
    """Whether a half ends in a preposition, whose object the other half has: "He grew fond of ."."""
    return any(len(half) > 1 and half[-2].tag == "IN" for half in (candidate.first, candidate.second))


def _tears_list(parse: Parse, candidate: Candidate) -> bool:
    """Whether a relative clause is parted from a list that goes on behind it: of "Ada, who lived in Kent, Leo and Bob",
    or has a list for its subject and the verb of one: "Kent and Surrey has a mill"."""
    if candidate.discourse_type is not DiscourseType.SINGLE_RELATIVE:
        return False
    second, labels = candidate.second, {w.position: w.dep for w in candidate.second}
    verb = next((i for i, w in enumerate(second) if w.dep == "ROOT"), 0)
    subject = second[:verb]
    if second[verb].tag == "VBZ" and any(w.text == "and" and labels.get(w.head) != "pobj" for w in subject):
        return True
    kind = next((w.entity[2:] for w in subject if w.dep in NOMINAL_SUBJECTS), "")
    return any(_is_unlike(parse, w, kind) for w in second if w.head in labels and _is_listed(w))


def _is_listed(word: Word) -> bool:
    return word.dep in ("conj", "appos") and word.pos == "PROPN"


def _is_unlike(parse: Parse, item: Word, kind: str) -> bool:
    """Whether an item of a list is not like the first one, but like a noun of a kind elsewhere, or a name behind
    "her ,"."""
    first = parse.tokens[item.head]
    if item.entity[2:] == kind != "" and first.entity[2:] not in ("", kind):
        return True
    return first.pos == "PRON" and parse.lower[parse.left_edge(item.position) - 1] == ","


def _part(words: Sequence[Word], parse: Parse, origins: Sequence[int], splitter: Splitter) -> Part:
    own = tuple(origins[w.position] if w.position >= 0 else -1 for w in words)
    return _divided(projected(words, parse), own, splitter)


def _gets_shorter(candidate: Candidate, size: int) -> bool:
    """Whether both halves are shorter than the part, so that splitting ends."""
    return max(len(candidate.first), len(candidate.second)) < size
