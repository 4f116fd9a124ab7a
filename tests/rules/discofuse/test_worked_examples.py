"""The worked examples of the paper (Table 1, Table 15, Figure 2) and of the released README, from parses by hand.

Figure 1 of the paper is an image whose sentences are printed nowhere else; it shows a connective and an anaphor, as
the Ingram example does. Table 1 prints "The frigidarium is"; the rule's own tense, that of the rest of the sentence, is
"was".
"""

from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import candidates
from tests.testing import mention

CASES = by_heading(__file__)
# The parse, the phenomenon, its connective, and the two sentences.
SINGLE = CASES["single sentences"]


def test_single_sentence():
    for parse, kind, connective, first, second in SINGLE:
        (made,) = candidates(parses.NAMED[parse], min_sentence_tokens=7)
        assert made.verdict.accepted, parse
        assert (made.discourse_type.name, made.connective_string) == (kind, connective), parse
        assert (made.incoherent_first_sentence, made.incoherent_second_sentence) == (first, second), parse
        assert not made.has_coref_type_pronoun and not made.has_coref_type_nominal, parse


def test_single_sentence_under_the_extended_conventions():
    for parse, kind, connective, first, second in SINGLE:
        made = [
            (c.discourse_type.name, c.connective_string, c.incoherent_first_sentence, c.incoherent_second_sentence)
            for c in candidates(parses.NAMED[parse], min_sentence_tokens=7, conventions="extended")
            if c.verdict.accepted
        ]
        assert (kind, connective, first, second) in made, parse


def test_connective():
    (made,) = candidates(parses.CONN_1, parses.CONN_2, min_sentence_tokens=7)
    assert (made.discourse_type.name, made.connective_string) == ("PAIR_CONN", "however ,")
    assert made.incoherent_first_sentence == "Hebden Bridge is a popular place to live ."
    assert made.incoherent_second_sentence == "Space is limited due to the steep valleys and lack of flat land ."


def test_anaphora():
    he = [mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]
    (made,) = candidates(parses.RIDER_1, parses.RIDER_2, clusters=[he], min_sentence_tokens=7)
    assert made.verdict.accepted and made.discourse_type.name == "PAIR_ANAPHORA" and made.has_coref_type_pronoun
    assert made.incoherent_second_sentence == (
        "Rider said those numbers mean little because of the Hawks ' 11 - 18 record ."
    )


def test_inner_connective_with_anaphora():
    # Table 15 prints "Ruiz's kick"; in the released tokenised form the clitic stands apart
    his = [mention(0, 0, 1, "name"), mention(0, 2, 3, "pronoun"), mention(0, 16, 17, "pronoun", confidence=0.9)]
    (made,) = candidates(parses.RUIZ, clusters=[his], min_sentence_tokens=7)
    assert made.verdict.accepted and made.discourse_type.name == "SINGLE_CONN_INNER_ANAPHORA"
    assert made.incoherent_first_sentence == "Ruiz ordered his first shot to be retaken ."
    assert made.incoherent_second_sentence == "Brazilian players entered the penalty area before Ruiz 's kick ."
    assert made.inputs.endswith("entered the penalty area before Ruiz's kick.")


def test_connective_with_anaphora():
    he = [mention(0, 6, 7, "name"), mention(1, 10, 11, "pronoun", confidence=0.9)]
    (made,) = candidates(parses.INGRAM_1, parses.INGRAM_2, clusters=[he], min_sentence_tokens=7)
    assert made.verdict.accepted and made.discourse_type.name == "PAIR_CONN_ANAPHORA"
    assert made.connective_string == "however ,"
    assert made.incoherent_second_sentence == "On a visit to England in 1860 , Ingram was declared bankrupt ."
