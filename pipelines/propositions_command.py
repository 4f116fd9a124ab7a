"""``gistmill propositions --text TEXT``: the statements of one text, where a job would build a dataset."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from gistmill.core.text_output import say
from gistmill.pipelines import lines
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.lines import add_text_options, call_options, told
from gistmill.pipelines.propositions import Proposition, RejectedSentence, as_json, propositions

_DESCRIPTION = """\
Prints the statements of one text, a line each. On a terminal, what does not stand alone is shown behind a statement.
How many sentences give no statement, and why, is printed on standard error.
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
    parser.add_argument(
        "--json",
        action="store_true",
        help="print JSON lines, with offsets, operations and quality; a sentence without statements gives its reason",
    )
    parser.add_argument("--resolved-only", action="store_true", help="leave out what needs the text around it")
    add_text_options(parser)
    asked = parser.parse_args(argv)
    typed = () if asked.text is None else (asked.text,)
    text = lines.text_of(typed, asked.text_file, "propositions", flag="--text-file")
    with told():
        found = propositions(text, **call_options(asked))
    shown = [each for each in found if each.resolved or not asked.resolved_only]
    if asked.json:
        sentences: list[Proposition | RejectedSentence] = [*shown, *found.rejected]
        for each in sorted(sentences, key=lambda each: each.start):
            say(json.dumps(as_json(each), ensure_ascii=False), sys.stdout)
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
        say("gistmill propositions: the text has no sentence; lines that are not prose, such as headings, are left out")
    return 0
