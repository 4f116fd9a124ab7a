"""The four operations on one sentence (Wei and Zou, 2019, section 2).

Each is a function of the sentence and of draws, and returns the pieces of the new sentence. With ``fitting`` places,
the parse says where an operation leaves the sentence grammatical, and words are drawn from there; else from all free
words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gistmill.rules.augmentation.config import DELETION, INSERTION, SWAP, SYNONYMS
from gistmill.rules.augmentation.eda import positions
from gistmill.rules.augmentation.eda.parse import Parse
from gistmill.rules.augmentation.eda.synonyms import Synonyms
from gistmill.rules.synthetic.draws import Draws

_INTERVAL = 1 << 24


class Piece(NamedTuple):
    """A word or mark of the new sentence.

    Attributes:
        text: its characters.
        space: whether white space follows.
        token: place of the token that it was; -1 for a new word.
    """

    text: str
    space: bool
    token: int = -1


class Limits(NamedTuple):
    """How much is changed: ``alpha`` as the option has it, whether places have to fit, and whether synonyms replace all
    occurrences of a word."""

    alpha: float
    fitting: bool
    everywhere: bool = False

    def count(self, parse: Parse) -> int:
        """Returns how many words of a sentence are changed: n of the paper."""
        return max(1, int(self.alpha * parse.words + 1e-9))


def pieces_of(parse: Parse) -> list[Piece]:
    """Returns the pieces of an unchanged sentence."""
    return [Piece(t.text, t.space, i) for i, t in enumerate(parse.tokens)]


def replace_synonyms(parse: Parse, limits: Limits, draws: Draws, synonyms: Synonyms) -> list[Piece]:
    """Puts synonyms in the place of n random words, or of all occurrences of n words that the same synonyms fit."""
    pieces = pieces_of(parse)
    found: dict[tuple[str | int, tuple[str, ...]], list[int]] = {}
    for index in parse.free:
        if forms := synonyms.replacements(parse, index):
            word = parse.tokens[index].text.lower() if limits.everywhere else index
            found.setdefault((word, tuple(forms)), []).append(index)
    words = list(found.items())
    for number in draws.sample(len(words), min(limits.count(parse), len(words))):
        (_, fitting), occurrences = words[number]
        chosen = draws.one(fitting)
        for index in occurrences:
            pieces[index] = pieces[index]._replace(text=chosen)
    return pieces


def insert(parse: Parse, limits: Limits, draws: Draws, synonyms: Synonyms) -> list[Piece]:
    """Puts a synonym of a random word at a random place, n times."""
    pieces = pieces_of(parse)
    choices = _fitting_insertions(parse, synonyms) if limits.fitting else _insertions(parse, synonyms)
    inserted: dict[int, str] = {}
    for _ in range(limits.count(parse) if choices else 0):
        forms, gaps = draws.one(choices)
        gap, word = draws.one(gaps), draws.one(forms)
        inserted.setdefault(gap, word)  # one word at a place
    for gap in sorted(inserted, reverse=True):
        pieces.insert(gap, Piece(inserted[gap], True))
    return pieces


def _insertions(parse: Parse, synonyms: Synonyms) -> list[tuple[list[str], list[int]]]:
    """Returns for each word the synonyms that can be inserted, and before which tokens: any but within an entity."""
    gaps = [i for i in range(1, len(parse.tokens)) if parse.tokens[i - 1].space and not parse.within(i)]
    found = ([s.lemma for s in synonyms.lemmas(parse.tokens[i])] for i in parse.free)
    return [(forms, gaps) for forms in found if forms and gaps]


def _fitting_insertions(parse: Parse, synonyms: Synonyms) -> list[tuple[list[str], list[int]]]:
    """The same where synonyms fit. A noun before a noun is the last resort: it is grammatical, and often odd."""
    found: dict[bool, list[tuple[list[str], list[int]]]] = {False: [], True: []}
    gaps_of = {kind: positions.insertions(parse, kind) for kind in "JNR"}
    for index in parse.free:
        kind = parse.tokens[index].tag[0]
        forms = synonyms.modifiers(parse, index)
        gaps = [gap for gap in gaps_of.get(kind, ()) if gap not in (index, index + 1)]
        if forms and gaps:
            found[kind == "N"].append((forms, gaps))
    return found[False] or found[True]


def swap(parse: Parse, limits: Limits, draws: Draws, synonyms: Synonyms) -> list[Piece]:
    """Lets two random words change places, n times."""
    pieces = pieces_of(parse)
    classes = positions.exchangeable(parse) if limits.fitting else [parse.free]
    texts = {i: parse.tokens[i].text.lower() for i in parse.free}
    classes = [members for members in classes if len({texts[i] for i in members}) > 1]
    class_of = [(i, members) for members in classes for i in members]
    for _ in range(limits.count(parse) if class_of else 0):
        a, members = draws.one(class_of)
        start = draws.below(len(members))
        b = next(i for i in (*members[start:], *members[:start]) if texts[i] != texts[a])  # no equal words
        one, other = pieces[a], pieces[b]
        pieces[a] = one._replace(text=other.text, token=other.token)
        pieces[b] = other._replace(text=one.text, token=one.token)
    return pieces


def delete(parse: Parse, limits: Limits, draws: Draws, synonyms: Synonyms) -> list[Piece]:
    """Deletes each word with the probability alpha; of a sentence at least one word stays."""
    candidates = positions.deletable(parse) if limits.fitting else parse.free
    chosen = {i for i in candidates if draws.below(_INTERVAL) < limits.alpha * _INTERVAL}
    if chosen and len(chosen) == parse.words:
        chosen.discard(draws.one(sorted(chosen)))
    pieces: list[Piece] = []
    for piece in pieces_of(parse):
        if piece.token not in chosen:
            pieces.append(piece)
        elif pieces and not piece.space:  # what follows the word now follows the one before it
            pieces[-1] = pieces[-1]._replace(space=False)
    return pieces


Operation = Callable[[Parse, Limits, Draws, Synonyms], list[Piece]]
OPERATIONS: Mapping[str, Operation] = {SYNONYMS: replace_synonyms, INSERTION: insert, SWAP: swap, DELETION: delete}
