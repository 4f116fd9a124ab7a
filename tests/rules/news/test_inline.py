"""What elements inside a paragraph mean for its text: powers, notes, quotations, formulas, drop caps, hidden text."""

from __future__ import annotations

import pytest

from gistmill.core.verdict import Verdict
from gistmill.rules.news.html import extract_article
from gistmill.rules.news.inline import whole_sentences
from gistmill.rules.text.prose import is_prose

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


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        # powers and other superscripts
        ("It cost 10<sup>6</sup> euros and is 5 m<sup>2</sup> large.", "It cost 10⁶ euros and is 5 m² large."),
        ("It is 3 km<sup>2</sup>, or 10<sup>-6</sup> of x<sup>n</sup> here.", "It is 3 km², or 10⁻⁶ of xⁿ here."),
        ("It is the 1<sup>st</sup> one of M<sup>me</sup> Roe here.", "It is the 1st one of Mme Roe here."),
        ("It gives off CO<sub>2</sub> and H<sub>2</sub>O there.", "It gives off CO2 and H2O there."),
        # notes
        ("It opened in May.<sup>3</sup> The town<sup>5</sup> slept.", "It opened in May. The town slept."),
        ("It was good<sup>[1]</sup> there,<sup>2, 3</sup> he said.", "It was good there, he said."),
        ("In 1999<sup><a href='#fn4'>4</a></sup> it was<a href='#fn'><sup>a</sup></a> built.", "In 1999 it was built."),
        ("In 1999<sup class='reference'>4</sup> it was built again.", "In 1999 it was built again."),
        # quotations, deletions, dates
        ("He said <q>it is <q>good</q> now</q>, and left.", "He said “it is ‘good’ now”, and left."),
        ("He said <q>“it is good”</q> and left the town.", "He said “it is good” and left the town."),
        ("It costs <del>ten</del> <ins>20</ins> euros, <s>never</s> always.", "It costs 20 euros, always."),
        ("It was opened on <time>10 May 2020</time> by the mayor.", "It was opened on 10 May 2020 by the mayor."),
        ("The word<wbr>play of the <abbr>NGO</abbr> is cer\u00ademony.", "The wordplay of the NGO is ceremony."),
        ("They write <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> in town.", "They write 漢 in town."),
        # hidden text
        ("It is <span hidden>very</span> old <i style='DISPLAY:none'>x</i>now.", "It is old now."),
        ("It is <b style='color: red; visibility: hidden'>very</b> old now.", "It is old now."),
        ("It is <span style='display: inline'>very</span> old now.", "It is very old now."),
        ("It is <template>very</template>old<span class='sr-only'> (new window)</span> now.", "It is old now."),
        ("<span class='sr-only'>This</span><b aria-hidden='true'>This</b> is old now.", "This is old now."),
    ],
)
def test_an_element_leaves_the_text_that_readers_see(inside: str, text: str) -> None:
    assert story(f"<p>{inside}</p>") == [text]


@pytest.mark.parametrize(
    "body",
    [
        "<p><span class='dropcap'>T</span>he town is very old, they said.</p>",
        "<p><span class='dropcap'>T</span> he town is very old, they said.</p>",
        "<p><span aria-hidden='true' class='cap'>T</span>he town is very old, they said.</p>",
        "<p><span class='dropcap'>T</span><a href='/x'>he town</a> is very old, they said.</p>",
        "<div class='dropcap'>T</div><p>he town is very old, they said.</p>",
        "<div class='dropcap'>T</div>\n<p><b>he town</b> is very old, they said.</p>",
        "<div><div class='dropcap'><b>T</b></div><p>he town is very old, they said.</p></div>",
        "<p>T</p><p>he town is very old, they said.</p>",
        "<p><b>T</b></p><p>he town is very old, they said.</p>",
        "<p><img class='dropcap' alt='T' src='t.png'>he town is very old, they said.</p>",
        "<p><span class='sr-only'>The</span><span aria-hidden='true'><b>T</b>he</span> town is very old, they said.</p>",
        "<p class='has-drop-cap'>The town is very old, they said.</p>",
    ],
)
def test_a_drop_cap_goes_to_its_word(body: str) -> None:
    assert story(body) == ["The town is very old, they said."]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<div class='dropcap'>A</div><p>town is very old, they said.</p>", "A town is very old, they said."),
        ("<p><span class='dropcap'>A</span> town is very old, they said.</p>", "A town is very old, they said."),
        ("<div class='dropcap'>I</div><p>went to the town, they said.</p>", "I went to the town, they said."),
        ("<div class='dropcap'>A</div><p>fter the war it was old.</p>", "After the war it was old."),
        ("<div class='dropcap'>I</div><p>t is very old, they said.</p>", "It is very old, they said."),
        ("<div class='dropcap'>T</div><p>HE TOWN is very old, they said.</p>", "THE TOWN is very old, they said."),
        ("<p><span class='dropcap'>“T</span>he town is old,” they said.</p>", "“The town is old,” they said."),
        ("<p>Plan <b>B</b> is very old, they said.</p>", "Plan B is very old, they said."),
        ("<p><b>B</b> is the next plan, they said.</p>", "B is the next plan, they said."),
        ("<p><b>B</b></p><p>The town is very old, they said.</p>", "The town is very old, they said."),
    ],
)
def test_a_letter_that_is_a_word_stays_one(body: str, text: str) -> None:
    assert text in story(body)


