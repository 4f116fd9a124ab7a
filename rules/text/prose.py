"""Paragraphs of prose: a test for prose, the paragraphs of plain text, and the positions of a document's tokens.

Also defines the marks in half-cleaned text. These are C0 control characters, which XML forbids, so that no dump can
contain them; ``without_controls`` removes them from any other input.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import accumulate, chain, groupby, pairwise

from gistmill.rules.documents import AnnotatedDocument

HOLE = "\x01"  # something not part of the sentence was removed here; brackets around it may now be meaningless
LIST = "\x02"  # starts a list item
TERM = LIST + HOLE  # starts a term, whose definition follows
HEADING = "\x03"  # starts a heading line; followed by one digit, the level
BROKEN = "\x04"  # unbalanced markup; its paragraph is dropped
APOSTROPHE = "\x05"  # an apostrophe that is not bold or italic markup
SUP = "\x06"  # superscript begins
SUP_END = "\x07"
BREAK = "\x0e"  # <br>
LOST = "\x0f"  # unknown words were lost here; their sentence is removed
UNSAID = LOST + HOLE  # pronunciation: not part of the sentence if in brackets; otherwise the sentence may be about it
SOURCE = HOLE + LOST  # a citation: a note after the end of a sentence, lost words elsewhere
INDENT = "\x10"  # starts an indented line
FRACTION = "\x15"  # starts a fraction, which is kept separate from a number before it
APART = "\u200b"  # separates signs that would form markup together; invisible

CAPITALS = "A-ZÀ-ÖØ-ÞΑ-ΩЀ-Я"  # for use in a character class

# Characters without width or meaning for words; joiners are kept, because some scripts need them.
INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"  # for use in a character class
CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff"  # likewise; includes lone surrogates
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_CONTROLS = re.compile(f"[{CONTROLS}]")


def without_controls(text: str) -> str:
    """Returns ``text`` without control characters and lone surrogates, and with line ends as ``\\n``."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n"))


