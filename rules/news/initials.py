"""Drop caps: a letter in an element of its own goes to its word."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

_INITIAL = re.compile(r"[\"“„«‘']?[^\W\d_a-z]")
_CLASS = re.compile(r"drop-?_?cap|first-?_?letter|initial|lettrine|big-?letter|(?:^|[\s_-])cap(?:$|[\s_-])", re.I)
_WORD = re.compile(r"[^\W\d_]+")
_ELEMENTS = ("span", "div", "p", "b", "strong", "big", "font", "i", "em", "img", "h2", "h3")
_BLOCKS = frozenset(("div", "p", "h2", "h3"))
_LONGEST = 40  # characters of the letter and the white space around it
# Letters that may be words, and words that begin with them.
_WORDS = frozenset("AIO")
_COMMON = frozenset(
    """a about above according across actor actress after again against ago all almost along already also
    although always amid among an ancient and angry animal another any anyone are army around art artist as
    asked at author autumn i ice if imagine in indeed india inside instead international into investigators
    iran iraq is israel it italy its itself oak ocean odd of off offered officers official officials often oil
    old on once one only open or organisers originally other others our out outside over owners""".split()
)


def join_initials(tree: HtmlElement) -> None:
    """Writes drop caps into the texts that they begin. One that is a word itself stays one."""
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
    """Returns the letters after a drop cap, or "" where the letter is none: "Plan <b>B</b> is", "<b>B</b> is"."""
    word = _WORD.match(follows.lstrip())
    if word is None:
        return ""
    marked = _CLASS.search(element.get("class", "")) is not None
    capitals = marked and word[0].isupper() and len(word[0]) > 1
    if not (word[0].islower() or capitals):
        return ""
    inline = target is None and element.tag not in _BLOCKS
    if inline and (not _is_first(alone) or follows[0].isspace() and not marked):
        return ""
    return word[0]


def _letter(element: HtmlElement) -> str:
    """Returns the only letter of an element, or "". One that stands in another such element is its."""
    inside = element.text
    if inside is not None and len(inside) > _LONGEST and not inside.isspace():
        return ""
    if element.tag == "img":
        text = element.get("alt", "") if _CLASS.search(element.get("class", "")) else ""
    elif len(element) > 1 or inside is None and not len(element):
        return ""
    else:
        text = element.text_content().strip() if len(element) else (element.text or "").strip()
    return text if _INITIAL.fullmatch(text) else ""


def _is_first(element: HtmlElement) -> bool:
    """Whether no text stands before an element in its parent."""
    parent = element.getparent()
    before = [parent.text, *(text for e in element.itersiblings(preceding=True) for text in (e.text_content(), e.tail))]
    return not any((text or "").strip() for text in before)


def _alone(element: HtmlElement) -> HtmlElement:
    """Returns the outermost element that holds nothing but ``element``."""
    while not (element.tail or "").strip() and element.getnext() is None:
        parent = element.getparent()
        if parent is None or parent.tag not in _ELEMENTS or (parent.text or "").strip() or len(parent) > 1:
            break
        element = parent
    return element


def _following(element: HtmlElement) -> tuple[HtmlElement, HtmlElement | None, str]:
    """Returns the outermost element that holds the letter alone, the element whose text goes on, and that text.

    None for the element: the text stands right after.
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
