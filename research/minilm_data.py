"""Examples for the fit of the second tier: windows of the corpora as words, codes, slots and labelled questions.

Two kinds are made. A repeated name of a person becomes a pronoun, whose answer is known without labels. And texts are
changed: they lose their title, their persons change first names or gender, or all become of one gender. The last makes
hard examples out of easy ones: "Ann told Bob that she" becomes "Carl told Bob that he", with the same answer, and only
the meaning of the text is left to tell it (as KnowRef does, Emami et al. 2019).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from benchmarks.coref_gap import Parsed
from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import NAME, OBJECTS, SUBJECTS, Markable
from gistmill.rules.coreference.names import title_words
from gistmill.rules.coreference.sieve import ask
from gistmill.rules.documents import Sentence, Token
from gistmill.transforms.coreference.minilm.windows import (
    BLOCKS,
    PLAIN,
    START,
    mention_codes,
    rows_of,
    slots_of,
    spans_in,
    windows,
)
from gistmill.transforms.encoders import WordPieces

# Indicators of "none" below this one belong to "he" and "she".
_OF_PERSONS = START["pronoun"] + BLOCKS["pronoun"] // 3
# The indicators of a disagreement in gender with them, and those of agreement that would take their place.
AGREEING = {
    START["agreement"] + found * 2 + person: START["agreement"] + agreed * 2 + person
    for found, agreed in ((3, 1), (4, 0))
    for person in (0, 1)
}
SWAPPED_GENDER, RENAMED, UNTITLED = 0.5, 0.5, 0.3  # shares of the texts that are not made of one gender

_PAIRS = (
    "mr mrs;father mother;son daughter;brother sister;husband wife;uncle aunt;nephew niece;man woman;boy girl;"
    "king queen;prince princess;actor actress;boyfriend girlfriend;widower widow;dad mom;grandfather grandmother;"
    "grandson granddaughter;men women;boys girls;sons daughters;brothers sisters;sir lady;male female;"
    "gentleman lady;fathers mothers;duke duchess;hero heroine;host hostess;waiter waitress;monk nun;lord lady;"
    "himself herself;he she;husbands wives;boyfriends girlfriends;priest priestess;emperor empress;baron baroness;"
    "count countess;businessman businesswoman;chairman chairwoman;spokesman spokeswoman;stepfather stepmother;"
    "godfather godmother;bachelor spinster;uncles aunts;kings queens;princes princesses;half-brother half-sister"
)
_FEMALE_OF = dict(pair.split() for pair in reversed(_PAIRS.split(";")))
_MALE_OF = {female: male for male, female in reversed(_FEMALE_OF.items())}

_WORDS = {lexicon.MALE: ("he", "him", "his"), lexicon.FEMALE: ("she", "her", "her")}
_WITH_MORE = frozenset({"appos", "conj", "relcl", "cc", "acl"})
_REACH = 2  # sentences back to another mention of the name
SHARE = 0.5  # of the sentences that have such a name


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in a window.

    Attributes:
        number: its number in the document.
        pronoun: the pronoun's word in the window.
        spans: (head, start, end) of each candidate in the window; None for one outside it.
        clusters: the cluster of each candidate.
        rows: the indicators of "none" and of each candidate.
        target: how much of the probability belongs to each row; None for a question without a label.
        weight: weight in the loss.
    """

    number: int
    pronoun: int
    spans: tuple[tuple[int, int, int] | None, ...]
    clusters: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    target: tuple[float, ...] | None
    weight: float


@dataclass(frozen=True, slots=True)
class Example:
    """A window: title and words as strings with their tags, a code and a slot for every word."""

    document: int
    title: tuple[str, ...]
    words: tuple[str, ...]
    tags: tuple[str, ...]
    codes: tuple[int, ...]
    slots: tuple[int, ...]
    asked: tuple[Asked, ...]


