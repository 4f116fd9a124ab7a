"""Markdown as sections of paragraphs."""

import time

import pytest

from gistmill.rules.documents import Section
from gistmill.rules.text.markdown import markdown_sections

RAIN, SNOW = "It rained all day long.", "It snowed all night long."


def paragraphs(text):
    return [paragraph for section in markdown_sections(text) for paragraph in section.paragraphs]


def test_headings_begin_sections():
    text = f"{RAIN}\n# One\n{SNOW}\n\n{RAIN}\n### Empty\n###### Six `x` ##\n{SNOW}"
    assert markdown_sections(text) == (
        Section("", 1, (RAIN,)),
        Section("One", 1, (SNOW, RAIN)),
        Section("Six x", 6, (SNOW,)),
    )
    assert markdown_sections("") == markdown_sections("# Title\n\n---\n") == ()


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("## C#", "C#"),
        ("## C# ##", "C#"),
        ("   ## Indented", "Indented"),
        ("##\tTab", "Tab"),
        ("##", ""),
        ("## ##", ""),
        ("## 1. Weather", "1. Weather"),
        ("## **Wet** [days](x.md)", "Wet days"),
    ],
)
def test_the_title_of_a_heading(heading, title):
    assert markdown_sections(f"{heading}\n{RAIN}") == (Section(title, 2, (RAIN,)),)


@pytest.mark.parametrize(
    "line", ["#hashtag is a word of its own.", "####### Seven signs are no heading.", r"\# No heading."]
)
def test_what_is_no_heading(line):
    assert [section.title for section in markdown_sections(f"{RAIN}\n{line}")] == [""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained\nall day long.", [RAIN]),  # a line end is a space
        (f"- {RAIN}\n* {SNOW}\n  1. {RAIN}\n2) {SNOW}", [RAIN, SNOW, RAIN, SNOW]),
        (f"> {RAIN}\n>\n>> {SNOW}", [RAIN, SNOW]),
        ("It *rained* **all** __day__ _long_.", [RAIN]),
        ("It ***rained*** [all `day`](https://x.org 'x') ![a cloud](c.png)long.", [RAIN]),
        (f"| day | rain |\n|---|---|\n| It rained on Monday. | 3 |\n{RAIN}", [RAIN]),
        (f"---\ntitle: It rained all day long.\n---\n{SNOW}", [SNOW]),
        (f"---\n\n{RAIN}\n\n---\n\n{SNOW}", [RAIN, SNOW]),  # rules, and no front matter
        ("The sum of 2 * 3 * 4 and 2*3*4 is a_b_c.", ["The sum of 2 * 3 * 4 and 2*3*4 is a_b_c."]),
        ("It was 5 * and 6* in [brackets] of 1984.", ["It was 5 * and 6* in [brackets] of 1984."]),
    ],
)
def test_marks_go_and_their_text_stays(text, expected):
    assert paragraphs(text) == expected


@pytest.mark.parametrize("fence", ["```", "~~~", "  ````"])
def test_blocks_of_code_are_left_out(fence):
    code = f"{fence}python\n# It is a comment of the code.\n``\n{fence.strip()[:2]}\n\nIt is code, too.\n{fence}"
    assert markdown_sections(f"{RAIN}\n{code}\n{SNOW}") == (Section("", 1, (RAIN, SNOW)),)
    assert paragraphs(f"{RAIN}\n{code.removesuffix(fence)}") == [RAIN]  # a fence that nothing closes
    assert paragraphs("```It rained``` all day long.") == ["```It rained``` all day long."]  # no fence


@pytest.mark.parametrize(
    "part", ["`", "~", "*", "_a", "[", "[a](", "![a](", "> ", "#", "# ", "- ", "*a ", "|", " ", "---\n"]
)
def test_repeated_marks_take_linear_time(part):
    begun = time.process_time()
    markdown_sections(part * 200_000)
    assert time.process_time() - begun < 5
