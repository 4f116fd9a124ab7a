"""The verdict on a finished sentence: text that is not a well-formed sentence is rejected with a reason."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from gistmill.core.records import Reason
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.discofuse.operations import CLOSING, TERMINAL
from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, SUBJECTS, SUBORDINATE, WORDS, Word, may_be_past


class _Tree(NamedTuple):
    """The words by position, and the positions of verbs with a subordinator, an auxiliary or a subject."""

    by_index: dict[int, Word]
    marked: set[int]
    helped: set[int]
    subjects: set[int]


def main_verbs(words: Sequence[Word]) -> list[Word]:
    """Returns the finite verbs of main clauses: they are neither below another clause of the sentence nor subordinated
    by a conjunction or question word ("If he left")."""
    tree = _Tree({}, set(), set(), set())
    asks = words[-1].text == "?"
    verbs = []
    for word in words:
        _, _, tag, pos, dep, _, _, index, head, _ = word
        if index >= 0:
            tree.by_index[index] = word
            if index < head and (dep == "mark" or (tag == "WRB" and not asks)):
                tree.marked.add(head)
        if dep in AUXILIARIES or dep == "agent":  # "the army joined by his men" is not a clause
            tree.helped.add(head)
        elif dep in SUBJECTS and tag not in ("JJS", "RBS"):  # "most noted" has no subject
            tree.subjects.add(head)
        if pos in ("VERB", "AUX"):
            verbs.append(word)
    return [w for w in verbs if _is_finite(w, tree) and not _is_subordinate(w, tree)]


def _is_finite(word: Word, tree: _Tree) -> bool:
    if word.tag != "VBN" or word.position in tree.helped or not may_be_past(word.text.lower()):
        return word.tag in FINITE
    copied = word.dep == "conj" and not tree.subjects <= tree.by_index.keys()
    return copied or word.position in tree.subjects


def _is_subordinate(word: Word, tree: _Tree) -> bool:
    """Whether the verb's clause, or the clause it is joined to, has a subordinator ("When he came and left") or is
    below another clause of the sentence. A statement below a later verb of saying still counts as a sentence."""
    if (word.head if word.dep in AUXILIARIES else word.position) in tree.marked:
        return True
    joined = True
    while word.position >= 0 and (above := tree.by_index.get(word.head)) is not None and above is not word:
        if word.dep in SUBORDINATE:
            return True
        joined = joined and word.dep == "conj"
        word = above
    return joined and word.dep == "ROOT" and word.position in tree.marked


def parts_subject(words: Sequence[Word]) -> bool:
    """Whether a single comma separates the subject from its verb: "Hecuba , was the wife of Priam"."""
    if not any(a[0] == "," and b[3] in ("VERB", "AUX") for a, b in itertools.pairwise(words)):
        return False
    place = {w.position: k for k, w in enumerate(words) if w.position >= 0}
    for k, word in enumerate(words):
        verb = place.get(word.head, 0) if word.dep in ("nsubj", "nsubjpass") else 0
        group = (j for j in range(k + 1, verb) if words[j].head == word.head and words[j].dep in AUXILIARIES)
        start = next(group, verb)
        commas = [w for w in words[k:start] if w.text == ","]
        if commas == [words[start - 1]] and not commas[0].entity:  # "Athens, Georgia, lies": part of the name
            return True
    return False


def has_subject(words: Sequence[Word], verbs: Sequence[Word]) -> bool:
    """Whether a main verb has a subject, possibly a copied one."""
    inside = {w.position for w in words if w.position >= 0}
    heads = {v.position for v in verbs} | {v.head for v in verbs if v.dep in AUXILIARIES}
    if any(v.position < 0 for v in verbs):
        return True  # inserted verbs always have a subject
    return any(w.dep in SUBJECTS and (w.head in heads or w.head not in inside) for w in words)


def is_relative(words: Sequence[Word]) -> bool:
    """Whether the sentence opens with a relative pronoun without being a question: "Which showed a tube ." A free
    relative as the subject of a main verb is accepted: "What he said is not known ."."""
    if words[0].tag not in ("WDT", "WP", "WP$") or words[-1].text == "?":
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


_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ENCLOSING = frozenset("()[]{}") | frozenset(("``", "''", "“", "”", '"'))
_CLOSERS = {v: k for k, v in _PAIRS.items()}
_RESIDUE = frozenset(("{{", "}}", "[[", "]]", "|", "=", "==", "<", ">", "^", "'''", "&nbsp;"))
_SEPARATORS = frozenset((",", ";", ":"))
_ENDING = _SEPARATORS | frozenset(TERMINAL)
# Tags of words that require a continuation; others are listed by word.
_OPEN_TAGS = frozenset(("CC", "PRP$", "WDT", "WP$", "TO", "POS"))
_MARKS_BEHIND = CLOSING | {"'", '"'}
_FINAL = frozenset(('"', "''", "”", "'")) | TERMINAL
_COPULAS = frozenset(("is", "are", "was", "were", "be", "been", "being", "'s"))


def of_sentence(
    words: Sequence[Word], *, min_tokens: int, ascii_only: bool, as_written: bool = False, whole: bool = True
) -> Reason | None:
    """Returns the first reason to reject a sentence, or None.

    Args:
        words: the words of the sentence.
        min_tokens: minimum number of words.
        ascii_only: whether it must be ASCII.
        as_written: whether the text contains it unchanged except for a connective or a mention. Its grammar is then the
            author's: of 37 such sentences rejected by the grammar checks, readers found 35 good.
        whole: whether quotes and brackets are balanced in the text, so that the split caused any imbalance.
    """
    if len(words) < min_tokens:
        return DiscoFuseReason.TOO_SHORT
    texts = [w[0] for w in words]
    if ascii_only and not "".join(texts).isascii():
        return DiscoFuseReason.NON_ASCII
    if not ends_as_sentence(words):
        return DiscoFuseReason.NO_END
    if whole and not as_written and not is_balanced(words):
        return DiscoFuseReason.UNBALANCED
    if _has_residue(texts):
        return DiscoFuseReason.RESIDUE
    return None if as_written else _of_grammar(words)


def _of_grammar(words: Sequence[Word]) -> Reason | None:
    """Returns the first problem that only the parse reveals."""
    # A modal's verb must be a base form or have another auxiliary: not "may not inherited".
    modals = {w.head for w in words if w.tag == "MD" and w.dep == "aux" and w.position >= 0}
    if modals:
        modals.difference_update(w.head for w in words if w.dep in AUXILIARIES and w.tag != "MD")
        if any(w.position in modals and w.tag in ("VBD", "VBN", "VBZ", "VBG", "VBP") for w in words):
            return DiscoFuseReason.VERB_FORM
    if parts_subject(words):
        return DiscoFuseReason.RESIDUE
    verbs = main_verbs(words)
    # Whether a modal lacks its verb: the meaning of "they will for many" is completed only by the other half.
    pos = {word.position: word.pos for word in words}
    modal = (verb for verb in verbs if verb.tag == "MD")
    left_out = (v.dep not in AUXILIARIES or pos.get(v.head, "VERB") not in ("VERB", "AUX") for v in modal)
    if not verbs or any(left_out):
        return DiscoFuseReason.NO_VERB
    if is_relative(words) or not has_subject(words, verbs):
        return DiscoFuseReason.NO_SUBJECT
    return DiscoFuseReason.DANGLING if _dangles(words) else None


def ends_as_sentence(words: Sequence[Word]) -> bool:
    """Whether the last word is final punctuation (perhaps before quotes or brackets) or an abbreviation's full stop."""
    behind = (w.text for w in reversed(words) if w.text not in _MARKS_BEHIND)
    end = next(behind, "")
    return end in TERMINAL or end.endswith(".")


