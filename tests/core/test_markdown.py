"""Text of strangers in Markdown: it shows what it is, whatever it holds."""

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gistmill.core.text_output import code, licence_tag, paragraphs, table, text

ATTACKS = [
    "# Heading",
    "Heading\n===",
    "Heading\n---",
    "[Sign in again](https://evil.example/login)",
    "[a][b]\n\n[b]: https://evil.example",
    "![p](https://evil.example/t.png)",
    "<script>alert(1)</script>",
    "<img src=https://evil.example/t.png>",
    "<https://evil.example>",
    "https://evil.example/login www.evil.example a@evil.example",
    "&lt;b&gt; &#35; &amp;",
    "---\nlicense: mit\n---",
    "```\ncode\n```",
    "~~~\ncode",
    "    indented",
    "- item\n- item",
    "+ item",
    "1. item",
    "12) item",
    "> quoted",
    "| a | b |\n| --- | --- |\n| c | d |",
    "**bold** *slanted* __bold__ _slanted_ ~~gone~~ $x$",
    "a\\",
    "\\`<b>`",
    "a`b``c```d",
    "` `<b>` `",
    "`<script>`",
    "`x``<b>`",
    "x | `<b> | y`",
    "\x1b[2J\x07\x1b]0;title\x07",
    "\u202egnp.exe",
    "a\x00b\x9bc\u2028d",
]
SHOWN = frozenset(("paragraph_open", "paragraph_close", "inline", "text", "code_inline", "softbreak"))
TABLE = frozenset(
    f"{part}_{end}" for part in ("table", "thead", "tbody", "tr", "th", "td") for end in ("open", "close")
)
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def kinds(markdown):
    """What a text is made of, for a reader of GitHub's Markdown."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = reader.parse(markdown)
    inner = [child.type for token in tokens for child in token.children or ()]
    return {token.type for token in tokens} | set(inner)


def words(markdown):
    reader = MarkdownIt("commonmark").enable("table")
    return "".join(c.content for t in reader.parse(markdown) for c in t.children or () if c.type != "softbreak")


def check(attack):
    """It is shown in a sentence, in code and in a table, and is nothing else."""
    for shown in (text(attack), paragraphs(attack), code(attack), f"The input {code(attack)} ({text(attack)})."):
        assert kinds(shown) <= SHOWN and not UNSAFE.search(shown), attack
        assert not re.search(r"(?<!\\)://|www\.", re.sub("`[^`]*`", "", shown)) or shown == code(attack), attack
    lines = table(["a", "b"], [[code(attack), text(attack)], [text(attack), "last"]])
    assert kinds("\n".join(lines)) <= SHOWN | TABLE and lines[-2].endswith(" | last |"), attack


def test_a_text_of_a_stranger_is_shown_and_is_nothing_else():
    for attack in ATTACKS:
        check(attack)


@given(st.text(st.sampled_from("`\\|<>[]()!*_~#&;:/.-+= \n\taé1\x1b"), max_size=30))
def test_no_text_is_more_than_text(attack):
    check(attack)


@given(st.text(st.sampled_from("\\|<>[]()!*_~#&;:/.-+= aé1"), max_size=30))
def test_a_reader_sees_the_words_as_they_are(said):
    wanted = " ".join(said.split())
    assert words(text(said)) == wanted
    assert words(code(said)) == wanted.replace("\\|", "\\u005c|")


def test_ordinary_sentences_stay_as_they_are_and_paragraphs_apart():
    for own in (
        "The text comes from Wikipedia, by its contributors, under CC BY-SA 4.0. `url` leads to each article.",
        "Text of 3 files (2026), PAIR_CONN & more: 5 - 3 = 2, `has_coref_type_pronoun`.",
        "`news-2026` (licence: cc-by-sa-4.0): all of it.",
    ):
        assert text(own) == paragraphs(own) == own
    assert paragraphs(" One\ntwo.\n \n# Three. ") == "One two.\n\n\\# Three."


def test_a_span_of_code_has_a_fence_that_is_longer():
    assert code("a.jsonl") == "`a.jsonl`" and code("") == ""
    assert code("q`$(touch X)`.jsonl") == "`` q`$(touch X)`.jsonl ``"
    assert code("\x1b[2Ja") == "`\\u001b[2Ja`"


def test_an_identifier_of_a_licence_is_kept_and_any_other_text_is_another_licence():
    for licence in "cc-by-sa-4.0", "other", "mit":
        assert licence_tag(licence) == licence
    for licence in "CC BY", "mit\n---\n# x", "<b>", "\x1b", "x" * 99, "", "[mit]":
        assert licence_tag(licence) == "other", licence
