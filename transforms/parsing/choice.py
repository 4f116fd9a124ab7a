"""The choice between the fast way and the plain one."""

from __future__ import annotations

import logging

from gistmill.transforms.models import LoadedModel, ModelInfo
from gistmill.transforms.parsing.fast import FastParser
from gistmill.transforms.parsing.internals import Unsupported, check_releases
from gistmill.transforms.parsing.plain import PlainParser, SentenceParser

LOG = logging.getLogger(__name__)


def sentence_parser(model: LoadedModel) -> SentenceParser:
    """Returns the fast parser where it can be used, otherwise the plain one. Either gives the same rows."""
    try:
        return FastParser(model)
    except Unsupported as error:
        LOG.info("parsing by nlp.pipe: %s", error)
        return PlainParser(model.nlp)


def warn_if_plain(info: ModelInfo) -> None:
    """Warns where ``sentence_parser`` will return the plain parser. A job's driver says it, once for all workers."""
    try:
        check_releases(info)
    except Unsupported as error:
        LOG.warning("parsing goes the plain way, at a quarter of the speed or less, to the same rows: %s", error)
