"""The DiscoFuse rules for sentences and texts, without Beam: Python functions, ``gistmill split`` for scripts, and
``gistmill try`` for interactive use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from typing import Any

from rich.console import Console
from rich.text import Text

from gistmill.core.records import Reason
from gistmill.core.text_output import short_repr
from gistmill.pipelines import texts
from gistmill.pipelines.errors import CommandParser, ConfigError
from gistmill.pipelines.fuse import Fused, tokens_of
from gistmill.pipelines.propositions import show_grains
from gistmill.pipelines.reporting.plain_text import Piece, marked
from gistmill.rules.discofuse import candidate as derivation
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import AnnotatedDocument, Sentence, Token, natural_text
from gistmill.rules.lineage import Operation, fusing
from gistmill.transforms.coreference import Resolver, describe_resolver, load_resolver
from gistmill.transforms.models import load_model
from gistmill.transforms.parsing.fast import sentence_parser
from gistmill.transforms.parsing.plain import PlainParser

_BATCH = 128
_CONFIG = DiscoFuseConfig()


@dataclass(frozen=True, slots=True)
class Explanation:
    """The changes that turn one text into another.

    Attributes:
        operations: the operations, in order.
        source, result: both texts in pieces; words that are not in the other text are marked.
    """

    __repr__ = short_repr

    operations: tuple[Operation, ...]
    source: Sequence[Piece]
    result: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or pair of sentences, with its candidates; ``reason`` is set if no rule was applied to it."""

    text: str
    splits: Sequence[tuple[Candidate, Explanation]] = ()
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """The results of applying the rules to a text, shown as a page in notebooks."""

    __repr__ = short_repr

    units: tuple[Unit, ...]

    def _repr_html_(self) -> str:
        """Returns the HTML page for notebooks."""
        from jinja2 import Environment, StrictUndefined

        template = files("gistmill.pipelines").joinpath("explained.html").read_text(encoding="utf-8")
        environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        return environment.from_string(template).render(units=self.units)


