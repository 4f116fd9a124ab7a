"""Relative clauses and appositions: what they are about, where they end, and what is put in their place."""

from __future__ import annotations

import pytest

from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse.nouns.referent_kinds import agree, kinds_at, may_agree
from gistmill.rules.discofuse.parse import Parse, with_main_verb
from tests.rules.discofuse import parses_insertions as p
from tests.rules.discofuse.helpers import accepted, parse, rejections
from tests.testing import parsed

RELATIVE, APPOSITION = "SINGLE_RELATIVE", "SINGLE_APPOSITION"


def test_second_part_of_a_title_is_not_a_book():
    text = (
        "She|PRP|nsubj|2 published|VBD|ROOT|0||publish Big|NNP|compound|4|B-WORK_OF_ART Magic|NNP|dobj|2|I-WORK_OF_ART "
        "{}|:|punct|4 Creative|NNP|compound|7|B-WORK_OF_ART Living|NNP|appos|4|I-WORK_OF_ART ,|,|punct|7 a|DT|det|11 "
        "long|JJ|amod|11 book|NN|appos|7 on|IN|prep|11 art|NN|pobj|12 .|.|punct|2"
    )
    assert rejections(text.format(":"), APPOSITION) == ["WRONG_SCOPE"]


def test_names_of_others_are_not_an_apposition():
    text = (
        "We|PRP|nsubj|2 saw|VBD|ROOT|0||see Ada|NNP|dobj|2|B-PERSON ,|,|punct|3 the|DT|det|6 climber|NN|appos|3 "
        "Leo|NNP|nmod|9|B-PERSON {}|CC|cc|7 Kim|NNP|appos|6|{} .|.|punct|2"
    )
    assert "LIST" in rejections(text.format("and", "B-PERSON"), APPOSITION)
    assert "LIST" not in rejections(text.format("and", "B-ORG"), APPOSITION)


@pytest.mark.parametrize(
    ("word", "reason"),
    [("whether|IN|mark|4", "WRONG_SCOPE"), ("that|IN|mark|4", "WRONG_SCOPE"), ("old|JJ|amod|4", None)],
)
def test_the_word_that_opens_a_clause_is_not_part_of_a_phrase(word, reason):
    text = (
        f"We|PRP|nsubj|2 met|VBD|ROOT|0||meet {word} Lee|NNP|dobj|2|B-PERSON ,|,|punct|4 a|DT|det|7 judge|NN|appos|4 "
        "of|IN|prep|7 the|DT|det|10 court|NN|pobj|8 .|.|punct|2"
    )
    assert rejections(text, APPOSITION) == [reason]


class TestWhichForAClause:
    @pytest.mark.parametrize(
        "name",
        [
            "UPSET",  # a feeling about what was done
            "OCCUPIED",  # a place leads to nothing
            "MISTAKE",  # a deed is one
            "SHARE",  # how many hold it, not what they hold
            "WHY",
            "ILLEGAL",
            "REGRETTED",  # the object of a feeling
            "FOLLOWED",
            "BRIDGES",  # no number shows whether the bridges or the building
        ],
    )
    def test_refused(self, name):
        assert rejections(getattr(p, name), RELATIVE) == ["CLAUSAL_ANTECEDENT"]

    @pytest.mark.parametrize(
        ("name", "second"),
        [
            ("HARBOUR", "The old factory stood near the harbour ."),
            ("LISBON", "Lisbon was the capital of the empire ."),
            ("VAULT", "The ivory is kept in a vault ."),
            ("PRINTED", "The editor later printed the letter ."),
            ("KNEW_AS", "The Romans knew the lake as Palus ."),  # a name for it, no fact
            ("CULMINATE", "The five parts culminate in a dance ."),  # a plural verb has no clause for its subject
            ("BERGEN", "Bergen became a famous port in the north ."),
            ("EDITION", "The Post won a prize for a long report ."),  # a newspaper can do so itself
        ],
    )
    def test_means_the_noun(self, name, second):
        assert accepted(getattr(p, name), RELATIVE)[1] == second

    def test_a_subject_is_meant_whatever_the_verb(self):
        text = (
            "The|DT|det|2 law|NN|nsubj|8 ,|,|punct|2 which|WDT|nsubj|5 upset|VBD|relcl|2||upset many|JJ|dobj|5 "
            ",|,|punct|2 passed|VBD|ROOT|0||pass in|IN|prep|8 May|NNP|pobj|9|B-DATE|May .|.|punct|8"
        )
        assert accepted(text, RELATIVE) == ("The law passed in May .", "The law upset many .")


