"""How the rules made an example: the operations of the paper's Table 13 in order, read off the words of a candidate.

Every word knows its position in its sentence. So what a rule deleted, copied or wrote follows from the halves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from gistmill.rules.derivation import Operation
from gistmill.rules.discofuse.anaphora import mentions
from gistmill.rules.discofuse.anaphora.mentions import Replacement
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.words import Word, Words
from gistmill.rules.documents import Token, tokenised_text


def operations(candidate: Candidate, sentences: Sequence[Sequence[Token]]) -> tuple[Operation, ...]:
    """Returns what was done to a text, in order; the last operation gives the two sentences of the candidate.

    Args:
        candidate: as the splitter returned it.
        sentences: the tokens of its text: of one sentence, or of two.

    Returns:
        DELETE (of the connective and what else is in neither half), SPLIT, COPY, WRITE (of new and changed words),
        REPLACE of each anaphor, and FINISH (a capital, a final mark); those that change nothing are left out.
    """
    chain = _Chain([tokenised_text(s) for s in sentences])
    halves = candidate.halves
    _cut(chain, halves, sentences)
    chain.add("WRITE", _written(halves, sentences), _texts(halves.first, halves.second))
    second = halves.second
    for replacement in candidate.replacements:
        detail = _replaced(replacement, sentences[-1])
        second = mentions.apply(second, (replacement,))
        chain.add("REPLACE", detail, _texts(halves.first, second))
    finished = _texts(candidate.first, candidate.second)
    chain.add("FINISH", "capitals and final marks", finished)
    return tuple(chain.made)


class _Chain:
    """Operations, each of which begins with what the one before it gave."""

    def __init__(self, text: Sequence[str]) -> None:
        self.made: list[Operation] = []
        self._now = tuple(text)

    def add(self, name: str, detail: str, after: tuple[str, ...]) -> None:
        """Adds an operation, if it changes something."""
        if after != self._now:
            self.made.append(Operation(name, detail, self._now, after))
            self._now = after


def _cut(chain: _Chain, halves: Halves, sentences: Sequence[Sequence[Token]]) -> None:
    """The operations that take words of the text: DELETE, SPLIT and COPY."""
    if len(sentences) > 1:
        words = sentences[1]
        kept = set(_positions(halves.second))
        gone = [i for i in range(len(words)) if i not in kept]
        text = (tokenised_text(sentences[0]), *_of(words, sorted(kept)))
        chain.add("DELETE", _quoted([words[i] for i in gone]), text)
        return
    (tokens,) = sentences
    first, second = _positions(halves.first), _positions(halves.second)
    owners = sorted({*first, *second})
    runs = groupby(range(len(tokens)), key=owners.__contains__)
    deleted = [_quoted([tokens[i] for i in run]) for kept, run in runs if not kept]
    chain.add("DELETE", ", ".join(deleted), _of(tokens, owners))
    shared = sorted(set(first) & set(second))
    # a word of both halves was copied from where it stands: in the half whose words are around it
    into_first = bool(shared) and 0 < halves.boundary <= shared[0]
    own_first, own_second = (_without(first, shared), second) if into_first else (first, _without(second, shared))
    chain.add("SPLIT", f"into {len(own_first)} and {len(own_second)} tokens", _of(tokens, own_first, own_second))
    chain.add("COPY", _quoted([tokens[i] for i in shared]), _of(tokens, first, second))


def _without(positions: Iterable[int], others: Sequence[int]) -> list[int]:
    return [i for i in positions if i not in others]


def _of(tokens: Sequence[Token], *halves: Sequence[int]) -> tuple[str, ...]:
    return tuple(tokenised_text([tokens[i] for i in half]) for half in halves)


def _positions(words: Iterable[Word]) -> list[int]:
    return [w.position for w in words if w.position >= 0]


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


def _replaced(replacement: Replacement, tokens: Sequence[Token]) -> str:
    old = _quoted(tokens[replacement.start : replacement.end])
    return f"{old} by {_quoted(replacement.words)} ({replacement.kind}, confidence {replacement.confidence:.2f})"


def _quoted(words: Sequence[Token] | Words) -> str:
    return repr(tokenised_text(words))


def _texts(*halves: Words | Sequence[Word]) -> tuple[str, ...]:
    return tuple(tokenised_text(half) for half in halves)
