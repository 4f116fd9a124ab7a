"""Object stores that nobody answers for: a connection is refused at once, which Google's client tries again."""

from __future__ import annotations

import threading
import types

import pytest
from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.gcp.gcsio_retry import DEFAULT_RETRY_WITH_THROTTLING_COUNTER
from google.api_core.exceptions import from_http_status
from google.cloud.storage.retry import DEFAULT_RETRY

from gistmill.core import addresses
from gistmill.pipelines import stores
from gistmill.pipelines.errors import ConfigError
from gistmill.transforms.io import exists, list_files, open_input, read_json, sha256_of, size_of
from tests.commands import call, refusal
from tests.credentials import service_account
from tests.dumps import export, small_pages
from tests.stores import free_port


@pytest.fixture(scope="module")
def account(tmp_path_factory):
    with service_account(tmp_path_factory.mktemp("account")) as file:
        yield str(file)


@pytest.fixture
def nowhere(account, monkeypatch):
    """The beginning of URLs at which nobody answers. Google's client gives up at once, and not after two minutes."""
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", account)
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{free_port()}")
    for retry in (DEFAULT_RETRY, DEFAULT_RETRY_WITH_THROTTLING_COUNTER):
        monkeypatch.setattr(retry, "_timeout", 0.1)
    monkeypatch.setattr(stores, "WAITS_SECONDS", (0.01,))
    return "gs://bucket"


def test_every_question_ends_in_the_same_error(nowhere):
    for ask in (exists, size_of, open_input, list_files, read_json, sha256_of):
        with pytest.raises(BeamIOError) as caught:
            ask(f"{nowhere}/there")
        assert [place.startswith(f"{nowhere}/there") for place in caught.value.exception_details] == [True]
        assert not stores.is_final(caught.value)


PLACES = {
    "gap-sentences --input {}/dump.xml.bz2 --output new": 1,
    "curriculum --input {}/corpus#default --output new": 1,
    "gap-sentences --input small.xml --output {}/corpus": 1,
    "annotate --coref none --input small.xml --output new --reuse {}/corpus": 1,
    "gap-sentences --input small.xml --output new --decontaminate {}/test.txt": 1,
    "estimate gap-sentences --input {}/dump.xml.bz2": 1,
    "validate {}/corpus": 2,
}


@pytest.fixture
def place(tmp_path):
    """A folder with a small dump."""
    (tmp_path / "small.xml").write_bytes(export(small_pages()[:3]))
    return tmp_path


def test_a_command_says_it_in_one_line(nowhere, place):
    for words, code in PLACES.items():
        line = refusal(words.format(nowhere), code=code, cwd=place)
        assert nowhere in line and "Connection refused" in line
        assert [path.name for path in place.iterdir()] == ["small.xml"]


class _Late(threading.Timer):
    """A timer whose time is always up before the store has answered, however busy the machine is."""

    def cancel(self):
        self.join()


def test_a_command_that_waits_says_so_meanwhile(nowhere, place, monkeypatch):
    monkeypatch.setattr(addresses, "SECONDS", 0.001)
    monkeypatch.setattr(addresses, "threading", types.SimpleNamespace(Timer=_Late))
    for words in [words for words in PLACES if words.startswith(("gap-sentences --input {}", "validate"))]:
        monkeypatch.setattr(addresses, "_told", set())
        first, last = call(words.format(nowhere), cwd=place).stderr.splitlines()
        assert first.startswith(f"gistmill: no response from {nowhere} for 0.001 s") and "Connection refused" in last


def test_the_digits_of_an_address_are_not_an_answer():
    for status, bucket, final in [
        (403, "bucket", True),
        (401, "bucket", True),
        (404, "bucket", True),
        (503, "bucket", False),
        (503, "news-404", False),
        (429, "403", False),
    ]:
        error = from_http_status(status, f"GET http://127.0.0.1:40403/storage/v1/b/{bucket}/o?prefix=404: no")
        kind = type(stores.failure_of_store(BeamIOError("List operation failed", {f"gs://{bucket}/a": error})))
        assert kind is (ConfigError if final else stores.StoreError)
        assert stores.is_final(error) is final
