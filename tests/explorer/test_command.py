"""``gistmill explore``: what it says, writes and ends with."""

import os
import re
import signal
import socket
import subprocess
from argparse import Namespace
from pathlib import Path

import httpx
import pytest

from gistmill import ConfigError
from gistmill.explorer.server import _bound, main, name_of
from tests.commands import COMMAND
from tests.explorer.made import index_of, row, write_dataset
from tests.stores import BUCKET, S3, s3_server

pytestmark = pytest.mark.waits


def said(*arguments):
    with pytest.raises(ConfigError) as error:
        main([str(a) for a in arguments])
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_dataset_is_called_by_its_folder():
    names = {"out/demo": "demo", "out/demo/": "demo", "/data/de mo": "de mo", ".": Path.cwd().name, "/": "/"}
    for place, name in {**names, "s3://bucket/corpora/fuse-en/": "fuse-en", "gs://bucket": "bucket"}.items():
        assert name_of(place) == name


def test_what_is_not_a_dataset_is_said(tmp_path):
    assert said(tmp_path) == f"{tmp_path} is not a dataset: no files found there"
    (tmp_path / "notes.txt").write_text("")
    assert said(tmp_path).endswith("it contains no manifest.json")
    assert said(tmp_path / "notes.txt").startswith(f"{tmp_path}/notes.txt")
    (tmp_path / "manifest.json").write_text("{")
    assert "manifest.json is not JSON" in said(tmp_path)


def test_a_wrong_command_line_is_said(dataset, tmp_path):
    for options, words in (
        (("--port", "70000"), "--port: expected a number from 0 to 65535, not '70000'"),
        (("--port", "eighty"), "--port: expected a number"),
        (("--host", "256.0.0.1", "--port", "0"), "cannot listen on --host 256.0.0.1 --port 0"),
        (("--prt", "1"), "unrecognized arguments: --prt 1"),
        (("--against", "nowhere"), "nowhere is not a dataset: no files found there"),
        (("--input", "nofile"), "--input: no file matches 'nofile'"),
        (("--input", "nofile", "--export", "site"), "--input has no effect with --export"),
    ):
        assert words in said(dataset, *options)
    other = write_dataset(tmp_path / "demo", {"train": [row(0)]}, recipe="mix")
    apart = "--against: datasets from discofuse and mix cannot be compared"
    assert said(dataset, "--against", other) == apart


def test_a_port_that_is_taken_is_said_before_an_index_is_made(dataset, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = said(dataset, "--port", port, "--index", tmp_path / "index")
        assert "Address already in use; use --port 0 for any free port" in found
    assert not (tmp_path / "index").exists()


def test_a_dataset_without_parquet_is_said(tmp_path):
    folder = write_dataset(tmp_path / "demo", {"train": [row(0), row(1)]})
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format": "parquet"', '"format": "tfrecord"'))
    assert "full contains no Parquet files" in said(
        folder, "--export", tmp_path / "site", "--index", tmp_path / "index"
    )


def test_an_export_is_a_new_folder_without_names_of_this_machine(dataset, tmp_path, capsys):
    site = tmp_path / "site"
    assert main([str(dataset), "--export", str(site), "--index", str(tmp_path / "index")]) == 0
    assert f"python -m http.server --directory {site}" in capsys.readouterr().out
    page = (site / "index.html").read_text()
    assert "data-served" not in page and "<script>" not in page and str(dataset) not in page
    assert f"--export: {site} is not empty" in said(dataset, "--export", site)


@pytest.mark.slow
def test_a_dataset_of_a_store_is_exported(dataset, tmp_path, monkeypatch):
    with s3_server() as port:
        for name, value in {"ENDPOINT_URL": f"http://127.0.0.1:{port}", "ACCESS_KEY_ID": "key"}.items():
            monkeypatch.setenv(f"AWS_{name}", value)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        for path in (p for p in dataset.rglob("*") if p.is_file()):
            S3(port).put(f"demo/{path.relative_to(dataset)}", path.read_bytes())
        place = f"s3://{BUCKET}/demo"
        assert main([place, "--export", str(tmp_path / "site"), "--index", str(tmp_path / "index")]) == 0
    here = index_of(dataset, tmp_path / "other")
    (there,) = (tmp_path / "index").iterdir()
    files = [path.relative_to(here.index) for path in here.index.rglob("*.bin")]
    assert files and all((here.index / f).read_bytes() == (there / f).read_bytes() for f in files)


def test_who_comes_before_the_first_answer_waits():
    with (
        _bound(Namespace(host="127.0.0.1", port=0)) as bound,
        socket.create_connection(bound.getsockname(), timeout=60) as early,
    ):
        assert early.getpeername() == bound.getsockname()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(dataset, tmp_path, number):
    command = [*COMMAND, "explore", str(dataset), "--port", "0"]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "TMPDIR": str(tmp_path), "TERM": "dumb"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    line = process.stdout.readline()
    (url,) = re.findall(r"http://127\.0\.0\.1:\d+/", line)
    assert httpx.get(url).status_code == 200
    process.send_signal(number)
    _out, err = process.communicate(timeout=240)
    assert (process.returncode, err) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["gistmill"]
