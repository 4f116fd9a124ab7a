"""A corpus as its file describes it: sources, datasets, runner, retention and guards. ``reading.py`` makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gistmill.core.options import Option, Options, options_of
from gistmill.pipelines.job import job_options
from gistmill.pipelines.rebuild.crawls import CrawlConfig
from gistmill.pipelines.rebuild.fetching import DumpConfig
from gistmill.pipelines.rebuild.settings import CorpusConfig, RetentionConfig, RunnerConfig
from gistmill.pipelines.sections import OutputConfig, RunConfig
from gistmill.rules.comparison.guards import GuardsConfig
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.steps.choose_split import SplitConfig

ANNOTATE = "annotate"
# What the rebuild decides itself: where a job reads and writes, what it uses again, and that it goes on where it was.
DECIDED = ("input", "source", "output", "overwrite", "resume", "reuse")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSource:
    """A source of a corpus.

    Attributes:
        name: as the file has it.
        kind: a name of the registry of sources.
        dump: the wiki whose newest dump it is; None where it is something else.
        inputs: files or globs; empty where it has a dump or a crawl.
        options: values for the jobs that read it, by name.
        crawl: the months of a crawl that it is; None where it is something else.
    """

    name: str
    kind: str
    dump: DumpConfig | None
    inputs: tuple[str, ...]
    options: Mapping[str, Any]
    crawl: CrawlConfig | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusDataset:
    """A dataset of a corpus.

    Attributes:
        name: as the file has it; the dataset's folder has this name.
        recipe: the class of the recipe.
        source: the source that it reads; "" where it reads a dataset, or nothing.
        dataset: the dataset that it reads; "" for none.
        annotated: whether it reads the annotations of the source.
        options: values for its job, by name.
    """

    name: str
    recipe: type[Recipe[Any]]
    source: str
    dataset: str
    annotated: bool
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A corpus file, checked.

    Attributes:
        config: the keys at its top.
        sources: by name.
        datasets: in an order in which each comes after the one that it reads.
        run: options of all jobs on workers and temporary files, by name.
        beam: arguments for Beam.
        retention, guards: the sections of these names.
    """

    config: CorpusConfig
    sources: Mapping[str, CorpusSource]
    datasets: tuple[CorpusDataset, ...]
    run: Mapping[str, Any]
    beam: tuple[str, ...]
    retention: RetentionConfig = field(default_factory=RetentionConfig)
    guards: GuardsConfig = field(default_factory=GuardsConfig)


def run_options() -> dict[str, Option]:
    """Returns the options of the section ``runner``: those of jobs that say how they run, and ``beam``."""
    options = [*(o for o in options_of(RunConfig) if o.name not in DECIDED), *options_of(RunnerConfig)]
    return {o.name: o for o in options}


def source_options() -> dict[str, Option]:
    """Returns the options that a source may have: what reads, cleans and annotates its documents."""
    written: tuple[type[Options], ...] = (OutputConfig, SplitConfig, RunConfig)
    others = {o.name for section in written for o in options_of(section)} | set(DECIDED)
    return {name: o for name, o in job_options(RECIPES[ANNOTATE]).items() if name not in others}


def options_with(section: type[Options]) -> dict[str, Option]:
    """Returns the options that a source may have beside those of ``section``, which say what is downloaded: the files
    of a crawl lie where the rebuild puts them."""
    decided = {"warc_prefix"} if section is CrawlConfig else set()
    return {name: o for name, o in source_options().items() if name not in decided}


def dataset_options(recipe: type[Recipe[Any]]) -> dict[str, Option]:
    """Returns the options that a dataset of a recipe may have."""
    decided = {*DECIDED, *run_options()}
    return {name: o for name, o in job_options(recipe).items() if name not in decided}


def values_of(dataset: CorpusDataset, source: CorpusSource | None) -> dict[str, Any]:
    """Returns the values of the options of a dataset's job, but for input and output."""
    if source is None:
        return dict(dataset.options)
    if dataset.annotated:
        return {**dataset.options, "source": "annotated"}
    known = job_options(dataset.recipe)
    of_source = {name: value for name, value in source.options.items() if name in known}
    return {**of_source, **dataset.options, "source": source.kind}
