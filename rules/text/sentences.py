"""Sentence segmentation in any language, of natural or tokenised text.

English has its own rules (``segment``). In all other languages ICU proposes sentence ends, by the Unicode rules for all
scripts (UAX 29); marks before numbers and dashes, which those rules skip, are added. Each proposal is then checked by
rules that apply to all languages and by the rules in the language's file (``SentenceRules``).

The table ``[sentences]`` in a language's file may contain these lists, whose entries omit a final full stop:

- ``never_last``: abbreviations that never end a sentence; "prof" includes "Prof";
- ``before_numbers``: abbreviations that do not end a sentence if a number follows;
- ``either``: abbreviations that end a sentence only if a word in ``starters`` follows;
- ``dates``: abbreviations of eras, and of years and centuries after their number. They may end a sentence of many
  words, but rarely do so near its beginning ("In 49 BC. Marcus ...");
- ``last``: abbreviations such as "etc" that end a sentence if a capital follows; those also in ``never_last`` do so
  only after a number (Russian "5 м." is a length, "м. Арбат" a station);
- ``starters``: words that open sentences and are hardly ever part of a name; "C'" stands for all words it begins;
- ``goes_on``: patterns of continuations after a mark that does not end the sentence, such as Japanese particles;
- ``speech``: words soon after a quotation that belong to its sentence, for scripts without lower case;
- ``openers``: words that open a sentence after a plain space, in a language without sentence marks;

``shortened`` is the number of letters up to which any word before a full stop is taken for an abbreviation.

Abbreviations match regardless of case: "Sig" as "sig" and, among other words in capitals, as "SIG". But since "sta" is
also a word, it counts only if the next word looks like a name, that is, is not in ``starters``.

Summarization datasets often contain tokenised text: "it rained . they left ." In such text, a full stop that ends a
sentence is a separate token, unlike that of an abbreviation, so the next word need not be capitalised.
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
# Lists shared by all or some languages: abbreviations, and languages in which a full stop marks an ordinal number.
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
# Scripts in which a character is a syllable, so that a single one may be a word.
_SYLLABLE = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")
_NUMBER_OF_DEGREES = re.compile(r"\d[°º]?$|^[°º]$")
_DEGREES = frozenset("CFK")
_WORDS_BEFORE_DATE = 8
_SPEECH_WITHIN = 12  # characters


class SentenceRules:
    """The rules of a language, given by its code; without a table, only the general rules apply.

    Attributes:
        locale: the language's code.
        starters, goes_on, speech, openers: as in the module docstring; None for patterns that the language lacks.
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
        # Abbreviations that contain capitals, in lower case.
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
        """Whether ``token`` is a lower-case word, and so not a name, and most likely not an abbreviation."""
        return len(token) > 3 and token.islower() and token.isalpha() and not self._is_listed(token)

    def starts(self, following: re.Match[str]) -> bool:
        """Whether the following ``word`` always opens a sentence."""
        word = following["word"].replace("’", "'")
        head, apostrophe, _ = word.partition("'")
        return not following["dot"] and (word in self.starters or head + apostrophe in self.starters)

    def full_stop_ends(self, words: Sequence[str], following: re.Match[str], *, quoted: bool) -> bool:
        """Whether a full stop ends a sentence.

        Args:
            words: text before the full stop, split at white space; the last few words of the sentence suffice.
            following: text after it: opening marks (``open``), a ``word``, and the ``dot`` after the word.
            quoted: whether a quotation closes after the full stop.
        """
        if self.is_common(words[-1]):
            return True  # the usual case
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
        """Whether a full stop ends a sentence after a word that is in none of the lists checked earlier."""
        if self._is_capitalised(token, following["word"]):
            return False
        number = following["word"][0].isdecimal() or _ROMAN.fullmatch(following["word"]) is not None
        if _is_in(token, self._before_numbers) and (number or (len(token) > 1 and token not in self._lowered)):
            return not number  # Italian "gen" can also be a general
        if token.isdecimal():
            if not self._ordinals:
                return True
            if len(token) < 4:
                return self.starts(following)
            return not (following["word"].isdecimal() and following["dot"])  # a year; "2016. 11. 28." is a date
        return quoted or not self._is_abbreviation(token) or self.starts(following)

    def _is_last(self, token: str, whole: str, *, numbered: bool) -> bool:
        """Whether an abbreviation ends a sentence if a capital follows."""
        if (whole != token and whole in self._last) or (numbered and token in _UNITS):
            return True
        return token in self._last and (numbered or not self._is_never_last(token, whole))

    def _is_never_last(self, token: str, whole: str) -> bool:
        return _is_in(whole, self._never_last) or _is_in(token, self._never_last)

    def _is_capitalised(self, token: str, word: str) -> bool:
        """Whether ``token``, before ``word``, is a listed abbreviation in a text all in capitals."""
        if len(token) < 3 or not (token.isupper() and word.isupper()) or word.capitalize() in self.starters:
            return False
        return token.lower() in self._lowered or self._is_listed(token.lower())

    def _is_abbreviation(self, token: str) -> bool:
        """Whether ``token`` may be an abbreviation, initial or ordinal that can precede a name."""
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
    """Whether a list contains ``token``, as it is or with its first letter in lower case."""
    return token in words or (len(token) > 1 and token[0].lower() + token[1:] in words)


