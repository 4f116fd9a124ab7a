"""The STEP tasks: next sentence generation, sentence reordering, masked document generation, and their adjusted forms.

Source: section 4 of the paper, after Y. Zou et al., "Pre-training for abstractive document summarization by
reinstating source text", EMNLP 2020; "adjusted" is section 7. The numbers of tokens, and the shares of masks, random
and kept tokens, are those of the authors' generator.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.language import MASK, MDG, MDG_ADJUSTED, NSG, SR, SR_ADJUSTED, STOP, Span, Tokenizer

NSG_INPUT, NSG_TARGET = 512, 256
TOKENS = {NSG: NSG_INPUT + NSG_TARGET, SR: 512, SR_ADJUSTED: 512, MDG: 512, MDG_ADJUSTED: 512}
"""Of each task, the number of tokens that its documents exceed."""
MOST_OVER = 50
RUN = (100, 255)  # tokens of the masked run
_MASKED, _RANDOM = 8, 1  # tenths of the run; the rest stays
_AT_ONCE = 4  # sentences, or half of those that are there


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A document that has tokens enough: its sentences, joined by spaces, and where its tokens are."""

    sentences: Sequence[str]
    text: str
    spans: Sequence[Span]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A document's inputs and targets, and the values of the task's own columns."""

    inputs: str
    targets: str
    values: dict[str, object]


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


def next_sentences(text: Text, tokenizer: Tokenizer, draws: Draws) -> Example:
    """Next sentence generation: the inputs are 512 tokens, the targets the next 256."""
    middle, end = (text.spans[tokens][0] for tokens in (NSG_INPUT, NSG_INPUT + NSG_TARGET))
    return Example(inputs=text.text[:middle].strip(), targets=text.text[middle:end].strip(), values={})


def reordered(text: Text, tokenizer: Tokenizer, draws: Draws) -> Example:
    """Sentence reordering: the inputs are the sentences in random order, the targets the document."""
    order = draws.sample(len(text.sentences), len(text.sentences))
    permutation = [0] * len(order)
    for place, sentence in enumerate(order):
        permutation[sentence] = place
    inputs = " ".join([text.sentences[sentence] for sentence in order])
    return Example(inputs=inputs, targets=text.text, values={"permutation": permutation})


def reordered_adjusted(text: Text, tokenizer: Tokenizer, draws: Draws) -> Example:
    """The same, where the targets are the permutation: where each sentence of the document is, counted from 0."""
    example = reordered(text, tokenizer, draws)
    permutation = example.values["permutation"]
    assert isinstance(permutation, list)
    return Example(inputs=example.inputs, targets=" ".join(map(str, permutation)), values=example.values)


def masked(text: Text, tokenizer: Tokenizer, draws: Draws) -> Example:
    """Masked document generation: a run of tokens is masked, the targets are the document."""
    run = _run(text, draws)
    inputs, values = _mask(text, run, tokenizer, draws)
    return Example(inputs=inputs, targets=text.text, values=values)


def masked_adjusted(text: Text, tokenizer: Tokenizer, draws: Draws) -> Example:
    """The same, where the targets are the text of the run."""
    run = _run(text, draws)
    inputs, values = _mask(text, run, tokenizer, draws)
    return Example(inputs=inputs, targets=text.text[run.begin : run.end], values=values)


EXAMPLES: dict[str, Callable[[Text, Tokenizer, Draws], Example]] = {
    NSG: next_sentences,
    SR: reordered,
    MDG: masked,
    SR_ADJUSTED: reordered_adjusted,
    MDG_ADJUSTED: masked_adjusted,
}


@dataclass(frozen=True, slots=True)
class _Run:
    """A run: its first token, how many there are, and its text without spaces at the ends, as [begin, end)."""

    first: int
    tokens: int
    begin: int
    end: int


def _run(text: Text, draws: Draws) -> _Run:
    tokens = draws.between(*RUN)
    first = draws.below(TOKENS[MDG] - tokens + 1)
    begin, end = text.spans[first][0], text.spans[first + tokens - 1][1]
    run = text.text[begin:end]
    return _Run(first, tokens, begin + len(run) - len(run.lstrip()), end - len(run) + len(run.rstrip()))


def _mask(text: Text, run: _Run, tokenizer: Tokenizer, draws: Draws) -> tuple[str, dict[str, object]]:
    """Returns the document with its run masked, and the columns that say where."""
    pieces = tokenizer.pieces or [f" {word}" for word in text.text.split() if word != STOP]
    shown, done, apart = "", run.begin, False
    for begin, end in text.spans[run.first : run.first + run.tokens]:
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
    before, after = text.text[: run.begin], text.text[run.end :]
    middle = " ".join(shown.split())
    inputs = f"{before}{'' if before[-1:] in ('', ' ') else ' '}{middle}{'' if after[:1] in ('', ' ') else ' '}{after}"
    values: dict[str, object] = {
        "mask_start": run.first,
        "mask_length": run.tokens,
        "before": len(before),
        "after": len(after),
    }
    return inputs, values