def examples_of(
    document: int, parsed: Parsed, labels: Mapping[int, tuple[Sequence[float], float]], pieces: WordPieces
) -> Iterator[Example]:
    """Yields the windows of a document; ``labels`` hold target and weight by the pronoun's order of mention."""
    title = parsed.source.title
    mentions, _, questions = ask(parsed.sentences, title=title)
    questions = [q for q in questions if q.candidates]
    tokens = [t for s in parsed.sentences for t in s.tokens]
    starts = [0]
    for s in parsed.sentences:
        starts.append(starts[-1] + len(s.tokens))
    codes = mention_codes(mentions)
    cut = windows(
        [len(pieces.pieces(t.text)) for t in tokens],
        starts[:-1],
        [q.pronoun.place for q in questions],
        range(len(questions)),
    )
    for window in cut:
        slots = slots_of(questions, window)
        places = range(window.start, window.end)
        asked = []
        for number in window.questions:
            q = questions[number]
            target, weight = labels.get(q.pronoun.order, (None, 0.0))
            asked.append(
                Asked(
                    number,
                    q.pronoun.place - window.start,
                    spans_in(q, window.start, window.end),
                    tuple(x.cluster.number for x in q.candidates),
                    tuple(map(tuple, rows_of(q, has_title=bool(title)))),
                    None if target is None else tuple(target),
                    weight,
                )
            )
        yield Example(
            document,
            title_words(title),
            tuple(tokens[i].text for i in places),
            tuple(tokens[i].tag for i in places),
            tuple(codes.get(i, PLAIN) for i in places),
            tuple(slots.get(i, 0) for i in places),
            tuple(asked),
        )


def replaced(parsed: Parsed, draw: random.Random) -> tuple[Parsed, dict[int, frozenset[int]]]:
    """Replaces names by pronouns, at most one a sentence.

    Returns the changed document and, for the place of each new pronoun's token, the places of the heads of the name's
    other mentions.
    """
    mentions = ask(parsed.sentences, title=parsed.source.title)[0]
    chosen: dict[int, Markable] = {}
    for m in mentions:
        if m.sentence not in chosen and _replaceable(m, parsed.sentences) and draw.random() < SHARE:
            chosen[m.sentence] = m
    sentences, moved, base = [], {}, 0
    pronouns: dict[int, Markable] = {}
    old = 0
    for number, sentence in enumerate(parsed.sentences):
        places: Sequence[int] = range(len(sentence.tokens))
        if number in chosen:
            sentence, places = _with_pronoun(sentence, chosen[number])
            pronouns[base + chosen[number].start] = chosen[number]
        for index, place in enumerate(places):
            moved[old + index] = base + place
        old += len(places)
        base += len(sentence.tokens)
        sentences.append(sentence)
    gone = {m.order for m in chosen.values()}
    answers = {
        place: frozenset(moved[x.place] for x in m.cluster.mentions if x.order not in gone)
        for place, m in pronouns.items()
    }
    return replace(parsed, sentences=tuple(sentences), offsets=()), {p: a for p, a in answers.items() if a}


def _replaceable(m: Markable, sentences: Sequence[Sentence]) -> bool:
    cluster = m.cluster
    if m.kind != NAME or cluster is None or not cluster.person or cluster.gender not in _WORDS:
        return False
    tokens = sentences[m.sentence].tokens
    if m.end - m.start > 3 or any(t.dep in _WITH_MORE and t.head == m.head for t in tokens):
        return False
    possessive = m.end < len(tokens) and tokens[m.end].tag == "POS"
    if possessive != (tokens[m.head].dep == "poss") or (not possessive and m.role not in SUBJECTS | OBJECTS):
        return False
    return any(x.kind == NAME and x.order < m.order and m.sentence - x.sentence <= _REACH for x in cluster.mentions)


def _with_pronoun(sentence: Sentence, m: Markable) -> tuple[Sentence, list[int]]:
    """Returns the sentence with a pronoun for the mention, and the new index of every old token."""
    tokens = sentence.tokens
    possessive = m.end < len(tokens) and tokens[m.end].tag == "POS"
    end = m.end + possessive
    form = 2 if possessive else 0 if m.role in SUBJECTS else 1
    word = _WORDS[m.cluster.gender][form]
    places = [i if i < m.start else m.start if i < end else i - (end - m.start) + 1 for i in range(len(tokens))]
    head = tokens[m.head]
    text = word.capitalize() if m.start == 0 else word
    made = Token(text, tokens[end - 1].space, "PRP$" if form == 2 else "PRP", "PRON", head.dep, places[head.head], word)
    kept = [t._replace(head=places[t.head]) for t in (*tokens[: m.start], *tokens[end:])]
    kept.insert(m.start, made)
    return replace(sentence, tokens=tuple(kept)), places


