"""The shape of an elementary task, and the document that tasks work on.

Source: section 5, tables 1 and 8 of the paper; the counts of keywords and sentences are those of its authors'
generator.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.language import STOP, Keyword, Kind, Task

Memory = TypeVar("Memory")


class Draft:
    """A document to which tasks add their keywords.

    Attributes:
        sentences: the tokens of each sentence; at first at least five words, and the stop.
        keywords: the tokens that tasks have put in.
    """

    __slots__ = ("keywords", "sentences")

    def __init__(self, sentences: list[list[str]]) -> None:
        self.sentences = sentences
        self.keywords: set[str] = set()

    def choose(self, count: int, draws: Draws, *, words: int = 1) -> list[int]:
        """Returns the numbers of different sentences in random order, each with at least so many words left; so with
        two words left one of them is not the last.

        Raises:
            ValueError: there are too few of them.
        """
        if not self.keywords:  # every sentence of a base document has words enough
            return draws.sample(len(self.sentences), count)
        able = [i for i in range(len(self.sentences)) if len(self.words(i)) >= words]
        if len(able) < count:
            raise ValueError(f"{len(able)} sentences have {words} words left, and {count} are needed")
        return [able[i] for i in draws.sample(len(able), count)]

    def words(self, sentence: int) -> list[int]:
        """Returns the places of the words that are left in a sentence: neither keywords nor the stop."""
        tokens, keywords = self.sentences[sentence], self.keywords
        return [i for i in range(len(tokens) - 1) if tokens[i] not in keywords]

    def replace(self, sentence: int, token: str, draws: Draws, *, behind: int = 1) -> None:
        """Puts a keyword in the place of a random word of a sentence that has one left.

        Args:
            sentence, token: its number, and the keyword.
            draws: decide about the place.
            behind: tokens that stand behind it at least; the stop is one.
        """
        tokens = self.sentences[sentence]
        end = len(tokens) - behind
        place = draws.one([i for i in self.words(sentence) if i < end]) if self.keywords else draws.below(end)
        tokens[place] = token
        self.keywords.add(token)

    def insert(self, sentence: int, place: int, token: str) -> None:
        """Puts a marker before the token at ``place``."""
        self.sentences[sentence].insert(place, token)
        self.keywords.add(token)

    def text(self, sentence: int) -> str:
        """Returns a sentence as it stands, with its keywords."""
        return " ".join(self.sentences[sentence])

    def split(self, sentence: int, token: str) -> tuple[list[str], list[str]]:
        """Returns the tokens of a sentence before a keyword, and those after it without the stop."""
        tokens = self.sentences[sentence]
        place = tokens.index(token)
        return tokens[:place], tokens[place + 1 : -1]

    def join(self) -> str:
        """Returns the document as it stands."""
        return " ".join([" ".join(tokens) for tokens in self.sentences])

    def tenths(self) -> list[int]:
        """Returns for each keyword the tenth of the document's tokens in which it stands, from 0."""
        document = [token for tokens in self.sentences for token in tokens]
        return [10 * place // len(document) for place, token in enumerate(document) if token in self.keywords]


class ElementaryTask(ABC, Generic[Memory]):
    """A task: what it puts into a document, and what it says of it in the summary.

    Several tasks may work on one document. All put in their keywords first; then each says its part, of the document
    as it stands then. Sentences keep their numbers in between, but places in a sentence may move.

    Class attributes:
        TASK: its number, and its names.
        ENSEMBLE: whether it is one of those that the ensemble combines.
    """

    TASK: ClassVar[Task]
    ENSEMBLE: ClassVar[bool] = False

    @abstractmethod
    def put(self, draft: Draft, draws: Draws) -> Memory:
        """Puts the keywords in; returns what ``say`` has to know."""

    @abstractmethod
    def say(self, draft: Draft, memory: Memory) -> str:
        """Returns the task's part of the summary."""


def tokens(task: Task, kind: Kind, count: int, *before: int) -> tuple[str, ...]:
    """Returns the tokens of the keywords 0 to ``count`` - 1 of a kind; ``before`` are the numbers that come first."""
    return tuple(Keyword(task.number, kind, (*before, i)).token for i in range(count))


def grid(task: Task, kind: Kind, rows: int, columns: int) -> tuple[tuple[str, ...], ...]:
    """Returns the tokens of a kind that has two numbers, by the first and then by the second."""
    return tuple(tokens(task, kind, columns, row) for row in range(rows))


def stopped(words: list[str]) -> str:
    """Returns words as a sentence."""
    return " ".join([*words, STOP])
