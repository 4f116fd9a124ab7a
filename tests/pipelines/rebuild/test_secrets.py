"""Keys in URLs, of webhooks and mirrors: no message, summary, file of metrics, note or manifest has them."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from gistmill.pipelines.rebuild.download import DumpConfig, fetch, newest
from gistmill.transforms.sources.wikipedia.dump import DumpNote, write_note
from tests.commands import call, make, manifest, refusal
from tests.dumps import export, small_pages
from tests.pipelines.rebuild.corpora import rebuilt, write_corpus
from tests.pipelines.rebuild.mirror import Mirror, serve, webhook

KEY = "T0KEN"
LOGIN = "Basic " + b64encode(f"jdoe:{KEY}".encode()).decode()


def failing(folder, url):
    """A rebuild that fails at once, as its input is missing: its code and all that it has said or written."""
    write_corpus(folder, webhook=url)
    code, summary, err = rebuilt(folder, "--metrics-file", folder / "m.prom")
    written = [p.read_text(encoding="utf-8") for p in folder.rglob("*") if p.is_file() and p.name != "c.yaml"]
    return code, err, "".join([json.dumps(summary), err, *written])


def test_a_webhook_that_fails_is_named_by_its_server_alone_and_one_that_answers_is_not(tmp_path):
    for status, location, problem in [
        (404, "", "HTTP status 404"),
        (500, "", "HTTP status 500"),
        (302, f"/other/{KEY}", "HTTP status 302"),
        (307, f"http://localhost:1/{KEY}", "it redirects to another host"),
        (302, f"file:///{KEY}", "it redirects to another host"),
        (304, "", "HTTP status 304"),
        (None, "", "Remote end closed connection without response"),
    ]:
        with webhook(status, **({"Location": location} if location else {})) as (port, sent):
            url = f"http://jdoe:{KEY}@127.0.0.1:{port}/services/{KEY}?key={KEY}#{KEY}"
            code, err, everything = failing(tmp_path, url)
        assert code == 2 and f"the webhook at http://127.0.0.1:{port}/... failed: {problem}\n" in err
        assert KEY not in everything
        assert [path for path, _ in sent] == [f"/services/{KEY}?key={KEY}"]  # it has its key, once, and nobody else
    with webhook() as (port, sent):
        code, err, everything = failing(tmp_path, f"http://127.0.0.1:{port}/services/{KEY}")
    ((path, summary),) = sent
    assert (path, summary["exit_code"], code) == (f"/services/{KEY}", 2, 2)
    assert "the webhook" not in err and KEY not in everything


def test_a_webhook_that_cannot_be_reached_is_one_line_without_keys_that_of_a_proxy_too(tmp_path, monkeypatch, caplog):
    for url in ("http://127.0.0.1:9/{}", "https://127.0.0.1:9/{}", "http://127.0.0.1:99999/{}"):
        code, err, everything = failing(tmp_path, url.format(KEY))
        assert code == 2 and "/... failed: " in err and "Traceback" not in err
        assert KEY not in everything + caplog.text
    for scheme in ("http", "https"):
        for proxy in ("http://jdoe:T0KEN@127.0.0.1:9", "socks9://jdoe:T0KEN@127.0.0.1"):
            monkeypatch.setenv(f"{scheme}_proxy", proxy)
            _code, err, everything = failing(tmp_path, f"{scheme}://hooks.example.invalid/services/{KEY}")
            assert f"the webhook at {scheme}://hooks.example.invalid/... failed: " in err and KEY not in everything


def test_a_webhook_that_is_not_a_url_is_refused_and_not_repeated(tmp_path):
    for value in (
        f"hooks.example.org/services/{KEY}",
        f"ftp://hooks.example.org/services/{KEY}",
        f"https:/hooks.example.org/{KEY}",
        f"https://hooks.example.org/services/{KEY} and more",
        f"https://hooks.example.org:port/{KEY}",
        [f"https://hooks.example.org/services/{KEY}"],
        {"url": f"hooks.example.org/services/{KEY}"},
    ):
        code, err, everything = failing(tmp_path, value)
        assert code == 2 and KEY not in everything and err.count("\n") == 1
        assert err.endswith("webhook.url: expected a URL beginning with https:// or http://\n")


def test_what_cannot_be_read_is_told_of_without_its_key(tmp_path):
    for value in (f"https://h.example/{KEY}: x", f"'https://h.example/{KEY}", f"[https://h/{KEY}"):
        (tmp_path / "c.yaml").write_text(f"publish: corpus\nwebhook: {value}\n", encoding="utf-8")
        err = refusal(f"rebuild {tmp_path}/c.yaml")
        assert "c.yaml is not YAML: line " in err and ", column " in err and KEY not in err
    for wrong in ("ftp://jdoe:T0KEN@h.example", "http://jdoe:T0KEN@h.example?key=T0KEN", "jdoe:T0KEN@h"):
        err = refusal(f"download --wiki simplewiki --output {tmp_path} --mirrors {wrong}")
        assert "--mirrors: expected a URL such as" in err and KEY not in err


def test_a_mirror_has_its_key_and_nobody_else(tmp_path):
    """What a mirror asks for is sent to it alone, though another host is listed."""
    date, name = "20260101", "simplewiki-20260101-pages-articles-multistream.xml.bz2"
    with serve(Mirror()) as other, serve(Mirror()) as mirror:
        for server in (mirror, other):
            server.put_dump("simplewiki", date, {name: b"a dump"})
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        mirror.plan = lambda path, number: f"-> {elsewhere}/{path}" if path.endswith(".bz2") else None
        url = mirror.url.replace("//", f"//jdoe:{KEY}@")
        command = f"download --wiki simplewiki --output {tmp_path} --mirrors {url}"
        refused = call(command)
        where = f"{mirror.url}/simplewiki/{date}/{name}"
        assert refused.returncode == 1 and f"{where}: the redirect to {elsewhere}/... is not followed" in refused.stderr
        assert other.requests == []
        done = make(command, "--redirect-hosts localhost")
    assert set(mirror.keys) == {LOGIN} and set(other.keys) == {None} and other.requests
    note = json.loads((tmp_path / "simplewiki" / date / f"{name}.dump.json").read_text(encoding="utf-8"))
    assert note["url"] == f"{mirror.url}/simplewiki/{date}/{name}"
    assert KEY not in refused.stderr + done.stdout + done.stderr


@pytest.mark.parametrize("plan", [404, 500, "cut", "-> /round"])
def test_no_message_on_a_mirror_has_its_key(tmp_path, capfd, plan, monkeypatch):
    monkeypatch.setattr("gistmill.pipelines.rebuild.download.PATIENCE", 2)
    with serve(Mirror()) as mirror:
        mirror.put_dump("simplewiki", "20260101", {"simplewiki-20260101-a.xml.bz2": b"a dump"})
        url = mirror.url.replace("//", f"//jdoe:{KEY}@")
        config, said = DumpConfig(wiki="simplewiki", mirrors=(url,)), []
        dump = newest(config, say=said.append)
        mirror.plan = lambda path, number: plan
        for call in (lambda: newest(config, say=said.append), lambda: fetch(dump, tmp_path, config=config)):
            with pytest.raises(Exception) as failed:
                call()
            said.append(str(failed.value))
    assert len(said) >= 2 and all(mirror.url in line for line in said) and KEY not in "".join(said)


def test_mirrors_may_redirect_to_each_other(tmp_path):
    name = "simplewiki-20260101-a.xml.bz2"
    with serve(Mirror()) as other, serve(Mirror()) as mirror:
        for server in (mirror, other):
            server.put_dump("simplewiki", "20260101", {name: b"a dump"})
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        mirror.plan = lambda path, number: f"-> {elsewhere}/{path}"
        config = DumpConfig(wiki="simplewiki", mirrors=(mirror.url, elsewhere))
        (path,) = fetch(newest(config), tmp_path, config=config)
    assert path.read_bytes() == b"a dump"


@pytest.mark.slow
def test_a_manifest_repeats_no_key_of_a_note_that_has_one(tmp_path):
    dump = tmp_path / "small.xml"
    dump.write_bytes(export([p for p in small_pages() if b"<redirect" not in p][:2]))
    url = f"https://jdoe:{KEY}@mirror.example/small.xml?key={KEY}"
    write_note(str(dump), DumpNote(file=dump.name, wiki="simplewiki", date="20260101", url=url, sha1="0" * 40))
    make(f"gap-sentences --min-sentences 2 --splits 1,0,0 --input {dump} --output {tmp_path}/out")
    assert [d["url"] for d in manifest(tmp_path / "out")["dumps"]] == ["https://mirror.example/small.xml"]
    for path in (tmp_path / "out").rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()
