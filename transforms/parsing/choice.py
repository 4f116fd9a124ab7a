"""The choice between the fast way and the plain one."""

from __future__ import annotations

import logging

from transforms.models import LoadedModel
from transforms.parsing.fast import FastParser
from transforms.parsing.internals import Unsupported
from transforms.parsing.plain import PlainParser, SentenceParser

LOG = logging.getLogger(__name__)


def sentence_parser(model: LoadedModel) -> SentenceParser:
    """Returns the fast parser where it can be used; otherwise the plain one, after a warning that says why."""
    try:
        return FastParser(model)
    except Unsupported as error:
        LOG.warning("parsing goes the slow way, with the same rows: %s", error)
        return PlainParser(model.nlp)
