"""Sentences of a paragraph in any language.

English has rules of its own (``segment``). For every other language ICU finds where a sentence may end, by the rules of
Unicode for all scripts (UAX 29). Marks before numbers and dashes, which those rules pass over, are added. Each place is
then checked by rules that hold in every language and by those in the language's file (``sentence_rules``).

The table ``[sentences]`` of a language's file may have these lists, all without full stops at the end:

- ``never_last``: abbreviations that something always follows; "prof" is "Prof" too;
- ``before_numbers``: abbreviations that are inside a sentence if a number follows;
- ``either``: abbreviations that may end a sentence; they do if a word of ``starters`` follows;
- ``dates``: abbreviations of eras, and of years and centuries after their number. They end a sentence of many words,
  but are rarely followed by another near its beginning ("In 49 BC. Marcus ...");
- ``last``: abbreviations such as "etc", which end a sentence where a capital follows; if they are in ``never_last``
  too, after a number only (Russian "5 м." is a length, "м. Арбат" is a station);
- ``starters``: words that open sentences and are hardly ever part of a name; "C'" is all that begins so;
- ``goes_on``: patterns of continuations after a mark that does not end the sentence, such as Japanese particles;
- ``speech``: words soon after a quotation that belong to its sentence, for scripts without lower case;
- ``openers``: words that open a sentence after a plain space, in a language without marks;

and ``shortened``, the number of letters up to which any word before a full stop is an abbreviation.

An abbreviation is one in other letters, too: "Sig" as "sig" and, among other words in capitals, as "SIG". Because "sta"
is a word besides, a name has to follow that is not in ``starters``.

Sentences of text that is tokenised already, as summarization datasets often are: "it rained . they left ."

In such text a full stop that ends a sentence is a token of its own, and that of an abbreviation is not. So the word
that follows need not have a capital.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial

from icu4py.breakers import SentenceBreaker

from gistmill.rules.languages.language import COMMON, ENGLISH, language_named
from gistmill.rules.text.segment import MARKED_NAMES, split_sentences

_TABLE = "sentences"
_LISTS = ("never_last", "before_numbers", "either", "dates", "last", "starters", "goes_on", "speech", "openers")
# What holds in every language, or in some: abbreviations, and where a number with a full stop is an ordinal.
_NEVER_LAST, _BEFORE_NUMBERS, _EITHER, _LAST, _ORDINALS, _NOT_ROMAN, _SYLLABIC, _UNITS = (
    frozenset(COMMON["sentences"][key].split())
    for key in "never_last before_numbers either last ordinals not_roman syllabic units".split()
)

_ROMAN = re.compile(r"[IVXLCDM]{2,}")
_SPELT = re.compile(r"(?:[^\W\d_]{1,3}[.-]{1,2})+[^\W\d_]{1,3}")  # U.S, p.n.e, J.-C
_LAST_PART = re.compile(r"[-–—/(\[{\"'’“”„«»‘¿¡]")
_CONSONANTS = re.compile(
    "[bcdfghjklmnpqrstvwxzßçćčďđğłńňñřśšşţťțźżžбвгґджзйклмнпрстфхцчшщђјљњћџβγδζθκλμνξπρστφχψ]{2,3}"
)
# Scripts in which a character is a syllable, so that one may be a word.
_SYLLABLE = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")
_NUMBER_OF_DEGREES = re.compile(r"\d[°º]?$|^[°º]$")
_DEGREES = frozenset("CFK")
_WORDS_BEFORE_DATE = 8
_SPEECH_WITHIN = 12  # characters


class SentenceRules:
    """The rules of a language, given as its code; see the module. One without a table has the general rules.

    Attributes:
        locale: the language's code.
        starters, goes_on, speech, openers: as the module has them; the patterns are None where there are none.
    """

    def __init__(self, code: str) -> None:
        language = language_named(code)
        table = {key: language.words(_TABLE, key) for key in _LISTS}
        self.locale = language.code
        own = table["either"] | table["last"]
        self._never_last = _NEVER_LAST - own | table["never_last"]
        self._before_numbers = _BEFORE_NUMBERS - own | table["before_numbers"]
        self._either = _EITHER | table["either"]
        abbreviations = table["never_last"] | table["before_numbers"] | table["either"]
        # Those with capitals, in small letters.
        self._lowered = frozenset(word.lower() for word in abbreviations if not word.islower())
        self._dates, self._last, self.starters = table["dates"], _LAST | table["last"], table["starters"]
        goes_on, speech, openers = ("|".join(sorted(table[key])) for key in ("goes_on", "speech", "openers"))
        self.goes_on = re.compile(goes_on) if goes_on else None
        after_quotation = rf"[^\s。！？，、.,!?]{{0,{_SPEECH_WITHIN}}}?(?:{speech})[^\w：:]"
        self.speech = re.compile(after_quotation) if speech else None
        self.openers = re.compile(rf"(?<!\s)\s++(?=(?:{openers}))") if openers else None
        self._shortened: int = language.tables.get(_TABLE, {}).get("shortened", 0)
        self._ordinals = language.code in _ORDINALS
        self._roman = self._ordinals and language.code not in _NOT_ROMAN
        self._syllabic = language.code in _SYLLABIC

    def is_common(self, token: str) -> bool:
        """Whether ``token`` is a word in small letters that is neither a name nor, most likely, an abbreviation."""
        return len(token) > 3 and token.islower() and token.isalpha() and not self._is_listed(token)

    def starts(self, following: re.Match[str]) -> bool:
        """Whether the ``word`` that follows opens a sentence, whatever precedes it."""
        word = following["word"].replace("’", "'")
        head, apostrophe, _ = word.partition("'")
        return not following["dot"] and (word in self.starters or head + apostrophe in self.starters)

    def full_stop_ends(self, words: Sequence[str], following: re.Match[str], *, quoted: bool) -> bool:
        """Whether a full stop ends a sentence.

        Args:
            words: the text before the full stop, split at white space; the last words of the sentence suffice.
            following: the text after it: opening marks (``open``), the ``word``, and the ``dot`` after that.
            quoted: whether a quotation closes after the full stop.
        """
        if self.is_common(words[-1]):
            return True  # most of them
        token = _LAST_PART.split(words[-1])[-1] or words[-1]
        previous = words[-2] if len(words) > 1 else ""
        whole = previous + token if previous.endswith(".") else token  # "n. l." is "n.l."
        numbered = previous[-1:].isdecimal() or _ROMAN.fullmatch(previous) is not None
        if token in _DEGREES and _NUMBER_OF_DEGREES.search(previous):  # 20° C.
            return not (len(following["word"]) == 1 and following["dot"])
        if self._is_last(token, whole, numbered=numbered):
            return not following["word"][0].isdigit() and "(" not in following["open"]
        if whole in self._dates and (numbered or "." in whole):
            return self.starts(following) or (len(words) > _WORDS_BEFORE_DATE and not following["open"])
        if self._is_never_last(token, whole):
            return False
        return self._word_ends(token, following, quoted=quoted)

    def _word_ends(self, token: str, following: re.Match[str], *, quoted: bool) -> bool:
        """Whether a full stop ends a sentence after a word that is in no list of those that always or never end one."""
        if self._is_capitalised(token, following["word"]):
            return False
        number = following["word"][0].isdecimal() or _ROMAN.fullmatch(following["word"]) is not None
        if _is_in(token, self._before_numbers) and (number or (len(token) > 1 and token not in self._lowered)):
            return not number  # in Italian "gen" is a general, too
        if token.isdecimal():
            if not self._ordinals:
                return True
            if len(token) < 4:
                return self.starts(following)
            return not (following["word"].isdecimal() and following["dot"])  # a year; "2016. 11. 28." is a date
        return quoted or not self._is_abbreviation(token) or self.starts(following)

    def _is_last(self, token: str, whole: str, *, numbered: bool) -> bool:
        """Whether an abbreviation ends a sentence where a capital follows."""
        if (whole != token and whole in self._last) or (numbered and token in _UNITS):
            return True
        return token in self._last and (numbered or not self._is_never_last(token, whole))

    def _is_never_last(self, token: str, whole: str) -> bool:
        return _is_in(whole, self._never_last) or _is_in(token, self._never_last)

    def _is_capitalised(self, token: str, word: str) -> bool:
        """Whether ``token``, before ``word``, is a listed abbreviation among words that are all in capitals."""
        if len(token) < 3 or not (token.isupper() and word.isupper()) or word.capitalize() in self.starters:
            return False
        return token.lower() in self._lowered or self._is_listed(token.lower())

    def _is_abbreviation(self, token: str) -> bool:
        """Whether ``token`` may be an abbreviation, an initial or an ordinal, which a name may follow."""
        if _is_in(token, self._either) or token in self._lowered or _SPELT.fullmatch(token):
            return True
        if self._roman and _ROMAN.fullmatch(token):
            return True
        if len(token) == 1:
            return token.isalpha() and not _SYLLABLE.match(token)
        if len(token) <= self._shortened and not token.isascii():
            return True
        if token.isupper() or not _CONSONANTS.fullmatch(token.lower()):
            return False
        return not (self._syllabic and ("r" in token or "l" in token or "р" in token))

    def _is_listed(self, token: str) -> bool:
        return any(token in words for words in (self._never_last, self._before_numbers, self._either, self._lowered))


def _is_in(token: str, words: frozenset[str]) -> bool:
    """Whether a list has ``token``, or has it with a small letter in front."""
    return token in words or (len(token) > 1 and token[0].lower() + token[1:] in words)


_CLOSERS = "\"'”’“‘»«›‹)]}」』）】》〉］｝"
_OPENERS = frozenset("“‘„‚«‹([{「『（【《〈［｛¿¡")
_BRACKETS = tuple(map(tuple, ("()", "[]", "（）", "「」", "『』", "【】", "《》")))
_CORNERS = "「『"  # quotation marks whose content is a quotation
_BRACKET = re.compile(r"[(\[（「『【《]")
_QUOTES = frozenset("\"'”’“‘»«›‹」』")
_FULL_STOPS = frozenset(".．﹒․")
_SHADS = "།༎༏༐༑༔"
_STOPS = ".．﹒․…‥!?‼‽⁇⁈⁉！？｡。؟۔।॥" + _SHADS
_SPACES = " \t\n\u00a0\u2009\u202f\u3000"
_WEAK = frozenset(".!?…")  # marks that may be inside a word; those of other scripts end a sentence without a space
# What UAX 29 passes over: a mark before a number, a dash or a sign, any ellipsis, and a space that was forgotten; the
# colon that Armenians type for their full stop; shads, and the space in their place after the letters ka and ga.
# Possessive, and never begun inside a run of marks: no text takes more than linear time.
_MARK = re.compile(
    r"[.!?…](?:(?<![.!?…]{2})[.!?…]*+(?:\s[.!?…]++){0,20}+"
    r"(?:[\"'”’“‘»«)\]}]|\[\d{1,4}\]|\s[»”](?=\s)|\s''(?=\s))*+\s++"
    r"|(?<=[^\W\d_]{3}[.!?])(?=[^\W\d_]{2}))"
    r"|(?<=[ա-և»]):\s++(?=[Ա-Ֆ])"
    rf"|[{_SHADS}]++(?:\s*+[{_SHADS}]++)*+\s*+|(?<=[ཀག])[ིེོུ]?+\s++(?=[ཀ-ཬ])"
)
_LINE_ENDS = re.compile("[\n\v\f\r\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")  # and halves of characters
_NOTES = re.compile(r"(?:\[\d{1,4}\])++\s*+")
_LAST_NOTES = re.compile(r"(?<!\[\d\])(?<!\[\d\d\])(?<!\[\d{3}\])(?<!\[\d{4}\])(?:\[\d{1,4}\])++$")
_WORD = re.compile(r"\w")
_NEXT = re.compile(r"(?P<open>\W{0,20}+)(?P<word>\w[^\s.,;:!?…،؛؟।۔\"”»)\]]{0,40}+)(?P<dot>\.?)")
# Something that closes or continues, and not a word that begins.
_CONTINUES = re.compile(r"[,;:%)\]}/、，；：・؛،」』）】》〉]|[\"'”’»›]++(?:[\s,;:]|$)|ល។")  # Khmer "។ល។", etc.
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
    return split_sentences if language.code == ENGLISH else partial(_split, _rules_of(language.code))


_rules_of = lru_cache(maxsize=512)(SentenceRules)


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
    """Returns where the next sentence begins if one ends at a break: before what opens, and after notes."""
    while begin - 1 > start and not text[begin].isspace() and _opens(text, start, begin - 1):
        begin -= 1
    notes = _NOTES.match(text, begin)
    return notes.end() if notes and not text[begin - 1].isspace() and notes.end() < len(text) else begin


def _opens(text: str, start: int, at: int) -> bool:
    """Whether a character, with a word right after it, is an opening quote or bracket."""
    if text[at] != '"':
        return text[at] in _OPENERS
    unspaced = _UNSPACED.match(text, at + 1) and not text[at - 1].isspace()
    return unspaced is not None and text.count('"', max(start, at - _LONGEST_BRACKET), at) % 2 == 0


def _ends(rules: SentenceRules, text: str, start: int, end: int, begin: int) -> bool:
    """Whether the sentence from ``start`` ends at ``end``, where the next would begin at ``begin``."""
    if _surely_ends(rules, text, start, end, begin) or (rules.openers and rules.openers.match(text, end)):
        return True
    following = _NEXT.match(text, begin)
    if following is None or not _may_begin(rules, text, following):
        return False
    before, stop, close = _taken_apart(text[max(start, end - _LONGEST_TOKEN) : end])
    if stop in ("", "၊") or not any(map(str.isalnum, before)):  # of Burmese UAX 29 takes the comma, too
        return False
    if end == begin and not _ends_unspaced(rules, text, _last_of(before), stop, close, following):
        return False
    if close and rules.speech and rules.speech.match(text, begin):
        return False
    return _mark_ends(rules, before, stop, close, following, aside=_closes_bracket(text, start, end, close))


def _surely_ends(rules: SentenceRules, text: str, start: int, end: int, begin: int) -> bool:
    """Whether a full stop is between a common word and a capital, as most are; a shortcut for ``_ends``."""
    if text[end - 1] != "." or begin != end + 1 or not text[begin].isupper():
        return False
    space = text.rfind(" ", max(start, end - _LONGEST_COMMON), end - 1)
    return space > 0 and rules.is_common(text[space + 1 : end - 1])


def _may_begin(rules: SentenceRules, text: str, following: re.Match[str]) -> bool:
    begin = following.start()
    if _CONTINUES.match(text, begin) or (rules.goes_on and rules.goes_on.match(text, begin)):
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
    """Returns what precedes the last mark of a piece, the mark, and what closes after it."""
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
    """Whether two words next to a mark are written as a word and the first of a sentence, not as a name or address."""
    word, after = following["word"], text[following.end("word") : following.end("word") + 1]
    if min(len(token), len(word)) < 3 or not (after.isspace() or after in ",،"):
        return False
    if token[-1].lower() == token[-1].upper():  # a script without capitals
        return token[-1].isalpha() and not word[0].isupper() and not any(map(str.isdigit, token + word))
    if not (token.isalpha() and token[1:].islower() and word[0].isupper() and word[1:].islower()):
        return False
    return rules.starts(following) or (not rules.starters and token[0].islower())


def _mark_ends(
    rules: SentenceRules, before: str, stop: str, close: str, following: re.Match[str], *, aside: bool
) -> bool:
    """Whether a mark ends the sentence whose last characters are ``before``.

    Args:
        aside: whether it is at the end of brackets inside the sentence.
    """
    token = _last_of(before)
    if stop in _FULL_STOPS:
        # Whether a single full stop after ``token``, the last of ``before``, ends the sentence.
        # Whether ``token`` is the number or letter of an item of a list, which opens a sentence or is inside one.
        opens = len(token) == len(before) or (token.isdecimal() and before[: -len(token)].rstrip().endswith((";", ":")))
        if opens and _ITEM.fullmatch(token) is not None:
            return False
        if before[-1] in _CLOSERS:
            return True
        return rules.full_stop_ends(before.split(), following, quoted=not aside and not _QUOTES.isdisjoint(close))
    if stop[0] in ".…‥":
        return not aside and before[-1] not in "[("
    return not aside and token + stop not in MARKED_NAMES


def _last_of(before: str) -> str:
    return (before.rsplit(None, 1) or [""])[-1]


def _closes_bracket(text: str, start: int, end: int, close: str) -> bool:
    """Whether what closes at ``end`` has a bracket that opened inside the sentence."""
    first = max(start + 1, end - _LONGEST_BRACKET)
    return any(closing in close and text.rfind(opening, first, end) >= 0 for opening, closing in _BRACKETS)


def _in_brackets(text: str, start: int, end: int) -> bool:
    """Whether ``end`` is inside brackets opened in the sentence, or corner brackets anywhere, that close soon."""
    if _BRACKET.search(text, max(start, end - _LONGEST_BRACKET), end) is None:
        return False
    for opening, closing in _BRACKETS:
        first = max(start + (opening not in _CORNERS), end - _LONGEST_BRACKET)
        if text.count(opening, first, end) > text.count(closing, first, end):
            opened = text.rfind(opening, first, end)
            if text.find(closing, end, opened + _LONGEST_BRACKET) >= 0:
                return True
    return False


_END = re.compile(r"[.!?…]+")
_CLOSING_TOKENS = frozenset(("''", "”", "’", "»", ")", "]", "-rrb-", "-rsb-"))
_QUOTE = '"'  # opens and closes
_WORD_CHARACTER = re.compile(r"\w")
# Not question and exclamation marks, before which French has a space.
_ALONE, _ATTACHED = re.compile(r"(?<!\S)[.,](?!\S)"), re.compile(r"(?<=\S)[.,](?!\S)")


def splitter_of(texts: Iterable[str], language: str = "") -> Callable[[str], list[str]]:
    """Returns what splits the texts of one document into sentences: the rules for tokenised text if it looks so, else
    those for natural text of the language (a code, "" for English)."""
    return split_tokenised if looks_tokenised(texts) else splitter_for(language)


def looks_tokenised(texts: Iterable[str]) -> bool:
    """Whether most of the full stops and commas are tokens of their own."""
    known = tuple(texts)
    alone = _count(_ALONE, known)
    return alone > 0 and alone > _count(_ATTACHED, known)  # most texts have none


def split_tokenised(text: str) -> list[str]:
    """Returns the sentences of a tokenised text: each ends in a mark that is a token, and what closes after it. Marks
    that are left at the end belong to the last sentence."""
    sentences: list[str] = []
    tokens: list[str] = []
    ended = quoted = False
    for token in text.split():
        end = _END.fullmatch(token) is not None
        closes = token.lower() in _CLOSING_TOKENS or (token == _QUOTE and quoted)
        if ended and not end and not closes:
            sentences.append(" ".join(tokens))
            tokens, ended = [], False
        tokens.append(token)
        ended = ended or end
        quoted ^= token == _QUOTE
    rest = " ".join(tokens)
    if sentences and not _WORD_CHARACTER.search(rest):
        return [*sentences[:-1], f"{sentences[-1]} {rest}".rstrip()]
    return [*sentences, rest] if rest else sentences


def _count(pattern: re.Pattern[str], texts: Iterable[str]) -> int:
    return sum(len(pattern.findall(text)) for text in texts)
