"""Noun phrases before a relative clause that the clause is not about."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.insertions.relative_nouns import problem_of_noun
from tests.rules.discofuse.helpers import parse, rejections

READ = "They|PRP|nsubj|2 {verb} {phrase} ,|,|punct|{noun} {pronoun}|nsubj|{at} fell|VBD|relcl|{noun}||fall .|.|punct|2"


def reason(phrase: str, noun: int, *, pronoun: str = "which|WDT", verb: str = "saw|VBD|ROOT|0||see") -> str | None:
    """The name of the reason against a clause about the word that is ``noun`` in "They saw ... , which fell"."""
    at = 2 + len(phrase.split())
    text = READ.format(verb=verb, phrase=phrase, noun=noun, pronoun=pronoun, at=at + 3)
    found = problem_of_noun(parse(text), noun - 1, at + 2, at)
    return found.name if found else None


class TestAmounts:
    OF_SAND = "{}|DT|det|4 {}|NN|dobj|2 of|IN|prep|4 sand|NN|pobj|5"

    @pytest.mark.parametrize(
        ("article", "noun", "expected"),
        [
            ("a", "lot", "WRONG_SCOPE"),
            ("a", "bit", "WRONG_SCOPE"),
            ("the", "lot", None),
            ("a", "heap", None),
        ],
    )
    def test_a_mere_amount_does_not_come_back(self, article, noun, expected):
        assert reason(self.OF_SAND.format(article, noun), 4) == expected

    MEASURED = "a|DT|det|4 {}|NN|dobj|2 {}|IN|prep|4 {} men|NNS|pobj|5||man"
    SEVENTY = "70|CD|nummod|7|B-CARDINAL"

    @pytest.mark.parametrize(
        ("noun", "of", "number", "expected"),
        [
            ("capacity", "of", SEVENTY, "AMBIGUOUS"),
            ("capacity", "for", SEVENTY, None),
            ("capacity", "of", "old|JJ|amod|7", None),
            ("crew", "of", SEVENTY, None),
        ],
    )
    def test_what_a_measure_counts_is_nobody_in_particular(self, noun, of, number, expected):
        assert reason(self.MEASURED.format(noun, of, number), 7, pronoun="who|WP") == expected


class TestQualities:
    RELIEF = """
    It|PRP|nsubj|2 has|VBZ|ROOT|0||have {low} relief|NN|dobj|2 ,|,|punct|4 which|WDT|nsubj|7 is|VBZ|relcl|4||be
    a|DT|det|9 {measure}|NN|attr|7 .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("low", "measure", "expected"),
        [
            ("low|JJ|amod|4", "measure", "AMBIGUOUS"),
            ("low|JJ|amod|4", "shape", None),
            ("the|DT|det|4", "measure", None),
            ("wall|NN|compound|4", "measure", None),
        ],
    )
    def test_what_a_quality_is_is_not_said_of_its_degree(self, low, measure, expected):
        found = problem_of_noun(parse(self.RELIEF.format(low=low, measure=measure)), 3, 6, 4)
        assert (found.name if found else None) == expected


class TestRespects:
    @pytest.mark.parametrize(
        ("place", "expected"),
        [
            ("in|IN|prep|2 size|NN|pobj|3", "CLAUSAL_ANTECEDENT"),
            ("in|IN|prep|2 sand|NN|pobj|3", None),
            ("by|IN|prep|2 size|NN|pobj|3", None),
        ],
    )
    def test_that_in_which_things_differ_is_not_meant(self, place, expected):
        assert reason(place, 4, verb="varied|VBD|ROOT|0||vary") == expected

    def test_a_certain_size_may_be(self):
        assert reason("in|IN|prep|2 the|DT|det|5 size|NN|pobj|3", 5) is None

    def test_who_is_not_a_size(self):
        assert reason("in|IN|prep|2 size|NN|pobj|3", 4, pronoun="who|WP") is None

    WERE = "were|VBD|ROOT|0||be"

    @pytest.mark.parametrize(
        ("phrase", "noun", "expected"),
        [
            ("Catholic|NNP|attr|2|B-NORP", 3, "CLAUSAL_ANTECEDENT"),
            ("Catholics|NNPS|attr|2|B-NORP", 3, None),
            ("Leeds|NNP|attr|2|B-ORG", 3, None),
            ("a|DT|det|4 Catholic|NNP|attr|2|B-NORP", 4, None),
            ("Catholic|NNP|dobj|2|B-NORP", 3, None),
        ],
    )
    def test_an_adjective_of_a_faith_or_people_names_nothing(self, phrase, noun, expected):
        assert reason(phrase, noun, verb=self.WERE) == expected


class TestPredicates:
    POET = "{}|DT|det|4 poet|NN|{}|2 ,|,|punct|4 {} and|CC|cc|4 teacher|{}|conj|4"

    def made(self, article="a", label="attr", between="critic|NN|conj|4", tag="NN"):
        phrase = self.POET.format(article, label, between, tag)
        return reason(phrase, 8, pronoun="who|WP", verb="was|VBD|ROOT|0||be")

    def test_the_last_of_several_is_not_meant_alone(self):
        assert self.made() == "AMBIGUOUS"

    @pytest.mark.parametrize("changed", [{"article": "the"}, {"label": "dobj"}, {"tag": "NNP"}])
    def test_another_may_be(self, changed):
        assert self.made(**changed) is None

    def test_one_with_an_article_is_another(self):
        phrase = "a|DT|det|4 poet|NN|attr|2 and|CC|cc|4 a|DT|det|7 mill|NN|conj|4"
        assert reason(phrase, 7, verb="was|VBD|ROOT|0||be") is None
        assert reason(phrase.replace("a|DT|det|7", "old|JJ|amod|7"), 7, verb="was|VBD|ROOT|0||be") == "AMBIGUOUS"


