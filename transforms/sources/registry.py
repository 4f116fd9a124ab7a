"""Every source by its name: what ``--source`` chooses from."""
from __future__ import annotations

from transforms.sources.annotated import AnnotatedSource
from transforms.sources.jsonl import JsonlSource
from transforms.sources.source import Source
from transforms.sources.warc import WarcSource
from transforms.sources.wikipedia import WikipediaSource

REGISTRY: dict[str, type[Source]] = {
    source.NAME: source for source in (WikipediaSource, WarcSource, JsonlSource, AnnotatedSource)}


def sources_with(option: str) -> tuple[str, ...]:
    """Returns the names of the sources with which an option has an effect, by their OPTIONS."""
    return tuple(name for name, source in REGISTRY.items() if option in source.OPTIONS)
