"""Counts the contexts of classes of things and of persons, for rules/coreference/preferences.py: subjects of "marry",
possessors of a "career".

A mention's class comes from its name's type or its noun in WordNet. A digit says how much more likely the class is in
the context than in its role in general. Rare contexts are left out. Persons are found by the entity recogniser. It errs
on many single mentions but is right on most, so that the context can correct a person tagged as an organisation. The
persons file has one line per context: "s marry 4" (role, lemma, bucket 1 to 4).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from gistmill.rules.coreference.markables import NAME, PRONOUN, Syntax
from gistmill.rules.coreference.mentions import find_mentions
from gistmill.rules.coreference.preferences import CLASSES, LIMITS, class_of, context_of, person_context
from gistmill.rules.coreference.scorer import ask
from gistmill.rules.documents import Sentence

FEWEST, PRIOR_WEIGHT = 12, 6.0
FEWEST_NAMES, PERSONS_PRIOR_WEIGHT, PERSONS_LIMITS = 6, 4.0, (0.35, 0.6, 0.8)

Counts = dict[tuple[str, str], Counter[int]]


def count(documents: Iterable[tuple[tuple[Sentence, ...], str]]) -> Counts:
    """Counts the classes of names and nominals by context, in parsed documents with titles."""
    counts: Counts = defaultdict(Counter)
    for sentences, title in documents:
        syntaxes = [Syntax(s.tokens) for s in sentences]
        for mention in ask(sentences, title=title)[0]:
            if mention.kind != PRONOUN:
                context = context_of(mention, syntaxes[mention.sentence])
                if context is not None and context[1].isalpha():
                    counts[context][class_of(mention)] += 1
    return counts


def write(counts: Counts, path: Path) -> int:
    """Writes the table and returns the number of its contexts."""
    totals: dict[str, Counter[int]] = defaultdict(Counter)
    for (role, _), classes in counts.items():
        totals[role] += classes
    lines = []
    for (role, lemma), classes in sorted(counts.items()):
        if classes.total() >= FEWEST:
            digits = ""
            for k in range(CLASSES):
                usual = (totals[role][k] + 1) / (totals[role].total() + CLASSES)
                share = (classes[k] + PRIOR_WEIGHT * usual) / (classes.total() + PRIOR_WEIGHT)
                digits += str(sum(share / usual > limit for limit in LIMITS))
            lines.append(f"{role} {lemma} {digits}\n")
    path.write_text("".join(lines), encoding="utf-8")
    return len(lines)


def write_contexts(documents: Iterable[tuple[Sentence, ...]], path: Path) -> int:
    """Counts the contexts of persons in parsed documents, writes the file and returns the number of contexts."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for sentences in documents:
        syntaxes = [Syntax(s.tokens) for s in sentences]
        for mention in find_mentions(sentences, syntaxes):
            if mention.kind == NAME and mention.entity:
                context = person_context(mention, syntaxes[mention.sentence])
                if context is not None:
                    counts[context][mention.entity == "PERSON"] += 1
    share = sum(c[1] for c in counts.values()) / sum(sum(c) for c in counts.values())
    lines = []
    for (role, lemma), (others, found) in sorted(counts.items()):
        if others + found >= FEWEST_NAMES and lemma.isalpha():
            chance = (found + PERSONS_PRIOR_WEIGHT * share) / (others + found + PERSONS_PRIOR_WEIGHT)
            lines.append(f"{role} {lemma} {1 + sum(chance > limit for limit in PERSONS_LIMITS)}\n")
    path.write_text("".join(lines), encoding="utf-8")
    return len(lines)