class TestSingledOut:
    PEOPLE = "people|NNS|dobj|2 {mark} {adverb}|RB|advmod|6 {noun} "

    @pytest.mark.parametrize(
        ("mark", "adverb", "noun", "expected"),
        [
            (",|,|punct|3", "mainly", "men|NNS|appos|3", "AMBIGUOUS"),
            (",|,|punct|3", "usually", "men|NNS|appos|3", "AMBIGUOUS"),
            (",|,|punct|3", "once", "men|NNS|appos|3", None),
            (",|,|punct|3", "mainly", "Bea|NNP|appos|3|B-PERSON", None),
            ("and|CC|cc|3", "mainly", "men|NNS|conj|3", None),
        ],
    )
    def test_most_of_those_before_the_comma(self, mark, adverb, noun, expected):
        assert reason(self.PEOPLE.format(mark=mark, adverb=adverb, noun=noun), 6, pronoun="who|WP") == expected


class TestOwners:
    OWNED = "{} 's|POS|case|3 {}|NN|dobj|2"

    @pytest.mark.parametrize(
        ("owner", "noun", "expected"),
        [
            ("Ada|NNP|poss|5|B-PERSON", "return", "AMBIGUOUS"),
            ("clerk|NN|poss|5", "return", "AMBIGUOUS"),
            ("Leeds|NNP|poss|5|B-GPE", "return", None),
            ("mill|NN|poss|5", "return", None),
            ("Ada|NNP|poss|5|B-PERSON", "sister", None),
        ],
    )
    def test_whose_may_be_a_person_s(self, owner, noun, expected):
        assert reason(self.OWNED.format(owner, noun), 5, pronoun="whose|WP$") == expected

    def test_which_is_not(self):
        assert reason(self.OWNED.format("Ada|NNP|poss|5|B-PERSON", "return"), 5) is None

    WHOM = (
        "They|PRP|nsubj|2 met|VBD|ROOT|0||meet Fox|NNP|dobj|2|B-PERSON and|CC|cc|3 Lee|NNP|conj|3|B-PERSON ,|,|punct|5 "
        "whom|WP|dobj|9 {}|{}|nsubj|9 called|VBD|relcl|5||call .|.|punct|2"
    )

    @pytest.mark.parametrize(
        ("subject", "tag", "expected"),
        [("Fox", "NNP", "WRONG_SCOPE"), ("Lee", "NNP", "WRONG_SCOPE"), ("Bea", "NNP", None), ("they", "PRP", None)],
    )
    def test_nobody_calls_himself(self, subject, tag, expected):
        found = problem_of_noun(parse(self.WHOM.format(subject, tag)), 4, 8, 5)
        assert (found.name if found else None) == expected


class TestTitles:
    BEAST = "{}|NNP|dobj|2|{} and|CC|cc|3 {} Beast|NNP|conj|3|{}"

    @pytest.mark.parametrize(
        ("first", "kind", "article", "last", "expected"),
        [
            ("Beauty", "B-ORG", "the|DT|det|6", "I-ORG", "AMBIGUOUS"),
            ("Leeds", "B-GPE", "the|DT|det|6", "B-ORG", None),
            ("Beauty", "B-ORG", "the|DT|det|6", "B-LOC", None),
            ("Beauty", "B-ORG", "old|JJ|amod|6", "I-ORG", None),
        ],
    )
    def test_and_the_may_join_the_words_of_one(self, first, kind, article, last, expected):
        assert reason(self.BEAST.format(first, kind, article, last), 6) == expected

    def test_a_noun_is_not_a_name(self):
        assert reason("beauty|NN|dobj|2 and|CC|cc|3 the|DT|det|6 Beast|NNP|conj|3", 6) is None

    def test_who_is_not_a_title(self):
        assert reason(self.BEAST.format("Ada", "B-PERSON", "the|DT|det|6", "I-ORG"), 6, pronoun="who|WP") is None


class TestTail:
    MET = (
        "They|PRP|nsubj|2 met|VBD|ROOT|0||meet Lee|NNP|dobj|2|B-PERSON ,|,|punct|3 who|WP|nsubj|6 "
        "paid|VBD|relcl|3||pay ,|,|punct|3 {tail} .|.|punct|2"
    )

    @pytest.mark.parametrize(
        ("tail", "reasons"),
        [
            ("albeit|IN|advmod|9 reluctantly|RB|advmod|2", ["CLAUSE_CUT"]),
            ("sometimes|RB|advmod|9 badly|RB|advmod|2", ["CLAUSE_CUT"]),
            ("then|RB|advmod|9 again|RB|advmod|2", [None]),
            ("reluctantly|RB|advmod|2", [None]),
            ("almost|RB|advmod|9 daily|JJ|advmod|2", [None]),
        ],
    )
    def test_adverbs_of_manner_behind_it_are_its_own(self, tail, reasons):
        assert rejections(self.MET.format(tail=tail), "SINGLE_RELATIVE") == reasons
