"""/v1/propositions and /v1/resolve: what Python answers, over HTTP; and bad or hostile texts."""

import itertools
import json
import threading
from dataclasses import asdict

import pytest

import gistmill
from gistmill.rules.propositions.statements import PropositionsConfig
from gistmill.serving.engines import WholeText, state
from tests.serving.running import running
from tests.serving.test_hostile import detail

ROUTES = ("/v1/propositions", "/v1/resolve")
LIFE = (
    "Ada Lovelace met Charles Babbage in 1833. She wrote notes on his engine, which was never built.\n\n"
    "Who was she? However, it inspired others."
)
TEXTS = [
    LIFE,
    "“Don’t stop,” she said – and they didn’t. 𝒜da 🌊 left.",
    "It rained. The town, which has a port, was founded in 1820, but it grew slowly.",
]


def in_python(route, text, title="", **options):
    config = PropositionsConfig(**options)
    if route == "/v1/resolve":
        return asdict(gistmill.resolve(text, title=title, config=config))
    found = gistmill.propositions(text, title=title, config=config)
    return {"propositions": [asdict(p) for p in found], "rejected": [asdict(r) for r in found.rejected]}


def written(value):
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("route", ROUTES)
def test_an_answer_has_the_bytes_of_python(server, route):
    for text in TEXTS:
        answer = server.post(route, {"text": text, "title": "Ada Lovelace"})
        assert (answer.status_code, answer.text) == (200, written(in_python(route, text, "Ada Lovelace")))


def test_a_title_and_a_precision_are_used(server):
    """What the title names is known; a link that is not sure enough is not used."""

    def resolved(text, **options):
        found = server.post("/v1/resolve", {"text": text, **options})
        assert found.text == written(in_python("/v1/resolve", text, **options))
        return found.json()

    bridge = "The bridge was closed on Monday."
    assert "DEFINITE" in {u["kind"] for u in resolved(bridge)["unresolved"]}
    assert "DEFINITE" not in {u["kind"] for u in resolved(bridge, title=" Bridge\n")["unresolved"]}
    met = "Charles Babbage met Ada Lovelace in 1833. Babbage, a professor at Cambridge, called her the enchantress."
    replaced = {level: len(resolved(met, precision=level)["replaced"]) for level in ("strict", "balanced", "generous")}
    assert replaced["strict"] < replaced["balanced"] <= replaced["generous"]


def test_a_grain_is_used(server):
    text = {"text": "Ada Lane was born in Leeds in 1990."}
    made = {
        grain: [
            each["text"] for each in server.post("/v1/propositions", {**text, "grain": grain}).json()["propositions"]
        ]
        for grain in ("sentence", "clause", "fact")
    }
    assert made["sentence"] == made["clause"] == [text["text"]]
    assert "Ada Lane was born in 1990." in made["fact"] and text["text"] not in made["fact"]


RAINED = {"text": "It rained."}
BAD = [
    ({}, "text: Field required"),
    *(({"text": text}, "text") for text in ("", " \n\t ", "A\0 b.", "A \ud800 b.")),
    *(({"text": text}, "text: Input should be a valid string") for text in (None, ["It rained."])),
    ({**RAINED, "title": 3}, "title: Input should be a valid string"),
    ({**RAINED, "title": "x\0"}, "title"),
    ({**RAINED, "title": "x " * 251}, "title: String should have at most 500 characters"),
    ({**RAINED, "precision": "certain"}, "precision: Input should be 'strict', 'balanced' or"),
    ({**RAINED, "spacy_model": "/etc"}, "spacy_model: Extra inputs"),
    ({"text": "a" * 20_001}, "text: it has 20001 characters; at most 20000 are accepted (--max-text)"),
    ([], "valid dictionary"),
]


def test_a_bad_body_is_refused_and_said_why(server):
    for route, (body, said) in itertools.product(ROUTES, BAD):
        answer = server.client.post(route, content=json.dumps(body), headers={"content-type": "application/json"})
        assert said in detail(answer, 422), body
    for route in ROUTES:
        assert "larger than 1048576 bytes" in detail(server.post(route, {"text": "a" * (1 << 20)}), 413)


def test_propositions_alone_have_a_grain_and_may_be_wanted_resolved(server):
    asked = {"text": "It rained.", "resolved_only": True}
    assert "resolved_only: Extra inputs" in detail(server.post("/v1/resolve", asked), 422)
    assert "grain: Extra inputs" in detail(server.post("/v1/resolve", {**RAINED, "grain": "fact"}), 422)
    assert "grain: Input should be 'sentence', 'cl" in detail(
        server.post("/v1/propositions", {**RAINED, "grain": 1}), 422
    )
    assert "resolved_only" in detail(server.post("/v1/propositions", {**asked, "resolved_only": "yes"}), 422)


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTES)
def test_the_longest_and_strangest_texts_are_answered(server, route):
    hostile = ["“'" * 10_000, "(" * 20_000, "a" * 20_000, "she " * 5_000, "\u0301" * 20_000, "Ada, which was " * 1_300]
    for text in hostile:
        answer = server.post(route, {"text": text[:20_000]})
        assert answer.status_code == 200, (text[:20], answer.text)
    assert server.post(route, {"text": "...", "title": "\u202e" * 500}).status_code == 200


def test_what_states_nothing_has_no_propositions_and_is_left_as_it_is(server):
    for text, sentences in (("Is it so?", 1), ("Not prose", 0), ("日本語です。", 1)):
        answer = server.post("/v1/propositions", {"text": text}).json()
        assert answer["propositions"] == [] and [r["sentence"] for r in answer["rejected"]] == [text] * sentences
        assert server.post("/v1/resolve", {"text": text}).json()["text"] == text


def test_texts_that_come_at_once_have_the_answers_that_each_has_alone(server):
    asked = [(route, text) for route in ROUTES for text in TEXTS] * 4
    found = {}

    def ask(number, route, text):
        found[number] = server.post(route, {"text": text}).text

    threads = [threading.Thread(target=ask, args=(number, *each)) for number, each in enumerate(asked)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(len(asked))] == [written(in_python(*each)) for each in asked]


def test_a_text_that_fails_leaves_the_others_of_its_batch_their_answers():
    failed, done = state([WholeText(text=" "), WholeText(text="It rained on Monday.")])
    assert str(failed) == "the text is empty"
    assert [p["text"] for p in done["propositions"]] == ["It rained on Monday."]


@pytest.mark.slow
def test_limits_are_those_of_the_options_and_the_description_has_them():
    with running("--max-text", 20) as server:
        assert server.post("/v1/resolve", {"text": "It rained on Monday."}).status_code == 200
        refused = server.post("/v1/propositions", {"text": "It rained on Mondays."})
        assert "at most 20 are accepted" in detail(refused, 422)
        schemas = server.client.get("/openapi.json").json()["components"]["schemas"]
        for name in ("PropositionsRequest", "ResolveRequest"):
            assert schemas[name]["properties"]["text"]["maxLength"] == 20
        metrics = server.client.get("/metrics").text
        assert 'gistmill_batch_items_count{engine="propositions"}' in metrics
        assert 'route="/v1/resolve",status="200"' in metrics
