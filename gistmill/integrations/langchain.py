"""A LangChain document transformer that splits documents into chunks: ``PropositionTransformer``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import BaseDocumentTransformer, Document
from typing_extensions import override

from gistmill.integrations.chunks import Unit, chunks


class PropositionTransformer(BaseDocumentTransformer):
    """Creates a document from each statement or each sentence with resolved mentions, in order.

    A new document keeps its source's metadata; ``gistmill.integrations.chunks.Chunk`` describes the metadata added.

    Args:
        unit: ``statements`` or ``sentences``.
        spacy_model, coref: as for ``gistmill.propositions``.
    """

    def __init__(self, *, unit: Unit = "statements", spacy_model: str | None = None, coref: str = "sieve") -> None:
        self._settings: dict[str, Any] = {"unit": unit, "spacy_model": spacy_model, "coref": coref}

    @override
    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        """Raises ModelError if a model is missing or unusable, ValueError if the unit or resolver is unknown."""
        return [
            Document(page_content=chunk.text, metadata=chunk.metadata)
            for document in documents
            for chunk in chunks(document.page_content, document.metadata, **self._settings)
        ]
