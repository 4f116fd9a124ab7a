"""Connectives between two sentences, and anaphora."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse import pair_connective
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import candidates, outcome, parse
from tests.testing import mention

B = "space|NN|nsubjpass|3 is|VBZ|auxpass|3 limited|VBN|ROOT|0 there|RB|advmod|3 .|.|punct|3"


def opening(*words: str) -> str:
    """A sentence that opens with the given ``word|tag|label`` items, hanging on its verb."""
    shifted = []
    for item in B.split():
        word, tag, dep, head = item.split("|")
        shifted.append(f"{word}|{tag}|{dep}|{int(head) + len(words) if int(head) else 0}")
    return " ".join([*(f"{w}|{len(words) + 3}" for w in words), *shifted])


class TestConnective:
    @pytest.mark.parametrize(
        ("words", "recorded"),
        [
            (("However|RB|advmod", ",|,|punct"), "however ,"),
            (("For|IN|prep", "example|NN|pobj", ",|,|punct"), "for example ,"),
            (("In|IN|prep", "the|DT|det", "meantime|NN|pobj", ",|,|punct"), "in the meantime ,"),
            (("But|CC|cc",), "but"),
            (("Then|RB|advmod",), "then"),
            (("Whereas|IN|mark",), "whereas"),
        ],
    )
    def test_at_the_head(self, words, recorded):
        (made,) = candidates(parses.CONN_1, opening(*words))
        assert made.discourse_type.name == "PAIR_CONN" and made.connective_string == recorded
        assert made.incoherent_second_sentence == "Space is limited there ."

    @pytest.mark.parametrize(
        "words",
        [
            ("Besides|IN|prep", "trade|NN|pobj", ",|,|punct"),  # a preposition, without a comma of its own
            ("Instead|RB|advmod", "of|IN|prep", "them|PRP|pobj"),
            ("However|RB|advmod", "hard|RB|advmod", "he|PRP|nsubj", "tried|VBD|advcl", ",|,|punct"),
            ("So|RB|advmod", ",|,|punct"),  # not of the list
            ("Now|RB|advmod",),  # would need its comma
            ("Eventually|RB|advmod",),
        ],
    )
    def test_not_a_connective(self, words):
        text = opening(*words)
        if words[0].startswith("However"):
            text = text.replace(f"However|RB|advmod|{len(words) + 3}", "However|RB|advmod|2").replace(
                f"hard|RB|advmod|{len(words) + 3}", "hard|JJ|advcl|4"
            )
        assert pair_connective.find(parse(text)) is None

    def test_not_where_it_ties_clauses_of_the_sentence(self):
        text = """
        Whereas|IN|mark|3 trade|NN|nsubj|3 was|VBD|advcl|7||be old|JJ|acomp|3 ,|,|punct|7 mills|NNS|nsubj|7||mill
        are|VBP|ROOT|0||be new|JJ|acomp|7 .|.|punct|7
        """
        assert outcome(parses.CONN_1, text)[0::3] == ("PAIR_CONN", "WRONG_SCOPE")

    def test_medial_between_commas_takes_both(self):
        text = (
            "Space|NN|nsubjpass|6 ,|,|punct|6 however|RB|advmod|6 ,|,|punct|6 is|VBZ|auxpass|6 "
            "limited|VBN|ROOT|0 .|.|punct|6"
        )
        (made,) = candidates(parses.CONN_1, text)
        assert made.connective_string == ", however ," and made.inputs.endswith("live. Space is limited.")

    @pytest.mark.parametrize(
        ("word", "tag", "second"),
        [("leading", "VBG", "Space failed , leading here ."), ("then", "RB", "Space failed then here .")],
    )
    def test_medial_before_a_participle_leaves_its_comma(self, word, tag, second):
        text = (
            "Space|NN|nsubj|2 failed|VBD|ROOT|0||fail ,|,|punct|2 however|RB|advmod|2 ,|,|punct|2 "
            f"{word}|{tag}|advcl|2 here|RB|advmod|6 .|.|punct|2"
        )
        (made,) = candidates(parses.CONN_1, text)
        assert made.incoherent_second_sentence == second

    def test_medial_behind_a_fronted_phrase_leaves_its_comma(self):
        text = (
            "In|IN|prep|7 May|NNP|pobj|1 ,|,|punct|7 however|RB|advmod|7 ,|,|punct|7 it|PRP|nsubj|7 "
            "failed|VBD|ROOT|0 again|RB|advmod|7 "
            ".|.|punct|7"
        )
        (made,) = candidates(parses.CONN_1, text)
        assert made.incoherent_second_sentence == "In May , it failed again ."

    def test_medial_without_commas(self):
        text = "Lily|NNP|nsubj|3 however|RB|advmod|3 drugs|VBZ|ROOT|0 Joe|NNP|dobj|3 unconscious|JJ|oprd|3 .|.|punct|3"
        assert outcome(parses.CONN_1, text)[2] == "Lily drugs Joe unconscious ."

    def test_one_comma_only_is_none(self):
        text = (
            "After|IN|prep|5 them|PRP|pobj|1 ,|,|punct|5 however|RB|advmod|5 won|VBD|ROOT|0 he|PRP|nsubj|5 .|.|punct|5"
        )
        assert pair_connective.find(parse(text)) is None

    def test_the_first_sentence_is_left_alone(self):
        assert outcome(parses.CONN_2, parses.CONN_1)[0] == "PAIR_NONE"


def lions(*more):
    """The Lions of TEAM_1, and mentions of the second sentence."""
    return [[mention(0, 0, 2, "name"), *more]]


class TestAnaphora:
    def test_nominal_by_name(self):
        clusters = lions(mention(1, 0, 2, "nominal", confidence=0.9))
        (made,) = candidates(parses.TEAM_1, parses.TEAM_2, clusters=clusters, conventions="extended")
        assert made.incoherent_second_sentence == "The Lions lost most of its players in the following year ."
        assert made.discourse_type.name == "PAIR_ANAPHORA"
        assert made.has_coref_type_nominal and not made.has_coref_type_pronoun

    def test_possessive_of_a_plural(self):
        clusters = lions(mention(1, 5, 6, "pronoun", confidence=0.9))
        (made,) = candidates(parses.TEAM_1, parses.TEAM_2, clusters=clusters)
        assert made.incoherent_second_sentence == "The team lost most of the Lions ' players in the following year ."
        assert "most of the Lions' players" in made.inputs

    def test_possessive_of_its_own_clause_is_replaced_where_it_would_disagree(self):
        clusters = lions(mention(1, 0, 2, "nominal", confidence=0.9), mention(1, 5, 6, "pronoun", confidence=0.9))
        assert outcome(parses.TEAM_1, parses.TEAM_2, clusters=clusters)[2].startswith(
            "The Lions lost most of the Lions ' players"
        )

    def test_article_before_the_mention_is_taken_along(self):
        war = (
            "The|DT|det|3 Civil|NNP|compound|3 War|NNP|nsubj|4 changed|VBD|ROOT|0 the|DT|det|6 "
            "towns|NNS|dobj|4 .|.|punct|4"
        )
        then = "Many|JJ|nsubj|2 died|VBD|ROOT|0 in|IN|prep|2 the|DT|det|5 war|NN|pobj|3 there|RB|advmod|2 .|.|punct|2"
        clusters = [[mention(0, 1, 3, "name"), mention(1, 3, 5, "nominal", confidence=0.9)]]
        made = outcome(war, then, clusters=clusters, conventions="extended")
        assert made[2] == "Many died in the Civil War there ."
        # a mention without its article gets none twice
        clusters = [[mention(0, 0, 3, "name"), mention(1, 4, 5, "nominal", confidence=0.9)]]
        made = outcome(war, then, clusters=clusters, conventions="extended")
        assert made[2] == "Many died in the Civil War there ."

    def test_bare_possessive_mark_behind_the_mention(self):
        first = "James|NNP|compound|2 Brown|NNP|nsubj|3 ran|VBD|ROOT|0 the|DT|det|5 mill|NN|dobj|3 .|.|punct|3"
        second = "They|PRP|nsubj|2 saw|VBD|ROOT|0 James|NNP|poss|5 '|POS|case|3 house|NN|dobj|2 .|.|punct|2"
        clusters = [[mention(0, 0, 2, "name"), mention(1, 2, 3, "name", confidence=0.9)]]
        (made,) = candidates(first, second, clusters=clusters)
        assert made.inputs.endswith("They saw James Brown's house.")

    def test_name_inside_another_thing_is_no_longer_form(self):
        first = (
            "He|PRP|nsubj|2 won|VBD|ROOT|0 the|DT|det|4 Battle|NNP|dobj|2 of|IN|prep|4 Monterrey|NNP|pobj|5 .|.|punct|2"
        )
        second = "They|PRP|nsubj|2 left|VBD|ROOT|0 Monterrey|NNP|dobj|2 in|IN|prep|2 May|NNP|pobj|4 .|.|punct|2"
        clusters = [[mention(0, 2, 6, "name", head=3), mention(1, 2, 3, "name", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters)[0] in ("PAIR_NONE", "PAIR_ANAPHORA")
        assert "Battle" not in outcome(first, second, clusters=clusters, conventions="extended")[2]

    def test_number_of_the_verb(self):
        first = "The|DT|det|2 band|NN|nsubj|3 toured|VBD|ROOT|0 the|DT|det|5 country|NN|dobj|3 .|.|punct|3"
        second = "They|PRP|nsubj|2 were|VBD|ROOT|0 very|RB|advmod|4 popular|JJ|acomp|2 there|RB|advmod|2 .|.|punct|2"
        clusters = [[mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters)[3] == "NUMBER"
        assert outcome(first, second.replace("were|VBD", "became|VBD"), clusters=clusters)[2] == (
            "The band became very popular there ."
        )

    def test_pronoun_continues_a_subject_that_is_its_like(self):
        first = "They|PRP|nsubj|2 have|VBP|ROOT|0 many|JJ|amod|5 diverse|JJ|amod|5 talents|NNS|dobj|2 .|.|punct|2"
        second = "Some|DT|nsubj|4 of|IN|prep|1 them|PRP|pobj|2 won|VBD|ROOT|0 the|DT|det|6 race|NN|dobj|4 .|.|punct|4"
        clusters = [[mention(0, 2, 5, "nominal"), mention(1, 2, 3, "pronoun", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters)[0] == "PAIR_NONE"

    def test_name_before_a_noun_stays(self):
        second = "The|DT|det|3 Nabokov|NNP|compound|3 mansion|NN|nsubj|4 burned|VBD|ROOT|0 down|RP|prt|4 .|.|punct|4"
        first = "Vladimir|NNP|compound|2 Nabokov|NNP|nsubj|3 lived|VBD|ROOT|0 there|RB|advmod|3 .|.|punct|3"
        clusters = [[mention(0, 0, 2, "name"), mention(1, 1, 2, "name", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters)[0] == "PAIR_NONE"

    def test_uncertain_link(self):
        clusters = lions(mention(1, 5, 6, "pronoun", confidence=0.4))
        config = {"clusters": clusters, "min_coref_confidence": 0.5}
        made = outcome(parses.TEAM_1, parses.TEAM_2, **config, conventions="released")
        assert (made[0], made[3]) == ("PAIR_ANAPHORA", "UNCERTAIN_COREFERENCE")
        made = outcome(parses.TEAM_1, parses.TEAM_2, **config, conventions="extended")
        assert (made[0], made[3]) == ("PAIR_NONE", None)

    def test_never_by_a_pronoun(self):
        clusters = [[mention(0, 0, 1, "pronoun"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        assert outcome(parses.RIDER_2, parses.LIONS_2, clusters=clusters, conventions="extended")[0] == "PAIR_NONE"

    def test_never_by_something_long(self):
        clusters = [[mention(0, 0, 5, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        config = {"clusters": clusters, "conventions": "extended"}
        assert outcome(parses.JAZZ, parses.RIDER_2, **config)[0] == "PAIR_ANAPHORA"
        assert outcome(parses.JAZZ, parses.RIDER_2, **config, max_antecedent_tokens=4)[0] == "PAIR_NONE"

    def test_antecedent_without_its_apposition(self):
        clusters = [[mention(0, 0, 11, "name", head=4), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        second = outcome(parses.JAZZ, parses.RIDER_2, clusters=clusters)[2]
        assert second.startswith("The Jacksonville Jazz Piano Competition said those numbers")

    def test_indefinite_antecedent_becomes_definite(self):
        doctor = "A|DT|det|2 doctor|NN|nsubj|3 worked|VBD|ROOT|0 all|DT|det|5 night|NN|npadvmod|3 .|.|punct|3"
        clusters = [[mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        made = outcome(doctor, parses.RIDER_2, clusters=clusters, conventions="extended")
        assert made[2].startswith("The doctor said those numbers")

    def test_reflexive_stays(self):
        he = (
            "Rider|NNP|nsubj|2 hurt|VBD|ROOT|0 himself|PRP|dobj|2 in|IN|prep|2 the|DT|det|6 final|NN|pobj|4 .|.|punct|2"
        )
        clusters = [[mention(0, 0, 1, "name"), mention(1, 2, 3, "pronoun", confidence=0.9)]]
        assert outcome(parses.RIDER_1, he, clusters=clusters)[0] == "PAIR_NONE"

    def test_object_bound_by_its_own_subject_is_not_believed(self):
        her = (
            "Lang|NNP|nsubj|2 is|VBZ|ROOT|0 sad|JJ|acomp|2 but|CC|cc|2 is|VBZ|conj|2 unable|JJ|acomp|5 to|TO|aux|8 "
            "convince|VB|xcomp|6 her|PRP|dobj|8 .|.|punct|2"
        )
        clusters = [[mention(0, 0, 1, "name"), mention(0, 8, 9, "pronoun", confidence=0.9)]]
        assert outcome(her, clusters=clusters)[:3] == (
            "SINGLE_S_COORD",
            "Lang is sad .",
            "Lang is unable to convince her .",
        )

    def test_longer_name_of_a_shorter_one(self):
        first = (
            "Meshack|NNP|compound|2 Lufile|NNP|nsubj|3 plays|VBZ|ROOT|0 basketball|NN|dobj|3 in|IN|prep|3 "
            "Canada|NNP|pobj|5 .|.|punct|3"
        )
        second = "Lufile|NNP|nsubj|3 also|RB|advmod|3 played|VBD|ROOT|0 for|IN|prep|3 Aris|NNP|pobj|4 .|.|punct|3"
        clusters = [[mention(0, 0, 2, "name"), mention(1, 0, 1, "name", confidence=0.9)]]
        made = candidates(first, second, clusters=clusters)[0]
        assert (
            made.incoherent_second_sentence == "Meshack Lufile also played for Aris ." and made.has_coref_type_nominal
        )

    def test_equal_names_are_not_anaphora(self):
        second = "Rider|NNP|nsubj|3 also|RB|advmod|3 played|VBD|ROOT|0 for|IN|prep|3 Aris|NNP|pobj|4 .|.|punct|3"
        clusters = [[mention(0, 0, 1, "name"), mention(1, 0, 1, "name", confidence=0.9)]]
        assert outcome(parses.RIDER_1, second, clusters=clusters)[0] == "PAIR_NONE"

    def test_sentence_coordination_with_anaphora(self):
        clusters = [[mention(0, 0, 2, "name"), mention(0, 11, 13, "nominal", confidence=0.9)]]
        kind, _, second, _ = outcome(parses.DOUGLAS, clusters=clusters, conventions="extended")
        assert (kind, second) == ("SINGLE_S_COORD_ANAPHORA", "Melvyn Douglas ultimately went to Walter Pidgeon .")

    def test_other_types_have_no_anaphora(self):
        clusters = [[mention(0, 12, 13, "name"), mention(0, 2, 4, "nominal", confidence=0.9)]]
        assert outcome(parses.WALKER, clusters=clusters)[0] == "SINGLE_CATAPHORA"
