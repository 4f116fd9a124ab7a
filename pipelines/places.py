"""The places that the configuration of a job names: its inputs, its output, and what is beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gistmill.core.public_names import public_name
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig
from gistmill.pipelines.sections import InputConfig, OutputConfig, RunConfig
from gistmill.transforms.duplicates.sketches import DuplicatesConfig
from gistmill.transforms.io import is_url
from gistmill.transforms.steps.annotate import AnnotationConfig

_SCHEMES = frozenset(("file", "gs", "s3", "hdfs"))


def places_of(config: JobConfig) -> dict[str, Sequence[str]]:
    """Returns the places that workers on other machines have to reach, by flag."""
    output, temp_dir = config.of(OutputConfig).output, config.of(RunConfig).temp_dir
    named = {"--output": output, "--temp-dir": temp_dir}
    duplicates = config.sections.get(DuplicatesConfig)
    against = duplicates.duplicates_against if isinstance(duplicates, DuplicatesConfig) else None
    return {
        **{flag: [place] for flag, place in named.items() if place is not None},
        "--input": config.of(InputConfig).input or (),
        "--duplicates-against": against or (),
        "--reuse": [older] if (older := reuse_of(config)) is not None else [],
    }


def check_schemes(config: JobConfig) -> None:
    """Raises ConfigError for a place in a kind of store that is not known."""
    for flag, places in places_of(config).items():
        for place in (part.strip() for named in places for part in named.split(",")):
            scheme = place.partition("://")[0]
            if is_url(place) and scheme not in _SCHEMES and not Path(place).exists():
                named = public_name(place)
                raise ConfigError(f"{flag} {named}: expected a path of this machine, or a URL with gs:// or s3://")


def reuse_of(config: JobConfig) -> str | None:
    """Returns the older dataset of annotations that the job reuses, if it names one."""
    annotation = config.sections.get(AnnotationConfig)
    return annotation.reuse if isinstance(annotation, AnnotationConfig) else None
