from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.discofuse import verdicts
from rules.verdict import Reason
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse


def judge(text: str, *, min_tokens: int = 2, ascii_only: bool = True) -> Reason | None:
    """The reason for which a sentence is refused."""
    return verdicts.of_sentence(parse(text).words, min_tokens=min_tokens, ascii_only=ascii_only)


class TestSentences:
    @pytest.mark.parametrize(
        "name", ["CONN_1", "RIDER_1", "RIDER_2", "FRIENDSHIP", "WORKOUTS", "JAZZ", "UNLIKE", "EMBEDDED"]
    )
    def test_good(self, name):
        assert judge(getattr(parses, name)) is None

    def test_past_tense_read_as_participle(self):
        assert judge("The|DT|det|2 rift|NN|nsubj|3 healed|VBN|ROOT|0 later|RB|advmod|3 .|.|punct|3") is None

    def test_participle_only(self):
        assert (
            judge("Most|RBS|advmod|2 noted|VBN|ROOT|0 for|IN|prep|2 his|PRP$|poss|5 work|NN|pobj|3 .|.|punct|2")
            is Reason.NO_VERB
        )

    def test_irregular_participle_is_no_past_tense(self):
        assert (
            judge("A|DT|det|2 step|NN|nsubj|3 taken|VBN|ROOT|0 in|IN|prep|3 time|NN|pobj|4 .|.|punct|3")
            is Reason.NO_VERB
        )

    def test_verb_of_a_relative_clause_is_not_enough(self):
        text = "The|DT|det|2 man|NN|ROOT|0 who|WP|nsubj|4 won|VBD|relcl|2 the|DT|det|6 race|NN|dobj|4 .|.|punct|2"
        assert judge(text) is Reason.NO_VERB

    def test_no_subject(self):
        assert (
            judge("Retrieved|VBD|ROOT|0 in|IN|prep|1 May|NNP|pobj|2 of|IN|prep|3 2006|CD|pobj|4 .|.|punct|1")
            is Reason.NO_SUBJECT
        )

    def test_relative_pronoun_first(self):
        assert judge("Which|WDT|nsubj|2 showed|VBD|ROOT|0 a|DT|det|4 tube|NN|dobj|2 .|.|punct|2") is Reason.NO_SUBJECT
        assert judge("Which|WDT|nsubj|2 showed|VBD|ROOT|0 a|DT|det|4 tube|NN|dobj|2 ?|.|punct|2") is None

    def test_length(self):
        assert judge(parses.CONN_1, min_tokens=9) is None
        assert judge(parses.CONN_1, min_tokens=10) is Reason.TOO_SHORT

    def test_ascii(self):
        text = "Zoë|NNP|nsubj|2 won|VBD|ROOT|0 the|DT|det|4 race|NN|dobj|2 .|.|punct|2"
        assert judge(text) is Reason.NON_ASCII
        assert judge(text, ascii_only=False) is None

    def test_no_final_punctuation(self):
        assert judge("She|PRP|nsubj|2 won|VBD|ROOT|0 the|DT|det|4 race|NN|dobj|2") is Reason.NO_END

    def test_abbreviation_ends_a_sentence_but_a_title_does_not(self):
        assert judge("She|PRP|nsubj|2 joined|VBD|ROOT|0 Acme|NNP|compound|4 Inc.|NNP|dobj|2") is None
        assert judge("It|PRP|nsubj|2 fell|VBD|ROOT|0 under|IN|prep|2 Brig.|NNP|pobj|3") is Reason.DANGLING

    @pytest.mark.parametrize("last", ["that|IN|mark|2", "and|CC|cc|2", "the|DT|det|2", "was|VBD|ccomp|2"])
    def test_dangling_end(self, last):
        assert judge(f"She|PRP|nsubj|2 said|VBD|ROOT|0 it|PRP|nsubj|2 {last} .|.|punct|2") is Reason.DANGLING

    def test_adverb_left_behind_a_comma(self):
        text = "She|PRP|nsubj|2 left|VBD|ROOT|0 town|NN|dobj|2 ,|,|punct|2 mainly|RB|advmod|2 .|.|punct|2"
        assert judge(text) is Reason.DANGLING

    @pytest.mark.parametrize("scrap", ["|".join(("==", "SYM", "dep", "2")), "^|SYM|dep|2", ",|,|punct|2 ,|,|punct|2"])
    def test_residue(self, scrap):
        assert judge(f"She|PRP|nsubj|2 won|VBD|ROOT|0 {scrap} it|PRP|dobj|2 .|.|punct|2") is Reason.RESIDUE

    def test_residue_of_the_paper(self):
        # Table 4: "The space behind the fence in right field is blocked off , ."
        assert (
            judge("It|PRP|nsubj|3 is|VBZ|auxpass|3 blocked|VBN|ROOT|0 off|RP|prt|3 ,|,|punct|3 .|.|punct|3")
            is Reason.RESIDUE
        )


class TestBalanced:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a ( b ) c", True),
            ("a ( b", False),
            ("a ) b", False),
            ("( a [ b ] )", True),
            ("( a [ b ) ]", False),
            ('" a "', True),
            ('" a', False),
            ("`` a ''", True),
            ("'' a", False),
            ("“ a ”", True),
            ("“ a", False),
            ("dogs ' tails", True),
        ],
    )
    def test_cases(self, text, expected):
        assert verdicts.balanced(text.split()) is expected

    @given(st.lists(st.sampled_from(["a", "(", ")", "[", "]", '"']), max_size=8))
    def test_wrapping_keeps_the_answer(self, texts):
        assert verdicts.balanced(["(", *texts, ")"]) == verdicts.balanced(texts) or not verdicts.balanced(texts)
        assert verdicts.balanced(texts) <= verdicts.balanced(['"', *texts, '"'])