def is_balanced(words: Sequence[Word]) -> bool:
    """Whether every quote and bracket opened in a sentence is closed there."""
    return balanced([w[9] or w[0] for w in words]) and not _opens_quote(words)


def balanced(texts: Sequence[str]) -> bool:
    """Whether brackets are nested and double quotes paired. Single quotes are mostly apostrophes and are not checked.

    Args:
        texts: the words as printed, since printed quotes may be directional.
    """
    if _ENCLOSING.isdisjoint(texts):
        return True
    stack: list[str] = []
    quotes = directed = 0
    for text in texts:
        if text in _PAIRS:
            stack.append(text)
        elif text in _CLOSERS:
            if not stack or stack.pop() != _CLOSERS[text]:
                return False
        elif text in ("``", "“"):
            directed += 1
        elif text in ("''", "”"):
            directed -= 1
            if directed < 0:
                return False
        elif text == '"':
            quotes += 1
    return not stack and quotes % 2 == 0 and directed == 0


def _opens_quote(words: Sequence[Word]) -> bool:
    """Whether a single quote is opened but not closed, judging by its printed form or the spacing: 'epoch year."""
    opened = 0
    for before, word in zip((None, *words), words, strict=False):
        if word.text != "'":
            continue
        attached = before is not None and not before.space
        if word.original in ("‘", "’"):
            opens, closes = word.original == "‘", word.original == "’"
        else:
            opens, closes = not word.original and not word.space and not attached, not word.original and attached
        opened = opened + 1 if opens else max(0, opened - closes)
    return opened > 0


def _has_residue(texts: list[str]) -> bool:
    """Whether residue of markup or of a faulty deletion remains: ", ." ", ," "( )", or a comma at the beginning."""
    return (
        not _RESIDUE.isdisjoint(texts)
        or texts[0] in _SEPARATORS
        or texts[0] == ")"
        or any(b in _ENDING if a in _SEPARATORS else b == ")" and a == "(" for a, b in itertools.pairwise(texts))
    )


def _dangles(words: Sequence[Word]) -> bool:
    """Whether the last word before the final mark requires a continuation: "his reaction was"."""
    body = list(words)
    while body and body[-1].text in _FINAL:
        body.pop()
    if not body:
        return True
    before, last, lower = body[:-1], body[-1], body[-1].text.lower()
    unfinished = (
        last.text in WORDS["titles"] or last.tag in _OPEN_TAGS or (lower in WORDS["open_words"] and last.tag != "RB")
    )
    left_behind = lower in WORDS["modifiers"] and before and before[-1].text == ","  # ", mainly" has lost its "because"
    listed = lower == "follows" and before and before[-1].text.lower() == "as"
    return bool(unfinished or left_behind or listed) or (lower in _COPULAS and last.pos in ("AUX", "VERB"))