class _Change(NamedTuple):
    """What becomes of each gender."""

    male: str
    female: str


_SWAPPED = _Change(lexicon.FEMALE, lexicon.MALE)
_TO_FEMALE, _TO_MALE = {1: 2, 5: 6, 9: 10}, {2: 1, 6: 5, 10: 9}


class Augmenter:
    """Changes examples at random.

    Args:
        known: whether a first name is a word of its own to the encoder; only such names are put in.
        seed: of the random choices.
        one_gender: share of the texts in which all persons become of one gender.
    """

    def __init__(self, known: Callable[[str], bool], seed: int, *, one_gender: float = 0.0) -> None:
        self._random = random.Random(seed)
        self._one_gender = one_gender
        self._names = {
            gender: sorted(n for n in names if len(n) > 2 and known(n))
            for gender, names in ((lexicon.MALE, lexicon.MALE_NAMES), (lexicon.FEMALE, lexicon.FEMALE_NAMES))
        }

    def __call__(self, example: Example) -> Example:
        """Returns the example, changed or as it is."""
        draw = self._random.random
        one_gender = draw() < self._one_gender and any(min(a.rows[0]) < _OF_PERSONS for a in example.asked)
        title = () if draw() < UNTITLED else example.title
        swapped, renamed = draw() < SWAPPED_GENDER, draw() < RENAMED
        if one_gender:
            gender = self._random.choice((lexicon.MALE, lexicon.FEMALE))
            asked = tuple(replace(a, rows=tuple(map(without_gender, a.rows))) for a in example.asked)
            example, change = replace(example, asked=asked), _Change(gender, gender)
        elif swapped:
            change = _SWAPPED
        elif renamed:
            change = _Change(lexicon.MALE, lexicon.FEMALE)
        else:
            return replace(example, title=title)
        names: dict[str, str] = {}
        codes = _TO_FEMALE if change.male == lexicon.FEMALE else {}
        if change.female == lexicon.MALE:
            codes = codes | _TO_MALE
        return replace(
            example,
            title=tuple(self._word(w, "NNP", change, names) for w in title),
            words=tuple(self._word(w, t, change, names) for w, t in zip(example.words, example.tags, strict=True)),
            codes=tuple(codes.get(c, c) for c in example.codes),
        )

    def _word(self, word: str, tag: str, change: _Change, names: dict[str, str]) -> str:
        name = word[:1].upper() + word[1:]
        male = name in lexicon.MALE_NAMES
        if tag in ("NNP", "NNPS") and (male or name in lexicon.FEMALE_NAMES):
            if name not in names:
                names[name] = self._random.choice(self._names[change.male if male else change.female])
            return names[name]
        return changed_word(word, tag, male=change.male, female=change.female)


def changed_word(word: str, tag: str, *, male: str, female: str) -> str:
    """Returns a word after male words became of gender ``male`` and female ones of gender ``female``."""
    lowered = word.lower()
    possessive = tag == "PRP$"
    if female == lexicon.MALE:
        special = {"her": "his" if possessive else "him", "hers": "his"}
        found = special.get(lowered) or _MALE_OF.get(lowered.rstrip("."))
        if found:
            return found
    if male == lexicon.FEMALE:
        special = {"his": "her" if possessive else "hers", "him": "her"}
        return special.get(lowered) or _FEMALE_OF.get(lowered.rstrip("."), word)
    return word


def without_gender(row: Sequence[int]) -> tuple[int, ...]:
    """Returns indicators in which every candidate agrees with "he" or "she" as well as the best."""
    return tuple(AGREEING.get(n, n) for n in row)
