"""Untrusted model folders: their code never runs, missing weights are not made up, and a broken one is a ValueError.

transformers asks on the terminal whether it may run the code of a folder, unless it is told not to; fills weights that
a file lacks with random numbers; and the library that reads ``tokenizer.json`` raises panics, which are not of the
class Exception, and ends the process where memory does.
"""

from __future__ import annotations

import base64
import json
import math
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_MOST_BYTES = 128 << 20  # of a tokenizer.json; that of Gemma has 33 MB
# The most that normalizers may lengthen a text, as a factor; those that follow each other multiply it.
_MOST_GROWTH = 1000


def load_tokenizer(source: str | os.PathLike[str] | bytes) -> Any:
    """Returns the ``tokenizers.Tokenizer`` of a ``tokenizer.json``.

    Args:
        source: the path of the file, or its content.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not a tokenizer, is too large, or makes texts far longer.
    """
    from tokenizers import Tokenizer

    text = _checked(source if isinstance(source, bytes) else _content(Path(source)))
    return _one_line(lambda: Tokenizer.from_str(text))


def load_auto_tokenizer(place: str, **options: Any) -> Any:
    """Returns the tokenizer of a folder in transformers' form, or of a name of the Hugging Face Hub.

    Raises:
        OSError, ValueError: there is none that can be loaded without code of its own.
    """
    from transformers import AutoTokenizer

    file = Path(place) / "tokenizer.json"
    if file.is_file():
        _checked(_content(file))
    return _one_line(lambda: AutoTokenizer.from_pretrained(place, trust_remote_code=False, **options))


def load_network(network: Any, place: str, **options: Any) -> Any:
    """Returns what ``network.from_pretrained`` does of a folder or name, all of whose weights are in its files.

    Args:
        network: a class of transformers.
        place: the folder, or a name of the Hugging Face Hub.
        options: for ``from_pretrained``.

    Raises:
        OSError, ValueError: it cannot be loaded without code of its own, or weights are missing.
    """
    auto = {"trust_remote_code": False} if network.__name__.startswith("Auto") else {}
    found, report = _one_line(lambda: network.from_pretrained(place, output_loading_info=True, **auto, **options))
    if missing := sorted(report["missing_keys"]):
        names = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
        raise ValueError(f"its files lack {len(missing)} of the weights: {names}")
    return found


def _one_line(load: Callable[[], Any]) -> Any:
    """Returns what ``load`` does; whatever it raises becomes a ValueError of one line, OSError apart."""
    try:
        return load()
    except (OSError, KeyboardInterrupt, SystemExit):
        raise
    except pickle.UnpicklingError:
        raise ValueError(
            "its weights are a pickle that contains more than numbers and could run code; use safetensors"
        ) from None
    except BaseException as error:  # the panics of Rust are of no class below Exception
        raise ValueError(" ".join(str(error).split())[:300] or type(error).__name__) from None


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES + 1)


def _checked(content: bytes) -> str:
    """Returns the text of a tokenizer.json that takes neither too much memory nor makes texts far longer."""
    if len(content) > _MOST_BYTES:
        raise ValueError(f"it is larger than {_MOST_BYTES:,} bytes")
    text = content.decode("utf-8")
    try:
        growth = math.prod(_growths(json.loads(text)))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if growth > _MOST_GROWTH:
        raise ValueError(f"it could make a text up to {growth:.0e} times as long; the limit is {_MOST_GROWTH}")
    return text


def _growths(value: Any) -> Iterator[float]:
    """Yields by how much each part of a tokenizer may lengthen a text."""
    if isinstance(value, list):
        for part in value:
            yield from _growths(part)
    if not isinstance(value, dict):
        return
    kind = value.get("type")
    if kind == "Replace":
        pattern = value.get("pattern")
        plain = pattern.get("String") if isinstance(pattern, dict) else None
        new = len(str(value.get("content")))
        yield max(1.0, new / len(plain)) if isinstance(plain, str) and plain else 1.0 + new  # a pattern matches nothing
    elif kind == "Precompiled":  # the texts that replace others are at its end, each followed by a zero byte
        table = base64.b64decode(str(value.get("precompiled_charsmap") or ""))
        if (start := 4 + int.from_bytes(table[:4], "little")) > len(table):
            raise ValueError("its precompiled_charsmap declares more bytes than it contains")
        yield max(1.0, max(map(len, table[start:].split(b"\0"))) / 2)
    for name in ("normalizer", "normalizers", "decoder", "decoders", "pre_tokenizer", "pretokenizers"):
        yield from _growths(value.get(name))
