"""The plan of a rebuild: each dataset and each store of annotations, with everything that determines its content."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gistmill.core.manifest import MANIFEST
from gistmill.core.options import options_of
from gistmill.core.statistics import ConfigSchema
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig, RunConfig, configure, job_options, reads_pairs
from gistmill.pipelines.planning import check_language, check_schemes, opened_steps, places_of
from gistmill.pipelines.rebuild.corpus import ANNOTATE, Corpus, CorpusSource, values_of
from gistmill.pipelines.rebuild.crawls import CrawlMonth, find_months, signatures_for
from gistmill.pipelines.rebuild.download import newest
from gistmill.pipelines.rebuild.dumps import Dump, Say
from gistmill.pipelines.rebuild.layout import CorpusPlace, key_of
from gistmill.pipelines.runners.local import check_runner
from gistmill.pipelines.runners.remote import beam_options, check_dataflow
from gistmill.pipelines.versions import code_version, recipe_versions, versions
from gistmill.pipelines.web import session
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.installed import ModelError
from gistmill.transforms.io import is_url, join, matching, size_of
from gistmill.transforms.materials import MaterialError, open_materials
from gistmill.transforms.sources.files.ranges import SourceError, split_commas
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.sources.wikipedia.addresses import base_of_dump, languages_of
from gistmill.transforms.steps.recipe import SplitConfig

# A job's paths and runner do not affect its dataset.
_PLACES = {"input", "output", "overwrite", *(o.name for o in options_of(RunConfig))}


@dataclass(frozen=True, slots=True)
class Inputs:
    """The current state of a source."""

    source: CorpusSource
    paths: tuple[str, ...]  # files or globs for jobs; those of dumps and crawls may not exist yet
    identity: dict[str, Any]  # values that change when the inputs change
    name: str = ""  # the wiki or crawl, for the report; "" for files
    parts: tuple[str, ...] = ()  # the dump's date, or the crawl's months in order
    dump: Dump | None = None
    months: tuple[CrawlMonth, ...] = ()  # the crawl's months in order
    languages: frozenset[str] = frozenset()  # languages of the texts, if known from file or wiki names

    @property
    def date(self) -> str:
        """The date for naming a version: the dump's date or the crawl's last month; "" for files."""
        return self.parts[-1].replace("-", "") if self.parts else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A job of a rebuild."""

    name: str  # name of the dataset, or of the annotated source
    config: JobConfig
    output: str  # destination of its dataset
    decides: Mapping[str, Any]  # values that determine its content (see ``decisive``)
    key: str  # hash of these values
    source: str = ""  # the source whose files it reads; "" for none
    needs: str = ""  # the key of the stage whose dataset it reads; "" for none
    kept: str = ""  # where its signatures are stored once its version is published; "" if they are not


@dataclass(frozen=True, slots=True)
class RebuildPlan:
    """Everything that a rebuild must make."""

    version: str  # name of the version
    inputs: Mapping[str, Inputs]  # by name of the source
    annotations: tuple[Stage, ...]  # one for each source whose annotations are read
    datasets: tuple[Stage, ...]  # each after the one that it reads

    @property
    def fingerprint(self) -> str:
        """A hash that is equal for versions with equal content."""
        return key_of({stage.name: stage.key for stage in self.datasets})

    def to_json(self) -> dict[str, Any]:
        """Returns the record of the version for later rebuilds."""
        stages = {"datasets": self.datasets, "annotations": self.annotations}
        decided = {kind: {s.name: {"key": s.key, "decides": s.decides} for s in of} for kind, of in stages.items()}
        return {"version": self.version, "fingerprint": self.fingerprint, **decided}


def find_inputs(corpus: Corpus, work: Path, *, now: datetime, say: Say, offline: bool = False) -> dict[str, Inputs]:
    """Returns the current state of the sources, by name: for wikis, the newest complete dump; for crawls, the requested
    months (``newest`` is the last month completed by ``now``). Their files are stored in the folders ``dumps`` and
    ``crawls`` in ``work``. With ``offline``, no server is contacted, so the files of dumps and crawls are unknown.

    Raises:
        ConfigError: a file does not exist or has the wrong type for the source.
        DumpError: a wiki has no complete dump, or no mirror responds.
        CrawlError, WebError, StoreError: a month of a crawl does not exist, or its location does not respond.
    """
    read, found = {d.source for d in corpus.datasets}, {}
    for name, source in corpus.sources.items():
        if name not in read:
            continue
        if offline and (source.crawl or source.dump):
            wiki = source.dump.wiki if source.dump else ""
            found[name] = Inputs(source, (name,), {}, languages=languages_of([base_of_dump(f"{wiki}-")]))
        elif source.crawl is not None:
            with session() as web:
                months = find_months(web, source.crawl, now=now, say=say)
            listing, crawl = str(work / "crawls" / f"{name}.paths"), months[0].entry.crawl
            lists = {month.entry.month: month.entry.sha256 for month in months}
            identity = {"crawl": crawl, "lists": lists}
            found[name] = Inputs(source, (listing,), identity, name=crawl, parts=tuple(lists), months=months)
        elif source.dump is not None:
            dump = newest(source.dump, say=say)
            paths = tuple(str(work / "dumps" / dump.wiki / dump.date / f.name) for f in dump.texts)
            sums = {f.name: f.sha256 or f.sha1 for f in dump.texts}
            identity = {"wiki": dump.wiki, "date": dump.date, "layout": dump.layout, "files": sums}
            found[name] = Inputs(source, paths, identity, name=dump.wiki, parts=(dump.date,), dump=dump)
        else:
            kind = REGISTRY[source.kind]
            try:
                opened = kind.open(source.inputs, kind.CONFIG.from_values(source.options))
            except (SourceError, OSError) as error:
                raise ConfigError(f"sources.{name}: {' '.join(str(error).split())}") from error
            seen = _seen(file.path for file in opened.files)
            found[name] = Inputs(source, source.inputs, seen, languages=opened.languages)
    return found


