"""A headless browser for tests: Debian's Chromium by Playwright, and axe-core for accessibility.

The conftest.py of a folder imports the fixtures `browser` and `page`, and its tests ask for `page`. They are skipped where there
is no Chromium; `make setup-browser` installs it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

DESKTOP = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=360, height=780)
_CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser. Raises FileNotFoundError: there is none."""
    if _CHROMIUM is None:
        raise FileNotFoundError("needs Chromium: make setup-browser installs it")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


# Playwright's loop runs as long as its context is open, and other tests of the process start loops of their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module."""
    if _CHROMIUM is None:
        pytest.skip("needs Chromium: make setup-browser installs it")
    with chromium() as launched:
        yield launched


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page as wide as a desktop, with a profile of its own. An error of the page or its console fails the test."""
    context = browser.new_context(viewport=DESKTOP, accept_downloads=True)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("console", lambda m: faults.append(f"{m.text} ({m.location})") if m.type == "error" else None)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    said = list(faults)  # what the page is still reading fails when it is closed
    context.close()
    if said:
        pytest.fail("\n".join(said))


def serious_faults(page: Page) -> list[str]:
    """What axe-core calls serious or critical, one line for each rule with the elements that break it."""
    found = Axe().run(page).response["violations"]
    return [
        f"{v['id']}: {v['help']}: {[node['html'] for node in v['nodes'][:5]]}"
        for v in found
        if v["impact"] in ("serious", "critical")
    ]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def photograph(page: Page, folder: Path, name: str) -> list[Path]:
    """Takes pictures of the page, NAME-1280.png and NAME-360.png, and leaves it at 1280 pixels."""
    taken = []
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        taken.append(folder / f"{name}-{size['width']}.png")
        page.screenshot(path=taken[-1])
    return taken
