"""``gistmill try``: the DiscoFuse rules on a text, in colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from rich.console import Console
from rich.text import Text

from gistmill.core.text_output import short_repr
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.fuse import Fused, tokens_of
from gistmill.pipelines.reporting.diff_text import Piece, marked
from gistmill.pipelines.splitting import judged_rows
from gistmill.pipelines.texts import add_text, annotate, text_of, told
from gistmill.rules.discofuse import candidate as derivation
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.documents import AnnotatedDocument, natural_text
from gistmill.rules.fusion.steps import fusing
from gistmill.rules.lineage import Operation
from gistmill.transforms.coreference import NAMES


@dataclass(frozen=True, slots=True)
class Split:
    """A candidate of a text.

    Attributes:
        type: its discourse type.
        connective: the connective that was removed; "" for none.
        sentences: the two sentences, in pieces; what the text has not in this place is marked.
        refused: the name of the reason for which it is not a row of a dataset; "" for a row.
        why: what that reason means.
        operations: what the rules did, in order.
    """

    type: str
    connective: str
    sentences: Sequence[Piece]
    refused: str
    why: str
    operations: Sequence[Operation]


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or a pair of sentences of a text, with its candidates. ``refused`` and ``why`` are those of a unit
    that no rule has seen, and "" otherwise."""

    text: str
    splits: Sequence[Split]
    refused: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Explained:
    """What the rules make of a text. A notebook shows it as a page."""

    __repr__ = short_repr

    units: tuple[Unit, ...]

    def _repr_html_(self) -> str:
        """Returns the page for a notebook."""
        from jinja2 import Environment, StrictUndefined

        template = files("gistmill.pipelines").joinpath("explained.html").read_text(encoding="utf-8")
        environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        return environment.from_string(template).render(units=self.units)


