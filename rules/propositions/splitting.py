"""Repeatedly splitting a sentence until no DiscoFuse rule makes an accepted split of any part.

Parts are split by the same rules, and with the same verdict, as sentences in ``discofuse``. A connective that links the
sentence to the previous one is removed, as ``discofuse`` does in a pair.

A word whose head is outside the part is attached to its nearest ancestor inside it.

``discofuse`` may leave an opening condition with the first clause, because the two clauses are fused again. Here such
splits are refused, because a statement would assert the other clause unconditionally.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gistmill.core import deadline
from gistmill.rules.discofuse import discourse_connective
from gistmill.rules.discofuse.candidate import Candidate, DiscourseType
from gistmill.rules.discofuse.operations import sentence
from gistmill.rules.discofuse.parse import FINITE, NOMINAL_SUBJECTS, NOUNS, Parse, Word
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import Sentence, Token
from gistmill.rules.languages.language import english_table


def projected(words: Sequence[Word], parent: Parse) -> Parse:
    """Returns the parse of a part.

    Args:
        words: the part's words, as made by a rule; their positions and heads are those of ``parent``.
        parent: the parse of the sentence or part that was split.

    Returns:
        The parse, whose tokens are the words in their printed form. It has one root.
    """
    place: dict[int, int] = {}
    for i, word in enumerate(words):
        if word.position >= 0:
            place.setdefault(word.position, i)
    above = [_above(i, word, words, place, parent) for i, word in enumerate(words)]
    root = _root(words, above)
    tokens = []
    for i, (word, head) in enumerate(zip(words, above, strict=True)):
        at = root if head is None or head == i else head
        label = "ROOT" if i == root else "dep" if word.dep == "ROOT" else word.dep
        tokens.append(
            Token(word.printed, word.space, word.tag, word.pos, label, i if i == root else at, word.lemma, word.entity)
        )
    return Parse(Sentence(tuple(_tied(tokens, root)), parent.sentence.section, parent.sentence.paragraph))


def _above(i: int, word: Word, words: Sequence[Word], place: dict[int, int], parent: Parse) -> int | None:
    """Returns the index of a word's head within the part; None if it has none there."""
    if word.position < 0:
        # A written article depends on the next noun, a possessive mark on the previous word.
        if word.dep == "det":
            return next((k for k in range(i + 1, len(words)) if words[k].pos in ("NOUN", "PROPN")), None)
        return i - 1 if word.dep == "case" and i else None
    head = word.head
    if head == word.position:
        return None
    while head not in place:
        higher = parent.tokens[head].head
        if higher == head:
            return None
        head = higher
    return place[head]


def _root(words: Sequence[Word], above: Sequence[int | None]) -> int:
    """Returns the root: the verb marked by the rule, or else the first finite verb among words without a head."""
    free = [i for i, head in enumerate(above) if head is None or head == i]
    verbs = [i for i in free if words[i].pos in ("VERB", "AUX")]
    said = [i for i in verbs if words[i].dep == "ROOT"]
    finite = [i for i in verbs if words[i].tag in FINITE]
    return next(iter((*said, *finite, *verbs, *free)), 0)


def _tied(tokens: list[Token], root: int) -> list[Token]:
    """Returns the tokens with cycles broken, so that every token leads to the root."""
    for i in range(len(tokens)):
        seen, at = {i}, i
        while at != root:
            at = tokens[at].head
            if at in seen:
                tokens[i] = tokens[i]._replace(head=root)
                break
            seen.add(at)
    verb = tokens[root]
    if verb.lemma == "be" and verb.pos in ("VERB", "AUX"):
        _relabel_copula(tokens, root)
    return tokens


def _relabel_copula(tokens: list[Token], root: int) -> None:
    """Gives an inserted "be" its subject and predicate: nouns on either side that depend on it with other labels."""
    if any(t.head == root and t.dep in ("nsubj", "nsubjpass", "expl", "csubj") for t in tokens):
        return
    for places, tags, dep in (
        (range(root), ("NOUN", "PROPN", "PRON"), "nsubj"),
        (range(root + 1, len(tokens)), ("NOUN", "PROPN"), "attr"),
    ):
        for i in places:
            if tokens[i].head == root and tokens[i].pos in tags:
                tokens[i] = tokens[i]._replace(dep=dep)
                break


