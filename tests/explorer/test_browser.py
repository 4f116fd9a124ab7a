"""The page in a browser, as an exported folder and as it is served."""

import json
from contextlib import contextmanager

import pytest

from gistmill.core.statistics import Column
from tests.browser import PHONE, overflow, photograph, serious_faults
from tests.explorer.conftest import TEST, TRAIN
from tests.explorer.made import COLUMNS, TYPES, hosted, index_of, reject, row, served, write_dataset

pytestmark = [pytest.mark.long, pytest.mark.waits]

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)> \u202e rtl \x00 & 'quoted' \"twice\""


def opened(page, address, hash=""):
    page.goto(address + hash)
    page.wait_for_selector("article, #problem:not([hidden])")


@contextmanager
def visited(page, server):
    """A server that the page has left when it ends, so that it asks for nothing more."""
    with server as url:
        yield url
        page.goto("about:blank")


def acts(page, action):
    """Does something, and waits until its rows are shown."""
    before = page.evaluate("document.body.dataset.shown")
    action()
    page.wait_for_selector(f'body:not([data-shown="{before}"])')


def total(page):
    return page.inner_text("#total")


def shown(locator):
    """The texts of elements, whatever lies between their words."""
    return [" ".join(text.split()) for text in locator.all_inner_texts()]


