"""Names before a relative clause that may be the end of a title."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.insertions.relative_antecedent import may_be_one_name
from tests.rules.discofuse.helpers import parse

# "They saw {Beauty} and {the} {Beast} , which fell ."
BEAST = (
    "They|PRP|nsubj|2 saw|VBD|ROOT|0||see {first}|{tag}|dobj|2|{kind} and|CC|cc|3 {article} Beast|NNP|conj|3|{last} "
    ",|,|punct|3 which|WDT|nsubj|9 fell|VBD|relcl|3||fall .|.|punct|2"
)


@pytest.mark.parametrize(
    ("first", "tag", "kind", "article", "last", "title"),
    [
        ("Beauty", "NNP", "B-ORG", "the|DT|det|6", "I-ORG", True),
        ("Leeds", "NNP", "B-GPE", "the|DT|det|6", "B-ORG", False),
        ("Beauty", "NNP", "B-ORG", "the|DT|det|6", "B-LOC", False),
        ("Beauty", "NNP", "B-ORG", "old|JJ|amod|6", "I-ORG", False),
        ("beauty", "NN", "", "the|DT|det|6", "", False),
    ],
)
def test_and_the_may_join_the_words_of_a_title(first, tag, kind, article, last, title):
    text = BEAST.format(first=first, tag=tag, kind=kind, article=article, last=last)
    assert may_be_one_name(parse(text), 6) == title
