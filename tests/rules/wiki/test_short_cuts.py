"""The fast forms of cleaning give what the plain ones give, on any text."""

import bz2
import random
import re
from html import unescape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.slice import slice_path
from gistmill.core.records import Verdict
from gistmill.rules.documents import Section
from gistmill.rules.wiki.balance import Caps, check_caps
from gistmill.rules.wiki.flatten import flatten
from gistmill.rules.wiki.prepare import prepared
from gistmill.rules.wiki.wikitext import CleaningConfig, clean_wikitext
from tests.rules.wiki import plain_cleaning
from tests.rules.wiki.plain_cleaning import plainly

TIGHT = [Caps(), Caps(openers=1, depth=1), Caps(openers=3, depth=4), Caps(openers=20, depth=12)]
# Pieces of wikitext; "_" is a space in them.
_BRACKETS = "{{ }} {{{ }}} { } [[ ]] [ ] | = == === {| |} |- [[File: [[Category: [[fr: [[:fr: [[wikt: # : |thumb|"
_TEMPLATES = (
    "{{convert|10|km|mi}} {{nowrap| {{lang|fr| {{cite {{IPA-en| {{lang-de|x}} {{formatnum:1234}} {{#if: {{sfn|A}} {{#x}}"
    " {{quote| {{'}} {{su|p=2|b=3}} {{{1|x}}} {{script/Hebr|x}} {{en_icon}} {{as_of|2010|lc=[[y]]}} {{nihongo|a|"
)
_TAGS = (
    "<ref> </ref> <ref_name=a/> <nowiki> </nowiki> <!-- --> <!--> <!---> <br> <b> </b> <sup> </sup> <math> </math>"
    " <table> </table> <div> </div> < <ſ> &nbsp; &amp; &#39; &#x27; &#X2014; &lt; & &bogus; http://a.b/c [http://a.b/c_d]"
    " //x mailto: HTTPS://"
)
_SIGNS = "'' '' ' ( ) () [] ; , . : ! ? … -- ---- word The_cat_sat_on_it. He_went,_and $ 1 é \u0301 \u200b \x01 \x0f"
PIECES = [piece.replace("_", " ") for piece in f"{_BRACKETS} {_TEMPLATES} {_TAGS} {_SIGNS}".split(" ")]
PIECES += [*" \t\n\xa0\x85", *"  /\n\n/\n* /\n# /\n: /\n----/\n{|/\n|}/\n== / ==\n/__/__TOC__".split("/")]


@pytest.fixture(scope="module")
def pages() -> list[str]:
    with bz2.open(slice_path(), "rt", encoding="utf-8") as stream:
        return [unescape(text) for text in re.findall(r"<text[^>]*>(.*?)</text>", stream.read(), re.DOTALL)]


def outcome(text: str) -> tuple[list[Verdict], tuple[Section, ...], tuple[Section, ...]]:
    """All that cleaning says of a text."""
    verdicts = [check_caps(text, caps) for caps in TIGHT]
    return verdicts, clean_wikitext(text), clean_wikitext(text, config=CleaningConfig(keep_lists=True))


def check_both_forms(text: str) -> None:
    fast, ready = outcome(text), prepared(text)
    with plainly():
        assert outcome(text) == fast
        assert prepared(text) == ready
    assert flatten(ready) == plain_cleaning.flatten(ready)
    assert flatten(text) == plain_cleaning.flatten(text)  # with tags and tables, which preparation takes out


@given(st.lists(st.sampled_from(PIECES), max_size=50).map("".join))
@example("{{a|" * 45 + "{{c}} {{{b}}} [[d]]" + "}}" * 45)
@example("{{{{a|" * 45 + "{{c}}} d" + "}}}}" * 45)
@example("One two three,. Four five six.")
@example("One two three __AB__ four five.")
@example("One two [ three four], five six ( ; seven).")
@example("One two [[three &amp; four]] five, ; six.")
@example("One two three '''four''''' five : six. ''")
@example("[[a|{{b}}]]]] {{c}}}}} [http://a [[b]]]] x")
@example("{{x|a=b=c|[[d=e]]=f|{{g}}&amp;=h}} {{as of|2010|l{{'}}c=y}} [[&amp;|]] [[{{nowrap|Boston}}, Mass|]]")
@example(":a\n;b:c\n{|\n! d\n|-\n| e || {{f}}\n|}\n----\n* <b>g <i>h</b>")
@example("One two three.[http://a.b/c d] Four five six [http://a.b/c d].")
@example("{{{a|b|c}}} {{{d}}} [//x y|z] [mailto:a@b] http://a.b/{{c}}")
def test_on_made_up_wikitext(text: str) -> None:
    check_both_forms(text)


def test_on_parts_of_pages_that_were_damaged(pages: list[str]) -> None:
    draw = random.Random(7)
    for _ in range(150):
        page = draw.choice(pages)
        start = draw.randrange(len(page))
        text = page[start : start + draw.randint(50, 3000)]
        for _ in range(draw.choice([0, 1, 3, 6])):
            at = draw.randrange(len(text) + 1)
            text = text[:at] + draw.choice(PIECES) + text[at + draw.randint(0, 5) :]
        check_both_forms(text)


@pytest.mark.long
def test_on_the_whole_slice(pages: list[str]) -> None:
    for text in pages:
        check_both_forms(text)


def test_the_caps_need_no_exact_count_on_real_pages(pages: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gistmill.rules.wiki.balance._measure", lambda text: pytest.fail("counted"))
    assert all(check_caps(text).accepted for text in pages)
