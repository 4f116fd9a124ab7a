"""The description of the API, and requests that are made from it."""

import subprocess
import sys
from pathlib import Path

import pytest

from gistmill.rules.propositions.open_references import OpenKind

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")


@pytest.mark.slow
def test_whatever_the_description_allows_is_answered_as_it_says(server, tmp_path):
    """Examples, bounds, bodies that fit the schemas and bodies that do not, wrong methods; all checks."""
    command = [SCHEMATHESIS, "run", f"{server.url}/openapi.json", "--max-examples", "20", "--seed", "1", "--no-color"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "No issues found" in done.stdout, done.stdout
    assert "Tested: 8" in done.stdout


def test_bounds_and_languages_are_those_of_the_options(server):
    found = server.client.get("/openapi.json").json()
    schemas = found["components"]["schemas"]
    assert schemas["SplitRequest"]["properties"]["pairs"]["maxItems"] == 32
    assert schemas["FusePair"]["properties"]["first"]["maxLength"] == 4000
    assert schemas["ResolveRequest"]["properties"]["text"]["maxLength"] == 20_000
    assert schemas["Unresolved"]["properties"]["kind"]["enum"] == list(OpenKind.__members__)
    assert schemas["TextRequest"]["properties"]["language"]["anyOf"][0]["enum"] == ["en"]
    for path, (operation,) in ((path, methods.values()) for path, methods in found["paths"].items()):
        if path.startswith("/v1/"):
            assert {"200", "400", "408", "413", "422", "429", "504"} <= operation["responses"].keys()


def test_the_examples_of_the_description_are_answered(server):
    schemas = server.client.get("/openapi.json").json()["components"]["schemas"]
    routes = {
        "SplitRequest": "split",
        "FuseRequest": "fuse",
        "PropositionsRequest": "propositions",
        "ResolveRequest": "resolve",
        **dict.fromkeys(("TextRequest", "HtmlRequest", "SectionsRequest"), "summarize"),
    }
    for name, route in routes.items():
        for example in schemas[name]["examples"]:
            answer = server.post(f"/v1/{route}", example)
            assert answer.status_code == 200 and answer.json().get("why") is None
