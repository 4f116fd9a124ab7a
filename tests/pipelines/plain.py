"""The pages of a dump, read and cleaned by plain functions: what a pipeline has to equal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from gistmill.rules.documents import CleanDocument, RawDocument
from gistmill.transforms.sources.files.ranges import FileRange, expand_inputs
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from gistmill.transforms.steps.clean import Cleaner


def cleaned(dump: Path, workspace: Path) -> Iterator[CleanDocument]:
    """Yields the documents that are left of the dump's pages."""
    source = WikipediaSource(expand_inputs(str(dump)), WikipediaConfig())
    with closing(Cleaner()) as cleaner:
        for piece in source.planner(str(workspace))(source.files):
            for read in source.reader()(piece) if isinstance(piece, FileRange) else ():
                document = cleaner.clean(read) if isinstance(read, RawDocument) else read
                if isinstance(document, CleanDocument):
                    yield document
