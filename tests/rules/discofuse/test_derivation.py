"""The operations of an example lead from its text to its two sentences."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.candidate import operations
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import tokenised_text
from tests.rules.discofuse import parsed_cases, parses
from tests.rules.discofuse.helpers import parse
from tests.testing import document, mention

HE = [[mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]]


def candidates(*texts, clusters=(), **config):
    config = DiscoFuseConfig(**{"min_sentence_tokens": 2, **config})
    return Splitter(config).candidates(*map(parse, texts), links=Links(clusters))


def named(*texts, kind, **given):
    (candidate,) = [c for c in candidates(*texts, **given) if c.discourse_type.name == kind]
    return [(o.name, o.detail, o.after) for o in operations(candidate, [parse(t).tokens for t in texts])]


def test_a_copied_subject_and_a_connective():
    text = "The Sharks started the year 0 - 4"
    rest = "recovered to claim sixth spot ."
    assert named(parses.SHARKS, kind="SINGLE_VP_COORD") == [
        ("DELETE", "'yet'", (f"{text} , {rest}",)),
        ("SPLIT", "into 9 and 6 tokens", (f"{text} ,", rest)),
        ("COPY", "'The Sharks'", (f"{text} ,", f"The Sharks {rest}")),
        ("FINISH", "capitals and final marks", (f"{text} .", f"The Sharks {rest}")),
    ]


def test_the_subject_of_the_second_half_is_copied_into_the_first():
    steps = named(parses.WALKER, kind="SINGLE_CATAPHORA")
    assert [name for name, _, _ in steps][-3:] == ["COPY", "WRITE", "FINISH"]
    assert {name: detail for name, detail, _ in steps}["COPY"] == "'Walker'"


def test_an_anaphor_is_replaced_by_what_it_means():
    (candidate,) = candidates(parses.RIDER_1, parses.RIDER_2, clusters=HE)
    steps = operations(candidate, [parse(t).tokens for t in (parses.RIDER_1, parses.RIDER_2)])
    assert [(s.name, s.detail) for s in steps] == [("REPLACE", "'He' by 'Rider' (pronoun, confidence 0.90)")]
    assert steps[0].before[1].startswith("He said") and steps[0].after[1].startswith("Rider said")


@pytest.mark.parametrize("conventions", ["released", "extended"])
def test_operations_are_a_chain_from_the_text_to_the_sentences(conventions):
    splitter = Splitter(DiscoFuseConfig(min_sentence_tokens=2, conventions=conventions))
    seen = 0
    for parsed in parsed_cases.stored().values():
        tokens = [p.tokens for p in parsed.parses]
        for candidate in splitter.candidates(*parsed.parses, links=Links(parsed.clusters)):
            now = tuple(map(tokenised_text, tokens))
            for step in operations(candidate, tokens):
                assert step.before == now != step.after
                now = step.after
                seen += 1
            assert now == (candidate.incoherent_first_sentence, candidate.incoherent_second_sentence)
    assert seen > 100


def test_the_recipe_knows_the_operations_of_each_of_its_rows():
    recipe = DiscoFuse(DiscoFuseConfig(min_sentence_tokens=2))
    texts = [parsed.sentences for parsed in parsed_cases.stored().values()]
    made = document([sentence for sentences in texts for sentence in sentences], clusters=HE)
    rows = [row for row in recipe.process(made).rows if row.config == "full"]
    assert len({row.values["discourse_type"] for row in rows}) > 6
    for row in rows:
        last = [(row.values["coherent_first_sentence"], row.values["coherent_second_sentence"])]
        last += [step.after for step in recipe.operations(made, row.id)]
        assert last[-1] == (row.values["incoherent_first_sentence"], row.values["incoherent_second_sentence"])
