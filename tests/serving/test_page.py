"""The page of the server in a browser: fusions, splits, propositions and summaries, copied and shared, and errors in words."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.propositions.open_references import OpenKind
from tests.browser import DESKTOP, PHONE, overflow, serious_faults

pytestmark = [pytest.mark.long, pytest.mark.waits]

ROOT = Path(__file__).parents[2]
PAIR = "The bridge was closed on Monday. The bridge had cracks in two of its pillars."
ARTICLE = (
    "The bridge over the river was closed on Monday. Engineers had found cracks in two of its pillars. "
    "Drivers have to take the old road.\n\nThe repairs will take three months. A ferry carries people on foot."
)
LIFE = (
    "Ada Lovelace met Charles Babbage in 1833. She wrote notes on his engine, which was never built.\n\n"
    "Who was she? However, it inspired others."
)
HOSTILE = "<img src=x onerror=alert(1)> & </textarea><script>alert(1)</script> was closed. <b>It</b> had cracks."


@pytest.fixture
def opened(page, server):
    """The page of the server, with the clipboard allowed. What a dialog says fails the test."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.goto(server.url)
    return page


def ask(page, task, text):
    """Asks by the keyboard only, and waits for the answer's heading."""
    page.locator(f"input[value={task}]").focus()
    page.keyboard.press("Space")
    page.locator("#text").fill(text)
    page.locator("#text").press("Control+Enter")
    page.wait_for_selector("#result[aria-busy=false] h2")
    return page.locator("#result")


def test_two_sentences_are_fused_and_the_edits_told(opened):
    result = ask(opened, "fuse", PAIR)
    assert result.locator("h2").all_inner_texts() == ["Fusion", "Alternatives"]
    assert result.locator("article").count() == 5
    assert re.search(r"sentences stay as they are is [0-9.]+%\.", result.inner_text())
    best = result.locator("article").first
    assert best.locator(".answer").inner_text().startswith("The bridge was closed on Monday")
    assert best.locator("ins").count() and best.locator("del").count()
    best.locator("summary").press("Enter")
    assert "DELETE" in best.locator("ol").inner_text()
    assert any(f"{kind.name}: {kind.value}" in best.inner_text() for kind in DiscourseType)


def test_a_fusion_has_the_type_the_connective_and_the_number_that_are_wanted(opened):
    opened.select_option("#type", "SINGLE_RELATIVE")
    opened.fill("#most", "2")
    articles = ask(opened, "fuse", PAIR).locator("article")
    assert articles.count() == 2
    assert all("SINGLE_RELATIVE: relative clause" in text for text in articles.all_inner_texts())
    opened.select_option("#type", "PAIR_CONN")
    opened.fill("#connective", " however ")
    best = ask(opened, "fuse", PAIR).locator(".answer").first.inner_text()
    assert best.startswith("The bridge was closed on Monday. However, ")


def test_a_number_of_fusions_that_cannot_be_is_said(opened):
    for number in "", "0", "11", "2.5":
        opened.reload()
        opened.fill("#most", number)
        assert "The number of fusions must be a whole number from 1 to 10." in ask(opened, "fuse", PAIR).inner_text()
    assert ask(opened, "split", PAIR).locator("h2").first.inner_text() != "Error"


def test_what_is_wanted_is_offered_for_fusions_only_and_every_type_is_there(opened):
    offered = opened.locator("#type option").evaluate_all("(options) => options.map((option) => option.value)")
    assert set(offered) == {"", *DiscourseType.__members__}
    for task, has_them in (("split", False), ("summarize", False), ("fuse", True)):
        opened.check(f"input[value={task}]")
        assert [opened.locator(f"#{name}").is_visible() for name in ("type", "connective", "most")] == [has_them] * 3


def test_a_link_brings_what_is_wanted(opened, server, browser):
    opened.select_option("#type", "PAIR_CONN")
    opened.fill("#connective", "à: b&c")
    opened.fill("#most", "3")
    said = ask(opened, "fuse", PAIR).inner_text()
    opened.locator("#share").click()
    opened.wait_for_url(re.compile("#fuse.type="))
    other = browser.new_context().new_page()
    other.goto(opened.url)
    other.wait_for_selector("#result[aria-busy=false] h2")
    assert [other.locator(f"#{name}").input_value() for name in ("type", "connective", "most")] == [
        "PAIR_CONN",
        "à: b&c",
        "3",
    ]
    assert other.locator("#result").inner_text() == said
    other.evaluate("location.hash = location.hash.replace(/\\?[^:]+/, '')")  # as links before had it
    expect(other.locator("#most")).to_have_value("5")
    assert [other.locator(f"#{name}").input_value() for name in ("type", "connective")] == ["", ""]
    other.evaluate("location.hash = location.hash.replace(':', '?type=PAIR_OF_SHOES:')")
    expect(other.locator("#result")).to_contain_text("There is no discourse type PAIR_OF_SHOES.")
    other.context.close()


