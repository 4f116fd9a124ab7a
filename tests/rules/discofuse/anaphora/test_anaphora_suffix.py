"""The ANAPHORA suffix of the released conventions: what counts as an anaphor, link or no link."""

import dataclasses

from gistmill.rules.discofuse.anaphora.anaphora_suffix import Evidence, find_anaphora_suffix
from gistmill.rules.discofuse.checks import Region
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import scene
from tests.testing import mention

CASES = by_heading(__file__)

MILL = "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 down|RP|prt|3 in|IN|prep|3 May|NNP|pobj|5|B-DATE .|.|punct|3"
IT_CLOSED = "It|PRP|nsubj|2 closed|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2"
WALSH = parses.of("Walsh met the players in Detroit .")
HE_LEFT = "He|PRP|nsubj|2 left|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2"
HE_WAS_ILL = "He|PRP|nsubj|2 was|VBD|ROOT|0 ill|JJ|acomp|2 in|IN|prep|2 Detroit|NNP|pobj|4|B-GPE .|.|punct|2"


def found(first: str, second: str, *clusters):
    """Evidence for an anaphor of the second sentence, with its word; (None, None) if there is none."""
    both = scene(first, second, *clusters)
    made = find_anaphora_suffix(both)
    return (None, None) if made is None else (made.evidence, both.second.lower[made.position])


def inside(text: str, boundary: int):
    """The same for one sentence without links whose second half begins at ``boundary``."""
    both = scene(text, text)
    halves = {"antecedents": Region(0, 0, boundary), "anaphors": Region(0, boundary, len(both.first))}
    made = find_anaphora_suffix(dataclasses.replace(both, second=both.first, **halves))
    return made and made.evidence


