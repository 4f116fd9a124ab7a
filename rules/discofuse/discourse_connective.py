"""Discourse connectives: "However , B" as the second of two sentences (paper, Table 14, row 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gistmill.rules.discofuse.connectives import BACKWARD, MORE_BACKWARD, Connective, by_first_word, match_at
from gistmill.rules.discofuse.operations import delete
from gistmill.rules.discofuse.parse import SUBJECTS, WORDS, Parse, Words

_TABLE = by_first_word(*BACKWARD)
_MORE = by_first_word(*MORE_BACKWARD)
# Connectives that may be between commas in the second sentence: "It , as a result , failed".
_BETWEEN_COMMAS = by_first_word(*(c for c in (*BACKWARD, *MORE_BACKWARD) if c.words[0] not in WORDS["never_medial"]))
# The paper examines the first five positions.
_LAST_MEDIAL = 5


class ConnectiveMatch(NamedTuple):
    """A connective with its commas: words [start, end) of the second sentence; ``text`` is its recorded form."""

    start: int
    end: int
    text: str


def find(second: Parse) -> ConnectiveMatch | None:
    """Finds the connective that links a sentence to the previous one."""
    return _initial(second, _TABLE) or _medial(second)


def find_all(second: Parse) -> Iterator[ConnectiveMatch]:
    """Finds the same connectives, others that are not in C_b, and ones between commas or next to the main verb."""
    # "Whereas it was old , they are new" links the sentence's own clauses
    own = second.tokens[0].dep == "mark" and second.tokens[second.tokens[0].head].dep == "advcl"
    opening, other = (None if own else _initial(second, table) for table in (_TABLE, _MORE))
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


def _modifies_the_sentence(second: Parse, end: int) -> bool:
    """Whether a connective without a comma modifies the sentence, unlike "However hard", "Instead of", "And all"."""
    if second.lower[0] in ("and", "but", "or", "yet", "whereas"):
        return second.tokens[0].pos not in ("PROPN", "NOUN")
    if second.lower[end] in ("of", "than", "to", "-"):
        return False
    return second.tokens[0].dep == "advmod" and second.is_verb(second.tokens[0].head)


def _medial(second: Parse) -> ConnectiveMatch | None:
    """Finds an adverb among the first words with commas on both sides, or on neither: "It , however , failed"."""
    lower = second.lower
    for i in range(1, min(_LAST_MEDIAL, len(lower) - 2)):
        if lower[i] in WORDS["medial"]:
            before, after = lower[i - 1] == ",", lower[i + 1] == ","
            if before and after and i > 1:
                # one comma is kept after a fronted phrase ("In short , however , he won") and before a participle
                start = i if _is_fronted(second, i) or second.tokens[i + 2].tag == "VBG" else i - 1
                return ConnectiveMatch(start, i + 2, f", {lower[i]} ,")
            hard = second.tokens[i].head == i + 1 and second.tokens[i + 1].tag in ("JJ", "RB")  # "however hard"
            if not before and not after and not hard:
                return ConnectiveMatch(i, i + 1, lower[i])
    return None


def _between_commas(second: Parse) -> ConnectiveMatch | None:
    """Finds "It , as a result , failed"; after a fronted phrase one comma is kept: "In short , however , he won"."""
    lower = second.lower
    for i in range(2, min(_LAST_MEDIAL, len(lower) - 2)):
        connective = match_at(_BETWEEN_COMMAS, lower, i) if lower[i - 1] == "," else None
        if connective is None:
            continue
        end = i + len(connective.words)
        if lower[end : end + 1] == [","]:
            # neither comma is kept after a lone "If"; one is kept after the phrase that it opens
            fronted = _is_fronted(second, i) and second.tokens[i - 2].tag not in ("IN", "WRB", "DT")
            return ConnectiveMatch(i if fronted else i - 1, end + 1, f", {connective.text} ,")
    return None


def _beside_verb(second: Parse) -> ConnectiveMatch | None:
    """Finds an adverb right before the main verb or after an auxiliary: "It thus failed", "It was then sold"."""
    lower = second.lower
    for i in range(1, min(_LAST_MEDIAL, len(lower) - 2)):
        token, verb = second.tokens[i], second.tokens[i].head
        adverb = token.dep == "advmod" and (lower[i] in WORDS["medial"] or lower[i] in WORDS["medial_adverbs"])
        if not adverb or second.tokens[verb].dep != "ROOT" or not second.is_verb(verb):
            continue
        # meaning "at that time": "was then a clerk", "it was then that he left"
        time = lower[i] == "then" and second.tokens[verb].lemma == "be" and second.child(verb, "acomp") is None
        # "hesitant at first , they finally agreed": the two adverbs belong together
        ends = lower[i] in ("eventually", "finally", "ultimately", "then")
        together = ends and any(word in ("initially", "originally", "first") for word in lower[:i])
        before = (",", "and", "but", "not", "n't", "since", "by", "until", "only", "even")
        apart = lower[i + 1] not in (",", "of", "than", "-") and lower[i - 1] not in before and "if" not in lower[:i]
        if apart and not time and not together:
            return ConnectiveMatch(i, i + 1, lower[i])
    return None


def _is_fronted(second: Parse, position: int) -> bool:
    """Whether a phrase before the subject ends at the position, unlike "It is , however , cold : nobody came"."""
    if any(second.tokens[k].dep in SUBJECTS and second.left_edge(k) == 0 for k in range(position)):
        return False
    subject = second.subject(second.root())
    return subject is not None and second.left_edge(subject) > position


def apply(second: Parse, match: ConnectiveMatch) -> Words:
    """Returns the second sentence without the connective."""
    return delete(second.words, match.start, match.end - match.start)
