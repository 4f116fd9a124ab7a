"""Clauses behind an inner connective that the text does not say to be true, or that are not clauses."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, rejections

INNER = "SINGLE_CONN_INNER"

# "The town will sell the mill {unless} the owners pay for tools ."
UNLESS = """
The|DT|det|2 town|NN|nsubj|4 will|MD|aux|4 sell|VB|ROOT|0 the|DT|det|6 mill|NN|dobj|4 {}|IN|mark|10 the|DT|det|9
owners|NNS|nsubj|10||owner paid|VBD|advcl|4||pay for|IN|prep|10 tools|NNS|pobj|11 .|.|punct|4
"""
# "{Tests} {indicate} that the mill is quite old , meaning that the town has a treasure ."
MEANING = """
{subject}|NNS|nsubj|2||{lemma} {verb} that|IN|mark|6 the|DT|det|5 mill|NN|nsubj|6 is|VBZ|ccomp|2||be quite|RB|advmod|8
old|JJ|acomp|6 ,|,|punct|6 meaning|VBG|advcl|6||mean that|IN|mark|14 the|DT|det|13 town|NN|nsubj|14
has|VBZ|ccomp|10||have a|DT|det|16 treasure|NN|dobj|14 .|.|punct|2
"""
# "They {accuse} Lee of leaving the town {because} he was old ."
ACCUSE = """
They|PRP|nsubj|2 {verb} Lee|NNP|dobj|2|B-PERSON {of} {because}|IN|mark|10 he|PRP|nsubj|10 was|VBD|advcl|2||be
old|JJ|acomp|10 .|.|punct|2
"""
OF_LEAVING = "of|IN|prep|2 leaving|VBG|pcomp|4||leave the|DT|det|7 town|NN|dobj|5"
OF_LEEDS = "at|IN|prep|2 work|NN|pobj|4 in|IN|prep|5 Leeds|NNP|pobj|6|B-GPE"
# "The mill stood there , and although it was quite old , {and} many came ."
ALTHOUGH = """
The|DT|det|2 mill|NN|nsubj|3 stood|VBD|ROOT|0||stand there|RB|advmod|3 ,|,|punct|3 and|CC|cc|3 although|IN|mark|9
it|PRP|nsubj|9 was|VBD|advcl|3||be quite|RB|advmod|11 old|JJ|acomp|9 ,|,|punct|9 {joint} people|NNS|nsubj|{verb}||people
came|VBD|conj|9||come in|RB|advmod|{verb} .|.|punct|3
"""
# "The mill stood there , although by the time {clause} most people had left ."
BY_THE_TIME = """
The|DT|det|2 mill|NN|nsubj|3 stood|VBD|ROOT|0||stand there|RB|advmod|3 ,|,|punct|3 although|IN|mark|{verb}
by|IN|prep|{verb} {the}|DT|det|9 time|NN|pobj|7 {clause} most|JJS|amod|{noun} people|NNS|nsubj|{verb}||people
had|VBD|aux|{verb}||have left|VBN|advcl|3||leave .|.|punct|3
"""


@pytest.mark.parametrize("conventions", ["released", "extended"])
def test_the_paper_splits_off_a_condition(conventions):
    (made,) = candidates(UNLESS.format("unless"), conventions=conventions)
    assert made.verdict.accepted


@pytest.mark.parametrize(
    ("subject", "lemma", "verb", "reason"),
    [
        ("Tests", "test", "indicate|VBP|ROOT|0||indicate", "NOT_ASSERTED"),
        ("Rumours", "rumour", "spread|VBP|ROOT|0||spread", "NOT_ASSERTED"),
        ("Clerks", "clerk", "reckon|VBP|ROOT|0||reckon", "NOT_ASSERTED"),
        ("Signs", "sign", "spread|VBP|ROOT|0||spread", None),
        ("Tests", "test", "reveal|VBP|ROOT|0||reveal", None),
    ],
)
def test_what_follows_from_a_sign_or_a_tale_is_not_a_fact(subject, lemma, verb, reason):
    text = MEANING.format(subject=subject, lemma=lemma, verb=verb)
    assert rejections(text, INNER) == [reason]


@pytest.mark.parametrize(
    ("verb", "of", "because", "reason"),
    [
        ("accuse|VBP|ROOT|0||accuse", OF_LEAVING, "because", "NOT_ASSERTED"),
        ("blamed|VBD|ROOT|0||blame", OF_LEAVING, "because", "NOT_ASSERTED"),
        ("accuse|VBP|ROOT|0||accuse", OF_LEAVING, "whereas", None),
        ("accuse|VBP|ROOT|0||accuse", OF_LEEDS, "because", None),
        ("remind|VBP|ROOT|0||remind", OF_LEAVING, "because", None),
    ],
)
def test_the_reason_for_what_somebody_is_blamed_for_is_not_a_fact(verb, of, because, reason):
    assert rejections(ACCUSE.format(verb=verb, of=of, because=because), INNER) == [reason]


@pytest.mark.parametrize(
    ("joint", "verb", "reason"),
    [
        ("many|JJ|amod|14", 15, "CLAUSE_CUT"),
        ("and|CC|cc|9 many|JJ|amod|15", 16, None),
    ],
)
def test_the_main_clause_behind_a_concession_needs_it(joint, verb, reason):
    # the other candidate ends in the "and"
    assert rejections(ALTHOUGH.format(joint=joint, verb=verb), INNER) == [reason, "DANGLING"]


@pytest.mark.parametrize(
    ("the", "clause", "verb", "reason"),
    [
        ("the", "", 13, "NO_VERB"),
        ("this", "", 13, None),
        ("the", "it|PRP|nsubj|11 closed|VBD|relcl|9||close", 15, None),
        ("the", "of|IN|prep|9 war|NN|pobj|10", 15, None),
    ],
)
def test_a_time_alone_is_not_a_sentence(the, clause, verb, reason):
    text = BY_THE_TIME.format(the=the, clause=clause, verb=verb, noun=verb - 2)
    assert rejections(text, INNER) == [reason]
