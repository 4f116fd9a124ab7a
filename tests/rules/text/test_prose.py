"""Paragraphs of prose in scripts other than Latin: what is one, and where wrapped lines end one."""

import time

from gistmill.rules.text.prose import is_prose, joined_lines, plain_paragraphs
from tests.cases import by_heading

CASES = by_heading(__file__)

PROSE = """\
أين يقع هذا البيت؟
این شهر در شمال ایران است.
یہ شہر پاکستان میں ہے۔
यह शहर भारत में है।
이 도시는 한국에 있다.
这座城市在中国南部。（见图）
彼は「もう来ない。」と言った（談
Це місто на півночі України.
Այս քաղաքը Հայաստանում է։
"""
NO_PROSE = """\
मुख्य नगर।
القاهرة؟
हिन्दी भाषा का इतिहास और उसका विकास
تاريخ مدينة القاهرة
東京。
ประวัติศาสตร์ไทย
이름과 역사
Історія міста
می‌شود نمی‌شود"""


def test_a_sentence_of_any_script_is_prose():
    for text in PROSE.splitlines():
        assert is_prose(text), text


def test_a_heading_of_any_script_is_not():
    for text in NO_PROSE.splitlines():
        assert not is_prose(text), text


def test_thai_has_no_marks_and_a_long_paragraph_is_prose():
    assert is_prose("กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย เป็นศูนย์กลางการปกครอง การศึกษา")


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