class TestAntecedentOfARelativeClause:
    @pytest.mark.parametrize("name", ["STRIP", "ATOM"])
    def test_two_nouns_may_be_meant(self, name):
        assert rejections(getattr(p, name), RELATIVE) == ["AMBIGUOUS"]

    @pytest.mark.parametrize("name", ["SUCH_AS", "SINGER", "OTHER"])
    def test_what_is_not_a_second_mention_is_refused(self, name):
        assert rejections(getattr(p, name), RELATIVE) == ["WRONG_SCOPE"]

    @pytest.mark.parametrize("name", ["BILL", "VERTIGO", "SKULL"])
    def test_what_has_no_place_in_the_clause_is_refused(self, name):
        # a possessive behind a clause; a name that was taken for the subject; the object of "believe" in "to be"
        assert rejections(getattr(p, name), RELATIVE) == ["WRONG_SCOPE"]

    def test_what_he_says_in_between_is_refused(self):
        text = (
            "We|PRP|nsubj|2 met|VBD|ROOT|0||meet Eva|NNP|dobj|2|B-PERSON|Eva ,|,|punct|3 whose|WP$|poss|6 "
            "rights|NNS|nsubjpass|11||right he|PRP|nsubj|8 says|VBZ|relcl|6||say have|VBP|aux|11 been|VBN|auxpass|11||be "
            "taken|VBN|relcl|3||take .|.|punct|2"
        )
        assert rejections(text, RELATIVE) == ["WRONG_SCOPE"]

    def test_a_name_takes_the_possessive_with_its_phrase(self):
        assert accepted(p.OXFORD, RELATIVE)[1] == "The University of Oxford 's library holds the letters ."

    def test_the_object_of_believe_keeps_its_predicate(self):
        assert accepted(p.DEAD, RELATIVE)[1] == "She had believed Mary Lane 's son dead ."

    def test_a_second_relative_pronoun_is_not_copied(self):
        text = p.DEAD.replace("dead|JJ|oprd|10", "whose|WP$|oprd|10")
        assert rejections(text, RELATIVE) == ["WRONG_SCOPE"]

    def test_an_adverb_between_auxiliary_and_verb_stays_there(self):
        assert accepted(p.IN_TURN, RELATIVE)[1] == "Carla Lind was in turn replaced by Ruth Berg ."

    def test_a_long_phrase_before_the_subject_ends_in_a_comma(self):
        assert accepted(p.SUMMER, RELATIVE)[1] == "After the birth of her daughter , Dawn Lane left for Spain ."


class TestEndOfARelativeClause:
    @pytest.mark.parametrize("name", ["UNION", "STAGE", "RYDER", "GRASS"])
    def test_the_rest_may_belong_to_the_clause(self, name):
        assert rejections(getattr(p, name), RELATIVE) == ["CLAUSE_CUT"]

    def test_a_clause_inside_a_frame_of_two_is_refused(self):
        assert rejections(p.BETWEEN, RELATIVE) == ["LIST"]


