"""What follows from a report or a thought, or contrasts with one, may be a part of it."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, rejections

INNER = "SINGLE_CONN_INNER"

# "Wood was {thought} to burn , whereas iron {held} nothing ."
THOUGHT = """
Wood|NN|nsubjpass|3 was|VBD|auxpass|3||be {thought} to|TO|aux|5 burn|VB|xcomp|3 ,|,|punct|3 {word}|IN|mark|9
iron|NN|nsubj|9 {held} some|DT|det|11 air|NN|dobj|9 .|.|punct|3
"""
# "Lee says {that} mills are old , although few {are} new ."
SAYS = """
Lee|NNP|nsubj|2|B-PERSON says|VBZ|ROOT|0||say {that} old|JJ|amod|5 mills|NNS|nsubj|6||mill are|VBP|ccomp|2||be
good|JJ|acomp|6 ,|,|punct|6 although|IN|mark|11 few|JJ|nsubj|11 {are} new|JJ|acomp|11 .|.|punct|2
"""
# "{subject} {verb} that old mills are costly ."
OPINION = """
The|DT|det|2 {subject}|NN|nsubj|3 {verb} that|IN|mark|7 old|JJ|amod|6 mills|NNS|nsubj|7||mill are|VBP|ccomp|3||be
costly|JJ|acomp|7 .|.|punct|3
"""
# "{Therefore} , they must go soon ."
GO = """
{word}|RB|advmod|5 ,|,|punct|5 mills|NNS|nsubj|5||mill must|MD|aux|5 {go}|VB|ROOT|0 soon|RB|advmod|5 .|.|punct|5
"""


def test_a_contrast_that_reports_itself_is_not_part_of_the_thought():
    text = THOUGHT.format(thought="thought|VBN|ROOT|0||think", word="whereas", held="held|VBD|advcl|3||hold")
    assert rejections(text.replace("air|NN|dobj", "solid|JJ|oprd"), INNER) == [None]


@pytest.mark.parametrize(
    ("that", "are", "reason"),
    [
        ("how|RB|advmod|4", "are|VBP|advcl|6||be", "NOT_ASSERTED"),
        ("that|IN|mark|6", "are|VBP|advcl|6||be", None),
        ("how|RB|advmod|4", "were|VBD|advcl|6||be", None),
    ],
)
def test_although_is_the_author_s_where_that_or_the_tense_says_so(that, are, reason):
    assert rejections(SAYS.format(that=that, are=are), INNER) == [reason]


@pytest.mark.parametrize("conventions", ["extended", "released"])
@pytest.mark.parametrize(
    ("subject", "verb", "word", "go", "reason"),
    [
        ("theory", "is|VBZ|ROOT|0||be", "Therefore", "go", "NOT_ASSERTED"),
        ("clerk", "argued|VBD|ROOT|0||argue", "Thus", "go", "NOT_ASSERTED"),
        ("clerk", "argued|VBD|ROOT|0||argue", "However", "go", None),
        ("clerk", "argued|VBD|ROOT|0||argue", "Therefore", "say", None),  # a report of its own
        ("fact", "is|VBZ|ROOT|0||be", "Therefore", "go", None),
        ("test", "showed|VBD|ROOT|0||show", "Therefore", "go", None),
    ],
)
def test_what_follows_from_an_opinion_is_a_part_of_it(subject, verb, word, go, reason, conventions):
    (made,) = candidates(
        OPINION.format(subject=subject, verb=verb), GO.format(word=word, go=go), conventions=conventions
    )
    assert (made.verdict.reason.name if made.verdict.reason else None) == reason
