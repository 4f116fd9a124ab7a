"""What Wikimedia asks of those who download from it.

Its servers allow three connections to a client (https://dumps.wikimedia.org). "Wikimedia APIs/Access policy" asks for a
contact in the User-Agent.
"""

from __future__ import annotations

from gistmill.core.addresses import WebAddress

MOST_CONNECTIONS = 3
_DOMAINS = ("wikimedia.org", "wikipedia.org")


def is_wikimedia(url: str) -> bool:
    """Whether a URL is on a server of Wikimedia."""
    address = WebAddress.of(url)
    host = "" if address is None else address.host.rstrip(".")
    return any(host == domain or host.endswith(f".{domain}") for domain in _DOMAINS)
