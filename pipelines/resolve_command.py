"""``gistmill resolve``: a text with its pronouns and short mentions replaced by what they mean."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from gistmill.core.text_output import say
from gistmill.pipelines import lines
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.lines import add_text_options, call_options, told
from gistmill.pipelines.propositions import as_json, resolve

_DESCRIPTION = """\
Prints a text in which pronouns, and mentions such as "the company", have given way to what they mean, wherever
coreference is sure. All else stays as it is, but "She's left" becomes "Ada has left". What is not sure stays too, and
--json lists it. English only.
"""
_EPILOG = """\
examples:
  gistmill resolve "Ada Lovelace wrote programs. She published them in 1843."
  gistmill resolve --input article.txt --title "Ada Lovelace" --json
"""


def main(argv: Sequence[str]) -> int:
    """Prints the text; returns the exit code.

    Raises:
        ConfigError: the command line or the text is wrong, or a model is missing.
    """
    parser = CommandParser("resolve", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the text; standard input is read where it is missing")
    parser.add_argument("-i", "--input", metavar="FILE", help="read the text from a file, UTF-8")
    parser.add_argument(
        "--json", action="store_true", help="print JSON: what was replaced by what, where, how sure, and what was not"
    )
    add_text_options(parser)
    asked = parser.parse_args(argv)
    text = lines.text_of(asked.text, asked.input, "resolve")
    with told():
        made = resolve(text, **call_options(asked))
    if asked.json:
        say(json.dumps(as_json(made), ensure_ascii=False), sys.stdout)
    else:
        print(made.text, end="" if made.text.endswith("\n") else "\n")
    return 0
