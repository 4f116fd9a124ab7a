"""The parsers that are compared: spaCy's own, with its defaults, and the fast one."""

import pytest
import spacy
from thinc.api import use_ops

from gistmill.transforms.models import describe_model, load_model
from gistmill.transforms.parsing.fast import FastParser
from gistmill.transforms.parsing.plain import PlainParser


@pytest.fixture(scope="session")
def stock():
    """``nlp.pipe`` as spaCy loads it: with all components, and BLIS."""
    with use_ops("numpy", use_blis=True):
        return PlainParser(spacy.load(describe_model().path))


@pytest.fixture(scope="session")
def fast():
    return FastParser(load_model())