class TestAntecedentOfAnApposition:
    def test_the_noun_of_its_kind_is_meant(self):
        assert accepted(p.PAUL, APPOSITION)[1] == "Paul was a Frenchman ."
        assert accepted(p.PAUL.replace("appos|6", "appos|4"), APPOSITION)[1] == "Paul was a Frenchman ."

    @pytest.mark.parametrize("name", ["CLOAK", "ROLE"])
    def test_what_a_clause_is_is_refused(self, name):
        assert rejections(getattr(p, name), APPOSITION) == ["CLAUSAL_ANTECEDENT"]

    def test_a_day_is_not_a_place(self):
        assert rejections(p.STORK.replace("npadvmod|3", "appos|5"), APPOSITION) == ["CLAUSAL_ANTECEDENT"]

    @pytest.mark.parametrize("name", ["MINISTER", "FOREST", "PRIME", "OIL"])
    def test_no_second_mention_or_no_such_thing_is_refused(self, name):
        assert rejections(getattr(p, name), APPOSITION) == ["WRONG_SCOPE"]

    def test_a_noun_inside_the_phrase_may_be_meant(self):
        son = p.PELEUS.replace("king|NN|appos|6", "king|NN|appos|4").replace(
            "Peleus|NNP|conj|6||", "Peleus|NNP|conj|6|B-PERSON|"
        )
        assert rejections(son, APPOSITION) == ["AMBIGUOUS"]

    def test_a_person_is_not_an_act_whatever_the_name_was_taken_for(self):
        text = (
            "She|PRP|nsubj|2 praised|VBD|ROOT|0||praise the|DT|det|4 offer|NN|dobj|2 of|IN|prep|4 "
            "Karzai|NNP|pobj|5|B-ORG|Karzai ,|,|punct|4 a|DT|det|9 leader|NN|appos|4 .|.|punct|2"
        )
        assert accepted(text.replace("appos|4", "appos|6"), APPOSITION)[1] == "Karzai was a leader ."
        assert accepted(text, APPOSITION)[1] == "Karzai was a leader ."

    def test_the_fact_is_not_a_thing(self):
        text = p.TOWER.replace("novel|NN", "fact|NN")
        assert rejections(text, APPOSITION) == ["CLAUSAL_ANTECEDENT"]

    def test_a_person_is_not_a_place_or_book(self):
        assert rejections(p.OWNER, APPOSITION) == ["WRONG_SCOPE"]

    def test_examples_in_a_list_are_not_one_another(self):
        text = (
            "There|EX|expl|2 are|VBP|ROOT|0||be schools|NNS|attr|2||school including|VBG|prep|3 "
            "Graz|NNP|compound|6|B-ORG College|NNP|pobj|4|I-ORG ,|,|punct|6 the|DT|det|13|B-ORG Linz|NNP|nmod|13|I-ORG "
            "and|CC|cc|9 the|DT|det|12 Wels|NNP|conj|9|B-ORG College|NNP|appos|6|I-ORG .|.|punct|2"
        )
        assert rejections(text, APPOSITION) == ["LIST"]

    def test_what_it_is_not_is_refused(self):
        text = (
            "It|PRP|nsubj|2 is|VBZ|ROOT|0||be pure|JJ|amod|4 cream|NN|attr|2 ,|,|punct|4 no|DT|det|7 cinnamon|NN|appos|4 "
            "at|IN|prep|7 all|DT|pobj|8 .|.|punct|2"
        )
        assert rejections(text, APPOSITION) == []

    def test_peoples_are_many_and_firms_one(self):
        text = (
            "He|PRP|nsubj|2 met|VBD|ROOT|0||meet Berbers|NNPS|dobj|2|B-NORP|Berber ,|,|punct|3 a|DT|det|6 people|NN|appos|3 "
            "of|IN|prep|6 the|DT|det|9 coast|NN|pobj|7 .|.|punct|2"
        )
        assert accepted(text, APPOSITION)[1] == "Berbers were a people of the coast ."
        firm = (
            "He|PRP|nsubj|2 owns|VBZ|ROOT|0||own NI|NNP|compound|4|B-ORG Railways|NNPS|dobj|2|I-ORG ,|,|punct|4 a|DT|det|7 "
            "firm|NN|appos|4 in|IN|prep|7 Graz|NNP|pobj|8|B-GPE .|.|punct|2"
        )
        assert accepted(firm, APPOSITION)[1] == "NI Railways is a firm in Graz ."

    def test_one_person_has_two_roles_and_two_coins_are_two(self):
        governor = "Hedda Lund is the state 's governor and the first woman in the office ."
        assert accepted(p.GOVERNOR, APPOSITION)[1] == governor
        assert accepted(p.COINS, APPOSITION)[1] == "The two coins are the penny and the crown ."


class TestTenseOfAnApposition:
    def test_a_clause_of_its_own_in_the_present_decides(self):
        assert accepted(p.HERON, APPOSITION)[1] == "The heron is a bird that lives near lakes ."

    def test_what_seems_to_have_been_is_past(self):
        assert accepted(p.MILETUS, APPOSITION)[1] == "Miletus was a Greek colony ."
        now = p.MILETUS.replace("have|VB|aux", "not|RB|neg")
        assert accepted(now, APPOSITION)[1] == "Miletus is a Greek colony ."


