"""A candidate example: two sentences made from a text, how the rules made them, and the edits that undo it.

Every word knows its position in the original text. So the halves show what a rule deleted, copied or wrote; and
a copied subject is deleted, a replaced mention becomes the anaphor again, a clause that was taken out moves back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby, pairwise

from gistmill.core.records import ACCEPTED, Verdict
from gistmill.rules.discofuse.anaphora import mentions
from gistmill.rules.discofuse.anaphora.mentions import Replacement
from gistmill.rules.discofuse.checks import Halves
from gistmill.rules.discofuse.parse import PARTICIPLES, Word, Words, as_natural
from gistmill.rules.documents import Token, natural_text, tokenised_text
from gistmill.rules.fusion import texts
from gistmill.rules.fusion.alignment import align, build
from gistmill.rules.fusion.edits import Edits, order, to_column, trace
from gistmill.rules.fusion.texts import respelled
from gistmill.rules.lineage import Operation


class DiscourseType(Enum):
    """The thirteen types of the released dataset, each with its name in words."""

    PAIR_ANAPHORA = "anaphora"
    PAIR_CONN = "discourse connective"
    PAIR_CONN_ANAPHORA = "discourse connective and anaphora"
    PAIR_NONE = "two sentences as they are"
    SINGLE_APPOSITION = "apposition"
    SINGLE_CATAPHORA = "cataphora"
    SINGLE_CONN_INNER = "inner connective"
    SINGLE_CONN_INNER_ANAPHORA = "inner connective and anaphora"
    SINGLE_CONN_START = "forward connective"
    SINGLE_RELATIVE = "relative clause"
    SINGLE_S_COORD = "sentence coordination"
    SINGLE_S_COORD_ANAPHORA = "sentence coordination and anaphora"
    SINGLE_VP_COORD = "verb phrase coordination"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An example under judgement.

    Attributes:
        discourse_type: a member of DiscourseType.
        connective_string: the removed connective, lower case with its comma; "" if none.
        first, second: words of the two sentences.
        has_coref_type_pronoun, has_coref_type_nominal: whether a pronoun, or a nominal or name, was replaced.
        verdict: whether the example may be published, with the reason if it is rejected.
        halves: the two parts into which the rule cut the text.
        replacements: the anaphors of the second half that were replaced by their antecedents.
        keep_marks: whether its natural text has the typographic marks of the original.
    """

    discourse_type: DiscourseType
    connective_string: str
    first: Words
    second: Words
    has_coref_type_pronoun: bool = False
    has_coref_type_nominal: bool = False
    verdict: Verdict = ACCEPTED
    halves: Halves = Halves((), ())
    replacements: tuple[Replacement, ...] = ()
    keep_marks: bool = False

    @property
    def incoherent_first_sentence(self) -> str:
        """The first sentence, tokens joined by spaces."""
        return tokenised_text(self.first)

    @property
    def incoherent_second_sentence(self) -> str:
        """The second sentence, tokens joined by spaces."""
        return tokenised_text(self.second)

    @property
    def inputs(self) -> str:
        """Both sentences as natural text."""
        parts = (as_natural(part, keep_marks=self.keep_marks) for part in (self.first, self.second))
        return " ".join(map(natural_text, parts))


def operations(candidate: Candidate, sentences: Sequence[Sequence[Token]]) -> tuple[Operation, ...]:
    """Returns the operations on a text, in order; the last one gives the two sentences of the candidate.

    Args:
        candidate: as the splitter returned it.
        sentences: the tokens of its text: of one sentence, or of two.

    Returns:
        DELETE (of the connective and other words that are in neither half), SPLIT, COPY, WRITE (of new and changed
        words), REPLACE of each anaphor, and FINISH (a capital, a final mark); those that change nothing are left out.
    """
    made: list[Operation] = []
    now = _texts(*sentences)
    for name, detail, after in _steps(candidate, sentences):
        if after != now:
            made.append(Operation(name, detail, now, after))
            now = after
    return tuple(made)