def test_a_sentence_is_split_by_a_rule_that_is_told_and_refusals_too(opened):
    result = ask(opened, "split", "The Sharks started slowly, yet they recovered to claim sixth spot.")
    assert "started slowly. They recovered" in result.locator("article").first.inner_text()
    assert "connective “, yet”" in result.inner_text() and "SPLIT" in result.locator("ol").first.text_content()
    assert "No rule splits this text." in ask(opened, "split", "Rain.").inner_text()


def test_an_article_is_summarized_and_what_is_copied_marked(opened):
    result = ask(opened, "summarize", ARTICLE)
    lead = ARTICLE.partition("\n")[0]
    assert result.locator(".answer").inner_text() == lead
    assert "baseline: the first sentences, no model" in result.inner_text()
    assert "100% of its words are in the article" in result.inner_text()
    marks = result.locator(".source mark").all_inner_texts()
    assert marks == [lead.rstrip(".")]
    assert result.locator(".source").inner_text() == ARTICLE.replace("\n\n", "\n")


def held(page):
    """The pieces of the text that are marked, in order."""
    return page.locator(".piece.held").all_inner_texts()


def test_a_text_is_cut_into_statements_that_stand_by_their_sentences(opened):
    result = ask(opened, "propositions", LIFE)
    assert result.locator("h2").all_inner_texts() == ["Propositions", "Resolved text"]
    assert "4 statements, of which 3 stand alone." in result.inner_text()
    sentences = result.locator(".sentence")
    assert sentences.locator("> .source").all_inner_texts() == [
        "Ada Lovelace met Charles Babbage in 1833.",
        "She wrote notes on his engine, which was never built.",
        "Who was she?",
        "However, it inspired others.",
    ]
    assert "No statement: a question asserts nothing." in sentences.nth(2).inner_text()
    split, last = sentences.nth(1).locator("article"), sentences.nth(3).locator("article")
    assert split.locator(".answer").all_inner_texts() == [
        "Ada Lovelace wrote notes on Charles Babbage's engine.",
        "Charles Babbage's engine was never built.",
    ]
    assert split.nth(0).locator("ins").all_inner_texts() == ["Ada Lovelace", "Charles Babbage's"]
    assert "stands alone" in split.nth(0).inner_text()
    assert "“She” is now “Ada Lovelace” (100% sure)" in split.nth(0).inner_text()
    assert "does not stand alone" in last.inner_text()
    assert "“It”: a pronoun, and it is not certain who or what it refers to" in last.inner_text()
    last.locator("summary").press("Enter")
    assert "DELETE however ," in last.locator("ol").inner_text()


def test_pointing_at_a_statement_marks_what_it_is_made_of(opened):
    statements = ask(opened, "propositions", LIFE).locator(".statement")
    assert held(opened) == []
    statements.nth(1).hover()
    assert held(opened) == ["Ada Lovelace", "Charles Babbage", "wrote notes on", "engine"]
    statements.nth(2).focus()
    opened.locator("#result h2").first.hover()
    assert held(opened) == ["Charles Babbage", "engine", "was never built"]  # the focus stays when the mouse has gone
    opened.keyboard.press("Shift+Tab")
    while opened.evaluate("document.activeElement.className") != "statement":
        opened.keyboard.press("Shift+Tab")
    assert held(opened) == ["Ada Lovelace", "Charles Babbage", "wrote notes on", "engine"]
    opened.locator("#text").focus()
    assert held(opened) == []


def test_a_resolved_text_is_marked_and_copied(opened):
    result = ask(opened, "propositions", f"𝒜 flood 🌊 came. {LIFE}")
    answer = result.locator("> .answer")
    assert "came. Ada Lovelace met Charles Babbage in 1833. Ada Lovelace wrote notes on Charles" in answer.inner_text()
    assert answer.locator("ins").all_inner_texts()[:2] == ["Ada Lovelace", "Charles Babbage's"]
    result.locator("> button.copy").click()
    assert opened.evaluate("navigator.clipboard.readText()") == answer.text_content()


def test_a_text_without_statements_says_so(opened):
    said = ask(opened, "propositions", "Is it so? Who knows?").inner_text()
    assert "The text contains no statements." in said
    assert "Nothing was replaced, because no link was certain enough." in said
    assert opened.locator(".sentence > .source").all_inner_texts() == ["Is it so?", "Who knows?"]
    assert said.count("No statement: a question asserts nothing.") == 2


