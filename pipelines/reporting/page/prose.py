"""Our own sentences as HTML: words between backticks become code."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`]+)`")


def prose(text: str) -> Markup:
    """Returns a sentence as HTML: escaped, and with ``<code>`` for what stands between backticks."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))
