"""``gistmill presets``: the configurations that come with Gistmill."""

from __future__ import annotations

from collections.abc import Sequence

import yaml

from gistmill import corpora
from gistmill.core.values import nearest
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.reporting.plain_text import table

_DESCRIPTION = """\
Lists the presets: configurations of jobs, which --config takes by name. With NAME, prints the file of one, to read or
to copy and change.

examples:
  gistmill presets
  gistmill presets lead-bias-news > mine.yaml
"""


def main(argv: Sequence[str]) -> int:
    """Prints the list, or one preset; returns 0.

    Raises:
        ConfigError: the command line is wrong, or there is no such preset.
    """
    parser = CommandParser("presets", description=_DESCRIPTION)
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
