"""Participle phrases that the main clause needs: its means, its course, its partner."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

CATAPHORA = "SINGLE_CATAPHORA"
USING = (
    "Using|VBG|advcl|6||use the|DT|det|3 scale|NN|dobj|1 ,|,|punct|6 {who}|nsubj|6 {verb} two|CD|nummod|8 "
    "mills|NNS|dobj|6||mill .|.|punct|6"
)
COURSE = (
    "{Commencing}|VBG|advcl|6 {lectures} May|NNP|pobj|2|B-DATE ,|,|punct|6 he|PRP|nsubj|6 led|VBD|ROOT|0||lead "
    "the|DT|det|8 course|NN|dobj|6 .|.|punct|6"
)
MEETING = (
    "Meeting|VBG|advcl|6||meet Bo|NNP|dobj|1|B-PERSON there|RB|advmod|1 ,|,|punct|6 {who}|nsubj|6 sang|VBD|ROOT|0||sing "
    "{together} .|.|punct|6"
)
HE = "he|PRP"


class TestMeans:
    def test_a_person_uses_them(self):
        text = USING.format(who=HE, verb="weighed|VBD|ROOT|0||weigh")
        assert accepted(text, CATAPHORA) == ("He used the scale .", "He weighed two mills .")

    def test_with_them_something_is_so(self):
        assert rejections(USING.format(who=HE, verb="had|VBD|ROOT|0||have"), CATAPHORA) == ["DANGLING_PARTICIPLE"]

    @pytest.mark.parametrize("who", ["Spain|NNP|B-GPE", "reports|NNS"])
    def test_a_country_is_measured(self, who):
        word, tag, *kind = who.split("|")
        text = USING.format(who=f"{word}|{tag}", verb="weighed|VBD|ROOT|0||weigh")
        text = text.replace("nsubj|6", "nsubj|6|" + "".join(kind))
        assert rejections(text, CATAPHORA) == ["DANGLING_PARTICIPLE"]

    def test_what_can_be_done(self):
        text = USING.format(who=HE, verb="may|MD|ROOT|0||may").replace("two|CD|nummod|8", "weigh|VB|ROOT|0||weigh")
        text = text.replace("nsubj|6 may|MD|ROOT|0", "nsubj|7 may|MD|aux|7")
        assert rejections(text, CATAPHORA) == ["NOT_ASSERTED"]


class TestCourse:
    @pytest.mark.parametrize("word", ["Commencing", "Concluding"])
    def test_something_else_takes_it(self, word):
        assert rejections(COURSE.format(Commencing=word, lectures="in|IN|prep|1"), CATAPHORA) == ["DANGLING_PARTICIPLE"]

    def test_a_road_goes_on(self):
        assert rejections(COURSE.format(Commencing="Continuing", lectures="in|IN|prep|1"), CATAPHORA) == [None]

    def test_somebody_commences_something(self):
        text = COURSE.format(Commencing="Commencing", lectures="lectures|NNS|dobj|1||lecture")
        assert "DANGLING_PARTICIPLE" not in rejections(text.replace("pobj|2|B-DATE", "npadvmod|1"), CATAPHORA)


class TestPartner:
    def meeting(self, together: str, who: str = HE) -> list:
        return rejections(MEETING.format(who=who, together=together), CATAPHORA)

    def test_one_does_nothing_together(self):
        assert self.meeting("together|RB|advmod|6") == ["SHARED_PART"]

    def test_several_do(self):
        assert self.meeting("together|RB|advmod|6", "they|PRP") == [None]

    @pytest.mark.parametrize("together", ["together|RB|advmod|6 with|IN|prep|6 Al|NNP|pobj|8", "well|RB|advmod|6"])
    def test_with_a_partner_one_does(self, together):
        assert self.meeting(together) == [None]


class TestDoneToSomebody:
    """ "Having played well , {a broken leg} {forced} {Lee} home ." """

    TEXT = "Having|VBG|aux|2 played|VBN|advcl|7||play well|RB|advmod|2 ,|,|punct|7 {0} {1} {2} home|RB|advmod|7 .|.|punct|7"
    LEG, FORCED = "a|DT|det|6 leg|NN|nsubj|7", "forced|VBD|ROOT|0||force"
    LEE = "Lee|NNP|dobj|7|B-PERSON"

    def test_what_makes_somebody_act_did_not_do_it(self):
        assert rejections(self.TEXT.format(self.LEG, self.FORCED, self.LEE), CATAPHORA) == ["DANGLING_PARTICIPLE"]

    def test_nor_what_makes_him_do_something(self):
        text = self.TEXT.format(self.LEG, "made|VBD|ROOT|0||make", "him|PRP|nsubj|9 stay|VB|ccomp|7")
        assert rejections(text, CATAPHORA) == ["DANGLING_PARTICIPLE"]

    @pytest.mark.parametrize(
        ("who", "verb", "whom"),
        [
            ("the|DT|det|6 band|NN|nsubj|7", "carried|VBD|ROOT|0||carry", LEE),  # makes nobody act
            (LEG, FORCED, "stones|NNS|dobj|7||stone"),  # nobody
            ("Ada|NNP|nmod|6|B-PERSON Fox|NNP|nsubj|7|I-PERSON", FORCED, LEE),  # a person does act
        ],
    )
    def test_others_did(self, who, verb, whom):
        assert rejections(self.TEXT.format(who, verb, whom), CATAPHORA) == [None]
