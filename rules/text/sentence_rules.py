"""What the words beside a full stop tell in a language: abbreviations, ordinals, words that open sentences.

The table ``[sentences]`` of a language's file may have these lists, all without full stops at the end:

- ``never_last``: abbreviations that something always follows; "prof" is "Prof" too, but "Mr" is not "mr";
- ``before_numbers``: abbreviations that stand inside a sentence where a number follows;
- ``either``: abbreviations that may end a sentence; only a word of ``starters`` behind them tells;
- ``dates``: abbreviations of eras, and of years and centuries behind their number. They end a sentence of many words,
  but are rarely followed by another where they stand near its beginning ("In 49 BC. Marcus ...");
- ``last``: abbreviations such as "etc", which end a sentence where a capital follows; if they are in ``never_last``
  too, behind a number only (Russian "5 м." is a length, "м. Арбат" is a station);
- ``starters``: words that open sentences and are hardly ever part of a name; "C'" is all that begins so;
- ``goes_on``: patterns of what goes on behind a mark that ends no sentence, such as particles of Japanese;
- ``speech``: words close behind a quotation that belong to its sentence, where no small letters tell;
- ``openers``: words that open a sentence behind a mere space, in a language without marks;

and ``shortened``, the number of letters up to which any word before a full stop is an abbreviation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gistmill.rules.languages.language import language_named

_TABLE = "sentences"
# English and Latin ones, which stand in texts of every language.
_NEVER_LAST = frozenset("Mr Mrs Ms Dr Prof St Sgt Capt Lt Col Gen Gov Sen Rev Mt Ft vs cf ca feat".split())
_BEFORE_NUMBERS = frozenset("No Nr no nr Vol vol p pp Fig fig".split())
_EITHER = frozenset("Inc Ltd Co Corp Bros Jr Sr al".split())
_LAST = frozenset(("etc",))
# A number with a full stop is an ordinal in these, in Korean a part of a date. Roman ones are, too, but for two.
_ORDINALS = frozenset("bar bs cs da de dsb et fi fo gsw hr hsb hu is ko lb lv nds nn no pl sh sk sl sr tr".split())
_ROMAN_ORDINALS = _ORDINALS - {"ko", "pl"}
# Where l and r are vowels, too.
_SYLLABIC = frozenset("bs cs hr mk sh sk sl sr".split())

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
_UNITS = frozenset("m km cm mm kg g mg l ml hl ha м км см мм кг мг л га kW kWh MW Hz kHz MHz GHz zł Kč kr Ft".split())
_WORDS_BEFORE_DATE = 8
_SPEECH_WITHIN = 12  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRules:
    """What is known of a language; see the module.

    Attributes:
        locale: the language's code.
        goes_on: matches behind a mark that ends no sentence.
        speech: matches behind a quotation.
        openers: the white space before an opener.
        ordinals: whether a number with a full stop is an ordinal.
        roman: whether a Roman one is, too.
        syllabic: whether l and r are vowels.
    """

    locale: str
    never_last: frozenset[str]
    before_numbers: frozenset[str]
    either: frozenset[str]
    dates: frozenset[str]
    last: frozenset[str]
    starters: frozenset[str]
    goes_on: re.Pattern[str] | None
    speech: re.Pattern[str] | None
    openers: re.Pattern[str] | None
    shortened: int
    ordinals: bool
    roman: bool
    syllabic: bool

    def is_common(self, token: str) -> bool:
        """Whether ``token`` is a word in small letters that is neither a name nor, most likely, an abbreviation."""
        return len(token) > 3 and token.islower() and token.isalpha() and not self._is_listed(token)

    def starts(self, following: re.Match[str]) -> bool:
        """Whether the ``word`` that follows opens a sentence, whatever stands before it."""
        word = following["word"].replace("’", "'")
        head, apostrophe, _ = word.partition("'")
        return not following["dot"] and (word in self.starters or head + apostrophe in self.starters)

    def full_stop_ends(self, words: Sequence[str], following: re.Match[str], *, quoted: bool) -> bool:
        """Whether a full stop ends a sentence.

        Args:
            words: what stands before the full stop, divided at white space; the last ones of the sentence do.
            following: what follows: what may ``open``, the ``word``, and the ``dot`` behind it.
            quoted: whether a quotation closes behind the full stop.
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
        if whole in self.dates and (numbered or "." in whole):
            return self._date_ends(words, following)
        if self._is_never_last(token, whole):
            return False
        return self._word_ends(token, following, quoted=quoted)

    def _word_ends(self, token: str, following: re.Match[str], *, quoted: bool) -> bool:
        """Whether a full stop ends a sentence behind a word that no list of those that end one, or never do, has."""
        if _is_in(token, self.before_numbers) and (len(token) > 1 or _is_number(following["word"])):
            return not _is_number(following["word"])
        if token.isdecimal():
            return self._number_ends(token, following)
        return quoted or not self._is_abbreviation(token) or self.starts(following)

    def _is_last(self, token: str, whole: str, *, numbered: bool) -> bool:
        """Whether an abbreviation ends a sentence where a capital follows."""
        if whole != token and whole in self.last or numbered and token in _UNITS:
            return True
        return token in self.last and (numbered or not self._is_never_last(token, whole))

    def _is_never_last(self, token: str, whole: str) -> bool:
        return _is_in(whole, self.never_last) or _is_in(token, self.never_last)

    def _date_ends(self, words: Sequence[str], following: re.Match[str]) -> bool:
        return self.starts(following) or len(words) > _WORDS_BEFORE_DATE and not following["open"]

    def _number_ends(self, number: str, following: re.Match[str]) -> bool:
        if not self.ordinals:
            return True
        if len(number) < 4:
            return self.starts(following)
        return not (following["word"].isdecimal() and following["dot"])  # a year; "2016. 11. 28." is a date

    def _is_abbreviation(self, token: str) -> bool:
        """Whether ``token`` may be an abbreviation, an initial or an ordinal, which a name may follow."""
        if _is_in(token, self.either) or _SPELT.fullmatch(token) or self.roman and _ROMAN.fullmatch(token):
            return True
        if len(token) == 1:
            return token.isalpha() and not _SYLLABLE.match(token)
        if len(token) <= self.shortened and not token.isascii():
            return True
        if token.isupper() or not _CONSONANTS.fullmatch(token.lower()):
            return False
        return not (self.syllabic and ("r" in token or "l" in token or "р" in token))

    def _is_listed(self, token: str) -> bool:
        return token in self.never_last or token in self.before_numbers or token in self.either


