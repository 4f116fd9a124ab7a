"""The site is built strictly by ``make docs``; here, that a broken link breaks it, and what the build cannot see."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.docs.pages import PAGES, ROOT, name

INDEX = ROOT / "docs/index.md"


def build(root, *pages):
    """Builds a site of some pages with the configuration of this one, as ``make docs`` does."""
    (root / "docs").mkdir()
    shutil.copy(ROOT / "pyproject.toml", root)
    shutil.copy(ROOT / "docs/conf.py", root / "docs")
    for folder in ("static", "templates"):
        shutil.copytree(ROOT / "docs" / folder, root / "docs" / folder)
    names = [f"page{number}" for number in range(len(pages))]
    toctree = "# Site\n\n```{toctree}\n" + "\n".join(names) + "\n```\n"
    (root / "docs/index.md").write_text(toctree, encoding="utf-8")
    for page, text in zip(names, pages):
        (root / f"docs/{page}.md").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-c", "docs", "-W", "--keep-going", "-q", ".", "site"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


@pytest.mark.slow
def test_a_link_that_leads_nowhere_breaks_the_site(tmp_path):
    first = (
        "# First\n\n## Part\n\n[good](page1.md#a-part) [gone](gone.md) [no anchor](page1.md#gone) [here](#gone-too)\n"
    )
    done = build(tmp_path, first, "# Second\n\n## A part\n")
    assert done.returncode == 1
    assert all(f"'{link}'" in done.stderr for link in ("gone.md", "gone", "gone-too")), done.stderr
    assert "a-part" not in done.stderr


def test_the_contents_have_every_page():
    listed = set(re.findall(r"^(?:.+ <)?([./\w-]+)>?$", INDEX.read_text(encoding="utf-8"), re.M))
    pages = {*PAGES, *ROOT.glob("docs/**/*.ipynb")} - {INDEX}
    found = {(ROOT / "docs" / f"{x}{kind}").resolve() for x in listed for kind in (".md", ".ipynb")}
    assert {name(page) for page in pages - found} == set()
