"""Inline templates: the words and numbers they carry stay."""

import time

from gistmill.rules.wiki.templates import TABLE
from gistmill.rules.wiki.templates.arguments import TABLES
from gistmill.rules.wiki.tidy import tidy
from gistmill.rules.wiki.wikitext import clean_wikitext
from tests.cases import by_heading

CASES = by_heading(__file__)


def rendered(markup: str) -> str:
    """Returns what ``markup`` becomes inside a sentence."""
    ((section,),) = (clean_wikitext(f"Here we have words {markup} and some more words."),)
    (paragraph,) = section.paragraphs
    return paragraph.removeprefix("Here we have words").removesuffix("and some more words.").strip()


def test_rendered() -> None:
    for markup, text in CASES["rendered"]:
        assert rendered(markup) == text, markup


def test_leaves_nothing() -> None:
    for markup in CASES["leaves nothing"]:
        assert rendered(markup) == "", markup


def test_words_that_are_not_known_cost_their_sentence_alone() -> None:
    for markup in CASES["words that are not known cost their sentence alone"]:
        (section,) = clean_wikitext(
            f"The first one stands. Trains run from {markup} to every town. The third one stands."
        )
        assert section.paragraphs == ("The first one stands.", "The third one stands."), markup


def test_every_template_stands_any_arguments_and_nests_in_linear_time() -> None:
    for name in TABLE:
        stands_any_arguments_and_nests_in_linear_time(name)


def stands_any_arguments_and_nests_in_linear_time(name: str) -> None:
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
    assert time.process_time() - started < 2, name


def test_tidy_is_idempotent_on_prose() -> None:
    text = 'A "quoted" (bracketed; twice, or more) text: 3.5 km, e.g. here... Yes!'
    assert tidy(text) == text == tidy(tidy(text))
    assert tidy("") == ""


def test_a_name_is_in_one_table() -> None:
    tables = ("forms", "characters", "scripts", "currencies", "harvard")
    names = [name for table in tables for row in TABLES[table] for name in row.split(" | ")]
    names += [name for group in TABLES["groups"] for name in group["names"]]
    names += [name for module in TABLES["computed"].values() for row in module.values() for name in row]
    names += [*TABLES["ships_by_name"], *map(str.lower, TABLES["ships"])]
    assert sorted(set(names)) == sorted(names)
    assert set(TABLES["shared"]) <= set(names) <= TABLE.keys()
