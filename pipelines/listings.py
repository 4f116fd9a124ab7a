"""``gistmill presets``: the configurations that come with Gistmill. ``gistmill completion``: what a shell needs to
complete jobs and flags.

The script holds all of them, so that a shell waits for nothing. To ask Python at each key would load Beam each time. No
library makes the script, because jobs load on demand and no parser has all of them.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence

import yaml

from gistmill import corpora
from gistmill.core.values import nearest
from gistmill.pipelines import cli
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.reporting.plain_text import table

_OF_PRESETS = """\
Lists the presets: configurations of jobs, which --config takes by name. With NAME, prints the file of one, to read or
to copy and change.

examples:
  gistmill presets
  gistmill presets lead-bias-news > mine.yaml
"""


def presets(argv: Sequence[str]) -> int:
    """Prints the list, or one preset; returns 0.

    Raises:
        ConfigError: the command line is wrong, or there is no such preset.
    """
    parser = CommandParser("presets", description=_OF_PRESETS)
    parser.add_argument("name", nargs="?", metavar="NAME", help="print this preset")
    name = parser.parse_args(list(argv)).name
    if name is None:
        rows = []
        for each in corpora.NAMES:
            text = corpora.preset(each).read_text(encoding="utf-8")
            # the comment at the head says first what the preset is, up to a colon or a semicolon
            head = " ".join(line.removeprefix("#").strip() for line in text.split("\njob:")[0].splitlines())
            rows.append((each, yaml.safe_load(text)["job"], head.replace(";", ":").partition(":")[0]))
        print("\n".join(table(("preset", "job", ""), rows)))
    elif name in corpora.NAMES:
        print(corpora.preset(name).read_text(encoding="utf-8"), end="")
    else:
        hint = nearest(name, corpora.NAMES) or f"; there are {', '.join(corpora.NAMES)}"
        raise ConfigError(f"there is no preset {name!r}{hint}")
    return 0


_OF_COMPLETION = """\
Prints a script for bash that completes the jobs, their flags, and names of files. zsh takes it after `autoload -U
bashcompinit && bashcompinit`.

examples:
  gistmill completion > ~/.local/share/bash-completion/completions/gistmill
"""
_SCRIPT = """\
_gistmill() {{
  local words=""
  if [ "$COMP_CWORD" = 1 ]; then
    words="{jobs}"
  elif [ "${{COMP_WORDS[1]}}" = help ]; then
    words="{jobs}"
  elif [[ "$2" == -* ]]; then
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$2"))
}}
complete -o default -F _gistmill gistmill
"""
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def completion(argv: Sequence[str]) -> int:
    """Prints the script; returns 0.

    Raises:
        ConfigError: the command line is wrong.
    """
    CommandParser("completion", description=_OF_COMPLETION).parse_args(list(argv))
    cases = [f'      {job}) words="{" ".join(_flags(job))}" ;;' for job in cli.names()]
    print(_SCRIPT.format(jobs=" ".join(["help", *cli.names()]), cases="\n".join(cases)), end="")
    return 0


def _flags(job: str) -> list[str]:
    """The flags that stand at the beginning of a line of a job's help."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
        cli.main([job, "--help"])
    lines = [line for line in shown.getvalue().splitlines() if re.match(r"  -", line)]
    return sorted({flag for line in lines for flag in _FLAG.findall(re.split(r" {2,}", line.strip())[0])})
