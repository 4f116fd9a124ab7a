"""The tense of what an apposition says: what lasts is told in the present, and what may have ended is refused."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, changed, rejections

APPOSITION = "SINGLE_APPOSITION"
# "They reached Ulm , a NOUN of note ." with a date
REACHED = (
    "In|IN|prep|5 {year}|CD|pobj|1|B-DATE ,|,|punct|5 they|PRP|nsubj|5 reached|VBD|ROOT|0||reach "
    "{name}|NNP|dobj|5|B-ORG ,|,|punct|6 {article}|DT|det|10 {adjective}|JJ|amod|10 {noun}|NN|appos|6 {of}|IN|prep|10 "
    "{place}|pobj|11 .|.|punct|5"
)
USUAL = {"year": "1998", "name": "Ulm", "article": "a", "adjective": "small", "of": "of", "place": "note|NN"}


def reached(**words: str) -> str:
    return REACHED.format(**{**USUAL, **words})


def second(**words: str) -> str:
    return accepted(reached(**words), APPOSITION)[1]


class TestWhatLasts:
    @pytest.mark.parametrize("noun", ["river", "fault", "species", "disease", "road", "highway", "novel", "film"])
    def test_is_told_in_the_present(self, noun):
        assert second(noun=noun) == f"Ulm is a small {noun} of note ."

    @pytest.mark.parametrize("noun", ["river", "species", "novel", "film", "collection", "protocol"])
    def test_land_kinds_and_works_are_so_however_old_the_text(self, noun):
        assert second(noun=noun, year="1850") == f"Ulm is a small {noun} of note ."

    def test_a_town_lies_where_it_lay(self):
        located = {"noun": "town", "year": "1850", "of": "in", "place": "Swabia|NNP"}
        assert second(**located) == "Ulm is a small town in Swabia ."
        assert second(**{**located, "place": "decline|NN"}) == "Ulm was a small town in decline ."

    def test_a_work_that_never_came_out(self):
        assert second(noun="film", adjective="cancelled") == "Ulm was a cancelled film of note ."

    def test_a_match_is_not_a_work(self):
        assert second(noun="game", of="between", place="clubs|NNS") == "Ulm was a small game between clubs ."

    def test_a_noun_before_a_participle_that_was_taken_for_the_head(self):
        text = changed(reached(noun="passing"), ("small|JJ|amod", "road|NN|compound"), ("passing|NN", "passing|VBG"))
        assert accepted(text, APPOSITION)[1] == "Ulm is a road passing of note ."


class TestWhatMayHaveEnded:
    @pytest.mark.parametrize("noun", ["company", "newspaper", "museum", "bank", "laboratory", "prize"])
    def test_is_refused(self, noun):
        assert rejections(reached(noun=noun), APPOSITION) == ["VERB_FORM"]

    @pytest.mark.parametrize("noun", ["company", "museum", "town"])
    def test_was_so_long_ago(self, noun):
        assert second(noun=noun, year="1850") == f"Ulm was a small {noun} of note ."

    def test_early_years_are_long_ago(self):
        assert second(noun="company", year="58") == "Ulm was a small company of note ."
        days = changed(reached(noun="company", year="58"), (",|,|punct|5", "days|NNS|pobj|1|I-DATE|day"))
        assert rejections(days, APPOSITION) == ["VERB_FORM"]

    def test_a_road_of_old_may_still_be_one(self):
        assert rejections(reached(noun="road", year="1850"), APPOSITION) == ["VERB_FORM"]

    def test_a_firm_whose_end_is_told(self):
        text = changed(reached(noun="company"), ("reached|VBD|ROOT|0||reach", "closed|VBD|ROOT|0||close"))
        assert accepted(text, APPOSITION)[1] == "Ulm was a small company of note ."

    def test_one_of_a_clause_in_the_past(self):
        text = changed(
            reached(noun="company"), ("of|IN|prep|10", "that|WDT|nsubj|12"), ("note|NN|pobj|11", "left|VBD|relcl|10")
        )
        assert accepted(text, APPOSITION)[1] == "Ulm was a small company that left ."

    def test_news_of_the_day_tell_of_what_is(self):
        text = changed(reached(noun="company", year="Saturday"), ("Saturday|CD", "Saturday|NNP"))
        assert accepted(text, APPOSITION)[1] == "Ulm is a small company of note ."
        dated = changed(text, (",|,|punct|5", "5|CD|nummod|2|I-DATE"))
        assert rejections(dated, APPOSITION) == ["VERB_FORM"]


class TestReportsOfTheDay:
    TEXT = (
        "{day}|JJ|amod|2|B-DATE week|NN|npadvmod|4|I-DATE they|PRP|nsubj|4 said|VBD|ROOT|0||say she|PRP|nsubj|6 "
        "met|VBD|ccomp|4||meet Lee|NNP|dobj|6|B-PERSON ,|,|punct|7 her|PRP$|poss|10 daughter|NN|appos|7 .|.|punct|4"
    )

    def test_the_time_of_a_report_is_that_of_what_it_says(self):
        assert accepted(self.TEXT.format(day="Last"), APPOSITION)[1] == "Lee is her daughter ."
        assert accepted(self.TEXT.format(day="That"), APPOSITION)[1] == "Lee was her daughter ."
