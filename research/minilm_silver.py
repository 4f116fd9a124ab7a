"""Questions whose answer is known without labels: a repeated name of a person is replaced by a pronoun."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.coref_data import Parsed
from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import NAME, Markable
from gistmill.rules.coreference.sieve import ask
from gistmill.rules.coreference.syntax import OBJECTS, SUBJECTS
from gistmill.rules.documents import Sentence, Token

_WORDS = {lexicon.MALE: ("he", "him", "his"), lexicon.FEMALE: ("she", "her", "her")}
_WITH_MORE = frozenset({"appos", "conj", "relcl", "cc", "acl"})
_REACH = 2  # sentences back to another mention of the name
SHARE = 0.5  # of the sentences that have such a name


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
    if possessive != (tokens[m.head].dep == "poss") or not possessive and m.role not in SUBJECTS | OBJECTS:
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