FORMULAS = (
    "<math><mi>d</mi></math>",
    "<span class='mwe-math-element'><span style='display: none'><math><mi>d</mi></math></span>"
    "<img src='x.svg' class='mwe-math-fallback-image-inline' alt='d'></span>",
    "<img class='mwe-math-fallback-image-inline' src='y.svg' alt='d = 2'>",
    "<img src='https://blog.example/latex.php?latex=d' alt='d'>",
    "<span class='katex'><span class='katex-mathml'><math><mi>d</mi></math></span><span class='katex-html'>d</span></span>",
    "<span class='MathJax_Preview'>d</span><script type='math/tex'>d</script>",
    "<mjx-container><svg></svg></mjx-container>",
    "<span class='katex-html'>d</span>",
    "<span class='mjx-chtml'>d</span>",
    "<span class='equation'>d</span>",
    "<span class='math inline'>\\(d\\)</span>",
    "\\(d^2\\)",
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_sentence_that_lost_a_formula_goes_as_a_whole(formula: str) -> None:
    found = story(f"<p>It is old. The map has {formula} dimensions there (with {formula}). It was sold in May.</p>")
    assert found == ["It is old.", "It was sold in May."]


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


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (f"<h2>{STANDFIRST}</h2>", {}),
        ("", {"before": f"<p>{STANDFIRST}.</p>", "head": f"<meta name='description' content='{STANDFIRST}.'>"}),
        ("", {"before": f"<div class='article-lead'><p>{STANDFIRST}.</p></div>"}),
    ],
)
def test_a_standfirst_is_the_first_paragraph(body: str, options: dict[str, str]) -> None:
    assert story(body, **options) in ([STANDFIRST], [f"{STANDFIRST}."])


def test_a_standfirst_stands_once_and_before_the_story() -> None:
    paragraphs = "".join(f"<p>{p}</p>" for p in STORY)
    description = f"<meta name='description' content='{STANDFIRST}.'>"
    for page in (
        f"<html><head>{description}</head><body><div><p>{STANDFIRST}.</p></div><article>{paragraphs}</article></body>",
        f"<html><head>{description}</head><body><article><p>{STANDFIRST}.</p>{paragraphs}</article></body></html>",
    ):
        article = extract_article((page, ""))
        assert not isinstance(article, Verdict) and article.paragraphs == (f"{STANDFIRST}.", *STORY)


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("<h2>Rain all day</h2>", {}),
        ("", {"before": f"<p>{STANDFIRST}.</p>"}),  # nothing says what it is
        ("", {"head": f"<meta name='description' content='{STANDFIRST}.'>"}),  # the page does not show it
        (f"<ul><li><a href='/x'>{STANDFIRST}</a></li></ul>", {}),
        ("<ul><li>The bridge is 300 metres long.</li></ul>", {}),
    ],
)
def test_what_is_no_standfirst_is_no_paragraph(body: str, options: dict[str, str]) -> None:
    assert story(body, **options) == []


@pytest.mark.parametrize("place", ["header", "hgroup"])
def test_a_long_heading_beside_the_headline_is_a_standfirst(place: str) -> None:
    paragraphs = "".join(f"<p>{p}</p>" for p in STORY)
    page = "<html><body><{0}><h1>A bridge</h1><h2>{1}</h2></{0}><article>{2}</article></body></html>"
    article = extract_article((page.format(place, STANDFIRST + ".", paragraphs), ""))
    assert not isinstance(article, Verdict) and article.paragraphs == (f"{STANDFIRST}.", *STORY)
    article = extract_article((page.format("div", STANDFIRST + ".", paragraphs), ""))
    assert not isinstance(article, Verdict) and article.paragraphs == STORY


def test_a_standfirst_is_found_where_the_description_is_the_first_paragraph_of_the_story() -> None:
    head = f"<meta name='description' content='{STORY[0]}'>"
    assert story("", head=head, before=f"<div class='teaser-text'><p>{STANDFIRST}.</p></div>") == [f"{STANDFIRST}."]


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("The bridge is 300 metres long, and it is the longest one in the whole land", True),  # as long as a paragraph
        ("The bridge is the longest one in town.", True),  # a whole sentence
        ("What is the bridge of the town for?", True),
        ("Three pounds of the reddest apples from town", False),
        ("from the first of May for all others.", False),
        ("It is long.", False),
    ],
)
def test_items_and_headings_that_are_paragraphs_stay(text: str, stays: bool) -> None:
    for page in (f"<ul><li>{text}</li></ul>", f"<h3>{text}</h3><p>{STORY[0]}</p>"):
        assert story(page) == [text] * stays


@pytest.mark.parametrize(
    "text",
    ["„Wer sagt das?“", "»Wer sagt das?«", "« Qui a dit ça ? »", "‘Who said that?’", "誰がこの橋を作りましたか？"],
)
def test_a_quotation_is_prose_whatever_its_marks(text: str) -> None:
    assert is_prose(text)


def test_chinese_and_japanese_words_are_counted_by_characters() -> None:
    assert is_prose("必ず複数の男性で確保する。") and is_prose("市长周二开放了新桥。")
    assert not is_prose("新桥。") and not is_prose("2月17日")
