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


def test_a_sentence_is_judged():
    for text, reason in CASES["a sentence is judged"]:
        expected = DiscoFuseReason[reason] if reason else None
        assert judge(parses.NAMED.get(text, text)) is expected, text


def test_relative_pronoun_of_another_clause_is_not_a_free_relative():
    # the clause is not the subject: "What he said , she knew" may be, "Which he said she knew" may not
    text = parses.WHAT_HE_SAID.replace("|csubjpass|", "|ccomp|")
    assert text != parses.WHAT_HE_SAID
    assert judge(text) is DiscoFuseReason.NO_SUBJECT


def test_length():
    assert judge(parses.CONN_1, min_tokens=9) is None
    assert judge(parses.CONN_1, min_tokens=10) is DiscoFuseReason.TOO_SHORT


def test_ascii():
    text = "Zoë|NNP|nsubj|2 won|VBD|ROOT|0 the|DT|det|4 race|NN|dobj|2 .|.|punct|2"
    assert judge(text) is DiscoFuseReason.NON_ASCII
    assert judge(text, ascii_only=False) is None


def test_a_scrap_of_punctuation_is_residue_and_a_mark_of_prose_is_none():
    for scrap, reason in CASES["scraps"]:
        text = f"She|PRP|nsubj|2 won|VBD|ROOT|0 {scrap} it|PRP|dobj|2 .|.|punct|2"
        assert judge(text) is (DiscoFuseReason[reason] if reason else None), scrap


class TestBalanced:
    def test_brackets_and_quotes_are_balanced_or_not(self):
        for text, expected in CASES["brackets and quotes are balanced or not"]:
            assert verdicts.balanced(text.split()) is expected, text

    @given(st.lists(st.sampled_from(["a", "(", ")", "[", "]", '"']), max_size=8))
    def test_wrapping_keeps_the_answer(self, texts):
        assert verdicts.balanced(["(", *texts, ")"]) == verdicts.balanced(texts) or not verdicts.balanced(texts)
        assert verdicts.balanced(texts) <= verdicts.balanced(['"', *texts, '"'])


def test_a_comma_between_subject_and_verb_is_residue_and_two_are_not():
    assert judge(parses.of("Hecuba , too , was the wife .")) is None


def test_single_quote_that_does_not_close():
    text = "The|DT|det|3 '|POS|case|3 year|NN|nsubj|4 passed|VBD|ROOT|0 by|RP|prt|4 .|.|punct|4"
    words = [w._replace(space=False) if w.text == "'" else w for w in parse(text).words]
    assert verdicts.of_sentence(words, min_tokens=2, ascii_only=True) is DiscoFuseReason.UNBALANCED


def test_directed_quotes_are_told_apart_though_they_are_folded():
    for opening, closing, good in CASES["directed quotes are told apart though they are folded"]:
        text = f"The|DT|det|5 {opening}|``|punct|5 new|JJ|amod|5 {closing}|''|punct|5 mill|NN|nsubj|6 closed|VBD|ROOT|0 .|.|punct|6"
        assert judge(text) is (None if good else DiscoFuseReason.UNBALANCED), opening
