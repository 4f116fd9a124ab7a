"""What a rebuild has to make: each dataset and each store of annotations, with what decides about its content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig, configure
from gistmill.pipelines.rebuild.carried import Carried, carried
from gistmill.pipelines.rebuild.corpus import ANNOTATE, Corpus, CorpusDataset, CorpusSource, values_of
from gistmill.pipelines.rebuild.crawl_files import listing_of
from gistmill.pipelines.rebuild.crawls import CrawlMonth, find_months
from gistmill.pipelines.rebuild.dumps import Dump
from gistmill.pipelines.rebuild.fetching import folder_of, newest
from gistmill.pipelines.rebuild.identity import decisive, key_of, seen_files
from gistmill.pipelines.rebuild.layout import CorpusPlace
from gistmill.pipelines.web import session
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.io import join
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.registry import REGISTRY


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a source has today.

    Attributes:
        source: of the corpus.
        paths: files or globs for jobs; those of a dump or a crawl need not be there yet.
        identity: what tells them apart from those of another day.
        dump: the dump; None for anything else.
        months: the months of a crawl, in order; none for anything else.
    """

    source: CorpusSource
    paths: tuple[str, ...]
    identity: Any
    dump: Dump | None
    months: tuple[CrawlMonth, ...] = ()

    @property
    def name(self) -> str:
        """What the report calls it: the wiki, or the crawl; "" for files."""
        return self.dump.wiki if self.dump is not None else self.months[0].entry.crawl if self.months else ""

    @property
    def date(self) -> str:
        """What a version is named by: the date of the dump, the last month of the crawl; "" for files."""
        if self.dump is not None:
            return self.dump.date
        return self.months[-1].entry.month.replace("-", "") if self.months else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A job of a rebuild.

    Attributes:
        name: of the dataset, or of the source whose pages are annotated.
        config: the configuration of the job.
        output: where its dataset goes.
        decides: what decides about its content (see identity.py).
        key: a short name for that.
        source: the source whose files it reads; "" for none.
        needs: the key of the stage whose dataset it reads; "" for none.
        kept: where its signatures are kept once its version is published; "" if they are not.
    """

    name: str
    config: JobConfig
    output: str
    decides: Mapping[str, Any]
    key: str
    source: str = ""
    needs: str = ""
    kept: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildPlan:
    """Everything that a rebuild has to make.

    Attributes:
        version: its name; readers find the datasets there.
        inputs: by the name of the source.
        annotations: a stage for each source whose annotations are read.
        datasets: a stage for each dataset, each after the one that it reads.
    """

    version: str
    inputs: Mapping[str, Inputs]
    annotations: tuple[Stage, ...]
    datasets: tuple[Stage, ...]

    @property
    def fingerprint(self) -> str:
        """Equal for versions of equal content."""
        return key_of({stage.name: stage.key for stage in self.datasets})


def find_inputs(
    corpus: Corpus, dumps: Path, *, crawls: Path, now: datetime, say: Callable[[str], object]
) -> dict[str, Inputs]:
    """Returns what the sources have today, by name; of wikis the newest complete dump.

    Args:
        corpus: the corpus.
        dumps: folder of dumps.
        crawls: folder of crawls.
        now: the time; the newest month of a crawl is over by then.
        say: gets lines for a person.

    Raises:
        ConfigError: there is no such file, or it is not what the source reads.
        DumpError: a wiki has no complete dump, or no mirror answers.
        CrawlError, WebError, StoreError: a crawl has no such month, or its place does not answer.
    """
    read = {d.source for d in corpus.datasets}
    found = {}
    for name, source in corpus.sources.items():
        if name in read:
            found[name] = _of_crawl(source, crawls, now, say) if source.crawl else _inputs(source, dumps, say)
    return found


def _of_crawl(source: CorpusSource, crawls: Path, now: datetime, say: Callable[[str], object]) -> Inputs:
    assert source.crawl is not None
    with session() as web:
        months = find_months(web, source.crawl, now=now, say=say)
    identity = {"crawl": source.crawl.crawl, "lists": {m.entry.month: m.entry.sha256 for m in months}}
    paths = (str(listing_of(crawls, source.name)),)
    return Inputs(source=source, paths=paths, identity=identity, dump=None, months=months)


def _inputs(source: CorpusSource, dumps: Path, say: Callable[[str], object]) -> Inputs:
    if source.dump is not None:
        dump = newest(source.dump, say=say)
        paths = tuple(str(folder_of(dump, dumps) / f.name) for f in dump.texts)
        sums = {f.name: f.sha256 or f.sha1 for f in dump.texts}
        identity = {"wiki": dump.wiki, "date": dump.date, "layout": dump.layout, "files": sums}
        return Inputs(source=source, paths=paths, identity=identity, dump=dump)
    kind = REGISTRY[source.kind]
    try:
        files = kind.open(source.inputs, kind.CONFIG.from_values(source.options)).files
    except (SourceError, OSError) as error:
        raise ConfigError(f"sources.{source.name}: {' '.join(str(error).split())}") from error
    return Inputs(source=source, paths=source.inputs, identity=seen_files({f.path: f.size for f in files}), dump=None)


def date_of(inputs: Mapping[str, Inputs], started: datetime) -> str:
    """Returns the date in a version's name: that of the newest dump or month, or else the day (YYYYMMDD)."""
    return max((i.date for i in inputs.values()), default="") or started.strftime("%Y%m%d")


