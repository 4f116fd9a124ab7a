"""Titles of news articles reduced to the headline: without labels, site names and section names.

A part of a title is removed only if there is evidence that it is not the headline: the document's site or address, the
form of an outlet's name, or a section name. ``Place.leaves_doubt`` reports titles that may still contain such a part.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gistmill.rules.languages.language import ENGLISH, english_words, language_named
from gistmill.rules.news.heads import DATE, MEDIUM
from gistmill.rules.text.prose import without_controls, without_invisible
from gistmill.rules.text.words import words_of

_TABLE = language_named(ENGLISH).tables["news_words"]
_LABEL = rf"(?i:{'|'.join(_TABLE['title_labels'])})"
_BRACKETED = rf"[\[({{]\s*{_LABEL}(?:\s*(?:[,&+/]|and)\s*{_LABEL})*\s*[\])}}]"
_WIRE = r"(?:UPDATE|WRAPUP|RPT|REFILE|CORRECTED|EXCLUSIVE|FACTBOX|ANALYSIS|TIMELINE|INTERVIEW)(?: \d+)?-(?=\S)"
_LABELS = re.compile(rf"(?:{_BRACKETED}[:|–—-]?|{_LABEL}(?: {_LABEL})?(?:\s?[:|»]|\s[–—-])(?=\s)|{_WIRE})\s*")
_LAST_LABEL = re.compile(rf"\s*{_BRACKETED}$")
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]{0,50}>")
_SEPARATOR = re.compile(  # except the dash in a score: 2 - 1
    r"\s*(?P<strong>\||¦|::|»|(?<=\s)[·•›](?=\s))\s*|(?<!\d)\s[-–—:~]{1,3}\s|(?<=\d)\s[-–—:~]{1,3}\s(?!\d)"
)
_BEFORE_SITE = re.compile(r"(?:\s*[|¦»:]+|\s[-–—·•~]+)\s*$")
_EDGES = " |¦»·•:~"
_HOST = re.compile(r"\w+://(?:[^/?#@]*@)?([^/?#@:]+)")
_DOMAIN = re.compile(r"(?:[\w-]+\.)+(?:com|org|net|info|tv|co|io|[a-z]{2})", re.I)
_SUFFIX = re.compile(r"\.(?:com|org|net|info|tv|io|co\.[a-z]{2}|[a-z]{2})$", re.I)
_SMALL = frozenset("a an and at by de for in la le of on the to".split())  # lower-case words in names
_OUTLET = re.compile(
    rf"(?:{MEDIUM}|\b(?:Newspapers?|Guardian|Telegraph|Chronicle|Observer|Magazine|Daily|Weekly|Online|Blog|Wiki|FM)\b)"
    r"(?: [A-Z]\w*)?$|^(?:BBC|CNN|NPR|CBS|NBC|ABC|Reuters|Associated Press|Al Jazeera|Bloomberg|Wikipedia)\b"
)
_SECTIONS = english_words("news_words", "sections")
_LIST = re.compile(
    r"(?:^|: )(?:(?:the|our|my|these) )?(?:top \d+\b|(?:\d{1,3}\+?|two|three|four|five|six|seven|eight|nine|ten|twelve)"
    r" (?:(?:of the )?(?:best|worst)\b|(?:[\w’'-]+ ){0,3}?(?:ways|things|reasons|tips|tricks|hacks|facts|ideas"
    r"|signs|steps|secrets|lessons|mistakes|habits|takeaways|questions|examples)\b))",
    re.I,
)
# Function words of languages in the Latin script.
_FUNCTION_WORDS = [frozenset(words.split()) for words in _TABLE["function_words"]]
_SHORTEST = 3  # minimum number of letters in a meaningful part of an address
_MOST_NAME, _MOST_UNSURE = 6, 3  # maximum number of words in an outlet's name, and in a part that may well be one


@dataclass(frozen=True)
class Place:
    """A document's place of publication: the name of the ``site`` and the ``url``, each "" if unknown."""

    site: str = ""
    url: str = ""

    @cached_property
    def _host(self) -> str:
        return found[1] if (found := _HOST.match(self.url)) else ""

    @cached_property
    def _labels(self) -> frozenset[str]:
        """The parts of the host that may be a name: ``bbc`` in www.bbc.co.uk."""
        labels = set(self._host.split(".")[:-1]) - {"www", "com", "org", "net", "gov", "edu"}
        return frozenset(_joined(x) for x in labels if len(x) >= _SHORTEST)

    def names(self, part: str) -> bool:
        """Whether ``part`` consists of nothing but the name of the site or its host."""
        known = {*self._labels, *map(_joined, (self.site, _SUFFIX.sub("", self.site), self._host))} - {""}
        return not known.isdisjoint((_joined(part), _joined(_SUFFIX.sub("", part))))

    def has_section(self, part: str) -> bool:
        """Whether ``part`` is a date, a known section name or a folder in the address."""
        folders = self.url.split("?")[0].rstrip("/").split("/")[3:-1] if len(part.split()) <= _MOST_UNSURE else ()
        found = part.casefold() in _SECTIONS or _joined(part) in {_joined(x) for x in folders} - {""}
        return found or bool(re.fullmatch(rf"{DATE}|[\d./]+", part))

    def has_outlet(self, part: str) -> bool:
        """Whether ``part``, next to a separator, names this outlet or looks like an outlet's name."""
        if self.names(part) or _DOMAIN.fullmatch(part):
            return True
        words, site = _name(part), set(_name(_SUFFIX.sub("", self.site)))
        if not 0 < len(words) <= _MOST_NAME or any(w[0].islower() and w not in _SMALL for w in part.split()):
            return False
        if site and (site.issuperset(words) or (site.issubset(words) and len(words) <= len(site) + 2)):
            return True
        by_host = (x in words or x.startswith("".join(words)) or _abbreviates(x, words) for x in self._labels)
        return any(by_host) or bool(_OUTLET.search(part))

    def owns(self, part: str) -> bool:
        """Whether ``part``, next to a separator, belongs to the site and not to the headline."""
        return self.has_outlet(part) or self.has_section(part)

    def leaves_doubt(self, title: str) -> bool:
        """Whether a cleaned title may still contain the name of a site or section."""
        known = {x for x in (_joined(self.site), *self._labels) if len(x) > _SHORTEST}
        for mark in _SEPARATOR.finditer(title):
            left, right = title[: mark.start()], title[mark.end() :]
            goes_on = right[:1].islower() and " " in right
            short = min(len(left.split()), len(right.split())) <= _MOST_UNSURE and not goes_on
            if mark["strong"] or short or any(name in _joined(right) for name in known):
                return True
        return any(map(self.names, title.split(": ")))