def test_a_title_belongs_to_propositions_and_goes_with_their_link(opened, browser):
    assert not opened.locator("#title").is_visible()
    opened.check("input[value=propositions]")
    opened.fill("#title", "Bridge")
    said = ask(opened, "propositions", "The bridge was closed on Monday, so they left.").inner_text()
    assert "“The bridge”" not in said
    opened.locator("#share").click()
    opened.wait_for_url(re.compile("#propositions.title="))
    other = browser.new_context().new_page()
    other.goto(opened.url)
    other.wait_for_selector("#result[aria-busy=false] h2")
    assert other.locator("#title").input_value() == "Bridge"
    assert other.locator("#result").inner_text() == said
    other.context.close()


def test_marks_are_in_characters_not_in_halves_of_them(opened):
    lead = "𝒜 flood 🌊 came 🌊🌊. The town was warned. It held"
    result = ask(opened, "summarize", f"{lead}. {ARTICLE}")
    assert result.locator(".source mark").all_inner_texts() == [lead]


def test_a_result_is_copied(opened):
    result = ask(opened, "fuse", PAIR)
    button = result.locator("button.copy").first
    opened.clock.install(time=0)
    opened.clock.pause_at(1_000)  # the word stays until it has been read
    button.click()
    expect(button).to_have_text("Copied")
    assert opened.evaluate("navigator.clipboard.readText()") == result.locator(".answer").first.inner_text()
    opened.clock.run_for(2_000)
    expect(button).to_have_text("Copy")


@pytest.mark.parametrize(
    ("task", "text"),
    [("fuse", PAIR), ("split", "“Ünder 🌊” – a & b, <i>#%?"), ("propositions", LIFE), ("summarize", ARTICLE * 40)],
)
def test_a_link_brings_task_and_text_to_another_browser_and_not_to_the_server(opened, browser, server, task, text):
    ask(opened, task, text)
    opened.locator("#share").click()
    opened.wait_for_function("navigator.clipboard.readText().then((copied) => copied === location.href)")
    link = opened.evaluate("navigator.clipboard.readText()")
    assert link == opened.url and link.startswith(f"{server.url}/#{task}")
    other = browser.new_context().new_page()
    asked = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(link)
    other.wait_for_selector("#result[aria-busy=false] h2")
    assert (other.locator("#text").input_value(), other.locator("input:checked").get_attribute("value")) == (text, task)
    assert other.locator("#result").inner_text() == opened.locator("#result").inner_text()
    assert all(url.startswith(server.url) for url in asked) and not [url for url in asked[1:] if "#" in url]
    other.context.close()


def test_a_damaged_link_is_said(page, server):
    for fragment in "#fuse", "#fuse:%%%", "#fuse:abcd", "#steal:AwA":
        page.goto("about:blank")
        page.goto(f"{server.url}/{fragment}")
        page.wait_for_selector("#result.failed")
        assert "The link is damaged" in page.locator("#result").inner_text()


def test_what_cannot_be_asked_is_said(opened):
    for task, text, said in (
        ("fuse", " \n ", "There is no text. Paste sentences first."),
        ("summarize", "", "There is no text. Paste an article first."),
        ("fuse", "It rained.", "Enter two sentences, not 1, each on a separate line."),
        ("propositions", "", "There is no text. Paste a text first."),
        ("split", "A\nB\nC", "Enter one or two sentences, not 3,"),
    ):
        opened.reload()
        result = ask(opened, task, text)
        assert said in result.inner_text()
        assert "failed" in result.get_attribute("class") and not opened.locator("#run").is_disabled()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "The first sentence has 5000 characters; at most 4000 are read (--max-characters)."),
        ({"status": 429, "headers": {"Retry-After": "7"}, "body": "{}"}, "The server is busy. Try again in 7 s."),
        ({"status": 502, "body": "<h1>Bad gateway</h1>"}, "The server failed (status 502). Try again later."),
        ("abort", "The server cannot be reached. Check your connection and try again."),
    ],
)
def test_what_the_server_refuses_is_said_in_words(browser, server, answer, said):
    page = browser.new_context().new_page()  # of its own: a browser writes failed requests to its console
    if answer == "abort":
        page.route("**/v1/fuse", lambda route: route.abort())
    elif answer is not None:
        page.route("**/v1/fuse", lambda route: route.fulfill(**answer))
    page.goto(server.url)
    result = ask(page, "fuse", f"{'x' * 5000}\nIt rained.")
    assert said in result.inner_text()
    page.context.close()