def without_invisible(text: str) -> str:
    """Returns ``text`` without soft hyphens, direction marks and other invisible characters."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


# Marks that end a sentence: in alphabets, Arabic and Indic scripts; and in scripts written without spaces.
_MARKS, _IDEOGRAPHIC = ".!?…؟۔।॥։።။។", "。．！？｡"
_CLOSERS = "]\"'”’“‘»«›‹)」』）】》〉］"  # for use in a character class, so "]" is first
_ENDS = (*_MARKS, *_IDEOGRAPHIC, ":", "：")
_SENTENCE_END = re.compile(rf"[{''.join(_ENDS)}](?:(?<=[{_MARKS}])[{_CLOSERS}]*(?:\s|$)|(?<=[{_IDEOGRAPHIC}])|$)")
# In scripts without spaces a word is taken to be two characters in Chinese and Japanese, and five in Thai, Lao, Burmese
# and Khmer. In other scripts a word may contain vowel marks and joiners.
_HAN = "\u3040-\u30ff\u3400-\u9fff"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_INSIDE = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0971-\u0dff\u200c\u200d"
)
_LETTER_WORD = re.compile(
    rf"[{_HAN}]{{1,2}}|[{_UNSPACED}]{{1,5}}|[^\W\d_{_HAN}{_UNSPACED}](?:[^\W\d_{_HAN}{_UNSPACED}]|[{_INSIDE}])*"
)
_BETWEEN_HAN = re.compile(rf"[{_HAN}{_IDEOGRAPHIC}、，」』）][{_HAN}「『（]")
_WIDE = re.compile(rf"[{_HAN}\uac00-\ud7a3\u3000-\u303f\uff01-\uff60]")
_LINE_BREAK = r"[\n\r\x85](?:(?<=\r)\n)?+"
# Characters removed by cleaning may occur between the two line ends.
_BLANK_LINE = re.compile(rf"{_LINE_BREAK}(?:(?![\n\r\x85])[\s{CONTROLS}{INVISIBLE}])*+{_LINE_BREAK}")
_SHORT_LINE = 50  # columns; lines of wrapped text are longer
MIN_WORDS = 3  # in a paragraph that ends like a sentence
MIN_UNFINISHED_WORDS = 12  # in any other paragraph


def is_prose(text: str) -> bool:
    """Whether a paragraph contains a sentence: enough words made of letters, and a sentence end unless it is long."""
    words = 0
    finished = _SENTENCE_END.search(text) is not None
    for words, _ in enumerate(_LETTER_WORD.finditer(text), start=1):
        if words >= (MIN_WORDS if finished else MIN_UNFINISHED_WORDS):
            return True
    return False


def ends_sentence(text: str, *, colon: bool = True) -> bool:
    """Whether a text ends with a mark that ends sentences in some script, possibly followed by closing marks; colons
    count if ``colon``."""
    return text.removesuffix("\n").rstrip(_CLOSERS).endswith(_ENDS) and (colon or not text.endswith((":", "：")))


def continues_sentence(text: str) -> bool:
    """Whether a text begins in mid-sentence: in lower case, but not with a name such as iPhone."""
    return text[:1].islower() and not text[1:2].isupper() and not text[2:3].isupper()


def joined_lines(block: str) -> Iterator[str]:
    """Yields the paragraphs of a block in which line ends may be due to wrapping or may end paragraphs.

    A line end ends a paragraph after a sentence end, and between a short line and one that begins like a sentence.
    Paragraphs are non-empty, in NFC, with single spaces and without invisible characters.
    """
    paragraph: list[str] = []
    for raw in without_invisible(block).split("\n"):
        line = " ".join(raw.split())
        if not line:
            continue
        if paragraph:
            width = len(paragraph[-1]) + sum(1 for _ in _WIDE.finditer(paragraph[-1]))
            if ends_sentence(paragraph[-1]) or (width < _SHORT_LINE and not line[0].islower()):
                yield _joined(paragraph)
                paragraph = []
        paragraph.append(line)
    if paragraph:
        yield _joined(paragraph)


def plain_paragraphs(text: str) -> tuple[str, ...]:
    """Returns the prose paragraphs of plain text, separated by blank lines there, in NFC with single spaces."""
    return tuple(paragraph for _, _, paragraph in placed_paragraphs(text))


def placed_paragraphs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields the start and end of each prose paragraph in the text, and the cleaned paragraph."""
    edges = [0, *chain.from_iterable(m.span() for m in _BLANK_LINE.finditer(text)), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        lines = without_invisible(without_controls(text[start:end])).split("\n")
        paragraph = _joined([line for raw in lines if (line := " ".join(raw.split()))])
        if is_prose(paragraph):
            yield start, end, paragraph


def _joined(lines: list[str]) -> str:
    """Returns lines as one text in NFC, joined by spaces except between Chinese or Japanese characters."""
    pairs = pairwise(lines)
    glued = ("" if _BETWEEN_HAN.fullmatch(before[-1] + after[0]) else " " for before, after in pairs)
    return unicodedata.normalize("NFC", "".join(chain(lines[:1], *zip(glued, lines[1:], strict=True))))


class PlacesError(ValueError):
    """A text does not contain its document's tokens in order."""


class Places:
    """The positions of a document's tokens in its text.

    Attributes:
        text: the given text, or the document's paragraphs, one per line, as in the recipe ``articles``.

    Args:
        document: the document.
        text: the plain text from which ``plain_paragraphs`` made the document; None to use the document's paragraphs.

    Raises:
        PlacesError: the text does not contain the tokens in order.
    """

    def __init__(self, document: AnnotatedDocument, text: str | None = None) -> None:
        paragraphs = [list(group) for _, group in groupby(document.sentences, key=lambda s: (s.section, s.paragraph))]
        written = [
            "".join(t.text + " " * t.space for s in sentences for t in s.tokens).rstrip() for sentences in paragraphs
        ]
        self.text = "\n".join(written) if text is None else text
        if text is None:
            starts = accumulate((len(paragraph) + 1 for paragraph in written), initial=0)
            stretches = [(start, start + len(paragraph)) for start, paragraph in zip(starts, written, strict=False)]
        else:
            prose = [(start, end) for start, end, _ in placed_paragraphs(text)]
            try:
                stretches = [prose[sentences[0].paragraph] for sentences in paragraphs]
            except IndexError:
                raise PlacesError(
                    f"the text has only {len(prose)} paragraphs of prose, fewer than its document"
                ) from None
        self._spans: list[list[tuple[int, int]]] = []
        for sentences, stretch in zip(paragraphs, stretches, strict=True):
            places = _letters(self.text, stretch, "".join(t.text for s in sentences for t in s.tokens))
            at = 0
            for sentence in sentences:
                self._spans.append([])
                for token in sentence.tokens:
                    self._spans[-1].append((places[at][0], places[at + len(token.text) - 1][1]))
                    at += len(token.text)

    def span(self, sentence: int, start: int, end: int) -> tuple[int, int]:
        """Returns the start and end in the text of tokens [start, end) of a sentence."""
        spans = self._spans[sentence]
        return spans[start][0], spans[end - 1][1]


def _letters(text: str, stretch: tuple[int, int], wanted: str) -> list[tuple[int, int]]:
    """Returns the position of each wanted character in the stretch [start, end) of the text.

    White space and invisible characters, which cleaning removed, are skipped. Characters that cleaning composed
    together, such as letters with their marks, share a position.
    """
    places: list[tuple[int, int]] = []
    start, together = stretch[0], ""
    for at in range(*stretch):
        if len(places) == len(wanted):
            break
        character = text[at]
        if not together:
            start = at
            if character == wanted[len(places)]:
                places.append((at, at + 1))
                continue
        if character.isspace() or not without_invisible(without_controls(character)):
            continue
        together += character
        composed = unicodedata.normalize("NFC", together)
        if wanted.startswith(composed, len(places)):
            places += [(start, at + 1)] * len(composed)
            together = ""
    if len(places) < len(wanted):
        rest = wanted[len(places) :]
        raise PlacesError(f"expected {rest[:20]!r} at character {start} of the text, not {text[start:][:20]!r}")
    return places
