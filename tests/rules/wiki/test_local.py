"""Wikitext of wikis in other languages: names, headings, switches, variants, and the sentences that a template costs."""

from collections.abc import Sequence

from gistmill.rules.languages.language import language_named
from gistmill.rules.wiki.page import Page, language_of_wiki, local_of
from gistmill.rules.wiki.parsoid import clean_parsoid
from gistmill.rules.wiki.templates import canonical, renderer
from gistmill.rules.wiki.templates.arguments import Arguments
from gistmill.rules.wiki.tidy import sentences_of
from gistmill.rules.wiki.wikitext import clean_wikitext
from tests.cases import by_heading

CASES = by_heading(__file__)

CODES = "ar cs de es fa fr hi id it ja ko nl pl pt ru sv th tr uk vi zh".split()
# Two sentences and more of prose, of which the second has a place for markup.
PROSE = CASES["prose"]


def cleaned(text: str, language: str, variant: str = "") -> list[str]:
    """Returns all paragraphs of the cleaned text."""
    return [p for s in clean_wikitext(text, page=Page.of("", (), language, variant)) for p in s.paragraphs]


def joined(language: str, parts: Sequence[str]) -> str:
    return language_named(language).joiner.join(part.strip() for part in parts)


def test_texts_of_wikis_in_many_languages() -> None:
    for rule, cases in CASES["cleaned"].items():
        for language, text, paragraphs in cases:
            assert cleaned(text, language) == paragraphs, (rule, text)


def test_a_template_that_is_not_known_costs_its_sentence_and_a_note_none_in_every_language() -> None:
    for language in PROSE:
        first, middle, last = PROSE[language]
        text = joined(language, (first, middle.format("{{никто xyzzy|1}}"), last))
        assert cleaned(text, language) == [first.strip(), last.strip()], language
        text = joined(language, (first, middle.format("<ref>a. b</ref>"), last))
        expected = joined(language, (first, " ".join(middle.format("").split()), last))
        assert cleaned(text, language) == [expected], language


def test_sections_of_notes_and_links_go_by_the_titles_of_the_language_and_the_english_ones() -> None:
    for language in CODES:
        for title in (*language_named(language).tables["wiki"]["sections"][:8], "External links"):
            text = f"Aaa bbb ccc ddd.\n== {title.capitalize()} ==\nEee fff ggg hhh.\n== Xyz ==\nIii jjj kkk lll."
            assert cleaned(text, language) == ["Aaa bbb ccc ddd.", "Iii jjj kkk lll."], title


def test_a_title_that_joins_two_goes_if_both_do() -> None:
    for language, title, goes in CASES["a title that joins two goes if both do"]:
        assert (cleaned(f"== {title} ==\nEee fff ggg hhh.", language) == []) is goes, title


def test_files_and_categories_go_by_their_names_in_the_language() -> None:
    for language in CODES:
        local = local_of(language)
        for name in (*local.files, *local.categories, "file", "category"):
            text = f"Aaa bbb [[{name.capitalize()}:Xyz|thumb|Foo]]ccc ddd."
            assert cleaned(text, language) == ["Aaa bbb ccc ddd."], name


def test_behaviour_switches_go_in_every_script() -> None:
    for line in CASES["behaviour switches go in every script"]:
        assert cleaned(f"{line}\nAaa bbb ccc ddd.", "ja") == ["Aaa bbb ccc ddd."], line


VARIANTS = "他坐-{zh-hans:出租车; zh-hant:計程車; zh-hk:的士}-去了很远的地方。"


def test_every_choice_of_variants_is_made_in_the_order_of_mediawiki() -> None:
    for variant, word in CASES["every choice of variants is made in the order of mediawiki"]:
        assert cleaned(VARIANTS, "zh", variant) == [f"他坐{word}去了很远的地方。"], variant


