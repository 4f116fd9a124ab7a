"""Prints the path of the slice of the English Wikipedia that the gensim package ships: 206 pages, one bz2 stream."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

NAME = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"


def slice_path() -> Path:
    """Returns where the slice lies.

    Raises:
        FileNotFoundError: gensim is not installed, or no longer ships the file.
    """
    spec = importlib.util.find_spec("gensim")  # found, not imported: gensim itself is slow to load
    path = Path(spec.origin).parent / "test" / "test_data" / NAME if spec and spec.origin else None
    if path is None or not path.is_file():
        raise FileNotFoundError(f"{NAME} is not there; `make setup` installs gensim, which ships it")
    return path


if __name__ == "__main__":
    try:
        print(slice_path())
    except FileNotFoundError as error:
        sys.exit(str(error))
