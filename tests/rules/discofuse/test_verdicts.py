from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Reason
from gistmill.rules.discofuse import verdicts
from gistmill.rules.discofuse.checks import DiscoFuseReason
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse

CASES = by_heading(__file__)


def judge(text: str, *, min_tokens: int = 2, ascii_only: bool = True) -> Reason | None:
    """The reason for which a sentence is rejected."""
    return verdicts.of_sentence(parse(text).words, min_tokens=min_tokens, ascii_only=ascii_only)


class TestSentences:
    def test_a_good_sentence_is_accepted(self):
        for name in ("CONN_1", "RIDER_1", "RIDER_2", "FRIENDSHIP", "WORKOUTS", "JAZZ", "UNLIKE", "EMBEDDED"):
            assert judge(getattr(parses, name)) is None, name

    def test_past_tense_read_as_participle(self):
        assert judge("The|DT|det|2 rift|NN|nsubj|3 healed|VBN|ROOT|0 later|RB|advmod|3 .|.|punct|3") is None

    def test_participle_only(self):
        assert (
            judge("Most|RBS|advmod|2 noted|VBN|ROOT|0 for|IN|prep|2 his|PRP$|poss|5 work|NN|pobj|3 .|.|punct|2")
            is DiscoFuseReason.NO_VERB
        )

    def test_irregular_participle_is_not_a_past_tense(self):
        assert (
            judge("A|DT|det|2 step|NN|nsubj|3 taken|VBN|ROOT|0 in|IN|prep|3 time|NN|pobj|4 .|.|punct|3")
            is DiscoFuseReason.NO_VERB
        )

    def test_verb_of_a_relative_clause_is_not_enough(self):
        text = "The|DT|det|2 man|NN|ROOT|0 who|WP|nsubj|4 won|VBD|relcl|2 the|DT|det|6 race|NN|dobj|4 .|.|punct|2"
        assert judge(text) is DiscoFuseReason.NO_VERB

    def test_no_subject(self):
        assert (
            judge("Retrieved|VBD|ROOT|0 in|IN|prep|1 May|NNP|pobj|2 of|IN|prep|3 2006|CD|pobj|4 .|.|punct|1")
            is DiscoFuseReason.NO_SUBJECT
        )

    def test_relative_pronoun_first(self):
        assert (
            judge("Which|WDT|nsubj|2 showed|VBD|ROOT|0 a|DT|det|4 tube|NN|dobj|2 .|.|punct|2")
            is DiscoFuseReason.NO_SUBJECT
        )
        assert judge("Which|WDT|nsubj|2 showed|VBD|ROOT|0 a|DT|det|4 tube|NN|dobj|2 ?|.|punct|2") is None

    def test_free_relative_as_subject(self):
        for name in ("WHAT_HE_SAID", "WHOSE_IDEA"):
            assert judge(getattr(parses, name)) is None, name

    def test_relative_pronoun_of_another_clause_is_not_a_free_relative(self):
        # the clause is not the subject: "What he said , she knew" may be, "Which he said she knew" may not
        text = parses.WHAT_HE_SAID.replace("|csubjpass|", "|ccomp|")
        assert text != parses.WHAT_HE_SAID
        assert judge(text) is DiscoFuseReason.NO_SUBJECT

    def test_verb_that_announces(self):
        for name, expected in (
            ("AS_FOLLOWS", DiscoFuseReason.DANGLING),  # has lost its list
            ("HE_WROTE", None),
        ):
            assert judge(getattr(parses, name)) is expected, name

    def test_participle_with_an_agent_is_not_a_past_tense(self):
        text = "The|DT|det|2 army|NN|nsubj|3 joined|VBN|ROOT|0 {} his|PRP$|poss|6 men|NNS|{} .|.|punct|3"
        assert judge(text.format("by|IN|agent|3", "pobj|4")) is DiscoFuseReason.NO_VERB
        assert judge(text.format("with|IN|prep|3", "pobj|4")) is None

    def test_length(self):
        assert judge(parses.CONN_1, min_tokens=9) is None
        assert judge(parses.CONN_1, min_tokens=10) is DiscoFuseReason.TOO_SHORT

    def test_ascii(self):
        text = "Zoë|NNP|nsubj|2 won|VBD|ROOT|0 the|DT|det|4 race|NN|dobj|2 .|.|punct|2"
        assert judge(text) is DiscoFuseReason.NON_ASCII
        assert judge(text, ascii_only=False) is None

    def test_no_final_punctuation(self):
        assert judge("She|PRP|nsubj|2 won|VBD|ROOT|0 the|DT|det|4 race|NN|dobj|2") is DiscoFuseReason.NO_END

    def test_abbreviation_ends_a_sentence_but_a_title_does_not(self):
        assert judge("She|PRP|nsubj|2 joined|VBD|ROOT|0 Acme|NNP|compound|4 Inc.|NNP|dobj|2") is None
        assert judge("It|PRP|nsubj|2 fell|VBD|ROOT|0 under|IN|prep|2 Brig.|NNP|pobj|3") is DiscoFuseReason.DANGLING

    def test_dangling_end(self):
        for last in ("that|IN|mark|2", "and|CC|cc|2", "the|DT|det|2", "was|VBD|ccomp|2"):
            assert (
                judge(f"She|PRP|nsubj|2 said|VBD|ROOT|0 it|PRP|nsubj|2 {last} .|.|punct|2") is DiscoFuseReason.DANGLING
            ), last

    def test_adverb_left_behind_a_comma(self):
        text = "She|PRP|nsubj|2 left|VBD|ROOT|0 town|NN|dobj|2 ,|,|punct|2 mainly|RB|advmod|2 .|.|punct|2"
        assert judge(text) is DiscoFuseReason.DANGLING

    def test_a_scrap_of_punctuation_is_residue(self):
        for scrap in ("|".join(("==", "SYM", "dep", "2")), "^|SYM|dep|2", ",|,|punct|2 ,|,|punct|2"):
            assert (
                judge(f"She|PRP|nsubj|2 won|VBD|ROOT|0 {scrap} it|PRP|dobj|2 .|.|punct|2") is DiscoFuseReason.RESIDUE
            ), scrap

    def test_a_mark_of_prose_is_none(self):
        for mark in ("*", "#"):
            assert judge(f"She|PRP|nsubj|2 won|VBD|ROOT|0 {mark}|SYM|dep|2 it|PRP|dobj|2 .|.|punct|2") is None, mark

    def test_residue_of_the_paper(self):
        # Table 4: "The space behind the fence in right field is blocked off , ."
        assert (
            judge("It|PRP|nsubj|3 is|VBZ|auxpass|3 blocked|VBN|ROOT|0 off|RP|prt|3 ,|,|punct|3 .|.|punct|3")
            is DiscoFuseReason.RESIDUE
        )