def titles(page):
    return shown(page.locator("article h3"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(page, address, scheme):
    page.emulate_media(color_scheme=scheme)
    opened(page, address)
    assert total(page) == f"{TRAIN + TEST} rows" and page.locator("article").count() == 20
    assert serious_faults(page) == []
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.wait_for_selector("dialog[open] h3")
    assert serious_faults(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("#help[open]")
    assert serious_faults(page) == []


def test_it_fits_a_phone(page, address, tmp_path):
    page.set_viewport_size(PHONE)
    opened(page, address)
    assert overflow(page) == 0 and serious_faults(page) == []
    page.click("#more > summary")
    assert overflow(page) == 0
    page.locator("article a").first.click()
    page.wait_for_selector("dialog[open] h3")
    assert overflow(page) == 0 and page.evaluate("document.querySelector('#row').scrollWidth") <= PHONE["width"]
    assert all(picture.stat().st_size > 5_000 for picture in photograph(page, tmp_path, "row"))


def test_filters_count_exactly(page, address):
    opened(page, address)
    kind = page.locator("fieldset", has_text="discourse type")
    acts(page, lambda: kind.get_by_label("SINGLE_S_COORD").check())
    assert total(page) == "43 rows"
    assert kind.locator(".count").all_inner_texts() == ["43", "43", "43"]  # what choosing another would give
    counts = page.locator("fieldset", has_text="connective string").locator(".count").all_inner_texts()
    assert counts == ["0", "43"]
    acts(page, lambda: kind.get_by_label("PAIR_NONE").check())
    assert total(page) == "86 rows"
    acts(page, lambda: page.get_by_label("test", exact=False).first.check())
    assert total(page) == "6 rows" and page.inner_text("#active") == "(3 active)"
    acts(page, lambda: page.click("#reset"))
    assert total(page) == "129 rows" and page.locator("#values input:checked").count() == 0
    assert not page.locator("#reset").is_visible() and page.locator("#results").evaluate(
        "e => e === document.activeElement"
    )


def test_types_have_their_names_beside_their_codes(page, address):
    opened(page, address)
    kinds = page.locator("fieldset", has_text="discourse type")
    assert shown(kinds.locator("label"))[-1] == "SINGLE_S_COORD (sentence coordination) 43"
    first = page.locator("article").first
    assert shown(first.locator(".tag")) == ["SINGLE_S_COORD (sentence coordination)", ", so"]
    first.locator("a").click()
    page.wait_for_selector("dialog[open] dd:text-is('SINGLE_S_COORD (sentence coordination)')")
    opened(page, address, "#table=rejects")
    assert "REDIRECT (the page is a redirect) 1" in shown(page.locator("fieldset", has_text="reason").locator("label"))


def test_statements_are_chosen_by_grain_rule_and_what_is_open(page, statements, tmp_path):
    with visited(page, served(tmp_path, [statements], tmp_path / "index")) as url:
        opened(page, url)
        assert "gistmill propositions --grain clause, version" in page.inner_text("#made")
        assert total(page) == "5 rows"
        rules = page.locator("fieldset", has_text="operations")
        assert sorted(shown(rules.locator("label"))) == [
            "(none) 1",
            "REPLACE 1",
            "SPLIT SINGLE_APPOSITION (apposition) 2",
            "SPLIT SINGLE_S_COORD (sentence coordination) 2",
        ]
        acts(page, lambda: page.locator("fieldset", has_text="grain").get_by_label("clause").check())
        acts(page, lambda: rules.get_by_label("SINGLE_S_COORD").check())
        assert total(page) == "2 rows" and "(none) 0" in shown(rules.locator("label"))
        acts(page, lambda: rules.get_by_label("APPOSITION").check())
        assert total(page) == "4 rows"


@pytest.mark.parametrize("table", ["propositions", "sentences"])
def test_a_row_shows_its_sentence_with_all_its_statements(page, statements, tmp_path, table):
    with visited(page, served(tmp_path, [statements], tmp_path / "index")) as url:
        page.set_viewport_size(PHONE)
        opened(page, url, f"#table={table}")
        page.locator("article a").first.click()
        section = page.locator("dialog[open] #statements")
        section.wait_for()
        assert "Ada Lane, a nurse, left Leeds in 1815." in shown(page.locator("dialog[open] p.text"))
        assert shown(section.locator("li")) == [
            "Ada Lane left Leeds in 1815. quality 0.98 · clause · SPLIT SINGLE_APPOSITION (apposition) · stands alone",
            "Ada Lane was a nurse. quality 0.98 · clause · SPLIT SINGLE_APPOSITION (apposition) · stands alone",
        ]
        assert section.locator("a").count() == (1 if table == "propositions" else 2)
        assert overflow(page) == 0 and serious_faults(page) == []
        section.locator("a").last.click()
        page.wait_for_selector("#statements li:last-child strong")
        assert page.input_value("#table") == "propositions"
        page.goto(f"{url}#table=propositions&blind=1&row=@0")
        page.wait_for_selector("dialog[open] #note")
        page.wait_for_selector("#statements", state="detached")


def test_numbers_and_titles_and_words_filter(page, address):
    opened(page, address)
    acts(page, lambda: page.get_by_label("words of inputs: at least").fill("18"))
    expected = sum(n % 5 == 4 for n in [*range(TRAIN), *range(500, 500 + TEST)])
    assert total(page) == f"{expected} rows"
    acts(page, lambda: page.click("#reset"))
    acts(page, lambda: page.fill("#titles", "Otters rain"))
    assert set(titles(page)) == {"Rain of otters"}
    acts(page, lambda: page.fill("#titles", ""))
    acts(page, lambda: page.fill("#words", "TOWN 17"))
    assert total(page) == "1 row" and "number 17" in page.locator("article").inner_text()
    acts(page, lambda: page.fill("#words", "town nowhere"))
    assert total(page) == "0 rows" and page.locator("article").count() == 0


@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString", "hasOwnProperty", "no_such_column"])
def test_a_link_with_odd_names_empties_no_page(page, address, name):
    """A name from the address that every object of JavaScript has."""
    for hash in (f"#is.{name}=x", f"#in.{name}=1..2", f"#{name}=x", f"#version={name}", f"#table={name}"):
        page.goto("about:blank")
        opened(page, address, hash)
        assert total(page) == f"{TRAIN + TEST} rows" and page.locator("article").count() == 20, hash
        acts(page, lambda: page.fill("#words", "town 17"))
        assert total(page) == "1 row", hash
        acts(page, lambda: page.fill("#words", "town nowhere"))
        page.wait_for_selector("#loosen")


def test_an_address_shows_the_same_again(page, address):
    opened(page, address)
    acts(page, lambda: page.locator("fieldset", has_text="discourse type").get_by_label("SINGLE_RELATIVE").check())
    acts(page, lambda: page.fill("#words", "stayed"))
    acts(page, lambda: page.click("#next"))
    shown, link = page.locator("article").first.inner_text(), page.url
    page.locator("article a").nth(3).click()
    page.wait_for_selector("dialog[open] h3")
    text, row_link = page.inner_text("#row"), page.url
    other = page.context.new_page()
    opened(other, link)
    assert other.locator("article").first.inner_text() == shown and total(other) == "43 rows"
    assert other.inner_text("#page") == "Page 2 of 3"
    assert other.locator("#values input:checked").count() == 1 and other.input_value("#words") == "stayed"
    other.goto("about:blank")
    opened(other, row_link)
    other.wait_for_selector("dialog[open] h3")
    assert other.inner_text("#row") == text
    page.go_back()
    page.wait_for_selector("#row", state="hidden")
    assert page.url == link
    page.goto(address + "#is.discourse_type=PAIR_NONE")  # in the same page, whose filters have to follow
    page.wait_for_function("() => !document.querySelector('#words').value")
    page.wait_for_selector("#total:has-text('43 rows')")
    assert (
        page.locator("#values label:has(input:checked)").inner_text().split()
        == "PAIR_NONE (two sentences as they are) 43".split()
    )


def test_a_row_has_its_address(page, address):
    opened(page, address)
    for n in (0, 63, 64, 119, 500, 508):
        wanted = row(n)["id"]
        page.goto(f"{address}#row={wanted}")
        page.wait_for_selector(f"dialog[open] dl.columns-of-row dd:text-is('{wanted}')")
    page.goto(f"{address}#row=wikipedia-nowhere")
    page.wait_for_selector("dialog[open] h2:text-is('This row does not exist')")
    assert page.locator("dialog[open] dl.columns-of-row").count() == 0


def test_the_first_row_whose_id_begins_so_is_found_in_whatever_file(page, tmp_path):
    splits = {"train": [row(n) for n in range(200)], "test": [row(n) for n in range(500, 510)]}
    folder = write_dataset(tmp_path / "demo", splits)
    with visited(page, served(tmp_path, [folder], tmp_path / "index")) as url:
        opened(page, url)
        found = page.evaluate(
            """async (prefixes) => {
              const { json, Table } = await import("./store.js");
              const table = new Table(0, (await json("versions.bin"))[0].tables[0]);
              return Promise.all(prefixes.map((prefix) => table.seek(prefix, (id) => id.startsWith(prefix))));
            }""",
            [
                "wikipedia-000-",
                "wikipedia-015-",
                "wikipedia-016-",
                "wikipedia-032-00129-",
                "wikipedia-125-",
                "wikipedia-9",
            ],
        )
    assert found == [0, 60, 64, 129, 200, -1]  # a file has 64 rows


def test_a_row_shows_its_changed_words_and_what_was_rejected_beside_it(page, address):
    opened(page, address, f"#row={row(0)['id']}")
    dialog = page.locator("dialog[open]")
    page.wait_for_selector("dialog[open] h3")
    texts = dialog.locator(".sides")
    assert shown(texts.locator("del")) == ["0. We"] and shown(texts.locator("ins")) == ["0, so we"]
    assert "NO_VERB: PAIR_CONN: Rain . | So , frogs ." in dialog.inner_text() and "rejects: 2" in dialog.inner_text()
    assert shown(dialog.locator("ul.near .note")) == ["One of the two sentences has no finite main verb."] * 2
    dialog.locator("a", has_text="Show all in rejects").click()
    page.wait_for_selector("#row", state="hidden")
    page.wait_for_selector("#total:has-text('2 rejects')")
    assert page.input_value("#table") == "rejects"


def test_a_reject_is_explained_by_a_sentence(page, address):
    opened(page, address, "#table=rejects")
    verb, page_is = "One of the two sentences has no finite main verb.", "The page is a redirect."
    assert shown(page.locator("article .meaning")) == [verb, verb, page_is]
    page.locator("article a").last.click()
    page.wait_for_selector("dialog[open] h2")
    assert shown(page.locator("dialog[open] .meaning")) == [page_is]
    page.goto(address + f"#row={row(0)['id']}")
    page.wait_for_selector(f"dialog[open] dl.columns-of-row dd:text-is('{row(0)['id']}')")
    assert page.locator("dialog[open] .meaning").count() == 0
    acts(page, lambda: page.goto(address + "#table=rejects&blind=1"))
    assert page.locator("article").count() == 3 and page.locator(".meaning").count() == 0


def test_the_page_is_named_after_the_folder(page, address):
    opened(page, address)
    assert page.inner_text("h1") == "demo" and page.title() == "demo: explorer"
    assert "gistmill discofuse" in page.inner_text("#made")


def test_what_was_searched_is_marked(page, address):
    opened(page, address, "#words=HOUSE+town")
    article = page.locator("article").first
    assert shown(article.locator("mark")) == ["town", "house"] * 2
    page.fill("#words", "")
    acts(page, lambda: page.fill("#titles", "otters"))
    assert shown(page.locator("article").first.locator("mark")) == ["otters"]
    acts(page, lambda: page.fill("#words", "so"))
    page.locator("article a").first.click()
    page.wait_for_selector("dialog[open] h3")
    assert shown(page.locator("dialog[open] ins mark")) == ["so"] and shown(page.locator("#row h2 mark")) == ["otters"]
    acts(page, lambda: page.goto(address))
    assert page.locator("mark").count() == 0


def test_a_hit_far_behind_the_beginning_is_seen(page, tmp_path):
    texts = {"inputs": "rain " * 800 + "frogs fell.", "targets": "Frogs fell."}
    folder = write_dataset(tmp_path / "demo", {"train": [row(n, **texts) for n in range(3)]})
    with visited(page, served(tmp_path, [folder], tmp_path / "index")) as url:
        opened(page, url, "#words=frogs")
        assert shown(page.locator("article").first.locator("mark")) == ["frogs", "Frogs"]
        opened(page, url + "?", "")
        assert "frogs" not in page.locator("article").first.locator("p.text").first.inner_text()


def steps_to(page, action, number):
    action()
    page.wait_for_selector(f"#row dl.columns-of-row dd:text-is('{row(number)['id']}')")


def test_an_open_row_has_a_next_and_a_previous_one(page, address):
    opened(page, address, f"#row={row(18)['id']}")
    page.wait_for_selector("dialog[open] h3")
    assert page.inner_text("#row-tools .tag") == "19 of 129"
    steps_to(page, lambda: page.click("#row-next"), 19)
    steps_to(page, lambda: page.keyboard.press("Enter"), 20)  # the button keeps the focus, and the page is turned
    assert page.inner_text("#page") == "Page 2 of 7"
    steps_to(page, lambda: page.keyboard.press("j"), 21)
    steps_to(page, lambda: page.keyboard.press("k"), 20)
    steps_to(page, lambda: page.click("#row-previous"), 19)
    assert page.inner_text("#page") == "Page 1 of 7"
    page.keyboard.press("Escape")
    page.wait_for_selector("#row", state="hidden")
    page.wait_for_selector("article.current")
    assert page.locator("article.current").get_attribute("data-place") == "19"
    opened(page, address, f"#row={row(0)['id']}")
    page.wait_for_selector("dialog[open] h3")
    assert page.locator("#row-previous").is_disabled() and page.locator("#row-next").is_enabled()
    steps_to(page, lambda: page.keyboard.press("k"), 0)
    page.goto(f"{address}#row={row(508)['id']}")
    page.wait_for_selector("#row-next:disabled")


def test_a_row_outside_the_filters_has_no_neighbours(page, address):
    opened(page, address, f"#is.discourse_type=PAIR_NONE&row={row(0)['id']}")
    page.wait_for_selector("dialog[open] h3")
    assert page.locator("#row-previous").is_disabled() and page.locator("#row-next").is_disabled()


def test_keys_turn_the_page_at_its_ends(page, address):
    opened(page, address, "#page=2")
    page.keyboard.press("j")
    acts(page, lambda: page.keyboard.press("k"))
    page.wait_for_selector("article.current[data-place='19']")
    assert page.inner_text("#page") == "Page 1 of 7"
    acts(page, lambda: page.keyboard.press("j"))
    page.wait_for_selector("article.current[data-place='0']")
    assert page.inner_text("#page") == "Page 2 of 7"


def test_edits_are_those_of_the_tokens(page, tmp_path):
    tokens = {
        "incoherent_first_sentence": "It rained .",
        "incoherent_second_sentence": "It poured .",
        "coherent_first_sentence": "It rained and poured .",
        "coherent_second_sentence": "",
    }
    columns = [*COLUMNS, *(Column(name, "string", name) for name in tokens)]
    rows = [row(0, **tokens), row(1, **tokens, edits=[])]
    folder = write_dataset(tmp_path / "demo", {"train": rows}, columns=columns)
    with visited(page, served(tmp_path, [folder], tmp_path / "index")) as url:
        opened(page, url, f"#row={row(0)['id']}")
        edits = page.locator("dialog[open] dl.columns-of-row dt:text-is('edits') + dd")
        edits.wait_for()
        assert shown(edits) == ["It rained . It and poured ."]
        assert shown(edits.locator("del")) == [". It"] and shown(edits.locator("ins")) == ["and"]
        page.click("#row-next")
        page.wait_for_selector("dialog[open] dl.columns-of-row dt:text-is('edits') + dd:text-is('none')")


def test_an_empty_result_says_what_to_loosen(page, address):
    opened(page, address, "#titles=frogs")
    page.goto(address + "#words=otters&titles=frogs&is.discourse_type=PAIR_NONE")
    page.wait_for_selector("#loosen")
    numbers = [*range(TRAIN), *range(500, 500 + TEST)]
    expected = sum(row(n)["title"] == "Rain of frogs" and row(n)["discourse_type"] == "PAIR_NONE" for n in numbers)
    assert shown(page.locator("#loosen li")) == [f"the word “otters”: {expected}"]
    page.goto(address + "#words=stayed&is.split=test&in.score=..10")
    page.wait_for_selector("#loosen li:has-text('score')")
    assert shown(page.locator("#loosen li")) == ["split: test: 71", "score: at most 10: 9"]
    page.locator("#loosen a").last.click()
    page.wait_for_selector("#total:has-text('9 rows')")
    assert page.locator("#loosen").count() == 0
    page.goto(address + "#words=nowhere+house&titles=otters+newts")
    page.wait_for_selector("#loosen li:has-text('newts')")
    assert shown(page.locator("#loosen li")) == [
        "the word “nowhere”: 0",
        "the word “house”: 129",
        "the word “otters” in the title: 64",
        "the word “newts” in the title: 0",
    ]


def test_an_empty_dataset_has_a_page(page, tmp_path):
    folder = write_dataset(tmp_path / "demo", {"train": []}, [reject("wikipedia-1")])
    page.set_viewport_size(PHONE)
    with visited(page, served(tmp_path, [folder], tmp_path / "index")) as url:
        page.goto(url)
        page.wait_for_selector("#total:has-text('0 rows')")
        assert page.inner_text("#rows") == "full is empty. See the rejects for the reasons." and overflow(page) == 0
        page.goto(url + "#words=rain")
        page.wait_for_selector("#loosen")
        page.goto(url + "#row=wikipedia-1")
        page.wait_for_selector("dialog[open] h2:text-is('This row does not exist')")
        page.goto("about:blank")
        page.goto(url)
        page.click("#rows a")
        page.wait_for_selector("#total:has-text('1 reject')")


def test_marks_are_made_by_keys_kept_and_exported(page, address):
    opened(page, address)
    for key in ("j", "g", "j", "b", "n"):
        page.keyboard.press(key)
    page.wait_for_selector("dialog[open] h3")
    assert page.locator("#row button[aria-pressed=true]").inner_text() == "Bad"
    page.keyboard.type("antecedent: who?")
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "row=" not in url)  # a page that is read anew opens the row of its address
    page.reload()
    page.wait_for_selector("article")
    assert page.inner_text("#marked") == "2"
    assert [m for m in page.locator(".mark").all_inner_texts() if m] == [
        "marked good",
        "marked bad, note: antecedent: who?",
    ]
    with page.expect_download() as download:
        page.keyboard.press("e")
    lines = [json.loads(line) for line in download.value.path().read_text(encoding="utf-8").splitlines()]
    assert download.value.suggested_filename == "marks-discofuse.jsonl"
    assert [(m["id"], m["mark"], m["note"]) for m in lines] == [
        (row(0)["id"], "good", ""),
        (row(1)["id"], "bad", "antecedent: who?"),
    ]
    assert lines[0]["type"] == "SINGLE_S_COORD" and lines[0]["config"] == "full" and lines[0]["blind"] is False
    page.keyboard.press("j")
    page.keyboard.press("u")
    assert page.inner_text("#marked") == "1"


def test_a_blind_reader_sees_no_type(page, address):
    opened(page, address, "#blind=1&shuffle=1")
    assert not [kind for kind in TYPES if kind in page.inner_text("main")]
    page.keyboard.press("j")
    page.keyboard.press("b")
    page.keyboard.press("o")
    page.wait_for_selector("dialog[open]")
    assert "PAIR_" not in page.inner_text("#row") + page.url and "SINGLE_" not in page.inner_text("#row") + page.url
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.keyboard.press("e")
    (mark,) = map(json.loads, download.value.path().read_text(encoding="utf-8").splitlines())
    assert mark["blind"] is True and mark["mark"] == "bad" and mark["type"]


def test_random_order_has_every_row_once(page, address):
    opened(page, address, "#shuffle=1")
    seen = []
    while True:
        seen += shown(page.locator("article p.text"))[::2]
        if page.locator("#next").is_disabled():
            break
        acts(page, lambda: page.keyboard.press("]"))
    wanted = [row(n)["inputs"] for n in [*range(TRAIN), *range(500, 500 + TEST)]]
    assert sorted(seen) == sorted(wanted) and seen != wanted


def test_keys_can_be_turned_off(page, address):
    opened(page, address)
    page.keyboard.press("?")
    page.locator("#keys").uncheck()
    page.click("#help-close")
    page.keyboard.press("j")
    page.keyboard.press("g")
    assert page.inner_text("#marked") == "0"


def test_hostile_rows_are_text(page, tmp_path):
    rows = [
        row(n, title=HOSTILE, inputs=HOSTILE, targets=long, discourse_type=HOSTILE[:60], edits=[HOSTILE])
        for n, long in enumerate(["x" * 1_000_000, "<b>bold</b> " * 30_000, HOSTILE + " changed"])
    ]
    folder = write_dataset(tmp_path / "demo", {"train": [*rows, *(row(n) for n in range(3, 60))]})
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.set_viewport_size(PHONE)
    with visited(page, served(tmp_path, [folder], tmp_path / "index")) as url:
        opened(page, url)
        for n in range(3):
            assert HOSTILE.replace("\x00", "") in page.locator("article").nth(n).inner_text().replace("\x00", "")
            page.locator("article a").nth(n).click()
            page.wait_for_selector("dialog[open] h3")
            assert overflow(page) == 0
            page.keyboard.press("Escape")
            page.wait_for_selector("#row", state="hidden")
        assert page.locator("main img, main script, main b, dialog img, dialog script").count() == 0


def test_two_versions_are_side_by_side(page, tmp_path):
    new = [
        row(0),
        row(1, targets="It rained all day in town number 1, and so we stayed in our old house there."),
        *(row(n) for n in range(3, 30)),
    ]
    places = [
        write_dataset(tmp_path / "new", {"train": new}),
        write_dataset(tmp_path / "old", {"train": [row(n) for n in range(29)]}),
    ]
    with visited(page, served(tmp_path, places, tmp_path / "index")) as url:
        opened(page, url)
        states = page.locator("fieldset", has_text="other version")
        wanted = ["same 27", "changed 1", "only here 1"]
        assert shown(states.locator("label")) == wanted
        acts(page, lambda: states.get_by_label("changed").check())
        page.locator("article a").click()
        page.wait_for_selector("dialog[open] section ins")
        assert page.locator("dialog section ins").all_inner_texts() == ["and"]
        assert serious_faults(page) == []
        page.keyboard.press("Escape")
        acts(page, lambda: page.select_option("#version", "1"))
        assert shown(states.locator("label")) == wanted
        assert total(page) == "1 row"


def test_a_row_of_another_split_is_the_same_row(page, tmp_path):
    places = [
        write_dataset(tmp_path / "new", {"train": [row(0), row(2)], "test": [row(1), row(3)]}, [reject("d")]),
        write_dataset(tmp_path / "old", {"train": [row(n) for n in range(3)]}, [reject("d", detail="other")]),
    ]
    with visited(page, served(tmp_path, places, tmp_path / "index")) as url:
        opened(page, url)
        states = page.locator("fieldset", has_text="other version")
        assert shown(states.locator("label")) == ["same 3", "changed 0", "only here 1"]
        page.goto(f"{url}#row={row(1)['id']}")
        page.wait_for_selector("dialog[open] section:has-text('The row is the same there.')")
        assert "There, the row is in train; here, it is in test." in page.inner_text("#row")
        page.goto(f"{url}#table=rejects&row=@0")  # whose ids are those of documents, so they are not compared
        page.wait_for_selector("dialog[open] .meaning")
        assert "In the version from" not in page.inner_text("#row")
        assert page.locator("fieldset", has_text="other version").count() == 0


def test_a_served_row_is_parsed(page, dataset, tmp_path):
    with visited(page, served(tmp_path, [dataset], tmp_path / "index")) as url:
        opened(page, url, f"#row={row(0)['id']}")
        page.wait_for_selector("dialog[open] h3")
        button = page.locator("#parse").bounding_box()
        assert button["y"] + button["height"] < 200
        page.click("#parse")
        picture = page.locator(".parse img")
        picture.first.wait_for(timeout=120_000)
        picture.first.evaluate("image => image.decode()")
        assert "nsubj of" in picture.first.get_attribute("alt") and page.locator(".steps li").count()
        assert page.locator(".steps ins").count()
        page.evaluate("document.querySelector('#row').scrollTop = 1e6")
        assert page.locator("#row-next").bounding_box()["y"] < 200  # it stays in sight
        assert serious_faults(page) == []


def test_an_exported_row_says_what_is_missing(page, address):
    opened(page, address, f"#row={row(0)['id']}")
    page.wait_for_selector("dialog[open] h3")
    assert "An exported folder does not show parses" in page.inner_text("#row") and page.locator("#parse").count() == 0


def test_tables_without_types_or_documents(page, tmp_path):
    columns = [c for c in COLUMNS if c.name in ("id", "inputs", "targets")]
    rows = [{"id": f"r{n}", "inputs": f"in {n}", "targets": "out"} for n in range(3)]
    folder = write_dataset(tmp_path / "demo", {"train": rows}, columns=columns, recipe="synthetic")
    from gistmill.explorer.server import export

    export(tmp_path / "site", [index_of(folder, tmp_path / "index")])
    with visited(page, hosted(tmp_path / "site")) as url:
        opened(page, url)
        assert titles(page) == ["r0", "r1", "r2"] and page.locator("#values fieldset").count() == 0


def test_a_file_that_is_missing_is_said(page, index, tmp_path):
    from gistmill.explorer.server import export

    export(tmp_path / "site", [index])
    (tmp_path / "site/data/0/full/rows/0/1.bin").write_bytes(b"torn")
    with visited(page, hosted(tmp_path / "site")) as url:
        opened(page, url)
        for _ in range(20):  # a key that comes while a page is being shown is lost
            page.keyboard.press("]")
            page.wait_for_timeout(300)
            if page.locator("#problem").is_visible():
                break
        assert "Something went wrong" in page.inner_text("#problem")
