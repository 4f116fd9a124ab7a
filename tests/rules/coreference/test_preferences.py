"""What contexts prefer: the class of a candidate, the context of a pronoun, and a noun that it is said to be."""

from collections import Counter

from gistmill.rules.coreference import preferences
from gistmill.rules.coreference.lexicon import ReferentKind
from gistmill.rules.coreference.markables import Markable, Syntax
from gistmill.rules.coreference.preferences import (
    APART,
    CLASSES,
    EMPTY,
    FITTING,
    NO_PREDICATE,
    OTHERS,
    SAME_KIND,
    SAME_NOUN,
    STATES,
    pleonastic,
)
from gistmill.rules.coreference.scorer import ask
from research import preferences as counting
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.testing import parsed

CASES = by_heading(__file__)

_NUMBER = {kind: number for number, kind in enumerate(ReferentKind)}


def mentions(text: str) -> tuple[dict[str, Markable], Syntax]:
    """The mentions of a sentence by the word that heads them."""
    sentence = parsed(text)
    return {sentence.tokens[m.head].text.lower(): m for m in ask([sentence])[0]}, Syntax(sentence.tokens)


def test_the_class_of_a_name_is_that_of_its_type():
    for word, kind in CASES["the class of a name"]:
        (name,) = mentions(f"{word} won|VBD|ROOT|0||win .|.|punct|2")[0].values()
        expected = {"STATES": STATES, "OTHERS": OTHERS}.get(kind) or _NUMBER[ReferentKind[kind]]
        assert preferences.class_of(name) == expected, word


def test_the_class_of_a_noun_is_its_kind():
    for noun, kind in CASES["the class of a noun"]:
        found, _ = mentions(f"The|DT|det|2 {noun}|NN|nsubj|3||{noun} won|VBD|ROOT|0||win .|.|punct|3")
        assert preferences.class_of(found[noun]) == _NUMBER[ReferentKind[kind]], noun


def test_the_context_of_a_pronoun():
    for text, *expected in CASES["the context of a pronoun"]:
        found, syntax = mentions(text)
        pronoun = next(m for word, m in found.items() if word in ("it", "its"))
        assert preferences.context_of(pronoun, syntax) == (tuple(expected) or None), text


def test_people_marry_and_places_have_populations():
    marry, population = (preferences.preferences_of(c) for c in (("s", "marry"), ("p", "population")))
    assert marry is not None and population is not None
    assert len(marry) == len(population) == CLASSES
    assert marry[_NUMBER[ReferentKind.PERSON]] > marry[_NUMBER[ReferentKind.GROUP]]
    assert population[STATES] > population[_NUMBER[ReferentKind.WORK]]
    assert preferences.preferences_of(("s", "wumble")) is None
    assert preferences.preferences_of(None) is None


def test_a_predicate_noun_fits_its_like():
    text = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 {0}|NN|attr|2||{0} .|.|punct|2"
    found, syntax = mentions(text.format("valley"))
    noun = preferences.predicate_noun(found["it"], syntax)
    assert noun == "valley"
    others, _ = mentions(parses.of("The valley beat the lake in the battle ."))
    fits = {w: preferences.predicate_fit(noun, others[w], preferences.class_of(others[w])) for w in others}
    assert fits == {"valley": SAME_NOUN, "lake": SAME_KIND, "battle": APART}
    assert preferences.predicate_fit("", others["valley"], 0) == NO_PREDICATE
    # a name of an unknown kind may be anything, and a country is a place
    assert preferences.predicate_fit(noun, others["lake"], OTHERS) == FITTING
    assert preferences.predicate_fit(noun, others["lake"], STATES) == SAME_KIND


def test_a_predicate_that_is_not_a_noun_says_no_kind():
    found, syntax = mentions("It|PRP|nsubj|2 is|VBZ|ROOT|0||be old|JJ|acomp|2||old .|.|punct|2")
    assert preferences.predicate_noun(found["it"], syntax) == ""


def test_contexts_that_are_seen_often_are_written(tmp_path):
    path = tmp_path / "preferences.txt"
    counts = {
        ("s", "win"): Counter({_NUMBER[ReferentKind.PERSON]: 30}),
        ("s", "flow"): Counter({_NUMBER[ReferentKind.PLACE]: 30}),
        ("s", "hum"): Counter({_NUMBER[ReferentKind.PLACE]: counting.FEWEST - 1}),
    }
    assert counting.write(counts, path) == 2
    lines = dict(line.rsplit(" ", 1) for line in path.read_text().splitlines())
    assert lines["s win"][_NUMBER[ReferentKind.PERSON]] > lines["s flow"][_NUMBER[ReferentKind.PERSON]]
    assert lines["s flow"][_NUMBER[ReferentKind.PLACE]] > lines["s win"][_NUMBER[ReferentKind.PLACE]]


def test_contexts_are_counted_in_documents():
    text = parsed("Ann|NNP|nsubj|2|B-PERSON sold|VBD|ROOT|0||sell Solaris|NNP|dobj|2|B-WORK_OF_ART .|.|punct|2")
    counts = counting.count([((text,), "")])
    assert counts[("s", "sell")] == {_NUMBER[ReferentKind.PERSON]: 1}
    assert counts[("o", "sell")] == {_NUMBER[ReferentKind.WORK]: 1}


# The "it" without reference, and the "it" that only looks like it.


def test_an_it_without_a_referent_is_empty():
    for heading, empty in ((CASES["an it without a referent is empty"], True), (CASES["meaningful"], False)):
        for text in heading:
            sentence = parsed(text)
            (it,) = (m for m in ask([sentence])[0] if m.kind == "pronoun")
            assert (pleonastic(it, Syntax(sentence.tokens)) in EMPTY) == empty, text
