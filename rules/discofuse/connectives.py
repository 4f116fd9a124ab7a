"""The connectives of the paper's Table 12, as data: word, sense, and where it may stand.

Senses are the four coarse classes of the Penn Discourse Treebank. A connective of ``BACKWARD`` opens a second
sentence; one of ``INNER`` stands inside a sentence; one of ``FORWARD`` opens a sentence of two clauses;
``CONJUNCTIONS`` coordinate. The repeated entries of the paper's C_s are the variants with a preceding comma. The
``extended`` conventions know more of each (``MORE_BACKWARD``, ``MORE_INNER``, ``MORE_FORWARD``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Sense(Enum):
    """Coarse sense of a connective."""

    COMPARISON = "comparison"
    EXPANSION = "expansion"
    CONTINGENCY = "contingency"
    TEMPORAL = "temporal"


@dataclass(frozen=True, slots=True)
class Connective:
    """A connective.

    Attributes:
        words: its words in lower case.
        sense: its usual sense.
        bare: it may do without the comma that sets it off (backward), or without the one before it (inner).
        comma: a comma may stand before it (inner connectives).
    """

    words: tuple[str, ...]
    sense: Sense
    bare: bool = True
    comma: bool = True

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(self.words)


def _many(sense: Sense, text: str, *, bare: bool = False) -> list[Connective]:
    return [Connective(tuple(entry.split()), sense, bare=bare) for entry in text.split("|")]


# C_b. Without a comma only those count that are hardly anything else at the head of a sentence.
BACKWARD: tuple[Connective, ...] = (
    *_many(Sense.COMPARISON, "but|however|whereas|yet", bare=True),
    *_many(
        Sense.COMPARISON,
        "although|though|by comparison|by contrast|conversely|in contrast|nevertheless|nonetheless|on the contrary"
        "|on the other hand|rather|regardless|still|anyway",
    ),
    *_many(Sense.EXPANSION, "and|or|additionally|furthermore|instead|moreover", bare=True),
    *_many(
        Sense.EXPANSION,
        "alternatively|besides|else|for example|for instance|further|in fact|in other words|in particular|in short"
        "|in sum|in turn|indeed|likewise|otherwise|overall|plus|similarly|specifically|basically|this|obviously|again"
        "|fortunately|luckily|meaning|interestingly|clearly",
    ),
    *_many(Sense.CONTINGENCY, "thus|therefore", bare=True),
    *_many(
        Sense.CONTINGENCY,
        "accordingly|as a result|because of that|because of this|by doing this|consequently|hence|lest|thereby",
    ),
    *_many(Sense.TEMPORAL, "then|meanwhile", bare=True),
    *_many(
        Sense.TEMPORAL,
        "afterward|by then|finally|in the end|meantime|in the meantime|next|simultaneously|thereafter|ultimately|now"
        "|second|third|eventually",
    ),
)

# What opens a second sentence too, though it is not in C_b, and would else stay in pairs without a connective.
MORE_BACKWARD: tuple[Connective, ...] = (
    *_many(
        Sense.COMPARISON,
        "at the same time|by the same token|despite this|even so|in comparison|in spite of this|instead of this"
        "|that said",
    ),
    *_many(
        Sense.EXPANSION,
        "also|equally|first|firstly|fourth|in addition|in addition to this|in conclusion|in essence|lastly"
        "|more importantly|more specifically|secondly|that is|thirdly",
    ),
    *_many(
        Sense.CONTINGENCY,
        "as a consequence|as such|because of these|due to this|for that reason|for this reason|given this"
        "|in consequence|so|to this end",
    ),
    *_many(Sense.TEMPORAL, "afterwards|earlier|later|previously|subsequently"),
)

# Adverbs of C_b that may follow the first words of the second sentence.
MEDIAL = frozenset(
    ("however", "therefore", "nevertheless", "nonetheless", "consequently", "furthermore", "moreover", "meanwhile")
)
# Those that may also follow them without commas, where they belong to the main verb.
MEDIAL_ADVERBS = MEDIAL | frozenset(
    ("thus", "then", "hence", "instead", "accordingly", "additionally", "eventually", "finally", "ultimately", "indeed")
)
# What between commas is something else: a conjunction, or part of a list.
_NEVER_MEDIAL = frozenset(
    """
    and but or yet whereas although lest else meaning this second third next further plus now rather still again
    regardless by because first fourth so that given due
    """.split()
)
# The connectives that may stand between commas in the second sentence: "It , as a result , failed".
BETWEEN_COMMAS: tuple[Connective, ...] = tuple(
    c for c in (*BACKWARD, *MORE_BACKWARD) if c.words[0] not in _NEVER_MEDIAL
)

# C_s. ``while`` and ``meaning`` need the comma: without it they are temporal, or a participle.
INNER: tuple[Connective, ...] = (
    Connective(("because",), Sense.CONTINGENCY),
    Connective(("hence",), Sense.CONTINGENCY),
    Connective(("while",), Sense.COMPARISON, bare=False),
    Connective(("whereas",), Sense.COMPARISON),
    Connective(("and", "although"), Sense.COMPARISON),
    Connective(("although",), Sense.COMPARISON),
    Connective(("unless",), Sense.CONTINGENCY),
    Connective(("now", "that"), Sense.CONTINGENCY, comma=False),
    Connective(("so", "that"), Sense.CONTINGENCY),
    Connective(("meaning",), Sense.EXPANSION, bare=False),
)
# Those of C_s that have a relative which says the same. "Provided that" and "as long as" are none: what a condition
# says is not asserted.
MORE_INNER: tuple[Connective, ...] = (
    Connective(("even", "though"), Sense.COMPARISON),
    Connective(("though",), Sense.COMPARISON),
)

# Words that belong to a connective behind them and cannot end a sentence without it: "only because", "not so that".
MODIFIERS = frozenset(
    """
    not n't only just simply partly mainly largely probably perhaps possibly mostly primarily even both either
    merely chiefly precisely especially particularly than as apparently presumably reportedly allegedly
    supposedly ostensibly principally again but and purely solely entirely exactly part partially due
    specifically expressly
    """.split()
)

# C_f. Not before a comma: "Although ," opens no clause.
FORWARD: tuple[Connective, ...] = (
    Connective(("although",), Sense.COMPARISON),
    Connective(("since",), Sense.CONTINGENCY),
    Connective(("in", "addition", "to"), Sense.EXPANSION),
    Connective(("aside", "from"), Sense.EXPANSION),
)
MORE_FORWARD: tuple[Connective, ...] = MORE_INNER

# C_c. "so" and "for" are conjunctions only after a comma.
CONJUNCTIONS: tuple[Connective, ...] = (
    Connective(("and",), Sense.EXPANSION),
    Connective(("but",), Sense.COMPARISON),
    Connective(("or",), Sense.EXPANSION),
    Connective(("nor",), Sense.EXPANSION),
    Connective(("yet",), Sense.COMPARISON),
    Connective(("so",), Sense.CONTINGENCY, bare=False),
    Connective(("for",), Sense.CONTINGENCY, bare=False),
)

RELATIVE_PRONOUNS = frozenset(("who", "which", "whose", "whom"))


def by_first_word(connectives: tuple[Connective, ...]) -> dict[str, tuple[Connective, ...]]:
    """Returns the connectives under their first word, longest first."""
    table: dict[str, list[Connective]] = {}
    for connective in connectives:
        table.setdefault(connective.words[0], []).append(connective)
    return {word: tuple(sorted(found, key=lambda c: -len(c.words))) for word, found in table.items()}


def match_at(table: dict[str, tuple[Connective, ...]], lower: list[str], position: int) -> Connective | None:
    """Returns the longest connective of the table that starts at ``position``."""
    for connective in table.get(lower[position], ()):
        end = position + len(connective.words)
        if tuple(lower[position:end]) == connective.words:
            return connective
    return None