def split(
    first: str,
    second: str = "",
    *,
    config: DiscoFuseConfig = _CONFIG,
    tokenized: bool = False,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> tuple[Candidate, ...]:
    """Returns all candidates that the rules find in a sentence or in two consecutive sentences.

    Models are loaded on the first call and cached. The other arguments match the options of ``gistmill split``.

    Args:
        first: a sentence.
        second: the next sentence; "" to split ``first`` alone.
        config: options of the recipe.
        tokenized: whether the sentences are tokens joined by single spaces, as in the released dataset.
        spacy_model: a model's package or folder; None for the default.
        coref: name of the coreference resolver.

    Returns:
        The candidates; those with ``verdict.accepted`` would become rows, others are rejected for ``verdict.reason``.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: ``first`` is empty, or the resolver is unknown.

    >>> [each.inputs for each in split("The bridge was only two miles away, so the crew had little time to sleep.")]
    ['The bridge was only two miles away. The crew had little time to sleep.']
    """
    rows = [(first, second)]
    (found,) = split_rows(rows, config=config, tokenized=tokenized, spacy_model=spacy_model, coref=coref)
    return found


def split_rows(
    rows: Sequence[tuple[str, str]],
    *,
    config: DiscoFuseConfig = _CONFIG,
    tokenized: bool = False,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> list[tuple[Candidate, ...]]:
    """Returns the candidates of ``split`` for each row (the first sentence, and the second or ""). Parsing many rows at
    once is faster. Takes the same other arguments and raises the same errors as ``split``."""
    models = _models(spacy_model, coref)
    return [found for _, found in _judged(rows, models, config, tokenized=tokenized)]


def explain_splits(
    rows: Sequence[tuple[str, str]], *, tokenized: bool = False
) -> list[list[tuple[Candidate, Explanation]]]:
    """Returns the results of ``split_rows``, with the operations of each candidate. Raises the errors of ``split``."""
    judged = _judged(rows, _models(None, "sieve"), _CONFIG, tokenized=tokenized)
    return [_explained(found, [sentence.tokens for sentence in sentences]) for sentences, found in judged]


def explain_fusion(first: str, second: str, fused: Fused, *, tokenized: bool = False) -> Explanation:
    """Explains the fusion of two sentences. Raises EditsError if the edits do not belong to these sentences."""
    source, result = marked(f"{first} {second}", fused.fusion)
    one, two = (" ".join(tokens_of(text, tokenized=tokenized)) for text in (first, second))
    return Explanation(fusing(one, two, fused.edits), source, result)


def explain(
    text: str, *, config: DiscoFuseConfig = _CONFIG, spacy_model: str | None = None, coref: str = "sieve"
) -> Explained:
    """Returns all splits that the rules find in a text, including rejected ones with their reasons.

    Models are loaded on the first call and cached.

    Args:
        text: any number of sentences; blank lines separate paragraphs, which pairs never cross.
        config: options of the recipe.
        spacy_model: a model's package or folder; None for the default.
        coref: name of the coreference resolver.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: the text is empty, or the resolver is unknown.
    """
    if not text.strip():
        raise ValueError("the text is empty")
    return explain_document(texts.annotate(text, spacy_model=spacy_model, coref=coref), config)


def explain_document(document: AnnotatedDocument, config: DiscoFuseConfig = _CONFIG) -> Explained:
    """Does the same as ``explain`` for a parsed document."""
    units = []
    for kind, index, found in DiscoFuse(config).judged(document, [Parse(s) for s in document.sentences]):
        tokens = [sentence.tokens for sentence in document.sentences[index : index + 1 + (kind == "pairs")]]
        whole = " ".join(map(natural_text, tokens))
        units.append(Unit(whole, _explained(found, tokens)) if isinstance(found, tuple) else Unit(whole, reason=found))
    return Explained(tuple(units))


def _explained(
    candidates: Sequence[Candidate], tokens: Sequence[Sequence[Token]]
) -> list[tuple[Candidate, Explanation]]:
    """Adds to each candidate the operations of the rules."""
    explained = []
    for candidate in candidates:
        result, source = marked(candidate.inputs, " ".join(map(natural_text, tokens)))
        explained.append((candidate, Explanation(derivation.operations(candidate, tokens), source, result)))
    return explained


@lru_cache(maxsize=2)
def _models(spacy_model: str | None, coref: str) -> tuple[PlainParser, Resolver | None]:
    return sentence_parser(load_model(spacy_model)), load_resolver(coref)


def _judged(
    rows: Sequence[tuple[str, str]],
    models: tuple[PlainParser, Resolver | None],
    config: DiscoFuseConfig,
    *,
    tokenized: bool,
) -> Iterator[tuple[list[Sentence], tuple[Candidate, ...]]]:
    """Yields the parsed sentences and the candidates of every row. Coreference is resolved only within a row. Raises
    ValueError if a first sentence is empty."""
    rows = [(first.strip(), second.strip()) for first, second in rows]
    if not all(first for first, _ in rows):
        raise ValueError("the first sentence is empty")
    (parser, resolver), splitter = models, Splitter(config)
    for sentences in parse_rows(rows, parser, tokenized=tokenized):
        links = Links(resolver.resolve(sentences) if resolver else ())
        yield sentences, splitter.candidates(*map(Parse, sentences), links=links)


def parse_rows(rows: Sequence[tuple[str, str]], parser: PlainParser, *, tokenized: bool) -> Iterator[list[Sentence]]:
    """Yields the one or two parsed sentences of every row; a cell is one sentence even if the parser would split it."""
    for start in range(0, len(rows), _BATCH):
        cells = [[cell.split() for cell in row if cell] for row in rows[start : start + _BATCH]]
        parsed = iter(parser.whole([words if tokenized else " ".join(words) for row in cells for words in row]))
        yield from [list(islice(parsed, len(row))) for row in cells]


def as_json(candidate: Candidate) -> dict[str, Any]:
    """Returns a candidate as dataset columns, plus ``refused`` (null or the name of the reason) and ``why``."""
    reason = candidate.verdict.reason
    return {
        "discourse_type": candidate.discourse_type.name,
        "connective_string": candidate.connective_string,
        "incoherent_first_sentence": candidate.incoherent_first_sentence,
        "incoherent_second_sentence": candidate.incoherent_second_sentence,
        "has_coref_type_pronoun": float(candidate.has_coref_type_pronoun),
        "has_coref_type_nominal": float(candidate.has_coref_type_nominal),
        "inputs": candidate.inputs,
        "refused": reason.name if reason else None,
        "why": reason.value if reason else None,
    }


def main(argv: Sequence[str]) -> int:
    """Writes the results of each row, in order; returns 0. Raises ConfigError, before writing anything, if the command
    line is invalid, the input cannot be read, a row is malformed (with its line number), or the model is missing.
    Packages are checked before the input is read, and rows before the models are loaded."""
    parser = CommandParser("split")
    texts.add_files(parser)
    texts.add_models(parser)
    _add_conventions(parser)
    asked = parser.parse_args(argv)
    with texts.config_errors():
        describe_resolver(asked.coref)
        rows = texts.read_rows(asked.input, "split")
        models = _models(asked.spacy_model, asked.coref)
    judged = _judged(rows, models, DiscoFuseConfig(conventions=asked.conventions), tokenized=asked.tokenized)
    answers = (
        {"first": first, "second": second, "examples": [*map(as_json, found)]}
        for (first, second), (_, found) in zip(rows, judged, strict=True)
    )
    texts.write_answers(asked.output, answers)
    return 0


def _add_conventions(parser: CommandParser) -> None:
    parser.add_argument(
        "--conventions",
        choices=CONVENTIONS,
        default=_CONFIG.conventions,
        help="extended: every phenomenon that a text's parse shows; released: one per text, in the order and "
        "within the limits of the released dataset (default: %(default)s)",
    )


def try_main(argv: Sequence[str]) -> int:
    """Prints the splits and statements; returns the exit code. Raises ConfigError if the text or model is unusable."""
    parser = CommandParser("try")
    texts.add_text(parser)
    parser.add_argument("--accepted", action="store_true", help="leave out rejected candidates and their reasons")
    parser.add_argument("--operations", action="store_true", help="show each operation performed by the rules")
    _add_conventions(parser)
    texts.add_models(parser)
    asked = parser.parse_args(argv)
    text = texts.text_of(asked.text, asked.input, "try")
    if not text.strip():
        raise ConfigError("the text is empty")
    with texts.config_errors():
        document = texts.annotate(text, spacy_model=asked.spacy_model, coref=asked.coref)
    found = explain_document(document, DiscoFuseConfig(conventions=asked.conventions))
    console = Console(highlight=False, soft_wrap=True)
    show(found, console, refused=not asked.accepted, operations=asked.operations)
    if document.sentences:
        console.print(Text("Statements by grain, with quality and operations\n", style="bold underline"))
        show_grains(document, console)
    return 0


def show(found: Explained, console: Console, *, refused: bool = True, operations: bool = False) -> None:
    """Prints the results of applying the rules to a text.

    Args:
        found: the result of ``explain``.
        console: console to print to.
        refused: whether to show rejected splits.
        operations: whether to show each operation of the rules.
    """
    if not found.units:
        console.print("The text contains no sentences.")
    for unit in found.units:
        splits = [(candidate, how) for candidate, how in unit.splits if refused or candidate.verdict.accepted]
        if not splits and not refused:
            continue
        console.print(Text(unit.text, style="bold"))
        if not splits:
            said = f"{unit.reason.name}: {unit.reason.value}" if unit.reason else "no phenomenon was found"
            console.print(Text(f"  - {said}", style="dim"))
        for candidate, how in splits:
            reason = candidate.verdict.reason
            colour = "red" if reason else "green"
            kind = candidate.discourse_type
            head = Text(f"  {'x' if reason else '+'} {kind.name} ({kind.value})", style=colour)
            if candidate.connective_string:
                head.append(f" [{candidate.connective_string}]", style="cyan")
            if reason:
                head.append(f"  {reason.name}: {reason.value}")
            console.print(head)
            pieces = ((piece.text, f"{colour} underline" if piece.changed else "") for piece in how.result)
            console.print(Text("    ") + Text(" ").join(Text(*piece) for piece in pieces))
            for operation in how.operations if operations else ():
                console.print(Text(f"      {operation.name:8} {operation.detail}", style="dim"))
        console.print()
