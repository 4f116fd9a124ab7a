"""The figures of a DiscoFuse dataset: connectives and types beside the released ones, and pronouns in second sentences,
which the paper has not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gistmill.core.figure import Figure, Groups, ratio
from gistmill.rules.coreference.lexicon import PRONOUNS, REFLEXIVES
from gistmill.rules.discofuse.balance import bare
from gistmill.rules.discofuse.released import CONNECTIVES, TYPES
from gistmill.rules.discofuse.words import Word

# ``pronouns/full/PAIR_NONE``: rows of the type whose second sentence has a pronoun of the third person.
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


def beside_released(groups: Groups, config: str) -> tuple[Figure, Figure]:
    """Returns the figures of a configuration beside the paper's Table 16 and beside the types of released rows.

    Args:
        groups: the grouped counts of a dataset.
        config: the configuration; the released rows are down-sampled, as ``balanced`` is.
    """
    types, released = groups[f"types/{config}"], sum(TYPES.values())
    rows = sum(types.values())
    connectives: Counter[str] = Counter()
    for name, number in groups.get(f"connectives/{config}", {}).items():
        connectives[bare(name)] += number
    return (
        Figure(
            key=f"connectives_{config}",
            title=f"Connectives beside the paper: {config}",
            note="Shares of all rows, without commas. The paper's are those of its Wikipedia part (Table 16).",
            head=("connective", "here", "paper"),
            rows=[(name, ratio(connectives[name], rows), round(share / 100, 6)) for name, share in CONNECTIVES.items()],
            bars=("here", "paper"),
            in_card=True,
        ),
        Figure(
            key=f"types_{config}",
            title=f"Types beside released rows: {config}",
            note=f"The paper's Figure 4 has no numbers. So the types of {released} released rows stand beside these.",
            head=("type", "here", "released rows"),
            rows=[(name, ratio(types.get(name, 0), rows), ratio(number, released)) for name, number in TYPES.items()],
            bars=("here", "released rows"),
            in_card=True,
        ),
    )
