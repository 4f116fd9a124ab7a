"""The server: files with their headers, this machine alone, and rows as the rules read them."""

import pytest
from starlette.testclient import TestClient

from gistmill.core.addresses import names_of
from gistmill.explorer.reading import read_row
from gistmill.explorer.server import application, url_of, write_page
from gistmill.published.dataset import Dataset
from gistmill.rules.annotated import KeepAnnotations, to_values
from tests.explorer.made import write_dataset
from tests.testing import document, mention, parsed

ROW = {"version": "0", "id": "wikipedia-000-00000-SINGLE_S_COORD-0"}


@pytest.fixture(scope="module")
def client(index, dataset, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    write_page(folder, [index], served=True)
    app = application(folder, [index], [Dataset(dataset)], inputs=(), names=names_of("127.0.0.1", "127.0.0.1"))
    return TestClient(app, base_url="http://localhost:8765")


def test_every_answer_forbids_what_the_page_does_not_do(client):
    for path in "/", "/main.js", "/versions.bin", "/data/0/full/split.bin", "/nothing", "/api/row?id=x":
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self';" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy, path
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer", path


def test_only_names_of_this_machine_are_answered(client):
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert client.get("/", headers={"Host": "127.0.0.1:8765"}).status_code == 200


@pytest.mark.parametrize(
    "path", ["/data/0/../../manifest.json", "/data/0/%2e%2e/%2e%2e/etc/passwd", "/%2e%2e/x", "/data/1/x"]
)
def test_other_files_are_not_served(client, path):
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "asked", [{"id": "none"}, {}, {"version": "7", "id": ROW["id"]}, {"version": "-1"}, {"version": "²"}]
)
def test_a_row_that_is_not_there(client, asked):
    assert client.get("/api/row", params=asked).json() == {"problem": "This row does not exist."}
    assert client.get("/api/parse.svg", params=asked).status_code == 404


def test_a_row_is_parsed_with_its_coreference_and_edits(client):
    found = client.get("/api/row", params=ROW).json()
    (sentence,) = found["sentences"]
    assert (
        "".join(piece["text"] for piece in sentence["pieces"]).rstrip()
        == "It rained all day in town number 0, so we stayed in our old house."
    )
    assert "rained is the root" in sentence["heads"] and "own text" in found["origin"]
    assert found["operations"][0]["name"] == "DELETE"
    drawn = client.get("/api/parse.svg", params=ROW | {"sentence": "0", "dark": "1"})
    assert drawn.headers["content-type"] == "image/svg+xml" and "script" not in drawn.headers["content-security-policy"]
    assert ">rained<" in drawn.text and "nsubj" in drawn.text
    assert client.get("/api/parse.svg", params=ROW | {"sentence": "9"}).status_code == 404
    assert client.get("/api/parse.svg", params=ROW | {"sentence": "-1"}).status_code == 404


def test_a_parsed_document_is_shown_as_it_is(tmp_path):
    sentences = (parsed("Otters|NNS|nsubj|2 swim|VBP|ROOT|0 .|.|punct|2"), parsed("They|PRP|nsubj|2 sleep|VBP|ROOT|0"))
    clusters = [[mention(0, 0, 1, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)]]
    values = to_values(document(sentences, clusters=clusters))
    columns = KeepAnnotations.COLUMNS
    folder = write_dataset(tmp_path / "demo", {"train": [values]}, columns=columns, recipe="annotate")
    found = read_row(Dataset(folder), values["id"], ()).to_json()
    assert [p for s in found["sentences"] for p in s["pieces"] if p["cluster"] == 0] == [
        {"text": "Otters ", "cluster": 0},
        {"text": "They ", "cluster": 0},
    ]
    assert found["links"] == ["1: “Otters” (nominal, sentence 1, 1.00); “They” (pronoun, sentence 2, 0.90)"]
    assert found["sentences"][1]["heads"] == "They nsubj of sleep; sleep is the root"


def test_addresses():
    urls = {"127.0.0.1": "http://127.0.0.1:9/", "::1": "http://[::1]:9/", "0.0.0.0": "http://localhost:9/"}
    for host, url in {**urls, "::": "http://[::1]:9/"}.items():
        assert url_of(host, 9) == url


def test_on_a_loopback_address_its_own_names_alone_are_answered():
    for host, address, own in (
        ("127.0.0.1", "127.0.0.1", {"127.0.0.1"}),
        ("::1", "::1", {"[::1]"}),
        ("localhost", "127.0.0.1", {"localhost"}),
        ("my-laptop", "127.0.1.1", {"my-laptop", "127.0.1.1"}),
        ("127.9.9.9", "127.9.9.9", {"127.9.9.9"}),
        ("::ffff:127.0.0.1", "::ffff:127.0.0.1", {"[::ffff:127.0.0.1]"}),
    ):
        assert set(names_of(host, address)) == own | {"localhost", "127.0.0.1", "[::1]"}
    for address in "192.0.2.7", "0.0.0.0", "::", "2001:db8::7":  # whatever name leads there is answered
        assert names_of("gpu7", address) == ["*"]
