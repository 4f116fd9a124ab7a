"""The figure of a DiscoFuse dataset that the paper has not: how often second sentences hold a pronoun."""

from __future__ import annotations

from collections.abc import Iterable

from rules.coreference.lexicon import PRONOUNS, REFLEXIVES
from rules.discofuse.words import Word
from rules.figure import Figure, Groups, ratio

# ``pronouns/full/PAIR_NONE``: rows of the type whose second sentence has a pronoun of the third person.
GROUPS = ("pronouns/",)
_NOTE = (
    "Rows whose second sentence has a personal or possessive pronoun of the third person. "
    "PAIR_NONE is the control class: in the released rows that were read, 6 of 32 (19%) have one."
)


def has_pronoun(words: Iterable[Word]) -> bool:
    """Whether a sentence has a personal or possessive pronoun of the third person; reflexives do not count."""
    return any(w.text.lower() in PRONOUNS and w.text.lower() not in REFLEXIVES for w in words)


def pronouns(groups: Groups, config: str) -> Figure:
    """Returns the figure of a configuration from the grouped counts of a dataset."""
    rows, found = groups.get(f"types/{config}", {}), groups.get(f"pronouns/{config}", {})
    return Figure(
        key=f"pronouns_{config}",
        title=f"Pronouns in second sentences: {config}",
        note=_NOTE,
        head=("type", "rows", "with a pronoun", "share"),
        rows=[(kind, rows[kind], found.get(kind, 0), ratio(found.get(kind, 0), rows[kind])) for kind in sorted(rows)],
        bars=("share",),
    )
