"""Generators of a configuration's rows: a task or the ensemble of tasks, on base documents of nonsense or real text.

Nonsense sentences consist of 5 to 15 drawn words; elementary tasks use 7 to 13 sentences (section 3 of the paper). Real
text consists of the first sentences of a document as lower-cased words (section 7, "real upstream corpus"; the bounds
are from the authors' generator).

The STEP tasks are those in section 4, after Y. Zou et al., "Pre-training for abstractive document summarization by
reinstating source text", EMNLP 2020; the adjusted versions are from section 7. The numbers of tokens, and the shares of
masked, random and kept tokens, are from the authors' generator.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, islice

from gistmill.core.records import Reason
from gistmill.core.statistics import Column
from gistmill.rules.documents import SegmentedDocument
from gistmill.rules.recipe import Refused
from gistmill.rules.synthetic.draws import Draws, Widths
from gistmill.rules.synthetic.interpreter import TASKS, Task, read_document
from gistmill.rules.synthetic.keywords import Draft, put
from gistmill.rules.synthetic.language import (
    ENSEMBLE,
    ENSEMBLE_SIZE,
    INPUT_TOKENS,
    MASK,
    MDG,
    MDG_ADJUSTED,
    MOST_OVER,
    NSG,
    RUN,
    SR,
    SR_ADJUSTED,
    STEP_TASKS,
    STOP,
    TARGET_TOKENS,
    Span,
    Tokenizer,
)

WORDS = (5, 15)  # words per sentence, without the stop
SENTENCES = (7, 13)  # sentences per document for elementary tasks
MOST_ATTEMPTS = 1_000  # to draw a document without too many tokens
TRIAL_ATTEMPTS = 50  # to draw the first document; if more are needed, generation would take too long


# letters and digits, with apostrophes and hyphens inside
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_LEAST, _MOST = SENTENCES[0] * WORDS[0], SENTENCES[1] * WORDS[1]


class SyntheticReason(Reason):
    """Reasons why a task cannot use a document that was read."""

    NO_BEGINNING = "no first 7 to 13 sentences have at least 5 words each and 35 to 195 in total"
    TOO_FEW_TOKENS = "the document has too few tokens for the task"
    OVERSHOT = "the sentence that reaches the required number of tokens exceeds it by over 50"
    NO_TASK = "no task can use the document, for different reasons"


def real_sentences(document: SegmentedDocument) -> list[list[str]]:
    """Returns the words in each sentence, leaving out sentences without words."""
    found = (_WORD.findall(sentence.text.lower()) for sentence in document.sentences)
    return [words for words in found if words]


def beginning(sentences: Sequence[list[str]], draws: Draws) -> list[list[str]]:
    """Returns the first 7 to 13 sentences, each with at least 5 words and together with 35 to 195.

    If several numbers of sentences are possible, one is drawn.

    Raises:
        Refused: NO_BEGINNING, no number of sentences is possible.
    """
    sizes = [len(words) for words in sentences[: SENTENCES[1]]]
    long = next((i for i, size in enumerate(sizes) if size < WORDS[0]), len(sizes))
    fitting = [
        number
        for number, words in enumerate(accumulate(sizes[:long]), 1)
        if number >= SENTENCES[0] and _LEAST <= words <= _MOST
    ]
    if not fitting:
        shown = ", ".join(map(str, sizes)) or "none"
        raise Refused(SyntheticReason.NO_BEGINNING, f"words in its first sentences: {shown}")
    return [*sentences[: draws.one(fitting)]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedExample:
    """A generated document and its summary.

    Attributes:
        inputs, targets: the texts.
        tasks: the elementary tasks, in the order of their summaries.
        sentences: number of sentences in the base document.
        words: number of words in the base document, without stops.
        first: index of the document's first word among the words drawn.
        discarded: number of documents drawn earlier and discarded because they had too many tokens.
        tenths: the tenth of the inputs' tokens in which each keyword occurs, from 0.
        values: values of the configuration's own columns.
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


