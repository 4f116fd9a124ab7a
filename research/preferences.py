"""Counts which kinds of things stand in which contexts, for rules/coreference/preferences.py.

A mention's class is that of its name's type or of its noun in WordNet. A digit says how much likelier the class is in
the context than in the context's role. Contexts seen too seldom to tell are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from gistmill.rules.coreference.markables import PRONOUN
from gistmill.rules.coreference.preferences import CLASSES, LIMITS, class_of, context_of
from gistmill.rules.coreference.sieve import ask
from gistmill.rules.coreference.syntax import Syntax
from gistmill.rules.documents import Sentence

FEWEST, PRIOR_WEIGHT = 12, 6.0

Counts = dict[tuple[str, str], Counter[int]]


def count(documents: Iterable[tuple[tuple[Sentence, ...], str]]) -> Counts:
    """Counts the classes of names and nominals by context, in parsed documents with their titles."""
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
