"""The sources that ``--source`` can select, by name. To add one, write its class and add a line here."""

from __future__ import annotations

from gistmill.transforms.sources.annotated import AnnotatedSource
from gistmill.transforms.sources.base import Source
from gistmill.transforms.sources.documents import JsonlSource, TableSource, TextSource
from gistmill.transforms.sources.warc.source import WarcSource
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from gistmill.transforms.sources.wikipedia_html.source import WikipediaHtmlSource

REGISTRY: dict[str, type[Source]] = {
    source.NAME: source
    for source in (
        WikipediaSource,
        WikipediaHtmlSource,
        WarcSource,
        JsonlSource,
        TableSource,
        TextSource,
        AnnotatedSource,
    )
}
