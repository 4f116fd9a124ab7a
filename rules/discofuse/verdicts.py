"""The verdict on a finished sentence: what a reader would not take for a sentence is rejected, with a reason."""

from __future__ import annotations

from collections.abc import Sequence

from rules.discofuse.connectives import MODIFIERS, OPENING, by_first_word, match_at
from rules.discofuse.operations import CLOSING, TERMINAL
from rules.discofuse.parse import AUXILIARIES, FINITE, SUBJECTS, SUBORDINATE, may_be_past
from rules.discofuse.reasons import DiscoFuseReason
from rules.discofuse.words import Word
from rules.verdict import Reason

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ENCLOSING = frozenset("()[]{}") | frozenset(("``", "''", "“", "”", '"'))
_CLOSERS = {v: k for k, v in _PAIRS.items()}
_RESIDUE = frozenset(("{{", "}}", "[[", "]]", "|", "=", "==", "<", ">", "^", "'''", "*", "#", "&nbsp;"))
_SEPARATORS = frozenset((",", ";", ":"))
# Words with these tags, and some others, need something after them.
_OPEN_TAGS = frozenset(("CC", "PRP$", "WDT", "WP$", "TO", "POS"))
_OPEN_WORDS = frozenset(
    """
    the a an every that because although while than as if whether when where who which
    """.split()
)
_RELATIVE_TAGS = frozenset(("WDT", "WP", "WP$"))
# Abbreviations that never end a sentence: the text was cut there.
_TITLES = frozenset(
    """
    Brig. Gen. Col. Lt. Capt. Maj. Dr. Mr. Mrs. Ms. St. Prof. Rev. Sgt. Gov. Sen. Rep. Fr. Hon. Mt. Ft. no. No.
    vs. v. e.g. i.e. cf. ca. c. Brig Gen Col Lt Capt Maj Dr Mr Mrs Prof Rev Sgt ca cf vs approx vol vols pp nos fl
    """.split()
)
# Not a marker before these: "So far", "However hard".
_QUALIFIED = frozenset(("far", "called", "-", "much", "many", "hard", "of", "to", "as", "that", "little", "long"))
_OPENING = by_first_word(OPENING)
_COPULAS = frozenset(("is", "are", "was", "were", "be", "been", "being", "'s"))


def of_sentence(words: Sequence[Word], *, min_tokens: int, ascii_only: bool) -> Reason | None:
    """Returns the first reason to reject a sentence, or None."""
    if len(words) < min_tokens:
        return DiscoFuseReason.TOO_SHORT
    texts = [w[0] for w in words]
    if ascii_only and not "".join(texts).isascii():
        return DiscoFuseReason.NON_ASCII
    return _of_text(words, texts) or _of_grammar(words, texts)


def _of_text(words: Sequence[Word], texts: list[str]) -> Reason | None:
    """Returns the first problem that shows without a parse."""
    if not ends_as_sentence(words):
        return DiscoFuseReason.NO_END
    if not balanced(texts) or "'" in texts and _opens_quote(words):
        return DiscoFuseReason.UNBALANCED
    if _has_residue(texts):
        return DiscoFuseReason.RESIDUE
    return DiscoFuseReason.OPENING_MARKER if opens_with_marker([t.lower() for t in texts[:6]]) else None


def _of_grammar(words: Sequence[Word], texts: list[str]) -> Reason | None:
    """Returns the first problem that only the parse shows."""
    if not _forms_fit(words):
        return DiscoFuseReason.VERB_FORM
    if "," in texts and _parts_subject(words):
        return DiscoFuseReason.RESIDUE
    verbs = main_verbs(words)
    if not verbs:
        return DiscoFuseReason.NO_VERB
    if words[0].tag in _RELATIVE_TAGS and texts[-1] != "?":
        return DiscoFuseReason.NO_SUBJECT
    if not _has_subject(words, verbs):
        return DiscoFuseReason.NO_SUBJECT
    return DiscoFuseReason.DANGLING if _dangles(words) else None


def ends_as_sentence(words: Sequence[Word]) -> bool:
    """Whether the last word is final punctuation (quotes and brackets may follow it), or an abbreviation's stop."""
    for word in reversed(words):
        if word.text in TERMINAL or word.text.endswith("."):
            return True
        if word.text not in CLOSING and word.text not in ("'", '"'):
            return False
    return False


