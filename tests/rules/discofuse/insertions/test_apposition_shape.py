"""Phrases between commas that only look like appositions, that end elsewhere, or that hold at another time."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, changed, rejections

APPOSITION = "SINGLE_APPOSITION"
CALLED = (
    "Lee|NNP|nsubjpass|3|B-PERSON was|VBD|auxpass|3||be called|VBN|ROOT|0||call to|IN|prep|3 the|DT|det|6 "
    "game|NN|pobj|4 ,|,|punct|6 his|PRP$|poss|10 {counted} {noun}|NN|appos|6 .|.|punct|3"
)
VISITED = (
    "Ada|NNP|nsubj|2|B-PERSON {verb} Ulm|NNP|dobj|2|B-GPE ,|,|punct|3 a|DT|det|7 long|JJ|amod|7 visit|NN|appos|3 "
    "of|IN|prep|7 state|NN|pobj|8 .|.|punct|2"
)
COURSE = (
    "They|PRP|nsubj|2 crossed|VBD|ROOT|0||cross the|DT|det|4 Inn|NNP|dobj|2|B-LOC ,|,|punct|4 the|DT|det|7 "
    "{noun}|NN|appos|4 of|IN|prep|{at} which|WDT|pobj|8 {rest} .|.|punct|2"
)
PURPOSE = (
    "They|PRP|nsubj|2 bought|VBD|ROOT|0||buy Mills|NNP|dobj|2|B-ORG ,|,|punct|3 their|PRP$|poss|6 aim|NN|appos|3 "
    "{being}|VBG|acl|6 trade|NN|attr|7 .|.|punct|2"
)
BESIDE = (
    "It|PRP|nsubj|2 {verb} ,|,|punct|2 in|IN|prep|2 addition|NN|pobj|4 to|IN|prep|5 the|DT|det|8 Mill|NNP|pobj|6|B-FAC "
    ",|,|punct|8 a|DT|det|12 small|JJ|amod|12 farm|NN|appos|8 .|.|punct|2"
)
WINNING = (
    "Lee|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0||leave after|IN|prep|2 winning|VBG|pcomp|3||win the|DT|det|6 "
    "Crown|NNP|dobj|4|B-PRODUCT ,|,|punct|6 the|DT|det|11 first|JJ|amod|11 {own}|NNP|compound|11 {noun}|NN|appos|6 "
    "of|IN|prep|11 note|NN|pobj|12 .|.|punct|2"
)
BESIEGED = (
    "Ada|NNP|nsubj|2|B-PERSON besieged|{tag}|amod|3||besiege Ulm|NNP|ROOT|0|B-GPE ,|,|punct|3 the|DT|det|7 last|JJ|amod|7 "
    "town|NN|appos|3 on|IN|prep|7 the|DT|det|10 way|NN|pobj|8 .|.|punct|3"
)
OFFICE = (
    "Lee|NNP|nsubj|2|B-PERSON {was}|VBD|ROOT|0 {the}|DT|det|5 new|JJ|amod|5 {judge}|attr|2|B-ORG ,|,|punct|5 a|DT|det|8 "
    "{post}|NN|appos|5 that|WDT|dobj|11 he|PRP|nsubj|11 kept|VBD|relcl|8||keep .|.|punct|2"
)
PARTS = (
    "He|PRP|nsubj|2 met|VBD|ROOT|0||meet Lee|NNP|dobj|2|B-PERSON ,|,|punct|3 the|DT|det|6 head|NN|appos|3 of|IN|prep|6 "
    "the|DT|det|9 firm|NN|pobj|7 ,|,|punct|3 {participle}|VBG|acl|3||{lemma} {of}|IN|prep|11 mills|NNS|pobj|12||mill "
    ".|.|punct|2"
)
DRINKS = (
    "He|PRP|nsubj|2 meets|VBZ|ROOT|0||meet Lee|NNP|dobj|2|B-PERSON ,|,|punct|3 a|DT|det|6 judge|NN|appos|3 {clause}"
    ",|,|punct|2 {and_}sings|VBZ|conj|2||sing loudly|RB|advmod|{sings} .|.|punct|2"
)
IN_PLAY = (
    "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 {work}|NN|attr|2 ,|,|punct|4 in|IN|prep|9 which|WDT|pobj|6 "
    "Ada|NNP|nsubj|9|B-PERSON meets|VBZ|relcl|4||meet Lee|NNP|dobj|9|B-PERSON ,|,|punct|10 the|DT|det|13 king|NN|appos|10 "
    "of|IN|prep|13 Ulm|NNP|pobj|14|B-GPE .|.|punct|2"
)
GROUP = (
    "They|PRP|nsubj|2 run|VBP|ROOT|0 schools|NNS|dobj|2||school of|IN|prep|3 the|DT|det|6 group|NN|pobj|4 ,|,|punct|6 "
    "the|DT|det|9|B-ORG {noun} {of}|IN|prep|9 Ulm|NNP|pobj|10|B-GPE .|.|punct|2"
)
AUNT = (
    "He|PRP|nsubj|2 greets|VBZ|ROOT|0||greet his|PRP$|poss|4 sister|NN|dobj|2 ,|,|punct|4 the|DT|det|8 old|JJ|amod|8 "
    "Ada|NNP|appos|4|B-PERSON ,|,|punct|4 when|WRB|advmod|12 she|PRP|nsubj|12 comes|VBZ|{dep}||come .|.|punct|2"
)
NAMED = (
    "It|PRP|nsubjpass|3 is|VBZ|auxpass|3||be {verb}|VBN|ROOT|0||{lemma} after|IN|prep|3 Lee|NNP|pobj|4|{kind} ,|,|punct|5 "
    "a|DT|det|8 {noun}|NN|appos|5 of|IN|prep|8 note|NN|pobj|9 .|.|punct|3"
)
RULED = (
    "They|PRP|nsubj|2 {ruled} that|IN|mark|10 Lee|NNP|nsubj|10|B-PERSON ,|,|punct|4 a|DT|det|7 judge|NN|appos|4 ,|,|punct|4 "
    "{must}|MD|aux|10 go|VB|ccomp|2 .|.|punct|2"
)
SINCE = (
    "They|PRP|nsubj|2 sing|VBP|ROOT|0 {since}|IN|prep|2 the|DT|det|5 {noun}|NN|pobj|3 of|IN|prep|5 Lee|NNP|pobj|6|B-PERSON "
    ",|,|punct|7 a|DT|det|10 judge|NN|appos|7 .|.|punct|2"
)
UNTIL = (
    "Lee|NNP|nsubj|9|B-PERSON ,|,|punct|1 a|DT|det|5 old|JJ|amod|5 coach|NN|appos|1 {until}|IN|prep|5 {year}|pobj|6 ,|,|punct|1 "
    "leads|VBZ|ROOT|0||lead Ulm|NNP|dobj|9|B-ORG .|.|punct|9"
)


class TestDeeds:
    @pytest.mark.parametrize("counted", ["third|JJ|amod|10|B-ORDINAL", "straight|JJ|amod|10"])
    def test_one_of_many_is_what_the_clause_tells(self, counted):
        assert rejections(CALLED.format(counted=counted, noun="selection"), APPOSITION) == ["CLAUSAL_ANTECEDENT"]

    def test_a_noun_of_no_event_or_an_event_not_counted(self):
        song = CALLED.format(counted="third|JJ|amod|10|B-ORDINAL", noun="song")
        assert rejections(song, APPOSITION) != ["CLAUSAL_ANTECEDENT"]
        assert rejections(CALLED.format(counted="grand|JJ|amod|10", noun="contest"), APPOSITION) == [None]

    def test_the_noun_of_the_verb(self):
        assert rejections(VISITED.format(verb="visited|VBD|ROOT|0||visit"), APPOSITION) == ["CLAUSAL_ANTECEDENT"]
        assert rejections(VISITED.format(verb="praised|VBD|ROOT|0||praise"), APPOSITION) != ["CLAUSAL_ANTECEDENT"]

    def test_a_verb_taken_for_an_adjective(self):
        assert rejections(BESIEGED.format(tag="VBD"), APPOSITION) == ["CLAUSAL_ANTECEDENT"]
        assert rejections(BESIEGED.format(tag="VBN"), APPOSITION) != ["CLAUSAL_ANTECEDENT"]


class TestOtherPhrases:
    def test_a_relative_clause_with_its_noun_first(self):
        text = COURSE.format(noun="course", at=11, rest="now|RB|advmod|11 lies|VBZ|relcl|7||lie here|RB|advmod|11")
        assert rejections(text, APPOSITION) == ["WRONG_SCOPE"]

    def test_a_noun_with_a_relative_clause(self):
        text = COURSE.format(noun="river", at=11, rest="he|PRP|nsubj|11 knows|VBZ|relcl|7||know much|JJ|dobj|11")
        assert accepted(text, APPOSITION)[1] == "The Inn is the river of which he knows much ."

    def test_an_absolute_clause(self):
        assert rejections(PURPOSE.format(being="being"), APPOSITION) == ["WRONG_SCOPE"]
        assert rejections(PURPOSE.format(being="seeking"), APPOSITION) != ["WRONG_SCOPE"]

    def test_a_predicate_behind_an_insertion(self):
        assert "WRONG_SCOPE" in rejections(BESIDE.format(verb="is|VBZ|ROOT|0||be"), APPOSITION)
        assert "WRONG_SCOPE" not in rejections(BESIDE.format(verb="has|VBZ|ROOT|0||have"), APPOSITION)

    def test_a_person_who_is_called_by_the_thing_before(self):
        assert rejections(WINNING.format(own="Crown", noun="winner"), APPOSITION) == ["WRONG_SCOPE"]
        assert rejections(WINNING.format(own="Ulm", noun="winner"), APPOSITION) == [None]

    def test_an_office_is_not_who_holds_it(self):
        words = {"was": "was", "the": "the", "judge": "Laureate|NNP"}
        assert rejections(OFFICE.format(**words, post="post"), APPOSITION) == ["WRONG_SCOPE"]
        assert rejections(OFFICE.format(**words, post="man"), APPOSITION) == [None]
        minister = changed(OFFICE.format(**words, post="post"), ("the|DT|det|5", "then|RB|advmod|2"))
        assert accepted(minister, APPOSITION)[1] == "New Laureate was a post that he kept ."

    def test_what_only_a_work_tells(self):
        assert rejections(IN_PLAY.format(work="play"), APPOSITION) == ["NOT_ASSERTED"]
        assert rejections(IN_PLAY.format(work="town"), APPOSITION) == [None]


class TestEnds:
    def test_parts_of_the_noun_that_stands_last(self):
        text = PARTS.format(participle="consisting", lemma="consist", of="of")
        assert rejections(text, APPOSITION) == ["CLAUSE_CUT"]
        assert rejections(PARTS.format(participle="walking", lemma="walk", of="to"), APPOSITION) == [None]

    @pytest.mark.parametrize("and_", ["", "and|CC|cc|2 "])
    def test_a_second_verb_of_the_clause_inside(self, and_):
        clause = "who|WP|nsubj|8 drinks|VBZ|relcl|6||drink "
        text = DRINKS.format(clause=clause, and_=and_, sings=11 if and_ else 10)
        assert rejections(text, APPOSITION) == ["CLAUSE_CUT"]

    def test_a_second_verb_of_the_subject(self):
        text = DRINKS.format(clause="", and_="and|CC|cc|2 ", sings=9)
        assert accepted(text, APPOSITION)[0] == "He meets Lee and sings loudly ."

    def test_a_place_behind_a_name(self):
        assert rejections(GROUP.format(noun="Society|NNP|appos|6|I-ORG", of="in"), APPOSITION) == ["CLAUSE_CUT"]
        for words in ({"noun": "Society|NNP|appos|6|I-ORG", "of": "of"}, {"noun": "band|NN|appos|6", "of": "in"}):
            assert rejections(GROUP.format(**words), APPOSITION) == [None]

    def test_no_comma_before_a_clause_of_time(self):
        assert accepted(AUNT.format(dep="advcl|2"), APPOSITION)[0] == "He greets his sister when she comes ."


class TestTensesOfPersons:
    def test_who_gave_a_name_was_so(self):
        text = NAMED.format(verb="named", lemma="name", kind="B-PERSON", noun="poet")
        assert accepted(text, APPOSITION)[1] == "Lee was a poet of note ."
        asked = NAMED.format(verb="asked", lemma="ask", kind="B-PERSON", noun="poet")
        assert accepted(asked, APPOSITION)[1] == "Lee is a poet of note ."
        place = NAMED.format(verb="named", lemma="name", kind="B-GPE", noun="town")
        assert accepted(place, APPOSITION)[1] == "Lee is a town of note ."

    @pytest.mark.parametrize(
        ("ruled", "must", "be"),
        [
            ("ruled|VBD|ROOT|0||rule", "should", "was"),
            ("rule|VBP|ROOT|0||rule", "should", "is"),
            ("ruled|VBD|ROOT|0||rule", "will", "is"),
        ],
    )
    def test_a_duty_is_of_the_time_of_its_report(self, ruled, must, be):
        assert accepted(RULED.format(ruled=ruled, must=must), APPOSITION)[1] == f"Lee {be} a judge ."

    def test_after_an_end(self):
        assert rejections(SINCE.format(since="since", noun="death"), APPOSITION) == ["VERB_FORM"]
        assert accepted(SINCE.format(since="about", noun="life"), APPOSITION)[1] == "Lee is a judge ."

    def test_up_to_a_date(self):
        dated = {"year": "2008|CD", "until": "until"}
        text = changed(UNTIL.format(**dated), ("2008|CD|pobj|6", "2008|CD|pobj|6|B-DATE"))
        assert rejections(text, APPOSITION) == ["VERB_FORM"]
        assert rejections(UNTIL.format(year="Ulm|NNP", until="near"), APPOSITION) == [None]
