"""Documents of some sections of a news site, by the words of their URLs: ``/sport/football/``, ``sports.example.com``.

Source: the DiscoFuse paper (Geva et al., 2019), section 3.2, whose Sports half is "several million sports articles" of
the Web. The paper does not say how they were found; here the URL decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gistmill.core.options import HTML, PLAIN, Options, option
from gistmill.core.records import ACCEPTED, FromDocument, Reason, Verdict
from gistmill.core.values import custom, list_of


@dataclass(frozen=True, slots=True)
class Topic:
    """How sites name the sections of a topic.

    Attributes:
        words: names of sections, in lower case and without hyphens.
        in_hosts: what the host of a site about the topic contains.
    """

    words: frozenset[str]
    in_hosts: re.Pattern[str]


_SPORTS = """
sport sports sporting sportsnews othersports moresports athletics gymnastics olympics paralympics trackandfield
football soccer americanfootball collegefootball rugby rugbyunion rugbyleague cricket baseball softball basketball
netball volleyball handball hockey icehockey fieldhockey lacrosse tennis badminton squash golf bowls snooker darts
boxing mma ufc wrestling judo karate taekwondo archery swimming waterpolo sailing rowing surfing cycling
triathlon biathlon skiing snowboarding curling horseracing racing motorsport motorsports motorracing
formula1 formulaone f1 motogp nascar indycar
nba wnba nfl mlb nhl mls cfl ncaa ncaaf ncaab afl nrl ipl pga pgatour lpga atp wta fifa uefa
premierleague championsleague worldcup tourdefrance espn
"""
TOPICS: Mapping[str, Topic] = {
    "sports": Topic(
        words=frozenset(_SPORTS.split()),
        in_hosts=re.compile("(?<!pas|ran)sports|football|soccer|basketball|baseball|cricket|hockey|tennis|espn"),
    ),
}
"""Topics by name: the sections that a name stands for."""

_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#@]*@)?(?P<host>[\w.-]+)(?::\d*)?(?P<path>(?:/[^?#]*)?)(?:[?#]|$)")
_BETWEEN_WORDS = re.compile(r"(?:%[0-9a-f]{2}|[\W_])+")
_WORD = re.compile(r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*")
_KINDS = frozenset(
    "article articles blog blogs columns feature features headlines live news opinion reports results".split()
)
_MOST_WORDS = 3  # a folder of more is the headline of an article


class SectionReason(Reason):
    """Why a document is not of the wanted sections."""

    NO_URL = "the document has no URL that can be read"
    OTHER_SECTION = "the URL of the document names none of the sections of --url-sections"


def _section(value: Any) -> str:
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise ValueError("expected words such as sports")
    return "".join(_words(value))


SECTIONS = list_of(custom(_section, pattern=_WORD.pattern, metavar="WORD", allowed="a word of URLs, such as sports"))


@dataclass(frozen=True, kw_only=True)
class SectionsConfig(Options):
    """The sections that documents may be of."""

    GROUP: ClassVar[str] = "input"

    url_sections: tuple[str, ...] | None = option(
        SECTIONS,
        help="keep documents whose URL names one of these sections in a folder or in its host; `sports` stands for "
        "sports, leagues and sports sites (docs/sections.md). Without a URL a document is rejected",
        markups=frozenset({HTML, PLAIN}),
    )

    def verdict(self, document: FromDocument) -> Verdict:
        """Returns whether a document is of these sections, else NO_URL or OTHER_SECTION."""
        url = document.origin.metadata.url
        found = _URL.match(url.lower())
        if not found:
            return Verdict(SectionReason.NO_URL, url)
        host, path = found["host"], found["path"]
        folders = [folder for folder in path.split("/") if folder][:-1]  # the last is the article
        named = {name for part in (*host.split("."), *folders) for name in _names(part)}
        for section in self.url_sections or ():
            topic = TOPICS.get(section)
            if section in named or (topic and (topic.words & named or topic.in_hosts.search(host))):
                return ACCEPTED
        return Verdict(SectionReason.OTHER_SECTION, url)


def _words(text: str) -> list[str]:
    return [word for word in _BETWEEN_WORDS.split(text.lower()) if word]


def _names(part: str) -> Iterator[str]:
    """The sections that a folder, or a label of a host, may be of: itself, and what its last word says.

    ``college-football`` is football, but ``football-boots`` are boots. Words such as "news" do not count at the end,
    nor does a number: ``football-news``, ``sport1``.
    """
    words = _words(part)
    yield "".join(words)
    while words and words[-1] in _KINDS:
        words.pop()
    if words and len(words) <= _MOST_WORDS:
        for name in ("".join(words), words[-1]):
            yield name
            yield name.rstrip("0123456789")
