"""What makes the rows of a configuration: a task or the ensemble of tasks, on base documents of nonsense or real text.

Nonsense has sentences of 5 to 15 drawn words, 7 to 13 of them for elementary tasks (section 3 of the paper). Real text
is the first sentences of a document as lower-cased words (section 7, "real upstream corpus"; the bounds are those of
the authors' generator).

The STEP tasks are those of section 4, after Y. Zou et al., "Pre-training for abstractive document summarization by
reinstating source text", EMNLP 2020; "adjusted" is section 7. The numbers of tokens, and the shares of masks, random
and kept tokens, are those of the authors' generator.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, permutations

from gistmill.core.statistics import Column
from gistmill.rules.documents import SegmentedDocument
from gistmill.rules.synthetic.draws import Draws, Widths
from gistmill.rules.synthetic.interpreter import SYNONYMS, TASKS, Document, Mark, Task
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
    Keyword,
    Kind,
    Span,
    Tokenizer,
)

WORDS = (5, 15)  # of a sentence, without the stop
SENTENCES = (7, 13)  # of a document for elementary tasks
MOST_ATTEMPTS = 1_000  # at a document with not too many tokens
TRIAL_ATTEMPTS = 50  # at the first one; words of which so few fit would take too long


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
        tenths: for each keyword, the tenth of the inputs' tokens in which it is, from 0.
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


class Draft:
    """A document to which tasks add their keywords.

    Attributes:
        sentences: the tokens of each sentence; at first at least five words, and the stop.
        keywords: those that tasks have put in, by their tokens.
    """

    __slots__ = ("keywords", "sentences")

    def __init__(self, sentences: list[list[str]]) -> None:
        self.sentences = sentences
        self.keywords: dict[str, Keyword] = {}

    def choose(self, count: int, draws: Draws, *, words: int = 1) -> list[int]:
        """Returns the numbers of different sentences in random order, each with at least so many words left. Of two
        words that are left, one is not the last of the sentence.

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

    def replace(self, sentence: int, keyword: Keyword, draws: Draws, *, behind: int = 1) -> None:
        """Puts a keyword in the place of a random word of a sentence that has one left.

        Args:
            sentence, keyword: its number, and the keyword.
            draws: decide about the place.
            behind: tokens that follow it at least; the stop is one.
        """
        tokens = self.sentences[sentence]
        end = len(tokens) - behind
        place = draws.one([i for i in self.words(sentence) if i < end]) if self.keywords else draws.below(end)
        tokens[place] = token = keyword.token
        self.keywords[token] = keyword

    def insert(self, sentence: int, place: int, keyword: Keyword) -> None:
        """Puts a marker before the token at ``place``."""
        self.sentences[sentence].insert(place, keyword.token)
        self.keywords[keyword.token] = keyword

    def read(self) -> tuple[Document, list[int]]:
        """Returns what the interpreter reads from the text of the document, and for each keyword the tenth of the
        document's tokens in which it is, from 0."""
        marks: dict[int, list[Mark]] = {}
        places, tokens_before = [], 0
        for number, tokens in enumerate(self.sentences):
            if not self.keywords.keys().isdisjoint(tokens):
                for place, token in enumerate(tokens):
                    if token in self.keywords:
                        keyword = self.keywords[token]
                        marks.setdefault(keyword.task, []).append(Mark(keyword, number, place))
                        places.append(tokens_before + place)
            tokens_before += len(tokens)
        document = Document([" ".join(tokens[:-1]) for tokens in self.sentences], marks)
        return document, [10 * place // tokens_before for place in places]


def _keyword(task: Task, *numbers: int) -> Keyword:
    (kind,) = task.kinds
    return Keyword(task.number, kind, numbers)


def _count(task: Task, draws: Draws) -> int:
    return draws.one(task.counts) if len(task.counts) > 1 else task.counts[0]


def _scatter(task: Task, draft: Draft, draws: Draws) -> list[int]:
    """Puts a random keyword into each of several sentences. Returns these, in random order."""
    chosen = draft.choose(_count(task, draws), draws)
    for kind, ranges in task.kinds.items():  # none or one
        for sentence in chosen:
            numbers = tuple([draws.one(allowed) for allowed in ranges])
            draft.replace(sentence, Keyword(task.number, kind, numbers), draws)
    return chosen


def _put_any(task: Task, draft: Draft, draws: Draws) -> int:
    _scatter(task, draft, draws)
    return 0


def _put_shuffled(task: Task, draft: Draft, draws: Draws) -> int:
    """The target has the sentences in the random order; the interpreter lists the orders as ``permutations`` does."""
    order = tuple(_scatter(task, draft, draws))
    return list(permutations(sorted(order))).index(order)


def _put_source(task: Task, draft: Draft, draws: Draws) -> int:
    _scatter(task, draft, draws)
    return draws.below(SYNONYMS)


def _put_sorted(task: Task, draft: Draft, draws: Draws) -> int:
    chosen = draft.choose(3, draws)
    for sentence, number in zip(chosen, sorted(draws.sample(10, 3)), strict=True):
        draft.replace(sentence, _keyword(task, number), draws)
    return 0


def _put_quotes(task: Task, draft: Draft, draws: Draws) -> int:
    """All places to begin are equally likely, and then all to end; a keyword that opens the sentence, such as a bullet,
    stays outside. The authors' run may have the stop in it, which would leave the end marker to the next sentence."""
    (sentence,) = draft.choose(1, draws)
    tokens = draft.sentences[sentence]
    begin = draws.between(int(tokens[0] in draft.keywords), len(tokens) - 2)
    end = draws.between(begin + 1, len(tokens) - 1)
    draft.insert(sentence, end, Keyword(task.number, Kind.END))
    draft.insert(sentence, begin, Keyword(task.number, Kind.BEGIN))
    return 0


def _put_bullet(task: Task, draft: Draft, draws: Draws) -> int:
    (sentence,) = draft.choose(1, draws)
    draft.insert(sentence, 0, _keyword(task))
    return 0


def _put_numbers(task: Task, draft: Draft, draws: Draws) -> int:
    """Puts different numbers into sentences of their own."""
    count = _count(task, draws)
    numbers = draws.sample(100, count)
    for sentence, number in zip(sorted(draft.choose(count, draws)), numbers, strict=True):
        draft.replace(sentence, _keyword(task, number), draws)
    return 0


def _put_clauses(task: Task, draft: Draft, draws: Draws) -> int:
    """Puts different joiners into three sentences, at the end of none."""
    chosen = draft.choose(3, draws, words=2)
    for sentence, number in zip(chosen, draws.sample(5, 3), strict=True):
        draft.replace(sentence, _keyword(task, number), draws, behind=2)
    return 0


def _put_joiners(task: Task, draft: Draft, draws: Draws) -> int:
    """Puts two different joiners into one sentence."""
    (sentence,) = draft.choose(1, draws, words=2)
    for number in draws.sample(5, 2):
        draft.replace(sentence, _keyword(task, number), draws)
    return 0


_PUTS: Mapping[str, Callable[[Task, Draft, Draws], int]] = {
    "copy-kwd-multiple-shuffled": _put_shuffled,
    "copy-kwd-multiple-sorted": _put_sorted,
    "copy-quoted": _put_quotes,
    "copy-bulleted": _put_bullet,
    "threshold-number": _put_numbers,
    "compare-numbers": _put_numbers,
    "largest-number": _put_numbers,
    "sum-of-numbers": _put_numbers,
    "paraphrase-words": _put_source,
    "join-clauses": _put_clauses,
    "break-clauses": _put_joiners,
}


def put(task: Task, draft: Draft, draws: Draws) -> int:
    """Puts the keywords of a task into a document.

    Tasks that are not in ``_PUTS`` have random keywords in the place of random words, each in a sentence of its own.

    Returns:
        Which of the right summaries that the interpreter finds is to be the target.
    """
    return _PUTS.get(task.name, _put_any)(task, draft, draws)


class ElementaryMaker:
    """Makes documents of an elementary task, or of several of them in turn.

    Args:
        name: the configuration.
        tasks: the tasks from which each document's are drawn.
        count: how many it has.
    """

    WIDTHS = Widths(120, 200)

    def __init__(self, name: str, tasks: Sequence[Task], count: int) -> None:
        few = f"{count} tasks each, of {len(tasks)}" if count > 1 else f"the task {tasks[0].paper_name}"
        self.name, self.description = name, f"documents of 7 to 13 sentences, {few}"
        self.columns: tuple[Column, ...] = ()
        self._tasks, self._count = tasks, count

    def draw(self, draws: Draws, attempts: int = MOST_ATTEMPTS) -> GeneratedExample:
        """Makes a document of drawn words."""
        return self._make([draws.words(draws.between(*WORDS)) for _ in range(draws.between(*SENTENCES))], draws)

    def take(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        """Makes a document of the words of sentences.

        Raises:
            NoBeginning: they are too few, too short or too long.
        """
        return self._make(beginning(sentences, draws), draws)

    def _make(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        draft = Draft([[*words, STOP] for words in sentences])
        tasks = [self._tasks[i] for i in draws.sample(len(self._tasks), self._count)]
        places = [put(task, draft, draws) for task in tasks]
        document, tenths = draft.read()
        found = [task.summarize(document, document.marks.get(task.number, ())) for task in tasks]
        return GeneratedExample(
            inputs=" ".join([document.whole(i) for i in range(len(sentences))]),
            targets=" ".join([summaries[i] for summaries, i in zip(found, places, strict=True)]),
            tasks=[task.name for task in tasks],
            sentences=len(sentences),
            words=sum(map(len, sentences)),
            tenths=tenths,
            values={},
        )


_MASKED, _RANDOM = 8, 1  # tenths of a masked run; the rest stays
_AT_ONCE = 4  # sentences, or half of those that are there
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
    """A document that has tokens enough: its sentences, joined by spaces, and where its tokens are."""

    sentences: Sequence[str]
    text: str
    spans: Sequence[Span]


class TooFewTokens(Exception):
    """The sentences ended too early; the text says after how many tokens."""


class Overshot(Exception):
    """The last sentence has too many tokens; the text says how many."""


def fill(sentences: Iterator[str], tokenizer: Tokenizer, wanted: int) -> Text:
    """Returns the document of the first sentences that have more than ``wanted`` tokens together.

    Args:
        sentences: texts that end in a stop; a few more than needed may be taken.
        tokenizer: divides the text into tokens, in which no token has parts of two sentences.
        wanted: tokens that the document exceeds.

    Raises:
        TooFewTokens: the sentences ended, or there are as many as tokens were wanted.
        Overshot: the document has over MOST_OVER tokens more.
    """
    found: list[str] = []
    spans: Sequence[Span] = ()
    while len(spans) <= wanted:
        more = list(islice(sentences, max(_AT_ONCE, len(found) // 2)))
        if not more or len(found) > wanted:
            raise TooFewTokens(f"{len(spans)} tokens")
        found += more
        spans = tokenizer.spans(" ".join(found))
    begins = [begin for begin, _ in spans]
    # the space behind a sentence is not part of it, and may be one of the next token
    tokens = [bisect.bisect_left(begins, end) for end in accumulate(map(len, found), lambda end, n: end + 1 + n)]
    number = bisect.bisect_right(tokens, wanted)
    if tokens[number] - wanted > MOST_OVER:
        raise Overshot(f"{tokens[number]} tokens")
    kept = found[: number + 1]
    return Text(sentences=kept, text=" ".join(kept), spans=spans[: tokens[number]])


class StepMaker:
    """Makes documents of a STEP task."""

    WIDTHS = Widths(704, 1088)

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        self.name, self.description, self.columns = name, *_STEPS[name]
        self._tokenizer = tokenizer

    def draw(self, draws: Draws, attempts: int = MOST_ATTEMPTS) -> GeneratedExample:
        """Makes a document of drawn words, in at most so many attempts: one with too many tokens is discarded.

        Raises:
            TooFewTokens, Overshot: the tokenizer is not fit for the words.
        """
        for attempt in range(attempts):
            first = draws.drawn
            try:
                return self._make(endless_sentences(draws), draws, first=first, discarded=attempt)
            except Overshot as error:
                last = error
        raise last

    def take(self, sentences: Sequence[list[str]], draws: Draws) -> GeneratedExample:
        """Makes a document of the words of sentences.

        Raises:
            TooFewTokens, Overshot: they are not fit for it.
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
        """Returns inputs, targets, and the values of the configuration's own columns."""
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
        The document with its masked run, the run as it was, without spaces at its ends, and the columns that say where.
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
    """Returns what makes the configuration of this name."""
    if name in STEP_TASKS:
        return StepMaker(name, tokenizer)
    if name == ENSEMBLE:
        return ElementaryMaker(name, [task for task in TASKS.values() if task.ensemble], ENSEMBLE_SIZE)
    return ElementaryMaker(name, [TASKS[name]], 1)
