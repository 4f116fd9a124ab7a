"""The pictures in the documentation: pages of the dataset that ``make demo`` has made, and of a server with its defaults.

make demo
python -m tests.pictures
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser import DESKTOP, PHONE, chromium, photograph
from tests.explorer.made import served
from tests.serving.running import running

_DOCS = Path(__file__).parents[1] / "docs"
_DEMO = Path(__file__).parents[1] / "out" / "demo"
_COLOURS = 128
_LOW = ViewportSize(width=DESKTOP["width"], height=700)


def picture_report(page: Page) -> None:
    """Pictures for docs/dataset.md."""
    page.goto((_DEMO / "report.html").as_uri())
    photograph(page, _DOCS / "images", "report")


def picture_explorer(page: Page, folder: Path) -> None:
    """Pictures for docs/explore.md, README.md and docs/index.md: rows with a word, one of them parsed, and a phone."""
    with served(folder, [_DEMO], folder / "index") as url:
        page.goto(f"{url}#words=although")
        page.wait_for_selector("article")
        page.screenshot(path=_DOCS / "images" / f"explore-{DESKTOP['width']}.png")
        page.locator("article a").nth(1).click()
        page.click("#parse")
        page.locator(".parse img").first.wait_for(timeout=120_000)
        page.locator(".parse img").first.evaluate("image => image.decode()")
        page.screenshot(path=_DOCS / "images" / f"explore-row-{DESKTOP['width']}.png")
        page.goto("about:blank")
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size(PHONE)
        page.goto(f"{url}#words=although")
        page.wait_for_selector("article")
        page.screenshot(path=_DOCS / "images" / f"explore-{PHONE['width']}.png")
        page.goto("about:blank")


def picture_server(page: Page) -> None:
    """Pictures for docs/serving.md: the example of a tab each."""
    with running() as server:
        for task, name, size in (("fuse", "", _LOW), ("propositions", "-propositions", _LOW), ("summarize", "", PHONE)):
            page.set_viewport_size(size)
            page.goto(server.url)
            page.check(f"input[value={task}]")
            page.click("#example")
            page.wait_for_selector("#result[aria-busy=false] h2")
            if task == "propositions":
                page.locator(".statement").nth(1).focus()
            page.screenshot(path=_DOCS / "static" / f"serving{name}-{size['width']}.png")


def main(browser: Browser) -> None:
    """Takes all pictures, each page in a browser context of its own, and makes their files small."""
    with tempfile.TemporaryDirectory() as folder:
        picture_report(browser.new_page(viewport=DESKTOP))
        picture_explorer(browser.new_page(viewport=DESKTOP), Path(folder))
        picture_server(browser.new_page(viewport=DESKTOP))
    for picture in (*_DOCS.glob("images/*.png"), *_DOCS.glob("static/*.png")):
        Image.open(picture).quantize(_COLOURS).save(picture, optimize=True)


if __name__ == "__main__":
    if not (_DEMO / "manifest.json").exists():
        sys.exit("out/demo is missing: make demo")
    with chromium() as launched:
        main(launched)
