"""The language of synthetic documents: the spelling of keywords, the names of the STEP tasks, tokens and word lists.

A document is one line of tokens separated by single spaces. A sentence consists of words and the token ``.``. Keywords
are tokens that control a task: ``__d3__keyword_0__`` belongs to task 3.

Source: K. Krishna, J. Bigham and Z. C. Lipton, "Does pretraining for summarization require knowledge transfer?",
Findings of EMNLP 2021, sections 3 to 5. Keywords are spelt as in the authors' generator
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
"""The last token of a sentence; never a word."""

MASK: Final = "<extra_id_0>"
"""The mask token for masked document generation; never a word."""

ENSEMBLE: Final = "ensemble"
"""The configuration in which each document combines several elementary tasks."""

ENSEMBLE_SIZE: Final = 3
"""Number of tasks per document in the ensemble."""

NSG: Final = "nsg"
SR: Final = "sr"
MDG: Final = "mdg"
SR_ADJUSTED: Final = "sr-adjusted"
MDG_ADJUSTED: Final = "mdg-adjusted"
STEP_TASKS: Final[tuple[str, ...]] = (NSG, SR, MDG, SR_ADJUSTED, MDG_ADJUSTED)
"""The configurations of the STEP tasks: next sentence generation, sentence reordering, masked document generation, and
the adjusted versions, whose output is only the order or the masked-out tokens. The order is the ``permutation`` of the
row: for each sentence in the original document its position in the inputs, from 0, as decimal digits."""

INPUT_TOKENS: Final = 512
"""Number of tokens that a STEP document exceeds; in next sentence generation, the number of tokens in the inputs."""

TARGET_TOKENS: Final = 256
"""Number of tokens in the targets for next sentence generation."""

MOST_OVER: Final = 50
"""Maximum number of tokens by which a STEP document may exceed the required number."""

RUN: Final = range(100, 256)
"""Numbers of tokens that a masked run may have."""


class Kind(enum.Enum):
    """The kinds of keywords; values are their spelling after the task, with ``{}`` for each number."""

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
    """A keyword: the number of its task, its kind, and the numbers for the kind, in order of spelling."""

    task: int
    kind: Kind
    numbers: tuple[int, ...] = ()

    @property
    def token(self) -> str:
        """The spelling of the keyword."""
        return f"__d{self.task}__{self.kind.value.format(*self.numbers)}__"


_NUMBER = "(0|[1-9][0-9]{0,3})"
_TASK = re.compile(r"__d([1-9][0-9]{0,3})__(.+)__", re.DOTALL)
_KINDS = {kind: re.compile(kind.value.replace("{}", _NUMBER)) for kind in Kind}


def parse_keyword(token: str) -> Keyword | None:
    """Returns the keyword spelt by a token, or None for any other token. Numbers have at most four digits."""
    task = _TASK.fullmatch(token)
    if task is None:
        return None
    for kind, spelling in _KINDS.items():
        if match := spelling.fullmatch(task[2]):
            return Keyword(int(task[1]), kind, tuple(map(int, match.groups())))
    return None


def is_reserved(word: str) -> bool:
    """Returns whether a token cannot be a word: the stop, the mask, and any token in the form of a keyword."""
    return word in (STOP, MASK) or _TASK.fullmatch(word) is not None


_WORD = re.compile(r"\S+")
Span = tuple[int, int]


class Tokenizer(Protocol):
    """A tokenizer of texts.

    Attributes:
        pieces: candidates for random tokens, each with a leading space if it begins a word; if empty, random tokens are
            drawn from the document's words.
        record: entry in the manifest.
    """

    pieces: Sequence[str]
    record: Mapping[str, Any]

    def spans(self, text: str) -> list[Span]:
        """Returns the start and end of each token in the text, in characters; spans may include outer spaces."""


class WordTokens(Tokenizer):
    """A tokenizer that splits at spaces, into words and the stop of each sentence."""

    def __init__(self, vocabulary: Sequence[str] = ()) -> None:
        self.pieces: Sequence[str] = [f" {word}" for word in vocabulary]
        self.record: Mapping[str, Any] = {"name": "words: no tokenizer was given, a token is a word or a full stop"}

    @override
    def spans(self, text: str) -> list[Span]:
        return [match.span() for match in _WORD.finditer(text)]


NONSENSE = "nonsense"
SIZE = 5_000  # words in the paper's vocabulary
MOST_WORDS = 1_000_000
_LETTERS = 3


class WordsError(ValueError):
    """A word list cannot be used; the text is a one-line reason."""


def nonsense_words(count: int = SIZE) -> tuple[str, ...]:
    """Returns the first three-letter words, with the first letter changing fastest: aaa, baa, caa, ..., zaa, aba, ...

    Source: section 3 of the paper, and its authors' generator.
    """
    letters = string.ascii_lowercase
    return tuple(
        "".join(letters[i // len(letters) ** place % len(letters)] for place in range(_LETTERS)) for i in range(count)
    )


def check_words(lines: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    """Returns the words in a list of one word per line, ignoring blank lines.

    Raises:
        WordsError: a line contains several words, an unprintable character, a repeated word or a token reserved by the
            language; or there are fewer than two words, or more than MOST_WORDS.
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
