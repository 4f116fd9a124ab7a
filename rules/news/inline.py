"""Rendering of inline elements as text: formulas, notes, powers, quotations, deletions and hidden text.

Because an extractor keeps only text, the meaning of elements is written into the text first: quotations get quotation
marks, powers superscript characters. Formulas become ``FORMULA``, whose sentences ``whole_sentences`` then removes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml.etree import XPath
from lxml.html import HtmlElement

from gistmill.rules.languages.language import english_words
from gistmill.rules.news.article import Block
from gistmill.rules.text.prose import LOST, MIN_UNFINISHED_WORDS, continues_sentence
from gistmill.rules.text.segment import split_sentences
from gistmill.rules.text.typography import raised
from gistmill.rules.wiki.tidy import tidy_paragraph

FORMULA = "\ufdd0"  # a noncharacter that XML allows
_FORMULA_CLASS = re.compile(
    r"(?:^|\s)(?:mwe-math-\S*|katex(?:-\S+)?|mathjax\S*|mjx-\S+|math|tex|latex|ltx_math|equation)(?:\s|$)", re.I
)
_CLASSES = XPath("/descendant::*/@class", smart_strings=False)
# Every formula class contains one of the former in lower case, every screen-reader class one of the latter.
_FORMULA_HINTS = ("math", "mjx-", "katex", "tex\n", "tex ", "tex\t", "tex\r", "tex\f", "equation")
_SPOKEN_HINTS = ("sr-only", "isually", "creen-r")
_FORMULA_TAGS = ("math", "img", "mjx-container", "script")
_FORMULA_SOURCE = re.compile(r"latex\.php|/math/render/|[?&]tex=|latex\.codecogs", re.I)
_FORMULA_TEXT = re.compile(r"\\\([^\n]{1,500}?\\\)|\\\[[^\n]{1,500}?\\\]|\$\$[^\n$]{1,500}\$\$")
_HIDDEN = XPath("/descendant::*[@hidden or @style]")
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.I)
# Text for screen readers.
_SPOKEN = XPath(
    "/descendant::*[@class][contains(@class, 'sr-only') or contains(@class, 'isually') or contains(@class, 'creen-r')]"
)
_LONGEST_SPOKEN = 200  # characters; longer text is an article that a script reveals
_NOTE = re.compile(
    r"[\[(]?(?:\d{1,3}|[a-z*†‡§¶]|note \d+|citation needed)[\])]?(?:\s*[,;–-]\s*\[?\d{1,3}\]?)*|[,;]", re.I
)
_NOTE_CLASS = re.compile(r"foot-?note|reference|(?:^|[\s_-])(?:fn|cite|note)", re.I)
_LAST_WORD = re.compile(r"(?:^|[^\w])([^\W\d_]+)$")
# Words that may be raised to a power; single letters are treated as variables.
_UNITS = frozenset(
    "mm cm dm km nm µm μm ft in yd mi sec min hr kg inch inches feet foot miles metres meters hz".split()
)
_OPENING = tuple("\"“”„«‘'‚")
_QUOTATION_MARKS = ("“”", "‘’")
_PARAGRAPHS = ("p", "li", "blockquote", "dd", "td", "h1", "h2", "h3", "h4")
_LEAST_WORDS_AROUND = 5
_INTRODUCES = (":", ",")


def resolve(tree: HtmlElement) -> None:
    """Renders elements as text, and removes elements that do not belong to the text."""
    classes = "\n".join(_CLASSES(tree)) + "\n"
    lower = classes.lower()
    by_class = ("span", "div") if any(hint in lower for hint in _FORMULA_HINTS) else ()
    for element in [*tree.iter(*_FORMULA_TAGS, *by_class)]:
        if _is_formula(element) and next(element.iterancestors("head"), None) is None:
            _drop(element, FORMULA)
    _take_out_hidden(tree)
    if any(hint in classes for hint in _SPOKEN_HINTS):
        _take_out_spoken(tree)
    for element in [*tree.iter("del", "s", "strike", "template")]:
        _drop(element)
    for element in [*tree.iter("li")]:
        if _is_link_to_article(element):
            _drop(element)
    for element in [*tree.iter("sup")]:
        if element.getparent() is not None:  # not inside one that has been rendered already
            _raise(element)
    for element, depth in [(e, sum(1 for _ in e.iterancestors("q"))) for e in tree.iter("q")]:
        _quote(element, *_QUOTATION_MARKS[depth % 2])
    for element in [*tree.iter("time")]:
        paragraph = next(element.iterancestors(*_PARAGRAPHS), None)
        if paragraph is not None:
            around = len(paragraph.text_content().split()) - len(element.text_content().split())
            if around >= _LEAST_WORDS_AROUND:
                element.drop_tag()


def whole_sentences(blocks: Iterable[Block]) -> list[Block]:
    """Returns blocks without sentences that lost a formula, and without text that introduced or continued a formula.

    The text before and after a removed sentence becomes separate blocks.
    """
    kept: list[Block] = []
    gone = False
    for block in blocks:
        text = block.text.replace(FORMULA, LOST)
        if "\\" in text or "$$" in text:  # most texts have neither
            text = _FORMULA_TEXT.sub(LOST, text)
        texts = [text for text in tidy_paragraph(text) if text] if LOST in text else [text]
        if texts and gone and continues_sentence(texts[0]):
            texts[0] = texts[0][len(split_sentences(texts[0])[0]) :].lstrip()
        if not texts and kept and kept[-1].text.endswith(_INTRODUCES):
            last = kept.pop()
            kept.append(Block(last.text[: -len(split_sentences(last.text)[-1])].rstrip(), last.kind))
        gone = not texts
        kept += [Block(text, block.kind) for text in texts]
    return [block for block in kept if block.text]


def _is_formula(element: HtmlElement) -> bool:
    tag, kind = element.tag, element.get("class", "")
    if tag in ("math", "mjx-container"):
        return True
    if tag == "script":
        return str(element.get("type", "")).startswith("math/")
    if tag == "img" and _FORMULA_SOURCE.search(element.get("src", "")):
        return True
    if not kind or not _FORMULA_CLASS.search(kind):
        return False
    return tag in ("img", "span") or element.find(".//p") is None


def _take_out_hidden(tree: HtmlElement) -> None:
    hidden = [
        e
        for e in _HIDDEN(tree)
        if e.get("hidden", "until-found") != "until-found" or _HIDDEN_STYLE.search(e.get("style", ""))
    ]
    if hidden and not _are_most(hidden, tree):
        for element in hidden:
            _drop(element)


def _take_out_spoken(tree: HtmlElement) -> None:
    for element in _SPOKEN(tree):
        text = " ".join(element.text_content().split())
        if len(text) <= _LONGEST_SPOKEN and element.getparent() is not None:
            for twin in element.getparent():
                if twin.get("aria-hidden") == "true" and " ".join(twin.text_content().split()) == text:
                    del twin.attrib["aria-hidden"]  # it is visible
            _drop(element)


def _are_most(hidden: Iterable[HtmlElement], tree: HtmlElement) -> bool:
    """Whether elements contain over half of the paragraph text, like a page or slides that a script reveals."""
    there = set(hidden)
    paragraphs = [*tree.iter("p")] or [*tree.iter("div")]
    shown = [p for p in paragraphs if there.isdisjoint((p, *p.iterancestors()))]
    return 2 * sum(len(p.text_content()) for p in shown) < sum(len(p.text_content()) for p in paragraphs)


def _is_link_to_article(item: HtmlElement) -> bool:
    """Whether a list item is the headline of another article: long, and consisting only of a link."""
    link = next(item.iter("a"), None)
    if link is None:
        return False
    words = item.text_content().split()
    return len(words) >= MIN_UNFINISHED_WORDS and len(link.text_content().split()) == len(words)


def _raise(element: HtmlElement) -> None:
    """Renders a power in superscript characters, removes a note, and keeps any other text."""
    text = " ".join(element.text_content().split())
    if _is_note(element, text):
        _drop(element)
        return
    for child in [*element]:
        _drop(child)
    element.text = raised(text)
    element.drop_tag()


def _is_note(element: HtmlElement, text: str) -> bool:
    if not _NOTE.fullmatch(text):
        return False
    linked = element.find(".//a") is not None or next(element.iterancestors("a"), None) is not None
    if linked or text[0] in "[(*†‡§¶,;" or _NOTE_CLASS.search(element.get("class", "")):
        return True
    if not text[0].isdigit():
        return False
    before = _before(element)
    if not before or before[-1].isdigit() or before[-1] in ")]":
        return False
    word = _LAST_WORD.search(before)
    return word is None or (len(word[1]) > 1 and word[1].lower() not in _UNITS)


def _before(element: HtmlElement) -> str:
    """Returns the text just before an element in its paragraph, "" if there is none."""
    while element is not None and element.tag not in _PARAGRAPHS:
        previous, parent = element.getprevious(), element.getparent()
        text = (
            (previous.tail or previous.text_content()) if previous is not None else parent is not None and parent.text
        )
        if text:
            return str(text)
        element = previous if previous is not None else parent
    return ""


def _quote(element: HtmlElement, left: str, right: str) -> None:
    if not (element.text_content().strip().startswith(_OPENING) or element.get("class", "").startswith("pull")):
        element.text = left + (element.text or "").lstrip()
        if len(element):
            element[-1].tail = (element[-1].tail or "").rstrip() + right
        else:
            element.text = element.text.rstrip() + right
    element.tag = "span"


def _drop(element: HtmlElement, instead: str = "") -> None:
    """Replaces an element with a text, keeping what follows it; a link left empty is removed too."""
    parent = element.getparent()
    if parent is None:
        return
    element.tail = instead + (element.tail or "")
    element.drop_tree()
    if parent.tag == "a" and not len(parent) and not (parent.text or "").strip():
        _drop(parent)


_INITIAL = re.compile(r"[\"“„«‘']?[^\W\d_a-z]")
_CLASS = re.compile(r"drop-?_?cap|first-?_?letter|initial|lettrine|big-?letter|(?:^|[\s_-])cap(?:$|[\s_-])", re.I)
_WORD = re.compile(r"[^\W\d_]+")
_ELEMENTS = ("span", "div", "p", "b", "strong", "big", "font", "i", "em", "img", "h2", "h3")
_BLOCK_TAGS = frozenset(("div", "p", "h2", "h3"))
_LONGEST = 40  # characters in the letter and the white space around it
# Letters that may be words, and common words that begin with them.
_WORDS = frozenset("AIO")
_COMMON = english_words("news_words", "common")


def join_initials(tree: HtmlElement) -> None:
    """Joins drop caps to the text that follows; one that is a word in itself is kept separate."""
    words: frozenset[str] | None = None
    for element in [*tree.iter(*_ELEMENTS)]:
        letter = _letter(element)
        if not letter:
            continue
        alone, target, follows = _following(element)
        word = _word(element, alone, target, follows)
        if not word:
            continue
        apart = False
        if letter[-1] in _WORDS:
            if words is None:
                words = frozenset(_WORD.findall(tree.text_content().lower()))
            joined = f"{letter[-1]}{word}".lower()
            apart = joined not in _COMMON and joined not in words
        text = f"{letter} {follows.lstrip()}" if apart else letter + follows.lstrip()
        if target is None:
            element.tail = text
        else:
            target.text = text
        for child in [*element]:
            child.drop_tree()
        alone.text = None
        if alone.getparent() is not None:
            alone.drop_tree()


def _word(element: HtmlElement, alone: HtmlElement, target: HtmlElement | None, follows: str) -> str:
    """Returns the letters after a drop cap; "" if the letter is not one, as in "Plan <b>B</b> is", "<b>B</b> is"."""
    word = _WORD.match(follows.lstrip())
    if word is None:
        return ""
    marked = _CLASS.search(element.get("class", "")) is not None
    capitals = marked and word[0].isupper() and len(word[0]) > 1
    if not (word[0].islower() or capitals):
        return ""
    inline = target is None and element.tag not in _BLOCK_TAGS
    if inline and (not _is_first(alone) or (follows[0].isspace() and not marked)):
        return ""
    return word[0]


def _letter(element: HtmlElement) -> str:
    """Returns the letter, possibly nested, that is an element's only content; "" if the content is anything else."""
    inside = element.text
    if inside is not None and len(inside) > _LONGEST and not inside.isspace():
        return ""
    if element.tag == "img":
        text = element.get("alt", "") if _CLASS.search(element.get("class", "")) else ""
    elif len(element) > 1 or (inside is None and not len(element)):
        return ""
    else:
        text = element.text_content().strip() if len(element) else (element.text or "").strip()
    return text if _INITIAL.fullmatch(text) else ""


def _is_first(element: HtmlElement) -> bool:
    parent = element.getparent()
    before = [parent.text, *(text for e in element.itersiblings(preceding=True) for text in (e.text_content(), e.tail))]
    return not any((text or "").strip() for text in before)


def _alone(element: HtmlElement) -> HtmlElement:
    """Returns the outermost element whose only content is ``element``."""
    while not (element.tail or "").strip() and element.getnext() is None:
        parent = element.getparent()
        if parent is None or parent.tag not in _ELEMENTS or (parent.text or "").strip() or len(parent) > 1:
            break
        element = parent
    return element


def _following(element: HtmlElement) -> tuple[HtmlElement, HtmlElement | None, str]:
    """Returns the outermost element with nothing but the letter, the element containing the continuation, and its text.

    The second element is None if the text directly follows the first.
    """
    element = _alone(element)
    if (element.tail or "").strip():
        return element, None, element.tail or ""
    following = element.getnext()
    if following is not None:
        for target in following.iter():
            if isinstance(target.tag, str) and (target.text or "").strip():
                return element, target, target.text or ""
    return element, None, ""
