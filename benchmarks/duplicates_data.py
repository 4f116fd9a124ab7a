"""Documents with known copies, made from the slice of enwiki: what ``benchmarks.duplicates`` measures with."""

from __future__ import annotations

import bz2
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gistmill.rules.text.grams import words
from gistmill.rules.wiki.wikitext import clean_wikitext

_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.S)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))
_HEADS = (
    "Share this story with your friends",
    "You have two free articles left this month",
    "By our correspondent in the capital",
    "This page was last updated in the morning",
    "Listen to this article",
)
_TAILS = (
    "Sign up for our newsletter and never miss a story",
    "All rights reserved by the publisher",
    "More on this subject in our archive",
    "Read the full report in the printed edition on Sunday",
    "The agency contributed to this report",
)
SHINGLE = 5
TEXTS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A document: ``base`` is the number of the text it is made of, ``kind`` how; ``copy`` tells whether it is a copy
    (its Jaccard similarity to the base is at least the threshold) or only alike."""

    text: str
    base: int
    kind: str
    copy: bool


def paragraphs(path: Path, *, least: int = 25) -> list[str]:
    """Returns the paragraphs of prose of a bz2 export that have ``least`` words."""
    found: list[str] = []
    for text in _TEXT.findall(bz2.decompress(path.read_bytes()).decode("utf-8")):
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
        if not text.lower().startswith("#redirect"):
            found += [p for s in clean_wikitext(text) for p in s.paragraphs if len(p.split()) >= least]
    return list(dict.fromkeys(found))


def sentences_of(source: Iterable[str]) -> list[str]:
    """Returns the sentences of paragraphs that have 12 to 40 words."""
    return [s for p in source for s in _SENTENCE.split(p) if 12 <= len(s.split()) <= 40]


def similarity(first: str, second: str) -> float:
    """Returns the Jaccard similarity of the sets of word 5-shingles, by sets of tuples."""
    one, other = (
        {tuple(w[i : i + SHINGLE]) for i in range(len(w) - SHINGLE + 1)} for w in (words(first), words(second))
    )
    return len(one & other) / len(one | other)


def known_copies(source: Sequence[str], *, threshold: float, seed: int) -> list[Made]:
    """Returns up to TEXTS documents of 150 words and more, with six copies and three look-alikes each."""
    chosen, made = random.Random(seed), []
    vocabulary = sorted({w for p in source for w in p.split()})
    bases = list(_bases(source))
    for base, text in enumerate(chosen.sample(bases, min(TEXTS, len(bases)))):
        made.append(Made(text=text, base=base, kind="base", copy=True))
        for kind, change in _COPIES.items():
            found = _until(partial(change, text, chosen, vocabulary), text, threshold)
            made.append(Made(text=found, base=base, kind=kind, copy=True))
        for low, high in (
            (threshold, threshold + 0.05),
            (threshold - 0.05, threshold),
            (threshold - 0.15, threshold - 0.05),
            (0.3, threshold - 0.15),
        ):
            found = _until(partial(_filled_in, text, chosen, vocabulary, low, high), text, low, high)
            name = "heavy edits" if low == threshold else "template"
            made.append(Made(text=found, base=base, kind=f"{name}, {low:.2f} to {high:.2f}", copy=low == threshold))
    chosen.shuffle(made)
    return made


def short_documents(source: Sequence[str], count: int, *, seed: int) -> Iterator[Made]:
    """Yields documents of six sentences: 70% texts of their own, 10% copies, 15% copies with another word, and 5% one
    single text that everybody has."""
    chosen = random.Random(seed)
    sentences = sentences_of(source)
    own = [" ".join(chosen.sample(sentences, 6)) for _ in range(count * 7 // 10)]
    for base, text in enumerate(own):
        yield Made(text=text, base=base, kind="base", copy=True)
    for number in range(count - len(own)):
        share = number / (count - len(own))
        base = 0 if share < 1 / 6 else chosen.randrange(1, len(own))
        kind = "hot" if share < 1 / 6 else "copy" if share < 1 / 2 else "one word"
        text = own[base] if kind != "one word" else _edited(own[base], chosen, sentences[0].split(), 1)
        yield Made(text=text, base=base, kind=kind, copy=True)


def _bases(source: Sequence[str]) -> Iterator[str]:
    waiting: list[str] = []
    for paragraph in source:
        waiting.append(paragraph)
        if sum(len(p.split()) for p in waiting) >= 150:
            yield "\n\n".join(waiting)
            waiting = []


def _until(make: Callable[[], str], text: str, low: float, high: float = math.inf) -> str:
    """The first text made whose similarity to ``text`` is ``low`` or more and below ``high``."""
    for _ in range(200):
        made = make()
        if low <= similarity(text, made) < high:
            return made
    raise ValueError("no text of the wanted similarity in 200 attempts")


def _formatted(text: str, chosen: random.Random, _: Sequence[str]) -> str:
    other = text.replace(", ", " , ").replace('"', "\u201d").replace("'", "\u2019")
    return "  ".join(w.upper() if chosen.random() < 0.05 else w for w in other.split(" "))


def _edited(text: str, chosen: random.Random, vocabulary: Sequence[str], edits: int | None = None) -> str:
    pieces = re.split(r"(\s+)", text)
    for _ in range(edits or chosen.randint(1, max(1, len(pieces) // 120))):
        place = 2 * chosen.randrange(len(pieces) // 2)
        change = "replace" if edits else chosen.choice(("replace", "insert", "delete"))
        word = chosen.choice(vocabulary)
        pieces[place] = word if change == "replace" else f"{pieces[place]} {word}" if change == "insert" else ""
    return "".join(pieces)


def _framed(text: str, chosen: random.Random, _: Sequence[str]) -> str:
    return f"{chosen.choice(_HEADS)}.\n\n{text}\n\n{chosen.choice(_TAILS)}."


def _merged(text: str, chosen: random.Random, _: Sequence[str]) -> str:
    """Paragraphs run together, and two sentences change places."""
    sentences = _SENTENCE.split(text.replace("\n\n", " "))
    place = chosen.randrange(max(1, len(sentences) - 1))
    sentences[place : place + 2] = sentences[place : place + 2][::-1]
    return " ".join(sentences)


def _all(text: str, chosen: random.Random, vocabulary: Sequence[str]) -> str:
    return _framed(_edited(text.replace("\n\n", " "), chosen, vocabulary, 1), chosen, vocabulary)


def _filled_in(text: str, chosen: random.Random, vocabulary: Sequence[str], low: float, high: float) -> str:
    """The same text with other words at some places, as a form letter has."""
    pieces = text.split(" ")
    middle = (low + high) / 2
    changed = round(len(pieces) * (1 - middle) / (1 + middle) / SHINGLE * chosen.uniform(0.8, 1.3))
    for place in chosen.sample(range(len(pieces)), max(1, changed)):
        pieces[place] = chosen.choice(vocabulary)
    return " ".join(pieces)


_COPIES: dict[str, Callable[[str, random.Random, Sequence[str]], str]] = {
    "formatting": _formatted,
    "light edits": _edited,
    "boilerplate": _framed,
    "merged paragraphs": _merged,
    "all of these": _all,
}
