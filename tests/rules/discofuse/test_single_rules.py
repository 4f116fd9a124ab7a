"""One class a rule: what it finds, what it leaves alone, and hard cases."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.coordination import sentence_coordination, verb_phrase_coordination
from gistmill.rules.discofuse.insertions import apposition, relative_clause
from gistmill.rules.discofuse.subordination import cataphora, forward_connective, inner_connective
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import outcome, parse


class TestRelativeClause:
    def test_the_match_is_found(self):
        match = relative_clause.find(parse(parses.KUBLER))
        assert (match.open, match.close, match.head, match.antecedent) == (1, 8, 3, 0)

    def test_needs_exactly_two_commas(self):
        assert relative_clause.find(parse(parses.WORKOUTS)) is None
        three = parses.KUBLER.replace("cycling|VBG|pcomp|5", ",|,|punct|4")
        assert relative_clause.find(parse(three)) is None

    def test_other_insertions_are_none(self):
        assert relative_clause.find(parse(parses.FRIGIDARIUM)) is None


class TestApposition:
    def test_the_match_is_found(self):
        match = apposition.find(parse(parses.JAZZ))
        assert (match.open, match.close, match.head, match.antecedent) == (5, 10, 9, 4)

    def test_taken_for_a_second_subject(self):
        match = apposition.find(parse(parses.JAZZ.replace("tradition|NN|appos|5", "tradition|NN|nsubj|12")))
        assert (match.open, match.close, match.head, match.antecedent) == (5, 10, 9, 4)

    def test_subject_behind_a_fronted_phrase_is_none(self):
        text = (
            "In|IN|prep|8 May|NNP|pobj|1 ,|,|punct|8 the|DT|det|6 old|JJ|amod|6 mill|NN|nsubj|8 ,|,|punct|8 "
            "closed|VBD|ROOT|0 for|IN|prep|8 good|NN|pobj|9 .|.|punct|8"
        )
        assert apposition.find(parse(text)) is None

    @pytest.mark.parametrize("label", ["conj|5", "npadvmod|12", "dep|12", "attr|12"])
    def test_whatever_the_parser_took_it_for(self, label):
        match = apposition.find(parse(parses.JAZZ.replace("appos|5", label)))
        assert (match.open, match.close, match.head, match.antecedent) == (5, 10, 9, 4)

    def test_clause_of_its_own_is_none(self):
        text = (
            "It|PRP|nsubj|2 lost|VBD|ROOT|0 May|NNP|dobj|2 ,|,|punct|2 the|DT|det|6 mill|NN|conj|3 closed|VBD|conj|2 "
            ",|,|punct|2 in|IN|prep|2 June|NNP|pobj|9 .|.|punct|2"
        )
        assert apposition.find(parse(text)) is None
        assert apposition.find(parse(text.replace("closed|VBD|conj|2", "closed|VBD|relcl|6"))) is not None

    def test_time_behind_a_fronted_phrase_is_none(self):
        text = (
            "In|IN|prep|9 1962|CD|pobj|1|B-DATE ,|,|punct|9 the|DT|det|5 year|NN|npadvmod|9|I-DATE before|RB|advmod|5 "
            ",|,|punct|9 it|PRP|nsubj|9 closed|VBD|ROOT|0 there|RB|advmod|9 .|.|punct|9"
        )
        assert apposition.find(parse(text)) is None
        assert apposition.find(parse(text.replace("I-DATE", ""))) is not None

    def test_behind_an_adverb_is_none(self):
        late = parses.JAZZ.replace("Competition|NNP|nsubj|12", "later|RB|advmod|12").replace("appos|5", "dep|12")
        assert apposition.find(parse(late)) is None

    def test_before_a_clause_that_is_joined_on_is_none(self):
        text = (
            "It|PRP|nsubj|2 has|VBZ|ROOT|0 Lions|NNPS|dobj|2 ,|,|punct|2 the|DT|det|6 bears|NNS|conj|3 ,|,|punct|2 "
            "and|CC|cc|2 it|PRP|nsubj|10 sells|VBZ|conj|2 them|PRP|dobj|10 .|.|punct|2"
        )
        assert apposition.find(parse(text)) is None
        assert apposition.find(parse(text.replace("it|PRP|nsubj|10 sells", "sells|VBZ|conj|2 it"))) is not None

    def test_needs_a_determiner(self):
        bare = parses.JAZZ.replace("a|DT|det|10", "old|JJ|amod|10")
        assert apposition.find(parse(bare)) is None

    def test_needs_exactly_two_commas(self):
        assert apposition.find(parse(parses.FLOODS)) is None

    def test_relative_clause_is_none(self):
        assert apposition.find(parse(parses.TARGET)) is None


class TestCataphora:
    def test_taken_for_a_second_subject(self):
        text = (
            "Assuming|VBG|csubj|6 the|DT|det|3 worst|NN|dobj|1 ,|,|punct|6 they|PRP|nsubj|6 compared|VBD|ROOT|0 "
            "the|DT|det|8 mills|NNS|dobj|6 .|.|punct|6"
        )
        match = cataphora.find(parse(text))
        assert (match.comma, match.subject) == (3, 4)
        # "Milling wheat failed , they said"
        said = (
            "Milling|VBG|csubj|3 wheat|NN|dobj|1 failed|VBD|ccomp|6 ,|,|punct|6 they|PRP|nsubj|6 said|VBD|ROOT|0 "
            "in|IN|prep|6 May|NNP|pobj|7 .|.|punct|6"
        )
        assert cataphora.find(parse(said)) is None

    def test_the_match_is_found(self):
        match = cataphora.find(parse(parses.WALKER))
        assert (match.comma, match.subject) == (11, 12)

    def test_prepositions_and_nouns_are_none(self):
        assert cataphora.find(parse(parses.FOLLOWING)) is None
        assert cataphora.find(parse(parses.EVENING)) is None

    def test_short_parts_are_rejected_by_length(self):
        assert outcome(parses.BEING, min_sentence_tokens=7)[3] == "TOO_SHORT"


class TestInnerConnective:
    def test_the_match_is_found(self):
        match = inner_connective.find(parse(parses.WORKOUTS))
        assert (match.start, match.end, match.comma, match.text) == (6, 7, False, "unless")

    def test_while_needs_a_comma(self):
        assert inner_connective.find(parse(parses.WHILE_TIME)) is None

    def test_because_of_is_none(self):
        assert inner_connective.find(parse(parses.RIDER_2)) is None

    def test_punctuation_behind_it_is_not_allowed(self):
        text = parses.WORKOUTS.replace("for|IN|prep|11", ",|,|punct|11")
        assert inner_connective.find(parse(text)) is None


class TestForwardConnective:
    def test_the_match_is_found(self):
        match = forward_connective.find(parse(parses.FRIENDSHIP))
        assert (match.end, match.comma, match.text) == (1, 7, "although")

    def test_comma_right_after_it_is_none(self):
        text = parses.FRIENDSHIP.replace("the|DT|det|3", ",|,|punct|3")
        assert forward_connective.find(parse(text)) is None

    def test_inside_the_sentence_it_is_none(self):
        assert forward_connective.find(parse(parses.WORKOUTS)) is None

    def test_comma_inside_the_clause_does_not_split(self):
        text = (
            "Although|IN|mark|3 she|PRP|nsubjpass|3 born|VBN|advcl|10 in|IN|prep|3 Bath|NNP|pobj|4 ,|,|punct|5 "
            "England|NNP|appos|5 "
            ",|,|punct|10 she|PRP|nsubj|10 lived|VBD|ROOT|0 abroad|RB|advmod|10 .|.|punct|10"
        )
        assert forward_connective.find(parse(text)).comma == 7


class TestSentenceCoordination:
    def test_the_match_is_found(self):
        match = sentence_coordination.find(parse(parses.DOUGLAS))
        assert (match.cc, match.verb, match.subject) == (10, 14, 12)

    def test_names_are_none(self):
        assert sentence_coordination.find(parse(parses.NAMES_AND)) is None

    def test_nouns_are_none(self):
        assert sentence_coordination.find(parse(parses.CONN_2)) is None


class TestVerbPhraseCoordination:
    def test_the_match_is_found(self):
        match = verb_phrase_coordination.find(parse(parses.SHARKS))
        assert (match.cc, match.verb) == (9, 10)

    def test_nouns_are_none(self):
        assert verb_phrase_coordination.find(parse(parses.NAMES_AND)) is None