_CLOSERS = "\"'”’“‘»«›‹)]}」』）】》〉］｝"
_OPENERS = frozenset("“‘„‚«‹([{「『（【《〈［｛¿¡")
_BRACKETS = tuple(map(tuple, ("()", "[]", "（）", "「」", "『』", "【】", "《》")))
_CORNERS = "「『"  # brackets that serve as quotation marks
_BRACKET = re.compile(r"[(\[（「『【《]")
_QUOTES = frozenset("\"'”’“‘»«›‹」』")
_FULL_STOPS = frozenset(".．﹒․")
_SHADS = "།༎༏༐༑༔"
_STOPS = ".．﹒․…‥!?‼‽⁇⁈⁉！？｡。؟۔।॥" + _SHADS
_SPACES = " \t\n\u00a0\u2009\u202f\u3000"
_WEAK = frozenset(
    ".!?…"
)  # marks that may occur inside a word; those of other scripts end a sentence even without a space
# Boundaries that UAX 29 skips: marks before a number, dash or sign, ellipses, and marks with the space forgotten; the
# colon that Armenians type for their full stop; shads, and the space that replaces them after the letters ka and ga.
# Possessive, and never starting inside a run of marks, so that any text takes linear time.
_MARK = re.compile(
    r"[.!?…](?:(?<![.!?…]{2})[.!?…]*+(?:\s[.!?…]++){0,20}+"
    r"(?:[\"'”’“‘»«)\]}]|\[\d{1,4}\]|\s[»”](?=\s)|\s''(?=\s))*+\s++"
    r"|(?<=[^\W\d_]{3}[.!?])(?=[^\W\d_]{2}))"
    r"|(?<=[ա-և»]):\s++(?=[Ա-Ֆ])"
    rf"|[{_SHADS}]++(?:\s*+[{_SHADS}]++)*+\s*+|(?<=[ཀག])[ིེོུ]?+\s++(?=[ཀ-ཬ])"
)
_LINE_ENDS = re.compile("[\n\v\f\r\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")  # and lone surrogates
_NOTES = re.compile(r"(?:\[\d{1,4}\])++\s*+")
_LAST_NOTES = re.compile(r"(?<!\[\d\])(?<!\[\d\d\])(?<!\[\d{3}\])(?<!\[\d{4}\])(?:\[\d{1,4}\])++$")
_WORD = re.compile(r"\w")
_NEXT = re.compile(r"(?P<open>\W{0,20}+)(?P<word>\w[^\s.,;:!?…،؛؟।۔\"”»)\]]{0,40}+)(?P<dot>\.?)")
# Text that closes or continues a sentence.
_CONTINUES = re.compile(r"[,;:%)\]}/、，；：・؛،」』）】》〉]|[\"'”’»›]++(?:[\s,;:]|$)|ល។")  # Khmer "។ល។", etc.
_SMALL_NAME = re.compile(r"[a-z]{1,2}[A-Z]")  # iPhone, eBay
_APOSTROPHES = frozenset("'’‘")
_CLITIC = re.compile(r"[a-z] ['’‘]?[A-Z]")  # 's Avonds
_ITEM = re.compile(r"\d{1,3}|[^\W\d_]|[ivx]{2,4}")  # 3. Third of a list
# Han, kana and their punctuation, written without spaces
_UNSPACED = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uffef\U00020000-\U0003ffff]")
_LONGEST_BRACKET = 300
_LONGEST_TOKEN = 200
_LONGEST_COMMON = 40