def make_plan(
    corpus: Corpus, inputs: Mapping[str, Inputs], *, version: str, place: CorpusPlace, annotated: str
) -> RebuildPlan:
    """Returns the plan of a rebuild; nothing is begun.

    Args:
        corpus: the corpus.
        inputs: what ``find_inputs`` returned.
        version: the name of the version.
        place: of the corpus.
        annotated: folder or URL of the stores of annotations.

    Raises:
        ConfigError: an option, a model or a file cannot be used.
    """
    sources = dict.fromkeys(d.source for d in corpus.datasets if d.annotated)
    stores = {name: _store(corpus, inputs[name], annotated, place) for name in sources}
    made: dict[str, Stage] = {}
    for dataset in corpus.datasets:
        made[dataset.name] = _dataset(corpus, dataset, inputs, stores, made, place, version)
    return RebuildPlan(
        version=version, inputs=inputs, annotations=tuple(stores.values()), datasets=tuple(made.values())
    )


def _of_months(
    recipe: type[Recipe[Any]], values: dict[str, Any], inputs: Inputs, place: CorpusPlace, name: str
) -> Carried:
    """What a job that reads the files of a source gets of older months; of anything but a crawl nothing."""
    if not inputs.months:
        return Carried(own=values, values=values, older={}, kept="")
    months = [m.entry.month for m in inputs.months]
    return carried(recipe, values, place=place, name=name, months=months)


def _identity(inputs: Inputs, older: Mapping[str, str]) -> Any:
    return {**inputs.identity, "older": dict(older)} if older else inputs.identity


def _store(corpus: Corpus, inputs: Inputs, annotated: str, place: CorpusPlace) -> Stage:
    """Annotations lie at a place that says what decides about them: older ones can be read meanwhile."""
    source = inputs.source
    values = {**source.options, **corpus.run, "source": source.kind, "input": list(inputs.paths), "resume": True}
    found = _of_months(RECIPES[ANNOTATE], values, inputs, place, f"annotated/{source.name}")
    config = configure(RECIPES[ANNOTATE], found.own, complete=False)
    decides = decisive(config, inputs=_identity(inputs, found.older))
    key = key_of(decides)
    output = join(annotated, source.name, key)
    config = configure(RECIPES[ANNOTATE], {**found.values, "output": output})
    return Stage(
        name=source.name, config=config, output=output, decides=decides, key=key, source=source.name, kept=found.kept
    )


def _dataset(
    corpus: Corpus,
    dataset: CorpusDataset,
    inputs: Mapping[str, Inputs],
    stores: Mapping[str, Stage],
    made: Mapping[str, Stage],
    place: CorpusPlace,
    version: str,
) -> Stage:
    read, output = inputs.get(dataset.source), place.dataset(version, dataset.name)
    before = stores.get(dataset.source) if dataset.annotated else made.get(dataset.dataset)
    values: dict[str, Any] = {
        **values_of(dataset, read.source if read else None),
        **corpus.run,
        "output": output,
        "resume": True,
    }
    if before is not None:
        values["input"] = [before.output]
    found, identity = Carried(own=values, values=values, older={}, kept=""), before.key if before else None
    if before is None and read is not None:
        values["input"] = list(read.paths)
        found = _of_months(dataset.recipe, values, read, place, f"datasets/{dataset.name}")
        identity = _identity(read, found.older)
    decides = decisive(configure(dataset.recipe, found.own), inputs=identity)
    return Stage(
        name=dataset.name,
        config=configure(dataset.recipe, found.values),
        output=output,
        decides=decides,
        key=key_of(decides),
        source="" if before is not None else dataset.source,
        needs=before.key if before is not None else "",
        kept=found.kept,
    )