def test_templates_of_the_wiki_show_their_words() -> None:
    for language, markup, text in CASES["templates of the wiki show their words"]:
        assert cleaned(markup, language) == [text], markup


def test_numbers_are_written_as_mediawiki_does_in_the_language() -> None:
    for language, number, text in CASES["numbers are written as mediawiki does in the language"]:
        args = Arguments([(None, word) for word in number.split("|")[1:]], f"formatnum:{number.split('|')[0]}")
        render = renderer("formatnum:1", language)
        assert render is not None, number
        assert render(args) == text, number


def test_a_sentence_keeps_its_number_in_other_languages_and_goes_where_their_numerals_are_unknown() -> None:
    first, middle, last = PROSE["de"]
    text = joined("de", (first, middle.format("{{formatnum:52345}}"), last))
    assert cleaned(text, "de") == [f"{first} {middle.format('52.345')} {last}"]
    assert cleaned(text.replace("52345", "{{x}}"), "de") == [first, last]
    first, middle, last = PROSE["xx"]
    assert cleaned(joined("xx", (first, middle.format("{{formatnum:52345}}"), last)), "xx") == [first, last]


def test_functions_are_those_of_every_wiki() -> None:
    for language, markup, text in CASES["functions are those of every wiki"]:
        name, *words = markup.strip("{}").split("|")
        render = renderer(canonical(name), language)
        assert render is not None, markup
        assert (render(Arguments([(None, word) for word in words], name)) or "") == text, markup


def test_a_template_of_english_words_means_nothing_on_another_wiki() -> None:
    assert renderer("convert", "") is not None
    assert renderer("convert", "de") is None
    assert renderer("or", "es") is None  # a note in English, a word elsewhere
    assert renderer("cite web", "de") is not None


def test_plain_prose_of_a_dropped_section_stays() -> None:
    for language, heading in (("ja", "脚注"), ("zh", "参考文献"), ("de", "Weblinks")):
        prose = joined(language, tuple(part.format("") for part in PROSE[language] * 3))
        assert cleaned(f"{prose}\n== {heading} ==\n{prose}", language) == cleaned(prose, language) * 2, heading


def test_texts_are_cut_only_where_a_sentence_surely_ends() -> None:
    for language, text, count in CASES["texts are cut only where a sentence surely ends"]:
        pieces = sentences_of(text, local_of(language))
        assert len(pieces) == count, text
        assert "".join("".join(pieces).split()) == "".join(text.split()), text


def test_hostile_text_takes_linear_time() -> None:
    for text in (
        *("(a. B. " * 30_000, "「。" * 60_000, "Абв. " * 30_000, '"Abcde. ' * 30_000),
        *("." * 300_000, "Ab" + "!?" * 150_000 + "c", "。" * 300_000 + "」", "।" * 300_000, '."' * 150_000),
    ):
        assert "".join("".join(sentences_of(text, local_of("ru"))).split()) == "".join(text.split()), text


def test_the_address_of_a_wiki_names_its_language() -> None:
    for url, code in CASES["the address of a wiki names its language"]:
        assert language_of_wiki(url) == code, url


def test_the_same_holds_for_html_by_parsoid() -> None:
    html = "<p>Die Stadt ist alt.</p><h2>Einzelnachweise</h2><p>Alles steht dort.</p>"
    titles = {code: [s.title for s in clean_parsoid((html, Page.of("", (), code)))] for code in ("de", "en")}
    assert titles == {"de": [""], "en": ["", "Einzelnachweise"]}
    choice = '{"twoway":[{"l":"zh-hant","t":"計程車"},{"l":"zh-cn","t":"出租车"}]}'
    variant = f"<p>他坐<span typeof='mw:LanguageVariant' data-mw-variant='{choice}'></span>去了很远的地方。</p>"
    (section,) = clean_parsoid((variant, Page.of("", (), "zh")))
    assert section.paragraphs == ("他坐出租车去了很远的地方。",)
