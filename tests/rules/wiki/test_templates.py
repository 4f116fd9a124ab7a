"""Inline templates: the words and numbers they carry stay."""

from __future__ import annotations

import time

import pytest

from gistmill.rules.wiki.templates import TABLE
from gistmill.rules.wiki.tidy import tidy
from gistmill.rules.wiki.wikitext import clean_wikitext


def rendered(markup: str) -> str:
    """Returns what ``markup`` becomes inside a sentence."""
    ((section,),) = (clean_wikitext(f"Here we have words {markup} and some more words."),)
    (paragraph,) = section.paragraphs
    return paragraph.removeprefix("Here we have words").removesuffix("and some more words.").strip()


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("{{convert|10|km|mi}}", "10 kilometres"),
        ("{{convert|1|mi|km}}", "1 mile"),
        ("{{Convert|10|km|mi|abbr=on}}", "10 km"),
        ("{{convert|10|km|mi|sp=us}}", "10 kilometers"),
        ("{{cvt|3.5|m}}", "3.5 m"),
        ("{{cvt|3.5|m|abbr=off}}", "3.5 metres"),
        ("a {{convert|10|ft|m|adj=on}} wall", "a 10-foot wall"),
        ("{{convert|6|ft|m|adj=mid|-tall}}", "6-foot-tall"),
        ("{{convert|10|to|20|km}}", "10 to 20 kilometres"),
        ("{{convert|10|-|20|km}}", "10–20 kilometres"),
        ("{{convert|3|by|4|m}}", "3 by 4 metres"),
        ("{{convert|3|x|4|x|5|m}}", "3 × 4 × 5 metres"),
        ("{{convert|10|+/-|1|kg}}", "10 ± 1 kilograms"),
        ("{{convert|5|ft|11|in|m}}", "5 feet 11 inches"),
        ("{{convert|10|and|20|C|F}}", "10 and 20 °C"),
        ("{{convert|-5|C}}", "−5 °C"),
        ("{{convert|1,000|sqmi|km2}}", "1,000 square miles"),
        ("{{convert|2+1/2|in}}", "2 1/2 inches"),
        ("{{convert|1/2|in}}", "1/2 inch"),
        ("{{convert|640081.87|km2|sqmi|1|abbr=on}}", "640,081.87 km²"),
        ("{{convert|60|km/h|mph}}", "60 kilometres per hour"),
        ("{{convert|between|50|and|60|kg|lb}}", "between 50 and 60 kilograms"),
        ("{{convert|50|to about|60|kg}}", "50 to about 60 kilograms"),
        ("{{convert|5|up until|6|km}}", "5 up until 6 kilometres"),
        ("{{convert|5|e6m3|e6cuyd}}", "5 million cubic metres"),
        ("{{cvt|1|e9l}}", "1 billion L"),
        ("{{convert|2|koilbbl/d}} {{convert|3|Tcuft}}", "2 thousand barrels per day 3 trillion cubic feet"),
        ("{{cvt|1071|cc}} {{cvt|5|cm3}}", "1,071 cc 5 cm³"),
        ("{{convert|5e6|m}}", "5×10⁶ metres"),
        ("{{convert|3|GW}} {{convert|2|kg/s}}", "3 gigawatts 2 kilograms per second"),
        ("{{convert|243610|km2|sqmi}}", "243,610 square kilometres"),
        ("{{convert|1200|to|1500|m|comma=5}}", "1200 to 1500 metres"),
        ("{{convert|12000|m|comma=off}}", "12000 metres"),
        ("{{convert|12|km|mi|spell=in}}", "twelve kilometres"),
        ("{{convert|12|km|mi|spell=In}}", "Twelve kilometres"),
        ("{{convert|6|ft|2|in|adj=on}} {{convert|6|ft|2|in|adj=on|abbr=on}}", "6-foot-2-inch 6 ft 2 in"),
        ("{{convert|5|sq mi}} {{convert|5|cu ft|abbr=on}}", "5 square miles 5 cu ft"),
        ("{{convert|5|miles}} {{convert|5|metric tons}}", "5 miles 5 tonnes"),
        ("{{val|5|u=m2}} {{val|5|u=kg.m-3}} {{val|5|u=H2O}}", "5 m² 5 kg m⁻³ 5 H2O"),
        ("{{INRConvert|50|c}} {{INRConvert|12345}}", "₹50 crore ₹12,345"),
        ("{{val|5|to|6|u=m}} {{val|-2.5e6}}", "5 to 6 m −2.5×10⁶"),
        ("{{formatnum:1234|NOSEP}} {{formatnum:-1234.5}}", "1234 −1,234.5"),
        ("{{track gauge|4ft8.5in}} {{track gauge|1435mm}}", "4 ft 8.5 in 1,435 mm"),
        ("{{chem2|SO4(2-)}} {{chem2|Na+}}", "SO4²⁻ Na⁺"),
        ("{{convert|{{frac|1|2}}|mi}}", "1/2 mile"),
        ("{{convert|{{formatnum:12000}}|ft}}", "12,000 feet"),
        ("{{pop density|1000|50|km2}}", "20 inhabitants per square kilometre"),
        ("{{formatnum:1234567.5}}", "1,234,567.5"),
        ("{{formatnum:1,234|R}}", "1234"),
        ("{{val|1234|2|u=m}}", "1,234±2 m"),
        ("{{val|1.5|e=-6|ul=kg}}", "1.5×10⁻⁶ kg"),
        ("10{{e|5}}", "10×10⁵"),
        ("{{frac|3|4}}", "3/4"),
        ("{{sfrac|1|3|4}}", "1 3/4"),
        ("{{frac|2}}", "1/2"),
        ("5{{frac|1|2}} ({{frac|1|2}} in) 5{{sfrac|1|4}}", "5 1/2 (1/2 in) 5 1/4"),
        ("(−{{frac|1|3}}; {{cn}}) {{convert|5{{frac|1|2}}|ft}}", "(−1/3) 5 1/2 feet"),
        ("{{gaps|1|234|567}}", "1234567"),
        ("{{chem|H|2|O}}", "H2O"),
        ("{{ordinal|11}} {{ordinal|22}} {{ordinal|103}}", "11th 22nd 103rd"),
        ("{{US$|10 million}}", "US$10 million"),
        ("{{£|5}} {{INR|50|c=c}} {{euro|7}}", "£5 ₹50 crore €7"),
        ("{{currency|5|USD}}", "US$5"),
        ("{{nowrap|10 km}}", "10 km"),
        ("{{nobr|''x'' y}}", "x y"),
        ("{{lang|fr|''mot''}}", "mot"),
        ("{{lang-de|Wort}}", "Wort"),
        ("{{lang-zh|c=字|p=zì}}", "字; zì"),
        ("{{transl|ar|ALA|kitāb}}", "kitāb"),
        ("{{読み仮名|語|ご}} {{読み仮名 ruby不使用|語|ご}} 45{{esd}}km", "語（ご） 語（ご） 45 km"),
        ("{{CO2}} {{H2O}} 5 {{m s.l.m.}}", "CO2 H2O 5 m s.l.m."),
        ("{{nihongo|tea|茶|cha}}", "tea (茶, cha)"),
        ("{{circa|1900}}", "c. 1900"),
        ("{{circa|1900|1910}}", "c. 1900 – c. 1910"),
        ("{{c.}} 1900", "c. 1900"),
        ("{{birth date|1990|5|4}}", "May 4, 1990"),
        ("{{birth date and age|df=yes|1990|05|04}}", "4 May 1990"),
        ("{{death date and age|2000|5|4|1930|6|7}}", "May 4, 2000 (aged 69)"),
        ("{{start date|2001|9}}", "September 2001"),
        ("{{dts|2001|9|11}}", "September 11, 2001"),
        ("{{date|2001-09-11}}", "11 September 2001"),
        ("{{age|1930|6|7|2000|5|4}}", "69"),
        ("{{as of|2010|5|lc=y}}", "as of May 2010"),
        ("{{As of|2010}}", "As of 2010"),
        ("{{OldStyleDate|14 January|1892|2 January}}", "14 January 1892 [O.S. 2 January]"),
        ("1914{{ndash}}18", "1914–18"),
        ("a{{snd}}b", "a – b"),
        ("a{{mdash}}b", "a—b"),
        ("5{{nbsp}}km", "5 km"),
        ("Jess{{'}}", "Jess'"),
        ("Jess{{'s}} dog", "Jess's dog"),
        ("{{abbr|Dr|Doctor}} {{tooltip|X|why}}", "Dr X"),
        ("{{sic|teh}} {{small|x}} {{sup|2}}", "teh x ²"),
        ("x{{sub|2}}", "x2"),
        ("{{mvar|n}}", "n"),
        ("{{ill|Anna|de|Anna X}} {{ill|A|de|lt=B}}", "Anna B"),
        ("{{USS|Maine}}", "USS Maine"),
        ("{{HMS|Hood|51}}", "HMS Hood (51)"),
        ("{{HMS|Hood|51|1}} {{HMS|Hood|51|2}} {{HMS|Hood|51|3}}", "51 Hood Hood (51)"),
        ("{{HMS|Hood|51|5}} {{HMS|Hood|51|6}} {{HMS|Hood|51|7}}", "HMS (51) HMS Hood HMS Hood (51)"),
        ("{{SMS|Epsom||2}} {{SMS|Epsom||6}} {{MV|Dover||up=yes}}", "Epsom SMS Epsom MV Dover"),
        ("{{ship|HMS|Hood|51|2}} {{ship|HMS|Hood|51|6}}", "Hood HMS Hood"),
        ("{{ship|French ship|Frome|1840}} {{ship|French ship|Frome|1840|1}}", "French ship Frome (1840) 1840"),
        ("{{ship||Vasa}} {{ship||Vasa|1628|3}}", "Vasa Vasa (1628)"),
        ("{{hnoms|Thor}} {{GS|U-47|1938|2}} {{GS|U-47|1938|6}}", "HNoMS Thor U-47 German submarine U-47"),
        ("{{sclass|Essex|carrier}} {{sclass|Essex|carrier|3}}", "Essex-class carrier Essex-class carrier"),
        ("{{sclass2|A|ship|0}} {{sclass2|A|ship|1}} {{sclass-|A|ship|2}}", "A-class A-class ship A-class ship"),
        ("{{sclass|Essex|carrier|4}} {{sclass2|A||5}}", "Essex class A"),
        ("{{rws|Leeds}} {{stnlnk|Bramley|Hampshire}} {{rws|Ashford Intl||Ashford}}", "Leeds Bramley Ashford"),
        ("{{stl|MTR|Central}} {{LUL stations|station=Bank}}", "Central Bank"),
        ("{{harv|Lee|1990}} {{harvnb|Lee|1990|p=5}}", "(Lee 1990) Lee 1990, p. 5"),
        (
            "{{harvtxt|Lee|Kim|1990|pp=5–6}} {{harvp|Lee|1990|loc=fig. 2}}",
            "Lee & Kim (1990, pp. 5–6) Lee (1990), fig. 2",
        ),
        ("{{harvcol|A|B|C|1990|p=5}} {{harvcolnb|A|1990|p=5}}", "(A, B & C 1990:5) A 1990:5"),
        ("{{harvcoltxt|A|B|C|D|1990|p=5}} {{sfnt|Lee|1990}}", "A et al. (1990:5) Lee (1990)"),
        (
            "{{harvs|txt|last=Lee|year=1990}} {{harvs|nb=yes|first=E.|last1=Lee|last2=Kim|year1=1990}}",
            "Lee (1990) E. Lee & Kim 1990",
        ),
        ("{{who|text=some masters|date=May 2020}} {{according to whom|text=a man}}", "some masters a man"),
        ("{{better source needed|text=a}} {{strange claim inline|text=b}} {{odd?|text=c}}", "a b c"),
        ("{{citation needed span|text=the old mill}} {{fix-span|content=one|text=why}}", "the old mill one"),
        ("{{legend inline|#f00|Labour}} {{color box|red|text}}", "Labour text"),
        ("5 {{solar mass}} {{solar mass|2.5}} 3{{deg}} {{US$}}5", "5 M☉ 2.5 M☉ 3° US$5"),
        ("{{sortname|Ada|Byron}}", "Ada Byron"),
        ("{{flag|France}} {{flagicon|USA}}{{USA}}", "France United States"),
        ("{{bibleverse||John|3:16}} {{bibleverse|1|Kings|2:3|KJV}}", "John 3:16 1 Kings 2:3"),
        ("{{visible anchor|x}} {{linktext|a|b}} {{mono|c}}", "x a b c"),
        ("{{tq|said so}}", '"said so"'),
        ("{{lc:ABC}} {{ucfirst:abc}}", "abc Abc"),
        ("{{template:Nowrap|x}} {{ NOWRAP |1=y}}", "x y"),
        ("{{angbr|a}}", "⟨a⟩"),
    ],
)
def test_rendered(markup: str, text: str) -> None:
    assert rendered(markup) == text


