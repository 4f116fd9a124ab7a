"""Functions that lean on private names of Beam, for pipelines and transforms. Written for Beam 2.77.

How local workers are attached to Beam's runner stands in ``pipelines/runners/beam_internals.py``. A private name of
Beam is used in these two modules only, and ``tests/pipelines/runners/test_beam_internals.py`` lists every one.
Beam is imported inside the functions: the command line imports this module before it knows that it needs Beam.
"""

from __future__ import annotations

import argparse
from types import SimpleNamespace
from typing import TypeVar

E = TypeVar("E", bound=type[BaseException])


def beam_flags() -> set[str]:
    """Returns every flag that some class of Beam's options declares, with its hyphens."""
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
    """Decorates an exception class: Beam passes its instances on. Others it replaces by a copy, or by a RuntimeError,
    that names the step; it marks those by this attribute, and leaves what is marked alone."""
    error._tagged_with_step = True  # type: ignore[attr-defined]
    return error


def use_boto3_session(session: type) -> None:
    """Makes Beam's S3 client call ``session`` instead of ``boto3.session.Session``; does nothing without the extra
    ``s3``, where Beam has no boto3."""
    from apache_beam.io.aws.clients.s3 import boto3_client

    if boto3_client.boto3 is not None:
        boto3_client.boto3 = SimpleNamespace(session=SimpleNamespace(Session=session))