class TestLinks:
    def test_link_decides(self):
        link = [mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.4)]
        assert found(MILL, IT_CLOSED, link) == (Evidence.LINK, "it")

    def test_link_against_agreement_is_not_believed(self):
        link = [mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.8)]
        they = IT_CLOSED.replace("It|PRP", "They|PRP")
        assert found(WALSH.replace("players|NNS", "player|NN"), they, link) == (None, None)
        assert found(WALSH, they, link) == (Evidence.CANDIDATE, "they")

    def test_name_that_was_tagged_as_a_noun(self):
        link = [mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.8)]
        assert found("Ruiz|NN|nsubj|2 won|VBD|ROOT|0 .|.|punct|2", HE_LEFT, link)[0] is Evidence.LINK

    def test_object_is_not_its_own_subject(self):
        walsh = "Walsh|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0 him|PRP|dobj|2 there|RB|advmod|2 .|.|punct|2"
        both = [mention(0, 0, 1, "name"), mention(1, 0, 1, "name"), mention(1, 2, 3, "pronoun", confidence=0.9)]
        other = WALSH.replace("Walsh|", "Mills|")
        assert found(MILL, walsh, both) == (None, None)
        # the one that is free to be meant stands in the first sentence
        assert found(other, walsh, both) == (Evidence.CANDIDATE, "him")

    def test_subject_of_an_infinitive_is_bound_too(self):
        text = parses.of("Walsh arranged for him to play .")
        link = [mention(1, 0, 1, "name"), mention(1, 3, 4, "pronoun", confidence=0.9)]
        assert found(WALSH.replace("Walsh|", "Mills|"), text, link) == (Evidence.CANDIDATE, "him")

    def test_other_sentences_of_the_cluster_do_not_count(self):
        link = [mention(7, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]
        assert found("It|PRP|nsubj|2 rained|VBD|ROOT|0 there|RB|advmod|2 .|.|punct|2", HE_LEFT, link) == (None, None)


class TestCandidates:
    def test_something_that_agrees(self):
        assert found(MILL, IT_CLOSED) == (Evidence.CANDIDATE, "it")
        assert found(WALSH, HE_LEFT) == (Evidence.CANDIDATE, "he")
        assert found(WALSH, HE_LEFT.replace("He|PRP", "They|PRP")) == (Evidence.CANDIDATE, "they")

    def test_nothing_that_agrees(self):
        assert found(MILL, HE_LEFT) == (None, None)
        assert found(MILL, IT_CLOSED.replace("It|PRP", "They|PRP")) == (None, None)

    def test_times_are_none(self):
        may = "May|NNP|nsubj|2|B-DATE came|VBD|ROOT|0 early|RB|advmod|2 .|.|punct|2"
        assert found(may, IT_CLOSED) == (None, None)

    def test_something_nearer_takes_the_pronoun(self):
        near = (
            "Brown|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 he|PRP|nsubj|4 left|VBD|ccomp|2 early|RB|advmod|4 .|.|punct|2"
        )
        assert found(WALSH, near) == (None, None)
        team = "The|DT|det|2 mill|NN|nsubj|3 lost|VBD|ROOT|0 its|PRP$|poss|5 roof|NN|dobj|3 .|.|punct|3"
        assert found(MILL, team) == (None, None)

    def test_what_the_pronoun_is_part_of_is_not_nearer(self):
        text = "The|DT|det|2 price|NN|nsubj|6 of|IN|prep|2 its|PRP$|poss|5 parts|NNS|pobj|3 fell|VBD|ROOT|0 .|.|punct|6"
        assert found(MILL, text) == (Evidence.CANDIDATE, "its")
        clause = parses.of("The price which hurt its parts soon fell .")
        assert found(MILL, clause) == (None, None)

    def test_reflexives_and_other_persons_are_not_anaphors(self):
        assert found(WALSH, "I|PRP|nsubj|2 hurt|VBD|ROOT|0 himself|PRP|dobj|2 badly|RB|advmod|2 .|.|punct|2") == (
            None,
            None,
        )

    def test_shared_subject_is_not_an_antecedent_of_its_object(self):
        text = parses.of("Lang is sad but is unable to convince her .")
        assert inside(text, 4) is None
        assert inside(text.replace("her|PRP|dobj|8", "it|PRP|dobj|8"), 4) is None


class TestRivals:
    def test_pronoun_goes_on_about_its_like(self):
        text = "He|PRP|nsubj|2 met|VBD|ROOT|0 Walsh|NNP|dobj|2|B-PERSON there|RB|advmod|2 .|.|punct|2"
        assert found(text, HE_LEFT) == (None, None)

    def test_predicate_noun_stands_for_it(self):
        text = "He|PRP|nsubj|2 was|VBD|ROOT|0 a|DT|det|4 captain|NN|attr|2 there|RB|advmod|2 .|.|punct|2"
        assert found(text, HE_LEFT) == (Evidence.PREDICATE, "he")
        assert found(text.replace("captain|NN", "first|CD"), HE_LEFT) == (None, None)
        assert found(HE_WAS_ILL, HE_LEFT) == (None, None)

    def test_one_that_is_resolved_is_not_a_rival(self):
        text = parses.of("Walsh sold his mill in May .")
        assert found(text, HE_LEFT) == (Evidence.CANDIDATE, "he")
        link = [mention(0, 0, 1, "name"), mention(0, 2, 3, "pronoun"), mention(1, 0, 1, "pronoun", confidence=0.8)]
        assert found(text, HE_LEFT, link) == (Evidence.LINK, "he")

    def test_sure_link_of_a_person_outweighs_it(self):
        text = "He|PRP|nsubj|2 met|VBD|ROOT|0 Walsh|NNP|dobj|2|B-PERSON there|RB|advmod|2 .|.|punct|2"
        for confidence, evidence in ((0.95, Evidence.LINK), (0.6, None)):
            link = [mention(0, 2, 3, "name"), mention(1, 0, 1, "pronoun", confidence=confidence)]
            assert found(text, HE_LEFT, link)[0] is evidence

    def test_main_subject_that_is_linked_to_something_else(self):
        text = "With|IN|prep|4 Walsh|NNP|pobj|1|B-PERSON he|PRP|nsubj|4 met|VBD|ROOT|0 her|PRP|dobj|4 .|.|punct|4"
        own = [mention(0, 1, 2, "name"), mention(0, 2, 3, "pronoun")]
        assert found(text, HE_LEFT, own) == (None, None)
        assert found(text, HE_LEFT, [*own, mention(1, 0, 1, "pronoun")]) == (Evidence.LINK, "he")

    def test_pronoun_before_its_antecedent(self):
        text = parses.of("While they lost , the players sang .")
        assert found(text, HE_LEFT.replace("He|PRP", "They|PRP")) == (Evidence.CANDIDATE, "they")

    def test_possessive_before_its_antecedent(self):
        text = (
            "Unlike|IN|prep|6 its|PRP$|poss|3 kin|NN|pobj|1 the|DT|det|5 mill|NN|nsubj|6 burned|VBD|ROOT|0 .|.|punct|6"
        )
        assert found(text, IT_CLOSED) == (Evidence.CANDIDATE, "it")
        # not before a pronoun, nor inside the subject
        other = parses.of("Unlike its kin he burned the mill .")
        assert found(other, IT_CLOSED) == (None, None)
        inside = "Its|PRP$|poss|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 down|RP|prt|3 there|RB|advmod|3 .|.|punct|3"
        assert found(inside, IT_CLOSED) == (None, None)

    def test_demonstrative_subject(self):
        text = "This|DT|nsubj|2 hit|VBD|ROOT|0 the|DT|det|4 mill|NN|dobj|2 hard|RB|advmod|2 .|.|punct|2"
        assert found(text, IT_CLOSED) == (None, None)

    def test_empty_it_is_not_a_rival(self):
        for text in CASES["empty it is not a rival"]:
            assert found(text, IT_CLOSED) == (Evidence.CANDIDATE, "it")
        hit = "It|PRP|nsubj|2 hit|VBD|ROOT|0 the|DT|det|4 mill|NN|dobj|2 hard|RB|advmod|2 .|.|punct|2"
        assert found(hit, IT_CLOSED) == (None, None)


class TestClear:
    """What stands for itself keeps the suffix, and the example its words."""

    def test_one_that_is_not_clear_comes_first(self):
        text = "Walsh|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 he|PRP|nsubj|4 left|VBD|ccomp|2 them|PRP|dobj|4 .|.|punct|2"
        links = [mention(0, 0, 1, "name"), mention(1, 0, 1, "name"), mention(1, 2, 3, "pronoun", confidence=0.9)]
        assert found(WALSH, text, links) == (Evidence.CANDIDATE, "them")


class TestElsewhere:
    def test_a_link_to_what_stands_before_both(self):
        far = [mention(7, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.6)]
        assert found(MILL, IT_CLOSED, far) == (None, None)
        far[1] = mention(1, 0, 1, "pronoun", confidence=0.4)
        assert found(MILL, IT_CLOSED, far) == (Evidence.CANDIDATE, "it")

    def test_a_link_inside_the_second_half(self):
        text = "The|DT|det|2 fort|NN|nsubj|3 helped|VBD|ROOT|0 when|WRB|advmod|6 it|PRP|nsubj|6 fell|VBD|advcl|3 .|.|punct|3"
        here = [mention(1, 0, 2, "nominal"), mention(1, 4, 5, "pronoun", confidence=0.6)]
        assert found(MILL, text, here) == (None, None)
