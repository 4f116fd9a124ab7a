"""Texts cut into propositions, or with their mentions resolved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import gistmill
from gistmill.rules.propositions.statements import PropositionsConfig
from gistmill.serving.engines import WholeText


def state(texts: Sequence[WholeText]) -> list[dict[str, Any] | Exception]:
    """Returns the answer to each text: its propositions or it resolved, as Python has them. A text that fails has the
    exception, so that the others of its batch have their answers."""
    return [_stated(text) for text in texts]


def _stated(wanted: WholeText) -> dict[str, Any] | Exception:
    config = PropositionsConfig(precision=wanted.precision)
    try:
        if wanted.resolve:
            return asdict(gistmill.resolve(wanted.text, title=wanted.title, config=config))
        found = gistmill.propositions(wanted.text, title=wanted.title, config=config)
    except Exception as error:
        return error
    return {"propositions": [asdict(each) for each in found], "rejected": [asdict(each) for each in found.rejected]}
