"""report.html in a browser."""

import dataclasses

import pytest

from gistmill.pipelines.reporting.manifest import statistics
from gistmill.pipelines.reporting.page.view import report
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sinks.results import Samples
from tests.browser import DESKTOP, PHONE, overflow, photograph, serious_faults
from tests.pipelines.publishing.made import INFO, build
from tests.pipelines.reporting.test_page import COUNTS, HOSTILE, manifest

pytestmark = pytest.mark.waits


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


@pytest.mark.slow
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


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The address of a report with as many types, connectives, reasons and rows as a dataset of a dump has."""
    types = [f"SINGLE_SOME_LONG_TYPE_{n}" for n in range(13)]
    counts = {f"{unit}/{what}": 10_000 for unit in ("documents", "sentences", "pairs") for what in ("read", "used")}
    for unit in ("documents", "sentences", "pairs"):
        counts |= {f"{unit}/rejected/SOME_REASON_{n}": 100 + n for n in range(20)}
    text = "It rained all day in the town , which had no roofs . " * 5
    rows = {}
    for config in ("balanced", "full"):
        counts |= {f"types/{config}/{name}": 100 + n for n, name in enumerate(types)}
        counts |= {f"connectives/{config}/, word {n}": 100 + n for n in range(100)}
        counts |= {f"rows/{config}/{split}": 1_000_000 for split in ("train", "validation", "test")}
        rows[config] = {
            name: [{"id": f"{name}-{n}", "inputs": text, "targets": text + "So .", "title": "Rain"} for n in range(4)]
            for name in types
        }
    shown = statistics(counts, recipe=RECIPES["discofuse"])
    html = report(manifest(counts), shown, run=INFO, samples=Samples(rows, {}), before=manifest(counts))
    file = tmp_path_factory.mktemp("large") / "report.html"
    file.write_text(html, encoding="utf-8")
    return file.as_uri()


def test_a_large_dataset_has_a_short_page_with_charts_as_wide_as_it(page, large):
    page.set_viewport_size(DESKTOP)
    page.goto(large)
    assert page.evaluate("document.documentElement.scrollHeight") < 6000
    main = page.locator("main").bounding_box()["width"]
    charts = [chart.bounding_box()["width"] for chart in page.locator("table.chart:visible").all()]
    assert len(charts) >= 4 and charts == [main] * len(charts)


def test_a_phone_shows_a_whole_large_page_without_scrolling_sideways(page, large):
    page.set_viewport_size(PHONE)
    page.goto(large)
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    assert overflow(page) == 0
    inside = "() => [...document.querySelectorAll('.wide, pre')].filter((e) => e.scrollWidth > e.clientWidth).length"
    assert page.evaluate(inside) == 0
