"""report.html in a browser."""

import dataclasses

import pytest

from gistmill.pipelines.reporting.page.render import report
from gistmill.pipelines.reporting.stats import statistics
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sinks.samples import Samples
from tests.browser import PHONE, overflow, photograph, serious_faults
from tests.pipelines.publishing.made import INFO, build
from tests.pipelines.reporting.test_page import COUNTS, HOSTILE, manifest


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The address of a report whose rows, rejects, types and title are hostile, one of them a word of a megabyte."""
    row = {"id": HOSTILE, "inputs": HOSTILE, "targets": "x" * 1_000_000, "title": HOSTILE}
    rejects = {"LIST": [{"id": "1", "unit": "sentence", "title": HOSTILE, "detail": HOSTILE}]}
    counts = {**COUNTS, f"documents/rejected/{HOSTILE}": 1, f"types/full/{HOSTILE}": 2}
    html = report(
        manifest(),
        statistics(counts, recipe=RECIPES["discofuse"]),
        run=dataclasses.replace(INFO, title=HOSTILE, description=HOSTILE),
        samples=Samples({"full": {HOSTILE: [row]}}, rejects),
    )
    file = tmp_path_factory.mktemp("hostile") / "report.html"
    file.write_text(html, encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The address of the report of a dataset that the real publisher made."""
    folder = tmp_path_factory.mktemp("made") / "demo"
    build(folder)
    return (folder / "report.html").as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(page, made, scheme):
    page.emulate_media(color_scheme=scheme)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(made)
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    assert page.locator("article").count() and serious_faults(page) == []
    assert [r for r in requests if not r.startswith(("file:", "data:"))] == []


def test_it_fits_a_phone(page, made, tmp_path):
    page.set_viewport_size(PHONE)
    page.goto(made)
    assert overflow(page) == 0 and serious_faults(page) == []
    assert all(picture.stat().st_size > 5_000 for picture in photograph(page, tmp_path, "report"))


def test_paper_has_no_menu_but_everything_else(page, made):
    page.goto(made)
    assert page.locator("nav").is_visible()
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator("#summary").is_visible() and page.locator("#made").is_visible()


def test_hostile_rows_are_text(page, hostile):
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.set_viewport_size(PHONE)
    page.goto(hostile)
    assert page.locator("script, img").count() == 0 and overflow(page) == 0
    assert page.title().startswith("</style><script>alert(1)</script>")
    assert "<script>alert(1)</script>" in page.locator("article").first.inner_text()


def test_a_fault_is_seen(page):
    page.set_content("<html><body><p style='color:#ccc;background:#fff'>Pale</p><img src='data:,'></body></html>")
    found = " ".join(serious_faults(page))
    assert "color-contrast" in found and "image-alt" in found and "html-has-lang" in found
