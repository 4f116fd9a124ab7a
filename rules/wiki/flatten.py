"""Wikitext becomes flat text: lines, with private marks where structure or a hole matters.

mwparserfromhell's tokenizer says what each character is. Its tree of nodes is not built: flat text needs none, and
building it takes twice as long as everything here.

MediaWiki itself takes comments and extension tags out first, raw up to the first closing tag; doing the same
here is both right and fast, since half of a page is references.

Templates of many wikis share these classes, because the style sheets of MediaWiki and the gadgets look for them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection
from functools import lru_cache

from mwparserfromhell.parser import CTokenizer, ParserError, tokens
from mwparserfromhell.parser.builder import Builder
from mwparserfromhell.parser.tokenizer import Tokenizer

from gistmill.rules.text.prose import APART, APOSTROPHE, BREAK, BROKEN, HEADING, HOLE, LIST, LOST, SUP, SUP_END
from gistmill.rules.wiki.page import (
    BLOCK_EXTENSIONS,
    BLOCK_TAGS,
    DROPPED_TAGS,
    FORMULA_TAGS,
    INLINE_TAGS,
    LANGUAGE_CODES,
    LIST_TAGS,
    PROJECT_PREFIXES,
    SWITCHES,
    UNKNOWN,
    Page,
)
from gistmill.rules.wiki.templates import Arguments, canonical, renderer
from gistmill.rules.wiki.templates.arguments import page_name
from gistmill.rules.wiki.templates.plain import nothing

_TRAILING_BRACKET = re.compile(r"(?<!\s)\s*+\([^()]*+\)$")
# A picture, by whatever name a wiki knows the namespace of files.
_PICTURE = re.compile(r"[^:|\[\]]{2,30}:[^|]*\.(?:jpe?g|png|svg|gif|tiff?|webp|xcf)", re.I)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# An external link right after such a text is a source.
STOP = re.compile(r"[a-z)\]\"\u201d][.!?][\"\u201d)]?$")
_NAMES = 4096  # of templates that are remembered


def flatten(source: str, page: Page = UNKNOWN) -> str:
    """Returns wikitext as text with the marks of ``marks.py`` in it. Bold and italic quotes are still there.

    ``page`` is where it stands. Tags and comments are gone before (``balance.prepared``); one that the parser still
    finds goes.

    Raises:
        ParserError: the tokenizer fails.
    """
    # quotes are paired line by line after the templates are rendered, as MediaWiki does it
    found = (CTokenizer or Tokenizer)().tokenize(source, 0, True)
    text, _ = _Flattener([*found, None], page).until(0, _END)
    return text


class _Flattener:
    """Walks through a list of tokens that ends in None. A method takes a place in it, and returns text and a place."""

    def __init__(self, found: list[tokens.Token | None], page: Page) -> None:
        self._tokens, self._page = found, page

    def until(self, at: int, ends: frozenset[type]) -> tuple[str, int]:
        """Returns the text from ``at`` on, and the place of the token of a type in ``ends`` that closes it."""
        found = self._tokens
        out: list[str] = []
        while True:
            token = found[at]
            kind = type(token)
            if kind is tokens.Text:
                out.append(token["text"])  # type: ignore[index]  # None is not a Text
                at += 1
            elif kind in ends:
                return "".join(out), at
            else:
                handler = _HANDLERS.get(kind)
                if handler is None:
                    raise _failure(f"{kind.__name__} stands where it closes nothing")
                text, at = handler(self, at)
                out.append(text)

    def entity(self, at: int) -> tuple[str, int]:
        """``&``, sign of a number, sign of a hexadecimal one, digits or name, ``;``."""
        written = ["&"]
        while not isinstance(token := self._tokens[at := at + 1], tokens.HTMLEntityEnd):
            if token is None:
                raise _failure("an entity has no end")
            written.append("#" if isinstance(token, tokens.HTMLEntityNumeric) else token.text or token.char)
        return _entity_text("".join([*written, ";"])), at + 1

    def argument(self, at: int) -> tuple[str, int]:
        """``{{{name|default}}}``: the default, as when the page is not used as a template."""
        _, end = self.until(at + 1, _ARGUMENT_NAME)
        default = LOST
        while isinstance(self._tokens[end], tokens.ArgumentSeparator):
            default, end = self.until(end + 1, _ARGUMENT_NAME)
        return default, end + 1

    def heading(self, at: int) -> tuple[str, int]:
        """A line of its own: mark, level, title."""
        title, end = self.until(at + 1, _HEADING)
        return f"\n\n{HEADING}{self._tokens[at]['level']}{' '.join(title.split())}\n\n", end + 1  # type: ignore[index]

    def external_link(self, at: int) -> tuple[str, int]:
        """``[url text]``: the text, but for a source right after a full stop.

        One without brackets is what it says, as in "Daily News:".
        """
        address, end = self.until(at + 1, _EXTERNAL_LINK)
        if not self._tokens[at]["brackets"]:  # type: ignore[index]
            return address, end + 1
        text = HOLE
        while isinstance(self._tokens[end], tokens.ExternalLinkSeparator):
            text, end = self.until(end + 1, _EXTERNAL_LINK)
        before = self._tokens[at - 1]
        is_note = type(before) is tokens.Text and STOP.search(before["text"]) is not None  # type: ignore[index]
        return HOLE if at and is_note else text, end + 1

    def link(self, at: int) -> tuple[str, int]:
        """``[[title|text]]``: what the page shows."""
        title, end = self.until(at + 1, _LINK)
        source = self._source(at + 1, end)
        shown: str | None = None
        while isinstance(self._tokens[end], tokens.WikilinkSeparator):
            shown, end = self.until(end + 1, _LINK)
        return _link_text(source.strip(), title, shown, self._page), end + 1

    def template(self, at: int) -> tuple[str, int]:
        """A template of a table gives words or leaves a hole; of any other the words are lost."""
        name, end = self.until(at + 1, _TEMPLATE_NAME)
        known = _renderer(name, self._page.language)
        if isinstance(self._tokens[end], tokens.TemplateClose):
            text = known(Arguments((), name)) if known else page_name(canonical(name), self._page.title)
            return LOST if text is None else text, end + 1
        if known is None or known is nothing:  # the arguments are not looked at
            return LOST if known is None else HOLE, self._end(end + 1, tokens.TemplateClose)
        params: list[tuple[str | None, str]] = []
        while isinstance(self._tokens[end], tokens.TemplateParamSeparator):
            begin, key = end + 1, None
            text, end = self.until(begin, _TEMPLATE)
            while isinstance(self._tokens[end], tokens.TemplateParamEquals):
                key = self._source(begin, end).strip()
                begin = end + 1
                text, end = self.until(begin, _TEMPLATE)
            params.append((key, text))
        rendered = known(Arguments(params, name))
        return LOST if rendered is None else rendered or HOLE, end + 1

    def nothing(self, at: int) -> tuple[str, int]:
        """What is not part of the text: tags, comments."""
        return "", self._end(at + 1, *_CLOSERS[type(self._tokens[at])])

    def _end(self, at: int, *ends: type) -> int:
        """Returns the place after the token of a type in ``ends`` that closes what is open at ``at``."""
        waiting: list[tuple[type, ...]] = [ends]
        while waiting:
            kind = type(self._tokens[at])
            if kind in waiting[-1]:
                waiting.pop()
            elif closers := _CLOSERS.get(kind):
                waiting.append(closers)
            elif kind is type(None):
                raise _failure("something has no end")
            at += 1
        return at

    def _source(self, begin: int, end: int) -> str:
        stretch = self._tokens[begin:end]
        if all(type(token) is tokens.Text for token in stretch):
            return "".join(token["text"] for token in stretch)  # type: ignore[index]
        return str(Builder().build(stretch))  # type: ignore[no-untyped-call]


def _failure(what: str) -> ParserError:
    return ParserError(what)  # type: ignore[no-untyped-call]


_END = frozenset((type(None),))
_ARGUMENT_NAME = frozenset((tokens.ArgumentSeparator, tokens.ArgumentClose))
_HEADING = frozenset((tokens.HeadingEnd,))
_EXTERNAL_LINK = frozenset((tokens.ExternalLinkSeparator, tokens.ExternalLinkClose))
_LINK = frozenset((tokens.WikilinkSeparator, tokens.WikilinkClose))
_TEMPLATE_NAME = frozenset((tokens.TemplateParamSeparator, tokens.TemplateClose))
_TEMPLATE = _TEMPLATE_NAME | {tokens.TemplateParamEquals}
_HANDLERS: dict[type, Callable[[_Flattener, int], tuple[str, int]]] = {
    tokens.HTMLEntityStart: _Flattener.entity,
    tokens.ArgumentOpen: _Flattener.argument,
    tokens.HeadingStart: _Flattener.heading,
    tokens.ExternalLinkOpen: _Flattener.external_link,
    tokens.WikilinkOpen: _Flattener.link,
    tokens.TemplateOpen: _Flattener.template,
    tokens.TagOpenOpen: _Flattener.nothing,
    tokens.CommentStart: _Flattener.nothing,
}
_CLOSERS: dict[type, tuple[type, ...]] = {
    tokens.ArgumentOpen: (tokens.ArgumentClose,),
    tokens.ExternalLinkOpen: (tokens.ExternalLinkClose,),
    tokens.WikilinkOpen: (tokens.WikilinkClose,),
    tokens.TemplateOpen: (tokens.TemplateClose,),
    tokens.TagOpenOpen: (tokens.TagCloseClose, tokens.TagCloseSelfclose),
    tokens.CommentStart: (tokens.CommentEnd,),
}


@lru_cache(_NAMES)
def _renderer(name: str, language: str) -> Callable[[Arguments], str | None] | None:
    return renderer(canonical(name), language)


@lru_cache(_NAMES)
def _entity_text(entity: str) -> str:
    text = html.unescape(entity)
    return APOSTROPHE if text == "'" else text


def _link_text(source: str, flat: str, shown: str | None, page: Page) -> str:
    """Returns what a link shows, by the wikitext of its title, that title as flat text, and the text after the bar."""
    title = trimmed = source.lstrip(":").strip()
    prefix, colon, rest = title.partition(":")
    if colon:
        escaped = source.startswith(":")
        namespace = " ".join(prefix.replace("_", " ").split()).lower()
        if not escaped and (
            namespace in page.dropped
            or namespace in LANGUAGE_CODES
            or (namespace not in page.media and _PICTURE.fullmatch(title) is not None)
        ):
            return HOLE
        if namespace in PROJECT_PREFIXES or namespace in LANGUAGE_CODES or namespace in page.dropped:
            trimmed = rest.lstrip(":").strip()
            inner, _, innermost = trimmed.partition(":")
            trimmed = innermost.strip() if inner.strip() in LANGUAGE_CODES else trimmed
    if shown is not None:
        return shown or _pipe_trick(trimmed)
    if "{" in title or "&" in title:
        title = flat.lstrip(": ")
    if "%" in title:
        title = _ESCAPES.sub(_unescaped, title)
    return title.replace("_", " ")


def _unescaped(match: re.Match[str]) -> str:
    text = bytes.fromhex(match.group().replace("%", "")).decode("utf-8", "replace")
    return text if text.isprintable() else match.group()


def _pipe_trick(title: str) -> str:
    """``[[Boston, Massachusetts|]]`` shows "Boston", ``[[Pipe (computing)|]]`` shows "Pipe"."""
    title = title.strip("#").partition("#")[0].replace("_", " ")
    without = _TRAILING_BRACKET.sub("", title)
    return without if without != title else title.partition(", ")[0]


_TAG = re.compile(r"<!--|<(/?)([A-Za-z][A-Za-z0-9]*)\b([^<>]*)>")
# What nowiki keeps from being markup; an entity is one there, too.
_INERT = re.compile(r"&#?\w{1,32};|[\[\]{}|'<>=*#:;~_!/-]")
# Switches of other languages are told by their capitals and a line of their own, or by letters that are not Latin.
_SWITCH = re.compile(
    rf"__(?i:{SWITCHES})__|^[ \t]*__[^\W\d_a-z]+(?:_[^\W\d_a-z]+)*__[ \t]*$|__[\u0370-\uffdc]+(?:_[\u0370-\uffdc]+)*__",
    re.MULTILINE,
)
_TABLE_LINE = r"^[ \t:]*(\{\|(?!\})|\|\}(?!\})|\|\}(?=\}\})|={2,}[^=\n].*=[ \t]*$)"
_LINES = re.compile(_TABLE_LINE, re.MULTILINE)
_LINES_AND_TAGS = re.compile(rf"{_TABLE_LINE}|(</?table\b)", re.MULTILINE | re.I)
_LONGEST_ADDRESS = 300
_ADDRESS_END = re.compile(r"://\S+$")


def without_raw_tags(text: str) -> str:
    """Removes comments, extension tags with their content and HTML tags; nowiki text comes out as entities."""
    out: list[str] = []
    position = 0
    unclosed: set[str] = set()
    while match := _TAG.search(text, position):
        start, end = match.span()
        out.append(text[position:start])
        if match.group(2) is None:
            position = _skip_comment(text, start, out)
            continue
        closing, name, attributes = match.group(1) == "/", match.group(2).lower(), match.group(3).rstrip()
        position = end
        if name == "nowiki" or name in DROPPED_TAGS or name in FORMULA_TAGS:
            if not closing and not attributes.endswith("/"):
                position = _skip_extension(text, end, name, unclosed, out)
            elif name == "nowiki":
                out.append(APART)
            if name != "nowiki" and text[position : position + 1].isalnum() and _last(out).isalnum():
                out.append(HOLE)
        else:
            out.append(_tag_text(name, closing, match.group()))
            if (
                not out[-1]
                and "://" in text[max(0, start - _LONGEST_ADDRESS) : start]
                and _ADDRESS_END.search(out[-2][-_LONGEST_ADDRESS:])
            ):
                out.append(" ")
    out.append(text[position:])
    text = "".join(out)
    return _SWITCH.sub("", text) if "__" in text else text


def _last(out: list[str]) -> str:
    """Returns the last character; empty pieces go."""
    while out and not out[-1]:
        out.pop()
    return out[-1][-1] if out else ""


def _skip_extension(text: str, begin: int, name: str, unclosed: set[str], out: list[str]) -> int:
    """Returns where the text goes on after the extension tag whose content begins at ``begin``."""
    close = None if name in unclosed else re.compile(rf"</{name}\s*>", re.I).search(text, begin)
    if close is None:
        unclosed.add(name)
        out.append(BROKEN)
        return begin
    if name == "nowiki":
        inside = text[begin : close.start()]
        out.append(_INERT.sub(lambda found: found[0] if len(found[0]) > 1 else f"&#{ord(found[0])};", inside))
    elif name in BLOCK_EXTENSIONS and "\n" in text[begin : close.start()]:
        out.append(f"\n\n{LOST}\n\n")
    elif name in BLOCK_EXTENSIONS or name in FORMULA_TAGS:
        out.append(LOST)
    return close.end()


def _skip_comment(text: str, start: int, out: list[str]) -> int:
    """Returns where the text goes on after a comment; one that fills its line takes the line along."""
    end = text.find("-->", start)
    if end < 0:
        return len(text)
    end += 3
    before = out[-1] if out else ""
    stripped = before.rstrip(" \t")
    if stripped.endswith("\n") or (not stripped and len(out) <= 1):
        after = end
        while after < len(text) and text[after] in " \t":
            after += 1
        if after < len(text) and text[after] == "\n":
            out[-1:] = [stripped]
            return after + 1
    return end


def _tag_text(name: str, closing: bool, tag: str) -> str:
    if name == "br":
        return BREAK
    if name == "sup":
        return SUP_END if closing else SUP
    if name in INLINE_TAGS:
        return ""
    if name in LIST_TAGS:
        return "" if closing else f"\n{LIST}"
    if name in BLOCK_TAGS:
        return "\n\n"
    return "" if closing and name != "table" else tag  # an end without a beginning just goes


def without_tables(text: str) -> str:
    """Removes ``{| ... |}`` and ``<table>`` blocks, nested ones too.

    One that is never closed ends at the next heading.
    """
    out: list[str] = []
    depth = position = 0
    for match in (_LINES_AND_TAGS if "<" in text else _LINES).finditer(text):
        token = match.group(match.lastindex or 0)[:2].lower()
        if token in ("{|", "<t"):
            if depth == 0:
                out.append(text[position : match.start(match.lastindex or 0)])
            depth += 1
        elif token == "==":
            if depth:
                depth, position = 0, match.start()
        elif depth or token == "</":
            end = match.end() if token == "|}" else text.find(">", match.end()) + 1 or len(text)
            if depth <= 1:
                out.append(f"\n{LOST}\n" if depth else text[position : match.start()])
                position = end
            depth = max(depth - 1, 0)
    if depth == 0:
        out.append(text[position:])
    return "".join(out)


# Boxes, notices, hatnotes, links beside the text, and doubts of editors.
_BOXES = frozenset(
    """ambox asbox bandeau-container bandeau-article barbox biota catlinks chemobox coordinates cmbox dablink
    dmbox fmbox gallery gallerybox haudio hatnote homonymie imbox infobox infobox_v2 infobox_v3 infobox-subbox
    Inline-Template interProject listenlist locmap mainarticle mbox-inside mbox-small mbox-small-left mediaContainer
    metadata mw-cite-backlink mw-editsection mw-gallery-traditional mw-kartographer-container
    mw-kartographer-maplink mw-references mw-references-wrap mw-stub multiimageinner navbar navbox navbox-inner
    navbox-styles NavFrame need_ref need_ref_tag noprint ombox portal portalbox printfooter pullquote quotebox
    references refbegin reflist rellink selfreference seealso shortdescription side-box sidebar sinottico
    sistersitebox sortkey spoken-wikipedia stub succession-box taxobox Template-Fact templatequotecite thumb thumbinner
    tmbox toc toccolours tocleft tocright vertical-navbox Z3988""".split()
)
_ROLES = frozenset("navigation note".split())


def is_box(classes: Collection[str], role: str | None) -> bool:
    """Returns whether an element with these classes and this role is beside the text."""
    return not _BOXES.isdisjoint(classes) or role in _ROLES
