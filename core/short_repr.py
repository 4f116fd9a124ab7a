"""Short ``repr``s for records that hold whole documents or manifests, as a notebook or a debugger shows them."""

from __future__ import annotations

import dataclasses
import reprlib
from typing import Any

_MOST = 240  # characters, as long as a few lines of a terminal
_VALUES = reprlib.Repr()
_VALUES.maxlevel = 2
_VALUES.maxstring = _VALUES.maxother = 60
_VALUES.maxtuple = _VALUES.maxlist = _VALUES.maxdict = 3


def short_repr(record: Any) -> str:
    """Returns what ``repr`` of a dataclass is, with values that are cut and only as many fields as fit some lines.

    A class takes it by ``__repr__ = short_repr``.
    """
    shown = ""
    for field in dataclasses.fields(record):
        part = f"{', ' if shown else ''}{field.name}={_VALUES.repr(getattr(record, field.name))}"
        if len(shown) + len(part) > _MOST:
            shown += ", ..."
            break
        shown += part
    return f"{type(record).__qualname__}({shown})"