class TestBalanced:
    def test_brackets_and_quotes_are_balanced_or_not(self):
        for text, expected in CASES["brackets and quotes are balanced or not"]:
            assert verdicts.balanced(text.split()) is expected, text

    @given(st.lists(st.sampled_from(["a", "(", ")", "[", "]", '"']), max_size=8))
    def test_wrapping_keeps_the_answer(self, texts):
        assert verdicts.balanced(["(", *texts, ")"]) == verdicts.balanced(texts) or not verdicts.balanced(texts)
        assert verdicts.balanced(texts) <= verdicts.balanced(['"', *texts, '"'])


class TestClassesOfFault:
    """Found by reading; each is rejected for its own reason."""

    def test_modal_and_verb(self):
        text = "It|PRP|nsubj|4 may|MD|aux|4 not|RB|neg|4 inherited|VBN|ROOT|0 the|DT|det|6 trait|NN|dobj|4 .|.|punct|4"
        assert judge(text) is DiscoFuseReason.VERB_FORM
        assert judge(text.replace("not|RB|neg", "have|VB|aux")) is None

    def test_subordinate_clause_alone(self):
        text = "If|IN|mark|3 he|PRP|nsubj|3 sold|VBD|advcl|9 the|DT|det|5 mill|NN|dobj|3 .|.|punct|3"
        assert judge(text.replace("advcl|9", "ROOT|0")) is DiscoFuseReason.NO_VERB

    def test_comma_between_subject_and_verb(self):
        text = "Hecuba|NNP|nsubj|3 ,|,|punct|3 was|VBD|ROOT|0 the|DT|det|5 wife|NN|attr|3 .|.|punct|3"
        assert judge(text) is DiscoFuseReason.RESIDUE
        two = parses.of("Hecuba , too , was the wife .")
        assert judge(two) is None

    def test_single_quote_that_does_not_close(self):
        text = "The|DT|det|3 '|POS|case|3 year|NN|nsubj|4 passed|VBD|ROOT|0 by|RP|prt|4 .|.|punct|4"
        words = [w._replace(space=False) if w.text == "'" else w for w in parse(text).words]
        assert verdicts.of_sentence(words, min_tokens=2, ascii_only=True) is DiscoFuseReason.UNBALANCED

    def test_directed_quotes_are_told_apart_though_they_are_folded(self):
        for opening, closing, good in CASES["directed quotes are told apart though they are folded"]:
            text = f"The|DT|det|5 {opening}|``|punct|5 new|JJ|amod|5 {closing}|''|punct|5 mill|NN|nsubj|6 closed|VBD|ROOT|0 .|.|punct|6"
            assert judge(text) is (None if good else DiscoFuseReason.UNBALANCED), opening

    def test_a_prime_is_not_a_quote(self):
        text = "It|PRP|nsubj|2 is|VBZ|ROOT|0 10|CD|nummod|4 ″|NN|attr|2 long|JJ|advmod|4 .|.|punct|2"
        assert judge(text) is None
        assert judge(text.replace("″", '"')) is DiscoFuseReason.UNBALANCED

    def test_an_apostrophe_opens_nothing(self):
        text = "The|DT|det|2 kings|NNS|poss|4 ’|POS|case|2 mill|NN|nsubj|5 closed|VBD|ROOT|0 .|.|punct|5"
        assert judge(text) is None