def _name(text: str) -> list[str]:
    return [w for w in words_of(text) if w not in _SMALL]


def _joined(text: str) -> str:
    return "".join(words_of(text)).removeprefix("the")


def _abbreviates(label: str, words: Sequence[str]) -> bool:
    """Whether ``label`` consists of the beginnings of all words in turn, like ``nytimes``, or ends with the words."""
    ends = {0}
    for word in words:
        ends = {i + n for i in ends for n in range(1, len(word) + 1) if label.startswith(word[:n], i)}
    return len(label) in ends or label[_SHORTEST:].endswith("".join(words))


def clean_title(title: str, place: Place = Place()) -> str:
    """Returns a title without markup, labels such as ``[VIDEO]`` and names of sites and sections."""
    place, text, before = Place(_folded(place.site), place.url), title, ""
    while text != before:
        before, text = text, _peeled(_folded(text), place)
    return text


def _folded(text: str) -> str:
    text = _MARKUP.sub("", html.unescape(text))
    return unicodedata.normalize("NFC", " ".join(without_invisible(without_controls(text)).split()))


def _peeled(text: str, place: Place) -> str:
    """Returns the title without one of the parts at its ends that are not the headline."""
    text = _LAST_LABEL.sub("", text.lstrip(_EDGES).rstrip(_EDGES + "-–—"))
    if (label := _LABELS.match(text)) and label.end() < len(text):
        return text[label.end() :]
    known = len(place.site) if text.casefold().endswith(place.site.casefold()) else 0  # may contain separators
    if known and (mark := _BEFORE_SITE.search(text[:-known])):
        return text[: mark.start()] or text
    if marks := list(_SEPARATOR.finditer(text)):
        first, last = text[: marks[0].start()], text[marks[-1].end() :]
        if place.owns(last):
            return text[: marks[-1].start()]
        if place.names(first) or (marks[0]["strong"] and place.owns(first)):
            return text[marks[0].end() :]
    start, _, rest = text.partition(": ")
    is_news = start.endswith("News") and start[:-4].strip().casefold() in {"", *_SECTIONS}
    return rest if rest and (is_news or place.names(start)) else text


def announces_list(title: str) -> bool:
    """Whether a title announces a list, such as ``10 ways to win`` or ``Top 5 ...``."""
    return bool(_LIST.search(title))


def is_foreign(title: str, text: str) -> bool:
    """Whether a title is in a different script from the text, or its function words are from another language."""
    ours, its = _scripts(title), _scripts(text)
    if 2 * sum(n for script, n in ours.items() if 10 * its[script] >= its.total()) < ours.total():
        return True
    present = set(words_of(text))
    absent = set(words_of(title)) - present
    return any(len(words & absent) >= 2 and len(words & present) < 3 for words in _FUNCTION_WORDS)


def _scripts(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for c, n in Counter(text[:2000]).items():
        found[unicodedata.name(c, "?").split()[0]] += n * c.isalpha()
    return found
