"""The records of the plain way, several times as fast.

spaCy cuts the text into tokens and applies the transitions of the parser. Everything else happens here, for many
texts at once: the networks and the search for entities in NumPy, and what the attribute ruler and the lemmatizer say
from memos.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import accumulate
from threading import Lock
from typing import Any

import numpy as np
from spacy.tokens import Doc

from gistmill.rules.documents import Sentence
from gistmill.transforms.models import LoadedModel
from gistmill.transforms.parsing.assembly import ParsedTokens, assemble
from gistmill.transforms.parsing.internals import EMBEDDED, keep_tokenizations, take_apart
from gistmill.transforms.parsing.network import Embedding, Encoder, product
from gistmill.transforms.parsing.plain import Passage, one_sentence
from gistmill.transforms.parsing.transitions import ArcParser, EntityRecogniser, Flags
from gistmill.transforms.parsing.words import Words

# Texts of about so many characters are parsed at once: 4,000 tokens, for whose features 22 MB are needed.
BATCH_CHARACTERS = 20_000
# Words that spaCy keeps for good. Once it has so many, it forgets the new words of each batch.
VOCABULARY = 50_000
_NOWHERE = Passage("")


class FastParser:
    """Parses with a model whose parts are known. Threads may share it; they wait for each other.

    Raises:
        Unsupported: the model is another one, or spaCy is.
    """

    def __init__(self, model: LoadedModel) -> None:
        parts = take_apart(model.nlp, model.info)
        nlp = model.nlp
        self._nlp = nlp
        parser: Any = nlp.get_pipe("parser")
        self._embed = Embedding(parts.shared, parts.own)
        self._encode, self._encode_for_entities = Encoder(parts.shared), Encoder(parts.own)
        self._tagger, self._tags = parts.tagger, parts.tags
        self._find_arcs = ArcParser(parser, parts.arcs)
        self._find_entities = EntityRecogniser(parts.entities, parts.moves)
        self._words = Words(nlp, parser.labels)
        keep_tokenizations(nlp, VOCABULARY)
        self._lock = Lock()

    def sentences(self, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """See SentenceParser.sentences."""
        found: list[list[Sentence]] = [[] for _ in passages]
        for batch in self._batches([len(p.text) for p in passages]):
            for number, sentences in zip(batch, self._parse([passages[i] for i in batch]), strict=True):
                found[number] = sentences
        return found

    def whole(self, texts: Sequence[str | Sequence[str]]) -> list[Sentence]:
        """See SentenceParser.whole."""
        found: dict[int, Sentence] = {}
        for batch in self._batches([len(t) if isinstance(t, str) else sum(map(len, t)) + len(t) for t in texts]):
            docs = [one_sentence(self._nlp, texts[number]) for number in batch]
            made = assemble(self._annotate(docs, whole=True), self._words, [_NOWHERE] * len(docs))
            found |= {number: sentence for number, (sentence,) in zip(batch, made, strict=True)}
        return [found[number] for number in range(len(texts))]

    def _batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Yields the numbers of texts in batches, while nobody else parses.

        The longest text of a batch decides how often the parser steps, so texts of like length go together.
        """
        order = sorted(range(len(lengths)), key=lengths.__getitem__)
        with self._lock:
            for batch in _batches(order, lengths):
                with self._room():
                    yield batch

    def _room(self) -> AbstractContextManager[object]:
        return nullcontext() if len(self._nlp.vocab) < VOCABULARY else self._nlp.memory_zone()

    def _parse(self, passages: Sequence[Passage]) -> Iterator[list[Sentence]]:
        docs = [self._nlp.make_doc(passage.text) for passage in passages]
        filled = [(doc, passage) for doc, passage in zip(docs, passages, strict=True) if len(doc)]
        if filled:
            made = iter(assemble(self._annotate([doc for doc, _ in filled]), self._words, [p for _, p in filled]))
        for doc in docs:
            yield next(made) if len(doc) else []

    def _annotate(self, docs: Sequence[Doc], *, whole: bool = False) -> ParsedTokens:
        lengths = [len(doc) for doc in docs]
        attributes = np.concatenate([doc.to_array([*EMBEDDED, "ORTH"]) for doc in docs])
        embedded = self._embed(attributes[:, :-1])
        width = embedded.shape[1] // 2
        vectors = self._encode(embedded[:, :width], lengths)
        self._find_arcs(docs, vectors)
        parse = np.concatenate([doc.to_array(["HEAD", "DEP", "SENT_START"]) for doc in docs])
        ends = np.array(list(accumulate(lengths)))
        last = np.zeros(ends[-1], np.bool_)
        last[ends - 1] = True
        begins = np.concatenate(([True], last[:-1]))
        if not whole:
            begins |= parse[:, 2] == 1
        space = attributes[:, EMBEDDED.index("IS_SPACE")] != 0
        matrix, bias = self._tagger
        tags = (product(vectors, matrix) + bias).argmax(axis=1)
        stop = last | np.append(begins[1:], True)
        return ParsedTokens(
            number=attributes[:, -1],
            tag=[self._tags[number] for number in tags.tolist()],
            label=parse[:, 1],
            head=parse[:, 0].astype(np.int64),
            spaced=attributes[:, EMBEDDED.index("SPACY")] != 0,
            space=space,
            begins=begins,
            last=last,
            entity=self._entities(self._encode_for_entities(embedded[:, width:], lengths), space=space, stop=stop),
        )

    def _entities(self, vectors: Any, *, space: Flags, stop: Flags) -> list[str]:
        entity = [""] * len(vectors)
        for start, end, kind in self._find_entities(vectors, space=space, stop=stop):
            entity[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
        return entity


def _batches(order: Sequence[int], lengths: Sequence[int]) -> Iterator[list[int]]:
    """Cuts ``order`` where a batch has BATCH_CHARACTERS."""
    batch: list[int] = []
    size = 0
    for number in order:
        batch.append(number)
        size += lengths[number]
        if size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
