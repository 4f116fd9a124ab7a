"""Answers that explain themselves, as the page shows them: the same answers with more."""

import pytest

from gistmill.serving.engines import extracted

PAIRS = [{"first": "The team lost its first match.", "second": "However, it won the cup in May."}]
ARTICLE = (
    "The bridge over the river was closed. Engineers found cracks. Drivers take the old road. It will take months."
)


def without_explanations(value):
    if isinstance(value, dict):
        return {key: without_explanations(each) for key, each in value.items() if key != "explanation"}
    return [without_explanations(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("route", "body"),
    [("split", {"pairs": PAIRS}), ("fuse", {"pairs": PAIRS, "n": 2}), ("summarize", {"text": ARTICLE})],
)
def test_an_explained_answer_is_the_same_with_more(server, route, body):
    plain = server.post(f"/v1/{route}", body).json()
    explained = server.post(f"/v1/{route}", {**body, "explain": True}).json()
    assert explained != plain and without_explanations(explained) == plain


def test_rules_and_edits_are_told(server):
    (split,) = server.post("/v1/split", {"pairs": PAIRS, "explain": True}).json()["results"]
    told = split["examples"][0]["explanation"]
    assert told["steps"][0] == {"name": "DELETE", "detail": "'However ,'"}
    assert {"text": "However, it", "changed": True} in told["source"]
    (fused,) = server.post("/v1/fuse", {"pairs": PAIRS, "n": 2, "explain": True}).json()["results"]
    for fusion in fused["fusions"]:
        assert " ".join(piece["text"] for piece in fusion["explanation"]["result"]) == fusion["fusion"]


def test_what_a_summary_copies_is_told(server):
    found = server.post("/v1/summarize", {"text": f"{ARTICLE}\n\n{ARTICLE}", "explain": True}).json()
    source, summary, told = "\n".join(found["paragraphs"]), found["summary"], found["explanation"]
    (run,) = told["copied"]
    assert told["coverage"] == 1.0 and told["density"] == run["words"] == 15
    assert source[run["source_start"] : run["source_end"]] == summary[run["summary_start"] : run["summary_end"]]


def test_texts_that_are_too_long_are_not_compared():
    assert extracted(["a b " * 2000], "a b " * 600) is None
    assert extracted(["a b " * 2000], "a b " * 400)["coverage"] == 1.0
