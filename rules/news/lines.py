"""Lines that a news site adds to its articles, as whole paragraphs: links, prompts, credits and notices.

The English phrases and patterns are in ``[news_lines]`` of ``en.toml``, which lists only phrases that no reporter
writes. Patterns are looked up by a paragraph's first word, so that most paragraphs cost one dictionary look-up. Most
rules match whole lines; rules that match only the beginning do not apply to lines that report speech.

Other languages use the table ``[news]`` instead, since the English rules depend on English words and capitals. Text
that the table does not cover is kept. Its keys, all optional, with phrases in lower case:

- ``begins``: phrases that begin site lines; unless a colon follows, the line must not end like a sentence.
- ``holds``: phrases that no reporter writes, anywhere in a line.
- ``bylines``: words before author names.
- ``datelines``: regular expressions for text before the first sentence, in addition to ``Berlin (dpa) -``.
- ``closes``: regular expressions for headings that end the article, such as those of notes and links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from gistmill.rules.languages.language import ENGLISH, language_named
from gistmill.rules.news.heads import AGENCY, BYLINE_WORDS, DATE, UPPER
from gistmill.rules.text.prose import ends_sentence

_TABLES = language_named(ENGLISH).tables["news_lines"]
_NAMES = {"DATE": DATE, **{name: "".join(part) for name, part in _TABLES["names"].items()}}


def _pattern(pieces: str | list[str]) -> str:
    pattern = "".join(pieces)
    for name, part in _NAMES.items():
        pattern = pattern.replace(f"{{{name}}}", part)
    return pattern


def _anywhere(*tables: str) -> list[tuple[list[str], re.Pattern[str], bool]]:
    """Returns rules for text anywhere in a line: lower-case hints, of which the line must contain one; a pattern; and
    whether the rule is skipped for lines that report speech."""
    rules = []
    for table in tables:
        for entry in _TABLES[table]:
            unless_speech = entry.get("unless_speech", table == "disclosures")
            rules.append((entry["hints"], re.compile(_pattern(entry["pattern"]), re.I), unless_speech))
    return rules


def _by_word(*tables: str) -> dict[str, re.Pattern[str]]:
    """Returns patterns, keyed by the first word of the line."""
    patterns: dict[str, list[str]] = {}
    for table in tables:
        for words, pieces in _TABLES[table].items():
            for word in words.split():
                patterns.setdefault(word, []).append(f"(?:{_pattern(pieces)})")
    return {word: re.compile("|".join(found), re.I) for word, found in patterns.items()}


_ALWAYS, _UNLESS_SPEECH, _PROMPTS = _by_word("always", "prompts"), _by_word("unless_speech"), _by_word("prompts")
_ANYWHERE = _anywhere("anywhere", "prompts_anywhere", "disclosures")
_PROMPTS_ANYWHERE = _anywhere("prompts_anywhere")
_FORMS = _TABLES["forms"]
_LAST_WORDS, _COUNT, _NOTICE = (re.compile(_pattern(_FORMS[key]), re.I) for key in ("last_words", "count", "notice"))
_CAPTION, _SHORT_CAPTION, _LABEL = (re.compile(_pattern(_FORMS[key])) for key in ("caption", "short_caption", "label"))
_LONGEST = 700  # characters; longer lines are considered prose regardless of their beginning
_SPEECH = re.compile(r"\b(?:said|says|told|added|wrote|asked|according to|replied|warned|argued|insisted)\b", re.I)
_FIRST_WORD = re.compile(r"[^\w©]*([^\W\d_]+|©)")
_DATE_LINE = re.compile(rf"{DATE}(?:\W+\d{{1,2}}[:.]\d\d(?:\s?[ap]\.?m\.?)?(?:\s[A-Z]{{2,4}})?)?\W*")
_LETTER = re.compile(r"[^\W\d_]")
_SENTENCE_ENDS = frozenset("!?…:,;\"'”’")
_ANYWHERE_LONGEST = 400
_END = 60
_SHORT = 60
_SHORTEST_STORY = 130  # characters; a longer paragraph with a credit at its end may be more than a caption
_CAPTION_END = 180  # characters searched for such a credit


def is_boilerplate(text: str, *, listed: bool = False) -> bool:
    """Whether a whole paragraph was added by the site. A line that is only a date or number belongs to the article if
    it is ``listed``, that is, a list item or a table row."""
    if len(text) > _LONGEST:
        return False
    if _LABEL.match(text) or _NOTICE.match(text) or _is_caption(text) or _begins(text, _ALWAYS):
        return True
    if _begins(text, _UNLESS_SPEECH) and not _SPEECH.search(text):
        return True
    if not listed and _is_bare(text):
        return True
    return len(text) <= _ANYWHERE_LONGEST and (bool(_LAST_WORDS.search(text[-_END:])) or _holds(text, _ANYWHERE))


def is_foreign_prompt(text: str) -> bool:
    """Whether a whole paragraph is a prompt, notice or credit in one of the languages of the ``prompts`` tables."""
    if len(text) > _LONGEST:
        return False
    return _begins(text, _PROMPTS) or (len(text) <= _ANYWHERE_LONGEST and _holds(text, _PROMPTS_ANYWHERE))


def _is_bare(text: str) -> bool:
    """Whether a line is a separator, a page number, a date or a count."""
    if not _LETTER.search(text):
        return True
    return len(text) <= _SHORT and bool(_DATE_LINE.fullmatch(text) or _COUNT.match(text))


def _is_caption(text: str) -> bool:
    if text[-1:] in _SENTENCE_ENDS:
        return False
    short = len(text) <= _SHORTEST_STORY
    return bool(_CAPTION.search(text[-_CAPTION_END:]) or (short and _SHORT_CAPTION.search(text)))


def _begins(text: str, by_word: Mapping[str, re.Pattern[str]]) -> bool:
    first = _FIRST_WORD.match(text)
    pattern = by_word.get(first[1].lower()) if first else None
    return first is not None and pattern is not None and pattern.match(text, first.start(1)) is not None


def _holds(text: str, rules: Iterable[tuple[list[str], re.Pattern[str], bool]]) -> bool:
    lower = text.lower()
    for hints, pattern, unless_speech in rules:
        for hint in hints:
            if hint in lower and pattern.search(text) and not (unless_speech and _SPEECH.search(text)):
                return True
    return False


_LONGEST_LINE, _LONGEST_HOLDING = 200, 400  # characters
_LONGEST_BYLINE, _LONGEST_UNCASED_BYLINE = 80, 30
_MARKS = ' \t*•·-–—>»▶►|[(（【「"“„«'
_LABEL_ENDS = (":", "：", "=", "＝", "/", "／", "|", "»", ">", "©")
_NAME_PARTICLE = 3  # letters of the longest: von, van, bin
# "Berlin (dpa) - ", "MADRID, 5 may (EFE).-", "PARIS (AFP/Reuters) — ".
_DATELINE = re.compile(
    rf"[{UPPER}Ѐ-Я][^()\n]{{1,60}}?\s?\((?P<agency>{AGENCY}(?:\s?[/,-]\s?{AGENCY})*|dpa/[a-z]{{2,4}}|epd|KNA|sid|SID|Belga"
    r"|Lusa|Agência Brasil|Adnkronos|LaPresse|Reuters)\)\s*(?:[-–—:]+\s*|\.\s?[-–—]+\s*)"
)
_BEFORE_AGENCY = re.compile(r"[.!?]\s")


@dataclass(frozen=True, slots=True)
class SiteLines:
    """The patterns of site lines in a language; see the module docstring."""

    joiner: str
    begins: tuple[str, ...]
    holds: tuple[str, ...]
    bylines: tuple[str, ...]
    datelines: tuple[re.Pattern[str], ...]

    def has(self, text: str) -> bool:
        """Whether a whole paragraph was added by the site, or is a byline."""
        lower = text.lower()
        if len(text) <= _LONGEST_HOLDING and any(phrase in lower for phrase in self.holds):
            return True
        if len(text) > _LONGEST_LINE:
            return False
        bare = lower.lstrip(_MARKS)
        return any(self._is_begun(bare, phrase) for phrase in self.begins) or self._is_byline(text)

    def _is_begun(self, bare: str, phrase: str) -> bool:
        if not bare.startswith(phrase):
            return False
        rest = bare[len(phrase) :]
        if phrase.endswith(_LABEL_ENDS) or rest.lstrip().startswith(_LABEL_ENDS):
            return True
        return self._is_whole(rest) and not ends_sentence(bare, colon=False)

    def _is_whole(self, rest: str) -> bool:
        """Whether a word ends just before ``rest``."""
        return not self.joiner or not rest[:1].isalpha()

    def _is_byline(self, text: str) -> bool:
        lower = text.lower()
        word = next((w for w in self.bylines if lower.startswith(w) and self._is_whole(text[len(w) :])), None)
        if word is None or len(text) > _LONGEST_BYLINE or ends_sentence(text, colon=False):
            return False
        names = text[len(word) :].strip(" :：")
        if names.lower() == names.upper():  # a script without capitals
            return 0 < len(names) <= _LONGEST_UNCASED_BYLINE
        return bool(names) and all(map(_may_be_in_a_name, names.split()))

    def without_dateline(self, text: str) -> str:
        """Returns a paragraph without the dateline before its first sentence."""
        found = _DATELINE.match(text)
        if found and not _BEFORE_AGENCY.search(text, 0, found.start("agency")):
            return text[found.end() :] or text
        match = next(filter(None, (pattern.match(text) for pattern in self.datelines)), None)
        return (text[match.end() :] or text) if match else text


def _may_be_in_a_name(word: str) -> bool:
    bare = word.strip(".,;()/&|–—-")
    return not bare or not bare[0].islower() or len(bare) <= _NAME_PARTICLE or bare in BYLINE_WORDS


@lru_cache(maxsize=512)
def _closing(language: str) -> re.Pattern[str] | None:
    known = language_named(language or ENGLISH)
    found = _FORMS["closes"] if known.code == ENGLISH else "|".join(known.tables.get("news", {}).get("closes", ()))
    return re.compile(_pattern(found), re.I) if found else None


def closes_article(heading: str, language: str) -> bool:
    """Whether the article ends before a heading; ``language`` is a language code, or "" for English."""
    pattern = _closing(language)
    return pattern is not None and pattern.fullmatch(heading.strip(" :.…!")) is not None


@lru_cache(maxsize=512)
def site_lines(language: str) -> SiteLines | None:
    """Returns the patterns of site lines in a language, given by its code; None for English ("" or ``en``)."""
    known = language_named(language or ENGLISH)
    if known.code == ENGLISH:
        return None
    table = known.tables.get("news", {})
    begins, holds, bylines, datelines = (table.get(key, ()) for key in ("begins", "holds", "bylines", "datelines"))
    return SiteLines(known.joiner, tuple(begins), tuple(holds), tuple(bylines), tuple(map(re.compile, datelines)))
