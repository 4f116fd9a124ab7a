"""What news sites add to articles in other languages than English: the table ``[news]`` of ``rules/languages``.

Its keys, all optional, in lower case:

- ``begins``: how lines of the site begin. A phrase without a colon behind it counts where the line ends no sentence.
- ``holds``: phrases that no reporter writes, anywhere in a line.
- ``bylines``: words before the names of authors.
- ``datelines``: regular expressions of what stands before the first sentence, beside ``Berlin (dpa) -``.

The English rules look at English words and capitals, and do not hold here. Where the table has nothing the text stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gistmill.rules.languages.language import ENGLISH, language_named
from gistmill.rules.news.words import AGENCY, BYLINE_WORDS, UPPER
from gistmill.rules.text.prose import ends_sentence

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
    """How the lines of sites in a language look; see the module."""

    joiner: str
    begins: tuple[str, ...]
    holds: tuple[str, ...]
    bylines: tuple[str, ...]
    datelines: tuple[re.Pattern[str], ...]

    def has(self, text: str) -> bool:
        """Whether a whole paragraph is the site's and not the article's: a line of its own, or a byline."""
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
        """Whether a word ends before ``rest``."""
        return not self.joiner or not rest[:1].isalpha()

    def _is_byline(self, text: str) -> bool:
        lower = text.lower()
        word = next((w for w in self.bylines if lower.startswith(w) and self._is_whole(text[len(w) :])), None)
        if word is None or len(text) > _LONGEST_BYLINE or ends_sentence(text, colon=False):
            return False
        names = text[len(word) :].strip(" :：")
        if names.lower() == names.upper():  # of a script without capitals
            return 0 < len(names) <= _LONGEST_UNCASED_BYLINE
        return bool(names) and all(map(_may_be_in_a_name, names.split()))

    def without_dateline(self, text: str) -> str:
        """Returns a paragraph without what stands before its first sentence."""
        found = _DATELINE.match(text)
        if found and not _BEFORE_AGENCY.search(text, 0, found.start("agency")):
            return text[found.end() :] or text
        match = next(filter(None, (pattern.match(text) for pattern in self.datelines)), None)
        return (text[match.end() :] or text) if match else text


def _may_be_in_a_name(word: str) -> bool:
    bare = word.strip(".,;()/&|–—-")
    return not bare or not bare[0].islower() or len(bare) <= _NAME_PARTICLE or bare in BYLINE_WORDS


@lru_cache(maxsize=512)
def site_lines(language: str) -> SiteLines | None:
    """Returns how the lines of sites in a language, given as its code, look; None for English, which is also ""."""
    known = language_named(language or ENGLISH)
    if known.code == ENGLISH:
        return None
    table = known.tables.get("news", {})
    begins, holds, bylines, datelines = (table.get(key, ()) for key in ("begins", "holds", "bylines", "datelines"))
    return SiteLines(known.joiner, tuple(begins), tuple(holds), tuple(bylines), tuple(map(re.compile, datelines)))
