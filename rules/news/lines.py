"""Lines that a news site adds to its articles: links, prompts, credits, notices. Whole paragraphs only.

A paragraph is looked up by its first word, so that the usual one costs a dictionary look-up. Most rules want the whole
line to have the form; those that know only its beginning do not match a line that reports speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gistmill.rules.news.disclosures import DISCLOSURES
from gistmill.rules.news.phrases import ALWAYS, ANYWHERE, UNLESS
from gistmill.rules.news.prompts import PROMPTS, PROMPTS_ANYWHERE
from gistmill.rules.news.words import DATE

_LONGEST = 700  # characters; what is longer is prose, whatever it begins with
_SPEECH = re.compile(r"\b(?:said|says|told|added|wrote|asked|according to|replied|warned|argued|insisted)\b", re.I)
_FIRST_WORD = re.compile(r"[^\w©]*([^\W\d_]+|©)")
_DATE_LINE = re.compile(rf"{DATE}(?:\W+\d{{1,2}}[:.]\d\d(?:\s?[ap]\.?m\.?)?(?:\s[A-Z]{{2,4}})?)?\W*")
_LETTER = re.compile(r"[^\W\d_]")
_SENTENCE_ENDS = frozenset("!?…:,;\"'”’")
_ANYWHERE_LONGEST = 400
_END = 60
_SHORT = 60
_SHORTEST_STORY = 130  # characters from which a paragraph with a credit at its end may be more than a caption
_LAST_WORDS = re.compile(
    r"(?:sign up|subscribe|click|register|download|follow|apply|donate|read more|learn more"
    r"|find out more) (?:here|now|today)(?: for (?:more )?(?:information|details))?\W*$",
    re.I,
)
_COUNT = re.compile(
    r"\W*\d[\d.,]*[km]? (?:shares?|comments?|views?|likes?|min(?:ute)?s? (?:read|ago)|hours? ago"
    r"|days? ago)\b.{0,30}$",
    re.I,
)
# "(This story corrects the headline)", and warnings.
_NOTICE = re.compile(
    r"(?:(?:content |trigger )?warning: (?=th|contain|graphic|spoiler|dis|som|may)"
    r"|\((?:adds|refiles|refiling|corrects|correcting|updates|recasts|removes|repeats|fixes|clarifies|rewrites"
    r"|releads)\b"
    r"[^()]{0,300}\)$"
    r"|\(this\b[^()]{0,200}\b(?:story|headline|paragraph|article|version|report|post)\b[^()]{0,200}\)$)",
    re.I,
)
# A caption, by the credit at its end: "The mayor on Tuesday. REUTERS/Jane Roe", "The bridge (AP Photo/Jane Roe)".
_CAPTION = re.compile(
    r"(?:[(\[]\s?(?:(?i:(?:file )?(?:photos?|images?|pictures?|illustration|photograph|photo credit|image credit)\b"
    r"(?: (?:by|courtesy|via|from|provided|credit|taken)\b| ?[:/©]))|AP Photo|Getty|REUTERS|Reuters|AFP|EPA|PA"
    r"|Picture:)"
    r"[^()\[\]]{0,160}[)\]]|\b(?:REUTERS|AFP|AP Photo|EPA|Getty Images|Shutterstock|Alamy)\s?"
    r"(?:/\s?[^.!?/]{2,60})?)\.?$"
)
_SHORT_CAPTION = re.compile(r"[\w.!?”\"’)]\s+(?:Photo|Image|Picture|Pic|Photograph)s?(?: [Cc]redit)?:\s?[^.!?]{2,40}$")
_CAPTION_END = 180  # characters that hold such a credit
_LABEL = re.compile(
    r"(?:MORE|READ(?: MORE| NEXT| ALSO)?|RELATED(?: STORY| STORIES| ARTICLE)?|WATCH(?: LIVE| NOW)?|VIDEO|PHOTOS?"
    r"|ALSO(?: READ| SEE| WATCH)?|SEE(?: ALSO| MORE)?|LISTEN(?: NOW)?"
    r"|GALLERY|Gallery|IN PICTURES|IN PHOTOS|LIVE(?: UPDATES?| BLOG)?|ICYMI|STREAM|POLL|QUIZ|PODCAST|NEXT|TRENDING"
    r"|RECOMMENDED|MUST READ|(?:More|Read) on [^.:]{2,60}|Related(?: [a-z]+)?|Watch(?: live| now)?|Read(?: more"
    r"| next| also)?"
    r"|See also|Also read|More(?: here)?|Video|Photos|Listen|Opinion|Editor['’]s [Nn]ote|Don['’]t miss"
    r"|Click to play|(?:VEA|Vea|LEE|Lee|LEA|Lea) (?:TAMBI[ÉE]N|tambi[ée]n)|PUEDES VER|Lesen Sie auch|Mehr zum Thema"
    r"|Czytaj też|Czytaj także|(?:À|A) lire aussi|Lire aussi|LEARN MORE|TAP (?:TO|HERE).{0,30})\s?[:|»>➤▶]"
)


def is_boilerplate(text: str) -> bool:
    """Whether a whole paragraph is the site's and not the article's."""
    if len(text) > _LONGEST:
        return False
    if _LABEL.match(text) or _NOTICE.match(text) or _is_caption(text) or _begins_as_boilerplate(text):
        return True
    if not _LETTER.search(text):  # a separator, a page number, a count
        return True
    if len(text) <= _SHORT and (_DATE_LINE.fullmatch(text) or _COUNT.match(text)):
        return True
    return len(text) <= _ANYWHERE_LONGEST and (bool(_LAST_WORDS.search(text[-_END:])) or _holds(text, _ANYWHERE))


def is_foreign_prompt(text: str) -> bool:
    """Whether a whole paragraph is a prompt, notice or credit of a site in one of the languages of ``PROMPTS``."""
    if len(text) > _LONGEST:
        return False
    return _begins(text, _PROMPTS_BY_WORD) or len(text) <= _ANYWHERE_LONGEST and _holds(text, PROMPTS_ANYWHERE)


def _is_caption(text: str) -> bool:
    if text[-1:] in _SENTENCE_ENDS:
        return False
    short = len(text) <= _SHORTEST_STORY
    return bool(_CAPTION.search(text[-_CAPTION_END:]) or short and _SHORT_CAPTION.search(text))


def _begins_as_boilerplate(text: str) -> bool:
    return _begins(text, _ALWAYS_BY_WORD) or _begins(text, _UNLESS_BY_WORD) and not _SPEECH.search(text)


def _begins(text: str, by_word: Mapping[str, re.Pattern[str]]) -> bool:
    first = _FIRST_WORD.match(text)
    pattern = by_word.get(first[1].lower()) if first else None
    return first is not None and pattern is not None and pattern.match(text, first.start(1)) is not None


def _holds(text: str, rules: Iterable[tuple[tuple[str, ...], re.Pattern[str], bool]]) -> bool:
    lower = text.lower()
    for hints, pattern, unless_speech in rules:
        for hint in hints:
            if hint in lower and pattern.search(text) and not (unless_speech and _SPEECH.search(text)):
                return True
    return False


def _by_word(*tables: dict[str, str]) -> dict[str, re.Pattern[str]]:
    patterns: dict[str, list[str]] = {}
    for words, pattern in (rule for table in tables for rule in table.items()):
        for word in words.split():
            patterns.setdefault(word, []).append(pattern)
    return {word: re.compile("|".join(f"(?:{p})" for p in found), re.I) for word, found in patterns.items()}


_ALWAYS_BY_WORD = _by_word(ALWAYS, PROMPTS)
_UNLESS_BY_WORD = _by_word(UNLESS)
_PROMPTS_BY_WORD = _by_word(PROMPTS)
_ANYWHERE = (*ANYWHERE, *PROMPTS_ANYWHERE, *DISCLOSURES)
