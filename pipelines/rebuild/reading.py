"""Reads a corpus file, and checks everything that can be checked before anything is begun."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from gistmill.core.options import FlagsError, OptionError, Options, from_yaml, options_of
from gistmill.core.values import nearest
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import RunConfig, configure, reads_pairs, recipe_named
from gistmill.pipelines.options import beam_flags_of, read_config
from gistmill.pipelines.rebuild.corpus import (
    ANNOTATE,
    Corpus,
    CorpusConfig,
    CorpusDataset,
    CorpusSource,
    RecipeConfig,
    RetentionConfig,
    RunnerConfig,
    anchored,
    anchored_config,
    anchored_options,
    dataset_options,
    options_with,
    run_options,
    source_options,
    values_of,
)
from gistmill.pipelines.rebuild.crawls import CrawlConfig
from gistmill.pipelines.rebuild.fetching import DumpConfig
from gistmill.rules.comparison.guards import GuardsConfig
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.sources.warc.source import WarcSource
from gistmill.transforms.sources.wikipedia.source import WikipediaSource

Section = TypeVar("Section", bound=Options)

_NAMES = "letters, digits, '-', '_' and '.'"


def read_corpus(path: str) -> Corpus:
    """Reads a corpus file.

    Raises:
        ConfigError: it cannot be read, a key is not known (the nearest one is named), or a value is wrong.
    """
    try:
        values = from_yaml(Path(path).read_bytes(), path)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    return _Reader(path).corpus(values)


class _Reader:
    """Reads the parts of a file, whose name is in every message."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = Path(path).absolute().parent

    def corpus(self, values: Mapping[str, Any]) -> Corpus:
        """The whole file."""
        parts = ("sources", "recipes", "runner", "retention", "guards")
        top = {o.name: o for o in options_of(CorpusConfig)}
        self._check_keys(values, [*top, *parts], "")
        config = self._section(CorpusConfig, {k: v for k, v in values.items() if k in top}, "")
        config = anchored_config(config, self._folder)
        sources = {name: self._source(name, v) for name, v in self._named(values, "sources")}
        runner = self._plain(values.get("runner"), "runner")
        known = run_options()
        self._check_keys(runner, known, "runner")
        beam = self._section(RunnerConfig, {k: v for k, v in runner.items() if k == "beam"}, "runner")
        run = {k: v for k, v in runner.items() if k != "beam"}
        self._section(RunConfig, run, "runner")
        datasets = dict(self._datasets(values, sources, config))
        if not datasets:
            raise ConfigError(f"{self._path} names no recipes")
        return Corpus(
            config=config,
            sources=sources,
            datasets=tuple(self._ordered(datasets)),
            run=run,
            beam=tuple(beam_flags_of(beam.beam or [], f"{self._path}: runner")),
            retention=self._whole_section(RetentionConfig, values, "retention"),
            guards=self._whole_section(GuardsConfig, values, "guards"),
        )

    def _source(self, name: str, values: Mapping[str, Any]) -> CorpusSource:
        where = f"sources.{name}"
        if "wiki" in values:
            dump, options = self._with_options(DumpConfig, values, where)
            made = CorpusSource(name=name, kind=WikipediaSource.NAME, dump=dump, inputs=(), options=options)
        elif "crawl" in values:
            crawl, options = self._with_options(CrawlConfig, values, where)
            made = CorpusSource(name=name, kind=WarcSource.NAME, dump=None, inputs=(), options=options, crawl=crawl)
        else:
            made = self._files(name, values, where)
        self._try(RECIPES[ANNOTATE], {**made.options, "source": made.kind}, where)
        return made

    def _with_options(
        self, section: type[Section], values: Mapping[str, Any], where: str
    ) -> tuple[Section, dict[str, Any]]:
        """What is downloaded, and the options of the jobs that read it."""
        own = {o.name for o in options_of(section)}
        self._check_keys(values, [*own, *options_with(section)], where)
        config = self._section(section, {k: v for k, v in values.items() if k in own}, where)
        return config, {k: v for k, v in values.items() if k not in own}

    def _files(self, name: str, values: Mapping[str, Any], where: str) -> CorpusSource:
        kind = str(values.get("source", WikipediaSource.NAME))
        if kind not in REGISTRY:
            raise self._error(f"{where}.source", f"expected one of {', '.join(REGISTRY)}, not {kind!r}")
        self._check_keys(values, ["source", "input", "wiki", "crawl", *source_options()], where)
        given = values.get("input") or ()
        inputs = tuple(map(str, given)) if isinstance(given, list) else (str(given),) if given else ()
        if not inputs:
            raise self._error(where, "names neither a `wiki`, nor a `crawl`, nor an `input`")
        inputs = tuple(anchored(path, self._folder) for path in inputs)
        options = {k: v for k, v in values.items() if k not in ("source", "input")}
        options = anchored_options(options, source_options(), self._folder)
        return CorpusSource(name=name, kind=kind, dump=None, inputs=inputs, options=options)

    def _datasets(
        self, values: Mapping[str, Any], sources: Mapping[str, CorpusSource], config: CorpusConfig
    ) -> Iterator[tuple[str, CorpusDataset]]:
        named = dict(self._named(values, "recipes"))
        for name, given in named.items():
            where = f"recipes.{name}"
            own = [o.name for o in options_of(RecipeConfig)]
            said = self._section(RecipeConfig, {k: v for k, v in given.items() if k in own}, where)
            recipe, preset = self._recipe(said, where)
            of_job = {k: v for k, v in given.items() if k not in own}
            options = self._options(recipe, preset, of_job, config, where)
            makes = self._makes_documents(recipe, options, where)
            if makes and said.reads:
                raise self._error(f"{where}.reads", f"{recipe.NAME} makes its documents and reads nothing")
            reads = "" if makes else self._reads(recipe, said, where, named if reads_pairs(recipe) else sources)
            annotated = recipe.DOCUMENT is AnnotatedDocument if said.annotated is None else said.annotated
            source = sources[reads] if reads and not reads_pairs(recipe) else None
            made = CorpusDataset(
                name=name,
                recipe=recipe,
                source=source.name if source else "",
                dataset="" if source else reads,
                annotated=annotated and source is not None and source.kind != "annotated",
                options=options,
            )
            self._try(recipe, values_of(made, source), where)
            yield name, made

    def _options(
        self,
        recipe: type[Recipe[Any]],
        preset: Mapping[str, Any],
        given: Mapping[str, Any],
        config: CorpusConfig,
        where: str,
    ) -> dict[str, Any]:
        """The options of a dataset's job; evaluation sets of the corpus are kept out of all that is read."""
        known = dataset_options(recipe)
        self._check_keys(given, [*(o.name for o in options_of(RecipeConfig)), *known], where)
        self._check_keys(preset, known, f"{where}.preset")
        options = anchored_options({**preset, **given}, known, self._folder)
        if config.evaluation and "decontaminate" in known and not self._makes_documents(recipe, options, where):
            options.setdefault("decontaminate", list(config.evaluation))
        return options

    def _recipe(self, said: RecipeConfig, where: str) -> tuple[type[Recipe[Any]], dict[str, Any]]:
        """The recipe of a dataset, and the options of its preset that it may have."""
        preset = dict(read_config(said.preset)) if said.preset else {}
        job = said.recipe or preset.get("job")
        if job is None:
            raise self._error(where, "names neither a `recipe` nor a `preset`")
        if preset.pop("job", job) != job:
            raise self._error(f"{where}.preset", f"{said.preset} is not a preset of {job!r}")
        if job not in RECIPES:
            raise self._error(f"{where}.recipe", f"there is no job {job!r}{nearest(str(job), RECIPES)}")
        return recipe_named(str(job)), {k: v for k, v in preset.items() if k != "source"}

    def _reads(self, recipe: type[Recipe[Any]], said: RecipeConfig, where: str, among: Collection[str]) -> str:
        """The name of the source or dataset that a dataset reads."""
        name = said.reads or (next(iter(among)) if len(among) == 1 and not reads_pairs(recipe) else "")
        if name not in among:
            what, there = "dataset" if reads_pairs(recipe) else "source", ", ".join(sorted(among))
            problem = (
                f"there is no {what} {name!r}{nearest(name, among)}" if name else f"one of {there} has to be named"
            )
            raise self._error(f"{where}.reads", problem)
        return name

    def _makes_documents(self, recipe: type[Recipe[Any]], options: Mapping[str, Any], where: str) -> bool:
        return recipe.SEEDS and recipe.makes_documents(self._section(recipe.CONFIG, options, where))

    def _ordered(self, datasets: Mapping[str, CorpusDataset]) -> Iterator[CorpusDataset]:
        """Each dataset after the one that it reads."""
        done: list[str] = []
        while len(done) < len(datasets):
            ready = [d for d in datasets.values() if d.name not in done and (not d.dataset or d.dataset in done)]
            if not ready:
                circle = ", ".join(sorted(set(datasets) - set(done)))
                raise self._error("recipes", f"these datasets read each other: {circle}")
            yield ready[0]
            done.append(ready[0].name)

    def _try(self, recipe: type[Recipe[Any]], values: Mapping[str, Any], where: str) -> None:
        """Checks values as the job will."""
        places = {name: f"{self._path}: {where}.{name}" for name in values}
        try:
            configure(recipe, values, places=places, complete=False)
        except ConfigError as error:
            text = str(error)
            raise ConfigError(text if text.startswith(self._path) else f"{self._path}: {where}: {text}") from None

    def _named(self, values: Mapping[str, Any], key: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, given in self._plain(values.get(key), key).items():
            if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith("."):
                raise self._error(f"{key}.{name}", f"names consist of {_NAMES}")
            yield name, {str(k).replace("-", "_"): v for k, v in self._plain(given, f"{key}.{name}").items()}

    def _plain(self, value: Any, where: str) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self._error(where, "expected a mapping")
        return {str(k): v for k, v in value.items()}

    def _whole_section(self, section: type[Section], values: Mapping[str, Any], key: str) -> Section:
        given = {k.replace("-", "_"): v for k, v in self._plain(values.get(key), key).items()}
        self._check_keys(given, [o.name for o in options_of(section)], key)
        return self._section(section, given, key)

    def _section(self, section: type[Section], values: Mapping[str, Any], where: str) -> Section:
        try:
            made = section.from_values(values)
        except OptionError as error:
            raise self._error(".".join(filter(None, (where, error.name))), error.problem) from None
        for declared in options_of(section):
            if declared.required and getattr(made, declared.name) is None:
                raise self._error(where, f"`{declared.name}` is required")
        return made

    def _check_keys(self, values: Mapping[str, Any], known: Collection[str], where: str) -> None:
        for key in values:
            if key not in known:
                raise self._error(where, f"unknown key {key!r}{nearest(key, known)}")

    def _error(self, where: str, problem: str) -> ConfigError:
        return ConfigError(f"{self._path}: {where}: {problem}" if where else f"{self._path}: {problem}")
