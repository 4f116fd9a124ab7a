"""The story of a news article, without bylines, datelines, credits, links, prompts and notices.

Section 3.2 of the lead-bias paper (Zhu et al.) uses "regular expressions to remove article prefixes containing reporter
names, media agencies, dates or other information irrelevant to the content"; here the whole article is cleaned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gistmill.rules.languages.language import ENGLISH, language_named
from gistmill.rules.news.article import Block
from gistmill.rules.news.heads import UPPER, is_byline, repeats, without_dateline
from gistmill.rules.news.lines import closes_article, is_boilerplate, is_foreign_prompt, site_lines
from gistmill.rules.text.prose import MIN_UNFINISHED_WORDS, ends_sentence, is_prose, joined_lines, without_controls

_ENDS = {key: "".join(pieces) for key, pieces in language_named(ENGLISH).tables["news_ends"].items()}
_BRACKETED_CREDIT, _CREDIT, _IMAGE_CREDIT, _LINK, _AUTHOR = (
    re.compile(_ENDS[key], re.I) for key in ("bracketed_credit", "credit", "image_credit", "link", "author")
)
_CONTRIBUTED = re.compile(rf"(?:[{UPPER}]|The |With |—|–|-|\*|\(){_ENDS['contributed']}")
_CONTRIBUTION = re.compile("contributed|assisted|reporting")
_LONGEST_CREDIT = 500  # characters
_BYLINE = re.compile(
    rf"(?<=[.!?”\"])\s+(?:By|BY)\s+(?:[{UPPER}][\w.'’\-]*+\s*+|and\s++|of\s++|the\s++|for\s++|[,&|/]\s*+)++$"
)
# Initials after the last sentence: "He won. (JR)", "He won. (ANI)"
_INITIALS = re.compile(r"(?<=[.!?”\"’])\s*\([A-Z]{2,5}(?:[/-][A-Z]{2,5})?\)$")
_END_MARK = re.compile(r"\s*(?:[-–—]\s?30\s?[-–—]|#{2,}|[■◼●▪❖◆♦◾]+|\*{3,}|ENDS?\b|/ends)\W*$")
_SIGN_OFF = re.compile(rf"[—–\-(\[]*\s?(?:[{UPPER}][\w.'’\-]*+[, ]*+|/|and |of |for |the |in |&\s?)++[)\]]?\.?$")
_PLAIN_ENDS = frozenset(".!?…:,;\"'”’")
_LINK_HINT = re.compile(r"\b(?:more|reading|here|story|below|video|editing|by [A-Z].{2,40})\W*$", re.I)
_LINK_LENGTH = 60
_TAIL = 700  # characters at the end that are searched for a tail
_LONGEST_SIGN_OFF, _LONGEST_NOTE = 100, 600  # characters


def without_tail(text: str) -> str:
    """Returns a paragraph without the credits, links and end marks after its last sentence; "" if nothing is left."""
    if text[-1:] in _PLAIN_ENDS and not _LINK_HINT.search(text[-_LINK_LENGTH:]):
        return text
    cut = max(len(text) - _TAIL, 0)
    head, tail = text[:cut], text[cut:]
    for pattern in (_END_MARK, _BRACKETED_CREDIT, _INITIALS, _LINK, _BYLINE, _IMAGE_CREDIT):
        match = pattern.search(tail)
        if match and not tail[match.end() :].strip(" ."):
            tail = tail[: match.start()].rstrip()
    return (head + tail).rstrip()


def is_credit(text: str) -> bool:
    """Whether a whole paragraph only names other contributors to the article."""
    if len(text) >= _LONGEST_CREDIT:
        return False
    if _CREDIT.match(text):
        return True
    return _CONTRIBUTION.search(text) is not None and _CONTRIBUTED.match(text) is not None


def without_notes(paragraphs: Sequence[str], author: str) -> list[str]:
    """Returns the paragraphs without final sign-offs and notes on the author; ``author`` as for ``clean_news``."""
    kept = list(paragraphs)
    names = [name.strip().casefold() for name in author.split(";") if " " in name.strip()]
    while kept and _is_note(kept[-1], names):
        kept.pop()
    return kept


def _is_note(text: str, names: Sequence[str]) -> bool:
    if len(text) < _LONGEST_SIGN_OFF and _SIGN_OFF.fullmatch(text) and not text.isupper():
        return True
    begun = [len(name) for name in names if text.casefold().startswith(name)]
    return bool(begun) and len(text) <= _LONGEST_NOTE and _AUTHOR.match(text, min(begun)) is not None


_FINISHED = re.compile(
    r"[.!?…:;。？！।؟][\"”'’»“‘«)\]*†‡]*$|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?\s?\)?$|[,—–-]$"
)
_REFERENCE = re.compile(r"(?<=\S)\[(?:\d{1,3}|[a-z]|citation needed|note \d+)\]")  # as in encyclopedias
_UNMARKED = re.compile("[\u0e00-\u0eff]{5}")  # about one word of Thai or Lao, whose sentences end without a mark
_END = 12  # characters that may contain a paragraph's last punctuation
# A writer or sender in brackets after the last sentence: "(mz)", "（完）", "（记者张三）"
_SIGNATURE = re.compile(r"(?<=[.!?…。！？؟۔।”“»」])\s*[(（][^()（）.!?。！？]{1,40}[)）]\s*$")
_OPEN = 0.7  # final share of a page's text in which a heading may close the article
_HEAD = 4  # first paragraphs that may contain a dateline, since a summary or two may precede it


def news_paragraphs(text: str) -> tuple[str, ...]:
    """Returns all paragraphs of a plain-text article, separated by blank lines or line ends."""
    return tuple(p for block in re.split(r"\n[^\S\n]*\n", without_controls(text)) for p in joined_lines(block))


def clean_news(
    paragraphs: Sequence[str], *, title: str = "", author: str = "", site: str = "", language: str = ""
) -> tuple[str, ...]:
    """Returns the paragraphs of the story's prose, without any text before or after their sentences.

    Args:
        paragraphs: the main text, NFC with single spaces.
        title: the headline, which the text may repeat.
        author: the authors, separated by semicolons; "" if unknown.
        site: the publication; "" if unknown.
        language: code of the text's language; "" for English.
    """
    rules = _Rules(title, author, site, language)
    kept: list[str] = []
    for paragraph in paragraphs:
        text = rules.of_story(paragraph, len(kept))
        if text and _is_prose(text):
            kept.append(text)
    return tuple(rules.without_notes(kept))


def clean_article(
    blocks: Sequence[Block], *, title: str = "", author: str = "", site: str = "", language: str = ""
) -> tuple[str, ...]:
    """Returns the texts of the whole article: prose, headings, lists, tables and code. Short lines that are not
    sentences are kept only between these. For the arguments see ``clean_news``."""
    rules = _Rules(title, author, site, language)
    kept: list[Block] = []
    left = (1 - _OPEN) * sum(len(block.text) for block in blocks)
    for block in blocks:
        left -= len(block.text)
        if left < 0 and block.kind == "heading" and closes_article(block.text, language):
            break
        if block.kind:
            of_site = rules.is_of_site(block.text, listed=block.kind != "heading")
            text = "" if of_site or rules.is_title(block.text, len(kept)) else block.text
        else:
            text = rules.of_story(block.text, len(kept))
        if text:
            kept.append(Block(text, block.kind))
    first, end = _held(kept)
    other = max((i + 1 for i, block in enumerate(kept[:end]) if block.kind), default=0)  # only paragraphs follow
    texts = [block.text for block in kept]
    return tuple(texts[first:other] + rules.without_notes(texts[max(first, other) : end]))


def _held(blocks: Sequence[Block]) -> tuple[int, int]:
    """Returns the range of blocks that form the article: from the first to the last prose, list, table or code."""
    prose = [_is_prose(block.text) for block in blocks]
    held = [i for i, block in enumerate(blocks) if prose[i] or block.kind not in ("", "heading")]
    return (held[0], held[-1] + 1) if any(prose) else (0, 0)


class _Rules:
    """Rules that separate an article's lines from the site's, given the article's metadata."""

    def __init__(self, title: str, author: str, site: str, language: str) -> None:
        self._title, self._author, self._site, self._lines = title, author, site, site_lines(language)
        self._names = {name.strip().casefold() for name in author.split(";")} - {""}

    def is_of_site(self, text: str, *, listed: bool = False) -> bool:
        if self._lines is None:
            return is_boilerplate(text, listed=listed) or is_credit(text)
        return self._lines.has(text) or is_foreign_prompt(text)

    def is_title(self, text: str, before: int) -> bool:
        return not before and repeats(text, self._title)

    def of_story(self, paragraph: str, before: int) -> str:
        """Returns the part of a paragraph that belongs to the story, or ""; ``before`` paragraphs were kept earlier."""
        if self.is_of_site(paragraph):
            return ""
        text = _REFERENCE.sub("", paragraph) if "[" in paragraph else paragraph
        text = without_tail(text) if self._lines is None else _without_foreign_tail(text)
        if before >= _HEAD:
            return text
        if self._lines is not None:
            text = self._lines.without_dateline(text)
        if self.is_title(text, before) or text.casefold().strip(" .") in self._names:
            return ""
        return text if self._lines is not None else _without_head(text, self._site)

    def without_notes(self, texts: list[str]) -> list[str]:
        return without_notes(texts, self._author) if self._lines is None else texts


def _without_foreign_tail(text: str) -> str:
    for pattern in (_INITIALS, _LINK):
        if match := pattern.search(text, max(len(text) - _TAIL, 0)):
            text = text[: match.start()].rstrip()
    return _SIGNATURE.sub("", text)


def _without_head(text: str, site: str) -> str:
    if is_byline(text):
        return ""
    shorter = without_dateline(text, site=site)
    return "" if len(shorter) < len(text) and (is_boilerplate(shorter) or is_byline(shorter)) else shorter


def _is_prose(text: str) -> bool:
    """Whether a paragraph ends like a sentence, or is long enough to be prose without a final mark."""
    finished = (
        _FINISHED.search(text[-_END:])
        or ends_sentence(text[-_END:])
        or max(len(text.split()), len(_UNMARKED.findall(text))) >= MIN_UNFINISHED_WORDS
    )
    return bool(finished) and is_prose(text)
