"""A user's Doc as a document: its paragraphs of prose, their sentences, and where the tokens are."""

import spacy
from spacy.tokens import Doc

from gistmill.transforms.parsing.docs import annotated_doc


def parsed(*sentences):
    """A Doc of these sentences, in which every word depends on the first one; "|" is a blank line."""
    words = [(word, index == 0) for sentence in sentences for index, word in enumerate(sentence.split())]
    starts = [start for _, start in words]
    heads = [max(i for i in range(at + 1) if starts[i]) for at in range(len(words))]
    return Doc(
        spacy.blank("en").vocab,
        words=["\n\n" if word == "|" else word for word, _ in words],
        spaces=[word != "|" for word, _ in words],
        sent_starts=starts,
        heads=heads,
        deps=["ROOT" if start else "dep" for start in starts],
        tags=["NN"] * len(words),
        pos=["NOUN"] * len(words),
        lemmas=[word for word, _ in words],
        ents=["O"] * len(words),
    )


def test_paragraphs_of_prose_have_numbers_and_end_sentences():
    doc = parsed("Life |", "Ada left Kent .", "She slept there . |", "Mary knew the | town of Bath well .")
    doc.user_data["title"] = "Ada"
    document, places = annotated_doc(doc, "a")
    told = [(s.paragraph, " ".join(t.text for t in s.tokens)) for s in document.sentences]
    assert told == [(0, "Ada left Kent ."), (0, "She slept there ."), (1, "town of Bath well .")]
    assert [t.head for t in document.sentences[2].tokens] == [0, 1, 2, 3, 4]  # their head is beyond the blank line
    assert document.origin.title == "Ada" and document.clusters == ()
    assert [doc.text[slice(*places.span(i, 1, 3))] for i in range(3)] == ["left Kent", "slept there", "of Bath"]
    assert [[t.i for t in tokens] for tokens in places.tokens][1] == [6, 7, 8, 9]
