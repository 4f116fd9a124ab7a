"""Where a redirect may lead, shown with servers of this machine: 127.0.0.1 and localhost are two hosts."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import re
import socket
import threading
import time
from contextlib import contextmanager

import pytest

from gistmill.pipelines import web as web_module
from gistmill.pipelines.web import (
    RedirectRefused,
    Session,
    WebError,
    ask_near,
    described_at,
    plain_reason,
    read,
    session,
)
from tests.cases import by_heading
from tests.servers import serving

CASES = by_heading(__file__)


@pytest.fixture(autouse=True)
def nowhere_else(monkeypatch):
    """Whatever the code does, these tests reach no other machine: a proxy that is not there stands before all of them."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1,127.0.0.2,localhost")


@contextmanager
def redirecting(location=None, *, status=302, certificate=None, endless=False):
    """A server: it redirects to ``location``, or answers "here". Yields its port and the paths that were asked for."""
    asked = []

    class Handler:
        def do_GET(self):
            asked.append(self.path)
            if location is None or self.path == "/there":
                self.send_response(200)
                self.send_header("Content-Length", "4")
                self.end_headers()
                self.wfile.write(b"here")
                return
            self.send_response(status)
            self.send_header("Location", location)
            if not endless:
                self.send_header("Content-Length", "0")
            self.end_headers()
            try:
                while endless:
                    self.wfile.write(b"x" * 65536)
            except OSError:  # the client has gone
                pass

    with serving(Handler, certificate=certificate) as port:
        yield port, asked


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Key and certificate of 127.0.0.1, in a file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a mirror")]), datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("certificate") / "both.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


def get(url, *, servers=()):
    with session(tries=1, servers=servers) as web:
        return read(web, url)


def refusal(url, **options):
    with pytest.raises(WebError) as refused:
        get(url, **options)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_the_same_server_is_followed_and_to_another_port_only_if_it_is_listed(status):
    with redirecting() as (port, asked), redirecting(f"http://127.0.0.1:{port}/there", status=status) as (first, _):
        assert f"the redirect to http://127.0.0.1:{port}/... is not followed" in refusal(f"http://127.0.0.1:{first}/a")
        assert f"to http://127.0.0.1:{port}/..." in refusal(f"http://127.0.0.1:{first}/a", servers=["127.0.0.1"])
        assert asked == []
        for listed in (f"127.0.0.1:{port}", "127.0.0.1:*"):
            assert get(f"http://127.0.0.1:{first}/a", servers=[listed]) == b"here"
    with redirecting("/there", status=status) as (first, asked):
        assert get(f"http://127.0.0.1:{first}/a") == b"here" and asked == ["/a", "/there"]


def test_the_usual_ports_of_http_and_https_are_one_server():
    web = Session()
    for before, target in (
        ("http://a.test/", "https://a.test/"),
        ("http://a.test:80/", "https://A.test:443/x"),
        ("https://a.test/", "https://a.test:443/"),
        ("http://a.test:8080/", "https://a.test:8080/"),
    ):
        web._check(before, target)
    for before, target in (
        ("http://a.test/", "http://a.test:443/"),
        ("http://a.test/", "http://a.test:8080/"),
        ("http://a.test:8080/", "http://a.test/"),
        ("https://a.test:444/", "https://a.test/"),
    ):
        with pytest.raises(RedirectRefused, match="is not followed"):
            web._check(before, target)


@pytest.mark.parametrize("status", [302, 307])
def test_another_host_is_asked_only_if_it_is_listed(status):
    with redirecting() as (other, asked), redirecting(f"http://localhost:{other}/there", status=status) as (first, _):
        said = f"to http://localhost:{other}/... is not followed; to allow it, add localhost to redirect_hosts"
        assert said in refusal(f"http://127.0.0.1:{first}/a") and asked == []
        assert get(f"http://127.0.0.1:{first}/a", servers=["LocalHost:*"]) == b"here" and asked == ["/there"]


def test_a_host_that_is_listed_sends_on_to_listed_hosts_alone():
    with (
        redirecting() as (last, asked),
        redirecting(f"http://127.0.0.2:{last}/there") as (second, _),
        redirecting(f"http://localhost:{second}/b") as (first, _),
    ):
        assert "to http://127.0.0.2:" in refusal(f"http://127.0.0.1:{first}/a", servers=["localhost:*"])
        assert asked == []


def test_what_is_not_a_url_of_http_or_of_a_known_host_is_refused():
    for location, named in CASES["redirects that are refused"]:
        with redirecting() as (port, asked), redirecting(location.replace("{port}", str(port))) as (first, _):
            said = refusal(f"http://127.0.0.1:{first}/a")
            assert f"redirect to {named.replace('{port}', str(port))} is not followed" in said and "secret" not in said
            assert asked == []


