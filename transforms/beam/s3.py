"""One S3 client per process.

Beam makes a boto3 session and client for every file that it opens, copies or looks up. Each reads boto3's description
of the service again, which takes 0.3 to 1 s for every small file of a run. Importing this module replaces that session,
in driver and workers alike; ``transforms/io.py`` imports it. Without the extra ``s3`` it does nothing.
"""

from __future__ import annotations

import threading
from typing import Any

from transforms.beam.internals import use_boto3_session

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
                _CLIENTS[key] = session.client(**options)
            return _CLIENTS[key]


use_boto3_session(_Session)