class ElementaryMaker:
    """A generator of documents with one or more elementary tasks.

    Args:
        name: name of the configuration.
        tasks: the tasks to draw from for each document.
        count: number of tasks per document.
    """

    WIDTHS = Widths(120, 200)

    def __init__(self, name: str, tasks: Sequence[Task], count: int) -> None:
        few = f"{count} tasks each, of {len(tasks)}" if count > 1 else f"the task {tasks[0].paper_name}"
        self.name, self.description = name, f"documents of 7 to 13 sentences, {few}"
        self.columns: tuple[Column, ...] = ()
        self._tasks, self._count = tasks, count

    def draw(self, draws: Draws, attempts: int = MOST_ATTEMPTS) -> GeneratedExample:
        """Generates a document from drawn words."""
        return self._make([draws.words(draws.between(*WORDS)) for _ in range(draws.between(*SENTENCES))], draws)

    def take(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        """Generates a document from the words of sentences.

        Raises:
            Refused: the sentences are too few, too short or too long.
        """
        return self._make(beginning(sentences, draws), draws)

    def _make(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        draft = Draft([[*words, STOP] for words in sentences])
        tasks = [self._tasks[i] for i in draws.sample(len(self._tasks), self._count)]
        places = [put(task, draft, draws) for task in tasks]
        document = read_document(draft.text)
        found = [task.summaries(document) for task in tasks]
        ends = [*accumulate(map(len, draft.sentences), initial=0)]
        marks = sorted(ends[mark.sentence] + mark.place for marks in document.marks.values() for mark in marks)
        return GeneratedExample(
            inputs=draft.text,
            targets=" ".join([summaries[i] for summaries, i in zip(found, places, strict=True)]),
            tasks=[task.name for task in tasks],
            sentences=len(sentences),
            words=sum(map(len, sentences)),
            tenths=[10 * place // ends[-1] for place in marks],
            values={},
        )


_MASKED, _RANDOM = 8, 1  # tenths of a masked run; the rest is kept
_AT_ONCE = 4  # minimum number of sentences added at a time
_PERMUTATION = (Column("permutation", "list<int64>", "place in the inputs of each sentence of the document, from 0"),)
_RUN_COLUMNS = (
    Column("mask_start", "int64", "tokens of the document before the masked run"),
    Column("mask_length", "int64", "tokens of the masked run"),
    Column("before", "int64", "characters at the beginning of the inputs that are the document's"),
    Column("after", "int64", "characters at the end of the inputs that are the document's"),
)
_STEPS: Mapping[str, tuple[str, tuple[Column, ...]]] = {
    NSG: ("the targets are the 256 tokens after the 512 of the inputs (next sentence generation)", ()),
    SR: ("the inputs are the sentences of the targets in random order (sentence reordering)", _PERMUTATION),
    SR_ADJUSTED: (
        "the inputs are shuffled sentences, the targets their places (sentence reordering, adjusted)",
        _PERMUTATION,
    ),
    MDG: ("the inputs are the targets with a masked run of tokens (masked document generation)", _RUN_COLUMNS),
    MDG_ADJUSTED: (
        "the targets are the masked run of the inputs (masked document generation, adjusted)",
        _RUN_COLUMNS,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A document with enough tokens: its sentences, its text (sentences joined by spaces), and its tokens' spans."""

    sentences: Sequence[str]
    text: str
    spans: Sequence[Span]


def fill(sentences: Iterator[str], tokenizer: Tokenizer, wanted: int) -> Text:
    """Returns a document of just enough sentences to have more than ``wanted`` tokens.

    Args:
        sentences: texts that end in a stop; a few more than needed may be consumed.
        tokenizer: divides the text into tokens; no token may span two sentences.
        wanted: number of tokens to exceed.

    Raises:
        Refused: TOO_FEW_TOKENS, there are too few sentences, or more sentences than tokens wanted; OVERSHOT, the
            document exceeds ``wanted`` by more than MOST_OVER tokens.
    """
    found: list[str] = []
    spans: Sequence[Span] = ()
    while len(spans) <= wanted:
        more = list(islice(sentences, max(_AT_ONCE, len(found) // 2)))
        if not more or len(found) > wanted:
            raise Refused(SyntheticReason.TOO_FEW_TOKENS, f"{len(spans)} tokens")
        found += more
        spans = tokenizer.spans(" ".join(found))
    begins = [begin for begin, _ in spans]
    # the space after a sentence is not part of it, and may belong to the next token
    tokens = [bisect.bisect_left(begins, end) for end in accumulate(map(len, found), lambda end, n: end + 1 + n)]
    number = bisect.bisect_right(tokens, wanted)
    if tokens[number] - wanted > MOST_OVER:
        raise Refused(SyntheticReason.OVERSHOT, f"{tokens[number]} tokens")
    kept = found[: number + 1]
    return Text(sentences=kept, text=" ".join(kept), spans=spans[: tokens[number]])


class StepMaker:
    """A generator of documents for a STEP task."""

    WIDTHS = Widths(704, 1088)

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        self.name, self.description, self.columns = name, *_STEPS[name]
        self._tokenizer = tokenizer

    def draw(self, draws: Draws, attempts: int = MOST_ATTEMPTS) -> GeneratedExample:
        """Generates a document from drawn words, discarding up to ``attempts`` documents with too many tokens.

        Raises:
            Refused: the tokenizer is not suitable for the words.
        """
        discarded = 0
        while True:
            first = draws.drawn
            sentences = (draws.words(draws.between(*WORDS)) for _ in count())
            try:
                return self._make(sentences, draws, first=first, discarded=discarded)
            except Refused as error:
                discarded += 1
                if error.reason is not SyntheticReason.OVERSHOT or discarded == attempts:
                    raise

    def take(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        """Generates a document from the words of sentences.

        Raises:
            Refused: the sentences are not suitable.
        """
        return self._make(iter(sentences), draws)

    def _make(
        self, sentences: Iterator[list[str]], draws: Draws, *, first: int = 0, discarded: int = 0
    ) -> GeneratedExample:
        wanted = INPUT_TOKENS + (TARGET_TOKENS if self.name == NSG else 0)
        text = fill((" ".join([*words, STOP]) for words in sentences), self._tokenizer, wanted)
        inputs, targets, values = self._example(text, draws)
        return GeneratedExample(
            inputs=inputs,
            targets=targets,
            tasks=[],
            sentences=len(text.sentences),
            words=text.text.count(" ") + 1 - len(text.sentences),
            first=first,
            discarded=discarded,
            values=values,
        )

    def _example(self, text: Text, draws: Draws) -> tuple[str, str, dict[str, object]]:
        """Returns the inputs, the targets, and the values of the configuration's own columns."""
        if self.name == NSG:
            middle, end = (text.spans[tokens][0] for tokens in (INPUT_TOKENS, INPUT_TOKENS + TARGET_TOKENS))
            return text.text[:middle].strip(), text.text[middle:end].strip(), {}
        if self.name in (MDG, MDG_ADJUSTED):
            inputs, run, values = _mask(text, self._tokenizer, draws)
            return inputs, text.text if self.name == MDG else run, values
        order = draws.sample(len(text.sentences), len(text.sentences))
        permutation = [0] * len(order)
        for place, sentence in enumerate(order):
            permutation[sentence] = place
        inputs = " ".join([text.sentences[sentence] for sentence in order])
        targets = text.text if self.name == SR else " ".join(map(str, permutation))
        return inputs, targets, {"permutation": permutation}


def _mask(text: Text, tokenizer: Tokenizer, draws: Draws) -> tuple[str, str, dict[str, object]]:
    """Masks a run of tokens.

    Returns:
        The document with the run masked, the original run, stripped, and the columns that give its position.
    """
    length = draws.between(RUN[0], RUN[-1])
    first = draws.below(INPUT_TOKENS - length + 1)
    spans = text.spans[first : first + length]
    run = text.text[spans[0][0] : spans[-1][1]]
    start = spans[0][0] + len(run) - len(run.lstrip())
    run = run.strip()
    before, after = text.text[:start], text.text[start + len(run) :]
    pieces = tokenizer.pieces or [f" {word}" for word in text.text.split() if word != STOP]
    shown, done, apart = "", start, False
    for begin, end in spans:
        chosen = draws.below(10)
        if chosen < _MASKED:
            piece = f" {MASK}"
        elif chosen < _MASKED + _RANDOM:
            piece = draws.one(pieces)
        else:  # tokens may share a character
            piece = text.text[max(begin, done) : end]
            if begin > 0 and text.text[begin - 1].isspace():
                piece = f" {piece}"
        shown += f" {piece}" if apart else piece
        apart, done = chosen < _MASKED, end
    middle = " ".join(shown.split())
    inputs = f"{before}{'' if before[-1:] in ('', ' ') else ' '}{middle}{'' if after[:1] in ('', ' ') else ' '}{after}"
    return inputs, run, {"mask_start": first, "mask_length": length, "before": len(before), "after": len(after)}


Maker = ElementaryMaker | StepMaker


def make_maker(name: str, tokenizer: Tokenizer) -> Maker:
    """Returns the generator for the configuration ``name``."""
    if name in STEP_TASKS:
        return StepMaker(name, tokenizer)
    if name == ENSEMBLE:
        return ElementaryMaker(name, [task for task in TASKS.values() if task.ensemble], ENSEMBLE_SIZE)
    return ElementaryMaker(name, [TASKS[name]], 1)
