"""Appositions that make no sentence of their own, and such as may end elsewhere than at their comma."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, changed, rejections

APPOSITION = "SINGLE_APPOSITION"
NOVELIST = (
    "Ann|NNP|compound|2|B-PERSON Lee|NNP|nsubj|{verb}|I-PERSON ,|,|punct|2 the|DT|det|{noun_at} {noun} ,|,|punct|2 "
    "sells|VBZ|ROOT|0||sell mills|NNS|dobj|{verb}||mill .|.|punct|{verb}"
)
FRIEND = (
    "{Bo} accused|VBD|ROOT|0||accuse Lee|NNP|dobj|2|B-PERSON of|IN|prep|2 theft|NN|pobj|4 and|CC|cc|2 saw|VBD|conj|2||see "
    "Kim|NNP|dobj|7|B-PERSON ,|,|punct|8 a|DT|det|11 friend|NN|appos|8 {of} .|.|punct|2"
)
COURT = (
    "It|PRP|nsubjpass|3 was|VBD|auxpass|3||be heard|VBN|ROOT|0||hear by|IN|agent|3 {court} ,|,|punct|{at} "
    "{city} Hall|NNP|appos|{at}|I-ORG .|.|punct|3"
)
OWNERS = (
    "It|PRP|nsubjpass|3 is|VBZ|auxpass|3||be owned|VBN|ROOT|0||own by|IN|agent|3 {acme} ,|,|punct|5 the|DT|det|8 "
    "Grey|{grey} and|CC|cc|8 {the} {Lee} .|.|punct|3"
)
BOAT = (
    "He|PRP|nsubj|2 has|VBZ|ROOT|0||have a|DT|det|4 boat|NN|dobj|2 ,|,|punct|4 the|DT|det|8 small|JJ|amod|8 "
    "craft|NN|appos|4 ,|,|punct|8 {now} repair|NN|pobj|{at} .|.|punct|2"
)
SPY = (
    "You|PRP|nsubj|2 are|VBP|ROOT|0||be the|DT|det|5 old|JJ|amod|5 spy|NN|attr|2 ,|,|punct|5 a|DT|det|8 man|NN|appos|5 "
    "{who} ,|,|punct|5 after|IN|prep|2 {seen} .|.|punct|2"
)
SAYING = (
    "It|PRP|nsubjpass|3 was|VBD|auxpass|3||be followed|VBN|ROOT|0||follow {by} Kim|NNP|pobj|4|B-PERSON ,|,|punct|5 "
    "a|DT|det|8 judge|NN|appos|5 ,|,|punct|5 saying|VBG|advcl|3||say so|RB|advmod|10 .|.|punct|3"
)


def novelist(noun: str, *before: str) -> list:
    at = 5 + len(before)
    words = " ".join(f"{word}|{at}" for word in before)
    text = NOVELIST.format(noun_at=at, noun=f"{words} {noun}|appos|2".strip(), verb=at + 2)
    return rejections(text, APPOSITION)


class TestArticle:
    @pytest.mark.parametrize("noun", ["novelist|NN", "bank|NN"])
    def test_one_that_reminds_of_who_is_known(self, noun):
        assert novelist(noun) == ["UNRESOLVED_ANAPHOR"]
        assert novelist(noun, "Spanish|JJ|amod") == ["UNRESOLVED_ANAPHOR"]

    @pytest.mark.parametrize("noun", ["mayor|NN", "Mill|NNP"])
    def test_one_that_means_one_by_itself(self, noun):
        assert novelist(noun) == [None]

    @pytest.mark.parametrize("before", ["oldest|JJS|amod", "chief|JJ|amod", "only|JJ|amod"])
    def test_one_that_is_singled_out(self, before):
        assert novelist("novelist|NN", before) == [None]

    def test_one_with_a_complement(self):
        text = NOVELIST.format(noun_at=5, noun="head|NN|appos|2 of|IN|prep|5 Acme|NNP|pobj|6|B-ORG", verb=9)
        assert accepted(text, APPOSITION)[1] == "Ann Lee is the head of Acme ."

    def test_an_indefinite_one(self):
        text = changed(NOVELIST.format(noun_at=5, noun="novelist|NN|appos|2", verb=7), ("the|DT", "a|DT"))
        assert accepted(text, APPOSITION)[1] == "Ann Lee is a novelist ."


class TestOwner:
    WIFE = "of|IN|prep|11 his|PRP$|poss|14 wife|NN|pobj|12"

    @pytest.mark.parametrize("who", ["Bo|NNP|nsubj|2|B-ORG", "He|PRP|nsubj|2"])
    def test_his_would_be_the_subject_s(self, who):
        assert rejections(FRIEND.format(Bo=who, of=self.WIFE), APPOSITION) == ["UNRESOLVED_ANAPHOR"]

    def test_his_in_a_clause_may_be_its_own(self):
        clause = "who|WP|nsubj|13 lost|VBD|relcl|11||lose his|PRP$|poss|15 post|NN|dobj|13"
        assert rejections(FRIEND.format(Bo="Bo|NNP|nsubj|2|B-ORG", of=clause), APPOSITION) == [None]

    def test_a_wife_has_no_wife(self):
        text = FRIEND.format(Bo="Bo|NNP|nsubj|2|B-ORG", of=self.WIFE.replace("wife", "friend")).replace(
            "friend|NN|appos", "widow|NN|appos"
        )
        assert "UNRESOLVED_ANAPHOR" not in rejections(text, APPOSITION)

    def test_a_thing_has_no_his(self):
        text = FRIEND.format(Bo="Bo|NNP|nsubj|2|B-ORG", of=self.WIFE)
        text = changed(text, ("Kim|NNP|dobj|7|B-PERSON", "Emma|NNP|dobj|7|B-WORK_OF_ART"), ("friend|NN", "portrait|NN"))
        assert "UNRESOLVED_ANAPHOR" not in rejections(text, APPOSITION)


class TestAntecedent:
    def court(self, court: str, at: int, city: str) -> list:
        return rejections(COURT.format(court=court, at=at, city=city), APPOSITION)

    def test_a_common_noun_without_an_article(self):
        assert self.court("appeal|NN|compound|6 court|NN|pobj|4", 6, "the|DT|det|10 City|NNP|compound|10|B-ORG") == [
            "WRONG_SCOPE"
        ]

    def test_one_of_owners_in_the_plural(self):
        own = "drivers|NNS|poss|7||driver '|POS|case|5 court|NN|pobj|4"
        assert self.court(own, 7, "the|DT|det|11 City|NNP|compound|11|B-ORG") == ["WRONG_SCOPE"]
        own = "Acme|NNP|poss|7|B-ORG 's|POS|case|5 court|NN|pobj|4"
        assert self.court(own, 7, "the|DT|det|11 City|NNP|compound|11|B-ORG") == [None]

    def test_one_with_an_article(self):
        assert self.court("the|DT|det|6 court|NN|pobj|4", 6, "the|DT|det|10 City|NNP|compound|10|B-ORG") == [None]

    def test_the_largest_of_which(self):
        text = (
            "She|PRP|nsubj|2 got|VBD|ROOT|0||get the|DT|det|4 job|NN|dobj|2 by|IN|prep|2 luck|NN|pobj|5 at|IN|prep|2 "
            "Acme|NNP|pobj|7|B-ORG ,|,|punct|8 the|DT|det|{at} largest|{rest} .|.|punct|2"
        )
        assert rejections(text.format(at=11, rest="JJS|appos|8"), APPOSITION) == ["AMBIGUOUS"]
        subject = text.replace("Acme|NNP|pobj|7|B-ORG", "Acme|NNP|dobj|2|B-ORG").replace(
            "at|IN|prep|2", "there|RB|advmod|2"
        )
        assert "AMBIGUOUS" not in rejections(subject.format(at=11, rest="JJS|appos|8"), APPOSITION)
        firm = text.format(at=12, rest="JJS|amod|12 firm|NN|appos|8")
        assert rejections(firm, APPOSITION) != ["AMBIGUOUS"]


class TestList:
    def owners(self, *, acme="Acme|NNP|pobj|4|B-ORG", the="the|DT|det|11", lee="group|NN|conj|8"):
        text = OWNERS.format(acme=acme, grey="NN|appos|5", the=the, Lee=lee)
        return rejections(text, APPOSITION)

    def test_two_with_an_article_each(self):
        assert self.owners() == ["LIST"]

    def test_one_person_may_be_two_things(self):
        found = self.owners(acme="Ann|NNP|pobj|4|B-PERSON", the="the|DT|det|11", lee="boss|NN|conj|8")
        assert "LIST" not in found

    def test_one_article_for_both(self):
        assert "LIST" not in self.owners(the="old|JJ|amod|11")


class TestEnd:
    def test_a_loose_phrase_may_be_the_clause_s(self):
        assert rejections(BOAT.format(now="now|RB|advmod|11 in|IN|prep|8", at=11), APPOSITION) == ["CLAUSE_CUT"]

    def test_a_phrase_without_a_comma_is_not(self):
        text = BOAT.format(now="of|IN|prep|8", at=10).replace(",|,|punct|8 ", "")
        assert "CLAUSE_CUT" not in rejections(text, APPOSITION)

    FLED = "who|WP|nsubj|10 fled|VBD|relcl|8||flee"
    SEEN = "seeing|VBG|pcomp|12||see us|PRP|dobj|13"

    def test_what_hangs_on_its_clause_is_cut(self):
        assert rejections(SPY.format(who=self.FLED, seen=self.SEEN), APPOSITION) == ["CLAUSE_CUT"]

    def test_a_plain_phrase_does_not(self):
        assert "CLAUSE_CUT" not in rejections(SPY.format(who=self.FLED, seen="years|NNS|pobj|12||year"), APPOSITION)

    def test_without_a_clause_nothing_does(self):
        text = SPY.format(who="of|IN|prep|8 Ulm|NNP|pobj|9|B-GPE", seen=self.SEEN)
        assert "CLAUSE_CUT" not in rejections(text, APPOSITION)

    def test_a_deed_keeps_its_doer(self):
        assert rejections(SAYING.format(by="by|IN|agent|3"), APPOSITION) == ["CLAUSE_CUT"]
        assert rejections(SAYING.format(by="at|IN|prep|3"), APPOSITION) != ["CLAUSE_CUT"]

    def test_a_noun_read_as_a_verb(self):
        text = (
            "Ann|NNP|nsubj|7|B-PERSON ,|,|punct|1 a|DT|det|4 clerk|NN|appos|1 {comma} alter|{tag}|ROOT|0||alter "
            "egos|NNS|dobj|7||ego .|.|punct|7"
        ).replace("{comma}", "there|RB|advmod|4 ,|,|punct|1")
        assert rejections(text.format(tag="VBP"), APPOSITION) == ["VERB_FORM"]
        assert rejections(text.format(tag="VBD"), APPOSITION) == [None]

    def test_best_is_the_mill(self):
        text = (
            "Best|JJS|acomp|2 is|VBZ|ROOT|0||be Mill|NNP|nsubj|2|B-FAC ,|,|punct|3 a|DT|det|6 house|NN|appos|3 "
            "of|IN|prep|6 note|NN|pobj|7 ,|,|punct|3 {grinds} corn|NN|dobj|10 .|.|punct|2"
        )
        assert rejections(text.format(grinds="grinds|VBZ|conj|2||grind"), APPOSITION) == ["CLAUSE_CUT"]


class TestPlacesOfAntecedents:
    """Places where an antecedent stands that the apposition is hardly to."""

    IN_RESPONSE = (
        "It|PRP|nsubj|2 moved|VBD|ROOT|0||move {0} to|IN|prep|{1} leaks|NNS|pobj|{2}||leak ,|,|punct|{1} a|DT|det|{3} "
        "dam|NN|appos|{1} in|IN|prep|{3} Kent|NNP|pobj|{4}|B-GPE .|.|punct|2"
    )

    def test_a_part_of_a_preposition_is_nothing(self):
        text = self.IN_RESPONSE.format("beside|IN|prep|2 access|NN|pobj|3", 4, 5, 9, 10)
        assert rejections(text, APPOSITION) == ["WRONG_SCOPE"]

    def test_a_noun_with_an_article_is_something(self):
        text = self.IN_RESPONSE.format("beside|IN|prep|2 the|DT|det|5 access|NN|pobj|3", 5, 6, 10, 11)
        assert "WRONG_SCOPE" not in rejections(text, APPOSITION)

    RACED = (
        "It|PRP|nsubjpass|3 was|VBD|auxpass|3||be raced|VBN|ROOT|0||race by|IN|agent|3 Dover|NNP|pobj|4|B-GPE ,|,|punct|5 "
        "Kent|NNP|poss|10|B-GPE 's|POS|case|7 {0} .|.|punct|3"
    )

    def test_a_place_and_its_region_own_what_follows(self):
        text = self.RACED.format("Grey|NNP|compound|10|B-ORG Farm|NNP|appos|5|I-ORG")
        assert rejections(text, APPOSITION) == ["AMBIGUOUS"]

    def test_a_place_may_be_what_its_region_has(self):
        text = self.RACED.format("oldest|JJS|amod|10 town|NN|appos|5")
        assert "AMBIGUOUS" not in rejections(text, APPOSITION)

    WROTE = (
        "He|PRP|nsubj|2 wrote|VBD|ROOT|0||write with|IN|prep|2 the|DT|det|7 {0}|NN|compound|7 Ann|NNP|compound|7|B-PERSON "
        "Lee|NNP|pobj|3|I-PERSON ,|,|punct|7 a|DT|det|11 seminal|JJ|amod|11 {1}|NN|appos|7 .|.|punct|2"
    )

    @pytest.mark.parametrize(
        ("called", "noun", "reasons"),
        [("clerk", "treatise", ["AMBIGUOUS"]), ("clerk", "teacher", [None]), ("ship", "yacht", [None])],
    )
    def test_nobody_is_a_book(self, called, noun, reasons):
        assert rejections(self.WROTE.format(called, noun), APPOSITION) == reasons


class TestNumberOfNames:
    GAINES = (
        "Ada|{0}|compound|2|B-ORG Gaines|NNPS|nsubj|7|I-ORG ,|,|punct|2 a|DT|det|5 clerk|NN|appos|2 ,|,|punct|2 "
        "{1} mills|NNS|dobj|7||mill .|.|punct|7"
    )

    @pytest.mark.parametrize("tag", ["JJ", "NNP"])
    def test_one_whose_verb_is_singular_is_one(self, tag):
        assert accepted(self.GAINES.format(tag, "sells|VBZ|ROOT|0||sell"), APPOSITION)[1] == "Ada Gaines is a clerk ."
