"""The clauses of a finished sentence: its finite main verbs, their subjects, and whether their forms fit together."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, NOMINAL_SUBJECTS, SUBJECTS, SUBORDINATE, may_be_past
from gistmill.rules.discofuse.words import Word

_RELATIVE_TAGS = frozenset(("WDT", "WP", "WP$"))


def main_verbs(words: Sequence[Word]) -> list[Word]:
    """Returns the finite verbs that neither a clause of the sentence itself is above nor a conjunction or question
    word subordinates ("If he left")."""
    by_index: dict[int, Word] = {}
    helped, subjects, marked = set(), set(), set()
    asks = words[-1].text == "?"
    verbs = []
    for word in words:
        _, _, tag, pos, dep, _, _, index, head, _ = word
        if index >= 0:
            by_index[index] = word
            if index < head and (dep == "mark" or tag == "WRB" and not asks):
                marked.add(head)
        if dep in AUXILIARIES or dep == "agent":  # "the army joined by his men" is not a clause
            helped.add(head)
        elif dep in SUBJECTS and tag not in ("JJS", "RBS"):  # "most noted" has no subject
            subjects.add(head)
        if pos == "VERB" or pos == "AUX":
            verbs.append(word)
    copied = subjects - by_index.keys()
    found = []
    for word in verbs:
        if (word.head if word.dep in AUXILIARIES else word.position) in marked or _is_joined_to(word, marked, by_index):
            continue
        if word.tag not in FINITE and not (
            word.tag == "VBN"
            and word.position not in helped
            and may_be_past(word.text.lower())
            and (word.position in subjects or copied and word.dep == "conj")
        ):
            continue
        if word.position < 0 or not _is_below(word, by_index):
            found.append(word)
    return found


def forms_fit(words: Sequence[Word]) -> bool:
    """Whether every modal's verb is a base form or has another auxiliary: not "may not inherited"."""
    for modal in [w for w in words if w[2] == "MD"]:
        if modal.dep != "aux" or modal.position < 0:
            continue
        verb = next((w for w in words if w.position == modal.head), None)
        if (
            verb is not None
            and verb.tag in ("VBD", "VBN", "VBZ", "VBG", "VBP")
            and not any(w.dep in AUXILIARIES and w.head == verb.position and w.tag != "MD" for w in words)
        ):
            return False
    return True


def parts_subject(words: Sequence[Word]) -> bool:
    """Whether a single comma parts the subject from its verb: "Hecuba , was the wife of Priam"."""
    if not any(a[0] == "," and b[3] in ("VERB", "AUX") for a, b in zip(words, words[1:])):
        return False
    place = {w.position: k for k, w in enumerate(words) if w.position >= 0}
    for k, word in enumerate(words):
        if word.dep not in NOMINAL_SUBJECTS or word.position < 0 or word.head not in place:
            continue
        verb = place[word.head]
        helpers = [j for j in range(k + 1, verb) if words[j].head == word.head and words[j].dep in AUXILIARIES]
        start = helpers[0] if helpers else verb
        if start > k and words[start - 1].text == "," and [w.text for w in words[k:start]].count(",") == 1:
            return True
    return False


def _is_joined_to(word: Word, marked: set[int], by_index: dict[int, Word]) -> bool:
    """Whether it goes on from a subordinate clause that is all there is: "When he went and they had no rest"."""
    while word.dep == "conj" and word.position != word.head and (above := by_index.get(word.head)) is not None:
        word = above
    return word.dep == "ROOT" and word.position in marked


def _is_below(word: Word, by_index: dict[int, Word]) -> bool:
    for _ in range(len(by_index)):
        above = by_index.get(word.head)
        if above is None or above.position == word.position:
            return False
        if word.dep in SUBORDINATE:
            # a clause below a verb of saying that follows it ("..., he said") is still a sentence
            return True
        word = above
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
