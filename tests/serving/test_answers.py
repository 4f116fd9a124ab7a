"""What the server answers, beside what the commands write."""

import asyncio
import json

import pytest
from starlette.exceptions import HTTPException

from gistmill.pipelines.cli import main
from gistmill.pipelines.fuse import loaded
from gistmill.serving.articles import Plain, Source, open_translators, read
from gistmill.serving.config import ServingConfig
from gistmill.serving.engines import open_engines
from gistmill.serving.schemas import FuseRequest
from gistmill.serving.service import Service
from gistmill.transforms.installed import ModelError

PAIRS = [
    ("The Sharks started slowly, yet they recovered to claim sixth spot.", ""),
    ("The team lost its first match.", "However, it won the cup in May."),
    ("“Don’t stop,” she said – and they didn’t.", "Later , they rested ."),
    ("Rain.", ""),
]
ARTICLE = (
    "The bridge over the river was closed on Monday. Engineers had found cracks in two of its pillars. "
    "Drivers have to take the old road.\n\nThe repairs will take three months. A ferry carries people on foot."
)


def test_an_article_that_is_tokenised_already_has_its_sentences():
    text = "the bridge was closed on monday , at noon . engineers had found cracks in it ."
    (found,) = read([Plain(text=text, is_news=True)], most=10)
    assert isinstance(found, Source)
    assert found.paragraphs == (("the bridge was closed on monday , at noon .", "engineers had found cracks in it ."),)


def written(tmp_path, command, pairs, *flags):
    """The lines that a command writes for rows."""
    rows, output = tmp_path / "rows.tsv", tmp_path / "found.jsonl"
    rows.write_text("".join(f"{first}\t{second}\n" for first, second in pairs), encoding="utf-8")
    assert main([command, "--input", str(rows), "--output", str(output), *map(str, flags)]) == 0
    return output.read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("tokenized", [False, True])
def test_a_split_has_the_bytes_of_the_command(server, tmp_path, tokenized):
    found = written(tmp_path, "split", PAIRS, *(["--tokenized"] if tokenized else []))
    body = {"pairs": [{"first": first, "second": second} for first, second in PAIRS], "tokenized": tokenized}
    answer = server.post("/v1/split", body)
    assert answer.status_code == 200
    assert answer.text == '{"results": [' + ", ".join(found) + "]}"
    assert any(result["examples"] for result in answer.json()["results"])


@pytest.mark.slow
def test_a_fusion_has_the_bytes_of_the_command(server, tmp_path):
    pairs = [(first, second or "They went on.") for first, second in PAIRS]
    flags = {name: f"--{name}" for name in ("connective", "n", "caution", "tokenized")} | {"discourse_type": "--type"}
    coordination = {"discourse_type": "SINGLE_S_COORD", "n": 2}
    others = {"n": 3}, {"connective": "although"}, {"caution": -1.5, "n": 2}, {"tokenized": True}
    for wanted in {}, coordination, *others:
        given = [part for name, value in wanted.items() for part in (flags[name], *([] if value is True else [value]))]
        found = written(tmp_path, "fuse", pairs, *given)
        answer = server.post("/v1/fuse", {"pairs": [{"first": a, "second": b} for a, b in pairs], **wanted})
        assert answer.text == '{"model": "tagger", "results": [' + ", ".join(found) + "]}", wanted


def test_without_a_model_the_first_three_sentences_are_the_summary_and_called_a_baseline(server):
    found = server.post("/v1/summarize", {"text": ARTICLE, "market": "en-us"}).json()
    assert (found["model"], found["baseline"]) == ("lead-3", True)
    assert found["summary"] == " ".join(found["sentences"]) == ARTICLE.partition("\n")[0]
    assert found["read"]["complete"] and found["read"]["of_sentences"] == 5
    assert (found["language"], found["market"], len(found["paragraphs"])) == ("en", "en-us", 2)


def test_text_html_and_sections_of_an_article_have_one_summary(server):
    paragraphs = ARTICLE.split("\n\n")
    page = f"<html><head><title>Bridge closed</title></head><body><nav>Home</nav><article><h1>Bridge closed</h1>{''.join(f'<p>{p}</p>' for p in paragraphs)}</article></body></html>"
    found = [
        server.post("/v1/summarize", body).json()
        for body in ({"text": ARTICLE}, {"html": page}, {"sections": [{"title": "News", "paragraphs": paragraphs}]})
    ]
    assert {each["summary"] for each in found} == {ARTICLE.partition("\n")[0]}
    assert found[1]["title"] == "Bridge closed"


def test_what_has_no_prose_has_no_summary_and_another_language_needs_a_translator(server):
    found = server.post("/v1/summarize", {"html": "<html><body><img></body></html>"}).json()
    assert found["summary"] == "" and found["why"] == "no prose was found"
    for asked in ({"language": "de"}, {"market": "de-at"}):
        answer = server.post("/v1/summarize", {"text": "Die Brücke war gesperrt.", **asked})
        assert answer.status_code == 422
        assert "no translator is configured for the language 'de'" in answer.json()["detail"]


def test_a_request_keeps_its_id_and_others_get_one(server):
    assert server.client.get("/healthz", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    found = server.client.get("/healthz", headers={"X-Request-Id": "a b" * 100}).headers["x-request-id"]
    assert len(found) == 32


def test_logs_are_json_without_texts(server):
    server.post("/v1/split", {"pairs": [{"first": "A zebra slept."}]}, headers={"X-Request-Id": "zebra-1"})
    line = next(line for line in iter(lambda: server.log[-1], None) if line.get("request_id") == "zebra-1")
    assert (line["route"], line["status"], line["pairs"]) == ("/v1/split", 200, 1)
    assert "A zebra" not in json.dumps(server.log)


@pytest.mark.slow
def test_without_the_tagger_the_server_says_that_it_cannot_fuse(monkeypatch):
    """What the tagger of the package needs is not installed: its encoder is looked for under another name."""
    loaded.cache_clear()
    monkeypatch.setattr("gistmill.transforms.encoders.PACKAGES", ("no-such-package",))
    config = ServingConfig()
    engines = open_engines(config)
    assert engines.fuser is None and "no-such-package" in engines.no_fuser

    async def ask():
        service = Service(config, engines, open_translators(config))
        with pytest.raises(HTTPException) as problem:
            await service.fuse(FuseRequest.model_validate({"pairs": [{"first": "A.", "second": "B."}]}))
        return problem.value

    problem = asyncio.run(ask())
    assert problem.status_code == 501 and "no-such-package" in problem.detail
    with pytest.raises(ModelError):
        open_engines(ServingConfig(fusion="/nowhere"))
