"""``gistmill diff``: what changed between two published datasets of a recipe."""

from __future__ import annotations

import dataclasses
import json
import sys
from argparse import Namespace
from collections.abc import Sequence

from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.core.statistics import StatisticsError
from gistmill.core.text_output import printable_lines
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.options import beam_arguments
from gistmill.pipelines.reporting.diff_text import text
from gistmill.pipelines.runners.quiet import mute_stores
from gistmill.pipelines.stores import reason_of
from gistmill.pipelines.validate import open_dataset
from gistmill.published.comparison.compare import compare
from gistmill.published.comparison.guards import GuardsConfig, broken, broken_alone
from gistmill.published.files import DatasetError

_DESCRIPTION = """\
Shows what changed between two datasets that the same job published: folders, or gs:// and s3:// URLs.

  documents   added, removed, of another revision, and of the same revision with other rows
  rows        by configuration, split and type; a row is known by its id
  rejects     by reason, with their share of what was read
  drift       of types, connectives and lengths: the Jensen-Shannon distance of the shares, from 0 (the same) to
              1 (nothing in common), decides; the chi-square test says whether it is significant
  cause       options, code, packages, models and inputs that differ
  upload      bytes that move to a place which has the old dataset

Rows come from the Parquet files and are read once; --quick reads manifests and statistics alone. "found elsewhere"
means that only columns such as file, offset and revision differ. "other group" counts rows that came from another
split or type, and those that went to one. The guards are those of `gistmill rebuild`.
"""
_EPILOG = """\
examples:
  gistmill diff corpus/versions/20260901-1/discofuse corpus/versions/20261001-1/discofuse
  gistmill diff s3://bucket/discofuse discofuse-new --quick
  gistmill diff old new --guards corpus.yaml --check && publish
  gistmill diff old new --json | jq .content.documents

exit codes: 0 compared, whatever differs; 1 a guard is broken and --check was given; 2 nothing could be compared.
docs/diff.md explains every number.
"""


def main(argv: Sequence[str]) -> int:
    """Prints the comparison; returns the exit code.

    Raises:
        ConfigError: the command line is wrong, a place is not a dataset or cannot be read, or the recipes differ.
    """
    arguments, beam_options = _arguments(argv)
    mute_stores()
    FileSystems.set_options(PipelineOptions(beam_options))
    bounds = GuardsConfig()
    if arguments.guards:
        from gistmill.pipelines.rebuild.corpus import read_corpus  # loads every job

        bounds = read_corpus(arguments.guards).guards
    old, new = (open_dataset(place) for place in (arguments.old, arguments.new))
    try:
        found = compare(old, new, by=arguments.by, rows=not arguments.quick)
    except (DatasetError, StatisticsError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"a file cannot be read: {reason_of(error)}") from None
    lines = (*broken(found, bounds), *broken_alone(new.manifest, bounds))
    found = dataclasses.replace(found, guards=lines)
    shown = (
        json.dumps(found.to_json(), ensure_ascii=False) + "\n"
        if arguments.json
        else text(found, everything=arguments.all)
    )
    sys.stdout.write(printable_lines(shown))
    return 1 if lines and arguments.check else 0


def _arguments(argv: Sequence[str]) -> tuple[Namespace, list[str]]:
    parser = CommandParser("diff", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("old", metavar="OLD", help="a dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument(
        "new", metavar="NEW", help="the dataset to compare with it (Beam's options for stores may follow)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object (docs/contracts.md)")
    parser.add_argument("--all", action="store_true", help="cut no table")
    parser.add_argument("--quick", action="store_true", help="read no rows: documents and lengths are not compared")
    parser.add_argument(
        "--by", metavar="COLUMN", default="", help="count rows by this column (default: that of their type)"
    )
    parser.add_argument(
        "--guards", metavar="CORPUS.yaml", help="take the bounds of this corpus file (default: the defaults)"
    )
    parser.add_argument("--check", action="store_true", help="exit with 1 when a guard is broken")
    arguments, others = parser.parse_known_args(list(argv))
    return arguments, beam_arguments(others, own=[f"--{name}" for name in vars(arguments)])
