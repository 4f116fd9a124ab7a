"""One class a rule: what it finds, what it leaves alone, and hard cases."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.discofuse.coordination import sentence_coordination, verb_phrase_coordination
from gistmill.rules.discofuse.insertions import apposition, relative_clause
from gistmill.rules.discofuse.subordination import cataphora, forward_connective, inner_connective
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import candidates, outcome, parse


class TestRelativeClause:
    def test_the_match_is_found(self):
        match = relative_clause.find(parse(parses.KUBLER))
        assert (match.open, match.close, match.verb, match.antecedent) == (1, 8, 3, 0)

    def test_the_object_of_a_preposition_is_not_that_of_the_verb(self):
        text = (
            "Mary|NNP|compound|2|B-PERSON Smith|NNP|nsubj|11|I-PERSON ,|,|punct|2 whom|WP|dobj|6 he|PRP|nsubj|6 "
            "fell|VBD|relcl|2||fall for|IN|prep|6 in|IN|prep|6 1990|CD|pobj|8|B-DATE ,|,|punct|11 taught|VBD|ROOT|0 "
            "physics|NN|dobj|11 at|IN|prep|11 the|DT|det|15 school|NN|pobj|13 .|.|punct|11"
        )
        assert outcome(text)[3] is not None

    def test_object_pronoun(self):
        assert outcome(parses.WHOM) == (
            "SINGLE_RELATIVE",
            "Mary Smith taught physics at the school .",
            "He married Mary Smith in 1990 .",
            None,
        )

    def test_possessive_subject(self):
        assert outcome(parses.WHOSE)[2] == "Peter Brown 's father owned the mill ."

    def test_possessive_object(self):
        assert outcome(parses.WHOSE_OBJECT)[2] == "The company bought Peter Brown 's mill ."

    def test_natural_text_has_the_clitic_attached(self):
        (made,) = candidates(parses.WHOSE)
        assert made.inputs == "Peter Brown left the village in 1901. Peter Brown's father owned the mill."

    def test_clause_as_antecedent_is_rejected(self):
        assert outcome(parses.CLAUSAL)[3] == "CLAUSAL_ANTECEDENT"

    def test_comma_that_does_not_close_the_clause(self):
        assert outcome(parses.CUT)[3] == "CLAUSE_CUT"

    def test_comma_of_a_fronted_phrase_stays(self):
        kind, first, second, reason = outcome(parses.UNLIKE)
        assert first == "Unlike the previous owners of the mill , Smith moved to the valley ."
        assert second == "The previous owners of the mill had lived in town ." and reason is None

    def test_agreement_moves_the_antecedent_up(self):
        # the parser hangs "who were" on "mill"; only "owners" agrees
        moved = parses.UNLIKE.replace("lived|VBN|relcl|4", "lived|VBN|relcl|7").replace(
            "had|VBD|aux|11", "were|VBD|aux|11"
        )
        assert outcome(moved)[2] == "The previous owners of the mill were lived in town ."

    def test_who_is_not_a_company_with_a_singular_verb(self):
        text = (
            "He|PRP|nsubj|2 is|VBZ|ROOT|0 a|DT|det|4 worker|NN|attr|2 for|IN|prep|4 Acme|NNP|pobj|5|B-ORG "
            ",|,|punct|6 who|WP|nsubj|9 "
            "dines|VBZ|relcl|6 with|IN|prep|9 him|PRP|pobj|10 ,|,|punct|2 and|CC|cc|2 leads|VBZ|conj|2 "
            "them|PRP|dobj|14 .|.|punct|2"
        )
        assert outcome(text)[2] == "The worker for Acme dines with him ."

    def test_pronoun_of_a_deeper_clause_is_rejected(self):
        text = (
            "This|DT|det|2 split|NN|nsubj|10 ,|,|punct|2 which|WDT|nsubj|8 some|DT|nsubj|6 believe|VBP|relcl|2 "
            "has|VBZ|aux|8 "
            "lasted|VBN|ccomp|6 ,|,|punct|2 surprised|VBD|ROOT|0 them|PRP|dobj|10 .|.|punct|10"
        )
        assert outcome(text)[3] == "WRONG_SCOPE"

    def test_whole_name_as_antecedent(self):
        text = (
            "It|PRP|nsubj|2 met|VBD|ROOT|0 Alexander|NNP|dobj|2|B-PERSON the|DT|det|5|I-PERSON "
            "Great|NNP|appos|3|I-PERSON ,|,|punct|5 "
            "who|WP|nsubj|8 won|VBD|relcl|5 the|DT|det|10 war|NN|dobj|8 ,|,|punct|2 but|CC|cc|2 "
            "they|PRP|nsubj|14 left|VBD|conj|2 "
            ".|.|punct|2"
        )
        assert outcome(text)[1:] == (
            "It met Alexander the Great , but they left .",
            "Alexander the Great won the war .",
            None,
        )

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

    def test_plural_and_present(self):
        assert outcome(parses.PLURAL_APPOS)[1:] == (
            "The two brothers live in London with their father .",
            "The two brothers are the owners of the mill .",
            None,
        )

    def test_summary_of_a_clause_is_rejected(self):
        appos = parses.STEP.replace("step|NN|dobj|3", "step|NN|appos|8")
        assert outcome(appos)[3] == "CLAUSAL_ANTECEDENT"

    def test_list_item_is_rejected(self):
        text = (
            "It|PRP|nsubj|2 has|VBZ|ROOT|0 a|DT|det|4 school|NN|dobj|2 ,|,|punct|4 a|DT|det|7 church|NN|appos|4 "
            ",|,|punct|4 "
            "and|CC|cc|4 a|DT|det|11 mill|NN|conj|4 .|.|punct|2"
        )
        assert outcome(text)[3] == "LIST"

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

    def test_part_of_the_noun_is_rejected(self):
        part = parses.JAZZ.replace("a|DT|det|10", "all|DT|det|10")
        assert apposition.find(parse(part)) is not None
        assert outcome(part, conventions="released")[3] == "WRONG_SCOPE"
        assert candidates(part, conventions="extended") == ()

    def test_needs_a_determiner(self):
        bare = parses.JAZZ.replace("a|DT|det|10", "old|JJ|amod|10")
        assert apposition.find(parse(bare)) is None

    def test_needs_exactly_two_commas(self):
        assert apposition.find(parse(parses.FLOODS)) is None

    def test_relative_clause_is_none(self):
        assert apposition.find(parse(parses.TARGET)) is None

    def test_clause_behind_the_apposition_keeps_its_comma(self):
        text = (
            "It|PRP|nsubj|2 is|VBZ|ROOT|0 Lion|NNP|attr|2 ,|,|punct|3 a|DT|det|7 large|JJ|amod|7 "
            "statue|NN|appos|3 ,|,|punct|7 "
            "which|WDT|nsubj|10 stands|VBZ|relcl|7 in|IN|prep|10 Belfort|NNP|pobj|11 .|.|punct|2"
        )
        assert outcome(text)[1:] == ("It is Lion , which stands in Belfort .", "Lion is a large statue .", None)


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

    def test_being_becomes_a_finite_verb(self):
        assert outcome(parses.BEING)[1:] == ("She was a poor student .", "She worked in the library at night .", None)

    def test_present_tense_and_third_person(self):
        text = (
            "Visiting|VBG|advcl|7 the|DT|det|4 old|JJ|amod|4 grave|NN|dobj|1 ,|,|punct|7 Alice|NNP|nsubj|7 "
            "finds|VBZ|ROOT|0 "
            "a|DT|det|9 note|NN|dobj|7 .|.|punct|7"
        )
        assert outcome(text)[1] == "Alice visits the old grave ."
        assert (
            outcome(text.replace("Alice|NNP", "they|PRP").replace("finds|VBZ", "find|VBP"))[1]
            == "They visit the old grave ."
        )

    def test_lemma_comes_from_tables_not_from_the_parser(self):
        text = (
            "Hoping|VBG|advcl|7||hop to|TO|aux|3 win|VB|xcomp|1 again|RB|advmod|3 ,|,|punct|7 Owen|NNP|nsubj|7 "
            "asked|VBD|ROOT|0 "
            "his|PRP$|poss|9 friends|NNS|dobj|7 .|.|punct|7"
        )
        assert outcome(text)[1] == "Owen hoped to win again ."

    @pytest.mark.parametrize(
        ("opening", "subject", "reason"),
        [
            ("Digging|VBG|advcl|6 deeper|RBR|advmod|1", "it|PRP|nsubj|6", "DANGLING_PARTICIPLE"),
            ("Digging|VBG|advcl|6 deeper|RBR|advmod|1", "she|PRP|nsubj|6", None),
            ("Reflecting|VBG|advcl|6 this|DT|dobj|1", "Ada|NNP|nsubj|6|B-PERSON", "DANGLING_PARTICIPLE"),
            ("Reflecting|VBG|advcl|6 this|DT|dobj|1", "prices|NNS|nsubj|6", None),
        ],
    )
    def test_what_nobody_does_or_only_a_fact_shows(self, opening, subject, reason):
        verb = "became|VBD|ROOT|0||become" if subject.startswith("it") else "rose|VBD|ROOT|0"
        rest = "clear|JJ|acomp|6" if subject.startswith("it") else "fast|RB|advmod|6"
        clause = "that|IN|mark|10 it|PRP|nsubj|10 ended|VBD|ccomp|6" if subject.startswith("it") else ""
        text = f"{opening} then|RB|advmod|1 ,|,|punct|6 {subject} {verb} {rest} {clause} .|.|punct|6"
        assert outcome(text, conventions="extended")[3] == reason

    @pytest.mark.parametrize(
        ("label", "head", "first", "reason"),
        [
            ("appos", 6, "Ada had bought a house in Linz , a big town .", None),
            ("npadvmod", 12, "Ada had bought a house in Linz .", None),
            ("conj", 4, "Ada had bought a house in Linz .", "CLAUSE_CUT"),
        ],
    )
    def test_a_phrase_behind_the_comma(self, label, head, first, reason):
        house = 12 if label == "conj" else 2  # a parse that breaks the phrase off
        text = (
            f"Having|VBG|aux|2||have bought|VBN|advcl|12||buy a|DT|det|4 house|NN|dobj|{house} in|IN|prep|4 "
            f"Linz|NNP|pobj|5 ,|,|punct|12 a|DT|det|10 big|JJ|amod|10 town|NN|{label}|{head} ,|,|punct|12 "
            "Ada|NNP|nsubj|13|B-PERSON moved|VBD|ROOT|0 there|RB|advmod|13 for|IN|prep|13 good|NN|pobj|15 .|.|punct|13"
        ).replace("|12", "|13")
        found = [c for c in candidates(text) if c.discourse_type is DiscourseType.SINGLE_CATAPHORA]
        assert [c.incoherent_first_sentence for c in found] == [first]
        assert [c.verdict.reason and c.verdict.reason.name for c in found] == [reason]

    def test_instrument_of_a_passive_is_rejected(self):
        assert outcome(parses.USING)[3] == "DANGLING_PARTICIPLE"

    def test_prepositions_and_nouns_are_none(self):
        assert cataphora.find(parse(parses.FOLLOWING)) is None
        assert cataphora.find(parse(parses.EVENING)) is None

    def test_short_parts_are_rejected_by_length(self):
        assert outcome(parses.BEING, min_sentence_tokens=7)[3] == "TOO_SHORT"


class TestInnerConnective:
    def test_the_match_is_found(self):
        match = inner_connective.find(parse(parses.WORKOUTS))
        assert (match.start, match.end, match.comma, match.text) == (6, 7, False, "unless")

    def test_two_words(self):
        assert outcome(parses.SO_THAT)[:3] == (
            "SINGLE_CONN_INNER",
            "The walls were painted white .",
            "The rooms would seem larger .",
        )

    def test_modifier_left_behind_is_rejected(self):
        assert outcome(parses.ONLY_BECAUSE)[3] == "DANGLING"

    def test_bare_copula_is_rejected(self):
        # the paper's Table 3: "He told reporters after the game his reaction was ."
        assert outcome(parses.REACTION)[3] == "DANGLING"

    def test_while_needs_a_comma(self):
        assert inner_connective.find(parse(parses.WHILE_TIME)) is None

    def test_because_of_is_none(self):
        assert inner_connective.find(parse(parses.RIDER_2)) is None

    def test_punctuation_behind_it_is_not_allowed(self):
        text = parses.WORKOUTS.replace("for|IN|prep|11", ",|,|punct|11")
        assert inner_connective.find(parse(text)) is None

    def test_comma_before_it_is_recorded(self):
        text = (
            "He|PRP|nsubj|3 soon|RB|advmod|3 left|VBD|ROOT|0 London|NNP|dobj|3 ,|,|punct|3 because|IN|mark|9 "
            "the|DT|det|8 "
            "town|NN|nsubj|9 bored|VBD|advcl|3 him|PRP|dobj|9 .|.|punct|3"
        )
        (made,) = candidates(text)
        assert made.connective_string == ", because"
        assert made.inputs == "He soon left London. The town bored him."


class TestForwardConnective:
    def test_the_match_is_found(self):
        match = forward_connective.find(parse(parses.FRIENDSHIP))
        assert (match.end, match.comma, match.text) == (1, 7, "although")

    def test_participle_gets_the_subject(self):
        assert outcome(parses.ALTHOUGH_BORN)[1:] == (
            "He was born in Bath .",
            "He spent most of his life in London .",
            None,
        )

    def test_since_puts_a_participle_into_the_past(self):
        text = (
            "Since|IN|mark|2 becoming|VBG|advcl|8 a|DT|det|4 province|NN|attr|2 ,|,|punct|8 Alberta|NNP|nsubj|8 "
            "has|VBZ|aux|8 "
            "seen|VBN|ROOT|0 changes|NNS|dobj|8 .|.|punct|8"
        )
        assert outcome(text)[1:] == ("Alberta became a province .", "Alberta has seen changes .", None)

    def test_phrase_is_rejected(self):
        assert outcome(parses.SINCE_1970)[3] == "NO_VERB"

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

    def test_so_with_the_first_clause_below(self):
        assert outcome(parses.FRIENDS_SO)[1:] == (
            "The mill was closed by the council .",
            "The workers moved to the city .",
            None,
        )

    def test_second_copula_counts_and_gets_the_subject(self):
        kind, first, second, reason = outcome(parses.COPULA)
        assert kind == "SINGLE_S_COORD" and second == "The house is now the museum of the town ." and reason is None

    @pytest.mark.parametrize(
        ("end", "reason"),
        [
            ("displaced|VBD|conj|4 .|.|punct|4", "SHARED_PART"),  # "was" holds for both
            ("displaced|VBN|conj|4 in|IN|prep|8 May|NNP|pobj|9 .|.|punct|4", "SHARED_PART"),
            ("moved|VBD|conj|4 to|IN|prep|8 town|NN|pobj|9 .|.|punct|4", None),
            ("bought|VBN|conj|4 land|NN|dobj|8 .|.|punct|4", None),  # a past tense, whatever the tagger says
            ("grew|VBD|conj|4 .|.|punct|4", None),
            ("was|VBD|auxpass|9 displaced|VBN|conj|4 .|.|punct|4", None),
        ],
    )
    def test_a_participle_may_share_the_auxiliary_of_a_passive(self, end, reason):
        subject = 9 if "auxpass" in end else 8
        text = (
            "The|DT|det|2 mill|NN|nsubjpass|4 was|VBD|auxpass|4 sold|VBN|ROOT|0 and|CC|cc|4 "
            f"the|DT|det|7 family|NN|nsubj|{subject} {end}"
        )
        assert outcome(text)[3] == reason

    def test_without_a_passive_a_verb_at_the_end_is_a_past_tense(self):
        text = (
            "The|DT|det|2 war|NN|nsubj|3 began|VBD|ROOT|0 and|CC|cc|3 the|DT|det|6 price|NN|nsubj|7 "
            "doubled|VBD|conj|3 .|.|punct|3"
        )
        assert outcome(text)[3] is None

    def test_coordination_below_another_verb_is_rejected(self):
        assert outcome(parses.EMBEDDED)[3] == "WRONG_SCOPE"

    def test_names_are_none(self):
        assert sentence_coordination.find(parse(parses.NAMES_AND)) is None

    def test_nouns_are_none(self):
        assert sentence_coordination.find(parse(parses.CONN_2)) is None

    def test_inversion_is_rejected(self):
        text = (
            "He|PRP|nsubj|5 did|VBD|aux|5 not|RB|neg|5 ever|RB|advmod|5 win|VB|ROOT|0 ,|,|punct|5 nor|CC|cc|5 "
            "did|VBD|aux|10 "
            "they|PRP|nsubj|10 lose|VB|conj|5 .|.|punct|5"
        )
        assert outcome(text)[3] == "INVERSION"


class TestVerbPhraseCoordination:
    def test_the_match_is_found(self):
        match = verb_phrase_coordination.find(parse(parses.SHARKS))
        assert (match.cc, match.verb, match.head) == (9, 10, 2)

    def test_shared_auxiliary_is_copied(self):
        assert outcome(parses.WAS_BUILT)[1:] == (
            "The station was built in 1901 .",
            "The station was closed by the council in 1960 .",
            None,
        )

    def test_subject_stands_behind_a_fronted_phrase(self):
        assert outcome(parses.FRONTED)[2] == "In 1839 he led a campaign in northern Texas ."

    def test_shared_object_is_rejected(self):
        assert outcome(parses.SHARED_OBJECT)[3] == "SHARED_PART"

    def test_passive_right_before_the_conjunction_lacks_no_object(self):
        text = (
            "He|PRP|nsubjpass|4 was|VBD|auxpass|4 not|RB|neg|4 jailed|VBN|ROOT|0 but|CC|cc|4 was|VBD|auxpass|7 "
            "fined|VBN|conj|4 in|IN|prep|7 May|NNP|pobj|8 .|.|punct|4"
        )
        assert outcome(text)[1:] == ("He was not jailed .", "He was fined in May .", None)
        bare = text.replace("was|VBD|auxpass|7", "soon|RB|advmod|7")
        assert outcome(bare)[3] == "SHARED_PART"

    def test_what_may_be_one_more_predicate_of_be_is_rejected(self):
        text = (
            "The|DT|det|2 army|NN|nsubj|3 was|VBD|ROOT|0||be at|IN|prep|3 the|DT|det|6 gate|NN|pobj|4 ,|,|punct|3 "
            "and|CC|cc|3 {} by|IN|prep|9 the|DT|det|12 evening|NN|pobj|10 .|.|punct|3"
        )
        assert outcome(text.format("undetected|VBD|conj|3"))[3] == "SHARED_PART"
        with_object = text.format("lost|VBD|conj|3 its|PRP$|poss|11 flag|NN|dobj|9").replace(
            "by|IN|prep|9 the|DT|det|12 evening|NN|pobj|10", "by|IN|prep|9 the|DT|det|14 evening|NN|pobj|12"
        )
        assert outcome(with_object)[2:] == ("The army lost its flag by the evening .", None)

    def test_another_name_of_the_subject_is_not_repeated(self):
        text = (
            "Androids|NNS|nsubjpass|7 ,|,|punct|1 or|CC|cc|1 gynoids|NNS|conj|1 ,|,|punct|1 are|VBP|auxpass|7 seen|VBN|ROOT|0 "
            "and|CC|cc|7 can|MD|aux|11 be|VB|auxpass|11 feared|VBN|conj|7 by|IN|agent|11 men|NNS|pobj|12 .|.|punct|7"
        )
        assert outcome(text)[2] == "Androids can be feared by men ."

    def test_shared_negation_is_rejected(self):
        assert outcome(parses.NEGATED)[3] == "SHARED_PART"

    def test_conjunction_of_nouns_before_it_is_passed_over(self):
        text = (
            "It|PRP|nsubj|2 shows|VBZ|ROOT|0 in|IN|prep|2 music|NN|pobj|3 and|CC|cc|4 dance|NN|conj|4 "
            ",|,|punct|2 and|CC|cc|2 "
            "shapes|VBZ|conj|2 the|DT|det|11 speech|NN|dobj|9 .|.|punct|2"
        )
        assert outcome(text)[1:] == ("It shows in music and dance .", "It shapes the speech .", None)

    def test_three_predicates_are_rejected(self):
        assert outcome(parses.LIST3)[3] == "LIST"

    def test_copula_belongs_to_sentence_coordination(self):
        assert outcome(parses.COPULA)[0] == "SINGLE_S_COORD"

    def test_nouns_are_none(self):
        assert verb_phrase_coordination.find(parse(parses.NAMES_AND)) is None
