"""``gistmill try``: the DiscoFuse rules on a text, in colours."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from gistmill.pipelines import lines
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.explained.explained import Explained, Split, explain
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.transforms.coreference import NAMES
from gistmill.transforms.models import ModelError

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
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the text; standard input is read where it is missing")
    parser.add_argument("-i", "--input", metavar="FILE", help="read the text from a file, UTF-8")
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
    try:
        found = explain(
            lines.text_of(asked.text, asked.input, "try"),
            config=config,
            spacy_model=asked.spacy_model,
            coref=asked.coref,
        )
    except (ModelError, ValueError) as error:
        raise ConfigError(str(error)) from None
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