@pytest.mark.parametrize("broken", ["propositions", "resolve"])
def test_propositions_need_both_answers(browser, server, broken):
    page = browser.new_context().new_page()
    page.goto(server.url)
    assert (
        "The text has 20001 characters; at most 20000 are accepted (--max-text)."
        in ask(page, "propositions", "x" * 20_001).inner_text()
    )
    page.route(f"**/v1/{broken}", lambda route: route.fulfill(status=502, body=""))
    assert "The server failed (status 502)." in ask(page, "propositions", LIFE).inner_text()
    page.unroute(f"**/v1/{broken}")
    assert ask(page, "propositions", LIFE).locator("h2").count() == 2
    page.context.close()


def test_hostile_texts_are_texts(opened):
    for task in ("fuse", "split", "propositions", "summarize"):
        assert ask(opened, task, HOSTILE).locator("img, script, b").count() == 0
    assert "<script>alert(1)</script>" in opened.locator("#result .source").inner_text()


def test_an_answer_that_comes_late_is_not_shown_with_another_task(opened):
    opened.locator("#text").fill(PAIR)
    opened.evaluate("document.getElementById('form').requestSubmit(); document.querySelector('[value=split]').click()")
    opened.wait_for_timeout(500)
    assert "The sentences and the operations of the rules appear here." in opened.locator("#result").inner_text()
    assert not opened.locator("#run").is_disabled()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_everybody_can_use_it_on_one_screen(opened, size):
    opened.set_viewport_size(size)
    for task, text in (("fuse", PAIR), ("split", PAIR), ("propositions", LIFE), ("summarize", ARTICLE)):
        ask(opened, task, text)
        opened.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
        opened.emulate_media(color_scheme="dark" if task == "fuse" else "light")
        assert overflow(opened) == 0 and serious_faults(opened) == []
    opened.emulate_media(color_scheme="dark")
    assert serious_faults(opened) == []
    boxes = [opened.locator(f"#{name}").bounding_box() for name in ("text", "run", "example", "share")]
    assert all(box["y"] + box["height"] <= size["height"] and box["height"] >= 40 for box in boxes)
    if size is DESKTOP:
        assert opened.evaluate("document.documentElement.scrollHeight") == size["height"]


def test_a_key_is_asked_for_and_used(browser, server):
    page = browser.new_context().new_page()

    def guard(route):
        given = route.request.headers.get("authorization")
        return route.continue_() if given == "Bearer sesame" else route.fulfill(status=401, body="{}")

    page.route("**/v1/*", guard)
    page.goto(server.url)
    assert not page.locator("#key").is_visible()
    assert "This server requires a key." in ask(page, "fuse", PAIR).inner_text()
    page.locator("#key").fill("sesame")
    assert ask(page, "fuse", PAIR).locator("h2").first.inner_text() == "Fusion"
    page.context.close()


def test_a_server_of_several_languages_has_a_choice_that_is_sent_and_shared(browser, server):
    page = browser.new_context().new_page()
    described = server.client.get("/openapi.json").json()
    for kind in described["components"]["schemas"]["TextRequest"]["properties"]["language"]["anyOf"]:
        kind.update({"enum": ["en", "de"]} if kind["type"] == "string" else {})
    page.route("**/openapi.json", lambda route: route.fulfill(json=described))
    page.goto(server.url)
    assert not page.locator("#language").is_visible()  # sentences are English
    page.check("input[value=summarize]")
    assert page.locator("#language option").all_inner_texts() == ["English", "German"]
    page.locator("#language").select_option("de")
    said = ask(page, "summarize", "Die Brücke war gesperrt.").inner_text()
    assert "No translator is configured for the language 'de'; available languages: en." in said
    page.locator("#share").click()
    page.wait_for_url(re.compile("#summarize.de:"))
    page.context.close()


def test_each_tab_says_what_it_does_in_two_sentences(opened):
    said = {}
    for task in ("fuse", "split", "propositions", "summarize"):
        opened.check(f"input[value={task}]")
        said[task] = opened.inner_text("#about")
    assert len(set(said.values())) == 4 and all(text.count(". ") == 1 and text[-1] == "." for text in said.values())
    assert "Joins two sentences" in said["fuse"]
    expect(opened.locator("#text")).to_have_accessible_description(said["summarize"])


def test_its_files_are_strict_and_nothing_of_it_is_inline(server):
    for path in ("/", "/page/app.js", "/page/style.css"):
        answer = server.client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy and "default-src 'none'" in policy
        again = server.client.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert server.client.head(path).status_code == 200
    html = server.client.get("/").text
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=", html)
    scripts = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "serving" / "page").glob("*.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", scripts)
    assert httpx.get(f"{server.url}/page/__init__.py").status_code == 404


def test_it_explains_every_kind_of_what_does_not_stand_alone():
    view = (ROOT / "serving" / "page" / "propositions.js").read_text(encoding="utf-8")
    assert set(re.findall(r"^  ([A-Z_]+): \"", view, re.MULTILINE)) == set(OpenKind.__members__)
