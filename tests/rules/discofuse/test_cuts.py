"""Single sentences cut in two: shared auxiliaries, phrases before subjects, dashes, final marks, participles."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse import morphology, operations
from gistmill.rules.discofuse.clauses import frames
from gistmill.rules.documents import tokenised_text
from tests.rules.discofuse import parses_cuts as p
from tests.rules.discofuse.helpers import accepted, changed, parse, rejections
from tests.rules.discofuse.test_operations import words

PREDICATE, CLAUSE, INNER = "SINGLE_VP_COORD", "SINGLE_S_COORD", "SINGLE_CONN_INNER"
RELATIVE, PARTICIPLE, FRONTED = "SINGLE_RELATIVE", "SINGLE_CATAPHORA", "SINGLE_CONN_START"


class TestParticipleOnly:
    @pytest.mark.parametrize("word", ["begun", "gone", "done", "seen", "taken", "drunk", "proven", "overtaken"])
    def test_no_past_tense(self, word):
        assert morphology.is_participle_only(word)

    @pytest.mark.parametrize("word", ["went", "held", "closed", "come", "run", "are", "has", "raising", "town", "men"])
    def test_another_form_or_no_verb(self, word):
        assert not morphology.is_participle_only(word)

    @pytest.mark.parametrize("tag", ["VBN", "VBD"])
    def test_the_auxiliary_comes_along_whatever_the_tag(self, tag):
        text = changed(p.BANKS_BEGUN, ("begun|VBN", f"begun|{tag}"))
        assert accepted(text, PREDICATE)[1] == "The banks have begun raising rates ."

    def test_a_past_tense_needs_none(self):
        text = changed(p.BANKS_BEGUN, ("begun|VBN", "began|VBD"))
        assert accepted(text, PREDICATE)[1] == "The banks began raising rates ."

    @pytest.mark.parametrize("tag", ["VBN", "VBD"])
    def test_without_an_auxiliary_it_is_refused(self, tag):
        told = ("have|VBP|aux|4 changed|VBN", "later|RB|advmod|4 changed|VBD")
        assert rejections(changed(p.BANKS_BEGUN, told, ("begun|VBN", f"begun|{tag}")), PREDICATE) == ["SHARED_PART"]

    def test_a_clause_of_its_own_that_shares_it(self):
        assert rejections(p.MILL_GONE, CLAUSE) == ["SHARED_PART"]
        assert accepted(changed(p.MILL_GONE, ("gone|", "went|")), CLAUSE)[1] == "The men went ."


class TestSubjectSaidTwice:
    def test_one_that_lost_its_end(self):
        assert rejections(p.DOING, PREDICATE) == ["AMBIGUOUS"]
        whole = changed(p.DOING, ("plan|NN|compound|10", "plan|NN|pobj|6"))
        assert accepted(whole, PREDICATE)[1] == "Doing something that is part of a clear plan brings purpose ."

    def test_others_are_others_again(self):
        assert rejections(p.OTHER_MILLS, PREDICATE) == ["AMBIGUOUS"]

    def test_now_as_ever_they_are_the_same(self):
        text = changed(p.OTHER_MILLS, ("closed|VBD|ROOT|0||close", "close|VBP|ROOT|0"), ("stayed|VBD", "stay|VBP"))
        assert accepted(text, PREDICATE)[1] == "Other mills stay empty ."


class TestPhraseBeforeSubject:
    def test_a_comma_parts_two_nouns(self):
        assert accepted(p.WITH_HIS_SON, RELATIVE)[1] == "With his son , John Gray was also the owner of the inn ."
        assert accepted(p.ANN_WITH, PREDICATE)[1] == "With her own hands , Ann Gray closed the old door ."

    @pytest.mark.parametrize("time", ["1950|CD|pobj|10|B-DATE", "May|NNP|pobj|10|B-DATE", "summer|NN|pobj|10"])
    def test_a_short_time_needs_none(self, time):
        text = changed(p.IN_1950, ("1950|CD|pobj|10|B-DATE", time))
        assert accepted(text, RELATIVE)[1] == f"In {time.split('|')[0]} John Gray was the owner of the inn ."

    def test_a_pronoun_needs_none(self):
        names = "Ann|NNP|compound|2|B-PERSON|Ann Gray|NNP|nsubj|3|I-PERSON|Gray"
        text = changed(p.ANN_WITH, (names, "Here|RB|advmod|3 she|PRP|nsubj|3"))
        assert accepted(text, PREDICATE)[1] == "With her own hands she closed the old door ."

    def test_a_long_phrase_has_one_in_any_case(self):
        phrase = parse("by|IN|prep|0 then|RB|advmod|1 and|CC|cc|2 long|RB|advmod|5 after|RB|conj|2").words
        she = parse("She|PRP|nsubj|0").words
        assert tokenised_text(frames.before_subject(phrase, she, ())) == "by then and long after , she"
        assert tokenised_text(frames.before_subject(phrase[:2], she, ())) == "by then she"


class TestFinalMarks:
    def test_a_mark_in_a_bracket_ends_no_sentence(self):
        assert accepted(p.VIDEO, PREDICATE)[0] == "The mill seems good for the town ( free bread ! ) ."

    @pytest.mark.parametrize(
        ("text", "made"),
        [
            ("It sank ( why ? )", "It sank ( why ? ) ."),
            ("It sank ( ( why ? ) )", "It sank ( ( why ? ) ) ."),
            ("It sank ( there ) ?", "It sank ( there ) ?"),
            ("( It sank ! )", "( It sank ! )"),
            ("It sank . ( Why ? )", "It sank . ( Why ? )"),
            ('" It sank ! "', '" It sank ! "'),
            ("It sank ! )", "It sank ! )"),
            ("It sank , [ 10 ]", "It sank [ 10 ] ."),
            ("It sank , [ 3 ] [ 4 ]", "It sank [ 3 ] [ 4 ] ."),
            ("It sank , [ 3 ] slowly", "It sank , [ 3 ] slowly ."),
            ("[ 3 ]", "[ 3 ] ."),
        ],
    )
    def test_ends(self, text, made):
        assert tokenised_text(operations.sentence(words(text))) == made

    def test_a_comma_before_a_note_goes(self):
        assert accepted(p.ANCESTRY, INNER)[0] == "He was of French ancestry [ 10 ] ."

    def test_an_ellipsis_stays_where_the_text_ends(self):
        first, second = accepted(p.EVENT, RELATIVE)
        assert first == "Gray says the mill is already closed , implying ..."
        assert second == "The mill was built by Ann ."

    def test_the_mark_goes_with_the_end(self):
        text = changed(p.BANKS_BEGUN, (".|.|punct", "!|.|punct"))
        assert accepted(text, PREDICATE) == ("The banks have changed course .", "The banks have begun raising rates !")


class TestDashes:
    def test_no_cut_between_two(self):
        assert rejections(p.IN_DASHES, CLAUSE) == ["UNBALANCED"]
        one = changed(p.IN_DASHES, ("--|:|punct|12", "early|RB|advmod|12"))
        assert accepted(one, CLAUSE)[0] == "Ann sold the mill -- it was old ."

    @pytest.mark.parametrize("name", ["AND_DASH", "AROUND_AND"])
    def test_no_cut_right_before_or_behind_the_first(self, name):
        assert rejections(getattr(p, name), CLAUSE) == ["UNBALANCED"]

    def test_one_dash_behind_the_conjunction_is_lost(self):
        text = changed(p.AND_DASH, ("--|:|punct|14 it|PRP|nsubj|14", ",|,|punct|14 it|PRP|nsubj|14"))
        assert accepted(text, CLAUSE)[1] == "Though it was old , it was still clean ."
        text = changed(p.AROUND_AND, ("--|:|punct|7", "again|RB|advmod|7"))
        assert accepted(text, CLAUSE)[1] == "She was late again in May ."

    @pytest.mark.parametrize("dep", ["conj", "appos"])
    def test_no_cut_in_a_list_of_persons(self, dep):
        text = changed(p.DASHES, ("Lee|NNP|conj", f"Lee|NNP|{dep}"), ("--|:", ";|:"))
        assert rejections(text, CLAUSE)[0] == "LIST"

    def test_an_insertion_before_the_joint_is_whole(self):
        assert accepted(p.ONE_DASH, CLAUSE) == ("Ann left the mill -- it was late .", "Lee stayed .")


class TestJoinedParticiples:
    @pytest.mark.parametrize(
        ("name", "first"),
        [
            ("UPBEAT", "She looked upbeat and greeted guests ."),  # joined to an adjective
            ("WALKING", "Ann walked home and saw the fire ."),
            ("HAVING_TWO", "Ann had bought the mill and sold the inn ."),  # the auxiliary is shared
        ],
    )
    def test_all_become_finite(self, name, first):
        assert accepted(getattr(p, name), PARTICIPLE)[0] == first

    def test_what_shares_the_auxiliary_stays_a_participle(self):
        text = changed(p.HAVING_TWO, ("sold|VBD|conj|2||sell", "taken|VBN|conj|2||take"))
        assert accepted(text, PARTICIPLE)[0] == "Ann had bought the mill and taken the inn ."

    @pytest.mark.parametrize("name", ["BIRDS", "THREE"])
    def test_where_that_is_not_sure_it_is_refused(self, name):
        assert rejections(getattr(p, name), PARTICIPLE) == ["SHARED_PART"]

    def test_objects_of_a_preposition_are_not_participles(self):
        text = changed(
            p.BIRDS,
            ("birds|NNS|pobj|2||bird", "hunting|VBG|pcomp|2||hunt"),
            ("greeting|VBG|compound|6||greet guests|NNS|conj|3||guest", "fishing|VBG|conj|3||fish there|RB|advmod|5"),
        )
        assert accepted(text, PARTICIPLE)[0] == "Ann looked at hunting and fishing there ."

    def test_one_with_an_object_behind_a_noun_is_not_sure(self):
        changes = ("greeting|VBG|compound|6||greet guests|NNS|conj|3", "greeting|VBG|conj|3||greet guests|NNS|dobj|5")
        assert rejections(changed(p.BIRDS, changes), PARTICIPLE) == ["SHARED_PART"]


class TestParticipleAndMainVerb:
    def test_the_main_verb_shows_the_number(self):
        assert accepted(p.US_IS, PARTICIPLE)[0] == "The US has overtaken Britain ."
        are = changed(p.US_IS, ("US|NNP|nsubj|7|B-GPE|US is|VBZ", "police|NN|nsubj|7||police are|VBP"))
        assert accepted(are, PARTICIPLE)[0] == "The police have overtaken Britain ."

    def test_a_past_tense_does_not(self):
        phrase = (
            "Having|VBG|aux|2 overtaken|VBN|advcl|7||overtake Britain",
            "Being|VBG|advcl|7||be near|IN|prep|1 Britain",
        )
        led = changed(p.US_IS, phrase, ("is|VBZ|ROOT|0||be", "led|VBD|ROOT|0||lead"))
        assert accepted(led, PARTICIPLE)[0] == "The US was near Britain ."

    def test_a_time_since_then_keeps_the_perfect(self):
        assert accepted(p.SINCE_1990, PARTICIPLE)[0] == "Ann Gray has been a member since 1990 ."

    def test_a_gerund_may_be_the_subject(self):
        text = changed(p.BLAMING, ("|csubj|", "|advcl|"))
        assert rejections(text, PARTICIPLE) == ["INVERSION"]

    def test_a_time_between_belongs_to_the_main_clause(self):
        assert rejections(p.THREE_DAYS, PARTICIPLE) == ["CLAUSE_CUT"]
        assert accepted(p.TO_LEEDS, PARTICIPLE)[0] == "Ann moved to Leeds , a town in the north ."
