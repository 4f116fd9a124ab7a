"""What elements inside a paragraph mean for its text: powers, notes, quotations, formulas, drop caps, hidden text."""

from gistmill.core.records import Verdict
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


def story(body: str, *, head: str = "", before: str = "") -> list[str]:
    """The paragraphs that the article has beside those of STORY."""
    page = (
        f"<html><head><title>A bridge</title>{head}</head><body><div><h1>A bridge</h1>{before}</div>"
        f"<article>{body}{''.join(f'<p>{p}</p>' for p in STORY)}</article></body></html>"
    )
    article = extract_article((page, ""))
    assert not isinstance(article, Verdict)
    assert set(STORY) <= set(article.paragraphs)
    return [p for p in article.paragraphs if p not in STORY]


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


def test_text_without_formulas_stays_as_it_is() -> None:
    texts = ["It cost $$ and ( more ) , he said.", "a (with ) b", "and so on"]
    assert whole_sentences(texts) == texts


def test_a_page_that_hides_itself_until_its_script_runs_is_read() -> None:
    page = f"<html><body style='display:none'><article>{''.join(f'<p>{p}</p>' for p in STORY)}</article></body></html>"
    article = extract_article((page, ""))
    assert not isinstance(article, Verdict) and article.paragraphs == STORY
    inner = page.replace("<body style='display:none'>", "<body>").replace("<article>", "<article style='display:none'>")
    article = extract_article((inner, ""))
    assert not isinstance(article, Verdict) and article.paragraphs == STORY


def test_slides_that_a_script_shows_are_read() -> None:
    slides = "".join(f"<div style='display: none'><p>{p}</p></div>" for p in STORY)
    page = f"<html><body><article><p>It is a list of slides.</p>{slides}</article></body></html>"
    article = extract_article((page, ""))
    assert not isinstance(article, Verdict) and article.paragraphs == ("It is a list of slides.", *STORY)


STANDFIRST = "The new bridge over the river is open at last, and the town has waited for it since the year 1999"


def test_a_standfirst_is_the_first_paragraph() -> None:
    for body, options in (
        (f"<h2>{STANDFIRST}</h2>", {}),
        ("", {"before": f"<p>{STANDFIRST}.</p>", "head": f"<meta name='description' content='{STANDFIRST}.'>"}),
        ("", {"before": f"<div class='article-lead'><p>{STANDFIRST}.</p></div>"}),
    ):
        assert story(body, **options) in ([STANDFIRST], [f"{STANDFIRST}."]), body


def test_a_standfirst_stands_once_and_before_the_story() -> None:
    paragraphs = "".join(f"<p>{p}</p>" for p in STORY)
    description = f"<meta name='description' content='{STANDFIRST}.'>"
    for page in (
        f"<html><head>{description}</head><body><div><p>{STANDFIRST}.</p></div><article>{paragraphs}</article></body>",
        f"<html><head>{description}</head><body><article><p>{STANDFIRST}.</p>{paragraphs}</article></body></html>",
    ):
        article = extract_article((page, ""))
        assert not isinstance(article, Verdict) and article.paragraphs == (f"{STANDFIRST}.", *STORY)


def test_what_is_no_standfirst_is_no_paragraph() -> None:
    for body, options in CASES["what is no standfirst is no paragraph"]:
        assert story(body, **options) == [], body


def test_a_long_heading_beside_the_headline_is_a_standfirst() -> None:
    for place in ("header", "hgroup"):
        paragraphs = "".join(f"<p>{p}</p>" for p in STORY)
        page = "<html><body><{0}><h1>A bridge</h1><h2>{1}</h2></{0}><article>{2}</article></body></html>"
        article = extract_article((page.format(place, STANDFIRST + ".", paragraphs), ""))
        assert not isinstance(article, Verdict) and article.paragraphs == (f"{STANDFIRST}.", *STORY), place
        article = extract_article((page.format("div", STANDFIRST + ".", paragraphs), ""))
        assert not isinstance(article, Verdict) and article.paragraphs == STORY, place


def test_a_standfirst_is_found_where_the_description_is_the_first_paragraph_of_the_story() -> None:
    head = f"<meta name='description' content='{STORY[0]}'>"
    assert story("", head=head, before=f"<div class='teaser-text'><p>{STANDFIRST}.</p></div>") == [f"{STANDFIRST}."]


def test_items_and_headings_that_are_paragraphs_stay() -> None:
    for text, stays in CASES["items and headings that are paragraphs stay"]:
        for page in (f"<ul><li>{text}</li></ul>", f"<h3>{text}</h3><p>{STORY[0]}</p>"):
            assert story(page) == [text] * stays, text


def test_a_quotation_is_prose_whatever_its_marks() -> None:
    for text in CASES["a quotation is prose whatever its marks"]:
        assert is_prose(text), text


def test_chinese_and_japanese_words_are_counted_by_characters() -> None:
    assert is_prose("必ず複数の男性で確保する。") and is_prose("市长周二开放了新桥。")
    assert not is_prose("新桥。") and not is_prose("2月17日")
