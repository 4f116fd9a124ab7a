"""Signs that a pronoun does not mean its antecedent, and that a replacement would be misread."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora.misreadings import is_named_later
from gistmill.rules.discofuse.anaphora.pronoun_clashes import clashes
from gistmill.rules.discofuse.words import Word
from tests.rules.discofuse.helpers import parse, second_of
from tests.testing import mention

SOLD = "{0}|PRP|nsubj|2 sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool there|RB|advmod|2 .|.|punct|2"


def pronoun(start: int, sentence: int = 1):
    return mention(sentence, start, start + 1, "pronoun", confidence=0.9)


class TestOneAndMany:
    SOLD_ALBUM = """
    The|DT|det|2 band|NN|nsubj|3 sold|VBD|ROOT|0||sell {0}|PRP$|poss|5 album|NN|dobj|3 there|RB|advmod|3 .|.|punct|3
    """

    @pytest.mark.parametrize(
        ("before", "after", "made"),
        [("their", "It", "It"), ("its", "It", "The band"), ("their", "They", "The band"), ("its", "They", "They")],
    )
    def test_a_band_is_one_or_many(self, before, after, made):
        links = (mention(0, 0, 2, "nominal"), pronoun(3, 0), pronoun(0))
        assert second_of(self.SOLD_ALBUM.format(before), SOLD.format(after), *links) == f"{made} sold tools there ."

    SOLD_HIS = (
        "Ash|NNP|nsubj|2|B-PERSON sold|VBD|ROOT|0||sell {0}|PRP$|poss|4 album|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
    )

    @pytest.mark.parametrize(
        ("before", "after", "made"),
        [("his", "She", "She"), ("her", "He", "He"), ("her", "She", "Ash"), ("his", "He", "Ash")],
    )
    def test_nobody_is_he_and_she(self, before, after, made):
        links = (mention(0, 0, 1, "name"), pronoun(2, 0), pronoun(0))
        assert second_of(self.SOLD_HIS.format(before), SOLD.format(after), *links) == f"{made} sold tools there ."


class TestCountries:
    GREW = "{0}|NNP|nsubj|2|B-GPE grew|VBD|ROOT|0||grow there|RB|advmod|2 .|.|punct|2"

    @pytest.mark.parametrize(
        ("place", "who", "found"), [("France", "he", True), ("France", "it", False), ("Bexley", "he", False)]
    )
    def test_a_country_is_not_called_he(self, place, who, found):
        antecedent, anaphor = mention(0, 0, 1, "name"), pronoun(0)
        first, second = parse(self.GREW.format(place)), parse(SOLD.format(who))
        assert clashes(first, antecedent, second, anaphor, (antecedent, anaphor)) is found


class TestAnyone:
    CAME = "Lee|NNP|nsubj|2|B-PERSON came|VBD|ROOT|0||come there|RB|advmod|2 .|.|punct|2"
    PAY = """
    It|PRP|nsubj|2 was|VBD|ROOT|0||be pay|NN|attr|2 for|IN|prep|3 {0}|DT|det|6 {1}|NN|pobj|4 in|IN|prep|2
    his|PRP$|poss|9 year|NN|pobj|7 .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("article", "noun", "made"),
        [("a", "player", "his"), ("any", "clerk", "his"), ("the", "clerk", "Lee 's"), ("a", "mill", "Lee 's")],
    )
    def test_that_of_a_player_is_his(self, article, noun, made):
        links = (mention(0, 0, 1, "name"), pronoun(7))
        second = second_of(self.CAME, self.PAY.format(article, noun), *links)
        assert second == f"It was pay for {article} {noun} in {made} year ."


class TestBecoming:
    GREW = "The|DT|det|2 boy|NN|nsubj|3 {0} {1} .|.|punct|3"
    KING = "a|DT|det|5 king|NN|attr|3"

    @pytest.mark.parametrize(
        ("verb", "what", "made"),
        [
            ("became|VBD|ROOT|0||become", KING, "He"),
            ("grew|VBD|ROOT|0||grow", "there|RB|advmod|3 once|RB|advmod|3", "The boy"),
            ("was|VBD|ROOT|0||be", KING, "The boy"),
        ],
    )
    def test_a_boy_who_became_a_king_is_not_a_boy(self, verb, what, made):
        links = (mention(0, 0, 2, "nominal"), pronoun(0))
        assert second_of(self.GREW.format(verb, what), SOLD.format("He"), *links) == f"{made} sold tools there ."