def test_https_is_not_given_up_for_http(certificate, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    with (
        redirecting() as (plain, asked),
        redirecting(f"http://127.0.0.1:{plain}/there", certificate=certificate) as (first, _),
    ):
        said = refusal(f"https://127.0.0.1:{first}/a", servers=["127.0.0.1:*"])
        assert f"the redirect from HTTPS to http://127.0.0.1:{plain}/... is not followed" in said and asked == []


def test_http_may_lead_to_https(certificate, monkeypatch):
    with (
        redirecting(certificate=certificate) as (secure, _),
        redirecting(f"https://127.0.0.1:{secure}/there") as (first, _),
    ):
        listed = [f"127.0.0.1:{secure}"]
        assert "certificate verify failed" in refusal(f"http://127.0.0.1:{first}/a", servers=listed)
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        assert get(f"http://127.0.0.1:{first}/a", servers=listed) == b"here"


def test_a_circle_ends():
    for location in ("/round", "http://", ""):
        with redirecting(location) as (port, asked):
            assert "Exceeded 5 redirects" in refusal(f"http://127.0.0.1:{port}/a")
            assert len(asked) == 6


def test_the_body_of_a_redirect_is_not_read():
    with redirecting("/there", endless=True) as (port, _):
        assert get(f"http://127.0.0.1:{port}/a") == b"here"
    with redirecting("http://localhost/", endless=True) as (port, _):
        refusal(f"http://127.0.0.1:{port}/a")


def test_a_server_that_is_near_may_not_send_elsewhere_and_no_proxy_is_in_its_way(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with redirecting() as (port, asked), redirecting(f"http://localhost:{port}/there") as (first, _):
        with pytest.raises(OSError, match="is not followed"):
            ask_near("GET", f"http://127.0.0.1:{first}/a", seconds=60)
        assert asked == []
        assert ask_near("GET", f"http://127.0.0.1:{port}/a", seconds=60) == b"here"


def test_a_session_opens_nothing_but_http():
    for url in ("file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "127.0.0.1/x"):
        with session(tries=1) as web, pytest.raises(WebError, match="the URL or the proxy's URL is invalid"):
            read(web, url)


@pytest.mark.parametrize(
    "proxy", ["http://user:secret@127.0.0.1:9", "socks9://user:secret@127.0.0.1", "http://user:secret@[::bad/"]
)
@pytest.mark.parametrize("url", ["http://user:secret@192.0.2.1/a?token=secret", "https://192.0.2.1/a?token=secret"])
def test_no_message_has_a_secret_of_a_url_or_a_proxy(monkeypatch, caplog, proxy, url):
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, proxy)
    with session(tries=2, pause=0.01) as web, pytest.raises(WebError) as failed:
        read(web, url)
    said = str(failed.value)
    assert "secret" not in said and said.startswith(url[:4]) and "192.0.2.1" in said
    assert "secret" not in caplog.text and failed.value.__suppress_context__


def test_a_refused_redirect_says_the_same_in_every_wrapping():
    assert plain_reason(RedirectRefused("the redirect is not followed")) == "the redirect is not followed"


def dripping(*, head, chunked=False):
    """A server that sends a byte every 50 ms for ever: of its head or of its body. Yields its port."""

    class Handler:
        def do_GET(self):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            try:
                if not head:
                    coding = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: 1000000"
                    self.wfile.write(coding + b"\r\n\r\n")
                while True:
                    self.wfile.write(b"1\r\nx\r\n" if chunked else b"x")
                    time.sleep(0.05)
            except OSError:  # the client has gone
                pass

        do_HEAD = do_GET

    return serving(Handler)


def test_an_answer_that_comes_byte_by_byte_is_given_up(monkeypatch):
    for name in ("SMALL_SECONDS", "HEAD_SECONDS"):
        monkeypatch.setattr(web_module, name, 0.5)
    for head, chunked in ((True, False), (False, False), (False, True)):
        with dripping(head=head, chunked=chunked) as port:
            said = refusal(f"http://127.0.0.1:{port}/a")
            assert re.search("timed out" if head else r"too slow \(\d+ bytes in 0 s\)", said)
            if head:
                with session(tries=1) as web, pytest.raises(WebError, match="timed out"):
                    described_at(web, f"http://127.0.0.1:{port}/a")


def test_a_length_that_is_none_is_one_line():
    lengths = ["9" * 5000, "-1", "0", "1,2", "²", "1_0", ""]

    class Handler:
        def do_HEAD(self):
            self.send_response(200)
            length = lengths[int(self.path[1:])].encode("utf-8")
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: " + length + b"\r\n\r\n")
            self._headers_buffer.clear()

    with serving(Handler) as port, session(tries=1) as web:
        for number in range(len(lengths)):
            with pytest.raises(WebError) as failed:
                described_at(web, f"http://127.0.0.1:{port}/{number}")
            assert len(str(failed.value)) < 300 and "\n" not in str(failed.value)


@contextmanager
def proxy(*, tunnels=True):
    """A proxy of HTTPS, which tunnels or refuses. Yields its port and what it was asked for."""
    asked = []

    def pump(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    class Handler:
        def do_CONNECT(self):
            asked.append((self.path, self.headers["Proxy-Authorization"]))
            if not tunnels:
                self.send_error(407)
                return
            host, _, port = self.path.rpartition(":")
            with socket.create_connection((host, int(port))) as target:
                self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
                back = threading.Thread(target=pump, args=(target, self.connection), daemon=True)
                back.start()
                pump(self.connection, target)
                back.join(5)

    with serving(Handler) as port:
        yield port, asked


def test_https_goes_through_the_proxy_of_the_environment_and_certificates_are_checked_there_too(
    certificate, monkeypatch
):
    monkeypatch.delenv("no_proxy")
    with proxy() as (through, asked), redirecting(certificate=certificate) as (secure, paths):
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:PASSWORD@127.0.0.1:{through}")
        monkeypatch.delenv("https_proxy")
        said = refusal(f"https://127.0.0.1:{secure}/a")
        assert "certificate verify failed" in said and "PASSWORD" not in said and paths == []
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        assert get(f"https://127.0.0.1:{secure}/a") == b"here"
        assert {address for address, _ in asked} == {f"127.0.0.1:{secure}"} and all(key for _, key in asked)
    with proxy(tunnels=False) as (through, _):
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:PASSWORD@127.0.0.1:{through}")
        said = refusal("https://192.0.2.1/a")
        assert "407" in said and "PASSWORD" not in said
