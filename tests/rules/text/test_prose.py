"""Paragraphs of prose in scripts other than Latin: what is one, and where wrapped lines end one."""

import time

import pytest

from gistmill.rules.text.prose import is_prose, joined_lines, plain_paragraphs

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


@pytest.mark.parametrize("text", PROSE.splitlines())
def test_a_sentence_of_any_script_is_prose(text):
    assert is_prose(text)


@pytest.mark.parametrize("text", NO_PROSE.splitlines())
def test_a_heading_of_any_script_is_not(text):
    assert not is_prose(text)


def test_thai_has_no_marks_and_a_long_paragraph_is_prose():
    assert is_prose("กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย เป็นศูนย์กลางการปกครอง การศึกษา")


@pytest.mark.parametrize(
    ("lines", "paragraphs"),
    [
        (["أين يقع هذا البيت الكبير الذي رأيناه أمس في المدينة القديمة؟", "هنا يقع البيت."], 2),
        (["یہ شہر پاکستان کے شمال میں ایک بڑے دریا کے کنارے پر واقع ہے اور بہت۔", "یہ بڑا ہے۔"], 2),
        (["यह शहर भारत के उत्तर में एक बड़ी नदी के किनारे पर बसा हुआ है और बहुत॥", "यह बड़ा है।"], 2),
        (["彼は昨日東京から大阪まで新幹線で行き、そこで古い友人に会ったと「言った。」", "彼女は来た。"], 2),
        (["这座城市位于中国南部的一条大河旁边，人口超过一百万，是一个重要的工", "业中心。"], 1),
        (["이 도시는 한국의 남쪽에 있는 큰 강 옆에 자리 잡고 있으며 인구는 약 백만", "명이다."], 1),
        (["短い行", "彼は来た。"], 2),
    ],
)
def test_a_line_end_ends_a_paragraph_after_a_mark_of_any_script(lines, paragraphs):
    assert len(list(joined_lines("\n".join(lines)))) == paragraphs


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
