"""A candidate example: two sentences made from a text, the rules' operations, and the edits that undo them.

Every word keeps its position in the original text, so the halves show what a rule deleted, copied or wrote. To undo it,
a copied subject is deleted, a replaced mention becomes the anaphor again, and an extracted clause moves back.
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
    """The thirteen types of the released dataset, with readable names."""

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
    """An example with the verdict on it.

    Attributes:
        discourse_type: a member of DiscourseType.
        connective_string: the removed connective, in lower case with its comma; "" if none.
        first, second: words of the two sentences.
        has_coref_type_pronoun, has_coref_type_nominal: whether a pronoun, or a nominal or name, was replaced.
        verdict: whether the example may be published, and if not, why.
        halves: the two parts into which the rule cut the text.
        replacements: the anaphors in the second half that were replaced with their antecedents.
        keep_marks: whether the natural text keeps the typographic marks of the original.
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
        """The first sentence, with tokens joined by spaces."""
        return tokenised_text(self.first)

    @property
    def incoherent_second_sentence(self) -> str:
        """The second sentence, with tokens joined by spaces."""
        return tokenised_text(self.second)

    @property
    def inputs(self) -> str:
        """Both sentences as natural text."""
        parts = (as_natural(part, keep_marks=self.keep_marks) for part in (self.first, self.second))
        return " ".join(map(natural_text, parts))


def operations(candidate: Candidate, sentences: Sequence[Sequence[Token]]) -> tuple[Operation, ...]:
    """Returns the operations applied to a text, in order; the last one yields the candidate's two sentences.

    Args:
        candidate: as the splitter returned it.
        sentences: the tokens of its text, which is one sentence or two.

    Returns:
        DELETE (of the connective and other words that are in neither half), SPLIT, COPY, WRITE (of new and changed
        words), REPLACE of each anaphor, and FINISH (capitals and final marks), without operations that change nothing.
    """
    made: list[Operation] = []
    now = _texts(*sentences)
    for name, detail, after in _steps(candidate, sentences):
        if after != now:
            made.append(Operation(name, detail, now, after))
            now = after
    return tuple(made)


def _steps(candidate: Candidate, sentences: Sequence[Sequence[Token]]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yields each operation, even if it changes nothing, with its object and the resulting texts."""
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
    """Yields the operations that select words of the text: DELETE, SPLIT and COPY."""
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
    # a word in both halves was copied from the half in which it has its neighbours
    into_first = bool(shared) and 0 < halves.boundary <= shared[0]
    own_first = [i for i in first if not (into_first and i in shared)]
    own_second = [i for i in second if into_first or i not in shared]
    yield "SPLIT", f"into {len(own_first)} and {len(own_second)} tokens", texts_of(own_first, own_second)
    yield "COPY", _quoted([tokens[i] for i in shared]), texts_of(first, second)


def _written(halves: Halves, sentences: Sequence[Sequence[Token]]) -> str:
    """Describes the words of the halves that do not occur in the text, or occur in another form."""
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


# Types whose first half contains the subject of the second.
_FRONTED = frozenset((DiscourseType.SINGLE_CATAPHORA, DiscourseType.SINGLE_CONN_START))


def column(candidate: Candidate, first: Words, second: Words = ()) -> list[str]:
    """Returns a candidate's edits in their open form.

    ``realise`` turns them into the text's tokens, ``texts.fuse`` into its natural text. If the positions of the words
    do not give the edits, they are found by alignment. Written words have typographic marks if the natural text does.

    Args:
        candidate: the candidate.
        first, second: words of the text, one argument per sentence.
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
    if spelled != found:  # only texts with typographic marks are spelled differently
        found, written = spelled, trace(*halves, spelled)
    wanted = [False, *(space for _, space in printed[:-1])]
    if second:
        wanted[len(first)] = True
    by_rule = texts.gaps_by_rule(written, [space for _, space in words], len(candidate.first))
    return to_column(dataclasses.replace(found, spacing=texts.spacing(by_rule, wanted)))


def _printed(candidate: Candidate, *parts: Sequence[Word]) -> list[tuple[str, bool]]:
    return [pair for part in parts for pair in as_natural(part, keep_marks=candidate.keep_marks)]


def derived(candidate: Candidate, text: Sequence[Word], boundary: int) -> Edits | None:
    """Returns the edits that undo the rules; None if a single move cannot produce the order of the words in the text.

    Args:
        candidate: the candidate.
        text: the words of its text.
        boundary: where the second sentence of the text begins; 0 for a single sentence.
    """
    first, second = [w.text for w in candidate.first], [w.text for w in candidate.second]
    kept, n = _kept(candidate, text, boundary), len(first)
    # the first word of the first sentence that follows the second sentence in the text
    last = max((at for i, at in kept.items() if i >= n), default=-1)
    move = min((i for i, at in kept.items() if i < n and at > last), default=None) if last >= 0 else None
    ordered = [kept[i] for i in order(len(first), len(second), move) if i in kept]
    if any(a >= b for a, b in pairwise(ordered)):
        return None
    return build(first, second, [t.text for t in text], move, kept)


def _kept(candidate: Candidate, text: Sequence[Word], boundary: int) -> dict[int, int]:
    """Maps positions of words in first + second to their positions in the text, each of which is used once."""
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
    """Yields the words that occur in the text, unchanged or as a participle, with their positions there."""
    for i, word in enumerate(words):
        if word.position >= 0:
            at = word.position + offset
            if word.text.lower() == text[at].text.lower():
                yield i, at
        elif word.tag.startswith("VB") and i + 1 < len(words):  # the finite form of the participle before the next word
            at = words[i + 1].position + offset - 1
            if at >= offset and text[at].tag in PARTICIPLES:
                yield i, at