def splitter_for(code: str) -> Callable[[str], list[str]]:
    """Returns a function that splits paragraphs in a language into sentences.

    The sentences are stripped pieces of the paragraph, in order, separated only by white space. A paragraph without
    sentence marks, such as most Thai ones, is one sentence.

    Args:
        code: ISO 639-1 code or code of a Wikipedia; any code is accepted, and "" is English.
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
        if word is None or end <= word.start():  # a sentence contains a letter or a number
            continue
        if _ends(rules, text, start, end, begin) and not _in_brackets(text, start, end):
            sentences.append(text[start:end])
            start = begin
            word = _WORD.search(text, start)
    return [*sentences, text[start:]] if text else []


def _places(rules: SentenceRules, text: str) -> Iterable[int]:
    """Returns the positions at which another sentence may begin, in order."""
    places = {*_breaks(rules.locale, text), *(mark.end() for mark in _MARK.finditer(text))}
    if rules.openers:
        places.update(opener.end() for opener in rules.openers.finditer(text))
    places.discard(len(text))
    return sorted(places)


def _breaks(locale: str, text: str) -> Iterator[int]:
    """Returns ICU's sentence boundaries, with line ends taken as spaces; converts its offsets from UTF-16 units."""
    segments = SentenceBreaker(_LINE_ENDS.sub(" ", text), locale).segments()
    if text.isascii() or max(text) <= "\uffff":
        return (end for _, end in segments)
    wide = (at for at, character in enumerate(text) if character > "\uffff")
    units = [at + earlier for earlier, at in enumerate(wide)]
    return (end - bisect_left(units, end) for _, end in segments)


def _begin_at(text: str, start: int, begin: int) -> int:
    """Returns the beginning of the next sentence if one ends at a break: before opening marks, and after notes."""
    while begin - 1 > start and not text[begin].isspace() and _opens(text, start, begin - 1):
        begin -= 1
    notes = _NOTES.match(text, begin)
    return notes.end() if notes and not text[begin - 1].isspace() and notes.end() < len(text) else begin


def _opens(text: str, start: int, at: int) -> bool:
    """Whether a character directly before a word is an opening quotation mark or bracket."""
    if text[at] != '"':
        return text[at] in _OPENERS
    unspaced = _UNSPACED.match(text, at + 1) and not text[at - 1].isspace()
    return unspaced is not None and text.count('"', max(start, at - _LONGEST_BRACKET), at) % 2 == 0


def _ends(rules: SentenceRules, text: str, start: int, end: int, begin: int) -> bool:
    """Whether the sentence from ``start`` ends at ``end``, so that the next begins at ``begin``."""
    if _surely_ends(rules, text, start, end, begin) or (rules.openers and rules.openers.match(text, end)):
        return True
    following = _NEXT.match(text, begin)
    if following is None or not _may_begin(rules, text, following):
        return False
    before, stop, close = _taken_apart(text[max(start, end - _LONGEST_TOKEN) : end])
    if stop in ("", "၊") or not any(map(str.isalnum, before)):  # in Burmese, UAX 29 also breaks at commas
        return False
    if end == begin and not _ends_unspaced(rules, text, _last_of(before), stop, close, following):
        return False
    if close and rules.speech and rules.speech.match(text, begin):
        return False
    return _mark_ends(rules, before, stop, close, following, aside=_closes_bracket(text, start, end, close))


