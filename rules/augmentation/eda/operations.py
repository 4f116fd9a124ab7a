"""The four operations on one sentence (Wei and Zou, 2019, section 2).

Each takes a parsed sentence and random draws, and returns the pieces of the new sentence. With ``fitting`` positions,
words are drawn only from positions where, according to the parse, the operation leaves the sentence grammatical;
otherwise they are drawn from all free words.

A sentence in lower case is parsed a second time with its nouns and adjectives capitalised, and any names found then are
treated as names. The parser finds too many, but this only makes EDA leave some words unchanged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gistmill.rules.augmentation.config import (
    ALL,
    DELETION,
    FITTING,
    INPUTS,
    INSERTION,
    SWAP,
    SYNONYMS,
    TARGETS,
    AugmentConfig,
    Copy,
    ParsedPair,
)
from gistmill.rules.augmentation.eda import parse as positions
from gistmill.rules.augmentation.eda.parse import Parse
from gistmill.rules.augmentation.eda.synonyms import Synonyms, shipped
from gistmill.rules.documents import Sentence, Token, natural_text
from gistmill.rules.synthetic.draws import Draws, Stream, Widths

_INTERVAL = 1 << 24


class Piece(NamedTuple):
    """A word or punctuation mark of the new sentence.

    Attributes:
        text: its characters.
        space: whether white space follows.
        token: index of the original token; -1 for a new word.
    """

    text: str
    space: bool
    token: int = -1


class Limits(NamedTuple):
    """Limits on changes: the option ``alpha``, whether positions must be ``fitting``, and whether synonyms replace a
    word ``everywhere`` in the sentence."""

    alpha: float
    fitting: bool
    everywhere: bool = False

    def count(self, parse: Parse) -> int:
        """Returns the number of words to change in a sentence, called n in the paper."""
        return max(1, int(self.alpha * parse.words + 1e-9))


def pieces_of(parse: Parse) -> list[Piece]:
    """Returns the pieces of an unchanged sentence."""
    return [Piece(t.text, t.space, i) for i, t in enumerate(parse.tokens)]


def replace_synonyms(parse: Parse, limits: Limits, draws: Draws, synonyms: Synonyms) -> list[Piece]:
    """Replaces n random words with synonyms, or all occurrences of n words for which the same synonyms fit."""
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
    """Inserts a synonym of a random word at a random position, n times."""
    pieces = pieces_of(parse)
    choices = _fitting_insertions(parse, synonyms) if limits.fitting else _insertions(parse, synonyms)
    inserted: dict[int, str] = {}
    for _ in range(limits.count(parse) if choices else 0):
        forms, gaps = draws.one(choices)
        gap, word = draws.one(gaps), draws.one(forms)
        inserted.setdefault(gap, word)  # one word per position
    for gap in sorted(inserted, reverse=True):
        pieces.insert(gap, Piece(inserted[gap], True))
    return pieces


def _insertions(parse: Parse, synonyms: Synonyms) -> list[tuple[list[str], list[int]]]:
    """Returns, for each word, the synonyms to insert and the tokens they can precede: any not inside an entity."""
    gaps = [i for i in range(1, len(parse.tokens)) if parse.tokens[i - 1].space and not parse.within(i)]
    found = ([s.lemma for s in synonyms.lemmas(parse.tokens[i])] for i in parse.free)
    return [(forms, gaps) for forms in found if forms and gaps]


def _fitting_insertions(parse: Parse, synonyms: Synonyms) -> list[tuple[list[str], list[int]]]:
    """Returns the same for fitting positions. Nouns are a last resort, since a noun before a noun is often odd."""
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
    """Swaps two random words, n times."""
    pieces = pieces_of(parse)
    classes = positions.exchangeable(parse) if limits.fitting else [parse.free]
    texts = {i: parse.tokens[i].text.lower() for i in parse.free}
    classes = [members for members in classes if len({texts[i] for i in members}) > 1]
    class_of = [(i, members) for members in classes for i in members]
    for _ in range(limits.count(parse) if class_of else 0):
        a, members = draws.one(class_of)
        start = draws.below(len(members))
        b = next(i for i in (*members[start:], *members[:start]) if texts[i] != texts[a])  # never swap equal words
        one, other = pieces[a], pieces[b]
        pieces[a] = one._replace(text=other.text, token=other.token)
        pieces[b] = other._replace(text=one.text, token=one.token)
    return pieces


def delete(parse: Parse, limits: Limits, draws: Draws, synonyms: Synonyms) -> list[Piece]:
    """Deletes each word with probability alpha, but keeps at least one word of the sentence."""
    candidates = positions.deletable(parse) if limits.fitting else parse.free
    chosen = {i for i in candidates if draws.below(_INTERVAL) < limits.alpha * _INTERVAL}
    if chosen and len(chosen) == parse.words:
        chosen.discard(draws.one(sorted(chosen)))
    pieces: list[Piece] = []
    for piece in pieces_of(parse):
        if piece.token not in chosen:
            pieces.append(piece)
        elif pieces and not piece.space:  # the next word now follows the previous one
            pieces[-1] = pieces[-1]._replace(space=False)
    return pieces


Operation = Callable[[Parse, Limits, Draws, Synonyms], list[Piece]]
OPERATIONS: Mapping[str, Operation] = {SYNONYMS: replace_synonyms, INSERTION: insert, SWAP: swap, DELETION: delete}


# Spellings whose first sound differs from their first letter.
_SILENT_H = ("hour", "honest", "honor", "honour", "heir", "heiress", "hors")
_CONSONANT = re.compile(r"(uni([^nm]|$)(?!d|g|nt)|us[aeiu]|u[kt][aei]|ub[ai]|ur[aei]|eu|ew|once|one(?![a-rt-z])|ufo)")
_VOWEL = re.compile(r"[aeiou]")


def article(word: str) -> str:
    """Returns the indefinite article to use before a word.

    >>> [article(word) for word in ("car", "auto", "hour", "user", "unusual")]
    ['a', 'an', 'an', 'a', 'an']
    """
    lower = word.lower()
    if lower.startswith(_SILENT_H):
        return "an"
    return "an" if _VOWEL.match(lower) and not _CONSONANT.match(lower) else "a"


_ARTICLES = frozenset({"a", "an"})


def changed_words(parse: Parse, pieces: Sequence[Piece]) -> int:
    """Returns the number of words that were replaced, inserted, moved or deleted."""
    if len(pieces) != len(parse.tokens):
        return abs(len(pieces) - len(parse.tokens))
    return sum(piece.text != token.text for piece, token in zip(pieces, parse.tokens, strict=True))


def text_of(parse: Parse, pieces: Sequence[Piece]) -> str:
    """Returns the text of a changed sentence, with an initial capital if it had one, and articles adjusted."""
    texts = [piece.text for piece in pieces]
    _set_capitals(parse, pieces, texts)
    _set_articles(parse, pieces, texts)
    return natural_text([(text, piece.space) for text, piece in zip(texts, pieces, strict=True)])


def _set_capitals(parse: Parse, pieces: Sequence[Piece], texts: list[str]) -> None:
    """Capitalises the new first word, if the old one was capitalised and is no longer first."""
    old = next((i for i, t in enumerate(parse.tokens) if t.text[0].isalnum()), 0)
    new = next((k for k, text in enumerate(texts) if text[0].isalnum()), 0)
    if not texts or not parse.tokens[old].text[0].isupper() or texts[new] == parse.tokens[old].text:
        return
    if old in parse.free:  # free words are not names
        for k, piece in enumerate(pieces):
            if piece.token == old and k != new:
                texts[k] = texts[k].lower()
    texts[new] = texts[new][0].upper() + texts[new][1:]


def _set_articles(parse: Parse, pieces: Sequence[Piece], texts: list[str]) -> None:
    for k, piece in enumerate(pieces):
        if texts[k].lower() not in _ARTICLES or piece.token < 0 or parse.tokens[piece.token].tag != "DT":
            continue
        word, was = _next_word(texts[k + 1 :]), _next_word([t.text for t in parse.tokens[piece.token + 1 :]])
        if word != was and word[:1].isalpha():
            form = article(word)
            texts[k] = form.capitalize() if texts[k][0].isupper() else form


def _next_word(texts: Sequence[str]) -> str:
    """Returns the first text that is not a punctuation mark, such as a quote; "" if there is none."""
    return next((text for text in texts if text[0].isalnum()), "")


_WIDTHS = Widths(choices=512, words=0)


class Eda:
    """A maker of EDA copies of parsed pairs."""

    def __init__(self, config: AugmentConfig) -> None:
        self._config = config
        self._limits = Limits(config.alpha, config.positions == FITTING, config.occurrences == ALL)
        self._synonyms: Synonyms | None = None if config.wordnet else shipped()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles only the configuration: workers load the shipped table themselves, or get another with ``take``."""
        return type(self), (self._config,)

    def take(self, materials: Mapping[str, Any]) -> None:
        """Uses the synonym table from ``materials``, if there is one."""
        self._synonyms = materials.get("wordnet", self._synonyms)

    @property
    def models(self) -> Sequence[Mapping[str, Any]]:
        """The synonym table's entry in the manifest's list of models."""
        return [self._synonyms.record] if self._synonyms else []

    def copies(self, pair: ParsedPair) -> Iterator[Copy]:
        """Yields the copies of a pair. Random choices depend only on the seed, the pair's id and the copy's number."""
        stream = Stream(self._config.seed, "eda", pair.id, widths=_WIDTHS)
        names = self._config.operations
        order = [names[i] for i in stream.draws(0).sample(len(names), len(names))]
        original = {INPUTS: pair.inputs, TARGETS: pair.targets}
        parsed = {
            name: [_Line(text, sentences) for text, sentences in zip(original[name].split("\n"), lines, strict=True)]
            for name, lines in pair.lines.items()
        }
        for number in range(1, self._config.copies + 1):
            operation = order[(number - 1) % len(order)]
            draws = stream.draws(number)
            texts = dict(original)
            changed: Counter[str] = Counter()
            for name, lines in parsed.items():
                made = [self._change(line, operation, draws) for line in lines]
                texts[name] = "\n".join(text for text, _ in made)
                changed[f"changed_words/{name}/{operation}"] += sum(words for _, words in made)
            yield Copy(number=number, operation=operation, inputs=texts[INPUTS], targets=texts[TARGETS], counts=changed)

    def _change(self, line: _Line, operation: str, draws: Draws) -> tuple[str, int]:
        """Returns the line with each sentence changed, and the number of changed words."""
        assert self._synonyms is not None  # the shipped table, or the one passed to take
        parts, total = [line.head], 0
        for parse, text, gap in line.sentences:
            pieces = OPERATIONS[operation](parse, self._limits, draws, self._synonyms)
            words = changed_words(parse, pieces)
            parts += [text_of(parse, pieces) if words else text, gap]
            total += words
        return "".join(parts), total


