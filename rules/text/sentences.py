"""Sentences of a paragraph in any language.

English has rules of its own (``segment``). For every other language ICU finds where a sentence may end, by the rules of
Unicode for all scripts (UAX 29). Marks before numbers and dashes, which those rules pass over, are added. Each place is
then judged by guards that hold in every language, and by what the language's file knows (``sentence_rules``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from icu4py.breakers import SentenceBreaker

from gistmill.rules.languages.language import ENGLISH, language_named
from gistmill.rules.text.abbreviations import MARKED_NAMES
from gistmill.rules.text.segment import split_sentences
from gistmill.rules.text.sentence_rules import SentenceRules, rules_of

_CLOSERS = "\"'”’“‘»«›‹)]}」』）】》〉］｝"
_OPENERS = frozenset("“‘„‚«‹([{「『（【《〈［｛¿¡")
_BRACKETS = tuple(map(tuple, ("()", "[]", "（）", "「」", "『』", "【】", "《》")))
_CORNERS = "「『"  # quotation marks, and what they hold is one
_BRACKET = re.compile(r"[(\[（「『【《]")
_QUOTES = frozenset("\"'”’“‘»«›‹」』")
_FULL_STOPS = frozenset(".．﹒․")
_STOPS = ".．﹒․…‥!?‼‽⁇⁈⁉！？｡。؟۔।॥"
_SPACES = " \t\n\u00a0\u2009\u202f\u3000"
_WEAK = frozenset(".!?…")  # marks that may stand inside a word; those of other scripts end a sentence without a space
# What UAX 29 passes over: a mark before a number, a dash or a sign, any ellipsis, and a space that was forgotten.
# Possessive, and never begun inside a run of marks: no text takes more than linear time.
_MARK = re.compile(
    r"[.!?…](?:(?<![.!?…]{2})[.!?…]*+(?:\s[.!?…]++){0,20}+"
    r"(?:[\"'”’“‘»«)\]}]|\[\d{1,4}\]|\s[»”](?=\s)|\s''(?=\s))*+\s++"
    r"|(?<=[^\W\d_]{3}[.!?])(?=[^\W\d_]{2}))"
)
_LINE_ENDS = re.compile("[\n\v\f\r\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")  # and halves of characters
_NOTES = re.compile(r"(?:\[\d{1,4}\])++\s*+")
_LAST_NOTES = re.compile(r"(?:\[\d{1,4}\])+$")
_WORD = re.compile(r"\w")
_NEXT = re.compile(r"(?P<open>\W{0,20}+)(?P<word>\w[^\s.,;:!?…،؛؟।۔\"”»)\]]{0,40}+)(?P<dot>\.?)")
# Something that closes or goes on, and no word that begins.
_CONTINUES = re.compile(r"[,;:%)\]}/、，；：・؛،」』）】》〉]|[\"'”’»›]++(?:[\s,;:]|$)")
_SMALL_NAME = re.compile(r"[a-z]{1,2}[A-Z]")  # iPhone, eBay
_APOSTROPHES = frozenset("'’‘")
_CLITIC = re.compile(r"[a-z] ['’‘]?[A-Z]")  # 's Avonds
_ITEM = re.compile(r"\d{1,3}|[^\W\d_]|[ivx]{2,4}")  # 3. Third of a list
# Han, kana and their marks, which are written without spaces
_UNSPACED = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uffef\U00020000-\U0003ffff]")
_LONGEST_BRACKET = 300
_LONGEST_TOKEN = 200
_LONGEST_COMMON = 40


def splitter_for(code: str) -> Callable[[str], list[str]]:
    """Returns what splits a paragraph of a language into sentences; ``en`` and "" are English.

    The sentences are pieces of the paragraph, in order and without white space at their ends. Only white space is
    between them. A paragraph without a mark is one sentence, as most Thai ones are.

    Args:
        code: ISO 639-1 code, or that of a Wikipedia. Any code has a splitter.
    """
    language = language_named(code or ENGLISH)
    return split_sentences if language.code == ENGLISH else partial(_split, rules_of(language.code))


def _split(rules: SentenceRules, text: str) -> list[str]:
    text = text.strip()
    sentences: list[str] = []
    start = 0
    word = _WORD.search(text)
    for place in _places(rules, text):
        begin = _begin_at(text, start, place)
        end = begin
        while end > start and text[end - 1].isspace():
            end -= 1
        if word is None or end <= word.start():  # a sentence has a letter or a number
            continue
        if _ends(rules, text, start, end, begin) and not _in_brackets(text, start, end):
            sentences.append(text[start:end])
            start = begin
            word = _WORD.search(text, start)
    return [*sentences, text[start:]] if text else []


def _places(rules: SentenceRules, text: str) -> Iterable[int]:
    """Where another sentence may begin, in order."""
    places = {*_breaks(rules.locale, text), *(mark.end() for mark in _MARK.finditer(text))}
    if rules.openers:
        places.update(opener.end() for opener in rules.openers.finditer(text))
    places.discard(len(text))
    return sorted(places)


def _breaks(locale: str, text: str) -> Iterator[int]:
    """Where ICU lets sentences end. Line ends are spaces here, and its offsets count units of UTF-16."""
    segments = SentenceBreaker(_LINE_ENDS.sub(" ", text), locale).segments()
    if text.isascii() or max(text) <= "\uffff":
        return (end for _, end in segments)
    wide = (at for at, character in enumerate(text) if character > "\uffff")
    units = [at + earlier for earlier, at in enumerate(wide)]
    return (end - bisect_left(units, end) for _, end in segments)


def _begin_at(text: str, start: int, begin: int) -> int:
    """Returns where the next sentence begins if one ends at a break: before what opens, and behind notes."""
    while begin - 1 > start and not text[begin].isspace() and _opens(text, start, begin - 1):
        begin -= 1
    notes = _NOTES.match(text, begin)
    return notes.end() if notes and not text[begin - 1].isspace() and notes.end() < len(text) else begin


def _opens(text: str, start: int, at: int) -> bool:
    """Whether a character, with a word close behind it, is an opening quote or bracket."""
    if text[at] != '"':
        return text[at] in _OPENERS
    unspaced = _UNSPACED.match(text, at + 1) and not text[at - 1].isspace()
    return unspaced is not None and text.count('"', max(start, at - _LONGEST_BRACKET), at) % 2 == 0


def _ends(rules: SentenceRules, text: str, start: int, end: int, begin: int) -> bool:
    """Whether the sentence from ``start`` ends at ``end``, where the next would begin at ``begin``."""
    if _surely_ends(rules, text, start, end, begin) or rules.openers and rules.openers.match(text, end):
        return True
    following = _NEXT.match(text, begin)
    if following is None or not _may_begin(rules, text, following):
        return False
    before, stop, close = _taken_apart(text[max(start, end - _LONGEST_TOKEN) : end])
    if not stop or not any(map(str.isalnum, before)):
        return False
    if end == begin and not _ends_unspaced(rules, text, _last_of(before), stop, close, following):
        return False
    if close and rules.speech and rules.speech.match(text, begin):
        return False
    return _mark_ends(rules, before, stop, close, following, aside=_closes_bracket(text, start, end, close))


def _surely_ends(rules: SentenceRules, text: str, start: int, end: int, begin: int) -> bool:
    """Whether a full stop stands between a common word and a capital, as most do; a shortcut for ``_ends``."""
    if text[end - 1] != "." or begin != end + 1 or not text[begin].isupper():
        return False
    space = text.rfind(" ", max(start, end - _LONGEST_COMMON), end - 1)
    return space > 0 and rules.is_common(text[space + 1 : end - 1])


def _may_begin(rules: SentenceRules, text: str, following: re.Match[str]) -> bool:
    """Whether a sentence can open with what follows."""
    begin = following.start()
    if _CONTINUES.match(text, begin) or rules.goes_on and rules.goes_on.match(text, begin):
        return False
    word = following["word"]
    if not (word[0].islower() and word[0].title() != word[0]):  # Georgian has small letters only
        return True
    if following["open"][-1:] in _APOSTROPHES and _CLITIC.match(text, following.start("word")):
        return True
    # "[t]he": a capital that an editor made small
    edited = len(word) == 1 and text[following.end("word") : following.end("word") + 1] == "]"
    return edited or _SMALL_NAME.match(word) is not None


def _taken_apart(piece: str) -> tuple[str, str, str]:
    """Returns what stands before the last mark of a piece, the mark, and what closes after it."""
    piece = _LAST_NOTES.sub("", piece)
    body = piece.rstrip(_CLOSERS + _SPACES)
    before = body.rstrip(_STOPS + _SPACES)
    if before == body:  # a mark of another script
        before = body[:-1]
    return before, body[len(before) :].strip(), piece[len(body) :]


def _ends_unspaced(
    rules: SentenceRules, text: str, token: str, stop: str, close: str, following: re.Match[str]
) -> bool:
    """Whether a mark ends a sentence though no white space follows."""
    if stop[-1:] not in _WEAK:
        return True
    if _UNSPACED.match(text, following.start()) and _UNSPACED.match(token[-1:]):
        return stop[-1] != "…"
    return len(stop) == 1 and not close and not following["open"] and _is_forgotten(rules, text, token, following)


def _is_forgotten(rules: SentenceRules, text: str, token: str, following: re.Match[str]) -> bool:
    """Whether two words beside a mark are written as a word and the first of a sentence, not as a name or address."""
    word, after = following["word"], text[following.end("word") : following.end("word") + 1]
    if min(len(token), len(word)) < 3 or not (after.isspace() or after in ",،"):
        return False
    if token[-1].lower() == token[-1].upper():  # a script without capitals
        return token[-1].isalpha() and not word[0].isupper() and not any(map(str.isdigit, token + word))
    if not (token.isalpha() and token[1:].islower() and word[0].isupper() and word[1:].islower()):
        return False
    return rules.starts(following) or not rules.starters and token[0].islower()


def _mark_ends(
    rules: SentenceRules, before: str, stop: str, close: str, following: re.Match[str], *, aside: bool
) -> bool:
    """Whether a mark ends the sentence whose last characters are ``before``.

    Args:
        aside: whether it stands at the end of brackets inside the sentence.
    """
    token = _last_of(before)
    if stop in _FULL_STOPS:
        return _full_stop_ends(rules, before, token, following, quoted=not aside and not _QUOTES.isdisjoint(close))
    if stop[0] in ".…‥":
        return not aside and before[-1] not in "[("
    return not aside and token + stop not in MARKED_NAMES


def _full_stop_ends(rules: SentenceRules, before: str, token: str, following: re.Match[str], *, quoted: bool) -> bool:
    """Whether a single full stop after ``token``, the last of ``before``, ends the sentence."""
    if _is_item(before, token):
        return False
    if before[-1] in _CLOSERS:
        return True
    return rules.full_stop_ends(before.split(), following, quoted=quoted)


def _last_of(before: str) -> str:
    return (before.rsplit(None, 1) or [""])[-1]


def _is_item(before: str, token: str) -> bool:
    """Whether ``token`` is the number or letter of an item of a list, which opens a sentence or stands inside one."""
    opens = len(token) == len(before) or token.isdecimal() and before[: -len(token)].rstrip().endswith((";", ":"))
    return opens and _ITEM.fullmatch(token) is not None


def _closes_bracket(text: str, start: int, end: int, close: str) -> bool:
    """Whether what closes at ``end`` has a bracket that opened inside the sentence."""
    first = max(start + 1, end - _LONGEST_BRACKET)
    return any(closing in close and text.rfind(opening, first, end) >= 0 for opening, closing in _BRACKETS)


def _in_brackets(text: str, start: int, end: int) -> bool:
    """Whether ``end`` lies in brackets that opened inside the sentence, or corners anywhere in it, and close soon."""
    if _BRACKET.search(text, max(start, end - _LONGEST_BRACKET), end) is None:
        return False
    for opening, closing in _BRACKETS:
        first = max(start + (opening not in _CORNERS), end - _LONGEST_BRACKET)
        if text.count(opening, first, end) > text.count(closing, first, end):
            opened = text.rfind(opening, first, end)
            if text.find(closing, end, opened + _LONGEST_BRACKET) >= 0:
                return True
    return False
