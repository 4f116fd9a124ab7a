"""What makes the rows of a configuration: a task or the ensemble of tasks, on base documents of nonsense or real text.

Nonsense has sentences of 5 to 15 drawn words, 7 to 13 of them for elementary tasks (section 3 of the paper). Real text
is the first sentences of a document as lower-cased words (section 7, "real upstream corpus"; the bounds are those of
the authors' generator).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar

from typing_extensions import override

from gistmill.core.statistics import Column
from gistmill.rules.documents import SegmentedDocument
from gistmill.rules.synthetic.draws import Draws, Widths
from gistmill.rules.synthetic.language import (
    ENSEMBLE,
    MDG,
    MDG_ADJUSTED,
    NSG,
    SR,
    SR_ADJUSTED,
    STEP_TASKS,
    STOP,
    Tokenizer,
)
from gistmill.rules.synthetic.steps import EXAMPLES, TOKENS, Overshot, Text, fill
from gistmill.rules.synthetic.tasks.base import Draft, ElementaryTask
from gistmill.rules.synthetic.tasks.elementary import ELEMENTARY

WORDS = (5, 15)  # of a sentence, without the stop
SENTENCES = (7, 13)  # of a document for elementary tasks


def endless_sentences(draws: Draws) -> Iterator[list[str]]:
    """Yields the words of sentences, as many as are asked for."""
    while True:
        yield draws.words(draws.between(*WORDS))


# letters and digits, with apostrophes and hyphens inside
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_LEAST, _MOST = SENTENCES[0] * WORDS[0], SENTENCES[1] * WORDS[1]


class NoBeginning(Exception):
    """No beginning of the document is within the bounds; the text says which sentences it has."""


def real_sentences(document: SegmentedDocument) -> list[list[str]]:
    """Returns the words of each sentence; sentences without words are left out."""
    found = (_WORD.findall(sentence.text.lower()) for sentence in document.sentences)
    return [words for words in found if words]


def beginning(sentences: Sequence[list[str]], draws: Draws) -> list[list[str]]:
    """Returns the first 7 to 13 sentences, where each has at least 5 words and all together have 35 to 195.

    Of several numbers of sentences that fit, one is drawn.

    Raises:
        NoBeginning: no number fits.
    """
    sizes = [len(words) for words in sentences[: SENTENCES[1]]]
    long = next((i for i, size in enumerate(sizes) if size < WORDS[0]), len(sizes))
    fitting = [
        number
        for number, words in enumerate(accumulate(sizes[:long]), 1)
        if number >= SENTENCES[0] and _LEAST <= words <= _MOST
    ]
    if not fitting:
        raise NoBeginning(f"words of its first sentences: {', '.join(map(str, sizes)) or 'none'}")
    return [*sentences[: draws.one(fitting)]]


ENSEMBLE_SIZE = 3
MOST_ATTEMPTS = 1_000  # at a document with not too many tokens
TRIAL_ATTEMPTS = 50  # at the first one; words of which so few fit would take too long
_DESCRIPTIONS = {
    NSG: "the targets are the 256 tokens after the 512 of the inputs (next sentence generation)",
    SR: "the inputs are the sentences of the targets in random order (sentence reordering)",
    SR_ADJUSTED: "the inputs are shuffled sentences, the targets their places (sentence reordering, adjusted)",
    MDG: "the inputs are the targets with a masked run of tokens (masked document generation)",
    MDG_ADJUSTED: "the targets are the masked run of the inputs (masked document generation, adjusted)",
}
_PERMUTATION = Column("permutation", "list<int64>", "place in the inputs of each sentence of the document, from 0")
_RUN = (
    Column("mask_start", "int64", "tokens of the document before the masked run"),
    Column("mask_length", "int64", "tokens of the masked run"),
    Column("before", "int64", "characters at the beginning of the inputs that are the document's"),
    Column("after", "int64", "characters at the end of the inputs that are the document's"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedExample:
    """A document's part in a configuration.

    Attributes:
        inputs, targets: the texts.
        tasks: the elementary tasks, in the order of their summaries.
        sentences: of the base document.
        words: of the base document, without stops.
        first: the first of the document's words among those that were drawn.
        discarded: documents that were drawn before, and had too many tokens.
        tenths: for each keyword, the tenth of the inputs' tokens in which it stands, from 0.
        values: the values of the configuration's own columns.
    """

    inputs: str
    targets: str
    tasks: list[str]
    sentences: int
    words: int
    first: int = 0
    discarded: int = 0
    tenths: Sequence[int] = ()
    values: Mapping[str, object]


class Maker(ABC):
    """Makes the rows of a configuration.

    Class attributes:
        WIDTHS: numbers that most documents need.

    Attributes:
        name: the configuration.
        description: a line for the dataset card.
        columns: the columns that other configurations need not have.
    """

    WIDTHS: ClassVar[Widths]

    def __init__(self, name: str, description: str, columns: tuple[Column, ...] = ()) -> None:
        self.name, self.description, self.columns = name, description, columns

    @abstractmethod
    def draw(self, draws: Draws, attempts: int = MOST_ATTEMPTS) -> GeneratedExample:
        """Makes a document of drawn words, in at most so many attempts.

        Raises:
            TooFewTokens, Overshot: the tokenizer is not fit for the words.
        """

    @abstractmethod
    def take(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        """Makes a document of the words of sentences.

        Raises:
            NoBeginning, TooFewTokens, Overshot: they are not fit for it.
        """


class ElementaryMaker(Maker):
    """An elementary task, or several of them in turn.

    Args:
        name: the configuration.
        tasks: the tasks from which each document's are drawn.
        count: how many it has.
    """

    WIDTHS = Widths(120, 200)

    def __init__(self, name: str, tasks: Sequence[ElementaryTask[Any]], count: int) -> None:
        few = f"{count} tasks each, of {len(tasks)}" if count > 1 else f"the task {tasks[0].TASK.paper_name}"
        super().__init__(name, f"documents of 7 to 13 sentences, {few}")
        self._tasks, self._count = tasks, count

    @override
    def draw(self, draws: Draws, attempts: int = MOST_ATTEMPTS) -> GeneratedExample:
        return self._make([draws.words(draws.between(*WORDS)) for _ in range(draws.between(*SENTENCES))], draws)

    @override
    def take(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        return self._make(beginning(sentences, draws), draws)

    def _make(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        draft = Draft([[*words, STOP] for words in sentences])
        tasks = [self._tasks[i] for i in draws.sample(len(self._tasks), self._count)]
        memories = [task.put(draft, draws) for task in tasks]
        said = [task.say(draft, memory) for task, memory in zip(tasks, memories, strict=True)]
        return GeneratedExample(
            inputs=draft.join(),
            targets=" ".join(said),
            tasks=[task.TASK.name for task in tasks],
            sentences=len(sentences),
            words=sum(map(len, sentences)),
            tenths=draft.tenths(),
            values={},
        )


class StepMaker(Maker):
    """A STEP task, on documents of so many tokens."""

    WIDTHS = Widths(704, 1088)

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        columns = {SR: (_PERMUTATION,), SR_ADJUSTED: (_PERMUTATION,), MDG: _RUN, MDG_ADJUSTED: _RUN}
        super().__init__(name, _DESCRIPTIONS[name], columns.get(name, ()))
        self._tokenizer, self._example, self._tokens = tokenizer, EXAMPLES[name], TOKENS[name]

    @override
    def draw(self, draws: Draws, attempts: int = MOST_ATTEMPTS) -> GeneratedExample:
        """A document with too many tokens is discarded, and the next one drawn."""
        for attempt in range(attempts):
            first = draws.drawn
            try:
                text = fill(_texts(endless_sentences(draws)), self._tokenizer, self._tokens)
            except Overshot as error:
                last = error
            else:
                return self._made(text, draws, first=first, discarded=attempt)
        raise last

    @override
    def take(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        return self._made(fill(_texts(iter(sentences)), self._tokenizer, self._tokens), draws)

    def _made(self, text: Text, draws: Draws, *, first: int = 0, discarded: int = 0) -> GeneratedExample:
        example = self._example(text, self._tokenizer, draws)
        return GeneratedExample(
            inputs=example.inputs,
            targets=example.targets,
            tasks=[],
            sentences=len(text.sentences),
            words=text.text.count(" ") + 1 - len(text.sentences),
            first=first,
            discarded=discarded,
            values=example.values,
        )


def _texts(sentences: Iterator[list[str]]) -> Iterator[str]:
    return (" ".join([*words, STOP]) for words in sentences)


def make_maker(name: str, tokenizer: Tokenizer) -> Maker:
    """Returns what makes the configuration of this name."""
    if name in STEP_TASKS:
        return StepMaker(name, tokenizer)
    if name == ENSEMBLE:
        combined = [task() for task in ELEMENTARY.values() if task.ENSEMBLE]
        return ElementaryMaker(name, combined, ENSEMBLE_SIZE)
    return ElementaryMaker(name, [ELEMENTARY[name]()], 1)
