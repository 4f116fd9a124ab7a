"""The story of a news article, without bylines, datelines, credits, links, prompts and notices.

Section 3.2 of the lead-bias paper (Zhu et al.) uses "regular expressions to remove article prefixes containing reporter
names, media agencies, dates or other information irrelevant to the content"; here they clean the whole article.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gistmill.rules.news.foreign import SiteLines, site_lines
from gistmill.rules.news.heads import is_byline, repeats, without_dateline
from gistmill.rules.news.lines import is_boilerplate, is_foreign_prompt
from gistmill.rules.news.tails import is_credit, without_link, without_notes, without_tail
from gistmill.rules.text.marks import without_controls
from gistmill.rules.text.prose import MIN_UNFINISHED_WORDS, ends_sentence, is_prose, joined_lines

_FINISHED = re.compile(
    r"[.!?…:;。？！।؟][\"'”’»“‘«)\]*†‡]*$|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?\s?\)?$|[,—–-]$"
)
_REFERENCE = re.compile(r"(?<=\S)\[(?:\d{1,3}|[a-z]|citation needed|note \d+)\]")  # as encyclopedias write them
_UNMARKED = re.compile("[\u0e00-\u0eff]{5}")  # about a word of Thai or Lao, which end no sentence with a mark
_END = 12  # characters that hold a paragraph's last punctuation
# Who wrote or sent it, in brackets behind the last sentence: "(mz)", "（完）", "（记者张三）"
_SIGNATURE = re.compile(r"(?<=[.!?…。！？؟۔।”“»」])\s*[(（][^()（）.!?。！？]{1,40}[)）]\s*$")
_HEAD = 4  # paragraphs that may begin with a dateline: a summary or two may stand before it


def news_paragraphs(text: str) -> tuple[str, ...]:
    """Returns the paragraphs of a plain article, which blank lines or line ends part, prose or not."""
    return tuple(p for block in re.split(r"\n[^\S\n]*\n", without_controls(text)) for p in joined_lines(block))


def clean_news(
    paragraphs: Sequence[str], *, title: str = "", author: str = "", site: str = "", language: str = ""
) -> tuple[str, ...]:
    """Returns the paragraphs that are the story's prose, without what stands before and after their sentences.

    Args:
        paragraphs: the main text, NFC with single spaces.
        title: the headline, which the text may repeat.
        author: the authors, separated by semicolons, where known.
        site: the publication, where known.
        language: code of the text's language; "" is English.
    """
    names = {name.strip().casefold() for name in author.split(";")} - {""}
    if (lines := site_lines(language)) is not None:
        return tuple(_clean_foreign(paragraphs, lines, title, names))
    kept: list[str] = []
    for paragraph in paragraphs:
        if is_boilerplate(paragraph) or is_credit(paragraph):
            continue
        text = without_tail(_REFERENCE.sub("", paragraph) if "[" in paragraph else paragraph)
        if len(kept) < _HEAD:
            text = _without_head(text, title=title if not kept else "", names=names, site=site)
        if text and _is_finished(text) and is_prose(text):
            kept.append(text)
    return tuple(without_notes(kept, author))


def _clean_foreign(paragraphs: Sequence[str], lines: SiteLines, title: str, names: set[str]) -> Iterator[str]:
    """Yields what ``clean_news`` returns of a story in another language."""
    begun = 0
    for paragraph in paragraphs:
        if lines.has(paragraph) or is_foreign_prompt(paragraph):
            continue
        text = _SIGNATURE.sub("", without_link(_REFERENCE.sub("", paragraph)))
        if begun < _HEAD:
            text = lines.without_dateline(text)
            if repeats(text, title) and not begun or text.casefold().strip(" .") in names:
                continue
        if _is_finished_abroad(text) and is_prose(text):
            begun += 1
            yield text


def _without_head(text: str, *, title: str, names: set[str], site: str) -> str:
    if repeats(text, title) or text.casefold().strip(" .") in names or is_byline(text):
        return ""
    shorter = without_dateline(text, site=site)
    return "" if len(shorter) < len(text) and (is_boilerplate(shorter) or is_byline(shorter)) else shorter


def _is_finished(text: str) -> bool:
    """Whether a paragraph ends a sentence, or is long enough for one without a full stop."""
    return _FINISHED.search(text[-_END:]) is not None or len(text.split()) >= MIN_UNFINISHED_WORDS


def _is_finished_abroad(text: str) -> bool:
    """The same in any script."""
    if _is_finished(text) or ends_sentence(text[-_END:]):
        return True
    return len(_UNMARKED.findall(text)) >= MIN_UNFINISHED_WORDS