@pytest.mark.parametrize(
    "markup",
    [
        "{{cn}}",
        "{{flagicon|USA}}",
        "{{fr icon}}",
        "{{citation needed|date=May 2020|reason=the guild}}",
        "{{fix|text=who}}",
        "{{color box|red}}",
        "{{plainlist}}",
    ],
)
def test_leaves_nothing(markup: str) -> None:
    assert rendered(markup) == ""


@pytest.mark.parametrize(
    "markup",
    [
        "{{unknown thing|a|b}}",
        "{{CURRENTYEAR}}",
        "{{x}}",
        "12{{x}}000",
        "{{#invoke:Count|all}}",
        "{{NUMBEROFARTICLES}}",
        "{{#expr: 5*3}}",
        "{{#if:a|b|c}}",
        "{{GRAMMAR:genitive|Foo}}",
        "{{{1}}}",
        "{{IPA-de|x}}",
        "{{age|1990|5|4}}",
        "{{inflation|US|5|1929}}",
        "{{convert}}",
        "{{convert|{{#expr:5*3}}|km|mi}}",
        "{{convert|ten|km}}",
        "{{convert|10|and|{{unknown}}|km}}",
        "{{convert|7|blah}}",
        "{{convert|7|km|mi|disp=output only}}",
        "{{nowrap|a {{unknown}} b}}",
        "2009{{unknown dash}}2014",
        "{{pop density||5|km2}}",
        "{{track gauge|gw}}",
        "{{HMS|Hood|51|4}}",
        "{{HMS|Hood||1}}",
        "{{HMS||51}}",
        "{{ship||Vasa|1628|6}}",
        "{{HMS|Hood|51|14}}",
        "{{HMS|Hood|51|x}}",
        "{{sclass|Essex}}",
        "{{sclass|Essex|carrier|9}}",
        "{{cite book|title=The Mill|author=Lee}}",
        "{{Cite web|url=x}}",
        "{{doi|10.1000/1}}",
        "{{commons category-inline|Mills}}",
        "{{harvnb}}",
        "{{harvs|txt}}",
        "{{rws}}",
        "{{station|Leeds}}",
        "{{plainlist|\n* a\n* b\n}}",
        "{{legend|#f00|Labour}}",
        "{{legend2|#f00|Labour}}",
        "{{inflation-year|US}}",
        "{{solar mass}}",
        "{{val|u=kg}}",
        "{{convert||kg}}",
        "{{US$}}",
        "{{€|}}",
        "{{height}}",
        "{{GENDER:Ada|he|she}}",
        "{{formatnum:}}",
    ],
)
def test_words_that_are_not_known_cost_their_sentence_alone(markup: str) -> None:
    (section,) = clean_wikitext(f"The first one stands. Trains run from {markup} to every town. The third one stands.")
    assert section.paragraphs == ("The first one stands.", "The third one stands.")


@pytest.mark.parametrize("name", sorted(TABLE))
def test_every_template_stands_any_arguments_and_nests_in_linear_time(name: str) -> None:
    odd = (
        "",
        "|",
        "|a",
        "|1|2|3|4|5|6|7",
        "|" * 70,
        "|-|-",
        "|x=1|y=2",
        "|²|٣",
        "|1|to|",
        "|1|to|2",
        "|9" * 30,
        "|1=a|3=b",
    )
    for arguments in odd:
        clean_wikitext(f"Some words {{{{{name}{arguments}}}}} here.")
    started = time.process_time()
    for place in ("|{}", "|1|{}", "|1|2|{}", "|u={}", "|m={}", "|lt={}", "|symbol={}", "|name={}"):
        text = "x"
        for _ in range(30):
            text = "{{" + name + place.replace("{}", text) + "}}"
        clean_wikitext(text)
    assert time.process_time() - started < 2


def test_tidy_is_idempotent_on_prose() -> None:
    text = 'A "quoted" (bracketed; twice, or more) text: 3.5 km, e.g. here... Yes!'
    assert tidy(text) == text == tidy(tidy(text))
    assert tidy("") == ""
