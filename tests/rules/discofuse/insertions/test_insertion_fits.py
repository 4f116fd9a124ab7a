"""What an apposition or a relative clause is about, where another noun, a list or another time may be meant."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse import pair_connective
from tests.rules.discofuse import parses_fits as p
from tests.rules.discofuse.helpers import accepted, changed, parse, rejections

RELATIVE, APPOSITION = "SINGLE_RELATIVE", "SINGLE_APPOSITION"


class TestQuotesBehindAClause:
    def test_a_noun_phrase_goes_on_with_its_last_noun(self):
        assert rejections(p.ONE_OF, RELATIVE) == ["CLAUSE_CUT"]

    def test_a_second_part_of_the_quotation_keeps_its_comma(self):
        assert accepted(p.BUT_QUOTE, RELATIVE)[0] == '" It is old , " said Ann Gray , " but it is good . "'


class TestEndOfAClause:
    def test_a_comma_that_closes_two_phrases_stays(self):
        assert accepted(p.BUILT_BY, APPOSITION)[0] == "The mill , built by Ada Lane , is closed ."

    def test_an_infinitive_is_not_part_of_a_noun_phrase(self):
        assert rejections(p.TO_EXPORT, APPOSITION) == ["WRONG_SCOPE"]
        assert (
            accepted(changed(p.TO_EXPORT, ("to|TO|", "to|IN|")), APPOSITION)[1]
            == "Export silk was a cloth of the east ."
        )
        assert (
            accepted(changed(p.TO_EXPORT, ("export|", "eastern|")), APPOSITION)[1]
            == "Eastern silk was a cloth of the east ."
        )


class TestListOfThree:
    @pytest.mark.parametrize("name", ["TOWN_AND", "LEEDS_AND", "MILL_HOME"])
    def test_of_one_thing(self, name):
        assert rejections(getattr(p, name), APPOSITION) == [None]


class TestDates:
    @pytest.mark.parametrize("name", ["TEXAS_2008", "TEXAS_AND"])
    def test_what_was_so_is_not_said_to_be(self, name):
        assert rejections(getattr(p, name), APPOSITION) == ["VERB_FORM"]

    def test_a_date_of_something_else(self):
        assert accepted(p.TEXAS_BUILT, APPOSITION)[1] == "Texas is a state founded in 1845 ."

    @pytest.mark.parametrize("place", ["Mexico|NNP|pobj|10|B-GPE", "May|NNP|pobj|10|B-DATE"])
    def test_without_a_year_the_present_is_kept(self, place):
        text = changed(p.TEXAS_2008, ("2008|CD|pobj|10|B-DATE", place))
        assert accepted(text, APPOSITION)[1] == f"Texas is a strong state in {place.split('|')[0]} ."


class TestPossessives:
    def test_of_nobody_in_the_sentence(self):
        assert rejections(p.ITS_RIVAL, APPOSITION) == ["UNRESOLVED_ANAPHOR"]
        her = changed(p.HIS_AIDE, ("his|PRP$", "its|PRP$"), ("Gray|NNP|nsubj|2", "Gray|NNP|nsubj|2|B-PERSON"))
        assert rejections(her, APPOSITION) == ["UNRESOLVED_ANAPHOR"]

    def test_of_a_pronoun_or_a_name_before(self):
        assert accepted(p.HIS_PLAY, APPOSITION)[1] == "Hamlet was his only play ."
        assert accepted(p.HIS_AIDE, APPOSITION)[1] == "Kate Lane was his main rival ."

    def test_many_may_be_named_one_by_one(self):
        text = changed(p.ITS_RIVAL, ("its|PRP$", "their|PRP$"))
        assert accepted(text, APPOSITION)[1] == "Firefox is their main rival ."


class TestPronounOfAnObject:
    def test_the_antecedent_takes_its_place(self):
        assert accepted(p.WHOM_ADMIRED, RELATIVE) == (
            "The old captain died in 1902 .",
            "All the sailors admired the old captain .",
        )


class TestSoCalled:
    def test_it_needs_its_reason(self):
        assert rejections(p.SO_CALLED, "SINGLE_CONN_INNER") == ["DANGLING"]

    @pytest.mark.parametrize("word", ["often|RB|advmod|5", "so|RB|advmod|2"])
    def test_without_so_it_does_not(self, word):
        text = changed(p.SO_CALLED, ("so|RB|advmod|5", word))
        assert rejections(text, "SINGLE_CONN_INNER") == [None]


class TestWhatIsSoWhere:
    def test_the_second_part_may_be_so_there_alone(self):
        assert rejections(p.TOWN_WHICH, "SINGLE_S_COORD") == ["WRONG_SCOPE"]
        where = changed(p.TOWN_WHICH, ("in|IN|prep|10 which|WDT|pobj|5", "now|RB|advmod|2 where|WRB|advmod|10"))
        assert rejections(where, "SINGLE_S_COORD") == ["WRONG_SCOPE"]

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("in|IN|prep|10 which|WDT|pobj|5", "from|IN|prep|4 which|WDT|dobj|10"),  # it tells which town
            ("are|VBP|auxpass|15||be", "were|VBD|auxpass|15||be"),  # another time
        ],
    )
    def test_it_is_its_own(self, old, new):
        assert rejections(changed(p.TOWN_WHICH, (old, new)), "SINGLE_S_COORD") == [None]

    def test_behind_a_comma_the_clause_is_a_remark(self):
        text = changed(
            p.TOWN_WHICH,
            ("town|NN|attr|2 in|IN|prep|10", "town|NN|attr|2 ,|,|punct|4"),
            ("which|WDT|pobj|5", "where|WRB|advmod|10"),
        )
        assert "WRONG_SCOPE" not in rejections(text, "SINGLE_S_COORD")


class TestOwnSubjectOfAParticiple:
    KIND = "SINGLE_CATAPHORA"

    def test_it_is_not_what_the_first_participle_acts_on(self):
        assert rejections(p.COPYING, self.KIND) == ["CLAUSE_CUT"]

    @pytest.mark.parametrize(
        "verb",
        ["were|VBD|advcl|1||be", "being|VBG|acl|1||be", "leaving|VBG|ccomp|1||leave"],
        ids=["finite", "acl", "ccomp"],
    )
    def test_other_clauses_are_of_the_phrase(self, verb):
        assert "CLAUSE_CUT" not in rejections(changed(p.COPYING, ("being|VBG|advcl|1||be", verb)), self.KIND)

    def test_nor_is_a_finite_one(self):
        papers, being = (
            ("old|JJ|amod|3", "papers|NNS|nsubj|4||paper"),
            ("papers|NNS|nsubj|4||paper being", "were|VBD|aux|4||be being"),
        )
        assert "CLAUSE_CUT" not in rejections(changed(p.COPYING, being, papers), self.KIND)


class TestSubjectThatIsAConnective:
    def test_it_is_none(self):
        assert pair_connective.find(parse(p.HOPED)) is None

    def test_a_marker_is_one(self):
        match = pair_connective.find(parse(changed(p.HOPED, ("This|DT|nsubj|8", "Then|RB|advmod|8"))))
        assert match is not None and match.text == "then ,"


class TestNameThatHangsOnNothing:
    @pytest.mark.parametrize(
        ("dep", "reason"), [("appos|5", None), ("intj|4", "WRONG_SCOPE"), ("dep|4", "WRONG_SCOPE")]
    )
    def test_it_has_no_apposition(self, dep, reason):
        text = changed(p.TEXAS_BUILT, ("attr|4", dep))
        assert (rejections(text, APPOSITION)[0] == "WRONG_SCOPE") == (reason is not None)
