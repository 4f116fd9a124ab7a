"""The phrase that replaces an anaphor: its form, and what speaks against it."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora.antecedents import is_fuller, phrase
from gistmill.rules.discofuse.nouns.noun_phrases import can_return, core, definite
from tests.rules.discofuse.helpers import outcome, parse
from tests.testing import mention


def noun_phrase(*items: str):
    """The words of ``word|tag|label`` items that hang on the last of them, the subject of "won"."""
    size = len(items)
    inner = [f"{item}|{size}" for item in items[:-1]]
    made = parse(" ".join([*inner, f"{items[-1]}|{size + 1}", "won|VBD|ROOT|0", f".|.|punct|{size + 1}"]))
    return core(made, size - 1)


def said_again(*items: str) -> str:
    """The second mention of a noun phrase; "-" where it has none."""
    words = definite(noun_phrase(*items))
    return " ".join(w.text for w in words) if can_return(words) else "-"


class TestSecondMention:
    @pytest.mark.parametrize(
        ("items", "expected"),
        [
            (("a|DT|det", "mill|NN|nsubj"), "the mill"),
            (("A|DT|det", "mill|NN|nsubj"), "The mill"),
            (("the|DT|det", "mill|NN|nsubj"), "the mill"),
            (("his|PRP$|poss", "mill|NN|nsubj"), "his mill"),
            (("three|CD|nummod", "candidates|NNS|nsubj"), "the three candidates"),
            (("Two|CD|nummod", "men|NNS|nsubj"), "The two men"),
            (("some|DT|det", "villagers|NNS|nsubj"), "the villagers"),
            (("Several|JJ|amod", "villagers|NNS|nsubj"), "The villagers"),
            (("a|DT|det", "few|JJ|amod", "colleagues|NNS|nsubj"), "the colleagues"),
            (("a|DT|det", "certain|JJ|amod", "Dr.|NNP|compound", "Weiss|NNP|nsubj"), "Dr. Weiss"),
            (("A|DT|det", "Mr.|NNP|compound", "Grant|NNP|nsubj"), "Mr. Grant"),
            (("a|DT|det", "certain|JJ|amod", "town|NN|nsubj"), "the town"),
            (("One|CD|nummod", "mill|NN|nsubj"), "The mill"),
            (("one|CD|nummod", "old|JJ|amod", "mill|NN|nsubj"), "the old mill"),
        ],
    )
    def test_definite(self, items, expected):
        assert said_again(*items) == expected

    @pytest.mark.parametrize(
        "items",
        [
            ("Both|DT|det", "brothers|NNS|nsubj"),
            ("no|DT|det", "man|NN|nsubj"),
            ("most|JJS|amod", "people|NNS|nsubj"),
            ("other|JJ|amod", "alchemists|NNS|nsubj"),
            ("another|DT|det", "man|NN|nsubj"),
            ("the|DT|det", "following|VBG|amod", "rules|NNS|nsubj"),
            ("About|RB|advmod", "200|CD|nummod", "people|NNS|nsubj"),
            ("about|IN|quantmod", "200|CD|nummod", "people|NNS|nsubj"),
            ("some|DT|det", "idea|NN|nsubj"),
            ("One|CD|nummod", "or|CC|cc", "several|JJ|conj", "men|NNS|nsubj"),
        ],
    )
    def test_nothing_that_means_the_same(self, items):
        assert said_again(*items) == "-"

    def test_superlative_is_not_a_quantity(self):
        assert said_again("the|DT|det", "most|RBS|advmod", "famous|JJ|amod", "painter|NN|nsubj") == (
            "the most famous painter"
        )

    def test_one_of_many(self):
        text = "One|CD|nsubj|5 of|IN|prep|1 the|DT|det|4 men|NNS|pobj|2 won|VBD|ROOT|0 .|.|punct|5"
        assert not can_return(core(parse(text), 0))

    def test_adverb_of_the_clause_is_left_out(self):
        text = "The|DT|det|2 king|NN|nsubj|4 later|RB|advmod|2 won|VBD|ROOT|0 .|.|punct|4"
        assert [w.text for w in core(parse(text), 1)] == ["The", "king"]
        text = "The|DT|det|2 king|NN|nsubj|5 in|IN|prep|2 turn|NN|pobj|3 won|VBD|ROOT|0 .|.|punct|5"
        assert [w.text for w in core(parse(text), 1)] == ["The", "king"]


THEY = "They|PRP|nsubj|2 left|VBD|ROOT|0 the|DT|det|4 town|NN|dobj|2 .|.|punct|2"
ITS = "Its|PRP$|poss|2 aim|NN|nsubj|3 was|VBD|ROOT|0 clear|JJ|acomp|3 .|.|punct|3"
SHE = THEY.replace("They", "She")
IT = "It|PRP|nsubj|2 grew|VBD|ROOT|0 in|IN|prep|2 May|NNP|pobj|3 .|.|punct|2"


def replaced(first: str, span: tuple[int, int], second: str, anaphor: tuple[int, int, str], **config) -> str:
    """The second sentence after the replacement of an anaphor by a nominal, as tokens."""
    start, end = span
    clusters = [[mention(0, start, end, "nominal"), mention(1, *anaphor, confidence=0.9)]]
    return outcome(first, second, clusters=clusters, conventions="extended", **config)[2]


class TestForm:
    def test_number_inside_a_sentence_is_in_small_letters(self):
        first = "Two|CD|nummod|2|B-CARDINAL men|NNS|nsubj|3 ran|VBD|ROOT|0 away|RB|advmod|3 .|.|punct|3"
        second = "Police|NNS|nsubj|2 arrested|VBD|ROOT|0 them|PRP|dobj|2 there|RB|advmod|2 .|.|punct|2"
        assert replaced(first, (0, 2), second, (2, 3, "pronoun")) == "Police arrested the two men there ."

    def test_group_of_a_past_clause_is_definite(self):
        first = "Scientists|NNS|nsubj|2 built|VBD|ROOT|0 the|DT|det|4 mill|NN|dobj|2 .|.|punct|2"
        assert replaced(first, (0, 1), THEY, (0, 1, "pronoun")) == "The scientists left the town ."
        # all of their kind
        first = first.replace("built|VBD", "build|VBP").replace("the|DT|det|4 mill|NN", "many|JJ|amod|4 mills|NNS")
        assert replaced(first, (0, 1), THEY, (0, 1, "pronoun")) == "Scientists left the town ."

    def test_complement_with_of_is_kept_unless_possessive(self):
        first = (
            "The|DT|det|2 capital|NN|nsubj|5 of|IN|prep|2 France|NNP|pobj|3|B-GPE grew|VBD|ROOT|0 fast|RB|advmod|5 "
            ".|.|punct|5"
        )
        assert replaced(first, (0, 2), IT, (0, 1, "pronoun")) == "The capital of France grew in May ."
        assert replaced(first, (0, 2), ITS, (0, 1, "pronoun")) == "The capital 's aim was clear ."

    def test_no_possessive_on_a_clause(self):
        first = (
            "He|PRP|nsubj|2 passed|VBD|ROOT|0 the|DT|det|4 bill|NN|dobj|2 that|WDT|nsubj|6 became|VBD|relcl|4 "
            "law|NN|attr|6 .|.|punct|2"
        )
        assert replaced(first, (2, 4), ITS, (0, 1, "pronoun")) == "The bill 's aim was clear ."

    def test_what_only_its_clause_names_is_not_replaced(self):
        first = (
            "He|PRP|nsubj|2 built|VBD|ROOT|0 the|DT|det|5 first|JJ|amod|5 mill|NN|dobj|2 that|WDT|nsubj|7 "
            "had|VBD|relcl|5 steam|NN|dobj|7 .|.|punct|2"
        )
        assert replaced(first, (2, 5), IT, (0, 1, "pronoun")) == "It grew in May ."

    def test_name_behind_an_indefinite_article_has_none(self):
        first = "An|DT|det|3 Ada|NNP|compound|3|B-PERSON Grey|NNP|nsubj|4|I-PERSON won|VBD|ROOT|0 .|.|punct|4"
        assert replaced(first, (0, 3), SHE, (0, 1, "pronoun")) == "Ada Grey left the town ."
        # one of his works
        first = "A|DT|det|3 Ada|NNP|compound|3|B-PERSON drawing|NN|nsubj|4 won|VBD|ROOT|0 .|.|punct|4"
        assert replaced(first, (0, 3), IT, (0, 1, "pronoun")) == "The Ada drawing grew in May ."

    def test_capital_of_a_sentence_behind_its_number_is_left_behind(self):
        first = (
            "(|-LRB-|punct|5 3|CD|meta|5 )|-RRB-|punct|5 The|DT|det|5 Senate|NNP|nsubj|6|B-ORG met|VBD|ROOT|0 "
            ".|.|punct|6"
        )
        second = "Now|RB|advmod|3 it|PRP|nsubj|3 grew|VBD|ROOT|0 in|IN|prep|3 May|NNP|pobj|4|B-DATE .|.|punct|3"
        assert replaced(first, (3, 5), second, (1, 2, "pronoun")) == "Now the Senate grew in May ."
        first = "We|PRP|nsubj|2 saw|VBD|ROOT|0 The|DT|det|4 Rocks|NNP|dobj|2|B-ORG .|.|punct|2"
        assert replaced(first, (2, 4), second.replace("it|", "it|"), (1, 2, "pronoun")).startswith("Now The Rocks")

    def test_modifier_of_another_noun_is_not_a_phrase(self):
        first = "Leeds|NNP|compound|2|B-GPE seat|NN|nsubjpass|4 was|VBD|auxpass|4 lost|VBN|ROOT|0 .|.|punct|4"
        assert phrase(parse(first), mention(0, 0, 1, "name"), limit=8, possessive=False) == ()
        first = "Leeds|NNP|nsubjpass|3|B-GPE was|VBD|auxpass|3 lost|VBN|ROOT|0 .|.|punct|3"
        assert replaced(first, (0, 1), IT, (0, 1, "pronoun")) == "Leeds grew in May ."

    def test_adjective_of_a_person_is_left_behind(self):
        first = "Young|JJ|amod|2 Ada|NNP|nsubj|3|B-PERSON won|VBD|ROOT|0 .|.|punct|3"
        said = phrase(parse(first), mention(0, 1, 2, "name"), limit=8, possessive=False)
        assert [w.text for w in said] == ["Ada"]
        said = phrase(parse(first.replace("PERSON", "GPE")), mention(0, 1, 2, "name"), limit=8, possessive=False)
        assert [w.text for w in said] == ["Young", "Ada"]

    def test_another_person_of_the_same_gender_may_be_meant(self):
        first = "Leo|NNP|nsubj|2|B-PERSON praised|VBD|ROOT|0 {}|PRP$|poss|4 plan|NN|dobj|2 .|.|punct|2"
        second = THEY.replace("They", "He")
        assert replaced(first.format("her"), (0, 1), second, (0, 1, "pronoun")) == "Leo left the town ."
        assert replaced(first.format("his"), (0, 1), second, (0, 1, "pronoun")) == "He left the town ."

    def test_somebody_s_deed_is_not_what_the_half_before_was_about(self):
        first = "The|DT|det|2 weather|NN|nsubj|3 changed|VBD|ROOT|0 then|RB|advmod|3 .|.|punct|3"
        second = "It|PRP|nsubj|2 was|VBD|ROOT|0||be {} victory|NN|attr|2 there|RB|advmod|2 .|.|punct|2"
        own = second.format("his|PRP$|poss|4")
        assert replaced(first, (0, 2), own, (0, 1, "pronoun")) == "It was his victory there ."
        other = second.format("no|DT|det|4").replace("victory", "storm")
        assert replaced(first, (0, 2), other, (0, 1, "pronoun")) == "The weather was no storm there ."

    def test_he_or_she_is_nobody_in_particular(self):
        first = "Ada|NNP|nsubj|2|B-PERSON won|VBD|ROOT|0 .|.|punct|2"
        second = "He|PRP|nsubj|4 /|SYM|punct|1 she|PRP|conj|1 left|VBD|ROOT|0 the|DT|det|6 town|NN|dobj|4 .|.|punct|4"
        assert replaced(first, (0, 1), second, (2, 3, "pronoun")).startswith("He / she left")

    def test_demonstrative_of_the_antecedent_becomes_an_article(self):
        first = "This|DT|det|2 mill|NN|nsubj|3 was|VBD|ROOT|0 old|JJ|acomp|3 .|.|punct|3"
        assert replaced(first, (0, 2), IT, (0, 1, "pronoun")) == "The mill grew in May ."


REPORT = "He|PRP|nsubj|2 wrote|VBD|ROOT|0 a|DT|det|5 long|JJ|amod|5 letter|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
LETTER = "This|DT|det|2 letter|NN|nsubj|3 made|VBD|ROOT|0 him|PRP|dobj|3 famous|JJ|oprd|3 .|.|punct|3"


class TestRepeatedNoun:
    def link(self, confidence: float):
        return [[mention(0, 2, 5, "nominal"), mention(1, 0, 2, "nominal", confidence=confidence)]]

    def test_demonstrative_is_surer_than_its_link(self):
        made = outcome(REPORT, LETTER, clusters=self.link(0.71), conventions="extended")
        assert made[:3:2] == ("PAIR_ANAPHORA", "The long letter made him famous .")
        made = outcome(REPORT, LETTER, clusters=self.link(0.3), conventions="extended")
        assert made[::3] == ("PAIR_NONE", "UNRESOLVED_ANAPHOR")
        # two letters: which one?
        first = REPORT.replace("there|RB|advmod|2", "letters|NNS|dobj|2||letter")
        made = outcome(first, LETTER, clusters=self.link(0.71), conventions="extended")
        assert made[::3] == ("PAIR_NONE", "UNRESOLVED_ANAPHOR")

    def test_definite_noun_by_its_fuller_form(self):
        second = LETTER.replace("This", "The")
        made = outcome(REPORT, second, clusters=self.link(0.8), conventions="extended")
        assert made[2] == "The long letter made him famous ."

    def test_predicate_is_said_of_another(self):
        first = REPORT.replace("wrote|VBD|ROOT|0", "was|VBD|ROOT|0||be").replace("dobj", "attr")
        assert outcome(first, LETTER, clusters=self.link(0.9), conventions="extended")[0] == "PAIR_NONE"

    def test_times_do_not_come_back(self):
        first = REPORT.replace("letter|NN|dobj|2", "year|NN|dobj|2|B-DATE")
        second = LETTER.replace("letter", "year")
        assert outcome(first, second, clusters=self.link(0.9), conventions="extended")[0] == "PAIR_NONE"

    def test_the_same_words_are_not_anaphora(self):
        first = "He|PRP|nsubj|2 wrote|VBD|ROOT|0 a|DT|det|4 letter|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
        link = [[mention(0, 2, 4, "nominal"), mention(1, 0, 2, "nominal", confidence=0.9)]]
        second = LETTER.replace("This", "The").replace("him|PRP", "Walsh|NNP")
        assert outcome(first, second, clusters=link, conventions="extended")[0] == "PAIR_NONE"

    def test_noun_with_a_complement_of_its_own_stays(self):
        second = (
            "The|DT|det|2 letter|NN|nsubj|5 of|IN|prep|2 Walsh|NNP|pobj|3 came|VBD|ROOT|0 late|RB|advmod|5 .|.|punct|5"
        )
        assert outcome(REPORT, second, clusters=self.link(0.9), conventions="extended")[0] == "PAIR_NONE"

    def test_another_number_is_another_thing(self):
        second = LETTER.replace("This|DT|det|2 letter|NN", "These|DT|det|2 letters|NNS")
        assert outcome(REPORT, second, clusters=self.link(0.9), conventions="extended")[0] == "PAIR_NONE"


class TestWhatSpeaksAgainstIt:
    def test_subject_of_the_sentence_before_is_likelier(self):
        first = "Congress|NNP|nsubj|2|B-ORG passed|VBD|ROOT|0 the|DT|det|4 bill|NN|dobj|2 .|.|punct|2"
        assert replaced(first, (2, 4), ITS, (0, 1, "pronoun")) == "Its aim was clear ."

    def test_kind_of_the_predicate(self):
        first = "He|PRP|nsubj|2 bought|VBD|ROOT|0 the|DT|det|4 house|NN|dobj|2 .|.|punct|2"
        second = "It|PRP|nsubj|2 was|VBD|ROOT|0||be the|DT|det|4 {}|NN|attr|2 there|RB|advmod|2 .|.|punct|2"
        clusters = [[mention(0, 2, 4, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        for noun, reason in (("building", None), ("singer", "KIND"), ("example", None)):
            made = outcome(first, second.format(noun), clusters=clusters, conventions="released")
            assert made[::3] == ("PAIR_ANAPHORA", reason), noun

    def test_kind_of_a_nominal(self):
        first = "Walsh|NNP|compound|2|B-PERSON Brown|NNP|nsubj|3|I-PERSON ran|VBD|ROOT|0 away|RB|advmod|3 .|.|punct|3"
        first = first.replace("Walsh", "James")
        for noun, kind in (("singer", "PAIR_ANAPHORA"), ("bridge", "PAIR_NONE")):
            second = f"The|DT|det|2 {noun}|NN|nsubj|3 fell|VBD|ROOT|0 down|RP|prt|3 .|.|punct|3"
            clusters = [[mention(0, 0, 2, "name"), mention(1, 0, 2, "nominal", confidence=0.9)]]
            assert outcome(first, second, clusters=clusters, conventions="extended")[0] == kind, noun

    def test_article_of_the_name_is_not_said_before(self):
        first = (
            "The|DT|det|2 University|NNP|nsubj|5|B-ORG of|IN|prep|2|I-ORG Oxford|NNP|pobj|3|I-ORG grew|VBD|ROOT|0 "
            "fast|RB|advmod|5 .|.|punct|5"
        )
        second = "The|DT|det|2 university|NN|nsubj|3 has|VBZ|ROOT|0 a|DT|det|5 museum|NN|dobj|3 .|.|punct|3"
        clusters = [[mention(0, 1, 4, "name", head=1), mention(1, 0, 2, "nominal", confidence=0.9)]]
        made = outcome(first, second, clusters=clusters, conventions="extended")
        assert made[2] == "The University of Oxford has a museum ."

    def test_noun_said_of_another_before(self):
        first = (
            "Harvard|NNP|nsubj|2|B-ORG left|VBD|ROOT|0 the|DT|det|4 university|NN|dobj|2 in|IN|prep|4 "
            "Leeds|NNP|pobj|5|B-GPE .|.|punct|2"
        )
        second = "The|DT|det|2 university|NN|nsubj|3 has|VBZ|ROOT|0 a|DT|det|5 museum|NN|dobj|3 .|.|punct|3"
        clusters = [[mention(0, 0, 1, "name"), mention(1, 0, 2, "nominal", confidence=0.9)]]
        assert outcome(first, second, clusters=clusters, conventions="extended")[0] == "PAIR_NONE"
        # the same once more is not another
        clusters = [[clusters[0][0], mention(0, 2, 4, "nominal"), clusters[0][1]]]
        assert outcome(first, second, clusters=clusters, conventions="extended")[2] == "Harvard has a museum ."

    def test_part_of_another_name_is_not_repetition(self):
        first = "Carnegie|NNP|nsubj|2|B-PERSON made|VBD|ROOT|0 steel|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
        second = (
            "He|PRP|nsubj|2 built|VBD|ROOT|0 the|DT|det|5|B-ORG Carnegie|NNP|compound|5|I-ORG Hall|NNP|dobj|2|I-ORG "
            ".|.|punct|2"
        )
        clusters = [[mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        made = outcome(first, second, clusters=clusters, conventions="extended")
        assert made[2] == "Carnegie built the Carnegie Hall ."

    def test_group_may_be_they(self):
        first = "The|DT|det|2 crew|NN|nsubj|3 slept|VBD|ROOT|0 there|RB|advmod|3 .|.|punct|3"
        assert replaced(first, (0, 2), THEY, (0, 1, "pronoun")) == "The crew left the town ."
        assert replaced(first.replace("crew", "mill"), (0, 2), THEY, (0, 1, "pronoun")) == "They left the town ."

    @pytest.mark.parametrize(
        "second",
        [
            "It|PRP|nsubj|2 was|VBD|ROOT|0 near|IN|prep|2 Bath|NNP|pobj|3 that|IN|mark|7 he|PRP|nsubj|7 "
            "fell|VBD|ccomp|2|| .|.|punct|2",
            "It|PRP|nsubj|2 became|VBD|ROOT|0||become clear|JJ|acomp|2 that|IN|mark|6 he|PRP|nsubj|6 "
            "fell|VBD|ccomp|3 .|.|punct|2",
            "It|PRP|nsubj|2 rained|VBD|ROOT|0||rain all|DT|det|4 day|NN|npadvmod|2 .|.|punct|2",
        ],
    )
    def test_pronoun_whose_noun_comes_later_or_never(self, second):
        first = "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 down|RP|prt|3 .|.|punct|3"
        second = second.replace("was|VBD|ROOT|0", "was|VBD|ROOT|0||be")
        assert replaced(first, (0, 2), second, (0, 1, "pronoun")).startswith("It ")


class TestEveryMention:
    RIDER = "Rider|NNP|nsubj|2|B-PERSON entered|VBD|ROOT|0 the|DT|det|4 race|NN|dobj|2 .|.|punct|2"

    def second(self, text: str, *places: int, confidence: float = 0.9):
        mentions = [mention(1, i, i + 1, "pronoun", confidence=confidence) for i in places]
        return outcome(self.RIDER, text, clusters=[[mention(0, 0, 1, "name"), *mentions]], conventions="extended")[2]

    def test_consistently(self):
        text = (
            "He|PRP|nsubj|2 left|VBD|ROOT|0 ,|,|punct|2 and|CC|cc|2 his|PRP$|poss|6 wife|NN|nsubj|7 saw|VBD|conj|2 "
            "him|PRP|dobj|7 .|.|punct|2"
        )
        assert self.second(text, 0, 4, 7) == "Rider left , and Rider 's wife saw Rider ."

    def test_possessive_of_its_own_subject_stays(self):
        text = "He|PRP|nsubj|2 hurt|VBD|ROOT|0 his|PRP$|poss|5 left|JJ|amod|5 leg|NN|dobj|2 .|.|punct|2"
        assert self.second(text, 0, 2) == "Rider hurt his left leg ."

    REPORT = "He|PRP|nsubj|2 said|VBD|ROOT|0 that|IN|mark|5 he|PRP|nsubj|5 won|VBD|ccomp|2 .|.|punct|2"

    def test_what_the_first_one_rules_over_stays(self):
        assert self.second(self.REPORT, 0, 3) == "Rider said that he won ."
        assert self.second(self.REPORT, 3) == "He said that he won ."

    def test_what_the_first_one_does_not_rule_over_is_replaced(self):
        joined = self.REPORT.replace("that|IN|mark|5", "and|CC|cc|2").replace("won|VBD|ccomp", "won|VBD|conj")
        assert self.second(joined, 0, 3) == "Rider said and Rider won ."

    def test_what_does_not_agree_with_the_phrase_before_it_is_replaced(self):
        team = "The|DT|det|2 team|NN|nsubj|3 won|VBD|ROOT|0 .|.|punct|3"
        text = "They|PRP|nsubj|2 said|VBD|ROOT|0 they|PRP|nsubj|4 left|VBD|ccomp|2 .|.|punct|2"
        mentions = [mention(1, i, i + 1, "pronoun", confidence=0.9) for i in (0, 2)]
        made = outcome(team, text, clusters=[[mention(0, 0, 2, "nominal"), *mentions]], conventions="extended")
        assert made[2] == "The team said the team left ."

    @pytest.mark.parametrize(("marks", "who"), [(('"', '"'), "he"), (("``", "''"), "he"), (("(", ")"), "Rider")])
    def test_words_of_a_quotation_stay(self, marks, who):
        text = (
            "A|DT|det|2 poster|NN|nsubj|3 said|VBD|ROOT|0 {}|``|punct|3 he|PRP|nsubj|6 won|VBD|ccomp|3 {}|''|punct|3 "
            "before|IN|mark|10 he|PRP|nsubj|10 left|VBD|advcl|3 .|.|punct|3"
        ).format(*marks)
        given = {"clusters": [[mention(0, 0, 1, "name"), *(mention(1, i, i + 1, "pronoun") for i in (4, 8))]]}
        made = outcome(self.RIDER, text, conventions="extended", **given)
        assert made[2:] == (f"A poster said {marks[0]} {who} won {marks[1]} before Rider left .", None)

    def test_none_behind_a_name_that_stays(self):
        text = (
            "Rider|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0 and|CC|cc|2 the|DT|det|5 crowd|NN|nsubj|6 saw|VBD|conj|2 "
            "him|PRP|dobj|6 .|.|punct|2"
        )
        clusters = [[mention(0, 0, 1, "name"), mention(1, 0, 1, "name"), mention(1, 6, 7, "pronoun", confidence=0.9)]]
        made = outcome(self.RIDER, text, clusters=clusters, conventions="extended")
        assert made[::3] == ("PAIR_NONE", None)


class TestNumberOfNames:
    FIRST = "Caecilians|NNP|nsubj|2 {}|ROOT|0 worms|NNS|dobj|2 .|.|punct|2"
    SECOND = "They|PRP|nsubj|2 live|VBP|ROOT|0 there|RB|advmod|2 .|.|punct|2"

    def test_its_own_verb_shows_it(self):
        clusters = [[mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        made = outcome(self.FIRST.format("resemble|VBP"), self.SECOND, clusters=clusters)
        assert made[2:] == ("Caecilians live there .", None)
        assert outcome(self.FIRST.format("resembles|VBZ"), self.SECOND, clusters=clusters)[3] is not None


class TestSaidOfGroups:
    def test_a_company_is_a_supplier(self):
        first = "The|DT|det|2 company|NN|nsubj|3 grew|VBD|ROOT|0 .|.|punct|3"
        second = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 {}|NN|attr|2 .|.|punct|2"
        clusters = [[mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
        assert outcome(first, second.format("supplier"), clusters=clusters)[3] is None
        assert outcome(first, second.format("mountain"), clusters=clusters)[3] == "KIND"


def test_a_phrase_behind_a_person_is_not_of_the_name():
    text = (
        "Leo|NNP|nsubj|2 left|VBD|ROOT|0||leave Ada|NNP|dobj|2|B-PERSON|Ada {}|IN|prep|3 Bea|NNP|pobj|4|{}|Bea "
        ".|.|punct|2"
    )
    ada = mention(0, 2, 5, "name", head=2)
    for preposition, words in (("for", "Ada"), ("of", "Ada of Bea")):
        made = phrase(parse(text.format(preposition, "")), ada, limit=8, possessive=False)
        assert " ".join(w.text for w in made) == words


def test_a_noun_with_its_own_modifiers_gets_no_second_article():
    first = parse("The|DT|det|3 Low|NNP|compound|3 Mill|NNP|nsubj|4|B-FAC|Mill closed|VBD|ROOT|0||close .|.|punct|4")
    text = "The|DT|det|{0} {1}mill|NN|nsubj|{2} reopened|VBD|ROOT|0||reopen .|.|punct|{2}"
    low_mill = mention(0, 0, 3, "name", head=2)
    words = phrase(first, low_mill, limit=8, possessive=False)
    modified = parse(text.format(3, "new|JJ|amod|3 ", 4))
    assert not is_fuller(first, low_mill, modified, mention(1, 2, 3, "nominal"), words)
    bare = parse(text.format(2, "", 3))
    assert is_fuller(first, low_mill, bare, mention(1, 1, 2, "nominal"), words)


@pytest.mark.parametrize(
    ("more", "fuller"), [("5|CD|nummod|2|I-ORG", False), ("City|NNPS|nmod|2|I-ORG", True)], ids=["score", "name"]
)
def test_a_score_is_not_part_of_a_name(more, fuller):
    first = parse(f"the|DT|det|2 Bears|NNPS|nsubj|4|B-ORG {more} won|VBD|ROOT|0 .|.|punct|4")
    second = parse("The|DT|det|2 Bears|NNPS|nsubj|3|B-ORG lost|VBD|ROOT|0 .|.|punct|3")
    whole = mention(0, 0, 3, "name", head=1)
    words = phrase(first, whole, limit=8, possessive=False)
    assert is_fuller(first, whole, second, mention(1, 0, 2, "name"), words) == fuller


def test_what_is_compared_is_the_same_when_it_comes_back():
    first = "It|PRP|nsubj|2 fed|VBD|ROOT|0 smaller|JJR|amod|4||small streams|NNS|pobj|2||stream .|.|punct|2"
    second = "They|PRP|nsubj|2 run|VBP|ROOT|0 west|RB|advmod|2 .|.|punct|2"
    made = outcome(first, second, clusters=[[mention(0, 2, 4, "nominal"), mention(1, 0, 1, "pronoun")]])
    assert made[2] == "The smaller streams run west ."


@pytest.mark.parametrize(
    ("before", "made"),
    [
        # whatever the tagger took "that" for
        ("said|VBD|ROOT|0 that|DT|mark|6", "Ada said that the old mill closed ."),
        ("said|VBD|ROOT|0 that|IN|mark|6", "Ada said that the old mill closed ."),
    ],
)
def test_a_conjunction_is_not_a_determiner_of_the_mention(before, made):
    first = "The|DT|det|3 old|JJ|amod|3 mill|NN|nsubj|4 fell|VBD|ROOT|0 down|RP|prt|4 .|.|punct|4"
    second = f"Ada|NNP|nsubj|2 {before} the|DT|det|5 mill|NN|nsubj|6 closed|VBD|ccomp|2 .|.|punct|2"
    assert replaced(first, (0, 3), second, (3, 5, "nominal")) == made


@pytest.mark.parametrize(("predicate", "made"), [("lovers|NNS", "They"), ("famous|JJ", "The family")])
def test_many_are_not_replaced_by_one(predicate, made):
    first = "The|DT|det|2 family|NN|nsubj|3 left|VBD|ROOT|0 the|DT|det|5 town|NN|dobj|3 .|.|punct|3"
    label = "attr" if predicate.endswith("NNS") else "acomp"
    second = f"They|PRP|nsubj|3 had|VBD|aux|3 become|VBN|ROOT|0 {predicate}|{label}|3 .|.|punct|3"
    assert replaced(first, (0, 2), second, (0, 1, "pronoun")).startswith(made)


class TestSomeOfMany:
    """ "{some} mills in Kent won there ." """

    TEXT = "{0}|DT|det|2 mills|NNS|nsubj|{1}||mill {2} won|VBD|ROOT|0||win .|.|punct|{1}"
    IN_KENT = "in|IN|prep|2 Kent|NNP|pobj|3|B-GPE"

    def said(self, some: str, *, possessive: bool = False) -> str:
        first = parse(self.TEXT.format(some, 5, self.IN_KENT))
        words = phrase(first, mention(0, 0, 2, "nominal"), limit=10, possessive=possessive)
        return " ".join(w.text for w in words)

    @pytest.mark.parametrize("some", ["Some", "Several", "Certain", "Various"])
    def test_what_tells_them_apart_stays(self, some):
        assert self.said(some) == "The mills in Kent"

    @pytest.mark.parametrize(("some", "named"), [("Some", False), ("Several", False), ("The", True)])
    def test_what_some_do_at_any_time_the_others_may_not(self, some, named):
        first = parse(self.TEXT.format(some, 3, "").replace("won|VBD", "win|VBP"))
        assert bool(phrase(first, mention(0, 0, 2, "nominal"), limit=10, possessive=False)) == named

    def test_what_they_lack_stays_too(self):
        first = parse(self.TEXT.format("The", 5, "without|IN|prep|2 roofs|NNS|pobj|3||roof"))
        words = phrase(first, mention(0, 0, 2, "nominal"), limit=10, possessive=False)
        assert " ".join(w.text for w in words) == "The mills without roofs"

    def test_where_it_cannot_stay_they_are_not_named(self):
        assert self.said("Some", possessive=True) == ""

    def test_others_can_do_without(self):
        assert self.said("The") == "The mills"

    def test_nothing_stays_where_nothing_tells_them_apart(self):
        first = parse(self.TEXT.format("Some", 3, ""))
        words = phrase(first, mention(0, 0, 2, "nominal"), limit=10, possessive=False)
        assert " ".join(w.text for w in words) == "The mills"