class TestCommasAround:
    def test_a_comma_alone_before_the_verb_is_refused(self):
        assert rejections(p.RIDGE, APPOSITION) == ["CLAUSE_CUT"]

    def test_a_relative_clause_with_a_preposition_keeps_its_own(self):
        assert accepted(p.TOWER, APPOSITION)[0] == "She wrote The Tower , in which a king dies ."


class TestMainVerbBehindAnInsertion:
    NIOBE = (
        "Niobe|NN|ROOT|0 ,|,|punct|1 the|DT|det|4 queen|NN|appos|1 of|IN|prep|4 Thebes|NNP|pobj|5|B-LOC|Thebes "
        ",|,|punct|1 boasted|VBN|amod|1||boast of|IN|prep|8 her|PRP$|poss|11 children|NNS|pobj|9||child .|.|punct|1"
    )

    def test_is_finite(self):
        assert accepted(self.NIOBE, APPOSITION) == (
            "Niobe boasted of her children .",
            "Niobe was the queen of Thebes .",
        )

    def test_an_agent_shows_a_participle(self):
        loved = self.NIOBE.replace("boasted|VBN|amod|1||boast of|IN|prep|8", "loved|VBN|amod|1||love by|IN|agent|8")
        assert rejections(loved, APPOSITION) == ["NO_VERB"]

    @pytest.mark.parametrize("old, new", [("boasted|VBN", "taken|VBN"), (",|,|punct|1 boasted", "and|CC|cc|1 boasted")])
    def test_other_participles_stay(self, old, new):
        tokens = parsed(self.NIOBE.replace(old, new)).tokens
        assert with_main_verb(tokens) == tokens

    def test_a_sentence_with_a_finite_verb_stays(self):
        tokens = parsed(p.OSLO).tokens
        assert with_main_verb(tokens) is tokens


class TestKinds:
    def kinds(self, text: str, word: str):
        made: Parse = parse(text)
        return kinds_at(made, [t.text for t in made.tokens].index(word))

    @pytest.mark.parametrize(
        "text, word, kinds",
        [
            ("A|DT|det|2 river|NN|ROOT|0", "river", "l"),
            ("Paul|NNP|ROOT|0|B-PERSON", "Paul", "p"),
            ("Bill|NNP|ROOT|0|B-PERSON", "Bill", "p"),  # not a bill
            ("Alabama|NNP|compound|2|B-ORG Museum|NNP|ROOT|0|I-ORG|museum", "Museum", "gl"),
            ("Anna|NNP|compound|2|B-ORG Lind|NNP|ROOT|0|I-ORG", "Lind", "gp"),  # a first name
            ("ten|CD|nummod|2|B-CARDINAL astronomers|NNS|ROOT|0||astronomer", "astronomers", "p"),
            ("he|PRP|ROOT|0", "he", "p"),
            ("it|PRP|ROOT|0", "it", ""),
            ("zzyzx|NN|ROOT|0", "zzyzx", ""),
        ],
    )
    def test_of_names_nouns_and_pronouns(self, text, word, kinds):
        assert self.kinds(text, word) == frozenset(map(Kind, kinds))

    def test_a_kind_of_termite_is_one(self):
        text = "a|DT|det|2 kind|NN|ROOT|0 of|IN|prep|2 termite|NN|pobj|3"
        assert Kind.ANIMAL in self.kinds(text, "kind")

    def test_unknown_kinds_agree_with_all_but_not_surely(self):
        person, nothing = frozenset((Kind.PERSON,)), frozenset[Kind]()
        assert may_agree(person, nothing) and may_agree(nothing, nothing)
        assert not agree(person, nothing)

    def test_akin_kinds_may_agree_in_both_directions(self):
        group, place, event = (frozenset((k,)) for k in (Kind.GROUP, Kind.PLACE, Kind.EVENT))
        assert may_agree(group, place) and may_agree(place, group)
        assert not may_agree(place, event) and not may_agree(event, place)
