"""Conversion of wikitext to flat text: lines, with private marks for structure and holes.

mwparserfromhell's tokenizer classifies each character. Its node tree is not built, because it is not needed and would
take twice as long as everything here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import lru_cache

from mwparserfromhell.parser import CTokenizer, ParserError, tokens
from mwparserfromhell.parser.builder import Builder
from mwparserfromhell.parser.tokenizer import Tokenizer

from gistmill.rules.text.prose import APOSTROPHE, HEADING, HOLE, LOST
from gistmill.rules.wiki.page import LANGUAGE_CODES, PROJECT_PREFIXES, UNKNOWN, Page
from gistmill.rules.wiki.templates import canonical, nothing, renderer
from gistmill.rules.wiki.templates.arguments import Arguments

_TRAILING_BRACKET = re.compile(r"(?<!\s)\s*+\([^()]*+\)$")
# A picture, whatever a wiki calls its file namespace.
_PICTURE = re.compile(r"[^:|\[\]]{2,30}:[^|]*\.(?:jpe?g|png|svg|gif|tiff?|webp|xcf)", re.I)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# An external link directly after such a text is a source.
STOP = re.compile(r"[a-z)\]\"\u201d][.!?][\"\u201d)]?$")
_NAMES = 4096  # cached template names


def flatten(source: str, page: Page = UNKNOWN) -> str:
    """Returns wikitext as flat text with the marks from ``rules/text/prose.py``; bold and italic quotes are kept.

    Tags and comments must have been removed (``prepare.prepared``); any that the parser still finds are dropped.

    Raises:
        ParserError: the tokenizer fails.
    """
    # quotes are paired line by line after templates are rendered, as in MediaWiki
    found = (CTokenizer or Tokenizer)().tokenize(source, 0, True)
    text, _ = _Flattener([*found, None], page).until(0, _END)
    return text


class _Flattener:
    """A walk through a list of tokens that ends in None; methods take an index, and return a text and an index."""

    def __init__(self, found: list[tokens.Token | None], page: Page) -> None:
        self._tokens, self._page = found, page

    def until(self, at: int, ends: frozenset[type]) -> tuple[str, int]:
        """Returns the text from ``at`` on, and the index of the token of a type in ``ends`` that closes it."""
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
                    raise _failure(f"{kind.__name__} closes nothing")
                text, at = handler(self, at)
                out.append(text)

    def entity(self, at: int) -> tuple[str, int]:
        """Handles the tokens of an entity: ``&``, number sign, hexadecimal sign, digits or name, ``;``."""
        written = ["&"]
        while not isinstance(token := self._tokens[at := at + 1], tokens.HTMLEntityEnd):
            if token is None:
                raise _failure("an entity is not closed")
            written.append("#" if isinstance(token, tokens.HTMLEntityNumeric) else token.text or token.char)
        return _entity_text("".join([*written, ";"])), at + 1

    def argument(self, at: int) -> tuple[str, int]:
        """Renders ``{{{name|default}}}`` as the default, as on a page that is not used as a template."""
        _, end = self.until(at + 1, _ARGUMENT_NAME)
        default = LOST
        while isinstance(self._tokens[end], tokens.ArgumentSeparator):
            default, end = self.until(end + 1, _ARGUMENT_NAME)
        return default, end + 1

    def heading(self, at: int) -> tuple[str, int]:
        """Renders a heading on a separate line: mark, level and title."""
        title, end = self.until(at + 1, _HEADING)
        return f"\n\n{HEADING}{self._tokens[at]['level']}{' '.join(title.split())}\n\n", end + 1  # type: ignore[index]

    def external_link(self, at: int) -> tuple[str, int]:
        """Renders ``[url text]`` as its text, unless it is a source directly after a full stop.

        A link without brackets is kept as text, as in "Daily News:".
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
        """Renders ``[[title|text]]`` as the text that the page shows."""
        title, end = self.until(at + 1, _LINK)
        source = self._source(at + 1, end, title)
        shown: str | None = None
        while isinstance(self._tokens[end], tokens.WikilinkSeparator):
            shown, end = self.until(end + 1, _LINK)
        return _link_text(source.strip(), title, shown, self._page), end + 1

    def template(self, at: int) -> tuple[str, int]:
        """Renders a known template as words or a hole, and an unknown one as lost words."""
        name, end = self.until(at + 1, _TEMPLATE_NAME)
        known = _renderer(name, self._page.language)
        if isinstance(self._tokens[end], tokens.TemplateClose):
            text = known(Arguments((), name)) if known else self._page.variable(canonical(name))
            return LOST if text is None else text, end + 1
        if known is None or known is nothing:  # the arguments do not matter
            return LOST if known is None else HOLE, self._end(end + 1, tokens.TemplateClose)
        params: list[tuple[str | None, str]] = []
        while isinstance(self._tokens[end], tokens.TemplateParamSeparator):
            begin, key = end + 1, None
            text, end = self.until(begin, _TEMPLATE)
            while isinstance(self._tokens[end], tokens.TemplateParamEquals):
                key = self._source(begin, end, text).strip()
                begin = end + 1
                text, end = self.until(begin, _TEMPLATE)
            params.append((key, text))
        rendered = known(Arguments(params, name))
        return LOST if rendered is None else rendered or HOLE, end + 1

    def nothing(self, at: int) -> tuple[str, int]:
        """Skips tags and comments, which are not part of the text."""
        return "", self._end(at + 1, *_CLOSERS[type(self._tokens[at])])

    def _end(self, at: int, *ends: type) -> int:
        """Returns the index after the token of a type in ``ends`` that closes the element open at ``at``."""
        waiting: list[tuple[type, ...]] = [ends]
        while waiting:
            kind = type(self._tokens[at])
            if kind in waiting[-1]:
                waiting.pop()
            elif closers := _CLOSERS.get(kind):
                waiting.append(closers)
            elif kind is type(None):
                raise _failure("an element is not closed")
            at += 1
        return at

    def _source(self, begin: int, end: int, text: str) -> str:
        """Returns the wikitext of a range of tokens; this is ``text``, their rendering, if all are text."""
        if all(type(self._tokens[at]) is tokens.Text for at in range(begin, end)):
            return text
        return str(Builder().build(self._tokens[begin:end]))  # type: ignore[no-untyped-call]


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
    """Returns the text shown by a link, given its title as wikitext and as flat text, and the text after the bar."""
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
    """Returns "Boston", the text shown by ``[[Boston, Massachusetts|]]``, or "Pipe" for ``[[Pipe (computing)|]]``."""
    title = title.strip("#").partition("#")[0].replace("_", " ")
    without = _TRAILING_BRACKET.sub("", title)
    return without if without != title else title.partition(", ")[0]
