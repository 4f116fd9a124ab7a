"""A LlamaIndex node parser that splits documents into chunks: ``PropositionNodeParser``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.schema import BaseNode, Document, MetadataMode, TextNode
from typing_extensions import override

from gistmill.integrations.chunks import Unit, chunks

# Metadata that is hidden from embeddings and language models.
_UNREAD = ["start", "end", "unresolved"]


class PropositionNodeParser(NodeParser):
    """Creates a node from each statement or each sentence with resolved mentions, in order.

    ``gistmill.integrations.chunks.Chunk`` describes a node's metadata. ``start_char_idx`` and ``end_char_idx`` are the
    offsets of its sentence.

    Args:
        unit: ``statements`` or ``sentences``.
        spacy_model, coref: as for ``gistmill.propositions``, with the same errors.
    """

    unit: Unit = "statements"
    spacy_model: str | None = None
    coref: str = "sieve"

    @classmethod
    @override
    def class_name(cls) -> str:
        return "PropositionNodeParser"

    @override
    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        made: list[BaseNode] = []
        for node in nodes:
            text = node.get_content(metadata_mode=MetadataMode.NONE)
            found = chunks(text, node.metadata, unit=self.unit, spacy_model=self.spacy_model, coref=self.coref)
            split = build_nodes_from_splits([chunk.text for chunk in found], node, id_func=self.id_func)
            for new, chunk in zip(split, found, strict=True):
                new.metadata = chunk.metadata
                new.excluded_embed_metadata_keys = [*new.excluded_embed_metadata_keys, *_UNREAD]
                new.excluded_llm_metadata_keys = [*new.excluded_llm_metadata_keys, *_UNREAD]
            made += split
        return made

    @override
    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        for node in super()._postprocess_parsed_nodes(nodes, parent_doc_map):
            if isinstance(node, TextNode):  # the parent class expects its text to occur in the document
                node.start_char_idx, node.end_char_idx = node.metadata["start"], node.metadata["end"]
        return nodes
