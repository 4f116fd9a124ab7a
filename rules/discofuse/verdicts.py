"""The verdict on a finished sentence: what a reader would not take for a sentence is rejected, with a reason."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses.main_verbs import forms_fit, has_subject, is_relative, main_verbs, parts_subject
from gistmill.rules.discofuse.connectives import MODIFIERS
from gistmill.rules.discofuse.operations import CLOSING, TERMINAL
from gistmill.rules.discofuse.parse import AUXILIARIES
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Word

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ENCLOSING = frozenset("()[]{}") | frozenset(("``", "''", "“", "”", '"'))
_DIRECTED = frozenset("‘’")
_CLOSERS = {v: k for k, v in _PAIRS.items()}
_RESIDUE = frozenset(("{{", "}}", "[[", "]]", "|", "=", "==", "<", ">", "^", "'''", "&nbsp;"))
_SEPARATORS = frozenset((",", ";", ":"))
_ENDING = _SEPARATORS | frozenset(TERMINAL)
# Words with these tags, and some others, need something after them.
_OPEN_TAGS = frozenset(("CC", "PRP$", "WDT", "WP$", "TO", "POS"))
_OPEN_WORDS = frozenset(
    """
    the a an every that because although while than as if whether when where who which
    """.split()
)
# Abbreviations that never end a sentence: the text was cut there.
_TITLES = frozenset(
    """
    Brig. Gen. Col. Lt. Capt. Maj. Dr. Mr. Mrs. Ms. St. Prof. Rev. Sgt. Gov. Sen. Rep. Fr. Hon. Mt. Ft. no. No.
    vs. v. e.g. i.e. cf. ca. c. Brig Gen Col Lt Capt Maj Dr Mr Mrs Prof Rev Sgt ca cf vs approx vol vols pp nos fl
    """.split()
)
_FINAL = frozenset(('"', "''", "”", "'")) | TERMINAL
_COPULAS = frozenset(("is", "are", "was", "were", "be", "been", "being", "'s"))


def of_sentence(
    words: Sequence[Word], *, min_tokens: int, ascii_only: bool, as_written: bool = False, whole: bool = True
) -> Reason | None:
    """Returns the first reason to reject a sentence, or None.

    Args:
        words: of the sentence.
        min_tokens: that it must have.
        ascii_only: whether it must be ASCII.
        as_written: it stands so in the text, up to a connective or a mention. Its grammar is then the author's: of 37
            such sentences that the checks of grammar refused, readers found 35 good.
        whole: quotes and brackets of the text are balanced, so that a cut has parted them where they are not here.
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
    """Returns the first problem that only the parse shows."""
    if not forms_fit(words):
        return DiscoFuseReason.VERB_FORM
    if parts_subject(words):
        return DiscoFuseReason.RESIDUE
    verbs = main_verbs(words)
    if not verbs or _leaves_verb_out(words, verbs):
        return DiscoFuseReason.NO_VERB
    if is_relative(words) or not has_subject(words, verbs):
        return DiscoFuseReason.NO_SUBJECT
    return DiscoFuseReason.DANGLING if _dangles(words) else None


def _leaves_verb_out(words: Sequence[Word], verbs: Sequence[Word]) -> bool:
    """Whether a modal has no verb: what "they will for many" says is in the other half."""
    pos = {word.position: word.pos for word in words}
    return any(
        verb.tag == "MD" and (verb.dep not in AUXILIARIES or pos.get(verb.head, "VERB") not in ("VERB", "AUX"))
        for verb in verbs
    )


def ends_as_sentence(words: Sequence[Word]) -> bool:
    """Whether the last word is final punctuation (quotes and brackets may follow it), or an abbreviation's stop."""
    for word in reversed(words):
        if word.text in TERMINAL or word.text.endswith("."):
            return True
        if word.text not in CLOSING and word.text not in ("'", '"'):
            return False
    return False


def is_balanced(words: Sequence[Word]) -> bool:
    """Whether each quote and bracket that opens in a sentence closes there."""
    return balanced([w[9] or w[0] for w in words]) and not _opens_quote(words)


def balanced(texts: Sequence[str]) -> bool:
    """Whether brackets nest and double quotes come in twos. Single quotes are mostly apostrophes and are not judged.

    Args:
        texts: the words as they were printed, since quotes may be directed there.
    """
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
    """Whether a single quote opens and none closes, as far as its print or the spacing tells: 'epoch year."""
    opened = 0
    for before, word in zip((None, *words), words):
        if word.text != "'":
            continue
        attached = before is not None and not before.space
        if word.original in _DIRECTED:
            opens, closes = word.original == "‘", word.original == "’"
        else:
            opens, closes = not word.original and not word.space and not attached, not word.original and attached
        opened = opened + 1 if opens else max(0, opened - closes)
    return opened > 0


def _has_residue(texts: list[str]) -> bool:
    """Whether markup is left, or what a bad deletion leaves: ", ." ", ," "( )", or a comma at the beginning."""
    return (
        not _RESIDUE.isdisjoint(texts)
        or texts[0] in (*_SEPARATORS, ")")
        or any(a in _SEPARATORS and b in _ENDING or (a, b) == ("(", ")") for a, b in zip(texts, texts[1:]))
    )


def _dangles(words: Sequence[Word]) -> bool:
    """Whether the last word before the final mark needs something after it: "his reaction was"."""
    body = list(words)
    while body and body[-1].text in _FINAL:
        body.pop()
    if not body:
        return True
    before, last, lower = body[:-1], body[-1], body[-1].text.lower()
    unfinished = last.text in _TITLES or last.tag in _OPEN_TAGS or lower in _OPEN_WORDS and last.tag != "RB"
    left_behind = lower in MODIFIERS and before and before[-1].text == ","  # ", mainly" has lost its "because"
    listed = lower == "follows" and before and before[-1].text.lower() == "as"
    return bool(unfinished or left_behind or listed) or lower in _COPULAS and last.pos in ("AUX", "VERB")