def make_plan(
    corpus: Corpus, inputs: Mapping[str, Inputs], *, version: str, place: CorpusPlace, annotated: str
) -> RebuildPlan:
    """Returns the plan of a rebuild, without starting anything.

    Args:
        inputs: the result of ``find_inputs``.
        version: name of the new version.
        annotated: folder or URL for stored annotations.

    Raises:
        ConfigError: an option, model or file cannot be used.
    """

    def stage(
        kind: str, name: str, recipe: type[Recipe[Any]], values: Mapping[str, Any], reads: Inputs | Stage | None
    ) -> Stage:
        months: tuple[str, ...] = reads.parts if isinstance(reads, Inputs) and reads.months else ()
        identity: Any = reads.key if isinstance(reads, Stage) else reads.identity if reads else None
        values = {**values, **corpus.run, "resume": True}
        if reads is not None:
            values["input"] = [reads.output] if isinstance(reads, Stage) else list(reads.paths)
        folder = join(place.root, "signatures", kind, name)
        own, values, older, kept = signatures_for(recipe, values, folder=folder, months=months)
        inputs = {**identity, "older": older} if isinstance(identity, dict) and older else identity
        decides = decisive(configure(recipe, own, complete=False), inputs=inputs)
        key = key_of(decides)
        # annotations are stored under their key, so that older ones can still be read meanwhile
        output = join(annotated, name, key) if kind == "annotated" else place.dataset(version, name)
        return Stage(
            name=name,
            config=configure(recipe, {**values, "output": output}),
            output=output,
            decides=decides,
            key=key,
            source=reads.source.name if isinstance(reads, Inputs) else "",
            needs=reads.key if isinstance(reads, Stage) else "",
            kept=kept,
        )

    stores, made = dict[str, Stage](), dict[str, Stage]()
    for name in dict.fromkeys(d.source for d in corpus.datasets if d.annotated):
        source = corpus.sources[name]
        values = {**source.options, "source": source.kind}
        stores[name] = stage("annotated", name, RECIPES[ANNOTATE], values, inputs[name])
    for d in corpus.datasets:
        reads = stores[d.source] if d.annotated else made.get(d.dataset) or inputs.get(d.source)
        values = values_of(d, corpus.sources.get(d.source))
        made[d.name] = stage("datasets", d.name, d.recipe, values, reads)
    return RebuildPlan(version, inputs, tuple(stores.values()), tuple(made.values()))


def check_plan(plan: RebuildPlan, beam: Sequence[str]) -> None:
    """Performs the checks at the start of each stage that do not require its input. ``beam`` contains Beam's options.
    Raises ConfigError, naming the key in the corpus file."""
    schemas: dict[str, ConfigSchema] = {}  # schemas of the stages' rows, by key
    stages = {f"sources.{s.name}": s for s in plan.annotations} | {f"recipes.{s.name}": s for s in plan.datasets}
    for where, stage in stages.items():
        config, inputs = stage.config, plan.inputs.get(stage.source)
        recipe = config.recipe(config.of(config.recipe.CONFIG), salt=config.of(SplitConfig).salt)
        options = beam_options(beam)
        check_schemes(config)
        check_runner(options, config.of(RunConfig).workers)
        check_dataflow(options, places_of(config))
        try:
            open_materials(recipe)
            check_language(config, inputs.languages if inputs else frozenset(), recipe)
            if reads_pairs(config.recipe):
                recipe.take_schema(schemas[stage.needs])
            schemas[stage.key] = recipe.schema.configs[0]
        except (ConfigError, MaterialError, ValueError) as error:
            raise ConfigError(f"{where}: {' '.join(str(error).split())}") from error


def decisive(config: JobConfig, *, inputs: Any) -> dict[str, Any]:
    """Returns the values that determine a dataset, as JSON values: options, inputs, versions, models and files named in
    options. Builds with equal values produce the same bytes. ``inputs`` identifies the inputs. Raises ConfigError if a
    model, or a file named in an option, is missing or cannot be used."""
    known, values = job_options(config.recipe), config.to_values()
    options = {n: v for n, v in values.items() if n not in _PLACES and known[n].published}
    code = code_version()
    try:
        records = [step.record(code["gistmill"]) for step in opened_steps(config)]
    except (ModelError, SourceError) as error:
        raise ConfigError(" ".join(str(error).split())) from error
    named = {n: v if isinstance(v, list) else [v] for n, v in options.items() if known[n].kind.is_place}
    found = {
        "job": config.recipe.NAME,
        "options": options,
        "input": inputs,
        "files": {name: _seen(patterns) for name, patterns in named.items()},
        "versions": {**versions(), "gistmill": code["source_sha256"], **recipe_versions(config.recipe)},
        "models": [m for record in records for m in record.get("models", ())],
        "evaluation": [e for record in records for e in record.get("evaluation", ())],
    }
    return dict(json.loads(json.dumps(found, default=str)))


def _seen(patterns: Iterable[str]) -> dict[str, list[int | None]]:
    """Returns files' sizes and times (None in stores) by path, for paths, globs or dataset folders."""
    sizes: dict[str, int] = {}
    for pattern in split_commas(map(str, patterns)):
        size = size_of(pattern)
        sizes |= {pattern: size} if size is not None else matching(pattern) or matching(join(pattern, MANIFEST))
    return {path: [size, None if is_url(path) else os.stat(path).st_mtime_ns] for path, size in sorted(sizes.items())}
