"""Texts of other languages than English, by the real command: their language, their sentences, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gistmill.published.dataset import Dataset
from tests.cases import by_heading
from tests.commands import data_checksums, make, manifest, refusal, rows, write_jsonl
from tests.samples import REAL_DATA, needs_real

CASES = by_heading(__file__)

_GERMAN = (
    "Der Otter lebt an der Elbe. Er jagt am 3. Mai, z. B. nach Fischen. "
    "Nachts schwimmt er weit. Die Jungen bleiben im Bau."
)
_JAPANESE = "カワウソは川に住む。魚を食べる。夜に泳ぐ。子供は巣にいる。"
_WIKI = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="{code}">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <base>https://{code}.wikipedia.org/wiki/{main}</base>
    <namespaces><namespace key="0" case="first-letter" /></namespaces>
  </siteinfo>
  <page>
    <title>{title}</title> <ns>0</ns> <id>41</id>
    <revision><id>77</id><timestamp>2026-09-02T00:00:00Z</timestamp><model>wikitext</model>
      <format>text/x-wiki</format><text xml:space="preserve">{text}</text></revision>
  </page>
</mediawiki>
"""
_JOBS = (
    ("articles",),
    ("headline", "--min-title-overlap", "0"),
    ("gap-sentences",),
    ("lead-bias", "--min-overlap", "0"),
    ("wikitransfer", "--profile", "cnndm,xsum"),
)
_DUMPS = sorted((REAL_DATA / "multilingual" / "dumps").glob("*.xml.bz2"))


@pytest.fixture
def japanese(tmp_path: Path) -> Path:
    page = _WIKI.format(code="ja", main="メインページ", title="カワウソ", text=_JAPANESE)
    (tmp_path / "ja.xml").write_text(page, encoding="utf-8")
    return tmp_path / "ja.xml"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    made = [{"id": "a", "text": _GERMAN, "language": "de-AT"}, {"id": "b", "text": _JAPANESE, "language": "ja"}]
    return write_jsonl(tmp_path / "in.jsonl", made)


@pytest.mark.slow
def test_the_language_of_a_wiki_is_that_of_its_address(japanese: Path, tmp_path: Path) -> None:
    make(f"gap-sentences --input {japanese} --output {tmp_path}/out --splits 1,0,0")
    (row,) = rows(tmp_path / "out")
    assert row["sentences"] == 4 and str(row["targets"]).count("。") == 1
    assert manifest(tmp_path / "out")["language"] == {"code": "ja", "rules": "own"}
    assert Dataset(str(tmp_path / "out")).manifest.language.code == "ja"
    assert "\nlanguage:\n- ja\n" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "out" / "croissant.json").read_text(encoding="utf-8"))["inLanguage"] == "ja"


@pytest.mark.slow
def test_a_field_names_the_language_of_a_line(lines: Path, tmp_path: Path) -> None:
    job = f"gap-sentences --source jsonl --input {lines} --deduplicate none --splits 1,0,0"
    make(f"{job} --languages de,ja --output {tmp_path}/both")
    assert [row["sentences"] for row in rows(tmp_path / "both")] == [4, 4]
    assert manifest(tmp_path / "both")["language"] == {"code": "mul", "rules": "own"}
    make(f"{job} --languages de --output {tmp_path}/one")
    assert [row["document_id"] for row in rows(tmp_path / "one")] == ["a"]
    assert manifest(tmp_path / "one")["counts"]["documents/rejected"] == {"LANGUAGE": 1}


_NORWEGIAN = "Oteren lever ved elven. Den spiser fisk om natten. Ungene blir i hiet."
_ENGLISH = "The otter lives in the river. It eats fish at night. It sleeps by day."


def test_a_field_may_have_an_older_a_closer_or_a_longer_code(tmp_path: Path) -> None:
    codes = (("nb-NO", _NORWEGIAN), ("eng", _ENGLISH), ("eng_Latn", _ENGLISH.replace("otter", "beaver")))
    source = write_jsonl(tmp_path / "in.jsonl", [{"id": code, "text": text, "language": code} for code, text in codes])
    make(f"articles --source jsonl --input {source} --languages no,en --output {tmp_path}/out --deduplicate none")
    found = {row["id"]: row["language"] for row in rows(tmp_path / "out")}
    assert found == {"nb-NO": "no", "eng": "en", "eng_Latn": "en"}


@pytest.mark.slow
def test_a_given_language_holds_for_every_document(lines: Path, tmp_path: Path) -> None:
    make(f"articles --source jsonl --input {lines} --language xh --deduplicate none --output {tmp_path}/out")
    assert [row["language"] for row in rows(tmp_path / "out")] == ["xh", "xh"]
    assert manifest(tmp_path / "out")["language"] == {"code": "xh", "rules": "default"}


@pytest.mark.slow
def test_what_is_for_english_refuses_other_languages(japanese: Path, lines: Path, tmp_path: Path) -> None:
    make(f"gap-sentences --input {japanese} --output {tmp_path}/gaps --splits 1,0,0")
    of_lines = f"discofuse --source jsonl --input {lines}"
    for job, said in CASES["refused, as it is for English"]:
        job = job.format(japanese=japanese, of_lines=of_lines, folder=tmp_path)
        assert said in refusal(f"{job} --output {tmp_path}/out") and not (tmp_path / "out").exists()


@pytest.mark.long
@needs_real
@pytest.mark.parametrize("dump", _DUMPS, ids=[dump.name.split(".")[0] for dump in _DUMPS])
def test_pages_of_every_language_run_through_the_recipes(dump: Path, tmp_path: Path) -> None:
    for job in _JOBS:
        outs = [tmp_path / f"{job[0]}-{workers}" for workers in (1, 2)]
        for workers, out in enumerate(outs, 1):
            given = ("--input", dump, "--formats", "parquet", "--allow-empty", "--workers", workers)
            make(*job, *given, "--output", out)
            documents = manifest(out)["counts"]["documents"]
            rejected = sum(manifest(out)["counts"].get("documents/rejected", {}).values())
            assert documents["read"] == documents.get("used", 0) + rejected > 0
        assert data_checksums(outs[0]) == data_checksums(outs[1])
