"""The clauses of a finished sentence: its finite main verbs, their subjects, and whether their forms fit together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, NOMINAL_SUBJECTS, SUBJECTS, SUBORDINATE, may_be_past
from gistmill.rules.discofuse.words import Word

_NO_BASE_FORMS = frozenset(("VBD", "VBN", "VBZ", "VBG", "VBP"))
_RELATIVE_TAGS = frozenset(("WDT", "WP", "WP$"))


class _Tree(NamedTuple):
    """What the words hang on: by position; which verbs are marked as subordinate, have an auxiliary, a subject."""

    by_index: dict[int, Word]
    marked: set[int]
    helped: set[int]
    subjects: set[int]


def main_verbs(words: Sequence[Word]) -> list[Word]:
    """Returns the finite verbs that neither a clause of the sentence itself is above nor a conjunction or question
    word subordinates ("If he left")."""
    tree = _Tree({}, set(), set(), set())
    asks = words[-1].text == "?"
    verbs = []
    for word in words:
        _, _, tag, pos, dep, _, _, index, head, _ = word
        if index >= 0:
            tree.by_index[index] = word
            if index < head and (dep == "mark" or tag == "WRB" and not asks):
                tree.marked.add(head)
        if dep in AUXILIARIES or dep == "agent":  # "the army joined by his men" is not a clause
            tree.helped.add(head)
        elif dep in SUBJECTS and tag not in ("JJS", "RBS"):  # "most noted" has no subject
            tree.subjects.add(head)
        if pos in ("VERB", "AUX"):
            verbs.append(word)
    return [w for w in verbs if _is_finite(w, tree) and not _is_subordinate(w, tree)]


def _is_finite(word: Word, tree: _Tree) -> bool:
    """Whether a verb is finite, by its tag or as a past tense that was taken for a participle."""
    if word.tag != "VBN" or word.position in tree.helped or not may_be_past(word.text.lower()):
        return word.tag in FINITE
    copied = word.dep == "conj" and not tree.subjects <= tree.by_index.keys()
    return copied or word.position in tree.subjects


def _is_subordinate(word: Word, tree: _Tree) -> bool:
    """Whether a word marks the clause of the verb, or of what it is joined to ("When he came and left"), or a clause of
    the sentence is above it; a statement below a verb of saying that follows it is still a sentence."""
    if (word.head if word.dep in AUXILIARIES else word.position) in tree.marked:
        return True
    joined = True
    while word.position >= 0 and (above := tree.by_index.get(word.head)) is not None and above is not word:
        if word.dep in SUBORDINATE:
            return True
        joined = joined and word.dep == "conj"
        word = above
    return joined and word.dep == "ROOT" and word.position in tree.marked


def forms_fit(words: Sequence[Word]) -> bool:
    """Whether every modal's verb is a base form or has another auxiliary: not "may not inherited"."""
    modals = {w.head for w in words if w.tag == "MD" and w.dep == "aux" and w.position >= 0}
    modals.difference_update(w.head for w in words if w.dep in AUXILIARIES and w.tag != "MD")
    return not modals or not any(w.position in modals and w.tag in _NO_BASE_FORMS for w in words)


def parts_subject(words: Sequence[Word]) -> bool:
    """Whether a single comma parts the subject from its verb: "Hecuba , was the wife of Priam"."""
    if not any(a[0] == "," and b[3] in ("VERB", "AUX") for a, b in zip(words, words[1:])):
        return False
    place = {w.position: k for k, w in enumerate(words) if w.position >= 0}
    for k, word in enumerate(words):
        verb = place.get(word.head, 0) if word.dep in NOMINAL_SUBJECTS else 0
        group = (j for j in range(k + 1, verb) if words[j].head == word.head and words[j].dep in AUXILIARIES)
        start = next(group, verb)
        if start > k and words[start - 1].text == "," and [w.text for w in words[k:start]].count(",") == 1:
            return True
    return False


def has_subject(words: Sequence[Word], verbs: Sequence[Word]) -> bool:
    """Whether a subject stands that belongs to a main verb (or to one whose subject was copied)."""
    inside = {w.position for w in words if w.position >= 0}
    heads = {v.position for v in verbs} | {v.head for v in verbs if v.dep in AUXILIARIES}
    if any(v.position < 0 for v in verbs):
        return True  # an inserted verb comes with its subject
    return any(w.dep in SUBJECTS and (w.head in heads or w.head not in inside) for w in words)


def is_relative(words: Sequence[Word]) -> bool:
    """Whether the sentence opens with a relative pronoun and asks nothing: "Which showed a tube ." A free relative that
    is the subject of a main verb is not one: "What he said is not known ."."""
    if words[0].tag not in _RELATIVE_TAGS or words[-1].text == "?":
        return False
    by_index = {w.position: w for w in words if w.position >= 0}
    word: Word | None = words[0]
    for _ in words:
        if word is None or word.head == word.position:
            return True
        if word.dep in ("csubj", "csubjpass"):
            return False
        word = by_index.get(word.head)
    return True