def _surely_ends(rules: SentenceRules, text: str, start: int, end: int, begin: int) -> bool:
    """Whether a full stop separates a common word from a capital, as most do; a shortcut for ``_ends``."""
    if text[end - 1] != "." or begin != end + 1 or not text[begin].isupper():
        return False
    space = text.rfind(" ", max(start, end - _LONGEST_COMMON), end - 1)
    return space > 0 and rules.is_common(text[space + 1 : end - 1])


def _may_begin(rules: SentenceRules, text: str, following: re.Match[str]) -> bool:
    begin = following.start()
    if _CONTINUES.match(text, begin) or (rules.goes_on and rules.goes_on.match(text, begin)):
        return False
    word = following["word"]
    if not (word[0].islower() and word[0].title() != word[0]):  # Georgian has only small letters
        return True
    if following["open"][-1:] in _APOSTROPHES and _CLITIC.match(text, following.start("word")):
        return True
    # "[t]he": an editor changed a capital to lower case
    edited = len(word) == 1 and text[following.end("word") : following.end("word") + 1] == "]"
    return edited or _SMALL_NAME.match(word) is not None


def _taken_apart(piece: str) -> tuple[str, str, str]:
    """Returns the text before the last mark of a piece, the mark, and the closing marks after it."""
    piece = _LAST_NOTES.sub("", piece)
    body = piece.rstrip(_CLOSERS + _SPACES)
    before = body.rstrip(_STOPS + _SPACES)
    if before == body:  # a mark of another script
        before = body[:-1]
    return before, body[len(before) :].strip(), piece[len(body) :]


def _ends_unspaced(
    rules: SentenceRules, text: str, token: str, stop: str, close: str, following: re.Match[str]
) -> bool:
    """Whether a mark ends a sentence although no white space follows."""
    if stop[-1:] not in _WEAK:
        return True
    if _UNSPACED.match(text, following.start()) and _UNSPACED.match(token[-1:]):
        return stop[-1] != "…"
    return len(stop) == 1 and not close and not following["open"] and _is_forgotten(rules, text, token, following)


def _is_forgotten(rules: SentenceRules, text: str, token: str, following: re.Match[str]) -> bool:
    """Whether the words around a mark look like the end and beginning of sentences, not like a name or address."""
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
        aside: whether the mark is at the end of brackets inside the sentence.
    """
    token = _last_of(before)
    if stop in _FULL_STOPS:
        # ``token`` may be the number or letter of a list item, at the beginning of a sentence or inside it.
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
    """Whether a bracket closing at ``end`` was opened inside the sentence."""
    first = max(start + 1, end - _LONGEST_BRACKET)
    return any(closing in close and text.rfind(opening, first, end) >= 0 for opening, closing in _BRACKETS)


def _in_brackets(text: str, start: int, end: int) -> bool:
    """Whether ``end`` is inside brackets that close soon; only corner brackets may open at the sentence's beginning."""
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
# Without question and exclamation marks, which French separates with a space.
_ALONE, _ATTACHED = re.compile(r"(?<!\S)[.,](?!\S)"), re.compile(r"(?<=\S)[.,](?!\S)")


def splitter_of(texts: Iterable[str], language: str = "") -> Callable[[str], list[str]]:
    """Returns a function that splits the texts of a document into sentences, by the rules for tokenised text if they
    look tokenised, otherwise by those for natural text in ``language`` (a code, "" for English)."""
    return split_tokenised if looks_tokenised(texts) else splitter_for(language)


def looks_tokenised(texts: Iterable[str]) -> bool:
    """Whether most full stops and commas are separate tokens."""
    known = tuple(texts)
    alone = _count(_ALONE, known)
    return alone > 0 and alone > _count(_ATTACHED, known)  # most texts have none


def split_tokenised(text: str) -> list[str]:
    """Returns the sentences of a tokenised text. Each ends with a mark that is a token and any closing marks after it;
    marks left over at the end are added to the last sentence."""
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
