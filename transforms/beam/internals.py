"""Functions for pipelines and transforms that use Beam's private API. Written for Beam 2.77.

Private names of Beam are used only here and in ``pipelines/runners/beam_internals.py`` (which attaches local workers to
Beam's runner); ``tests/pipelines/runners/test_beam_internals.py`` lists them all. The functions import Beam themselves
because the command line imports this module before it knows whether it needs Beam.

Beam makes a boto3 session and client for every file that it opens, copies or looks up. Each one reads boto3's service
description again, which takes 0.3 to 1 s per file. Importing this module, as ``transforms/io.py`` does, replaces that
session in the driver and the workers. Without the extra ``s3`` it does nothing.

Beam uploads every file in parts, and an empty file in none, which S3 refuses. Here it gets one empty part.
"""

from __future__ import annotations

import argparse
import functools
import gc
import threading
import weakref
from types import SimpleNamespace
from typing import Any, TypeVar

E = TypeVar("E", bound=type[BaseException])


def beam_flags() -> set[str]:
    """Returns every flag, with its hyphens, that any of Beam's option classes declares."""
    from apache_beam.options.pipeline_options import PipelineOptions, _BeamArgumentParser

    parser = _BeamArgumentParser(allow_abbrev=False, add_help=False)
    classes: list[type[PipelineOptions]] = [PipelineOptions]
    seen: set[type[PipelineOptions]] = set()
    while classes:
        cls = classes.pop()
        if cls in seen:
            continue
        seen.add(cls)
        classes.extend(cls.__subclasses__())
        if "_add_argparse_args" in vars(cls):
            try:
                cls._add_argparse_args(parser)
            except argparse.ArgumentError:  # two classes may share a flag
                continue
    return {flag for action in parser._actions for flag in action.option_strings}


def raised_as_it_is(error: E) -> E:
    """Marks an exception so that Beam passes it on unchanged. Beam replaces unmarked exceptions with a copy or a
    RuntimeError that names the step; it recognises the mark, an attribute that it sets itself."""
    error._tagged_with_step = True  # type: ignore[attr-defined]
    return error


def use_boto3_session(session: type) -> None:
    """Makes Beam's S3 client call ``session`` instead of ``boto3.session.Session``; does nothing without the extra
    ``s3``, because Beam then has no boto3."""
    from apache_beam.io.aws.clients.s3 import boto3_client

    if boto3_client.boto3 is not None:
        boto3_client.boto3 = SimpleNamespace(session=SimpleNamespace(Session=session))


_LOCK = threading.Lock()
_CLIENTS: dict[tuple[tuple[str, Any], ...], Any] = {}


class _Session:
    """A replacement for boto3's session. Threads may share a client but not a session."""

    def client(self, **options: Any) -> Any:
        """Returns the client for these options.

        Raises:
            botocore.exceptions.NoCredentialsError: there are none. Beam would silently retry for ten minutes.
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
    """Uploads an empty part if an upload has none; boto3 calls it with the parameters that complete an upload."""
    if not params["MultipartUpload"]["Parts"]:
        place = {name: params[name] for name in ("Bucket", "Key", "UploadId")}
        part = client.upload_part(**place, PartNumber=1, Body=b"")
        params["MultipartUpload"]["Parts"].append({"ETag": part["ETag"], "PartNumber": 1})


use_boto3_session(_Session)


# The number of new objects that triggers the collector: each batch makes thousands of short-lived, acyclic tokens.
_YOUNG = 100_000
_THRESHOLDS = gc.get_threshold()
_OWNERS: list[weakref.finalize[..., object]] = []


def spare_collector(owner: object) -> None:
    """Makes the collector skip all objects that exist now, and run less often, while ``owner`` lives.

    A full collection follows whenever the number of objects has grown by a quarter; most are in tables and modules.
    """
    _OWNERS.append(weakref.finalize(owner, _release))
    if gc.get_freeze_count():
        gc.unfreeze()  # an earlier owner's objects may be garbage by now
        gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, *_THRESHOLDS[1:])


def _release() -> None:
    if not any(owner.alive for owner in _OWNERS):
        _OWNERS.clear()
        gc.unfreeze()
        gc.set_threshold(*_THRESHOLDS)
