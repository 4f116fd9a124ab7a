"""A service account that this machine believes in: without any credentials Beam looks for some for half a minute."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import serving


class _Tokens:
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        content = json.dumps({"access_token": "token", "expires_in": 3600, "token_type": "Bearer"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def service_account(folder: Path) -> Iterator[Path]:
    """Yields the file for ``GOOGLE_APPLICATION_CREDENTIALS``; its tokens come from a server that runs meanwhile."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = (
        rsa.generate_private_key(public_exponent=65537, key_size=2048)
        .private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        .decode()
    )
    account = {
        "type": "service_account",
        "project_id": "project-one",
        "private_key_id": "1",
        "private_key": key,
        "client_email": "launcher@project-one.example",
        "client_id": "1",
    }
    with serving(_Tokens) as port:
        file = folder / "account.json"
        file.write_text(json.dumps({**account, "token_uri": f"http://127.0.0.1:{port}/token"}))
        yield file
