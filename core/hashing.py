"""Salted hashing: the only source of randomness in the building jobs."""

from __future__ import annotations

import hashlib


def unit_interval(salt: str, key: str) -> float:
    """Returns a number in [0, 1) that depends only on ``salt`` and ``key``, uniformly distributed over keys."""
    digest = hashlib.blake2b(key.encode("utf-8"), digest_size=8, key=salt.encode("utf-8")[:64]).digest()
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)


def text_digest(text: str) -> int:
    """Returns a 64-bit hash of a text as a signed integer."""
    return int.from_bytes(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True
    )
