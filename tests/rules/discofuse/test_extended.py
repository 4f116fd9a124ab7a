"""The extended conventions, one class a rule: what they find beyond the released ones, and what is rejected for being
wrong. Each rejected parse stands for a class of fault found by reading."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parses
from tests.rules.discofuse import parses_extended as p
from tests.rules.discofuse.helpers import accepted, candidates, found, outcome, rejections
from tests.testing import mention


class TestRelativeClause:
    KIND = "SINGLE_RELATIVE"

    def test_at_the_end_of_the_sentence(self):
        assert accepted(p.FINAL_RELATIVE, self.KIND) == (
            "He was succeeded by Samuel Lincoln .",
            "Samuel Lincoln migrated from Norfolk to Hingham in 1638 .",
        )
        assert candidates(p.FINAL_RELATIVE, conventions="released") == ()

    def test_beside_other_commas(self):
        assert accepted(p.FOUR_COMMAS, self.KIND) == (
            "On November 9 , 2011 , Jefferson County declared bankruptcy .",
            "Jefferson County was deep in debt at the time .",
        )
        assert candidates(p.FOUR_COMMAS, conventions="released") == ()

    def test_a_phrase_that_opens_the_clause_comes_first(self):
        assert accepted(p.AT_THAT_TIME, self.KIND)[1] == "At that time Kisshomaru Ueshiba headed the foundation ."

    def test_second_mention_is_definite(self):
        assert accepted(p.AIR_WING, self.KIND)[1] == "The air wing will carry the supplies to the camp ."
        assert accepted(p.FIVE, self.KIND)[1] == "The five sections end in a loose format ."

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("TREATISE", "AMBIGUOUS"),  # the treatise or the language?
            ("ENACTED", "AMBIGUOUS"),  # the grant or the council?
            ("WHICH_MAKES", "CLAUSAL_ANTECEDENT"),
            ("WHICH_DO", "CLAUSAL_ANTECEDENT"),
            ("SECOND_PREDICATE", "CLAUSE_CUT"),
        ],
    )
    def test_rejected(self, name, reason):
        assert rejections(getattr(p, name), self.KIND) == [reason]

    def test_who_needs_a_person(self):
        town = p.FINAL_RELATIVE.replace("Lincoln|NNP|pobj|4|I-PERSON", "Lincoln|NNP|pobj|4|I-GPE")
        assert town != p.FINAL_RELATIVE
        assert rejections(town, self.KIND) == ["WRONG_SCOPE"]

    def test_a_restrictive_clause_is_left_alone(self):
        # no comma opens it
        assert rejections(p.THAT_CAN, self.KIND) == []


class TestApposition:
    KIND = "SINGLE_APPOSITION"

    def test_a_list_of_things_with_the_is_none(self):
        text = (
            "Power|NN|nsubj|2 rests|VBZ|ROOT|0 with|IN|prep|2 the|DT|det|5 {}|NN|pobj|3{} ,|,|punct|5 the|DT|det|8 "
            "{}|NN|appos|5 and|CC|cc|8 {}|NN|conj|8 of|IN|prep|8 it|PRP|pobj|11 .|.|punct|2"
        )
        assert rejections(text.format("president", "", "government", "parliament"), self.KIND) == ["LIST"]
        person = text.format("Smith", "|B-PERSON", "owner", "editor").replace("the|DT|det|5", "old|JJ|amod|5")
        assert rejections(person, self.KIND) == [None]

    def test_at_the_end_of_the_sentence(self):
        assert accepted(p.FINAL_APPOSITION, self.KIND)[1] == "Houari Boumediene was his former ally and minister ."

    def test_beside_other_commas(self):
        assert accepted(p.BESIDE_COMMAS, self.KIND) == (
            "On 22 March 2002 , Jonas Savimbi was killed in combat .",
            "Jonas Savimbi was the leader of the party .",
        )

    def test_tense_is_that_of_its_own_clause(self):
        assert accepted(p.OWN_TENSE, self.KIND)[1] == "Agamemnon was the commander of the forces ."

    @pytest.mark.parametrize(
        ("name", "reason"), [("SYRIA", "LIST"), ("BIRDS", "WRONG_SCOPE"), ("CHARACTERS", "WRONG_SCOPE")]
    )
    def test_rejected(self, name, reason):
        assert rejections(getattr(p, name), self.KIND) == [reason]


class TestCataphora:
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("DEATHS", "DANGLING_PARTICIPLE"),  # deaths do not think
            ("INTERSECTING", "DANGLING_PARTICIPLE"),
            ("CHECKERS", "LIST"),
        ],
    )
    def test_rejected(self, name, reason):
        assert rejections(getattr(p, name), "SINGLE_CATAPHORA") == [reason]

    def test_worked_example_stands(self):
        assert rejections(parses.WALKER, "SINGLE_CATAPHORA") == [None]


class TestInnerConnective:
    def test_clause_with_commas_is_kept_whole(self):
        assert accepted(p.WHOLE_CLAUSE, "SINGLE_CONN_INNER") == (
            "Congress abandoned the city .",
            "The soldiers , the militia and the sailors had left .",
        )
        assert candidates(p.WHOLE_CLAUSE, conventions="released") == ()

    @pytest.mark.parametrize("word", ["partly", "purely"])
    def test_adverb_of_the_connective_is_not_left_behind(self, word):
        text = parses.ONLY_BECAUSE.replace("only|RB", f"{word}|RB")
        assert rejections(text, "SINGLE_CONN_INNER") == ["DANGLING"]


class TestForwardConnective:
    def test_since_a_date_opens_no_clause(self):
        assert rejections(p.SINCE_1945, "SINGLE_CONN_START") == ["NO_VERB"]

    def test_nor_does_since_before_a_noun_with_its_article(self):
        text = (
            "Since|IN|prep|6 the|DT|det|3|B-DATE war|NN|pobj|1|I-DATE ,|,|punct|6 Lee|NNP|nsubj|6 ran|VBD|advcl|11||run "
            "it|PRP|dobj|6 ,|,|punct|11 now|RB|advmod|11 it|PRP|nsubj|11 is|VBZ|ROOT|0||be low|JJ|acomp|11 .|.|punct|11"
        )
        assert rejections(text, "SINGLE_CONN_START") == ["NO_VERB"]


class TestSentenceCoordination:
    KIND = "SINGLE_S_COORD"

    def test_every_conjunction(self):
        assert [f[1:3] for f in found(p.TWO_COORDS)] == [
            ("The wind rose quickly .", "The rain fell hard , but the boats returned to the harbour ."),
            ("The wind rose quickly and the rain fell hard .", "The boats returned to the harbour ."),
        ]
        assert len(candidates(p.TWO_COORDS, conventions="released")) == 1

    def test_a_phrase_before_the_copied_subject(self):
        assert accepted(p.COPULA_FRONTED, self.KIND)[1] == "By four months they are independent ."

    def test_a_conjunction_of_phrases_before_the_clause(self):
        assert [f[1] for f in found(p.EARLIER) if f[3] is None] == ["The ships were built in the 1980s or earlier ."]
        assert rejections(p.EARLIER, self.KIND)[0] == "WRONG_SCOPE"

    def test_clauses_in_a_list(self):
        assert rejections(p.CLAUSES, self.KIND) == ["LIST"]

    def test_a_relative_pronoun_is_not_a_subject(self):
        assert rejections(p.THAT_CAN, self.KIND) == ["NO_SUBJECT"]

    @pytest.mark.parametrize("word", ["either", "whether"])
    def test_correlative_is_not_left_behind(self, word):
        text = p.CLAUSES.replace("could|MD|aux|4", f"{word}|RB|advmod|4", 1)
        assert rejections(text, self.KIND) != [None]

    def test_a_copied_subject_is_not_named_twice(self):
        # "The house was ... , and is now the museum of its town": "its" is the copied subject
        text = parses.COPULA.replace("the|DT|det|17 town", "its|PRP$|poss|17 town")
        clusters = [[mention(0, 0, 2, "name"), mention(0, 15, 16, "pronoun", confidence=0.9)]]
        made = candidates(text, clusters=clusters, conventions="extended")
        assert [(c.discourse_type.name, c.has_coref_type_pronoun) for c in made] == [(self.KIND, False)]


class TestVerbPhraseCoordination:
    KIND = "SINGLE_VP_COORD"

    def test_a_copula_lends_its_form(self):
        assert accepted(p.NOT_ALLOWED, self.KIND)[1] == "His son was not allowed to leave the city ."

    def test_a_base_form_that_cannot_follow_the_auxiliary_is_a_present_tense(self):
        assert accepted(p.SEND, self.KIND)[1] == "Receptor cells send messages along networks ."

    def test_a_past_tense_with_an_object_behind_a_passive(self):
        assert accepted(p.SERVED, self.KIND)[1] == "He served two terms in office ."
        # the same, if the tagger took it for a participle
        tagged = p.SERVED.replace("served|VBD", "served|VBN")
        assert "He was served" not in str([f for f in found(tagged) if f[3] is None])

    def test_what_may_be_one_more_participle_is_rejected(self):
        assert rejections(p.HANDED, self.KIND) == ["SHARED_PART"]

    def test_number(self):
        assert rejections(p.BADLANDS, self.KIND) == ["NUMBER"]

    def test_second_mention_of_the_subject_is_definite_in_the_past(self):
        assert accepted(p.SERVED.replace("He|PRP", "Man|NN"), self.KIND)[1].startswith("Man served")
        text = (
            "A|DT|det|2 man|NN|nsubj|3 came|VBD|ROOT|0 home|RB|advmod|3 and|CC|cc|3 left|VBD|conj|3 it|PRP|dobj|6 "
            ".|.|punct|3"
        )
        assert accepted(text, self.KIND)[1] == "The man left it ."


class TestAnaphora:
    LOW = "Low|NNP|nsubj|2|B-PERSON wrote|VBD|ROOT|0 a|DT|det|4 letter|NN|dobj|2 .|.|punct|2"

    def test_title_of_somebody_else_stays(self):
        clusters = [[mention(0, 0, 1, "name"), mention(1, 5, 7, "nominal", confidence=0.9)]]
        assert outcome(self.LOW, p.STEADMAN, clusters=clusters, conventions="extended")[0] == "PAIR_NONE"

    def test_possessive_that_its_own_subject_binds_stays(self):
        frogs = "Most|JJS|amod|2 frogs|NNS|nsubj|3 need|VBP|ROOT|0 water|NN|dobj|3 .|.|punct|3"
        clusters = [[mention(0, 0, 2, "nominal", head=1), mention(1, 2, 3, "pronoun", confidence=0.9)]]
        assert outcome(frogs, p.SOME_LAY, clusters=clusters, conventions="extended")[0] == "PAIR_NONE"

    def test_a_country_is_not_its_president(self):
        first = (
            "He|PRP|nsubj|2 met|VBD|ROOT|0 the|DT|det|4 prince|NN|dobj|2 of|IN|prep|4 Andorra|NNP|pobj|5 .|.|punct|2"
        )
        second = "He|PRP|nsubj|2 left|VBD|ROOT|0 the|DT|det|4 town|NN|dobj|2 early|RB|advmod|2 .|.|punct|2"
        clusters = [[mention(0, 5, 6, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters, conventions="extended")[0] == "PAIR_NONE"

    def test_what_stands_before_the_noun_comes_along(self):
        first = "The|DT|det|3 old|JJ|amod|3 mill|NN|nsubj|4 burned|VBD|ROOT|0 down|RP|prt|4 .|.|punct|4"
        second = "It|PRP|nsubjpass|3 was|VBD|auxpass|3 rebuilt|VBN|ROOT|0 soon|RB|advmod|3 .|.|punct|3"
        clusters = [[mention(0, 2, 3, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters, conventions="extended")[2] == "The old mill was rebuilt soon ."

    def test_a_person_is_not_the_expedition_named_after_him(self):
        first = (
            "They|PRP|nsubj|2 met|VBD|ROOT|0 the|DT|det|5 Sullivan|NNP|compound|5|B-ORG Expedition|NNP|dobj|2|I-ORG "
            ".|.|punct|2"
        )
        second = "Sullivan|NNP|nsubj|2|B-PERSON burned|VBD|ROOT|0 the|DT|det|4 towns|NNS|dobj|2 .|.|punct|2"
        clusters = [[mention(0, 3, 5, "name"), mention(1, 0, 1, "name", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters, conventions="extended")[0] == "PAIR_NONE"

    def test_the_subject_of_the_clause_around_outranks(self):
        first = (
            "Rodriguez|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 that|IN|mark|6 Jones|NNP|nsubj|6|B-PERSON would|MD|aux|6 "
            "stay|VB|ccomp|2 .|.|punct|2"
        )
        second = "He|PRP|nsubj|2 left|VBD|ROOT|0 the|DT|det|4 town|NN|dobj|2 early|RB|advmod|2 .|.|punct|2"
        for confidence, kind in ((0.9, "PAIR_NONE"), (0.97, "PAIR_ANAPHORA")):
            clusters = [[mention(0, 3, 4, "name"), mention(1, 0, 1, "pronoun", confidence=confidence)]]
            assert outcome(first, second, clusters=clusters, conventions="extended")[0] == kind

    def test_it_that_holds_the_place_of_a_clause(self):
        second = (
            "It|PRP|nsubjpass|3 is|VBZ|auxpass|3 said|VBN|ROOT|0 that|IN|mark|7 the|DT|det|6 town|NN|nsubj|7 "
            "fell|VBD|ccomp|3 .|.|punct|3"
        )
        first = "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 down|RP|prt|3 .|.|punct|3"
        clusters = [[mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters, conventions="extended")[0] == "PAIR_NONE"


def test_an_adverb_before_a_noun_phrase_is_not_copied():
    text = p.FINAL_RELATIVE.replace("Samuel|NNP|compound", "most|RBS|advmod|6 famously|RB|advmod|8 Samuel|NNP|compound")
    items = text.split()
    place = next(i for i, item in enumerate(items) if item.startswith("most|"))
    moved = []
    for i, item in enumerate(items):
        word, tag, dep, head, *more = item.split("|")
        if not place <= i <= place + 1 and int(head) > place:
            head = str(int(head) + 2)  # the heads behind the two new words
        moved.append("|".join((word, tag, dep, head, *more)))
    assert accepted(" ".join(moved), "SINGLE_RELATIVE")[1].startswith("Samuel Lincoln migrated")
