"""Counts in which contexts persons stand, as the entity recogniser sees it: subjects of "marry", possessors of a
"career".

The recogniser is wrong on many single mentions and right on most, so that the context tells what a name is where it
calls a person an organisation. ``write`` makes rules/coreference/data/person_contexts.txt, a line for each context: "s
marry 4" (role, lemma, bucket 1 to 4).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from gistmill.rules.coreference.markables import NAME
from gistmill.rules.coreference.mentions import find_mentions
from gistmill.rules.coreference.persons import context_of
from gistmill.rules.coreference.syntax import Syntax
from gistmill.rules.documents import Sentence

FEWEST, PRIOR_WEIGHT = 6, 4.0
LIMITS = (0.35, 0.6, 0.8)


def write(documents: Iterable[tuple[Sentence, ...]], path: Path) -> int:
    """Counts over parsed documents, writes the file and returns the number of contexts."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for sentences in documents:
        syntaxes = [Syntax(s.tokens) for s in sentences]
        for mention in find_mentions(sentences, syntaxes):
            if mention.kind == NAME and mention.entity:
                context = context_of(mention, syntaxes[mention.sentence])
                if context is not None:
                    counts[context][mention.entity == "PERSON"] += 1
    share = sum(c[1] for c in counts.values()) / sum(sum(c) for c in counts.values())
    lines = []
    for (role, lemma), (others, persons) in sorted(counts.items()):
        if others + persons >= FEWEST and lemma.isalpha():
            chance = (persons + PRIOR_WEIGHT * share) / (others + persons + PRIOR_WEIGHT)
            lines.append(f"{role} {lemma} {1 + sum(chance > limit for limit in LIMITS)}\n")
    path.write_text("".join(lines), encoding="utf-8")
    return len(lines)