class _Line:
    """A line of text.

    Attributes:
        head: the white space before the first sentence.
        sentences: the parse, the text and the trailing white space of each sentence.
    """

    def __init__(self, text: str, sentences: Sequence[Sentence]) -> None:
        ends, starts = [], []
        end = 0
        for sentence in sentences:
            for number, token in enumerate(sentence.tokens):
                start = text.index(token.text, end)
                end = start + len(token.text)
                if not number:
                    starts.append(start)
            ends.append(end)
        self.head = text[: starts[0]] if starts else text
        self.sentences = [
            (Parse(sentence), text[start:end], text[end:following])
            for sentence, start, end, following in zip(sentences, starts, ends, [*starts[1:], len(text)], strict=False)
        ]


_NOT_NAMES = ("DATE", "TIME", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY")


def capitalised(sentence: Sentence) -> str:
    """Returns a lower-case sentence with nouns and adjectives capitalised; "" if it has capitals or no such words."""
    tokens = sentence.tokens
    if any(not token.text.islower() for token in tokens if token.text.upper() != token.text.lower()):
        return ""
    raised = [
        token._replace(text=token.text[0].upper() + token.text[1:])
        if token.tag[0] in "NJ" and len(token.text[0].upper()) == 1
        else token
        for token in tokens
    ]
    return natural_text(raised) if raised != list(tokens) else ""


def with_names(sentence: Sentence, parsed: Iterable[Sentence]) -> Sentence:
    """Returns the sentence with the names in ``parsed``, the parses of its ``capitalised`` text, added as entities."""
    names = {
        place: token.entity
        for start, token in _placed([t for s in parsed for t in s.tokens])
        if token.entity and not token.entity.endswith(_NOT_NAMES)
        for place in range(start, start + len(token.text))
    }
    tokens = [
        token if token.entity or start not in names else token._replace(entity=names[start])
        for start, token in _placed(sentence.tokens)
    ]
    return Sentence(tuple(tokens), sentence.section, sentence.paragraph)


def _placed(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """Yields each token with its start position in the text without white space."""
    start = 0
    for token in tokens:
        yield start, token
        start += len(token.text)
