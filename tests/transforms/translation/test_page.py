"""The translators that docs/refine.md shows: what asks a server, and what runs CTranslate2."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from gistmill.rules.augmentation.round_trip import TranslationError
from gistmill.transforms.translation.opening import open_folder
from tests.docs.blocks import PYTHON, blocks
from tests.docs.pages import ROOT
from tests.environments import needs_package
from tests.transforms.translation import models
from tests.transforms.translation.fakes import Backwards


def shown(name):
    """The class of this name on the page."""
    texts = [b.text for b in blocks(ROOT / "docs/refine.md") if b.language == PYTHON]
    (text,) = (text for text in texts if f"class {name}" in text)
    names = {}
    exec(compile(text, name, "exec"), names)
    return names[name]


@contextlib.contextmanager
def serving(*statuses):
    """A server that answers with these statuses, and then translates; yields its URL and the sizes of the requests."""
    waiting, sizes = list(statuses), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sizes.append(len(asked["sentences"]))
            made = Backwards(asked["target"]).translate(asked["sentences"], count=asked["hypotheses"])
            content = json.dumps({"translations": made}).encode()
            self.send_response(waiting.pop(0) if waiting else 200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", sizes
        finally:
            server.shutdown()
            thread.join()


def test_a_server_translates_and_is_asked_again_where_it_is_busy(monkeypatch):
    texts = [f"Otters swim {n}." for n in range(70)]
    with serving(503) as (url, sizes):
        monkeypatch.setenv("TRANSLATOR_URL", url)
        translator = shown("Endpoint")("en", "de")
        with contextlib.closing(translator.session):
            assert translator.translate(texts, count=2) == Backwards("de").translate(texts, count=2)
    assert sizes == [64, 64, 6]


def test_a_server_that_fails_is_one_line(monkeypatch):
    with serving(400) as (url, _):
        monkeypatch.setenv("TRANSLATOR_URL", url)
        translator = shown("Endpoint")("en", "de")
        with contextlib.closing(translator.session), pytest.raises(TranslationError, match="translate: HTTPError"):
            translator.translate(["a"], count=1)


@needs_package("torch")
def test_a_converted_model_translates_as_its_original(tmp_path, monkeypatch):
    from ctranslate2.converters import TransformersConverter
    from transformers import AutoTokenizer

    original = models.marian(tmp_path / "original", seed=1)
    TransformersConverter(str(original)).convert(str(tmp_path / "en-de"))
    AutoTokenizer.from_pretrained(original).save_pretrained(tmp_path / "en-de")
    monkeypatch.chdir(tmp_path)
    ours, its = open_folder(str(original), "cpu", "en", "de", sha256="x"), shown("Converted")("en", "de")
    texts = [*models.TEXTS, " ".join(models.TEXTS * 9)]
    assert ours.translate(texts, count=4) == its.translate(texts, count=4) and its.translate(texts, count=2)[-1] == []
