"""The frame of a sentence."""

from __future__ import annotations

from gistmill.rules.discofuse.clauses.frames import frame
from tests.rules.discofuse import parses as p
from tests.rules.discofuse.helpers import parse


def test_a_frame_with_a_preposition_at_its_end_goes_on_in_the_subject():
    for label, head, expected in (("pobj", 2, 3), ("compound", 4, 0)):
        text = (
            f"Tonight|NN|npadvmod|7|B-TIME at|IN|prep|1 midnight|NN|{label}|{head} Cork|NNP|nsubjpass|7|B-GPE|Cork "
            "will|MD|aux|7 be|VB|auxpass|7 closed|VBN|ROOT|0||close .|.|punct|7"
        )
        assert len(frame(parse(text), 6)) == expected, label


class TestFrame:
    def test_is_what_opens_the_sentence(self):
        tree = parse(p.FRAME_VP)
        assert [w.text for w in frame(tree, tree.root())] == ["In", "1990", ","]
        assert frame(parse(p.OR_FACT), 3) == ()
