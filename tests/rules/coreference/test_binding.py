"""Who a pronoun cannot mean by syntax: looked up among the candidates, before any weights."""

from gistmill.rules.coreference.chains import _near_pairs, decide
from gistmill.rules.coreference.scorer import ask
from gistmill.rules.documents import Sentence
from tests.rules.discofuse import parses
from tests.testing import parsed


def candidates(sentences: list[Sentence], pronoun: str, *, title: str = "") -> set[str]:
    """Returns the texts of the candidates of the last pronoun with this text."""

    def text(m):
        return " ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end])

    question = [q for q in ask(sentences, title=title)[2] if text(q.pronoun) == pronoun][-1]
    return {text(x) for x in question.candidates}


BEFORE = parsed("Ben|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0||leave .|.|punct|2")


class TestObjects:
    def test_not_the_subject_through_an_open_complement(self):
        wanted = parsed(
            "Tom|NNP|nsubj|2|B-PERSON wanted|VBD|ROOT|0||want to|TO|aux|4 help|VB|xcomp|2 him|PRP|dobj|4 .|.|punct|2"
        )
        assert candidates([BEFORE, wanted], "him") == {"Ben"}

    def test_nor_any_other_mention_of_that_subject(self):
        tom = parsed("Tom|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0||leave .|.|punct|2")
        hit = parsed("Tom|NNP|nsubj|2|B-PERSON hit|VBD|ROOT|0 him|PRP|dobj|2 .|.|punct|2")
        assert candidates([tom, BEFORE, hit], "him", title="Tom") == {"Ben"}

    def test_the_object_is_the_understood_subject(self):
        told = parsed(parses.of("Tom told Sam to help him ."))
        assert candidates([BEFORE, told], "him") == {"Ben", "Tom"}

    def test_but_who_promises_acts(self):
        promised = parsed(parses.of("Tom promised Sam to help him ."))
        assert candidates([BEFORE, promised], "him") == {"Ben", "Sam"}

    def test_not_who_the_relative_clause_says_it_of(self):
        man = parsed(
            "Tom|NNP|nsubj|5|B-PERSON who|WP|nsubj|3 hit|VBD|relcl|1 him|PRP|dobj|3 left|VBD|ROOT|0||leave .|.|punct|5"
        )
        assert candidates([BEFORE, man], "him") == {"Ben"}

    def test_conjoined_and_participle_verbs_share_the_subject(self):
        came = parsed(
            "Tom|NNP|nsubj|2|B-PERSON came|VBD|ROOT|0||come and|CC|cc|2 hit|VBD|conj|2 him|PRP|dobj|4 .|.|punct|2"
        )
        left = parsed(
            "Tom|NNP|nsubj|2|B-PERSON came|VBD|ROOT|0||come ,|,|punct|2 hitting|VBG|advcl|2 him|PRP|dobj|4 .|.|punct|2"
        )
        assert candidates([BEFORE, came], "him") == candidates([BEFORE, left], "him") == {"Ben"}

    def test_a_clause_with_its_own_subject_is_free(self):
        said = parsed(parses.of("Tom said Sam hit him ."))
        assert candidates([said], "him") == {"Tom"}

    def test_possessives_are_free(self):
        hit = parsed("Tom|NNP|nsubj|2|B-PERSON hit|VBD|ROOT|0 his|PRP$|poss|4 car|NN|dobj|2 .|.|punct|2")
        assert candidates([hit], "his") == {"Tom"}

    def test_reflexive_of_a_controlled_verb(self):
        told = parsed(parses.of("Tom told Sam to help himself ."))
        assert candidates([told], "himself") == {"Sam"}


class TestPhrases:
    def test_place_and_company_do_not_bar_the_subject(self):
        for preposition, free in (("behind", True), ("with", True), ("to", False), ("of", False)):
            sentence = parsed(
                f"Tom|NNP|nsubj|2|B-PERSON looked|VBD|ROOT|0||look {preposition}|IN|prep|2 him|PRP|pobj|3 .|.|punct|2"
            )
            assert ("Tom" in candidates([BEFORE, sentence], "him")) == free, preposition

    def test_owner_in_a_phrase_of_the_noun(self):
        boy = parsed(
            "A|DT|det|2 boy|NN|nsubj|6 with|IN|prep|2 his|PRP$|poss|5 dog|NN|pobj|3 left|VBD|ROOT|0 .|.|punct|6"
        )
        assert candidates([boy], "his") == {"A boy"}
        friend = parsed(
            "A|DT|det|2 friend|NN|nsubj|6 of|IN|prep|2 his|PRP$|poss|5 wife|NN|pobj|3 left|VBD|ROOT|0 .|.|punct|6"
        )
        assert candidates([BEFORE, friend], "his") == {"Ben"}

    def test_a_predicate_stands_behind_its_subject(self):
        are = parsed("The|DT|det|2 algae|NNS|nsubj|3||alga are|VBP|ROOT|0||be plants|NNS|attr|3||plant .|.|punct|3")
        they = parsed("They|PRP|nsubj|2 grow|VBP|ROOT|0 .|.|punct|2")
        assert candidates([are, they], "They") == {"The algae"}


class TestDecide:
    HIT = [
        parsed("Tom|NNP|nsubj|2|B-PERSON met|VBD|ROOT|0||meet Sam|NNP|dobj|2|B-PERSON .|.|punct|2"),
        parsed("He|PRP|nsubj|2 hit|VBD|ROOT|0 him|PRP|dobj|2 .|.|punct|2"),
    ]

    def test_subject_and_object_differ(self):
        questions = ask(self.HIT)[2]
        tom, sam = (c.number for c in ask(self.HIT)[1])
        he, him = {-1: 0.1, tom: 0.7, sam: 0.2}, {-1: 0.1, tom: 0.5, sam: 0.4}
        assert decide(questions, [he, him]) == [(tom, 0.7), (sam, 0.4)]
        # the object keeps it where the subject loses less
        he, him = {-1: 0.1, tom: 0.5, sam: 0.4}, {-1: 0.1, tom: 0.8, sam: 0.1}
        assert decide(questions, [he, him]) == [(sam, 0.4), (tom, 0.8)]

    def test_nobody_twice(self):
        questions = ask(self.HIT)[2]
        tom, sam = (c.number for c in ask(self.HIT)[1])
        none = {-1: 0.6, tom: 0.2, sam: 0.2}
        assert decide(questions, [none, none]) == [(-1, 0.6), (-1, 0.6)]


def test_pronouns_are_near_up_to_three_sentences():
    for apart, near in ((3, True), (4, False)):
        left = parsed("He|PRP|nsubj|2 left|VBD|ROOT|0||leave .|.|punct|2")
        rain = parsed("Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall .|.|punct|2")
        questions = ask([left, *[rain] * (apart - 1), left])[2]
        assert list(_near_pairs(questions)) == ([(0, 1)] if near else []), apart
