"""The options of a corpus file that belong to the rebuild itself; those of jobs are declared with the jobs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from gistmill.core.addresses import web_url
from gistmill.core.options import Options, option
from gistmill.core.values import FOLDER, PATHS, SWITCH, TEXT, custom, whole


def _beam(value: Any) -> Any:
    if not isinstance(value, (dict, list)):
        raise ValueError("expected a mapping or a list of flags")
    return value


BEAM = custom(
    _beam,
    pattern=r".+",
    metavar="{NAME: VALUE}",
    allowed="options of Beam",
    schema={"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "string"}}]},
)
WEBHOOK = replace(
    custom(
        web_url,
        pattern=r"https?://\S+",
        metavar="URL",
        allowed="a URL",
        schema={"type": "string", "pattern": r"^https?://\S+$"},
    ),
    is_secret=True,
)


@dataclass(frozen=True, kw_only=True)
class CorpusConfig(Options):
    """The keys at the top of a corpus file."""

    GROUP: ClassVar[str] = "corpus"

    publish: str | None = option(
        FOLDER, required=True, help="folder or URL of the corpus: its versions, and the pointer to the latest"
    )
    work: str | None = option(
        FOLDER, help="folder of this machine for dumps, crawls and annotations (default: `state` in the corpus)"
    )
    evaluation: tuple[str, ...] | None = option(
        PATHS, help="evaluation sets to keep out of every dataset: what --decontaminate takes"
    )
    webhook: str | None = option(
        WEBHOOK, published=False, help="URL that gets the summary of a rebuild that failed, as JSON by POST"
    )


@dataclass(frozen=True, kw_only=True)
class RetentionConfig(Options):
    """What stays after a version was published."""

    GROUP: ClassVar[str] = "retention"

    versions: int = option(whole(1), default=3, help="versions that stay; the one that is served always does")
    dumps: int = option(
        whole(0), default=1, help="dumps of each wiki, and months of each crawl, that stay on this machine"
    )


@dataclass(frozen=True, kw_only=True)
class RunnerConfig(Options):
    """What the jobs run on."""

    GROUP: ClassVar[str] = "runner"

    beam: Any = option(BEAM, help="options of Beam, as in the configuration of a job: runner, parallelism and others")


@dataclass(frozen=True, kw_only=True)
class RecipeConfig(Options):
    """What is said of a dataset besides the options of its recipe."""

    GROUP: ClassVar[str] = "dataset"

    recipe: str | None = option(TEXT, help="the job that makes the dataset")
    preset: str | None = option(TEXT, help="a preset or a file with the job and its options; keys here come before it")
    reads: str | None = option(
        TEXT,
        help="the source that is read, or a dataset of this file for jobs that read rows (default: the only source)",
    )
    annotated: bool | None = option(
        SWITCH,
        help="whether the annotations of the source are read, which are stored and used again, in place of its files "
        "(default: for recipes that need parses)",
    )
