"""One S3 client a process. Beam makes a session and a client of boto3 for every file that it opens, copies or asks after,
and each reads boto3's description of the service anew: a third of a second to a second, for every small file of a run.

To be imported by whoever uses Beam's FileSystems, in driver and workers; without the extra `s3` it does nothing.
"""
from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

from apache_beam.io.aws.clients.s3 import boto3_client

_LOCK = threading.Lock()
_CLIENTS: dict[tuple[tuple[str, Any], ...], Any] = {}


class _Session:
    """What Beam asks boto3 for. Clients may be shared by threads, sessions may not."""

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
                _CLIENTS[key] = session.client(**options)
            return _CLIENTS[key]


if boto3_client.boto3 is not None:
    boto3_client.boto3 = SimpleNamespace(session=SimpleNamespace(Session=_Session))
