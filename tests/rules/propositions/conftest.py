"""Documents that the laws of propositions are tried on."""

import bz2
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from benchmarks.slice import slice_path
from gistmill.pipelines.texts import annotate
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.wiki.wikitext import clean_wikitext
from tests.rules.propositions import parsed_texts
from tests.rules.propositions.helpers import stored_documents

_SENTENCES = 300  # of the slice, after the parser
_PARAGRAPHS = 12  # of a page, so that they are of several


def _pages() -> Iterator[tuple[str, str]]:
    """Yields titles of the slice with the first paragraphs of each."""
    with bz2.open(slice_path()) as stream:
        for _, element in ElementTree.iterparse(stream):
            if not element.tag.endswith("}page"):
                continue
            parts = {part.tag.rpartition("}")[2]: part.text or "" for part in element.iter()}
            sections = clean_wikitext(parts["text"]) if not parts["text"].startswith("#REDIRECT") else ()
            paragraphs = [p for section in sections for p in section.paragraphs][:_PARAGRAPHS]
            if paragraphs:
                yield parts["title"], "\n\n".join(paragraphs)
            element.clear()


@pytest.fixture(scope="session")
def sliced() -> list[AnnotatedDocument]:
    """Pages of the slice with at least 300 sentences, parsed by the models that are shipped."""
    found: list[AnnotatedDocument] = []
    for title, text in _pages():
        found.append(annotate(text, title=title))
        if sum(len(d.sentences) for d in found) >= _SENTENCES:
            break
    return found


@pytest.fixture(scope="session")
def documents(sliced: list[AnnotatedDocument]) -> list[AnnotatedDocument]:
    """The same, the stored parses of the cases of DiscoFuse, and the texts of these tests."""
    stated = (parsed_texts.parsed_text(case.text) for case in parsed_texts.cases("stated"))
    return [*stored_documents(), *sliced, *stated]
