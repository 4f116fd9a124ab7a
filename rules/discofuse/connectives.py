"""The connectives of the paper's Table 12, as data: word, sense, and where it may stand.

Senses are the four coarse classes of the Penn Discourse Treebank. A connective of ``BACKWARD`` opens a second
sentence; one of ``INNER`` stands inside a sentence; one of ``FORWARD`` opens a sentence of two clauses;
``CONJUNCTIONS`` coordinate. The repeated entries of the paper's C_s are the variants with a preceding comma. The
``extended`` conventions know more of each (``MORE_BACKWARD``, ``MORE_INNER``, ``MORE_FORWARD``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from gistmill.rules.discofuse.operations import delete
from gistmill.rules.discofuse.parse import SUBJECTS, Parse, Words
from gistmill.rules.languages.language import english_words


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
_NEVER_MEDIAL = english_words("discofuse", "never_medial")
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
MODIFIERS = english_words("discofuse", "modifiers")

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


_TABLE = by_first_word(BACKWARD)
_MORE = by_first_word(MORE_BACKWARD)
_BETWEEN_COMMAS = by_first_word(BETWEEN_COMMAS)
_COORDINATORS = frozenset(("and", "but", "or", "yet", "whereas"))
# "Hesitant at first , they finally agreed": the two belong together.
_IN_THE_END = frozenset(("eventually", "finally", "ultimately", "then"))
_AT_FIRST = frozenset(("initially", "originally", "first"))
# The paper looks at the first five positions.
_LAST_MEDIAL = 5


@dataclass(frozen=True, slots=True)
class ConnectiveMatch:
    """Words [start, end) of the second sentence are the connective with its commas; ``text`` is how it is recorded."""

    start: int
    end: int
    text: str


def find(second: Parse) -> ConnectiveMatch | None:
    """Finds the connective that ties a sentence to the one before it."""
    return _initial(second, _TABLE) or _medial(second)


def find_all(second: Parse) -> Iterator[ConnectiveMatch]:
    """Finds the same, more connectives than those of C_b, and those between commas or beside the main verb."""
    opening, other = (None if _opens_clause(second) else _initial(second, table) for table in (_TABLE, _MORE))
    match = opening or _between_commas(second) or _medial(second) or _beside_verb(second) or other
    if match is not None:
        yield match


def _initial(second: Parse, table: dict[str, tuple[Connective, ...]]) -> ConnectiveMatch | None:
    connective = match_at(table, second.lower, 0)
    if connective is None:
        return None
    end = len(connective.words)
    if end >= len(second) - 1 or second.tokens[0].dep in SUBJECTS:
        return None  # "This , it was hoped , would help"
    if second.lower[end] == ",":
        return ConnectiveMatch(0, end + 1, f"{connective.text} ,")
    if connective.bare and _modifies_the_sentence(second, end):
        return ConnectiveMatch(0, end, connective.text)
    return None


def _opens_clause(second: Parse) -> bool:
    """Whether it ties the sentence's own clauses: "Whereas it was old , they are new"."""
    return second.tokens[0].dep == "mark" and second.tokens[second.tokens[0].head].dep == "advcl"


def _modifies_the_sentence(second: Parse, end: int) -> bool:
    """Without a comma: not "However hard", "Instead of", "And all", "Then president"."""
    if second.lower[0] in _COORDINATORS:
        return second.tokens[0].pos not in ("PROPN", "NOUN")
    if second.lower[end] in ("of", "than", "to", "-"):
        return False
    return second.tokens[0].dep == "advmod" and second.is_verb(second.tokens[0].head)


def _medial(second: Parse) -> ConnectiveMatch | None:
    """An adverb between commas on both sides, or on none, within the first words: "It , however , failed"."""
    lower = second.lower
    for i in range(1, min(_LAST_MEDIAL, len(lower) - 2)):
        if lower[i] in MEDIAL:
            before, after = lower[i - 1] == ",", lower[i + 1] == ","
            if before and after and i > 1:
                # behind a fronted phrase one comma stays ("In short , however , he won"), and before a participle
                start = i if _is_fronted(second, i) or second.tokens[i + 2].tag == "VBG" else i - 1
                return ConnectiveMatch(start, i + 2, f", {lower[i]} ,")
            hard = second.tokens[i].head == i + 1 and second.tokens[i + 1].tag in ("JJ", "RB")  # "however hard"
            if not before and not after and not hard:
                return ConnectiveMatch(i, i + 1, lower[i])
    return None


def _between_commas(second: Parse) -> ConnectiveMatch | None:
    """ "It , as a result , failed"; behind a fronted phrase one comma stays: "In short , however , he won"."""
    lower = second.lower
    for i in range(2, min(_LAST_MEDIAL, len(lower) - 2)):
        connective = match_at(_BETWEEN_COMMAS, lower, i) if lower[i - 1] == "," else None
        if connective is None:
            continue
        end = i + len(connective.words)
        if lower[end : end + 1] == [","]:
            # behind "If" neither comma stays, behind a phrase that it opens one does
            fronted = _is_fronted(second, i) and second.tokens[i - 2].tag not in ("IN", "WRB", "DT")
            return ConnectiveMatch(i if fronted else i - 1, end + 1, f", {connective.text} ,")
    return None


def _beside_verb(second: Parse) -> ConnectiveMatch | None:
    """An adverb of the main verb right before it or behind an auxiliary: "It thus failed", "It was then sold"."""
    lower = second.lower
    for i in range(1, min(_LAST_MEDIAL, len(lower) - 2)):
        token = second.tokens[i]
        if (
            lower[i] in MEDIAL_ADVERBS
            and token.dep == "advmod"
            and second.tokens[token.head].dep == "ROOT"
            and second.is_verb(token.head)
            and not (lower[i] == "then" and _is_time(second, token.head))
            and not (lower[i] in _IN_THE_END and not _AT_FIRST.isdisjoint(lower[:i]))
            and lower[i + 1] not in (",", "of", "than", "-")
            and lower[i - 1] not in (",", "and", "but", "not", "n't", "since", "by", "until", "only", "even")
            and "if" not in lower[:i]
        ):
            return ConnectiveMatch(i, i + 1, lower[i])
    return None


def _is_time(second: Parse, verb: int) -> bool:
    """Whether "then" beside the verb means "at that time" ("was then a clerk", "it was then that he left")."""
    return second.tokens[verb].lemma == "be" and second.child(verb, "acomp") is None


def _is_fronted(second: Parse, position: int) -> bool:
    """Whether a phrase before the subject ends at the position; none does in "It is , however , cold : nobody came"."""
    if any(second.tokens[k].dep in SUBJECTS and second.left_edge(k) == 0 for k in range(position)):
        return False
    subject = second.subject(second.root())
    return subject is not None and second.left_edge(subject) > position


def apply(second: Parse, match: ConnectiveMatch) -> Words:
    """Returns the second sentence without the connective."""
    return delete(second.words, match.start, match.end - match.start)
