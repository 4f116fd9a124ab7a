"""Conversion of a plain text to the document that a recipe takes. Beam and spaCy are loaded when they are needed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from gistmill.core.records import Origin
from gistmill.pipelines.runners.quiet import quiet_imports
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Section, SegmentedDocument
from gistmill.rules.text.prose import plain_paragraphs

if TYPE_CHECKING:
    from gistmill.transforms.steps.annotator import Annotator


def clean(text: str, *, title: str = "", id: str = "text-1") -> CleanDocument:
    """Divides a text into paragraphs of prose, for recipes that take text.

    Args:
        text: plain text; blank lines separate paragraphs.
        title: title of the document.
        id: id of the document; row ids and every random choice depend on it.
    """
    section = Section("", 1, plain_paragraphs(text))
    return CleanDocument(Origin(id=id, source="text", title=title), (section,))


def segment(text: str, *, title: str = "", id: str = "text-1") -> SegmentedDocument:
    """Splits a text into sentences, for recipes that need no parse.

    Args:
        text, title, id: as for ``clean``.
    """
    with quiet_imports():
        from gistmill.transforms.steps.segment import segment_clean

    return segment_clean(clean(text, title=title, id=id))


def annotate(
    text: str, *, title: str = "", id: str = "text-1", spacy_model: str | None = None, coref: str = "sieve"
) -> AnnotatedDocument:
    """Parses a text and resolves coreference, for recipes that take parsed documents. Loads its models once.

    Args:
        text, title, id: as for ``clean``.
        spacy_model: a package or a folder; None for the default.
        coref: name of the coreference resolver.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: there is no such resolver.
    """
    (document,) = _annotator(spacy_model, coref).annotate([clean(text, title=title, id=id)])
    return document


@lru_cache(maxsize=2)
def _annotator(spacy_model: str | None, coref: str) -> Annotator:
    from gistmill.transforms.arithmetic import load_pinned_numpy

    load_pinned_numpy()  # before spaCy does

    from gistmill.transforms.coreference import load_resolver
    from gistmill.transforms.models import load_model
    from gistmill.transforms.steps.annotator import Annotator

    return Annotator(load_model(spacy_model), load_resolver(coref))
