"""What elements inside a paragraph mean for its text: powers, notes, quotations, formulas, drop caps, hidden text."""

from gistmill.core.records import Verdict
from gistmill.rules.news.article import Block
from gistmill.rules.news.html import extract_article
from gistmill.rules.news.inline import whole_sentences
from gistmill.rules.text.prose import is_prose
from tests.cases import by_heading

CASES = by_heading(__file__)

STORY = (
    "The mayor opened the new bridge on Tuesday, saying that it would change the town for good.",
    "Thousands came to watch the ceremony in the rain, and many of them crossed the river on foot.",
    "Work on the bridge began in 1999 and cost twelve million dollars, officials said.",
)
PARAGRAPHS = "".join(f"<p>{p}</p>" for p in STORY)


def paragraphs_of(page: str) -> tuple[str, ...]:
    article = extract_article((page, ""))
    assert not isinstance(article, Verdict)
    return article.paragraphs


def story(body: str, *, head: str = "", before: str = "") -> list[str]:
    """The paragraphs that the article has in addition to those of STORY."""
    found = paragraphs_of(
        f"<html><head><title>A bridge</title>{head}</head><body><div><h1>A bridge</h1>{before}</div>"
        f"<article>{body}{PARAGRAPHS}</article></body></html>"
    )
    assert set(STORY) <= set(found)
    return [p for p in found if p not in STORY]


def test_an_element_leaves_the_text_that_readers_see() -> None:
    for inside, text in CASES["an element leaves the text that readers see"]:
        assert story(f"<p>{inside}</p>") == [text], inside


def test_a_drop_cap_goes_to_its_word() -> None:
    for body in CASES["a drop cap goes to its word"]:
        assert story(body) == ["The town is very old, they said."], body


def test_a_letter_that_is_a_word_stays_one() -> None:
    for body, text in CASES["a letter that is a word stays one"]:
        assert text in story(body), body


def test_a_sentence_that_lost_a_formula_goes_as_a_whole() -> None:
    for formula in CASES["a sentence that lost a formula goes as a whole"]:
        found = story(f"<p>It is old. The map has {formula} dimensions there (with {formula}). It was sold in May.</p>")
        assert found == ["It is old.", "It was sold in May."], formula


def test_what_led_to_a_formula_and_went_on_after_it_goes_too() -> None:
    body = (
        "<p>The town is old. The area is given as follows:</p><p><math><mi>x</mi></math></p>"
        "<p>where the letter stands for the area. It was sold in May.</p>"
    )
    assert story(body) == ["The town is old.", "It was sold in May."]


def test_a_superscript_in_another_is_part_of_it() -> None:
    assert story("<p>It is the 2<sup>n<sup>d</sup></sup> bridge of the town, they said.</p>") == [
        "It is the 2nd bridge of the town, they said."
    ]


def test_text_without_formulas_stays_as_it_is() -> None:
    blocks = [Block("It cost $$ and ( more ) , he said."), Block("a (with ) b", "item"), Block("and so on")]
    assert whole_sentences(blocks) == blocks


def test_a_page_that_hides_its_text_until_its_script_runs_is_read() -> None:
    hidden = "style='display:none'"
    for page in (f"<body {hidden}><article>{PARAGRAPHS}", f"<body><article {hidden}>{PARAGRAPHS}"):
        assert paragraphs_of(f"<html>{page}</article></body></html>") == STORY, page
    slides = "".join(f"<div {hidden}><p>{p}</p></div>" for p in STORY)
    page = f"<html><body><article><p>It is a list of slides.</p>{slides}</article></body></html>"
    assert paragraphs_of(page) == ("It is a list of slides.", *STORY)


STANDFIRST = "The new bridge over the river is open at last, and the town has waited for it since the year 1999"


def test_a_standfirst_is_the_first_paragraph() -> None:
    for body, options in (
        (f"<h2>{STANDFIRST}</h2>", {}),
        ("", {"before": f"<p>{STANDFIRST}.</p>", "head": f"<meta name='description' content='{STANDFIRST}.'>"}),
        ("", {"before": f"<div class='article-lead'><p>{STANDFIRST}.</p></div>"}),
    ):
        assert story(body, **options) in ([STANDFIRST], [f"{STANDFIRST}."]), body


def test_a_standfirst_is_taken_once_and_before_the_story() -> None:
    head = f"<html><head><meta name='description' content='{STANDFIRST}.'></head><body>"
    for body in (f"<div><p>{STANDFIRST}.</p></div><article>", f"<article><p>{STANDFIRST}.</p>"):
        assert paragraphs_of(f"{head}{body}{PARAGRAPHS}</article></body></html>") == (f"{STANDFIRST}.", *STORY), body


def test_what_is_no_standfirst_is_no_paragraph() -> None:
    for body, options in CASES["what is no standfirst is no paragraph"]:
        assert story(body, **options) == [], body


def test_a_long_heading_next_to_the_headline_is_a_standfirst() -> None:
    for place, expected in (
        ("header", (f"{STANDFIRST}.", *STORY)),
        ("hgroup", (f"{STANDFIRST}.", *STORY)),
        ("div", STORY),
    ):
        page = f"<html><body><{place}><h1>A bridge</h1><h2>{STANDFIRST}.</h2></{place}><article>{PARAGRAPHS}</article>"
        assert paragraphs_of(f"{page}</body></html>") == expected, place


def test_a_standfirst_is_found_where_the_description_is_the_first_paragraph_of_the_story() -> None:
    head = f"<meta name='description' content='{STORY[0]}'>"
    assert story("", head=head, before=f"<div class='teaser-text'><p>{STANDFIRST}.</p></div>") == [f"{STANDFIRST}."]


def test_items_and_headings_that_are_paragraphs_stay() -> None:
    for text, stays in CASES["items and headings that are paragraphs stay"]:
        for page in (f"<ul><li>{text}</li></ul>", f"<h3>{text}</h3><p>{STORY[0]}</p>"):
            assert story(page) == [text] * stays, text


def test_a_quotation_is_prose_whatever_its_marks_and_chinese_words_are_counted_by_characters() -> None:
    for text in (
        *CASES["a quotation is prose whatever its marks"],
        "必ず複数の男性で確保する。",
        "市长周二开放了新桥。",
    ):
        assert is_prose(text), text
    assert not is_prose("新桥。") and not is_prose("2月17日")
