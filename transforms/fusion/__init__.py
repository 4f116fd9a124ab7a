"""Sentence fusion by a trained tagger, without torch."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from gistmill.core.text_output import pip_install
from gistmill.transforms.installed import installed_version

if TYPE_CHECKING:
    from gistmill.transforms.fusion.tagger import Tagger


def load_tagger(place: Traversable | None = None) -> Tagger:
    """Loads a tagger.

    Args:
        place: its folder, see ``rules/fusion/codec.py``; None for the tagger that comes with the package.

    Raises:
        PackageError: the folder cannot be used, or a package that the tagger needs is missing.
    """
    from gistmill.transforms import encoders
    from gistmill.transforms.fusion.tagger import NEEDED_BY, read_folder, shipped

    folder = read_folder(shipped() if place is None else place)
    if folder.own_encoder:
        for package in ("onnxruntime", "tokenizers"):
            installed_version(package, needed_by=NEEDED_BY, install=pip_install(package))
    else:
        encoders.checked(NEEDED_BY)
    from gistmill.transforms.fusion.tagger import Tagger  # it needs the packages

    return Tagger(folder)
