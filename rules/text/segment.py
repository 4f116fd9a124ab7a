"""Sentence segmentation of plain English prose without a parse, by the words next to each possible end mark.

The rules are made for edited text (news, encyclopedias). An abbreviation that may or may not end a sentence ends it
only before a word that opens sentences ("The", "He", "In"). As in treebanks, quotations of several sentences are split;
text in brackets inside a sentence is not.
"""

from __future__ import annotations

import re

from gistmill.rules.languages.language import ENGLISH, english_words, language_named

# Always followed by something: a name, a number, the other party.
NEVER_LAST = english_words("segment", "never_last")
_WORDS = frozenset("sir hon rep reps rev sens mt ft fr".split())  # words that some of these are in lower case
# If a number follows, the sentence continues; otherwise the full stop ends it.
BEFORE_NUMBERS = english_words("segment", "before_numbers")
# May be at the end of a sentence or inside it; they end it only before a word that opens sentences.
EITHER = english_words("segment", "either")
EITHER |= {word.lower() for word in NEVER_LAST if not word.isupper()} - NEVER_LAST - _WORDS
# State abbreviations formerly used by the Associated Press; some are also words, so they count only after a comma.
STATES = english_words("segment", "states")
CLOCK = frozenset("a.m p.m A.M P.M am pm".split())
AFTER_CLOCK = english_words("segment", "after_clock")
# Nouns followed by a single letter that is not an initial: "Plan B."
LABELLED = english_words("segment", "labelled")
# Names that end in a mark.
MARKED_NAMES = frozenset(("Yahoo!", "Jeopardy!", "Yum!"))
# Verbs after a quotation with its own end mark: '"No!" Mr Roe said.'
SPEECH_VERBS = tuple(language_named(ENGLISH).tables["segment"]["speech_verbs"])
# Capitalised words that open a sentence and are hardly ever part of a name after an abbreviation or initial.
STARTERS = english_words("segment", "starters")


_QUOTES = frozenset("\"'“”‘’«`")
_OPENERS = "\"'“”‘’«`([{¿¡"
# Lower-case words after which a full stop may not end a sentence.
_SMALL = frozenset(w for w in NEVER_LAST | BEFORE_NUMBERS | EITHER | CLOCK if w.islower())
# A possible end mark, the closing marks after it (quotes, brackets, note numbers) and white space; the space may be
# missing only between a lower-case letter and a capitalised word. Possessive, and never starting inside a run of
# marks, so that any text takes linear time.
_MARK = re.compile(
    r"(?<![.!?…])(?P<stop>[.!?…]++(?:\s[.!?…]++){0,20}+)(?P<close>(?:[\"'”’»)\]}]|\[\d{1,4}\]|\s''(?=\s))*+)"
    r"(?:(?P<gap>\s++)|(?<=[a-z]{2}[.!?])(?=[A-Z][a-z]*\s))"
)
_NEXT = re.compile(rf"(?P<open>[{re.escape(_OPENERS)}]*)(?P<word>[^\W_]+(?:['’][a-z]+)?|[$£€#@•*…]|\.\.)?(?P<dot>\.?)")
_SPEAKER = re.compile(rf"(?:[A-Z][\w.'’-]{{0,63}}\s++){{1,4}}(?:{'|'.join(SPEECH_VERBS)})\b")
_SMALL_NAME = re.compile(r"[a-z]{1,2}[A-Z]")  # iPhone, eBay
_SPELT = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}")  # U.S, Ph.D
_ITEM = re.compile(r"\d{1,3}|[A-Za-z]|[ivx]{2,4}")  # 3. Third of a list
_LAST_PART = re.compile(r"[-–—/(\[\"'“‘]")
_LONGEST_BRACKET = 300
_LONGEST_TOKEN = 200


def split_sentences(text: str) -> list[str]:
    """Returns the sentences of a paragraph in order, stripped of white space.

    Only the white space between them is lost; a paragraph without a mark is one sentence.
    """
    text = text.strip()
    sentences = []
    start = 0
    for mark in _MARK.finditer(text):
        end = mark.end("close")
        if (_surely_ends(text, start, mark) or _ends(text, start, mark)) and not _in_brackets(text, start, end):
            sentences.append(text[start:end])
            start = mark.end()
    if start < len(text):
        sentences.append(text[start:])
    return sentences


