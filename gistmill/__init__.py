"""Gistmill: training corpora for sentence fusion and abstractive summarization from Wikipedia dumps and news crawls.

    import gistmill

    dataset = gistmill.build("lead-bias", source="warc", input="news/*.warc.gz", output="pairs", workers=2)
    for row in dataset.rows("train", columns=["inputs", "targets"]): ...
    gistmill.Dataset("pairs").manifest.counts["documents"]
    gistmill.trace_row(dataset, ROW_ID).lineage

    gistmill.propositions(TEXT), gistmill.resolve(TEXT), gistmill.sentences(TEXT, "en")
    for resolved in gistmill.pipe(TEXTS, "resolve", workers=2): ...
    gistmill.clean_wikitext(WIKITEXT).text, gistmill.clean_html(PAGE).text
    gistmill.split("They lost, but they recovered."), gistmill.fuse("They lost.", "They recovered.")
    gistmill.rouge.score(gistmill.rouge.tokenise("a b c"), gistmill.rouge.tokenise("a c"))
    gistmill.recipes.GapSentences(gistmill.recipes.GapSentencesConfig()).process(gistmill.recipes.segment(TEXT))

This package only re-exports public names and loads each on first use, so importing it loads neither Beam nor spaCy.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pkgutil import extend_path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gistmill import fusion as fusion
    from gistmill import recipes as recipes
    from gistmill import rouge as rouge
    from gistmill.core.manifest import Manifest as Manifest
    from gistmill.core.manifest import ManifestError as ManifestError
    from gistmill.core.statistics import Statistics as Statistics
    from gistmill.pipelines.api import build as build
    from gistmill.pipelines.errors import ConfigError as ConfigError
    from gistmill.pipelines.errors import JobFailed as JobFailed
    from gistmill.pipelines.errors import OutputExists as OutputExists
    from gistmill.pipelines.fuse import fuse as fuse
    from gistmill.pipelines.inspect import trace_row as trace_row
    from gistmill.pipelines.propositions import pipe as pipe
    from gistmill.pipelines.propositions import propositions as propositions
    from gistmill.pipelines.propositions import resolve as resolve
    from gistmill.pipelines.splitting import split as split
    from gistmill.pipelines.texts import clean_html as clean_html
    from gistmill.pipelines.texts import clean_wikitext as clean_wikitext
    from gistmill.pipelines.texts import sentences as sentences
    from gistmill.published.dataset import Dataset as Dataset
    from gistmill.published.dataset import NotADataset as NotADataset

# In a clone, where Python finds this folder first, the packages may come from an installed wheel.
__path__ = extend_path(__path__, __name__)
_HOMES = {
    "build": "gistmill.pipelines.api",
    "clean_html": "gistmill.pipelines.texts",
    "clean_wikitext": "gistmill.pipelines.texts",
    "ConfigError": "gistmill.pipelines.errors",
    "Dataset": "gistmill.published.dataset",
    "JobFailed": "gistmill.pipelines.errors",
    "Manifest": "gistmill.core.manifest",
    "ManifestError": "gistmill.core.manifest",
    "NotADataset": "gistmill.published.dataset",
    "OutputExists": "gistmill.pipelines.errors",
    "Statistics": "gistmill.core.statistics",
    "fuse": "gistmill.pipelines.fuse",
    "pipe": "gistmill.pipelines.propositions",
    "propositions": "gistmill.pipelines.propositions",
    "resolve": "gistmill.pipelines.propositions",
    "sentences": "gistmill.pipelines.texts",
    "split": "gistmill.pipelines.splitting",
    "trace_row": "gistmill.pipelines.inspect",
}
_MODULES = ("fusion", "recipes", "rouge")

__all__ = ["__version__", *sorted((*_HOMES, *_MODULES))]  # noqa: PLE0604, all are strings


def __getattr__(name: str) -> Any:
    if name == "__version__":
        try:
            value: Any = version("gistmill")
        except PackageNotFoundError:
            value = ""
    elif name in _HOMES:
        from gistmill.core.extras import extra_for

        with extra_for(f"gistmill.{name}", "pipelines"):
            value = getattr(import_module(_HOMES[name]), name)
    elif name in _MODULES:
        value = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
