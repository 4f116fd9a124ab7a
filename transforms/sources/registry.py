"""Every source by its name: what ``--source`` chooses from. A new source is a class and a line here."""

from __future__ import annotations

from transforms.sources.annotated.source import AnnotatedSource
from transforms.sources.base import Source
from transforms.sources.jsonl.source import JsonlSource
from transforms.sources.warc.source import WarcSource
from transforms.sources.wikipedia.source import WikipediaSource

REGISTRY: dict[str, type[Source]] = {
    source.NAME: source
    for source in (
        WikipediaSource,
        WarcSource,
        JsonlSource,
        AnnotatedSource,
    )
}
