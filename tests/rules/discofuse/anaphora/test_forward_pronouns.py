"""Pronouns before the noun that they mean, and what else than its antecedent a pronoun goes on about."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, found, second_of
from tests.testing import mention

LEE = "Lee|NNP|nsubj|2|B-PERSON came|VBD|ROOT|0||come there|RB|advmod|2 .|.|punct|2"
MILL = "The|DT|det|2 mill|NN|nsubj|3 stood|VBD|ROOT|0||stand there|RB|advmod|3 .|.|punct|3"
MILLS = MILL.replace("mill|NN", "mills|NNS")
NAME, NOMINAL = mention(0, 0, 1, "name"), mention(0, 0, 2, "nominal")


def pronoun(start: int):
    return mention(1, start, start + 1, "pronoun", confidence=0.97)


# "{When he left} , {subject} fell there ."
FRONTED = """
{word}|IN|mark|3 {it}|PRP|nsubj|3 closed|VBD|advcl|{verb}||close ,|,|punct|{verb} {subject} fell|VBD|ROOT|0||fall
there|RB|advmod|{verb} .|.|punct|{verb}
"""
# "In {his} time {subject} fell there ."
PHRASE = """
In|IN|prep|{verb} {its}|PRP$|poss|3 time|NN|pobj|1 {subject} fell|VBD|ROOT|0||fall there|RB|advmod|{verb}
.|.|punct|{verb}
"""


class TestFrontedClauses:
    @pytest.mark.parametrize(
        ("it", "first", "link", "subject", "made"),
        [
            ("it", MILL, NOMINAL, "the|DT|det|6 town|NN|nsubj|7", "it"),
            ("it", MILL, NOMINAL, "the|DT|det|6 clerk|NN|nsubj|7", "the mill"),
            ("it", MILL, NOMINAL, "the|DT|det|6 towns|NNS|nsubj|7||town", "the mill"),
            ("they", MILLS, NOMINAL, "the|DT|det|6 towns|NNS|nsubj|7||town", "they"),
            ("they", MILLS, NOMINAL, "the|DT|det|6 town|NN|nsubj|7", "the mills"),
            ("he", LEE, NAME, "the|DT|det|6 clerk|NN|nsubj|7", "he"),
            ("he", LEE, NAME, "the|DT|det|6 town|NN|nsubj|7", "Lee"),
        ],
    )
    def test_the_subject_behind_its_clause_may_be_meant(self, it, first, link, subject, made):
        second = second_of(first, FRONTED.format(word="Because", it=it, subject=subject, verb=7), link, pronoun(1))
        assert second.startswith(f"Because {made} closed ,")

    def test_two_that_are_joined_are_they(self):
        subject = "a|DT|det|6 mill|NN|nsubj|10 and|CC|cc|6 a|DT|det|9 town|NN|conj|6"
        second = second_of(
            MILLS, FRONTED.format(word="Because", it="they", subject=subject, verb=10), NOMINAL, pronoun(1)
        )
        assert second.startswith("Because they closed ,")

    @pytest.mark.parametrize(
        ("subject", "verb", "made"),
        [
            ("the|DT|det|5 town|NN|nsubj|6", 6, "its"),
            ("the|DT|det|5 clerk|NN|nsubj|6", 6, "the mill 's"),
        ],
    )
    def test_so_may_that_behind_its_phrase(self, subject, verb, made):
        second = second_of(MILL, PHRASE.format(its="its", subject=subject, verb=verb), NOMINAL, pronoun(1))
        assert second.startswith(f"In {made} time")

    def test_a_noun_that_is_linked_says_itself_which_is_meant(self):
        text = PHRASE.format(its="its", subject="the|DT|det|5 town|NN|nsubj|6", verb=6)
        linked = mention(1, 3, 5, "nominal", confidence=0.1)
        assert second_of(MILL, text, NOMINAL, pronoun(1), linked).startswith("In its time")

    def test_an_inverted_subject_does_not_count(self):
        text = """
        Among|IN|prep|3 them|PRP|pobj|1 were|VBD|ROOT|0||be towns|NNS|nsubj|3||town there|RB|advmod|3 .|.|punct|3
        """
        assert second_of(MILLS, text, NOMINAL, pronoun(1)) == "Among the mills were towns there ."

    @pytest.mark.parametrize(
        ("opening", "size", "made"),
        [
            ("Leaving|VBG|advcl|{verb}||leave", 1, "Leaving him there , Lee sold tools ."),
            (
                "When|WRB|advmod|3 Bea|NNP|nsubj|3 left|VBD|advcl|{verb}||leave",
                3,
                "When Bea left Lee there , Lee sold tools .",
            ),
        ],
    )
    def test_the_subject_of_a_participle_is_named_once(self, opening, size, made):
        verb = size + 5
        text = (
            opening.format(verb=verb)
            + f"""
        him|PRP|dobj|{size} there|RB|advmod|{size} ,|,|punct|{verb} he|PRP|nsubj|{verb} sold|VBD|ROOT|0||sell
        tools|NNS|dobj|{verb} .|.|punct|{verb}
        """
        )
        assert second_of(LEE, text, NAME, pronoun(size), pronoun(size + 3)) == made


SOLD = "{0}|PRP|nsubj|2 {1} {2} there|RB|advmod|2 .|.|punct|2"
SELLS = "sold|VBD|ROOT|0||sell"


@pytest.mark.parametrize(
    ("noun", "verb", "made"),
    [
        ("lamps", "tried|VBD|ROOT|0||try", "They"),
        ("lamps", "made|VBD|ROOT|0||make", "The lamps"),
        ("clerks", "tried|VBD|ROOT|0||try", "The clerks"),
        ("towns", "tried|VBD|ROOT|0||try", "The towns"),
    ],
)
def test_only_somebody_wants_and_tries(noun, verb, made):
    first = MILLS.replace("mills|NNS|nsubj|3", f"{noun}|NNS|nsubj|3||{noun[:-1]}")
    second = second_of(first, SOLD.format("They", verb, "tools|NNS|dobj|2"), NOMINAL, pronoun(0))
    assert second.startswith(f"{made} ")


@pytest.mark.parametrize(("verb", "made"), [("are|VBP", "It"), ("is|VBZ", "The mill")])
def test_what_has_a_plural_verb_is_not_called_it(verb, made):
    first = f"The|DT|det|2 mill|NN|nsubj|3 {verb}|ROOT|0||be old|JJ|acomp|3 .|.|punct|3"
    second = second_of(first, SOLD.format("It", SELLS, "tools|NNS|dobj|2"), NOMINAL, pronoun(0))
    assert second == f"{made} sold tools there ."


# "Although {they} fell early , {subject} came there ."
ALTHOUGH = """
Although|IN|mark|3 they|PRP|nsubj|3 fell|VBD|advcl|{verb}||fall early|RB|advmod|3 ,|,|punct|{verb} {subject}
came|VBD|ROOT|0||come there|RB|advmod|{verb} .|.|punct|{verb}
"""


@pytest.mark.parametrize(
    ("joint", "reason"),
    [("and|CC|cc|6 Fox|NNP|conj|6|B-PERSON", "AMBIGUOUS"), ("of|IN|prep|6 Leeds|NNP|pobj|7|B-GPE", None)],
)
def test_they_may_be_two_that_are_named_later(joint, reason):
    text = ALTHOUGH.format(subject=f"Lee|NNP|nsubj|9|B-PERSON {joint}", verb=9)
    assert [f[3] for f in found(text) if f[0] == "SINGLE_CONN_START"] == [reason]


@pytest.mark.parametrize(("word", "reason"), [("that", "NO_END"), ("That", None)])
def test_the_second_of_two_sentences_has_a_capital(word, reason):
    second = f"{word}|DT|nsubj|2 made|VBD|ROOT|0||make tools|NNS|dobj|2 there|RB|advmod|2 .|.|punct|2"
    (made,) = candidates(LEE, second)
    assert (made.verdict.reason.name if made.verdict.reason else None) == reason


@pytest.mark.parametrize(("opening", "kept"), [("Initially", "eventually left"), ("There", "left")])
def test_what_comes_in_the_end_belongs_to_what_was_at_first(opening, kept):
    second = f"""
    {opening}|RB|advmod|5 ,|,|punct|5 Bea|NNP|nsubj|5|B-PERSON eventually|RB|advmod|5 left|VBD|ROOT|0||leave
    tools|NNS|dobj|5 .|.|punct|5
    """
    (made,) = candidates(LEE, second, conventions="extended")
    assert made.incoherent_second_sentence == f"{opening} , Bea {kept} tools ."
