"""The whole site in a browser: the landing page, the reference of options on a phone, the notebook."""

import subprocess
import sys

import pytest
from playwright.sync_api import ViewportSize

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


def test_options_are_read_on_a_phone_without_scrolling_sideways(page, site):
    page.set_viewport_size(PHONE)
    article = goto(page, site, "docs/options")
    assert article.locator("table").count() == 0 and article.locator("li code").count() > 15
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
    assert len(pages) > 40
    wide = {}
    for path in pages:
        page.goto(f"{address}{path}")
        wide[path] = overflow(page)
    assert {path: pixels for path, pixels in wide.items() if pixels} == {}
