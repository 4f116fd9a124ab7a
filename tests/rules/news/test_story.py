"""Whole articles: what is left of their paragraphs, in what order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.rules.news.article import Block
from gistmill.rules.news.heads import is_byline, repeats, without_dateline
from gistmill.rules.news.story import clean_article, clean_news, news_paragraphs
from tests.cases import by_heading

CASES = by_heading(__file__)

STORY = (
    "The mayor opened the new bridge on Tuesday.",
    "Thousands came to watch it in the rain.",
    "It had cost twelve million dollars, she said.",
)


def test_everything_around_the_story_goes() -> None:
    paragraphs = [line.format(*STORY) for line in CASES["everything around the story"]]
    assert clean_news(paragraphs, title="Mayor Opens New Bridge!", author="Jane Roe; John Doe") == STORY


def test_the_headline_goes_at_the_head_only() -> None:
    assert clean_news(STORY) == STORY
    assert clean_news((STORY[0], *STORY), title=STORY[0]) == STORY[1:]
    assert clean_news((*STORY, STORY[0]), title=STORY[0]) == (*STORY[1:], STORY[0])


def test_headings_and_fragments_go_and_long_unfinished_paragraphs_stay() -> None:
    fragment = "A new bridge for the old town"
    unfinished = " ".join(["The mayor said that the bridge would stand for years"] * 4)
    paragraphs = (STORY[0], fragment, unfinished, "What she said:", "“It stands”")
    assert clean_news(paragraphs) == (STORY[0], unfinished, "What she said:")


def test_the_whole_article_keeps_what_is_between_its_texts() -> None:
    held = [
        Block(STORY[0]),
        Block("What Jane Roe Said", "heading"),  # not a byline
        Block("A new bridge for the old town"),
        Block("Steel", "item"),
        Block("10 May 2018", "row"),  # not a line of the site
    ]
    around = [Block("Bridge Opens", "heading"), Block("Back to the blog"), Block("By Jane Roe")]
    after = [Block("Advertisement", "heading"), Block("Town"), Block("Read this next", "heading")]
    found = clean_article([*around, *held, *after], title="Bridge opens", author="Jane Roe")
    assert found == tuple(block.text for block in held)
    assert clean_article([*around, Block("Steel", "item")], title="Bridge opens") == ()


def test_the_whole_article_ends_at_a_heading_that_closes_it() -> None:
    blocks = [*map(Block, STORY)]
    for heading, language in (
        ("References", ""),
        ("Related articles:", "en"),
        ("More from the Crier", ""),
        ("Quellen", "de"),
    ):
        found = clean_article([*blocks, Block(heading, "heading"), *map(Block, STORY)], language=language)
        assert found == STORY, heading
    for heading in ("More than a bridge", "The references that she gave", "Quellen"):
        found = clean_article([*blocks, Block(heading, "heading"), Block("It was closed.")])
        assert found == (*STORY, heading, "It was closed."), heading
    early = [Block("References", "heading"), *blocks]
    assert clean_article([Block("Yes, it is."), *early])[-3:] == STORY


def test_the_whole_article_is_cleaned_in_other_languages() -> None:
    story = "Die neue Brücke wurde am Dienstag eröffnet."
    blocks = [Block("Foto: dpa", "item"), Block(f"Berlin (dpa) - {story}"), Block("Weiteres", "heading"), Block("ab")]
    assert clean_article([*blocks, Block("Lesen Sie auch: Mehr")], language="de") == (story,)


def test_references_of_encyclopedias_go() -> None:
    text = "The bridge[2] was opened[citation needed] in 1999.[3][14]"
    assert clean_news((text,)) == ("The bridge was opened in 1999.",)


def test_datelines_deep_in_the_story_are_left_alone() -> None:
    late = "WASHINGTON — The word stood on the wall."
    assert clean_news((*STORY, STORY[0], late))[-1] == late


def test_nothing_is_left_of_pages_without_prose() -> None:
    page = ("Home", "News", "Please enable JavaScript to continue.", "We use cookies on this site.", "Subscribe now")
    assert clean_news(page) == ()
    assert clean_news(()) == ()


def test_paragraphs_of_plain_text() -> None:
    text = "Bridge opens\nBy Jane Roe\nLONDON (AP) — The bridge was\nopened on Tuesday.\nIt rained.\n\nThe end\nof it."
    assert news_paragraphs(text) == (
        "Bridge opens",
        "By Jane Roe",
        "LONDON (AP) — The bridge was opened on Tuesday.",
        "It rained.",
        "The end of it.",
    )
    wrapped = (
        "The mayor opened the new bridge on Tuesday, while it\nrained in the town that the river has always parted in\n"
        "Two halves, and thousands came to watch it in the\nrain."
    )
    assert news_paragraphs(wrapped) == (wrapped.replace("\n", " "),)
    assert news_paragraphs("\n \n\t\n") == ()


@settings(deadline=None)
@given(st.lists(st.text(max_size=300), max_size=8), st.text(max_size=20), st.text(max_size=20))
def test_never_fails_and_only_shortens(paragraphs: list[str], title: str, author: str) -> None:
    assert len(clean_news(paragraphs, title=title, author=author)) <= len(paragraphs)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *STORY,
                "Mayor opens",
                "By Jane Roe",
                "LONDON (AP) — It rained on Tuesday.",
                "Share",
                "WASHINGTON — By Jane Roe (CNN) It rained.",
                "BREAKING: UPDATE: EXCLUSIVE: WATCH: It rained again.",
                "Max Lee, KBS World Radio News.",
                "Jane Roe contributed to this report.",
            ]
        ),
        max_size=12,
    )
)
def test_a_second_pass_changes_nothing(paragraphs: list[str]) -> None:
    once = clean_news(paragraphs)
    assert clean_news(once) == once


# Bylines and datelines go; prose that looks like them stays.


FIRST = "The mayor opened the bridge on Tuesday."


def test_heads_go() -> None:
    for head in CASES["heads go"]:
        assert without_dateline(head + FIRST) == FIRST, head
    story = "Musicians often show off —but rarely so."  # a sure dateline needs no second look
    assert without_dateline("ANAHEIM, Calif. — " + story) == story


def test_the_name_of_the_site_goes_and_the_site_in_a_sentence_stays() -> None:
    for head in ("PanARMENIAN.Net - ", "panarmenian.net – ", "LONDON — PanARMENIAN.Net — "):
        assert without_dateline(head + FIRST, site="PanARMENIAN.Net") == FIRST, head
    for text in CASES["the site in a sentence stays"]:
        assert without_dateline(text, site="Town Crier") == text, text


def test_a_word_without_end_is_left() -> None:
    for text in ("A" * 10_000_000, "Aa-" * 3_000_000, "LONDON — " + "A" * 10_000_000):
        assert without_dateline(text, site="Aa").endswith(text[-1000:])


def test_prose_stays() -> None:
    for text in CASES["prose stays"]:
        assert without_dateline(text) == text and not is_byline(text), text


def test_bylines_are_not_sentences() -> None:
    for line in CASES["bylines are told"]:
        assert is_byline(line), line
    for text in CASES["sentences are no bylines"]:
        assert not is_byline(text), text


def test_the_headline_repeated() -> None:
    assert repeats("Mayor opens ‘new’ bridge.", "Mayor Opens 'New' Bridge")
    assert not repeats("Mayor opens new bridge and leaves.", "Mayor opens new bridge")
    assert not repeats("", "") and not repeats("...", "")


def test_hostile_text_takes_linear_time() -> None:
    for piece in ("A ", "LONDON, ", "(", "By ", "A-", "May 3 ", "J. R. ", "BREAKING: "):
        text = piece * 30_000
        assert text.endswith(without_dateline(text))
        assert not is_byline(text[:224] + " said the mayor.")