_COORDINATED = frozenset(
    (DiscourseType.SINGLE_S_COORD, DiscourseType.SINGLE_S_COORD_ANAPHORA, DiscourseType.SINGLE_VP_COORD)
)
_WORDS = english_table("propositions")
_CONDITIONS = tuple(map(str.split, _WORDS["conditions"]))


def loses_opening(parse: Parse, candidate: Candidate) -> bool:
    """Whether a half would assert something that the sentence does not: it is a condition ("unless it rains"), it lacks
    the condition, view or hedge that opens the sentence, or the sentence ends with the source of both halves.

    Args:
        parse: the sentence.
        candidate: a split of it.
    """
    if candidate.connective_string.endswith("unless"):
        return True
    if candidate.discourse_type is DiscourseType.SINGLE_CATAPHORA:
        return _opens_with_condition(parse)  # "Assuming that it rains , we stay": nobody is asserted to assume it
    if candidate.discourse_type not in _COORDINATED:
        return False
    if any(  # a final ", according to the owner" may be the source of the whole sentence
        parse.lower[comma + 1 : comma + 2] == ["according"] and parse.right_edge(comma + 1) >= len(parse) - 2
        for comma in parse.commas
    ):
        return True
    if any(w.position == 0 for w in candidate.second):
        return False
    opening = parse.lower[0]
    if opening in _WORDS["hedges"]:
        return candidate.second[0].text.lower() not in _WORDS["hedges"]
    modals = (w.text.lower() for w in candidate.second if w.tag == "MD")
    if opening in ("with", "without", "but") and any(modal in ("would", "could", "might") for modal in modals):
        return True  # "Without the war , they would have"
    inverted = opening in ("had", "were", "should")  # "Had it rained , ..."
    return inverted or _opens_with_condition(parse) or _opens_with_view(parse)


def is_framed(parse: Parse) -> bool:
    """Whether a sentence opens with a condition, a view or a hedge, or names the source of its statement."""
    sourced = any(text == "according" and parse.tokens[k].dep == "prep" for k, text in enumerate(parse.lower))
    return sourced or parse.lower[0] in _WORDS["hedges"] or _opens_with_condition(parse) or _opens_with_view(parse)


def _opens_with_condition(parse: Parse) -> bool:
    return any(parse.lower[: len(words)] == words for words in _CONDITIONS)


def _opens_with_view(parse: Parse) -> bool:
    subject = parse.subject(parse.root())
    opening = range(1, parse.left_edge(subject) if subject is not None else 0)
    return parse.lower[0] == "in" and any(parse.tokens[k].lemma.lower() in _WORDS["views"] for k in opening)


def is_monotone(parse: Parse, k: int) -> bool:
    """Whether a sentence stays true when words below word ``k`` are left out: nothing above the word or next to it
    negates, asks, compares or sets a condition."""
    below = k
    for at in parse.ancestors(k):
        blocked = parse.lower[at] in _WORDS["negative"] or parse.lower[at] in _WORDS["universal"]
        if blocked or any(blocks(parse, at, c) for c in parse.children(at) if c != below):
            return False
        below = at
    return True


def blocks(parse: Parse, at: int, k: int) -> bool:
    """Whether a dependent ``k`` of word ``at``, such as a negation, makes shortening the rest of the phrase unsafe."""
    token, text = parse.tokens[k], parse.lower[k]
    if token.dep == "neg" or text in _WORDS["negative"] or text == "than":
        return True
    if text in _WORDS["uncertain"] and k < at:
        return parse.tokens[at].dep != "relcl" or token.tag not in ("WP", "WP$", "WRB")
    if text in ("when", "where") and k < at and token.head == at:
        return not parse.past(at)
    if parse.is_verb(at):
        if token.dep == "dobj" and text in _WORDS["universal"]:
            return True
        before = parse.lower[parse.left_edge(k) : k]
        return (token.pos in NOUNS or token.dep == "advmod") and not _WORDS["negative"].isdisjoint(before)
    return text in _WORDS["universal"] and token.dep in ("det", "predet", "amod")


