"""A Haystack component that splits documents into chunks: ``PropositionSplitter``."""

from __future__ import annotations

from typing import Any

from haystack import Document, component

from gistmill.integrations.chunks import Unit, chunks


@component
class PropositionSplitter:
    """Creates a document from each statement or each sentence with resolved mentions, in order.

    A new document keeps its source's metadata and names the source's id in ``source_id``. The other metadata is
    described in ``gistmill.integrations.chunks.Chunk``.

    Args:
        unit: ``statements`` or ``sentences``.
        spacy_model, coref: as for ``gistmill.propositions``.
    """

    def __init__(self, unit: Unit = "statements", spacy_model: str | None = None, coref: str = "sieve") -> None:
        self.unit, self.spacy_model, self.coref = unit, spacy_model, coref

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Raises ModelError if a model is missing or unusable, ValueError if the unit or resolver is unknown."""
        settings: dict[str, Any] = {"unit": self.unit, "spacy_model": self.spacy_model, "coref": self.coref}
        made = []
        for document in documents:
            for chunk in chunks(document.content or "", {**document.meta, "source_id": document.id}, **settings):
                made.append(Document(content=chunk.text, meta=chunk.metadata))
        return {"documents": made}
