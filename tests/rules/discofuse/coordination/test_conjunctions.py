"""Coordination under the extended conventions: the frame of a sentence, the scope of reports and conditions, shared
parts."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.clauses.frames import frame
from tests.rules.discofuse import parses_coordination as p
from tests.rules.discofuse.helpers import found, parse

VP, S = "SINGLE_VP_COORD", "SINGLE_S_COORD"


def second(name: str, kind: str) -> str:
    """The second sentence of the only accepted candidate."""
    ((_, _, made, _),) = [f for f in found(getattr(p, name)) if f[0] == kind and f[3] is None]
    return made


def refused(name: str, kind: str) -> list[str | None]:
    """Why the candidates of a type are refused."""
    return [f[3] for f in found(getattr(p, name)) if f[0] == kind]


class TestList:
    LEASED = (
        "He|PRP|nsubj|2 leased|VBD|ROOT|0||lease land|NN|dobj|2 {cc} rebuilt|VBD|conj|2||rebuild it|PRP|dobj|5 "
        "{list}and|CC|cc|2 abandoned|VBD|conj|2||abandon the|DT|det|{a} house|NN|dobj|{b} there|RB|advmod|{b} .|.|punct|2"
    )

    def test_what_stays_keeps_its_conjunction(self):
        more = ",|,|punct|2 bought|VBD|conj|2||buy it|PRP|dobj|8 ,|,|punct|2 "
        text = self.LEASED.format(cc="and|CC|cc|2", list=more, a=14, b=12)
        assert refused_of(text)[-1] == "LIST"
        chain = text.replace("abandoned|VBD|conj|2", "abandoned|VBD|conj|8").replace("and|CC|cc|2 ab", "and|CC|cc|8 ab")
        assert refused_of(chain)[-1] == "LIST"
        text = self.LEASED.format(cc="and|CC|cc|2", list="", a=10, b=8)
        assert refused_of(text)[-1] is None


def test_verb_in_the_plural_is_not_of_one_person():
    text = (
        "Ada|NNP|nsubj|2|B-{} joined|VBD|ROOT|0||join a|DT|det|4 club|NN|dobj|2 and|CC|cc|2 have|VBP|aux|7 "
        "played|VBN|conj|2||play there|RB|advmod|7 often|RB|advmod|7 .|.|punct|2"
    )
    assert refused_of(text.format("PERSON")) == ["NUMBER"]
    assert refused_of(text.format("ORG")) == [None]


class TestGardenPaths:
    """A parse that cannot be right gives no split."""

    GAS = (
        "The|DT|det|2 gas|NN|nsubj|{v} leaked|VBN|acl|2||leak out|IN|prep|3 of|IN|prep|4 the|DT|det|7 pipe|NN|pobj|5 "
        "fitted|VBD|ROOT|0||fit {by}|IN|{dep}|8 Andrew|NNP|pobj|9|B-PERSON|Andrew and|CC|cc|8 filled|VBD|conj|8||fill "
        "the|DT|det|14 mill|NN|dobj|12 .|.|punct|8"
    )
    SYSTEM = (
        "A|DT|det|2 revolt|NN|nsubj|9 against|IN|prep|2 the|DT|det|5 system|NN|pobj|3 which|WDT|nsubj|7 {w}|{tag}|relcl|5 "
        "now|RB|advmod|9 hates|VBZ|ROOT|0||hate the|DT|det|11 king|NN|dobj|9 and|CC|cc|9 fears|VBZ|conj|9||fear "
        "its|PRP$|poss|15 people|NNS|dobj|13 .|.|punct|9"
    )
    COURSE = (
        "The|DT|det|2 method|NN|nsubj|3 uses|VBZ|ROOT|0||use each|DT|det|5 part|NN|dobj|3 and|CC|cc|3 the|DT|det|8 "
        "course|NN|conj|{head} is|VBZ|conj|3||be fit|JJ|acomp|9 and|CC|cc|9 is|VBZ|conj|9||be also|RB|advmod|12 "
        "good|JJ|acomp|12 for|IN|prep|14 the|DT|det|17 town|NN|pobj|15 .|.|punct|3"
    )

    def test_a_past_tense_has_no_agent(self):
        assert refused_of(self.GAS.format(v=8, by="by", dep="agent")) == ["VERB_FORM"]
        assert refused_of(self.GAS.format(v=8, by="near", dep="prep")) == [None]

    def test_a_passive_has_one(self):
        text = (
            "It|PRP|nsubjpass|3 was|VBD|auxpass|3||be fitted|VBN|ROOT|0||fit by|IN|agent|3 Andrew|NNP|pobj|4|B-PERSON|Andrew "
            "and|CC|cc|3 filled|VBD|conj|3||fill the|DT|det|9 mill|NN|dobj|7 .|.|punct|3"
        )
        assert refused_of(text) == [None]

    def test_a_relative_pronoun_needs_a_verb(self):
        assert refused_of(self.SYSTEM.format(w="as", tag="IN")) == ["AMBIGUOUS"]
        assert refused_of(self.SYSTEM.format(w="failed", tag="VBD")) == [None]

    def test_a_noun_is_not_a_conjunct_of_a_verb(self):
        reasons = [f[3] for f in found(self.COURSE.format(head=3)) if f[0] in (VP, S)]
        assert "WRONG_SCOPE" in reasons and None not in reasons
        assert None in [f[3] for f in found(self.COURSE.format(head=5)) if f[0] in (VP, S)]


class TestNumeralsForSubjects:
    ONE = (
        "{one}|{tag}|nsubj|3{entity} had|VBD|aux|3||have taken|VBN|ROOT|0||take the|DT|det|5 mill|NN|dobj|3 but|CC|cc|3 "
        "sold|VBD|conj|3||sell it|PRP|dobj|7 later|RB|advmod|7 .|.|punct|3"
    )

    @pytest.mark.parametrize(
        ("one", "tag", "expected"),
        [("One", "CD", "AMBIGUOUS"), ("One", "PRP", "AMBIGUOUS"), ("Two", "CD", "AMBIGUOUS"), ("She", "PRP", None)],
    )
    def test_one_of_several_may_be_another_the_second_time(self, one, tag, expected):
        assert refused_of(self.ONE.format(one=one, tag=tag, entity="")) == [expected]


@pytest.mark.parametrize(
    ("we", "says", "tag", "expected"),
    [
        ("We", "says", "VBZ", "NUMBER"),
        ("You", "says", "VBZ", "NUMBER"),
        ("We", "say", "VBP", None),
        ("She", "says", "VBZ", None),
    ],
)
def test_a_verb_in_the_third_person_is_not_of_the_first_or_second(we, says, tag, expected):
    text = (
        f"{we}|PRP|nsubj|2 came|VBD|ROOT|0||come here|RB|advmod|2 ,|,|punct|2 and|CC|cc|2 {says}|{tag}|conj|2||say "
        "there|RB|advmod|6 with|IN|prep|6 us|PRP|pobj|8 .|.|punct|2"
    )
    assert refused_of(text) == [expected]


def test_an_adverb_of_the_second_predicate_loses_its_comma():
    text = (
        "Ada|NNP|nsubj|2|B-PERSON|Ada fell|VBD|ROOT|0||fall here|RB|advmod|2 and|CC|cc|2 thus|RB|advmod|7 ,|,|punct|7 "
        "lost|VBD|conj|2||lose it|PRP|dobj|7 .|.|punct|2"
    )
    ((_, _, made, _),) = [f for f in found(text) if f[0] == VP]
    assert made == "Ada thus lost it ."


@pytest.mark.parametrize(("label", "head", "expected"), [("pobj", 2, 3), ("compound", 4, 0)])
def test_a_frame_with_a_preposition_at_its_end_goes_on_in_the_subject(label, head, expected):
    text = (
        f"Tonight|NN|npadvmod|7|B-TIME at|IN|prep|1 midnight|NN|{label}|{head} Cork|NNP|nsubjpass|7|B-GPE|Cork "
        "will|MD|aux|7 be|VB|auxpass|7 closed|VBN|ROOT|0||close .|.|punct|7"
    )
    assert len(frame(parse(text), 6)) == expected


def refused_of(text: str) -> list[str | None]:
    """Why the coordinated predicates of a parse are refused."""
    return [f[3] for f in found(text) if f[0] == VP]


class TestFrame:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("FRAME_VP", "In 1990 , the council opened a museum for children ."),
            ("FRAME_CONDITION", "With enough money , the council could open a museum for children ."),
            ("FRAME_SOURCE", "According to the mayor , the council opened a museum for children ."),
            ("FRAME_ARTICLE", "In the later test , the workers washed the walls with water ."),
        ],
    )
    def test_holds_for_a_second_predicate(self, name, expected):
        assert second(name, VP) == expected

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("FRAME_OWN_TIME", "The council opened a museum in 1995 ."),
            ("FRAME_PLACE", "He worked as a clerk in Paris ."),
            ("FRAME_PERFECT", "The council plans a new museum ."),
            ("FRAME_BEGINNING", "The council opened a museum for children ."),
        ],
    )
    def test_does_not_hold_beside_another_time_place_or_tense(self, name, expected):
        assert second(name, VP) == expected

    def test_holds_for_a_clause_without_a_comma(self):
        assert second("FRAME_CLAUSES", S) == "In 1990 , the museum lost its roof ."

    def test_does_not_hold_behind_but_or_before_another_frame(self):
        assert second("FRAME_BUT", S) == "The museum kept its roof ."
        assert second("FRAME_BEHIND", S) == "In the winter it sold the building ."

    def test_even_a_source_does_not_come_before_another_frame(self):
        text = (
            "According|VBG|prep|7 to|IN|prep|1 him|PRP|pobj|2 ,|,|punct|7 the|DT|det|6 walls|NNS|nsubj|7 "
            "fell|VBD|ROOT|0||fall and|CC|cc|7 {} roofs|NNS|nsubj|12 leaked|VBD|conj|7||leak .|.|punct|7"
        )
        ((_, _, own, _),) = found(text.format("in|IN|prep|12 town|NN|pobj|9"))
        assert own == "In town roofs leaked ."
        ((_, _, shared, _),) = found(text.format("the|DT|det|11 old|JJ|amod|11"))
        assert shared == "According to him , the old roofs leaked ."

    def test_is_what_opens_the_sentence(self):
        tree = parse(p.FRAME_VP)
        assert [w.text for w in frame(tree, tree.root())] == ["In", "1990", ","]
        assert frame(parse(p.OR_FACT), 3) == ()

    def test_changes_nothing_in_the_first_sentence(self):
        ((_, first, _, _),) = found(p.FRAME_VP)
        assert first == "In 1990 , the council closed the old library ."


class TestCondition:
    @pytest.mark.parametrize(
        ("opening", "first", "second", "reason"),
        [
            ("If|IN|mark|3", "rains|VBZ|advcl|6", "read|VBP|conj|6", "NOT_ASSERTED"),
            ("When|WRB|advmod|3", "rains|VBZ|advcl|6", "read|VBP|conj|6", "NOT_ASSERTED"),
            ("When|WRB|advmod|3", "rained|VBD|advcl|6", "read|VBP|conj|6", None),
            ("If|IN|mark|3", "rains|VBZ|advcl|6", "slept|VBD|conj|6", None),
            ("As|IN|mark|3", "rains|VBZ|advcl|6", "read|VBP|conj|6", None),
        ],
    )
    def test_holds_for_what_follows(self, opening, first, second, reason):
        text = (
            f"{opening} it|PRP|nsubj|3 {first} ,|,|punct|6 they|PRP|nsubj|6 stay|VBP|ROOT|0 here|RB|advmod|6 ,|,|punct|6 "
            f"and|CC|cc|6 we|PRP|nsubj|11 {second} two|CD|nummod|13 books|NNS|dobj|11 .|.|punct|6"
        )
        assert [f[3] for f in found(text) if f[0] == S] == [reason]

    def test_a_modal_without_its_verb_says_nothing(self):
        text = (
            "Lee|NNP|nsubj|2 liked|VBD|ROOT|0||like the|DT|det|4 game|NN|dobj|2 ,|,|punct|2 but|CC|cc|2 we|PRP|nsubj|9 "
            "will|MD|aux|9 for|IN|conj|2 most|JJS|pobj|9 .|.|punct|2"
        )
        said = text.replace("will|MD|aux|9 for|IN|conj|2", "will|MD|aux|9 sell|VB|conj|2")
        assert [f[3] for f in found(said) if f[0] == S] == [None]
        elliptic = text.replace("for|IN|conj|2", "for|IN|prep|8").replace("will|MD|aux|9", "will|MD|conj|2")
        assert [f[3] for f in found(elliptic.replace("nsubj|9", "nsubj|8")) if f[0] == S] == ["NO_VERB"]

    @pytest.mark.parametrize("comma", [2, 9])
    def test_a_list_without_a_conjunction_is_not_cut_off(self, comma):
        text = (
            "He|PRP|nsubj|3 must|MD|aux|3 watch|VB|ROOT|0 for|IN|prep|3 old|JJ|amod|6 bears|NNS|pobj|4 ,|,|punct|6 "
            f"grey|JJ|amod|9 wolves|NNS|conj|6 ,|,|punct|{comma} and|CC|cc|3 feed|VB|conj|3 all|DT|det|14 dogs|NNS|dobj|12 "
            ".|.|punct|3"
        )
        assert [f[3] for f in found(text) if f[0] == VP] == ["LIST"]


class TestAssertion:
    @pytest.mark.parametrize(
        ("name", "kind", "reason"),
        [
            ("COLON", S, "NOT_ASSERTED"),  # the ruling says it
            ("OR_FACT", VP, "NOT_ASSERTED"),  # one of the two is true
            ("QUOTED", S, "NOT_ASSERTED"),  # the authors say it
            ("UNTIL", S, "WRONG_SCOPE"),  # until both
            ("SAID_MAN", VP, "WRONG_SCOPE"),  # who sat?
        ],
    )
    def test_what_nobody_says_is_refused(self, name, kind, reason):
        assert refused(name, kind) == [reason]

    def test_a_choice_may_be_split(self):
        assert second("OR_CHOICE", VP) == "You can buy a new table in town ."

    def test_another_tense_leaves_the_report(self):
        assert second("SHOWED_TRAVELS", VP) == "Alhazen made several experiments with lenses ."

    def test_a_comma_ends_the_subordinate_clause(self):
        text = (
            "She|PRP|nsubj|2 slept|VBD|ROOT|0||sleep until|IN|mark|5 they|PRP|nsubj|5 came|VBD|advcl|2||come {}"
            "and|CC|cc|2 he|PRP|nsubj|{} left|VBD|conj|2||leave .|.|punct|2"
        )
        assert [f[3] for f in found(text.format("", 8)) if f[0] == S] == ["WRONG_SCOPE"]
        assert [f[3] for f in found(text.format(",|,|punct|2 ", 9)) if f[0] == S] == [None]


class TestSharedParts:
    @pytest.mark.parametrize(
        ("name", "kind", "reason"),
        [
            ("RESPECTIVELY", VP, "SHARED_PART"),
            ("COMPARABLE_TO", VP, "SHARED_PART"),
            ("RIGHT_NODE", S, "SHARED_PART"),
            ("LOVE_TO", VP, "SHARED_PART"),
            ("OBSERVED_TO", VP, "SHARED_PART"),
            ("OTHER_AUX", VP, "SHARED_PART"),
            ("EITHER", S, "DANGLING"),
            ("ONE_OF", VP, "AMBIGUOUS"),
            ("NUCLEIC", VP, "NUMBER"),  # the code is passed on
            ("WHICH_HAD", VP, "WRONG_SCOPE"),  # which field had oil?
            ("FEW", VP, "SHARED_PART"),  # many may have won a prize
            ("SOME", VP, "AMBIGUOUS"),  # the same villagers?
            ("OVER_WHICH", S, "WRONG_SCOPE"),
            ("BELIEVED", S, "WRONG_SCOPE"),  # or did he believe the thoughts too?
        ],
    )
    def test_refused(self, name, kind, reason):
        assert refused(name, kind) == [reason]

    def test_respectively_may_belong_to_a_list_of_its_own(self):
        text = p.RESPECTIVELY.replace("in|IN|prep|9\nJune", "and|CC|cc|9\nJune")
        assert text != p.RESPECTIVELY
        assert [f[3] for f in found(text) if f[0] == VP] == [None]

    def test_a_verb_of_control_is_not_passive(self):
        assert second("WANTED_TO", VP) == "He wanted to change the rules of the club ."

    def test_an_insertion_is_not_copied_without_its_comma(self):
        assert second("LOST_COMMA", VP) == "South Asian languages are spoken in many towns ."

    def test_a_subject_on_the_auxiliary_is_a_subject(self):
        assert second("STREETS", S) == "The streets became illuminated with gas ."
        assert refused("STREETS", VP) == []

    def test_an_open_list_is_not_left_behind(self):
        text = (
            "It|PRP|nsubj|2 brought|VBD|ROOT|0||bring death|NN|dobj|2 ,|,|punct|3 {}loss|NN|conj|3 of|IN|prep|{} "
            "soil|NN|pobj|{} ,|,|punct|2 and|CC|cc|2 spoiled|VBD|conj|2||spoil the|DT|det|{} water|NN|dobj|{} .|.|punct|2"
        )
        assert [f[3] for f in found(text.format("", 5, 6, 12, 10)) if f[0] == VP] == ["LIST"]
        closed = text.replace(",|,|punct|3 {}", "and|CC|cc|3 {}")
        assert [f[3] for f in found(closed.format("", 5, 6, 12, 10)) if f[0] == VP] == [None]

    def test_a_list_in_the_subject_is_whole(self):
        (made,) = [f for f in found(p.MALI) if f[0] == VP]
        assert made[2] == "Blacks from Mali , Nigeria and Senegal make up a small part of the population ."

    def test_an_auxiliary_before_a_phrase_stays_behind_the_subject(self):
        assert second("IN_PRACTICE", S) == "The ampere is in practice maintained by other means ."

    def test_a_perfect_is_shared_where_no_time_speaks_against_it(self):
        assert second("PERFECT", VP) == "The government has imposed new limits on trade with the islands ."
        past = p.PERFECT_OWN.replace("imposed|VBN", "imposed|VBD")
        assert [f[2] for f in found(past)] == ["The government imposed new limits on trade in 1990 ."]
        role = past.replace("in|IN|prep|9 1990|CD|pobj|14|B-DATE", "as|IN|prep|9 rent|NN|pobj|14")
        assert [f[2] for f in found(role)] == ["The government has imposed new limits on trade as rent ."]

    def test_a_noun_phrase_before_the_verb_is_not_an_adverbial(self):
        text = (
            "Men|NNS|nsubj|3 were|VBD|aux|3||be turning|VBG|ROOT|0||turn back|RB|advmod|3 and|CC|cc|3 "
            "{}|{}|{}|7 dying|VBG|conj|3||die in|IN|prep|7 the|DT|det|10 snow|NN|pobj|8 .|.|punct|3"
        )
        assert [f[3] for f in found(text.format("200", "CD", "dep")) if f[0] == VP] == ["VERB_FORM"]
        assert [f[3] for f in found(text.format("slowly", "RB", "advmod")) if f[0] == VP] == [None]

    @pytest.mark.parametrize(
        ("opening", "reason"),
        [
            ("as|IN|prep|8 result|NN|nsubj|8", "NO_SUBJECT"),  # the object of a preposition
            ("May|NNP|nsubj|8|B-DATE 5|CD|nummod|6|I-DATE", "NO_SUBJECT"),  # a date
            ("old|JJ|amod|7 men|NNS|nsubj|8", None),
        ],
    )
    def test_an_adverbial_is_not_a_subject(self, opening, reason):
        text = (
            "It|PRP|nsubj|2 rained|VBD|ROOT|0||rain hard|RB|advmod|2 ,|,|punct|2 and|CC|cc|2 {} "
            "caused|VBD|conj|2||cause floods|NNS|dobj|8 .|.|punct|2"
        )
        assert [f[3] for f in found(text.format(opening)) if f[0] == S] == [reason]

    def test_a_passive_relative_clause_may_take_in_a_passive(self):
        text = (
            "It|PRP|nsubj|2 pumps|VBZ|ROOT|0||pump blood|NN|dobj|2 that|WDT|nsubjpass|6 is|VBZ|auxpass|6||be "
            "cleaned|VBN|relcl|3||clean ,|,|punct|2 and|CC|cc|2 is|VBZ|{}|10||be {}|VBN|conj|2 .|.|punct|2"
        )
        assert [f[3] for f in found(text.format("auxpass", "sent")) if f[0] == VP] == ["WRONG_SCOPE"]

    @pytest.mark.parametrize(("pronoun", "reason"), [("which|WDT", "WRONG_SCOPE"), ("them|PRP", None)])
    def test_a_relative_pronoun_in_the_subject(self, pronoun, reason):
        text = (
            "He|PRP|nsubj|2 saw|VBD|ROOT|0||see parts|NNS|dobj|2 ,|,|punct|2 and|CC|cc|2 none|NN|nsubj|9 of|IN|prep|6 "
            f"{pronoun}|pobj|7 moved|VBD|conj|2||move .|.|punct|2"
        )
        assert [f[3] for f in found(text) if f[0] == S] == [reason]


class TestClausesBelow:
    PLACE = """
    It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 place|NN|attr|2 to|TO|aux|6 live|VB|relcl|4 in|IN|prep|6 {mark}|IN|mark|10
    you|PRP|nsubj|10 work|VBP|advcl|6 {comma}and|CC|cc|2 we|PRP|nsubj|{verb} travel|VBP|conj|2 .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("mark", "comma", "reason"),
        [
            ("unless", "", "WRONG_SCOPE"),
            ("before", "", "WRONG_SCOPE"),
            ("until", "", "WRONG_SCOPE"),
            ("although", "", None),
            ("unless", ",|,|punct|2 ", None),
            ("before", ",|,|punct|2 ", None),
        ],
    )
    def test_a_condition_or_time_that_ends_at_the_joint(self, mark, comma, reason):
        text = self.PLACE.format(mark=mark, comma=comma, verb=13 + bool(comma))
        assert [f[3] for f in found(text) if f[0] == S] == [reason]

    MEANS = """
    {opening} {is_}|ROOT|0||{lemma} that|IN|mark|7 mills|NNS|nsubj|7||mill burn|VBP|ccomp|4 ,|,|punct|4 but|CC|cc|4
    we|PRP|nsubj|11 sell|VBP|conj|4 tools|NNS|dobj|11||tool .|.|punct|4
    """
    WHAT = "What|WP|dobj|3 this|DT|nsubj|3 means|VBZ|{}|4||mean"

    @pytest.mark.parametrize(
        ("opening", "verb", "lemma", "reason"),
        [
            (WHAT.format("csubj"), "is|VBZ", "be", "WRONG_SCOPE"),
            ("The|DT|det|3 new|JJ|amod|3 law|NN|nsubj|4", "says|VBZ", "say", None),
        ],
    )
    def test_what_this_means_is_all_that_follows(self, opening, verb, lemma, reason):
        text = self.MEANS.format(opening=opening, is_=verb, lemma=lemma)
        assert [f[3] for f in found(text) if f[0] == S] == [reason]

    def test_another_tense_leaves_it(self):
        text = self.MEANS.format(opening=self.WHAT.format("csubj"), is_="is|VBZ", lemma="be")
        text = text.replace("sell|VBP|conj|4", "sold|VBD|conj|4||sell")
        assert [f[3] for f in found(text) if f[0] == S] == [None]