_RIGHT = 0.98  # share of correct single splits
LEAST = 3  # minimum number of tokens in a sentence: subject, verb and mark


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, or a part of one made by splitting.

    Attributes:
        parse: its parse.
        origins: for each of its tokens, the position in the sentence; -1 for a word written by a rule.
        split: the accepted split of it; None if no rule splits it.
        connective: the connective to be removed from it; "" if none.
        below: the two parts made by the split, or the part without the connective.
    """

    parse: Parse
    origins: tuple[int, ...]
    split: Candidate | None = None
    connective: str = ""
    below: tuple[Part, ...] = ()

    def leaves(self, path: tuple[Part, ...] = ()) -> Iterator[tuple[Part, tuple[Part, ...]]]:
        """Yields the final parts, in order, each with the parts above it, highest first."""
        if not self.below:
            yield self, path
        for part in self.below:
            yield from part.leaves((*path, self))


def described(part: Part) -> str:
    """Returns the operation on a part: "SPLIT SINGLE_S_COORD , and", "DELETE however ,"."""
    if part.split is None:
        return f"DELETE {part.connective}"
    return f"SPLIT {part.split.discourse_type.name} {part.split.connective_string}".rstrip()


def quality(splits: int) -> float:
    """Returns the probability that all splits are right; benchmarks/readings/splits.md gives that of one split."""
    return _RIGHT**splits


def divided(parse: Parse, splitter: Splitter, origins: tuple[int, ...] | None = None) -> Part:
    """Returns a sentence, or a part of one, with all its splits.

    Args:
        parse: its parse.
        splitter: makes the splits and their verdicts, without coreference, so that pronouns stay unchanged.
        origins: for each token of a part, the position in the sentence.
    """
    deadline.check()
    origins = tuple(range(len(parse))) if origins is None else origins
    for candidate in splitter.candidates(parse):
        if not candidate.verdict.accepted or loses_opening(parse, candidate):
            continue
        halves = candidate.first, candidate.second
        gets_shorter = max(map(len, halves)) < len(parse)  # ensures that splitting terminates
        lacks_object = any(len(half) > 1 and half[-2].tag == "IN" for half in halves)  # "He grew fond of ."
        if gets_shorter and not lacks_object and not _tears_list(parse, candidate):
            below = [_part(words, parse, origins, splitter) for words in halves]
            return Part(parse, origins, split=candidate, below=tuple(below))
    match = next(discourse_connective.find_all(parse), None)
    if match is not None and parse.lower[:2] != ["but", "for"]:  # "But for the war, it would stand": no connective
        words = sentence(discourse_connective.apply(parse, match))
        if len(words) >= LEAST:
            return Part(parse, origins, connective=match.text, below=(_part(words, parse, origins, splitter),))
    return Part(parse, origins)


def _tears_list(parse: Parse, candidate: Candidate) -> bool:
    """Whether a relative clause is separated from the rest of a list ("Ada, who lived in Kent, Leo and Bob"), or has a
    list as its subject but a singular verb ("Kent and Surrey has a mill")."""
    if candidate.discourse_type is not DiscourseType.SINGLE_RELATIVE:
        return False
    second, labels = candidate.second, {w.position: w.dep for w in candidate.second}
    verb = next((i for i, w in enumerate(second) if w.dep == "ROOT"), 0)
    subject = second[:verb]
    if second[verb].tag == "VBZ" and any(w.text == "and" and labels.get(w.head) != "pobj" for w in subject):
        return True
    kind = next((w.entity[2:] for w in subject if w.dep in NOMINAL_SUBJECTS), "")
    listed = (w for w in second if w.head in labels and w.dep in ("conj", "appos") and w.pos == "PROPN")
    return any(_is_unlike(parse, w, kind) for w in listed)


def _is_unlike(parse: Parse, item: Word, kind: str) -> bool:
    """Whether a list item differs in kind from the first item but matches another noun, or is a name after "her ,"."""
    first = parse.tokens[item.head]
    if item.entity[2:] == kind != "" and first.entity[2:] not in ("", kind):
        return True
    return first.pos == "PRON" and parse.lower[parse.left_edge(item.position) - 1] == ","


def _part(words: Sequence[Word], parse: Parse, origins: Sequence[int], splitter: Splitter) -> Part:
    own = tuple(origins[w.position] if w.position >= 0 else -1 for w in words)
    return divided(projected(words, parse), splitter, own)
