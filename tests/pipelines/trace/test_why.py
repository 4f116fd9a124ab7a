"""``gistmill why`` by the real command's function."""

from __future__ import annotations

import gzip
import json
import re
import shutil

import pytest

from gistmill.pipelines import why as command
from gistmill.pipelines.errors import ConfigError
from gistmill.published.dataset import Dataset
from tests.commands import gistmill
from tests.dumps import small_pages
from tests.pipelines.trace.conftest import SENTENCES
from tests.pipelines.trace.test_trace import rows_of


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    """One cache for all tests, so that an index is made once."""
    folder = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "gistmill" / "why"


def why(capsys, *arguments):
    code = command.main([*map(str, arguments)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def answer(capsys, *arguments):
    code, out, err = why(capsys, *arguments, "--json")
    assert err == ""
    return code, json.loads(out)


def only(capsys, subject, *arguments):
    """The fate of the only document."""
    code, found = answer(capsys, *arguments)
    assert code == 0 and found["found"][subject]["documents"] == 1 and found["nearest"] == {}
    (fate,) = found["found"][subject]["first"]
    return fate


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


def test_addresses_of_pages(fusion, gaps, capsys):
    row = rows_of(fusion)[0]
    title = row["title"].replace(" ", "_")
    for subject, url in (
        ("title", f"https://en.wikipedia.org/wiki/{title}"),
        ("title", f"https://en.wikipedia.org/w/index.php?title={title}"),
        ("revision", f"https://en.wikipedia.org/?oldid={row['revision']}"),
        ("url", row["url"]),
    ):
        assert only(capsys, subject, fusion, url)["document_id"] == row["document_id"]
    assert only(capsys, "url", gaps, "http://www.example.org/otters/")["title"] == "Otters"
    assert answer(capsys, gaps, "https://example.org/other")[0] == 1


@pytest.mark.parametrize("column", ["coherent_first_sentence", "coherent_second_sentence", "incoherent_first_sentence"])
def test_every_sentence_gives_the_rows_that_have_it(column, fusion, capsys):
    rows = [row for row in rows_of(fusion) if row[column]]
    for row in rows[:: max(len(rows) // 10, 1)]:
        code, found = answer(capsys, fusion, row[column].lower())
        made = [r["id"] for fate in found["found"]["sentence"]["first"] for r in fate["rows"]]
        assert code == 0 and row["id"] in made


def test_natural_text_is_found_as_tokens_are(fusion, capsys):
    row = next(r for r in rows_of(fusion) if not r["coherent_second_sentence"] and "," in r["targets"])
    fate = only(capsys, "sentence", fusion, row["targets"].replace('"', "”"))
    assert row["id"] in {r["id"] for r in fate["rows"]}


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
            fate = only(capsys, "sentence", fusion, row["coherent_first_sentence"])
            assert own[0] in fate["rejects"]
            checked += 1
        if checked == 3:
            break
    assert checked


def test_sentences_of_longer_texts_are_found(gaps, capsys):
    for sentence in SENTENCES:
        fate = only(capsys, "sentence", gaps, sentence)
        assert [r["config"] for r in fate["rows"]] == ["default"]


def test_what_is_nearly_so_is_offered(fusion, gaps, capsys):
    row = max(rows_of(fusion), key=lambda r: len(r["coherent_first_sentence"]))
    words = row["coherent_first_sentence"].split()
    code, found = answer(capsys, fusion, " ".join([*words[:4], "something", *words[5:]]))
    assert code == 1 and found["found"] == {}
    assert row["coherent_first_sentence"] in [near["text"] for near in found["nearest"]["sentence"]]
    code, out, err = why(capsys, gaps, "Ottters")
    assert code == 1 and "no title, URL or sentence 'Ottters'" in err and "Otters" in out
    code, out, err = why(capsys, gaps, "Quite another thing")
    assert code == 1 and out == ""


@pytest.mark.parametrize("question", ["", "...", "https://", "\0", "x" * 100_000, "[" * 500, "https://[", "é\ud800"])
def test_strange_questions_have_no_answer(question, gaps, capsys):
    assert why(capsys, gaps, question)[0] == 1


def test_few_files_are_read_once_the_index_is_there(fusion, cache, capsys, monkeypatch):
    row = rows_of(fusion)[0]
    why(capsys, fusion, row["title"])
    opened = []
    plain = Dataset(fusion).folder.__class__.open
    monkeypatch.setattr(
        "gistmill.published.files.LocalFolder.open", lambda self, path: opened.append(path) or plain(self, path)
    )
    assert why(capsys, fusion, row["title"])[0] == 0
    config_files = {path for path in opened if "parquet" in path}
    assert config_files and not [path for path in opened if "rejects" in path]
    assert all(row["document_id"] in {r["document_id"] for r in _rows(fusion, path)} for path in config_files)


def _rows(place, path):
    import pyarrow.parquet as pq

    return pq.read_table(place / path, columns=["document_id"]).to_pylist()


def test_a_copy_of_the_dataset_needs_no_index_of_its_own(gaps, cache, tmp_path, capsys):
    why(capsys, gaps, "Otters")
    before = sorted(cache.iterdir())
    assert why(capsys, shutil.copytree(gaps, tmp_path / "copy"), "Otters")[0] == 0
    assert sorted(cache.iterdir()) == before and not [p for p in before if p.name.startswith(".")]


def test_a_torn_index_is_made_again(gaps, tmp_path, capsys):
    folder = tmp_path / "index"
    assert why(capsys, gaps, "Otters", "--index", folder)[0] == 0
    (index,) = folder.iterdir()
    for name in ("about.json", "keys.parquet", "rejects.parquet"):
        whole = (index / name).read_bytes()
        (index / name).write_bytes(whole[: len(whole) // 2])
        assert why(capsys, gaps, "Otters", "--index", folder)[0] == 0
        assert (index / name).read_bytes() == whole
    assert [p.name for p in folder.iterdir()] == [index.name]


def test_wrong_places_are_one_line(fusion, tmp_path):
    (tmp_path / "file").write_text("")
    for arguments, said in (
        (["nowhere", "a"], "nowhere is not a dataset"),
        ([fusion], "required: TITLE"),
        ([fusion, "a", "--index", tmp_path / "file" / "x"], "Not a directory"),
    ):
        with pytest.raises(ConfigError, match=said):
            command.main([*map(str, arguments)])


def test_the_command(gaps):
    done = gistmill("why", gaps, "Otters")
    assert (done.returncode, done.stderr) == (0, "") and "title of 1 document" in done.stdout


def test_a_page_of_another_namespace_is_only_counted_and_why_says_so(fusion, gaps, capsys):
    (other,) = [page for page in small_pages() if b"<ns>0</ns>" not in page]
    title = re.search(rb"<title>(.*?)</title>", other)[1].decode()
    url = f"https://en.wikipedia.org/wiki/{title.replace(' ', '_')}"
    for question in title, url:
        code, _, err = why(capsys, fusion, question)
        assert code == 1 and f"sentence {question!r}; pages outside the wanted namespaces are only counted" in err
        assert err.endswith("(NAMESPACE 1)\n") and err.count("\n") == 1
    assert answer(capsys, fusion, title)[1]["found"] == {}
    code, _, err = why(capsys, gaps, title)  # made of no pages
    assert code == 1 and "NAMESPACE" not in err
