"""Parsoid's HTML gives the paragraphs of the same page's wikitext, and the words of templates besides."""

from __future__ import annotations

import html as entities
import json
import re

import pytest

from gistmill.rules.documents import Section
from gistmill.rules.text.prose import HOLE, LOST
from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.parsoid import clean_parsoid, flatten_html
from gistmill.rules.wiki.wikitext import CleaningConfig, clean_wikitext
from tests.dumps import pages
from tests.parsoid_pages import parsoid_html

NOTE = (
    '<sup about="#mwt9" class="mw-ref reference" rel="dc:references" typeof="mw:Extension/ref" data-mw=\'{"name":"ref"}\'>'
    '<a href="./Otter#cite_note-1"><span class="mw-reflink-text">[1]</span></a></sup>'
)
LISTS = CleaningConfig(keep_lists=True)


def page(body):
    return (
        '<!DOCTYPE html>\n<html prefix="dc: http://purl.org/dc/terms/"><head><meta charset="utf-8"/><title>Otter</title>'
        '<base href="//en.wikipedia.org/wiki/"/></head><body class="mw-body-content mw-parser-output" dir="ltr">'
        f'<section data-mw-section-id="0" id="mwAQ">{body}</section></body></html>'
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
    return "\n".join(p for section in clean_parsoid(page(body), **options) for p in section.paragraphs)


# The same page in wikitext and in HTML.
PAIRS = {
    "notes": (
        "The '''otter''' swims well.<ref>Smith</ref> It eats fish<ref name=a />, crabs and frogs.",
        f"<p>The <b>otter</b> swims well.{NOTE} It eats fish{NOTE}, crabs and frogs.</p>",
    ),
    "a note between letters": (
        "One otter<ref>A</ref>swims in the river.",
        f"<p>One otter{NOTE}swims in the river.</p>",
    ),
    "links": (
        "It lives in [[River|rivers]] of [[Europe]] and [[wikt:sea]]. See [http://example.org its page] for more of it.",
        '<p>It lives in <a rel="mw:WikiLink" href="./River" title="River">rivers</a> of <a rel="mw:WikiLink" '
        'href="./Europe">Europe</a> and <a rel="mw:WikiLink/Interwiki" href="https://en.wiktionary.org/wiki/sea">wikt:sea</a>. '
        'See <a rel="mw:ExtLink" href="http://example.org" class="external text">its page</a> for more of it.</p>',
    ),
    "an address without a text": (
        "The otter swims well. More is at http://example.org/otter today. It eats fish.",
        '<p>The otter swims well. More is at <a rel="mw:ExtLink" href="http://example.org/otter" class="external free">'
        "http://example.org/otter</a> today. It eats fish.</p>",
    ),
    "an address in brackets, without a class": (
        "The otter swims well. More is at http://example.org/Otter%20(animal) today. It eats fish.",
        '<p>The otter swims well. More is at <a rel="mw:ExtLink nofollow" href="http://example.org/Otter%20(animal)">'
        "http://example.org/Otter%20(animal)</a> today. It eats fish.</p>",
    ),
    "a source that only a number shows": (
        "The otter swims well [http://example.org/otter] and eats fish.",
        '<p>The otter swims well <a rel="mw:ExtLink" href="http://example.org/otter" class="external autonumber"></a> and '
        "eats fish.</p>",
    ),
    "an address that the sentence needs": (
        "The list of it is at [http://example.org/otter] today. The otter eats fish.",
        '<p>The list of it is at <a rel="mw:ExtLink" href="http://example.org/otter" class="external autonumber"></a> '
        "today. The otter eats fish.</p>",
    ),
    "a link after the end of a sentence": (
        "The otter eats fish. [http://example.org/otter Smith 2001] It swims well.",
        '<p>The otter eats fish. <a rel="mw:ExtLink" href="http://example.org/otter" class="external text">Smith 2001</a> '
        "It swims well.</p>",
    ),
    "pictures": (
        "[[File:Otter.jpg|thumb|An otter that swims in a river.]]\nThe otter [[File:x.png]] swims well.",
        '<figure class="mw-default-size" typeof="mw:File/Thumb"><a href="./File:Otter.jpg" class="mw-file-description"><img '
        'src="x.jpg"/></a><figcaption>An otter that swims in a river.</figcaption></figure>\n<p>The otter <span '
        'class="mw-default-size" typeof="mw:File"><a href="./File:x.png"><img src="x.png"/></a></span> swims well.</p>',
    ),
    "sections": (
        "The otter swims well.\n== Food ==\nIt eats fish.\n=== Fish ===\nIt likes trout.\n== See also ==\n* [[Badger]]\n"
        "=== More ===\nA weasel.\n== Range ==\nIt lives in Europe.",
        '<p>The otter swims well.</p></section><section data-mw-section-id="1"><div class="mw-heading mw-heading2"><h2 '
        'id="Food">Food</h2></div>\n<p>It eats fish.</p>\n<section data-mw-section-id="2"><h3 id="Fish">Fish</h3>\n<p>It '
        'likes trout.</p></section></section><section data-mw-section-id="3"><h2 id="See_also">See also</h2>\n<ul><li><a '
        'rel="mw:WikiLink" href="./Badger">Badger</a></li></ul><section data-mw-section-id="4"><h3>More</h3><p>A weasel.</p>'
        '</section></section><section data-mw-section-id="5"><h2 id="Range">Range</h2>\n<p>It lives in Europe.</p>',
    ),
    "a formula in a sentence": (
        "The otter swims well. Its speed is <math>v=2</math> in a river. It eats fish.",
        '<p>The otter swims well. Its speed is <span class="mwe-math-element" typeof="mw:Extension/math" about="#mwt2" '
        'data-mw=\'{"name":"math"}\'><math><mi>v</mi></math></span> in a river. It eats fish.</p>',
    ),
    "a formula on a line": (
        "The otter swims well. Its speed is\n:<math>v=2</math>\nwhere the letter stands for speed. It eats fish.",
        '<p>The otter swims well. Its speed is</p>\n<dl><dd><span class="mwe-math-element" typeof="mw:Extension/math">v'
        "</span></dd></dl>\n<p>where the letter stands for speed. It eats fish.</p>",
    ),
    "a table": (
        'The otter swims well. Its sizes are:\n{| class="wikitable"\n| 5 kg of otter is a lot.\n|}\nIt eats fish.',
        '<p>The otter swims well. Its sizes are:</p>\n<table class="wikitable"><tbody><tr><td>5 kg of otter is a lot.</td></tr>'
        "</tbody></table>\n<p>It eats fish.</p>",
    ),
    "a list": (
        "The otter swims well. It eats these:\n* Fish of all kinds.\n** Trout above all.\n* Crabs too.\nIt sleeps.",
        "<p>The otter swims well. It eats these:</p>\n<ul><li>Fish of all kinds.\n<ul><li>Trout above all.</li></ul></li>\n"
        "<li>Crabs too.</li></ul>\n<p>It sleeps.</p>",
    ),
    "terms": (
        "The otter swims well.\n; Pup\n: A young otter that cannot swim yet.\nIt eats fish.",
        "<p>The otter swims well.</p>\n<dl><dt>Pup</dt>\n<dd>A young otter that cannot swim yet.</dd></dl>\n<p>It eats fish.</p>",
    ),
    "an indented paragraph": (
        "Smith wrote of it:\n:The otter swims well. It eats fish.\nHe was right.",
        "<p>Smith wrote of it:</p>\n<dl><dd>The otter swims well. It eats fish.</dd></dl>\n<p>He was right.</p>",
    ),
    "an indented line of a list": (
        "The otter swims well.\n* Fish.\n: It likes trout above all others.\nIt sleeps.",
        "<p>The otter swims well.</p>\n<ul><li>Fish.</li></ul>\n<dl><dd>It likes trout above all others.</dd></dl>\n<p>It "
        "sleeps.</p>",
    ),
    "an indented paragraph after a list": (
        "The otter swims well.\n* Fish.\n\n: It likes trout above all others.\nIt sleeps.",
        "<p>The otter swims well.</p>\n<ul><li>Fish.</li></ul>\n\n<dl><dd>It likes trout above all others.</dd></dl>\n<p>It "
        "sleeps.</p>",
    ),
    "a quotation": (
        "Smith wrote of it: <blockquote>The otter swims well. It eats fish.</blockquote> He was right.",
        "<p>Smith wrote of it: </p><blockquote><p>The otter swims well. It eats fish.</p></blockquote><p> He was right.</p>",
    ),
    "powers": (
        "It covers 5 km<sup>2</sup> of H<sub>2</sub>O on the 1<sup>st</sup> day.",
        "<p>It covers 5 km<sup>2</sup> of H<sub>2</sub>O on the 1<sup>st</sup> day.</p>",
    ),
    "characters": (
        "The otter&nbsp;swims &amp; dives. <nowiki>[It]</nowiki> is ''fast'', isn't it? Tom's ''Otter'''s end.",
        '<p>The otter<span typeof="mw:Entity">&nbsp;</span>swims <span typeof="mw:Entity">&amp;</span> dives. <span '
        "typeof=\"mw:Nowiki\">[It]</span> is <i>fast</i>, isn't it? Tom's <i>Otter</i>'s end.</p>",
    ),
    "a name that begins with marks": (
        "'''!!!''' is a band of three otters.\n\n'''=Otter=''' is a song of it.",
        "<p><b>!!!</b> is a band of three otters.</p>\n\n<p><b>=Otter=</b> is a song of it.</p>",
    ),
    "line breaks": (
        "The otter swims well.<br>It eats fish.<br /><br />It sleeps.",
        "<p>The otter swims well.<br/>It eats fish.<br/><br/>It sleeps.</p>",
    ),
    "what is struck out": (
        "The otter <s>walks</s> swims <ins>well</ins>.",
        "<p>The otter <s>walks</s> swims <ins>well</ins>.</p>",
    ),
    "code": (
        "The otter swims well. Call <code>otter()</code> for one. It eats fish.\n<pre>\notter() is called here.\n</pre>",
        "<p>The otter swims well. Call <code>otter()</code> for one. It eats fish.</p>\n<pre>otter() is called here.</pre>",
    ),
    "comments and categories": (
        "The otter <!-- it is one -->swims well.<!--\n-->\n[[Category:Otters]]\n[[de:Otter]]",
        '<p>The otter <!-- it is one -->swims well.<!--\n-->\n<link rel="mw:PageProp/Category" href="./Category:Otters"/></p>\n'
        '<link rel="mw:PageProp/Language" href="https://de.wikipedia.org/wiki/Otter"/>',
    ),
    "a variant of language": (
        "The -{zh-hans:otter; zh-hant:weasel}- swims well. It eats -{fish}-.",
        '<p>The <span typeof="mw:LanguageVariant" data-mw-variant=\'{"twoway":[{"l":"zh-hans","t":"otter"},{"l":"zh-hant","t":'
        '"weasel"}]}\'></span> swims well. It eats <span typeof="mw:LanguageVariant" data-mw-variant=\'{"disabled":{"t":"fish"}}'
        "'></span>.</p>",
    ),
    "rules of variants": (
        "The otter-{H|zh-hans:x; zh-hant:y}- swims well. Its name is -{N|zh-hans}-. It eats fish.",
        '<p>The otter<meta typeof="mw:LanguageVariant" data-mw-variant=\'{"add":true,"twoway":[{"l":"zh-hans","t":"x"}]}\'/> '
        'swims well. Its name is <span typeof="mw:LanguageVariant" data-mw-variant=\'{"name":{"t":"zh-hans"}}\'></span>. It eats '
        "fish.</p>",
    ),
    "an argument": (
        "The otter swims well. It is {{{colour}}} all over. It eats fish.",
        '<p>The otter swims well. It is <span about="#mwt1" typeof="mw:Param">{{{colour}}}</span> all over. It eats fish.</p>',
    ),
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


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("config", [CleaningConfig(), LISTS], ids=["without lists", "with lists"])
def test_both_forms_of_a_page_give_the_same_sections(name, config):
    wikitext, html = PAIRS[name]
    expected = clean_wikitext(wikitext, config=config, page=Page.of("Otter"))
    assert expected and clean_parsoid(page(html), config=config) == expected


def test_pages_of_wikipedia_give_the_paragraphs_of_their_wikitext():
    both, all_of_them = 0, 0
    for element in map(bytes.decode, pages()[:80]):
        wikitext = entities.unescape(re.search(r"<text[^>]*>(.*?)</text>", element, re.S)[1])
        if "<redirect" in element or "<ns>0<" not in element or len(wikitext) > 90_000:
            continue
        of_wikitext = [p for section in clean_wikitext(wikitext) for p in section.paragraphs]
        of_html = {p for section in clean_parsoid(parsoid_html(wikitext)) for p in section.paragraphs}
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


@pytest.mark.parametrize("name", KEPT)
def test_the_words_of_templates_stay(name):
    shown, call = KEPT[name]
    sentence = f"The otter has {re.sub('<[^>]*>', '', shown)} to itself."
    assert prose(f"<p>The otter has {template(call.pop('name'), shown, **call)} to itself.</p>") == sentence


GONE = {
    "a navigation box": '<div role="navigation" class="navbox">Words that go, too.</div>',
    "a box that is known by its class": '<table class="sidebar nomobile"><tbody><tr><td>Words that go.</td></tr></tbody></table>',
    "a hidden note": '<div style="display:none">Words that go.</div>',
    "references": '<div class="mw-references-wrap"><ol class="mw-references references"><li>Smith wrote it.</li></ol></div>',
    "styles and scripts": "<style>p { color: red }</style><script>let it = 'go.';</script>",
    "a notice": '<table class="box-Cleanup ambox"><tbody><tr><td>This article may need words.</td></tr></tbody></table>',
    "a table of contents": '<div id="toc" class="toc"><ul><li>It goes.</li></ul></div>',
    "a stub": '<div class="asbox stub"><p>This article is a stub. You can help it.</p></div>',
    "a gallery": '<ul class="gallery mw-gallery-traditional" typeof="mw:Extension/gallery"><li>A picture of it.</li></ul>',
}


@pytest.mark.parametrize("name", GONE)
def test_what_stands_beside_the_text_goes(name):
    assert (
        prose(f"<p>The otter swims well.</p>{GONE[name]}<p>It eats fish.</p>") == "The otter swims well.\nIt eats fish."
    )


def test_all_elements_of_a_template_that_leaves_nothing_go():
    box = template("Infobox animal", "<tbody><tr><td>It goes.</td></tr></tbody>", tag="table")
    assert (
        prose(f'{box}<p about="#mwt1">And this goes.</p>\n<p about="#mwt2">The otter swims.</p>') == "The otter swims."
    )


@pytest.mark.parametrize(
    "data", ["", "{", "[]", '{"parts":[]}', '{"parts":["a",{}]}', '{"parts":[{"template":{"target":{}}}]}']
)
def test_what_parsoid_says_of_a_template_may_be_missing_or_odd(data):
    body = f"<p>The otter <span typeof='mw:Transclusion' about='#mwt1' data-mw='{data}'>swims</span> well.</p>"
    assert prose(body) == "The otter swims well."


@pytest.mark.parametrize("data", ["", "{", "[]", '{"twoway":[]}', '{"twoway":[{"l":"zh"}]}', '{"filter":{"t":3}}'])
def test_a_variant_that_is_not_told_costs_its_sentence(data):
    body = f"<p>It <span typeof='mw:LanguageVariant' data-mw-variant='{data}'></span> well. It eats fish.</p>"
    assert prose(body) == "It eats fish."


def test_variants_in_variants_end():
    inner = "otter"
    for _ in range(40):
        data = entities.escape(json.dumps({"disabled": {"t": inner}}))
        inner = f'<span typeof="mw:LanguageVariant" data-mw-variant="{data}"></span>'
        if len(inner) > 1 << 20:
            break
    assert prose(f"<p>The {inner} swims. It eats fish.</p>") == "It eats fish."


def test_marks_in_the_input_are_not_marks():
    assert (
        prose(f"<p>The otter{LOST} sw{HOLE}ims&#1; &#x0f;well.\x03 It eats fish.</p>")
        == "The otter swims well. It eats fish."
    )
    assert "\x16" not in flatten_html("<p>a\x16b\x17c</p>")


AWKWARD = [
    "",
    " ",
    "\0",
    "<",
    "<!-- ",
    "text",
    "<p>",
    "</section>",
    "<li>a<dd>b<dt>c",
    "<h2>",
    "<sup><sup>2",
    "\ud800 a",
    "&#xd800;",
]


@pytest.mark.parametrize("html", AWKWARD)
def test_any_text_can_be_cleaned(html):
    assert isinstance(clean_parsoid(html), tuple)


def test_items_outside_of_lists_and_lists_in_tables_harm_nothing():
    body = "<li>An item is out of place.</li><table><tr><td><ul><li>x</li></ul></td></tr></table><p>The otter swims well.</p>"
    assert prose(body) == "The otter swims well."


def test_nested_elements_of_any_depth_are_walked():
    deep = 900
    assert prose("<div>" * deep + "<p>The otter swims well.</p>" + "</div>" * deep) == "The otter swims well."


def test_titles_of_sections_have_no_links_of_editors():
    body = (
        '<h2 id="Food"><span class="mw-headline">Food <i>and</i>\ndrink</span><span class="mw-editsection">[edit]</span></h2>'
        f"<p>It eats fish.{NOTE}</p>"
    )
    assert clean_parsoid(page(body)) == (Section("Food and drink", 2, ("It eats fish.",)),)


def test_the_words_of_a_doubt_stay_and_a_source_takes_its_sentence_along() -> None:
    doubted = template("Clarify", "the guild<sup class='noprint Inline-Template'>[clarify]</sup>", text="the guild")
    source = template("cite book", "<cite>Lee. The Mill.</cite>", title="The Mill")
    body = (
        f"<p>The mill is old. It was moved by {doubted} to the town. He spoke of {source} as the best. It is read.</p>"
    )
    (section,) = clean_parsoid(page(body))
    assert section.paragraphs == ("The mill is old. It was moved by the guild to the town.", "It is read.")
