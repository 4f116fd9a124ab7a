"""``gistmill propositions --text TEXT``: the statements of one text, where a job would build a dataset."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from gistmill.pipelines import lines
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.propositions import Proposition, as_json, propositions
from gistmill.pipelines.text_options import add_text_options, call_options, told

_DESCRIPTION = """\
Prints the statements of one text, a line each. On a terminal, what does not stand alone is shown behind a statement.
Without --text and --text-file, gistmill propositions builds a dataset: see gistmill help propositions.
"""
_EPILOG = """\
examples:
  gistmill propositions --text "Ada wrote programs, which she published in 1843."
  gistmill propositions --text-file article.txt --title "Ada Lovelace" --resolved-only --json
"""


def main(argv: Sequence[str]) -> int:
    """Prints the statements; returns the exit code.

    Raises:
        ConfigError: the command line or the text is wrong, or a model is missing.
    """
    parser = CommandParser("propositions", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--text", metavar="TEXT", help="the text")
    parser.add_argument("--text-file", metavar="FILE", help="read the text from a file, UTF-8; - for standard input")
    parser.add_argument("--json", action="store_true", help="print JSON lines, with offsets, operations and quality")
    parser.add_argument("--resolved-only", action="store_true", help="leave out what needs the text around it")
    add_text_options(parser)
    asked = parser.parse_args(argv)
    typed = () if asked.text is None else (asked.text,)
    text = lines.text_of(typed, asked.text_file, "propositions", flag="--text-file")
    with told():
        found = propositions(text, **call_options(asked))
    console = Console(highlight=False, soft_wrap=True)
    for proposition in found:
        if proposition.resolved or not asked.resolved_only:
            _show(proposition, console, as_lines=asked.json)
    return 0


def _show(proposition: Proposition, console: Console, *, as_lines: bool) -> None:
    if as_lines:
        print(json.dumps(as_json(proposition), ensure_ascii=False))
        return
    line = Text(proposition.text)
    if console.is_terminal and not proposition.resolved:
        words = ", ".join(f"{o.text}: {o.why}" if o.kind != "NAMELESS" else o.why for o in proposition.unresolved)
        line.append(f"  ({words})", style="dim")
    console.print(line)
