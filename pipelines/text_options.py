"""The options of commands that state or resolve one text, and how their errors are told."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gistmill.core.flags import Parser, add_options, from_flags
from gistmill.core.options import options_of
from gistmill.pipelines.errors import ConfigError
from gistmill.rules.propositions.config import PropositionsConfig
from gistmill.transforms.coreference import NAMES
from gistmill.transforms.models import ModelError


def add_text_options(parser: Parser) -> None:
    """Adds the options of the recipe ``propositions``, and those of parsing one text."""
    parser.add_argument(
        "--title", default="", metavar="TITLE", help="title of the text, whose subject pronouns often mean"
    )
    parser.add_argument("--coref", choices=NAMES, default="sieve", help="coreference resolver (default: %(default)s)")
    parser.add_argument("--spacy-model", metavar="MODEL", help="as of gistmill propositions")
    add_options(parser, options_of(PropositionsConfig))


def call_options(asked: argparse.Namespace) -> dict[str, Any]:
    """Returns the keywords for ``propositions`` and ``resolve``.

    Raises:
        OptionError: a value is wrong.
    """
    values = from_flags(asked, [o.name for o in options_of(PropositionsConfig)])
    config = PropositionsConfig.from_values(values)
    return {"title": asked.title, "config": config, "coref": asked.coref, "spacy_model": asked.spacy_model}


@contextmanager
def told() -> Iterator[None]:
    """Raises ConfigError for what is wrong with a text, an option or a model."""
    try:
        yield
    except (ModelError, ValueError) as error:
        raise ConfigError(str(error)) from None