def _surely_ends(text: str, start: int, mark: re.Match[str]) -> bool:
    """Whether ``mark`` is a full stop between a common word and a capital, like most; a shortcut for ``_ends``."""
    if mark.group() != ". " or not text[mark.end() : mark.end() + 1].isupper():
        return False
    dot = mark.start()
    space = text.rfind(" ", start, dot)
    return space > 0 and _is_common(text[space + 1 : dot])


def _is_common(token: str) -> bool:
    """Whether ``token`` is a lower-case word, and so not a name, and most likely not an abbreviation."""
    return len(token) > 1 and token.islower() and token.isalpha() and token not in _SMALL


def _ends(text: str, start: int, mark: re.Match[str]) -> bool:
    """Whether the sentence that begins at ``start`` ends at ``mark``."""
    following = _NEXT.match(text, mark.end())
    if following is None or (word := following["word"]) is None or not _may_begin(word, text, following.end("word")):
        return False
    before = text[max(start, mark.start() - _LONGEST_TOKEN) : mark.start()]
    token = "" if before[-1:].isspace() else (before.rsplit(None, 1) or [""])[-1]
    stop, close = mark["stop"], mark["close"]
    if mark["gap"] is None:
        return word in STARTERS and token.isalpha()
    if stop == ".":
        return _full_stop_ends(before, token, close, following)
    if not before.strip(_OPENERS):  # the mark opens the sentence: "... and so on"
        return False
    if stop[0] in ".…":
        return before[-1] not in "[("
    if close and _SPEAKER.match(text, mark.end()):
        return False
    return token + stop not in MARKED_NAMES


def _may_begin(word: str, text: str, at: int) -> bool:
    """Whether a sentence can begin with ``word``, which ends at ``at``."""
    if not word[0].islower():
        return True
    # "[t]he": an editor changed a capital to lower case
    return _SMALL_NAME.match(word) is not None or (len(word) == 1 and text[at : at + 1] == "]")


def _full_stop_ends(before: str, token: str, close: str, following: re.Match[str]) -> bool:
    """Whether a single full stop after ``token``, the last token in ``before``, ends the sentence."""
    # ``token`` may be the number or letter of a list item, at the beginning of a sentence or inside it.
    opens = len(token) == len(before) or (token.isdigit() and _word_before(before, token).endswith((";", ":")))
    if opens and _ITEM.fullmatch(token) is not None:
        return False
    if _is_common(token):
        return True  # the usual case
    token = _LAST_PART.split(token)[-1]
    if token in NEVER_LAST:
        return False
    return bool(close) or _abbreviation_ends(before, token, following)


def _abbreviation_ends(before: str, token: str, following: re.Match[str]) -> bool:
    """Whether a sentence ends after ``token``, which may be an abbreviation."""
    word = following["word"]
    starts = word in STARTERS and not following["dot"]
    if token in BEFORE_NUMBERS:
        return not word[0].isdigit()
    if token in CLOCK:
        return word not in AFTER_CLOCK and not word[0].isdigit() and not following["open"].startswith("(")
    if (token.isupper() and len(token) == 1) or token == "c":  # an initial, or circa
        return starts or _word_before(before, token).lower() in LABELLED
    of_place = token in STATES and _word_before(before, token).endswith((",", "("))
    if of_place or token in EITHER or _SPELT.fullmatch(token):
        return starts or following["open"][-1:] in _QUOTES
    return True


def _word_before(before: str, token: str) -> str:
    return (before[: -len(token)].rsplit(None, 1) or [""])[-1]


def _in_brackets(text: str, start: int, end: int) -> bool:
    """Whether ``end`` is inside brackets that were opened within the sentence and close soon."""
    opened = text.rfind("(", start + 1, end)
    if opened < 0 or text.find(")", opened, end) >= 0:
        return False
    return text.find(")", end, opened + _LONGEST_BRACKET) >= 0
