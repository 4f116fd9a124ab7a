"""A synthetic document as the interpreter reads it: sentences, and the keywords in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gistmill.rules.synthetic.language import MASK, STOP, Keyword, is_reserved, parse_keyword

_END = f" {STOP}"
_BETWEEN = f" {STOP} "
_SIGN = "__d"  # every keyword begins so


class LanguageError(ValueError):
    """A document does not follow the language; the text goes on from "the document", as in "has no words"."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A keyword where it stands: in which sentence, and at which of its tokens, both from 0."""

    keyword: Keyword
    sentence: int
    place: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document.

    Attributes:
        sentences: each without its final stop.
        marks: the keywords in their order, by the number of their task.
    """

    sentences: Sequence[str]
    marks: Mapping[int, Sequence[Mark]]

    def whole(self, sentence: int) -> str:
        """Returns a sentence with its final stop."""
        return self.sentences[sentence] + _END

    def before(self, mark: Mark) -> list[str]:
        """Returns the tokens of a mark's sentence that stand before it."""
        return self.sentences[mark.sentence].split(" ")[: mark.place]

    def after(self, mark: Mark) -> list[str]:
        """Returns the tokens of a mark's sentence that stand after it, without the final stop."""
        return self.sentences[mark.sentence].split(" ")[mark.place + 1 :]


def read_sentences(text: str) -> list[str]:
    """Returns the sentences of a text, each without its final stop.

    Raises:
        LanguageError: the text is not made of tokens with single spaces between, or a sentence is empty or not ended.
    """
    if len(text.split()) != text.count(" ") + 1 or text != text.strip():
        raise LanguageError("is not one line of tokens with single spaces between")
    if not text.endswith(_END):
        raise LanguageError(f"does not end with a sentence and its {STOP!r}")
    sentences = text.removesuffix(_END).split(_BETWEEN)
    if any(s == STOP or s.startswith(f"{STOP} ") or s.endswith(_END) for s in sentences):
        raise LanguageError("has a sentence without words")
    return sentences


def read_document(text: str) -> Document:
    """Returns the document that a text is.

    Raises:
        LanguageError: it is not one: see read_sentences; or it holds a mask, or a keyword that there is not.
    """
    sentences = read_sentences(text)
    if MASK in text and MASK in text.split(" "):
        raise LanguageError(f"holds {MASK}, which is not a word")
    marks: dict[int, list[Mark]] = {}
    for number, sentence in enumerate(sentences):
        if _SIGN in sentence:
            for place, token in enumerate(sentence.split(" ")):
                if token.startswith(_SIGN) and (keyword := _keyword(token)) is not None:
                    marks.setdefault(keyword.task, []).append(Mark(keyword, number, place))
    return Document(sentences, marks)


@lru_cache(maxsize=4096)
def _keyword(token: str) -> Keyword | None:
    keyword = parse_keyword(token)
    if keyword is None and is_reserved(token):
        raise LanguageError(f"holds {token}, which is not a keyword of any task")
    return keyword
