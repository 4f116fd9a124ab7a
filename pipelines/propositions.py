"""Splitting a text into statements and resolving its mentions, for Python, the server and the commands ``gistmill
propositions --text TEXT`` and ``gistmill resolve``."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, Literal, Self, TypeVar

from rich.console import Console
from rich.text import Text

from gistmill.core.options import Option, add_options, options_of
from gistmill.core.records import Reason
from gistmill.core.text_output import say, short_repr
from gistmill.pipelines.errors import CommandParser
from gistmill.pipelines.texts import add_models, add_text, annotator, clean, config_errors, sentences, text_of
from gistmill.rules.documents import AnnotatedDocument, natural_text
from gistmill.rules.propositions import resolution
from gistmill.rules.propositions.statements import (
    GRAINS,
    Divided,
    PropositionExtractor,
    PropositionsConfig,
    Unresolved,
)
from gistmill.rules.text.prose import Places

T = TypeVar("T")
_CONFIG = PropositionsConfig()
_BATCH = 16  # texts parsed at once, which halves the time for short texts
_AHEAD = 2  # batches queued per process of ``pipe``


@dataclass(frozen=True, slots=True)
class Open:
    """Words that can only be understood in the surrounding text.

    Attributes:
        kind: name of a member of ``OpenKind``, such as ``PRONOUN``.
        why: meaning of the kind.
        text: the words; "" if the statement as a whole is incomplete.
        start, end: position of the words in the text, in characters; -1 for words written by a rule.
    """

    kind: str
    why: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Proposition:
    """A statement in a text.

    Attributes:
        text: the statement.
        sentence: the sentence from which it was made.
        start, end: position of the sentence in the text, in characters (code points).
        pieces: positions (start, end) in the text of the pieces that make up the statement, in the statement's order.
        operations: the operations applied to the sentence, in order.
        resolved: whether the statement can be understood without the surrounding text.
        resolved_with_title: whether it can be understood with the title as the only context.
        unresolved: words that still need the surrounding text.
        quality: estimated probability that the splits and replacements are correct.
    """

    __repr__ = short_repr

    text: str
    sentence: str
    start: int
    end: int
    pieces: tuple[tuple[int, int], ...]
    operations: tuple[str, ...]
    resolved: bool
    resolved_with_title: bool
    unresolved: tuple[Open, ...]
    quality: float


@dataclass(frozen=True, slots=True)
class RejectedSentence:
    """A sentence that yields no statement.

    Attributes:
        sentence: the sentence.
        start, end: position of the sentence in the text, in characters.
        reason: why ``gistmill propositions`` rejects it, such as ``STATES_A_QUESTION``.
        why: meaning of the reason.
    """

    sentence: str
    start: int
    end: int
    reason: str
    why: str


class Propositions(tuple[Proposition, ...]):
    """The statements in a text, in order.

    Attributes:
        rejected: the sentences that yield no statement, in order.
    """

    rejected: tuple[RejectedSentence, ...]

    def __new__(cls, statements: Iterable[Proposition], rejected: Iterable[RejectedSentence] = ()) -> Self:
        made = super().__new__(cls, statements)
        made.rejected = tuple(rejected)
        return made


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """A text with its mentions resolved.

    Attributes:
        text: the resolved text.
        replaced: the replaced mentions, in order; see ``gistmill.rules.propositions.resolution.Resolved``.
        unresolved: words that still need the surrounding text.
    """

    __repr__ = short_repr

    text: str
    replaced: tuple[resolution.Resolved, ...]
    unresolved: tuple[Open, ...]


def propositions(
    text: str,
    *,
    title: str = "",
    config: PropositionsConfig = _CONFIG,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> Propositions:
    """Splits a text into statements, in order. Sentences that yield none, such as questions, are in ``rejected``.

    Models are loaded on the first call and cached.

    Args:
        text: any number of sentences, in English; blank lines separate paragraphs.
        title: title of the text, which often names what pronouns refer to.
        config: options of the recipe.
        spacy_model: a model's package or folder; None for the default.
        coref: name of the coreference resolver.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: the text is empty, or the resolver is unknown.

    >>> [each.text for each in propositions("Ada Lovelace was a writer. She met Charles Babbage, who built engines.")]
    ['Ada Lovelace was a writer.', 'Ada Lovelace met Charles Babbage.', 'Charles Babbage built engines.']
    """
    (found,) = _each(propositions_of, [text], title=title, config=config, spacy_model=spacy_model, coref=coref)
    return found


def propositions_of(document: AnnotatedDocument, places: Places, config: PropositionsConfig) -> Propositions:
    """Returns the statements in a parsed document; ``places`` maps its tokens to positions in its text."""
    statements: list[Proposition] = []
    rejected: list[RejectedSentence] = []
    for index, found in PropositionExtractor(config).sentences(document):
        tokens = document.sentences[index].tokens
        sentence, (start, end) = natural_text(tokens), places.span(index, 0, len(tokens))
        if not isinstance(found, Divided):
            rejected.append(RejectedSentence(sentence, start, end, found.name, found.value))
            continue
        for statement in found.statements:
            unresolved = tuple(_open(u, index, places) for u in statement.unresolved)
            statements.append(
                Proposition(
                    text=statement.text,
                    sentence=sentence,
                    start=start,
                    end=end,
                    pieces=tuple(places.span(*piece) for piece in statement.pieces),
                    operations=statement.operations,
                    resolved=not unresolved,
                    resolved_with_title=statement.with_title,
                    unresolved=unresolved,
                    quality=statement.quality,
                )
            )
    return Propositions(statements, rejected)


def resolve(
    text: str,
    *,
    title: str = "",
    config: PropositionsConfig = _CONFIG,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> ResolvedText:
    """Replaces pronouns and short mentions in a text with their antecedents where these are certain. Takes the same
    arguments and raises the same errors as ``propositions``.

    >>> resolve("Ada Lovelace was a writer. She wrote a program in 1843.").text
    'Ada Lovelace was a writer. Ada Lovelace wrote a program in 1843.'
    """
    (made,) = _each(_resolved, [text], title=title, config=config, spacy_model=spacy_model, coref=coref)
    return made


def pipe(
    texts: Iterable[str],
    function: Literal["resolve", "propositions", "sentences"] = "resolve",
    *,
    workers: int = 1,
    **keywords: Any,
) -> Iterator[Any]:
    """Applies a function to each text; returns an iterator over the results, in order.

    Texts are read only a few batches ahead, so there may be any number of them. Each process loads its models once.

    Args:
        texts: the texts.
        function: ``resolve``, ``propositions`` or ``sentences``.
        workers: number of processes; 1 means this process. Other processes import the main module, so scripts must call
            this under ``if __name__ == "__main__":``.
        keywords: other arguments of the function, which apply to all texts.

    Raises:
        ValueError: the function is unknown or ``workers`` is less than 1; during iteration, a text is empty (the
            message gives its index, from 0). The function may raise other errors.
        TypeError: an item is not a string; the message gives its index.

    >>> list(pipe(["He left. She slept.", "It rained."], "sentences"))
    [['He left.', 'She slept.'], ['It rained.']]
    """
    if function not in _BATCHES:
        raise ValueError(f"pipe accepts {', '.join(_BATCHES)}, not {function!r}")
    if workers < 1:
        raise ValueError(f"workers: expected a whole number of at least 1, not {workers!r}")
    if isinstance(texts, str):
        raise TypeError("pipe accepts an iterable of texts, not one text")
    numbered = enumerate(texts)
    batches = iter(lambda: list(islice(numbered, _BATCH)), [])
    call = partial(_answers, function, keywords)
    return chain.from_iterable(map(call, batches) if workers == 1 else _in_processes(call, batches, workers))


def _answers(function: str, keywords: dict[str, Any], numbered: Sequence[tuple[int, str]]) -> list[Any]:
    for number, text in numbered:
        if not isinstance(text, str):
            raise TypeError(f"text {number} is {type(text).__name__}, not a string")
        if not text.strip() and function != "sentences":
            raise ValueError(f"text {number} is empty")
    return list(_BATCHES[function]([text for _, text in numbered], **keywords))


def _in_processes(
    call: Callable[[list[tuple[int, str]]], list[Any]], batches: Iterable[list[tuple[int, str]]], workers: int
) -> Iterator[list[Any]]:
    """Yields a function's result for each batch, in order."""
    context = multiprocessing.get_context("spawn")  # a forked process may inherit locks that are never released
    waiting: deque[Future[list[Any]]] = deque()
    # only this process handles Ctrl-C, and stops the others
    with ProcessPoolExecutor(workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as executor:
        try:
            for batch in batches:
                waiting.append(executor.submit(call, batch))
                if len(waiting) == _AHEAD * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            executor.shutdown(cancel_futures=True)


def _each(
    make: Callable[[AnnotatedDocument, Places, PropositionsConfig], T],
    texts: Sequence[str],
    *,
    title: str = "",
    config: PropositionsConfig = _CONFIG,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> Iterator[T]:
    """Parses each text and yields the result of ``make``."""
    if not all(text.strip() for text in texts):
        raise ValueError("the text is empty")
    documents = [clean(text, title=title) for text in texts]
    for text, document in zip(texts, annotator(spacy_model, coref).annotate(documents), strict=True):
        yield make(document, Places(document, text), config)


def _resolved(document: AnnotatedDocument, places: Places, config: PropositionsConfig) -> ResolvedText:
    made = resolution.resolve(document, PropositionExtractor(config), places)
    return ResolvedText(made.text, made.resolved, tuple(_open(u, index, places) for index, u in made.unresolved))


def _split(texts: Sequence[str], language: str = "en") -> Iterator[list[str]]:
    return (sentences(text, language) for text in texts)


# Each function's version for several texts at once.
_BATCHES: dict[str, Callable[..., Iterator[Any]]] = {
    "resolve": partial(_each, _resolved),
    "propositions": partial(_each, propositions_of),
    "sentences": _split,
}


def _open(found: Unresolved, index: int, places: Places) -> Open:
    start, end = places.span(index, found.start, found.end) if found.start >= 0 else (-1, -1)
    return Open(found.kind.name, found.kind.value, found.text, start, end)


def main(argv: Sequence[str]) -> int:
    """Prints the statements; returns the exit code. Raises ConfigError if the text is invalid or a model is missing."""
    parser = CommandParser("propositions")
    parser.add_argument("--text", metavar="TEXT", help="the text")
    parser.add_argument("--text-file", metavar="FILE", help="read the text from a UTF-8 file; - reads standard input")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print JSON lines with offsets, operations and quality; for a sentence without statements, the reason",
    )
    parser.add_argument("--resolved-only", action="store_true", help="omit statements that need the surrounding text")
    _add_options(parser, options_of(PropositionsConfig))
    asked = parser.parse_args(argv)
    text = text_of(() if asked.text is None else (asked.text,), asked.text_file, "propositions", flag="--text-file")
    with config_errors():
        found = propositions(text, **_keywords(parser, asked))
    shown = [each for each in found if each.resolved or not asked.resolved_only]
    if asked.json:
        sentences: list[Proposition | RejectedSentence] = [*shown, *found.rejected]
        for each in sorted(sentences, key=lambda each: each.start):
            say(json.dumps(asdict(each), ensure_ascii=False), sys.stdout)
        return 0
    console = Console(highlight=False, soft_wrap=True)
    for proposition in shown:
        line = Text(proposition.text)
        if console.is_terminal and not proposition.resolved:
            words = ", ".join(f"{o.text}: {o.why}" if o.kind != "NAMELESS" else o.why for o in proposition.unresolved)
            line.append(f"  ({words})", style="dim")
        console.print(line)
    if found.rejected:
        reasons = Counter((each.reason, each.why) for each in found.rejected).most_common()
        counts = "; ".join(f"{count} {reason} ({why})" for (reason, why), count in reasons)
        say(f"gistmill propositions: sentences without a statement: {counts}")
    elif not found:
        say("gistmill propositions: the text contains no sentences; lines without prose, such as headings, are skipped")
    return 0


def show_grains(document: AnnotatedDocument, console: Console) -> None:
    """Prints each sentence's statements at each grain, with quality and operations; equal grains are printed together.

    Args:
        document: a parsed document with coreference.
        console: console to print to.
    """
    extractors = [PropositionExtractor(PropositionsConfig(grain=grain)) for grain in GRAINS]
    for found in zip(*(extractor.sentences(document) for extractor in extractors), strict=True):
        index, whole = found[0]
        console.print(Text(natural_text(document.sentences[index].tokens), style="bold"))
        if isinstance(whole, Reason):
            console.print(Text(f"  - {whole.name}: {whole.value}\n", style="dim"))
            continue
        grains: dict[tuple[tuple[float, str, tuple[str, ...]], ...], list[str]] = {}
        for grain, (_, divided) in zip(GRAINS, found, strict=True):
            statements = tuple((s.quality, s.text, s.operations) for s in divided.statements)
            grains.setdefault(statements, []).append(grain)
        for statements, names in grains.items():
            console.print(Text(f"  {', '.join(names)}", style="cyan"))
            for quality, text, operations in statements:
                done = Text(f"  {'; '.join(operations)}" if operations else "", style="dim")
                console.print(Text(f"    {quality:.2f}  {text}").append(done))
        console.print()


def resolve_main(argv: Sequence[str]) -> int:
    """Prints the resolved text; returns the exit code. Raises ConfigError if the text or a model cannot be used."""
    parser = CommandParser("resolve")
    add_text(parser)
    parser.add_argument(
        "--json",
        action="store_true",
        help="print JSON: each replacement with its position and confidence, and unchanged mentions",
    )
    parser.set_defaults(grain=None)  # a resolved text is not split
    _add_options(parser, [option for option in options_of(PropositionsConfig) if option.name != "grain"])
    asked = parser.parse_args(argv)
    text = text_of(asked.text, asked.input, "resolve")
    with config_errors():
        made = resolve(text, **_keywords(parser, asked))
    if asked.json:
        say(json.dumps(asdict(made), ensure_ascii=False), sys.stdout)
    else:
        print(made.text, end="" if made.text.endswith("\n") else "\n")
    return 0


def _add_options(parser: CommandParser, options: Iterable[Option]) -> None:
    """Adds options of the recipe ``propositions``, and options for parsing one text."""
    parser.add_argument("--title", default="", metavar="TITLE", help="title of the text, often what pronouns refer to")
    add_models(parser)
    add_options(parser, options)


def _keywords(parser: CommandParser, asked: argparse.Namespace) -> dict[str, Any]:
    """Returns keyword arguments for ``propositions`` and ``resolve``. Raises ConfigError if a value is invalid."""
    config = parser.options(PropositionsConfig, asked)
    return {"title": asked.title, "config": config, "coref": asked.coref, "spacy_model": asked.spacy_model}
