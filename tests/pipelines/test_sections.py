"""``--url-sections`` by the real command."""

import json

from gistmill.pipelines import cli
from tests.commands import manifest

TEXT = " ".join(f"Sentence {n} tells of the otters in the river." for n in range(9))
URLS = {
    "folder": "https://www.example.com/sport/otters",
    "host": "https://sports.example.com/otters",
    "other": "https://www.example.com/news/otters",
    "none": "",
}


def run(tmp_path, *options):
    lines = [{"id": name, "url": url, "text": f"This is {name}. {TEXT}"} for name, url in URLS.items()]
    (tmp_path / "news.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    made = ("--input", str(tmp_path / "news.jsonl"), "--output", str(tmp_path / "out"))
    return cli.main(["gap-sentences", *made, "--splits", "1,0,0", "--deduplicate", "none", *options])


def test_documents_of_other_sections_and_without_a_url_are_rejected_and_counted(tmp_path, capsys):
    assert run(tmp_path, "--source", "jsonl", "--url-sections", "sports") == 0
    found = manifest(tmp_path / "out")
    assert found["counts"]["documents"] == {"read": 4, "used": 2}
    assert found["counts"]["documents/rejected"] == {"NO_URL": 1, "OTHER_SECTION": 1}
    assert found["configuration"]["url_sections"] == ["sports"]
    capsys.readouterr()


def test_without_the_option_no_url_is_looked_at(tmp_path, capsys):
    assert run(tmp_path, "--source", "jsonl") == 0
    assert manifest(tmp_path / "out")["counts"]["documents"] == {"read": 4, "used": 4}
    capsys.readouterr()


def test_words_that_cannot_be_and_sources_without_sections_are_told_of(tmp_path, capsys):
    assert run(tmp_path, "--source", "jsonl", "--url-sections", "a/b") == 2
    assert "--url-sections: expected words such as sports, not 'a/b'" in capsys.readouterr().err
    assert run(tmp_path, "--source", "wikipedia", "--url-sections", "sports") == 2
    assert "--url-sections" in capsys.readouterr().err