@lru_cache(maxsize=512)
def rules_of(code: str) -> SentenceRules:
    """Returns the rules of a language by its code; those without a table have what holds for all."""
    language = language_named(code)
    own = language.words(_TABLE, "either") | language.words(_TABLE, "last")
    goes_on, speech, openers = (
        "|".join(sorted(language.words(_TABLE, key))) for key in ("goes_on", "speech", "openers")
    )
    return SentenceRules(
        locale=language.code,
        never_last=_NEVER_LAST - own | language.words(_TABLE, "never_last"),
        before_numbers=_BEFORE_NUMBERS - own | language.words(_TABLE, "before_numbers"),
        either=_EITHER | language.words(_TABLE, "either"),
        dates=language.words(_TABLE, "dates"),
        last=_LAST | language.words(_TABLE, "last"),
        starters=language.words(_TABLE, "starters"),
        goes_on=re.compile(goes_on) if goes_on else None,
        speech=re.compile(rf"[^\s。！？，、.,!?]{{0,{_SPEECH_WITHIN}}}?(?:{speech})[^\w：:]") if speech else None,
        openers=re.compile(rf"(?<!\s)\s++(?=(?:{openers}))") if openers else None,
        shortened=language.tables.get(_TABLE, {}).get("shortened", 0),
        ordinals=language.code in _ORDINALS,
        roman=language.code in _ROMAN_ORDINALS,
        syllabic=language.code in _SYLLABIC,
    )


def _is_number(word: str) -> bool:
    return word[0].isdecimal() or _ROMAN.fullmatch(word) is not None


def _is_in(token: str, words: frozenset[str]) -> bool:
    """Whether a list has ``token``, or has it with a small letter in front."""
    return token in words or len(token) > 1 and token[0].lower() + token[1:] in words
