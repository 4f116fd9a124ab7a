"""``gistmill why`` by the real command's function."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from gistmill.pipelines import inspect as command
from tests.dumps import small_pages
from tests.pipelines.inspect.test_trace import rows_of


def why(capsys, *arguments):
    code = command.why_main([*map(str, arguments)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def answer(capsys, *arguments):
    code, out, err = why(capsys, *arguments, "--json")
    assert err == ""
    return code, json.loads(out)


def only(capsys, subject, *arguments):
    """What is said of the only document."""
    code, found = answer(capsys, *arguments)
    assert (code, found["subject"], found["documents"]) == (0, subject, 1)
    (document,) = found["first"]
    return document


def rejects_of(place, document):
    files = sorted((place / "rejects").iterdir())
    every = [json.loads(line) for file in files for line in gzip.decompress(file.read_bytes()).splitlines()]
    return [reject for reject in every if reject["id"] == document]


@pytest.mark.slow
def test_every_title_gives_all_rows_and_rejects_of_its_page(fusion, capsys):
    rows = {config: rows_of(fusion, config) for config in ("full", "balanced")}
    titles = {row["title"]: row["document_id"] for row in rows["full"]}
    assert len(titles) > 5
    for title, document in titles.items():
        fate = only(capsys, "title", fusion, title)
        assert fate["document_id"] == document and fate["rejects"] == rejects_of(fusion, document)
        expected = {(c, r["id"]) for c in rows for r in rows[c] if r["document_id"] == document}
        assert {(r["config"], r["id"]) for r in fate["rows"]} == expected
        assert sum(fate["types"].values()) == len(expected)


def test_a_page_that_was_rejected_is_found_with_its_reason(fusion, capsys):
    reject = next(
        json.loads(line)
        for line in gzip.decompress(next((fusion / "rejects").iterdir()).read_bytes()).splitlines()
        if b'"REDIRECT"' in line
    )
    fate = only(capsys, "title", fusion, reject["title"].upper())
    assert fate["rows"] == [] and fate["rejects"] == [reject]
    code, out, _ = why(capsys, fusion, reject["title"])
    assert code == 0 and "REDIRECT, the page is a redirect" in out


def test_a_document_is_found_by_its_id(fusion, gaps, capsys):
    row, (reject, *_) = rows_of(fusion)[0], rejects_of(gaps, "short")
    fate = only(capsys, "id", fusion, row["document_id"])
    assert row["id"] in {each["id"] for each in fate["rows"]}
    fate = only(capsys, "title", gaps, "short")  # a title that is the id of the same page
    assert fate["rows"] == [] and fate["rejects"][0] == reject
    code, out, _ = why(capsys, fusion, row["document_id"])
    assert code == 0 and out.startswith(f"{row['document_id']} is the id of 1 document\n\n{row['document_id']}, a doc")


def test_a_page_is_found_by_its_addresses(fusion, gaps, capsys):
    row = rows_of(fusion)[0]
    title = row["title"].replace(" ", "_")
    for url in (
        f"https://en.wikipedia.org/wiki/{title}",
        f"https://en.wikipedia.org/wiki/{title.lower()}#History",
        f"https://en.wikipedia.org/w/index.php?title={title}",
        f"https://en.wikipedia.org/?oldid={row['revision']}",
        row["url"],
    ):
        assert only(capsys, "url", fusion, url)["document_id"] == row["document_id"]
        code, out, _ = why(capsys, fusion, url)
        assert code == 0 and out.startswith(f"{url} is the URL of 1 document\n\n{row['document_id']}, a document of")


def test_what_does_not_matter_in_an_address(gaps, capsys):
    for url in ("http://www.example.org/otters/", "https://EXAMPLE.org/otters#part", "https://example.org/otters"):
        assert only(capsys, "url", gaps, url)["lineage"]["title"] == "Otters"
    for url in ("https://example.org/other", "https://example.org/otters?page=2", "https://example.com/otters"):
        assert answer(capsys, gaps, url)[0] == 1


def test_the_rejects_of_a_sentence_are_those_at_its_place(fusion, capsys):
    rejects = {(r["unit"], r["index"]) for row in rows_of(fusion) for r in rejects_of(fusion, row["document_id"])}
    assert rejects
    checked = 0
    for row in rows_of(fusion):
        own = [
            r
            for r in rejects_of(fusion, row["document_id"])
            if (r["unit"], r["index"]) == ("sentence", row["sentence_index"])
        ]
        if own:
            fate = only(capsys, "text", fusion, row["coherent_first_sentence"])
            assert own[0] in fate["rejects"]
            checked += 1
        if checked == 3:
            break
    assert checked


def test_a_rejected_document_has_no_texts(gaps, capsys):
    assert only(capsys, "title", gaps, "short")["rejects"][0]["unit"] == "document"
    detail = only(capsys, "title", gaps, "short")["rejects"][0]["detail"]
    assert any(map(str.isalnum, detail)) and answer(capsys, gaps, detail)[0] == 1


def test_many_documents_are_counted_and_the_first_ones_shown(gaps, capsys, monkeypatch):
    monkeypatch.setattr(
        command.finding, "documents_with", lambda dataset, text: ["short", *(f"gone-{n}" for n in range(29))]
    )
    code, out, _ = why(capsys, gaps, "Everywhere")
    assert code == 0 and out.startswith("the text is not a title but occurs in 30 documents\n")
    assert "\n... and 29 more documents\n" in out


@pytest.mark.parametrize("question", ["", "...", "https://", "\0", "x" * 100_000, "[" * 500, "https://[", "é\ud800"])
def test_strange_questions_have_no_answer(question, gaps, capsys):
    assert why(capsys, gaps, question)[0] == 1


def test_a_page_of_another_namespace_is_only_counted_and_why_says_so(fusion, gaps, capsys):
    (other,) = [page for page in small_pages() if b"<ns>0</ns>" not in page]
    title = re.search(rb"<title>(.*?)</title>", other)[1].decode()
    url = f"https://en.wikipedia.org/wiki/{title.replace(' ', '_')}"
    for question in title, url:
        code, _, err = why(capsys, fusion, question)
        assert code == 1 and f"text {question!r}; pages outside the wanted namespaces are only counted" in err
        assert err.endswith("(NAMESPACE 1)\n") and err.count("\n") == 1
    assert answer(capsys, fusion, title)[1]["first"] == []
    code, _, err = why(capsys, gaps, title)  # made of no pages
    assert code == 1 and "NAMESPACE" not in err
