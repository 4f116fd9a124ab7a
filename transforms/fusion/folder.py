"""The folder of a tagger, as ``rules/fusion/labels.py`` describes it: read, and refused where it is not one."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.fusion.labels import ARRAYS, FORMAT, LABELS, Labels
from gistmill.rules.fusion.prior import PRIOR, prior_of
from gistmill.transforms.encoders.minilm import CHECKSUMS, PACKAGES, WEIGHTS
from gistmill.transforms.installed import PackageError

NEEDED_BY = "gistmill fuse"


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder says of its tagger.

    Attributes:
        place: the folder.
        labels: the labels.
        arrays: heads, table of codes and additions to the encoder, by name, floating.
        own_encoder: whether the encoder is in the folder too; else it is that of the package.
        longest: the most word pieces that the encoder was trained to read.
        prior: see ``rules/fusion/prior.py``.
    """

    place: Traversable
    labels: Labels
    arrays: Mapping[str, npt.NDArray[Any]]
    own_encoder: bool
    longest: int
    prior: Mapping[str, float]


def shipped() -> Traversable:
    """Returns the folder of the tagger that comes with the package."""
    return files(__package__).joinpath("data")


def read_folder(place: Traversable) -> Folder:
    """Reads labels and arrays.

    Raises:
        PackageError: it is not the folder of a tagger, or was made for another encoder than the package's.
    """
    try:
        described = json.loads(place.joinpath(LABELS).read_text(encoding="utf-8"))
        if described["format"] != FORMAT:
            raise PackageError(f"{place} has the format {described['format']!r}; this version reads {FORMAT}")
        with place.joinpath(ARRAYS).open("rb") as stream, np.load(stream) as stored:
            arrays = {name: np.asarray(stored[name], np.float32) for name in stored.files}
        encoder = described["encoder"]
        known = {"name": PACKAGES[0], "sha256": CHECKSUMS[WEIGHTS]}
        if encoder is not None and encoder != known:
            raise PackageError(f"{place} was made for the encoder {encoder}, not {known}")
        labels = Labels.from_values(described)
        return Folder(
            place=place,
            labels=labels,
            arrays=arrays,
            own_encoder=encoder is None,
            longest=int(described["longest"]),
            prior=prior_of(described.get(PRIOR), labels.plans),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise PackageError(f"{place} is not the folder of a tagger: {_line(error)}") from None


def _line(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    if isinstance(error, FileNotFoundError):
        return f"{error.filename} is missing"
    return str(error).strip().split("\n")[0] or type(error).__name__
