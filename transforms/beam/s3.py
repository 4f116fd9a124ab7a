"""One S3 client per process, which can also write empty files.

Beam makes a boto3 session and client for every file that it opens, copies or looks up. Each reads boto3's description
of the service again, which takes 0.3 to 1 s for every small file of a run. Importing this module replaces that session,
in driver and workers alike; ``transforms/io.py`` imports it. Without the extra ``s3`` it does nothing.

Beam uploads every file in parts, an empty one in none, which S3 refuses. It gets an empty part here.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

from gistmill.transforms.beam.internals import use_boto3_session

_LOCK = threading.Lock()
_CLIENTS: dict[tuple[tuple[str, Any], ...], Any] = {}


class _Session:
    """Stands in for boto3's session. Threads may share a client but not a session."""

    def client(self, **options: Any) -> Any:
        """Returns the client for these options.

        Raises:
            botocore.exceptions.NoCredentialsError: there are none. Beam would ask again for ten minutes, in silence.
        """
        key = tuple(sorted(options.items()))
        with _LOCK:
            if key not in _CLIENTS:
                import boto3
                from botocore.exceptions import NoCredentialsError

                session = boto3.session.Session()
                if not options.get("aws_access_key_id") and session.get_credentials() is None:
                    raise NoCredentialsError
                _CLIENTS[key] = client = session.client(**options)
                client.meta.events.register(
                    "provide-client-params.s3.CompleteMultipartUpload", functools.partial(_with_a_part, client)
                )
            return _CLIENTS[key]


def _with_a_part(client: Any, params: dict[str, Any], **_: Any) -> None:
    """Uploads an empty part where an upload has none; boto3 calls it with the parameters of the end of an upload."""
    if not params["MultipartUpload"]["Parts"]:
        place = {name: params[name] for name in ("Bucket", "Key", "UploadId")}
        part = client.upload_part(**place, PartNumber=1, Body=b"")
        params["MultipartUpload"]["Parts"].append({"ETag": part["ETag"], "PartNumber": 1})


use_boto3_session(_Session)