def explain(
    text: str,
    *,
    config: DiscoFuseConfig = DiscoFuseConfig(),  # noqa: B008, frozen
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> Explained:
    """Returns every split that the rules find in a text, those that they refuse with the reason.

    Models are loaded at the first call and kept.

    Args:
        text: any number of sentences; blank lines separate paragraphs, across which no pair is made.
        config: the options of the recipe.
        spacy_model: a package or a folder; None for the default.
        coref: name of the coreference resolver.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: the text is empty, or there is no such resolver.
    """
    if not text.strip():
        raise ValueError("the text is empty")
    document = annotate(text, spacy_model=spacy_model, coref=coref)
    return Explained(tuple(_units(DiscoFuse(config), document)))


def _units(recipe: DiscoFuse, document: AnnotatedDocument) -> Iterator[Unit]:
    parses = [Parse(s) for s in document.sentences]
    for unit, index, found in recipe.judged(document, parses):
        mine = [parse.tokens for parse in parses[index : index + 1 + (unit == "pairs")]]
        text = " ".join(map(natural_text, mine))
        if isinstance(found, tuple):
            splits = [
                Split(
                    type=c.discourse_type.name,
                    connective=c.connective_string,
                    sentences=marked(c.inputs, text)[0],
                    refused=reason.name if (reason := c.verdict.reason) else "",
                    why=str(reason.value) if reason else "",
                    operations=derivation.operations(c, mine),
                )
                for c in found
            ]
            yield Unit(text, splits)
        else:
            yield Unit(text, [], found.name, str(found.value))


_DESCRIPTION = """\
Shows what the DiscoFuse rules make of a text: the splits of each sentence and of each pair of sentences, with the words
that the text has not, and the reason for each split that is refused. gistmill split does the same for
programs: rows of sentences in, JSON lines out.
"""
_EPILOG = """\
examples:
  gistmill try "The gym is closed, so we ran outside. It was cold."
  gistmill try --accepted --input article.txt
"""


def main(argv: Sequence[str]) -> int:
    """Prints the splits; returns the exit code.

    Raises:
        ConfigError: the command line or the text is wrong, or a model is missing.
    """
    parser = CommandParser("try", description=_DESCRIPTION, epilog=_EPILOG)
    add_text(parser)
    parser.add_argument("--accepted", action="store_true", help="leave out what is refused, and why")
    parser.add_argument("--operations", action="store_true", help="show each operation of the rules")
    parser.add_argument(
        "--conventions",
        choices=CONVENTIONS,
        default=DiscoFuseConfig().conventions,
        help="as of gistmill discofuse (default: %(default)s)",
    )
    parser.add_argument("--coref", choices=NAMES, default="sieve", help="coreference resolver (default: %(default)s)")
    parser.add_argument("--spacy-model", metavar="MODEL", help="as of gistmill discofuse")
    asked = parser.parse_args(argv)
    config = DiscoFuseConfig(conventions=asked.conventions)
    text = text_of(asked.text, asked.input, "try")
    with told():
        found = explain(text, config=config, spacy_model=asked.spacy_model, coref=asked.coref)
    show(found, Console(highlight=False, soft_wrap=True), refused=not asked.accepted, operations=asked.operations)
    return 0


def show(found: Explained, console: Console, *, refused: bool = True, operations: bool = False) -> None:
    """Prints what the rules made of a text.

    Args:
        found: what ``explain`` returned.
        console: where it goes; it knows whether colours can be shown.
        refused: whether refused splits are shown.
        operations: whether each operation of the rules is shown.
    """
    if not found.units:
        console.print("There is no sentence in the text.")
    for unit in found.units:
        splits = [s for s in unit.splits if refused or not s.refused]
        if not splits and not refused:
            continue
        console.print(Text(unit.text, style="bold"))
        if unit.refused:
            console.print(Text(f"  - {unit.refused}: {unit.why}", style="dim"))
        elif not unit.splits:
            console.print(Text("  - no phenomenon was found", style="dim"))
        for split in splits:
            _show(split, console, operations=operations)
        console.print()


def _show(split: Split, console: Console, *, operations: bool) -> None:
    colour = "red" if split.refused else "green"
    head = Text(f"  {'x' if split.refused else '+'} {split.type}", style=colour)
    if split.connective:
        head.append(f" [{split.connective}]", style="cyan")
    if split.refused:
        head.append(f"  {split.refused}: {split.why}")
    console.print(head)
    line = Text("    ")
    for piece in split.sentences:
        line.append(f"{piece.text} ", style=f"{colour} underline" if piece.changed else "")
    line.rstrip()
    console.print(line)
    for operation in split.operations if operations else ():
        console.print(Text(f"      {operation.name:8} {operation.detail}", style="dim"))


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a text became another one.

    Attributes:
        operations: what was done, in order.
        source, result: both texts in pieces; words that the other one has not in this place are marked.
    """

    __repr__ = short_repr

    operations: tuple[Operation, ...]
    source: Sequence[Piece]
    result: Sequence[Piece]


def explain_splits(
    rows: Sequence[tuple[str, str]], *, tokenized: bool = False
) -> list[list[tuple[Candidate, Explanation]]]:
    """Returns what ``split_rows`` finds in each row, each candidate with what the rules did.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: a first sentence is empty.
    """
    explained = []
    for sentences, candidates in judged_rows(rows, tokenized=tokenized):
        tokens = [sentence.tokens for sentence in sentences]
        text = " ".join(map(natural_text, tokens))
        found = []
        for candidate in candidates:
            result, source = marked(candidate.inputs, text)
            found.append((candidate, Explanation(derivation.operations(candidate, tokens), source, result)))
        explained.append(found)
    return explained


def explain_fusion(first: str, second: str, fused: Fused, *, tokenized: bool = False) -> Explanation:
    """Returns what makes a fusion of two sentences.

    Raises:
        EditsError: the edits are not of these sentences.
    """
    source, result = marked(f"{first} {second}", fused.fusion)
    one, two = (" ".join(tokens_of(text, tokenized=tokenized)) for text in (first, second))
    return Explanation(fusing(one, two, fused.edits), source, result)
