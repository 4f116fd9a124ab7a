"""Parsoid's HTML gives the paragraphs of the same page's wikitext, and the words of templates besides."""

import html as entities
import json
import re

from gistmill.rules.documents import Section
from gistmill.rules.text.prose import HOLE, LOST
from gistmill.rules.wiki.page import UNKNOWN, Page
from gistmill.rules.wiki.parsoid import clean_parsoid, flatten_html
from gistmill.rules.wiki.wikitext import CleaningConfig, clean_wikitext
from tests.cases import by_heading
from tests.dumps import pages
from tests.parsoid_pages import parsoid_html

CASES = by_heading(__file__)

NOTE = (
    '<sup about="#mwt9" class="mw-ref reference" rel="dc:references" typeof="mw:Extension/ref" data-mw=\'{"name":"ref"}\'>'
    '<a href="./Otter#cite_note-1"><span class="mw-reflink-text">[1]</span></a></sup>'
)


def page(body):
    return (
        '<!DOCTYPE html>\n<html prefix="dc: http://purl.org/dc/terms/"><head><meta charset="utf-8"/><title>Otter</title>'
        '<base href="//en.wikipedia.org/wiki/"/></head><body class="mw-body-content mw-parser-output" dir="ltr">'
        f'<section data-mw-section-id="0" id="mwAQ">{body.replace("{NOTE}", NOTE)}</section></body></html>'
    )


def template(name, shown, *, tag="span", about="#mwt1", more="", **params):
    """An element that a template gave."""
    call = {
        "target": {"wt": name, "href": "./Template:X"},
        "params": {k.strip("_"): {"wt": v} for k, v in params.items()},
    }
    data = entities.escape(json.dumps({"parts": [{"template": {**call, "i": 0}}]}))
    return f'<{tag} about="{about}" typeof="mw:Transclusion" data-mw="{data}" {more}>{shown}</{tag}>'


def prose(body, **options):
    """The paragraphs of a page, each on a line."""
    return "\n".join(p for section in clean_parsoid((page(body), UNKNOWN), **options) for p in section.paragraphs)


# The same page in wikitext and in HTML, as far as it has templates; the others are in cases/parsoid.toml.
TEMPLATES = {
    "an info box": (
        "{{Infobox animal\n| name = Otter\n| text = A box that goes.}}\nThe otter swims well.",
        template(
            "Infobox animal\n", "<tbody><tr><td>A box that goes.</td></tr></tbody>", tag="table", more='class="infobox"'
        )
        + '<link rel="mw-deduplicated-inline-style" about="#mwt1"/>\n<p>The otter swims well.</p>',
    ),
    "a hatnote": (
        "{{For|the film|Otter (film)}}\nThe otter swims well.",
        template("For", "For the film, see Otter.", tag="div", more='role="note" class="hatnote"')
        + "\n<p>The otter swims well.</p>",
    ),
    "doubts": (
        "The otter swims well.{{cn|date=May 2026}} It eats{{which}} fish.",
        "<p>The otter swims well."
        + template("cn", "[<i>citation needed</i>]", tag="sup", more='class="noprint Inline-Template Template-Fact"')
        + " It eats"
        + template("which", "[<i>which?</i>]", tag="sup", about="#mwt2")
        + " fish.</p>",
    ),
    "pronunciation": (
        "The '''otter''' ({{IPAc-en|ˈ|ɒ|t|ə}}; born 1950) swims well. It is said {{IPA|ˈɒtə}} by many. It eats fish.",
        "<p>The <b>otter</b> ("
        + template("IPAc-en", "/<span>ˈɒtə</span>/")
        + "; born 1950) swims well. It is said "
        + template("IPA", "ˈɒtə", about="#mwt2")
        + " by many. It eats fish.</p>",
    ),
    "coordinates": (
        "{{coord|1|2|display=title}}\nThe otter swims at Oxford ({{coord|1|2}}) all day.",
        template("coord", "1°N", display="title")
        + "<p>The otter swims at Oxford ("
        + template("coord", "1°N", about="#mwt2")
        + ") all day.</p>",
    ),
    "fractions": (
        "It is 5{{frac|1|2}} or {{frac|1|1|2}} metres long, or 1{{sfrac|3|4}}.",
        "<p>It is 5"
        + template("frac", '<span class="num">1</span>⁄<span class="den">2</span>', more='class="frac"')
        + " or "
        + template(
            "frac", '1<span class="sr-only">+</span><span>1</span>⁄<span>2</span>', about="#mwt2", more='class="frac"'
        )
        + " metres long, or 1"
        + template(
            "sfrac", '<span>3</span><span class="sr-only">/</span><span>4</span>', about="#mwt3", more='class="sfrac"'
        )
        + ".</p>",
    ),
}


def test_both_forms_of_a_page_give_the_same_sections():
    for name, (wikitext, html) in {**CASES["pairs"], **TEMPLATES}.items():
        for config in (CleaningConfig(), CleaningConfig(keep_lists=True)):
            expected = clean_wikitext(wikitext, config=config, page=Page.of("Otter"))
            assert expected and clean_parsoid((page(html), UNKNOWN), config=config) == expected, (name, config)


