"""Paragraphs of prose in scripts other than Latin: what is one, and where wrapped lines end one."""

import time

from gistmill.rules.text.prose import is_prose, joined_lines, plain_paragraphs
from tests.cases import by_heading

CASES = by_heading(__file__)


def test_a_sentence_or_a_long_paragraph_of_any_script_is_prose_and_a_heading_is_not():
    for text in CASES["prose"]:
        assert is_prose(text), text
    for text in CASES["not prose"]:
        assert not is_prose(text), text


def test_a_line_end_ends_a_paragraph_after_a_mark_of_any_script():
    for lines, paragraphs in CASES["a line end ends a paragraph after a mark of any script"]:
        assert len(list(joined_lines("\n".join(lines)))) == paragraphs, lines


def test_wrapped_chinese_and_japanese_are_joined_without_a_space_and_others_with_one():
    assert plain_paragraphs("这座城市位于中国南\n  部，人口多。\n「好」用 HTML\n写。") == (
        "这座城市位于中国南部，人口多。「好」用 HTML 写。",
    )
    assert plain_paragraphs("그는 서울에\n왔다 그리고 갔다.") == ("그는 서울에 왔다 그리고 갔다.",)
    wrapped = "这座城市位于中国南部的一条大河旁边，人口超过一百万，是一个重要的工\n业中心。"
    assert list(joined_lines(wrapped)) == [wrapped.replace("\n", "")]


def test_many_lines_take_linear_time():
    start = time.process_time()
    assert len(list(joined_lines("x" * 60 + ("\n" + "y" * 60) * 50_000))) == 1
    assert time.process_time() - start < 20  # a fraction of a second
