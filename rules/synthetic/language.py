"""The language of synthetic documents: how keywords are spelt, the names of the STEP tasks, tokens, and lists of words.

A document is one line of tokens with single spaces between. A sentence is words and the token ``.``. Words that tell a
task what to do are keywords: ``__d3__keyword_0__`` belongs to task 3.

Source: K. Krishna, J. Bigham and Z. C. Lipton, "Does pretraining for summarization require knowledge transfer?",
Findings of EMNLP 2021, sections 3 to 5. The spelling of keywords is that of its authors' generator
(github.com/acmi-lab/pretraining-with-nonsense, ``ourtasks.py``).
"""

from __future__ import annotations

import enum
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from typing_extensions import override

STOP: Final = "."
"""The last token of a sentence. No word is spelt so."""

MASK: Final = "<extra_id_0>"
"""The mask token of masked document generation. No word is spelt so."""

ENSEMBLE: Final = "ensemble"
"""The configuration of documents with several elementary tasks each."""

ENSEMBLE_SIZE: Final = 3
"""Tasks of a document of the ensemble."""

NSG: Final = "nsg"
SR: Final = "sr"
MDG: Final = "mdg"
SR_ADJUSTED: Final = "sr-adjusted"
MDG_ADJUSTED: Final = "mdg-adjusted"
STEP_TASKS: Final[tuple[str, ...]] = (NSG, SR, MDG, SR_ADJUSTED, MDG_ADJUSTED)
"""The configurations of the STEP tasks: next sentence generation, sentence reordering, masked document generation, and
the adjusted versions, which put out only the order or the masked-out tokens. The order is the ``permutation`` of the
row: for each sentence of the original document its place among those of the inputs, from 0, as decimal digits."""

INPUT_TOKENS: Final = 512
"""Tokens that the document of a STEP task exceeds; of next sentence generation, tokens of the inputs."""

TARGET_TOKENS: Final = 256
"""Tokens of the targets of next sentence generation."""

MOST_OVER: Final = 50
"""Tokens that the document of a STEP task may have above those that it exceeds."""

RUN: Final = range(100, 256)
"""Tokens that a masked run may have."""


class Kind(enum.Enum):
    """The kind of a keyword. The value is its spelling after the task, with a ``{}`` for each number."""

    KEYWORD = "keyword_{}"
    SPECIAL = "keyword"
    BEGIN = "begin_quote"
    END = "end_quote"
    BULLET = "bullet"
    CLASS_KEYWORD = "class_{}_kw_{}"
    CLASS = "class_{}"
    NUMBER = "{}"
    SOURCE = "src_{}"
    SYNONYM = "target_{}_{}"
    JOINER = "join_{}"


class Keyword(NamedTuple):
    """A keyword: the number of its task, its kind, and the numbers of the kind, in the order of its spelling."""

    task: int
    kind: Kind
    numbers: tuple[int, ...] = ()

    @property
    def token(self) -> str:
        """How the keyword is spelt."""
        return f"__d{self.task}__{self.kind.value.format(*self.numbers)}__"


_NUMBER = "(0|[1-9][0-9]{0,3})"
_TASK = re.compile(r"__d([1-9][0-9]{0,3})__(.+)__", re.DOTALL)
_KINDS = {kind: re.compile(kind.value.replace("{}", _NUMBER)) for kind in Kind}


def parse_keyword(token: str) -> Keyword | None:
    """Returns the keyword that a token spells, or None for any other token. Numbers have at most four digits."""
    task = _TASK.fullmatch(token)
    if task is None:
        return None
    for kind, spelling in _KINDS.items():
        if match := spelling.fullmatch(task[2]):
            return Keyword(int(task[1]), kind, tuple(map(int, match.groups())))
    return None


def is_reserved(word: str) -> bool:
    """True for a token that no word may be: the stop, the mask, and whatever has the form of a keyword."""
    return word in (STOP, MASK) or _TASK.fullmatch(word) is not None


_WORD = re.compile(r"\S+")
Span = tuple[int, int]


class Tokenizer(Protocol):
    """A tokenizer of texts.

    Attributes:
        pieces: the texts that a random token may be, each with a space in front if it begins a word; empty where random
            tokens are words of the document.
        record: its entry in the manifest.
    """

    pieces: Sequence[str]
    record: Mapping[str, Any]

    def spans(self, text: str) -> list[Span]:
        """Returns where each token begins and ends in the text, in characters; a span may have spaces at its ends."""


class WordTokens(Tokenizer):
    """Counts tokens between spaces: words, and the stop of each sentence."""

    def __init__(self, vocabulary: Sequence[str] = ()) -> None:
        self.pieces: Sequence[str] = [f" {word}" for word in vocabulary]
        self.record: Mapping[str, Any] = {"name": "words: no tokenizer was given, a token is a word or a full stop"}

    @override
    def spans(self, text: str) -> list[Span]:
        return [match.span() for match in _WORD.finditer(text)]


NONSENSE = "nonsense"
SIZE = 5_000  # words of the paper's vocabulary
MOST_WORDS = 1_000_000
_LETTERS = 3


class WordsError(ValueError):
    """A list of words that cannot be used; the text is one line that says why."""


def nonsense_words(count: int = SIZE) -> tuple[str, ...]:
    """Returns the first words of three letters, the first letter changing fastest: aaa, baa, caa, ..., zaa, aba, ...

    Source: section 3 of the paper, and its authors' generator.
    """
    letters = string.ascii_lowercase
    return tuple(
        "".join(letters[i // len(letters) ** place % len(letters)] for place in range(_LETTERS)) for i in range(count)
    )


def check_words(lines: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    """Returns the words of a list with a word on each line; blank lines are left out.

    Raises:
        WordsError: a line holds several words, a word that is there already, or one that the language of the documents
            reserves; or there are less than two words, or more than MOST_WORDS.
    """
    found: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        word = line.strip()
        if not word:
            continue
        if len(word.split()) > 1:
            raise WordsError(f"line {number} contains several words: {word!r:.80}")
        if not word.isprintable():
            raise WordsError(f"line {number} contains an unprintable character: {word!r:.80}")
        if is_reserved(word):
            raise WordsError(
                f"line {number}: {word!r:.80} is a token of the synthetic language, so it cannot be a word"
            )
        if word in found:
            raise WordsError(f"line {number}: {word!r:.80} is already on line {found[word]}")
        found[word] = number
        if len(found) > MOST_WORDS:
            raise WordsError(f"it contains more than {MOST_WORDS:,} words")
    if len(found) < 2:
        raise WordsError(f"it contains {'only one word' if found else 'no words'}; at least two are needed")
    return tuple(found)
