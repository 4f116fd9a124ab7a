"""Conversion of Docs from a user's own spaCy pipeline to annotated documents, with the position of each token."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from spacy.tokens import Doc, Token

from gistmill.core.records import Origin
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.text.prose import Places, placed_paragraphs
from gistmill.transforms.parsing.plain import sentence_of

# The token attributes that the rules read, and the spaCy component that sets each. Lemmas must be set on every token,
# because the attribute ruler sets only a few.
_NEEDED = {"TAG": "tagger", "POS": "attribute_ruler", "DEP": "parser", "ENT_IOB": "ner"}


class DocPlaces(Places):
    """The positions of a Doc's tokens in its text; ``tokens`` are those of each sentence, without white space."""

    def __init__(self, doc: Doc, tokens: Sequence[Sequence[Token]]) -> None:
        self.text = doc.text
        self.tokens = tokens
        self._spans = [[(token.idx, token.idx + len(token)) for token in sentence] for sentence in tokens]


def annotated_doc(doc: Doc, component: str) -> tuple[AnnotatedDocument, DocPlaces]:
    """Returns a Doc as a document without clusters, and the positions of its tokens.

    As in all texts, only paragraphs of prose are used; blank lines separate paragraphs, and also end a sentence that
    continues across them. The title is ``doc.user_data["title"]``, which displaCy uses too.

    Args:
        doc: the parsed Doc.
        component: the component named in error messages.

    Raises:
        ValueError: the Doc lacks an annotation that the rules need.
    """
    words = [token for token in doc if not token.is_space]
    missing = [f"{a} ({pipe})" for a, pipe in _NEEDED.items() if words and not doc.has_annotation(a)]
    if not all(token.lemma for token in words):
        missing.append("LEMMA (lemmatizer)")
    if missing:
        raise ValueError(f"{component} needs attributes that no earlier component sets: {', '.join(missing)}")
    found = []
    for number, (start, end, _) in enumerate(placed_paragraphs(doc.text)):
        paragraph = doc.char_span(start, end, alignment_mode="contract") or ()
        for _, sentence in groupby(paragraph, key=lambda token: token.sent.start):
            tokens = list(sentence)
            made = sentence_of(doc[tokens[0].i : tokens[-1].i + 1], paragraph=number)
            if made is not None:
                found.append((made, [token for token in tokens if not token.is_space]))
    origin = Origin(id="text-1", source="text", title=doc.user_data.get("title") or "")
    return AnnotatedDocument(origin, tuple(made for made, _ in found)), DocPlaces(doc, [tokens for _, tokens in found])
