"""Messages over a pipe: eight bytes of length, then a pickle.

Both ends are the same program: a process and the child that it started. The pipe has no name, so no other process can
open it, and nothing is kept. What is read from a disk or a store is never a pickle.
"""

from __future__ import annotations

import pickle
import struct
from typing import Any

HEADER = struct.Struct(">Q")


def packed(message: Any) -> bytes:
    """Returns a message as one frame."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def body_length(data: bytes | bytearray) -> int | None:
    """Returns the length of the body that follows the header, None while the header is not complete."""
    return HEADER.unpack_from(data)[0] if len(data) >= HEADER.size else None


def unpacked(data: bytes | bytearray) -> Any:
    """Returns the message of one complete frame."""
    return pickle.loads(memoryview(data)[HEADER.size :])
