"""Lines, bylines and datelines of news in other languages than English."""

from gistmill.rules.languages.language import language_named
from gistmill.rules.news.html import extract_article
from gistmill.rules.news.story import clean_news
from tests.cases import by_heading

CASES = by_heading(__file__)

STORY = CASES["story"]


def test_lines_of_the_site_go() -> None:
    for language, line in CASES["lines of the site go"]:
        story = STORY[language]
        assert clean_news([line, story, line], language=language) == (story,), line


def test_datelines_go() -> None:
    for language, head in CASES["datelines go"]:
        assert clean_news([head + STORY[language]], language=language) == (STORY[language],), head


def test_prose_stays_and_captions_and_links_that_end_no_sentence_go() -> None:
    for language, text in CASES["prose stays"]:
        assert clean_news([text], language=language) == (text,), text
    for language, text in CASES["captions and links that end no sentence go"]:
        assert clean_news([text], language=language) == (), text


def test_who_wrote_it_goes_after_the_last_sentence_and_a_bracket_of_sentences_stays() -> None:
    for language, signature in (("de", " (mz)"), ("zh", "（完）"), ("zh", "（记者张三）"), ("ja", "（共同）")):
        assert clean_news([STORY[language] + signature], language=language) == (STORY[language],), signature
    for text in (f"{STORY['de']} (Mehr steht unten.)", "Die neue Brücke wurde am Dienstag eröffnet (siehe Karte)."):
        assert clean_news([text], language="de") == (text,)


def test_the_headline_and_the_author_go_in_every_language() -> None:
    lines = ["Neue Brücke eröffnet", "Max Müller", STORY["de"]]
    assert clean_news(lines, title="Neue Brücke eröffnet!", author="Max Müller", language="de") == (STORY["de"],)


def test_english_is_the_language_that_is_not_named() -> None:
    lines = ["By Jane Roe, Staff Writer", "LONDON (AP) — The mayor opened the bridge on Tuesday.", "Read more here"]
    expected = ("The mayor opened the bridge on Tuesday.",)
    assert clean_news(lines) == clean_news(lines, language="en") == expected


def test_a_second_pass_changes_nothing() -> None:
    for language in ("de", "ja", "xx"):
        lines = ["Foto: dpa", "Berlin (dpa) - Die Brücke wurde am Dienstag geöffnet.", "関連記事：市長", STORY["ja"]]
        once = clean_news(lines, language=language)
        assert clean_news(once, language=language) == once, language


def test_phrases_are_in_lower_case() -> None:
    for code in ("ar", "de", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh"):
        table = language_named(code).tables["news"]
        phrases = [phrase for key in ("begins", "holds", "bylines") for phrase in table[key]]
        assert phrases == [phrase.lower() for phrase in phrases] and all(phrases), code


def test_the_extractor_is_told_the_language() -> None:
    body = "".join(f"<p>{STORY['de']} Das sagte die Bürgermeisterin der Stadt am Abend.</p>" for _ in range(6))
    page = f"<html><body><article><h1>Neue Brücke</h1>{body}</article></body></html>"
    assert extract_article((page, ""), language="de") == extract_article((page, ""))