def _steps(candidate: Candidate, sentences: Sequence[Sequence[Token]]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each operation, also one that changes nothing, with its object and the resulting texts."""
    halves, second = candidate.halves, candidate.halves.second
    yield from _cut(halves, sentences)
    yield "WRITE", _written(halves, sentences), _texts(halves.first, second)
    for replacement in candidate.replacements:
        old = _quoted(sentences[-1][replacement.start : replacement.end])
        detail = f"{old} by {_quoted(replacement.words)} ({replacement.kind}, confidence {replacement.confidence:.2f})"
        second = mentions.apply(second, (replacement,))
        yield "REPLACE", detail, _texts(halves.first, second)
    yield "FINISH", "capitals and final marks", _texts(candidate.first, candidate.second)


def _cut(halves: Halves, sentences: Sequence[Sequence[Token]]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The operations that take words of the text: DELETE, SPLIT and COPY."""
    *before, tokens = sentences

    def texts_of(*parts: Sequence[int]) -> tuple[str, ...]:
        return _texts(*before, *([tokens[i] for i in part] for part in parts))

    first, second = ([w.position for w in half if w.position >= 0] for half in (halves.first, halves.second))
    if before:
        gone = [token for i, token in enumerate(tokens) if i not in second]
        yield "DELETE", _quoted(gone), texts_of(sorted(set(second)))
        return
    owners = sorted({*first, *second})
    runs = groupby(range(len(tokens)), key=owners.__contains__)
    deleted = [_quoted([tokens[i] for i in run]) for kept, run in runs if not kept]
    yield "DELETE", ", ".join(deleted), texts_of(owners)
    shared = sorted(set(first) & set(second))
    # a word of both halves was copied from the half whose words are around it
    into_first = bool(shared) and 0 < halves.boundary <= shared[0]
    own_first = [i for i in first if not (into_first and i in shared)]
    own_second = [i for i in second if into_first or i not in shared]
    yield "SPLIT", f"into {len(own_first)} and {len(own_second)} tokens", texts_of(own_first, own_second)
    yield "COPY", _quoted([tokens[i] for i in shared]), texts_of(first, second)


def _written(halves: Halves, sentences: Sequence[Sequence[Token]]) -> str:
    """The words of the halves that the text does not have, or has in another form."""
    found = []
    for words, tokens in ((halves.first, sentences[0]), (halves.second, sentences[-1])):
        for word in words:
            if word.position < 0:
                found.append(repr(word.text))
            elif word.text != tokens[word.position].text:
                found.append(f"{word.text!r} for {tokens[word.position].text!r}")
    return ", ".join(found) or "the words in another order"


def _quoted(words: Sequence[Token] | Words) -> str:
    return repr(tokenised_text(words))


def _texts(*halves: Sequence[Token] | Sequence[Word]) -> tuple[str, ...]:
    return tuple(map(tokenised_text, halves))


# Their first half has the subject of the second.
_FRONTED = frozenset((DiscourseType.SINGLE_CATAPHORA, DiscourseType.SINGLE_CONN_START))


def column(candidate: Candidate, first: Words, second: Words = ()) -> list[str]:
    """Returns the edits of a candidate in their open form.

    ``realise`` makes the tokens of the text of them, and ``texts.fuse`` its natural text. Where the words do not say
    how, the edits are found by alignment. Words that they write have typographic marks if the natural text has.

    Args:
        candidate: the candidate.
        first, second: words of its text, by sentences.
    """
    if candidate.first is first and candidate.second is second:
        return []
    text = (*first, *second)
    words = _printed(candidate, candidate.first, candidate.second)
    printed = _printed(candidate, first, second)
    if words == printed:
        return []
    halves = [w.text for w in candidate.first], [w.text for w in candidate.second]
    target = [t.text for t in text]
    found = derived(candidate, text, len(first) if second else 0)
    written = None if found is None else trace(*halves, found)
    if written is None or [word for word, _ in written] != target:
        found = align(*halves, target)
        assert found is not None, "without a limit on phrases any words can be aligned"
        written = trace(*halves, found)
    assert found is not None
    spelled = respelled(*halves, found, [word for word, _ in printed])
    if spelled != found:  # only a text with typographic marks is spelled otherwise
        found, written = spelled, trace(*halves, spelled)
    wanted = [False, *(space for _, space in printed[:-1])]
    if second:
        wanted[len(first)] = True
    by_rule = texts.gaps_by_rule(written, [space for _, space in words], len(candidate.first))
    return to_column(dataclasses.replace(found, spacing=texts.spacing(by_rule, wanted)))


def _printed(candidate: Candidate, *parts: Sequence[Word]) -> list[tuple[str, bool]]:
    return [pair for part in parts for pair in as_natural(part, keep_marks=candidate.keep_marks)]


def derived(candidate: Candidate, text: Sequence[Word], boundary: int) -> Edits | None:
    """Returns the edits that undo what the rules did; None if the words of the text are not in the order that one move
    makes.

    Args:
        candidate: the candidate.
        text: the words of its text.
        boundary: where the second sentence of the text begins; 0 if it has one.
    """
    first, second = [w.text for w in candidate.first], [w.text for w in candidate.second]
    kept, n = _kept(candidate, text, boundary), len(first)
    # the first word of the first sentence that the text has after the second sentence
    last = max((at for i, at in kept.items() if i >= n), default=-1)
    move = min((i for i, at in kept.items() if i < n and at > last), default=None) if last >= 0 else None
    ordered = [kept[i] for i in order(len(first), len(second), move) if i in kept]
    if any(a >= b for a, b in pairwise(ordered)):
        return None
    return build(first, second, [t.text for t in text], move, kept)


def _kept(candidate: Candidate, text: Sequence[Word], boundary: int) -> dict[int, int]:
    """The words of the candidate that the text has, by their position in first + second: each word of the text once."""
    n = len(candidate.first)
    halves = [(0, 0, candidate.first), (n, boundary, candidate.second)]
    if candidate.discourse_type in _FRONTED:
        halves.reverse()
    taken: dict[int, int] = {}
    for start, offset, words in halves:
        for i, at in _own(words, text, offset):
            taken.setdefault(at, start + i)
    return {i: at for at, i in taken.items()}


def _own(words: Sequence[Word], text: Sequence[Word], offset: int) -> Iterator[tuple[int, int]]:
    """The words that are in the text, as they are there or as a participle, and where."""
    for i, word in enumerate(words):
        if word.position >= 0:
            at = word.position + offset
            if word.text.lower() == text[at].text.lower():
                yield i, at
        elif word.tag.startswith("VB") and i + 1 < len(words):  # the finite form of the word before the next one
            at = words[i + 1].position + offset - 1
            if at >= offset and text[at].tag in PARTICIPLES:
                yield i, at
