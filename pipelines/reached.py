"""The places of a configuration that workers have to reach: inputs, the output, and what is beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from gistmill.core.public_names import public_name
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig
from gistmill.pipelines.sections import InputConfig, OutputConfig, RunConfig
from gistmill.transforms.duplicates.sketches import DuplicatesConfig
from gistmill.transforms.io import is_url
from gistmill.transforms.steps.annotate import AnnotationConfig

_WIKIMEDIA = re.compile(
    r"https?://dumps\.wikimedia\.org/(?:other/mediawiki_content_(?:current|history)/)?([a-z0-9_]+)/"
    r"(?:latest|(?P<year>[0-9]{4})-?(?P<month>[0-9]{2})-?(?P<day>[0-9]{2}))/"
)
_SCHEMES = frozenset(("file", "gs", "s3", "hdfs"))


def places_of(config: JobConfig) -> dict[str, Sequence[str]]:
    """Returns the places that workers on other machines have to reach, by flag."""
    output, temp_dir = config.of(OutputConfig).output, config.of(RunConfig).temp_dir
    named = {"--output": output, "--temp-dir": temp_dir}
    duplicates, annotation = config.find(DuplicatesConfig), config.find(AnnotationConfig)
    return {
        **{flag: [place] for flag, place in named.items() if place is not None},
        "--input": config.of(InputConfig).input or (),
        "--duplicates-against": (duplicates.duplicates_against if duplicates else None) or (),
        "--reuse": [annotation.reuse] if annotation and annotation.reuse is not None else [],
    }


def check_schemes(config: JobConfig) -> None:
    """Raises ConfigError for a place in a kind of store that is not known."""
    for flag, places in places_of(config).items():
        for place in (part.strip() for named in places for part in named.split(",")):
            scheme = place.partition("://")[0]
            if is_url(place) and scheme not in _SCHEMES and not Path(place).exists():
                named = public_name(place)
                remedy = _how_to_fetch(named) if flag == "--input" and scheme in ("http", "https", "ftp") else ""
                raise ConfigError(
                    f"{flag} {named}: expected a path of this machine, or a URL with gs:// or s3://{remedy}"
                )


def _how_to_fetch(url: str) -> str:
    """Returns the command that brings a file of the web, as the end of a message; of a Wikimedia dump it brings all."""
    if found := _WIKIMEDIA.match(url):
        day = found["year"] and f" --date {found['year']}{found['month']}{found['day']}"
        command = f"gistmill download --wiki {found[1]}{day or ''} --contact YOU@EXAMPLE.ORG --output dumps"
    else:
        command = f"curl --fail --location --remote-name {quote(url)}"
    return f"; fetch it first: {command}"