def test_pages_of_wikipedia_give_the_paragraphs_of_their_wikitext():
    both, all_of_them = 0, 0
    for element in map(bytes.decode, pages()[:80]):
        wikitext = entities.unescape(re.search(r"<text[^>]*>(.*?)</text>", element, re.S)[1])
        if "<redirect" in element or "<ns>0<" not in element or len(wikitext) > 90_000:
            continue
        of_wikitext = [p for section in clean_wikitext(wikitext) for p in section.paragraphs]
        of_html = {p for section in clean_parsoid((parsoid_html(wikitext), UNKNOWN)) for p in section.paragraphs}
        both += sum(p in of_html for p in of_wikitext)
        all_of_them += len(of_wikitext)
    assert both > 0.97 * all_of_them > 300


KEPT = {
    "an amount": ("243,610 square kilometres (94,060 sq mi)", {"name": "convert", "_1": "243610", "_2": "km2"}),
    "a word of another language": ('German: <i lang="de">Wort</i>', {"name": "lang-de", "_1": "Wort"}),
    "an age": ("76 years", {"name": "age in years", "_1": "1950"}),
    "a formula of chemistry": ("H<sub>2</sub>O", {"name": "chem2", "_1": "H2O", "more": 'class="chemf nowrap"'}),
    "a template that nobody knows": ("words of its own", {"name": "Words/of its own"}),
}


def test_the_words_of_templates_stay():
    for name, (shown, call) in KEPT.items():
        sentence = f"The otter has {re.sub('<[^>]*>', '', shown)} to itself."
        assert prose(f"<p>The otter has {template(call.pop('name'), shown, **call)} to itself.</p>") == sentence, name


def test_what_stands_beside_the_text_goes():
    for name, html in CASES["gone"].items():
        body = f"<p>The otter swims well.</p>{html}<p>It eats fish.</p>"
        assert prose(body) == "The otter swims well.\nIt eats fish.", name


def test_all_elements_of_a_template_that_leaves_nothing_go():
    box = template("Infobox animal", "<tbody><tr><td>It goes.</td></tr></tbody>", tag="table")
    body = f'{box}<p about="#mwt1">And this goes.</p>\n<p about="#mwt2">The otter swims.</p>'
    assert prose(body) == "The otter swims."


def test_what_parsoid_says_may_be_missing_or_odd():
    for data in ("", "{", "[]", '{"parts":[]}', '{"parts":["a",{}]}', '{"parts":[{"template":{"target":{}}}]}'):
        body = f"<p>The otter <span typeof='mw:Transclusion' about='#mwt1' data-mw='{data}'>swims</span> well.</p>"
        assert prose(body) == "The otter swims well.", data
    for data in ("", "{", "[]", '{"twoway":[]}', '{"twoway":[{"l":"zh"}]}', '{"filter":{"t":3}}'):
        body = f"<p>It <span typeof='mw:LanguageVariant' data-mw-variant='{data}'></span> well. It eats fish.</p>"
        assert prose(body) == "It eats fish.", data


def test_variants_in_variants_end():
    inner = "otter"
    for _ in range(40):
        data = entities.escape(json.dumps({"disabled": {"t": inner}}))
        inner = f'<span typeof="mw:LanguageVariant" data-mw-variant="{data}"></span>'
        if len(inner) > 1 << 20:
            break
    assert prose(f"<p>The {inner} swims. It eats fish.</p>") == "It eats fish."


def test_marks_in_the_input_are_not_marks():
    body = f"<p>The otter{LOST} sw{HOLE}ims&#1; &#x0f;well.\x03 It eats fish.</p>"
    assert prose(body) == "The otter swims well. It eats fish."
    assert "\x16" not in flatten_html("<p>a\x16b\x17c</p>")


def test_any_text_can_be_cleaned():
    for html in ("", " ", "\0", "<", "<!-- ", "text", "<p>", "</section>", "<li>a<dd>b<dt>c", "<h2>", "<sup><sup>2"):
        assert isinstance(clean_parsoid((html, UNKNOWN)), tuple), html
    deep = 900
    for before, after in (
        ("\ud800 &#xd800;", ""),
        ("<li>An item is out of place.</li><table><tr><td><ul><li>x</li></ul></td></tr></table>", ""),
        ("<div>" * deep, "</div>" * deep),
    ):
        assert prose(f"{before}<p>The otter swims well.</p>{after}").endswith("The otter swims well."), before


def test_titles_of_sections_have_no_links_of_editors():
    body = (
        '<h2 id="Food"><span class="mw-headline">Food <i>and</i>\ndrink</span><span class="mw-editsection">[edit]</span></h2>'
        f"<p>It eats fish.{NOTE}</p>"
    )
    assert clean_parsoid((page(body), UNKNOWN)) == (Section("Food and drink", 2, ("It eats fish.",)),)


def test_the_words_of_a_doubt_stay_and_a_source_takes_its_sentence_along() -> None:
    doubted = template("Clarify", "the guild<sup class='noprint Inline-Template'>[clarify]</sup>", text="the guild")
    source = template("cite book", "<cite>Lee. The Mill.</cite>", title="The Mill")
    body = (
        f"<p>The mill is old. It was moved by {doubted} to the town. He spoke of {source} as the best. It is read.</p>"
    )
    (section,) = clean_parsoid((page(body), UNKNOWN))
    assert section.paragraphs == ("The mill is old. It was moved by the guild to the town.", "It is read.")
