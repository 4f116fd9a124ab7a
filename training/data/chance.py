"""Chance from salted hashes: the same on every machine and with every version of numpy."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def permutation(size: int, key: str) -> npt.NDArray[np.int64]:
    """Returns the numbers below ``size`` in an order that depends on ``key`` and ``size`` alone.

    The numbers are sorted by the output of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
    pseudorandom number generators", OOPSLA 2014), which starts from a hash of the key.
    """
    seed = np.frombuffer(hashlib.blake2b(key.encode("utf-8"), digest_size=8).digest(), dtype="<u8")
    with np.errstate(over="ignore"):  # arithmetic modulo 2**64 is meant
        x = seed + _STEP * np.arange(1, size + 1, dtype=np.uint64)
        x = (x ^ (x >> np.uint64(30))) * _FIRST
        x = (x ^ (x >> np.uint64(27))) * _SECOND
        x ^= x >> np.uint64(31)
    return np.argsort(x, kind="stable")
