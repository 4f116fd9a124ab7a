"""The whole site in a browser: the landing page, the reference of options on a phone, the notebook."""

import subprocess
import sys

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser import DESKTOP, overflow, serious_faults
from tests.docs.pages import ROOT
from tests.explorer.made import hosted

pytestmark = [pytest.mark.long, pytest.mark.waits]

PHONE = ViewportSize(width=390, height=844)
# what can be scrolled sideways within the page
SCROLLING = """[...document.querySelectorAll("article *")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX))
    .map((e) => e.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site as ``make docs`` builds it: its folder and its address."""
    folder = tmp_path_factory.mktemp("site")
    strict = ["--fail-on-warning", "--keep-going", "--quiet"]
    command = [sys.executable, "-m", "sphinx", "--conf-dir", "docs", *strict, "--doctree-dir", f"{folder}/trees"]
    done = subprocess.run([*command, ".", folder / "site"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with hosted(folder / "site") as address:
        yield folder / "site", address


@pytest.fixture
def page(browser):
    """An empty page. Its console may have errors: the site has no favicon, and axe asks for styles at wrong places."""
    with browser.new_context(viewport=DESKTOP) as context:
        yield context.new_page()


def goto(page, site, path):
    page.goto(f"{site[1]}{path}.html")
    return page.locator("article")


def test_the_landing_page_has_installation_a_picture_and_cards_that_lead_to_the_jobs(page, site):
    page.goto(site[1])
    page.wait_for_url("**/docs/index.html")
    article = page.locator("article")
    commands = article.locator("pre").all_inner_texts()
    assert commands[0].strip() == "make demo" and "pip install" in commands[1]
    assert article.locator("img").first.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 1000
    cards = article.locator(".cards li")
    assert cards.count() >= 10
    assert len({card.bounding_box()["x"] for card in cards.all()}) == 2  # columns
    cards.filter(has_text="Train models").click(position={"x": 5, "y": 5})
    page.wait_for_url("**/docs/training.html")
    page.go_back()
    cards.filter(has_text="Train models").get_by_text("score them").click()
    page.wait_for_url("**/docs/evaluation.html")


def test_the_landing_page_has_one_column_on_a_phone(page, site):
    page.set_viewport_size(PHONE)
    cards = goto(page, site, "docs/index").locator(".cards li").all()
    assert len({card.bounding_box()["x"] for card in cards}) == 1


@pytest.mark.parametrize("reference", ["options", "training-options", "serving-options"])
def test_options_are_read_on_a_phone_without_scrolling_sideways(page, site, reference):
    page.set_viewport_size(PHONE)
    article = goto(page, site, f"docs/{reference}")
    assert article.locator("table").count() == 0 and article.locator("li code").count() > 15
    assert overflow(page) == 0 and page.evaluate(SCROLLING) == []


def test_the_notebook_is_in_the_sidebar_and_is_shown_with_its_outputs(page, site):
    goto(page, site, "docs/tutorial")
    page.locator(".bd-sidebar-primary").get_by_role("link", name="Notebook: from a dataset to a batch").click()
    page.wait_for_url("**/notebooks/demo.html")
    outputs = page.locator("article .cell_output")
    assert outputs.count() == page.locator("article .cell_input").count() > 3
    expect(outputs.first).to_contain_text("'balanced'")
    bars = outputs.locator("td").evaluate_all("(cells) => cells.map((c) => getComputedStyle(c).backgroundImage)")
    assert any("linear-gradient" in bar for bar in bars)
    page.set_viewport_size(PHONE)
    assert overflow(page) == 0 and page.evaluate(SCROLLING) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("path", ["docs/index", "docs/options", "docs/notebooks/demo"])
def test_everybody_can_read_these_pages(page, site, path, size):
    page.set_viewport_size(size)
    goto(page, site, path)
    assert serious_faults(page) == []


def test_no_page_scrolls_sideways_on_a_phone(page, site):
    page.set_viewport_size(PHONE)
    folder, address = site
    pages = [path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if "_static" not in path.parts]
    pages.remove("index.html")  # leads to docs/index.html
    assert len(pages) > 60
    wide = {}
    for path in pages:
        page.goto(f"{address}{path}")
        wide[path] = overflow(page)
    assert {path: pixels for path, pixels in wide.items() if pixels} == {}