def balanced(texts: Sequence[str]) -> bool:
    """Whether brackets nest and double quotes come in twos. Single quotes are mostly apostrophes and are not judged."""
    if _ENCLOSING.isdisjoint(texts):
        return True
    stack: list[str] = []
    quotes = 0
    directed = 0
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
    """Whether a single quote opens and none closes, as far as the spacing tells: 'epoch year."""
    opened = 0
    for before, word in zip((None, *words), words):
        if word.text == "'":
            if not word.space and (before is None or before.space):
                opened += 1
            elif before is not None and not before.space:
                opened = max(0, opened - 1)
    return opened > 0


def _has_residue(texts: list[str]) -> bool:
    if not _RESIDUE.isdisjoint(texts):
        return True
    for k, text in enumerate(texts[:-1]):
        # ", ." ", ," "( )" are what a bad deletion leaves
        if text in _SEPARATORS and (texts[k + 1] in _SEPARATORS or texts[k + 1] in TERMINAL):
            return True
        if text == "(" and texts[k + 1] == ")":
            return True
    return texts[0] in (",", ";", ":", ")") or texts[0] in TERMINAL


def main_verbs(words: Sequence[Word]) -> list[Word]:
    """Returns the finite verbs that neither a clause of the sentence itself is above nor a conjunction or question
    word subordinates ("If he left")."""
    by_index: dict[int, Word] = {}
    helped, subjects, marked = set(), set(), set()
    asks = words[-1].text == "?"
    verbs = []
    for word in words:
        _, _, tag, pos, dep, _, _, index, head = word
        if index >= 0:
            by_index[index] = word
            if index < head and (dep == "mark" or tag == "WRB" and not asks):
                marked.add(head)
        if dep in AUXILIARIES:
            helped.add(head)
        elif dep in SUBJECTS and tag not in ("JJS", "RBS"):  # "most noted" has no subject
            subjects.add(head)
        if pos == "VERB" or pos == "AUX":
            verbs.append(word)
    copied = subjects - by_index.keys()
    found = []
    for word in verbs:
        if (word.head if word.dep in AUXILIARIES else word.position) in marked:
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


def _forms_fit(words: Sequence[Word]) -> bool:
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


def _parts_subject(words: Sequence[Word]) -> bool:
    """Whether a single comma parts the subject from its verb: "Hecuba , was the wife of Priam"."""
    if not any(a[0] == "," and b[3] in ("VERB", "AUX") for a, b in zip(words, words[1:])):
        return False
    place = {w.position: k for k, w in enumerate(words) if w.position >= 0}
    for k, word in enumerate(words):
        if word.dep not in ("nsubj", "nsubjpass") or word.position < 0 or word.head not in place:
            continue
        verb = place[word.head]
        helpers = [j for j in range(k + 1, verb) if words[j].head == word.head and words[j].dep in AUXILIARIES]
        start = helpers[0] if helpers else verb
        if start > k and words[start - 1].text == "," and [w.text for w in words[k:start]].count(",") == 1:
            return True
    return False


def opens_with_marker(lower: list[str]) -> bool:
    """Whether a sentence opens with a word or phrase that ties it to what stands before it: "However ,", "But he"."""
    if lower and lower[0] == "``":
        return False
    marker = match_at(_OPENING, lower, 0) if lower else None
    if marker is None:
        return False
    following = lower[len(marker.words) : len(marker.words) + 1]
    return following == [","] or marker.bare and not _QUALIFIED.issuperset(following)


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


def _has_subject(words: Sequence[Word], verbs: Sequence[Word]) -> bool:
    """Whether a subject stands that belongs to a main verb (or to one whose subject was copied)."""
    inside = {w.position for w in words if w.position >= 0}
    heads = {v.head if v.dep in AUXILIARIES else v.position for v in verbs}
    if any(v.position < 0 for v in verbs):
        return True  # an inserted verb comes with its subject
    return any(w.dep in SUBJECTS and (w.head in heads or w.head not in inside) for w in words)


def _dangles(words: Sequence[Word]) -> bool:
    """Whether the last word before the final mark needs something after it: "his reaction was"."""
    end = len(words)
    while end and (words[end - 1].text in TERMINAL or words[end - 1].text in ('"', "''", "”", "'")):
        end -= 1
    if not end:
        return True
    body, last = words[:end], words[end - 1]
    if last.text in _TITLES:
        return True
    if last.tag in _OPEN_TAGS or last.text.lower() in _OPEN_WORDS and last.tag != "RB":
        return True
    if len(body) > 1 and body[-2].text == "," and last.text.lower() in MODIFIERS:
        return True  # ", mainly" has lost its "because"
    return last.text.lower() in _COPULAS and last.pos in ("AUX", "VERB")
