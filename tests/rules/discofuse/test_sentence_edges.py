"""Laws that hold wherever a text was cut: a sentence need not end in a mark, nor begin with its first word."""

import pytest

from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import Mention, Sentence
from tests.cases import by_heading
from tests.rules.discofuse import parsed_cases, parses
from tests.rules.discofuse.helpers import candidates

CASES = by_heading(__file__)

SENTENCES = [sentence for parsed in parsed_cases.stored().values() for sentence in parsed.sentences]
_PARTS = 16  # of them, for processes side by side
_FEWEST = 2  # tokens of a sentence that is still cut
_KINDS = {"PRP": "pronoun", "PRP$": "pronoun", "NN": "nominal", "NNS": "nominal", "NNP": "name"}


def without(sentence: Sentence, dropped: int) -> Sentence:
    """Returns the sentence without a token; what hung on it hangs on its head, or on its first child if it was the root."""
    tokens = sentence.tokens
    head = tokens[dropped].head
    if head == dropped:
        head = next((k for k, t in enumerate(tokens) if t.head == dropped and k != dropped), 0)
    heads = [head if t.head == dropped else t.head for t in tokens]
    heads[head] = head if tokens[dropped].head == dropped else heads[head]
    kept = [
        t._replace(head=h - (h > dropped), dep="ROOT" if h == k else t.dep)
        for k, (t, h) in enumerate(zip(tokens, heads, strict=True))
        if k != dropped
    ]
    return Sentence(tuple(kept), section=0, paragraph=0)


def links(sentence: Sentence) -> Links:
    """Returns one cluster of all pronouns and nouns."""
    found = [Mention(0, i, i + 1, i, _KINDS[t.tag], 1.0) for i, t in enumerate(sentence.tokens) if t.tag in _KINDS]
    return Links([found] if len(found) > 1 else [])


@pytest.mark.parametrize("conventions", ["released", "extended"])
@pytest.mark.parametrize("part", range(_PARTS))
def test_a_sentence_may_end_anywhere_and_lack_its_first_word(part, conventions):
    splitter = Splitter(DiscoFuseConfig(min_sentence_tokens=2, conventions=conventions))
    for sentence in SENTENCES[part::_PARTS]:
        cuts = [without(sentence, 0)]
        while len(sentence.tokens) > _FEWEST:
            sentence = without(sentence, len(sentence.tokens) - 1)
            cuts.append(sentence)
        for cut in cuts:
            made = splitter.candidates(Parse(cut), links=links(cut))
            assert all(c.incoherent_first_sentence and c.incoherent_second_sentence for c in made)


def test_a_missing_mark_is_not_an_error():
    for conventions in ("released", "extended"):
        for text, kind in CASES["a missing mark is not an error, text and kind"]:
            assert kind in {c.discourse_type.name for c in candidates(text, conventions=conventions)}, conventions


def test_models_may_have_other_types_of_entities():
    text = parses.of("The road was a path , which felt shorter .")
    assert [c.discourse_type.name for c in candidates(text, conventions="extended")] == ["SINGLE_RELATIVE"]