class TestChanges:
    HURT = "{0}|DT|det|2 {1}|NNS|nsubj|3||{2} hurt|VBD|ROOT|0||hurt the|DT|det|5 ships|NNS|dobj|3||ship .|.|punct|3"
    WEIGHT = "Their|PRP$|poss|2 weight|NN|nsubj|3 fell|VBD|ROOT|0||fall there|RB|advmod|3 .|.|punct|3"

    @pytest.mark.parametrize(
        ("opening", "nouns", "noun", "made"),
        [
            ("These", "changes", "change", "Their"),
            ("These", "stones", "stone", "The stones '"),
            ("The", "attacks", "attack", "The attacks '"),
        ],
    )
    def test_what_befalls_a_thing_has_nothing_of_it(self, opening, nouns, noun, made):
        links = (mention(0, 0, 2, "nominal"), pronoun(0))
        second = second_of(self.HURT.format(opening, nouns, noun), self.WEIGHT, *links)
        assert second == f"{made} weight fell there ."


class TestMisreadings:
    MET = "We|PRP|nsubj|2 met|VBD|ROOT|0||meet Lee|NNP|dobj|2|B-PERSON there|RB|advmod|2 .|.|punct|2"
    TO = """
    According|VBG|prep|5 to|IN|prep|1 Bexley|NNP|pobj|2|{0} he|PRP|nsubj|5 left|VBD|ROOT|0||leave .|.|punct|5
    """

    @pytest.mark.parametrize(("kind", "made"), [("B-PERSON", "he"), ("", "he"), ("B-GPE", ", Lee")])
    def test_a_name_behind_a_name_is_one(self, kind, made):
        second = second_of(self.MET, self.TO.format(kind), mention(0, 2, 3, "name"), pronoun(3))
        assert second == f"According to Bexley {', ' * (made == 'Lee')}{made} left ."

    def test_his_alone_is_the_subject_s(self):
        second = "Bea|NNP|nsubj|2|B-PERSON sold|VBD|ROOT|0||sell {}|PRP$|{} {}|NN|dobj|2 .|.|punct|2"
        links = (mention(0, 2, 3, "name"), pronoun(2))
        assert second_of(self.MET, second.format("his", "dobj|2", "today"), *links) == "Bea sold his today ."

    MILL = "We|PRP|nsubj|2 saw|VBD|ROOT|0||see Lee|NNP|poss|5|B-{0} 's|POS|case|3 mill|NN|dobj|2 .|.|punct|2"
    HE = "{0}|PRP|nsubj|2 sold|VBD|ROOT|0||sell the|DT|det|4 mill|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"

    @pytest.mark.parametrize(
        ("kind", "who", "made"),
        [("PERSON", "He", "the"), ("PERSON", "They", "Lee 's"), ("ORG", "He", "Lee 's")],
    )
    def test_he_is_not_lee_beside_lee_s_mill(self, kind, who, made):
        links = (mention(0, 2, 5, "nominal"), mention(1, 2, 4, "nominal", confidence=0.9))
        assert second_of(self.MILL.format(kind), self.HE.format(who), *links) == f"{who} sold {made} mill there ."

    TONGUE = """
    In|IN|prep|7 their|PRP$|poss|3 tongue|NN|pobj|1 ,|,|punct|7 the|DT|det|6 {0}|NNPS|{1}|7|B-NORP sang|VBD|ROOT|0||sing
    .|.|punct|7
    """

    @pytest.mark.parametrize(
        ("who", "label", "found"), [("Huns", "nsubj", True), ("Goths", "nsubj", False), ("Huns", "poss", False)]
    )
    def test_a_name_that_comes_is_not_said_before(self, who, label, found):
        huns, their = (Word("Huns", tag="NNPS"),), pronoun(1)
        cluster = (their, mention(1, 5, 6, "name"))
        assert is_named_later(huns, parse(self.TONGUE.format(who, label)), their, cluster) is found
