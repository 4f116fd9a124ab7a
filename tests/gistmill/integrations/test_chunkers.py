"""The chunkers in the libraries that they are for. ``make setup`` installs none of these; docs/scope.md says so."""

import asyncio

from gistmill.integrations.chunks import chunks
from tests.environments import needs_package

TEXT = "Ada Lovelace was a writer. She met Charles Babbage, who built engines.\n\nThe man slept. He slept in Kent."
GIVEN = {"title": "Ada Lovelace", "source": "a.txt"}
TOLD = [(chunk.text, chunk.metadata) for chunk in chunks(TEXT, GIVEN)]
SENTENCES = [(chunk.text, chunk.metadata) for chunk in chunks(TEXT, GIVEN, unit="sentences")]


@needs_package("langchain_core")
def test_langchain_transforms_documents():
    from langchain_core.documents import Document

    from gistmill.integrations.langchain import PropositionTransformer

    documents = [Document(page_content=TEXT, metadata=GIVEN), Document(page_content=" ")]
    for transformer, told in ((PropositionTransformer(), TOLD), (PropositionTransformer(unit="sentences"), SENTENCES)):
        made = transformer.transform_documents(documents)
        assert [(d.page_content, d.metadata) for d in made] == told
        assert asyncio.run(transformer.atransform_documents(documents)) == made
    assert documents[0].metadata == GIVEN


@needs_package("llama_index")
def test_llama_index_parses_nodes():
    from llama_index.core import Document
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.schema import MetadataMode, NodeRelationship, TextNode

    from gistmill.integrations.llama_index import PropositionNodeParser

    document = Document(text=TEXT, metadata=GIVEN, excluded_embed_metadata_keys=["source"])
    nodes = PropositionNodeParser().get_nodes_from_documents([document, Document(text=" ")])
    assert [(n.text, n.metadata) for n in nodes] == TOLD
    assert [(n.start_char_idx, n.end_char_idx) for n in nodes] == [(m["start"], m["end"]) for _, m in TOLD]
    assert {n.ref_doc_id for n in nodes} == {document.id_} and NodeRelationship.NEXT in nodes[0].relationships
    assert nodes[0].get_content(MetadataMode.EMBED).split() == [
        "title:",
        "Ada",
        "Lovelace",
        "section:",
        *nodes[0].text.split(),
    ]
    sentences = PropositionNodeParser(unit="sentences")
    assert [n.text for n in IngestionPipeline(transformations=[sentences]).run(documents=[document])] == [
        text for text, _ in SENTENCES
    ]
    assert [n.text for n in sentences([TextNode(text=TEXT, metadata=GIVEN)])] == [text for text, _ in SENTENCES]


@needs_package("haystack")
def test_haystack_runs_the_component_of_a_stored_pipeline():
    from haystack import Document, Pipeline

    from gistmill.integrations.haystack import PropositionSplitter

    pipeline = Pipeline()
    pipeline.add_component("splitter", PropositionSplitter(unit="sentences"))
    read = Pipeline.loads(pipeline.dumps(), allowed_modules=["gistmill.integrations.haystack"])
    document = Document(content=TEXT, meta=GIVEN)
    made = read.run({"splitter": {"documents": [document, Document(content=None)]}})["splitter"]["documents"]
    assert [(d.content, d.meta) for d in made] == [(t, {**m, "source_id": document.id}) for t, m in SENTENCES]
    assert document.meta == GIVEN
