"""Safe loading of untrusted model folders: no code is run, and missing weights or broken files raise ValueError.

Unless told otherwise, transformers asks on the terminal whether to run a folder's code and replaces missing weights
with random numbers. The library that reads ``tokenizer.json`` raises panics that are not subclasses of Exception and
aborts the process if memory runs out.
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

_MOST_BYTES = 128 << 20  # largest tokenizer.json; Gemma's has 33 MB
# The largest factor by which normalizers may lengthen a text; consecutive normalizers multiply their factors.
_MOST_GROWTH = 1000


def load_tokenizer(source: str | os.PathLike[str] | bytes) -> Any:
    """Returns the ``tokenizers.Tokenizer`` of a ``tokenizer.json``.

    Args:
        source: the path of the file, or its content.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is not a tokenizer, is too large, or could make texts far longer.
    """
    from tokenizers import Tokenizer

    text = _checked(source if isinstance(source, bytes) else _content(Path(source)))
    return _one_line(lambda: Tokenizer.from_str(text))


def load_auto_tokenizer(place: str, **options: Any) -> Any:
    """Returns the tokenizer from a transformers folder or a model on the Hugging Face Hub.

    Raises:
        OSError, ValueError: no tokenizer can be loaded without running the model's own code.
    """
    from transformers import AutoTokenizer

    file = Path(place) / "tokenizer.json"
    if file.is_file():
        _checked(_content(file))
    return _one_line(lambda: AutoTokenizer.from_pretrained(place, trust_remote_code=False, **options))


def load_network(network: Any, place: str, **options: Any) -> Any:
    """Returns the result of ``network.from_pretrained``, after checking that no weights are missing from the files.

    Args:
        network: a transformers class.
        place: a folder, or the name of a model on the Hugging Face Hub.
        options: arguments of ``from_pretrained``.

    Raises:
        OSError, ValueError: the model cannot be loaded without running its own code, or weights are missing.
    """
    auto = {"trust_remote_code": False} if network.__name__.startswith("Auto") else {}
    found, report = _one_line(lambda: network.from_pretrained(place, output_loading_info=True, **auto, **options))
    if missing := sorted(report["missing_keys"]):
        names = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
        raise ValueError(f"{len(missing)} weights are missing from its files: {names}")
    return found


def _one_line(load: Callable[[], Any]) -> Any:
    """Returns the result of ``load``; any exception other than OSError becomes a one-line ValueError."""
    try:
        return load()
    except (OSError, KeyboardInterrupt, SystemExit):
        raise
    except pickle.UnpicklingError:
        raise ValueError(
            "its weights are a pickle that contains more than tensors and could run code; use safetensors"
        ) from None
    except BaseException as error:  # Rust panics are not subclasses of Exception
        raise ValueError(" ".join(str(error).split())[:300] or type(error).__name__) from None


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES + 1)


def _checked(content: bytes) -> str:
    """Returns the text of a tokenizer.json after checking its size and how much it may lengthen texts."""
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
    """Yields the largest factor by which each part of a tokenizer may lengthen a text."""
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
        yield max(1.0, new / len(plain)) if isinstance(plain, str) and plain else 1.0 + new  # a pattern may match ""
    elif kind == "Precompiled":  # replacement texts are at the end, each followed by a zero byte
        table = base64.b64decode(str(value.get("precompiled_charsmap") or ""))
        if (start := 4 + int.from_bytes(table[:4], "little")) > len(table):
            raise ValueError("its precompiled_charsmap declares more bytes than it contains")
        yield max(1.0, max(map(len, table[start:].split(b"\0"))) / 2)
    for name in ("normalizer", "normalizers", "decoder", "decoders", "pre_tokenizer", "pretokenizers"):
        yield from _growths(value.get(name))
