"""``gistmill validate``: checks a published dataset against its manifest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO, TypeVar

from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.core.manifest import ManifestError, problems_in
from gistmill.core.text_output import say
from gistmill.pipelines.errors import CommandParser, ConfigError
from gistmill.pipelines.options import beam_arguments
from gistmill.pipelines.runners.quiet import mute_stores
from gistmill.pipelines.stores import names_below, reason_of
from gistmill.published.dataset import Dataset, opened_manifest
from gistmill.published.files import DatasetError, Folder, LocalFolder
from gistmill.transforms.io import exists, is_url, join, open_input

T = TypeVar("T")


class BeamFolder:
    """A folder in an object store, read through Beam so that Beam's storage options apply (see
    gistmill.published.files.Folder)."""

    def __init__(self, place: str) -> None:
        self.place = place

    def sizes(self) -> dict[str, int]:
        """Returns the size of every object in bytes, by path."""
        return {path.removeprefix(f"{self.place}/"): size for path, size in names_below(self.place).items()}

    def open(self, path: str) -> BinaryIO:
        """Opens an object for reading."""
        url = join(self.place, path)
        try:
            if not exists(url):
                raise FileNotFoundError(url)
            return open_input(url)
        except BeamIOError as error:  # its message spans several lines and lacks the cause
            raise OSError(reason_of(error)) from error


def open_dataset(place: str) -> Dataset:
    """Opens the dataset in a folder, or in a store through Beam. Raises ConfigError if it is not a readable dataset."""
    return _opened(place, lambda folder: Dataset(folder.place, folder=folder))


def _opened(place: str, read: Callable[[Folder], T]) -> T:
    place = place.rstrip("/") or "/"
    try:
        return read(BeamFolder(place) if is_url(place) else LocalFolder(place))
    except (DatasetError, ManifestError) as error:
        raise ConfigError(str(error)) from None
    except Exception as error:  # every store's library has its own exceptions
        raise ConfigError(f"{place} cannot be read: {reason_of(error)}") from None


def main(argv: Sequence[str]) -> int:
    """Prints the problems, or one line if there are none; returns the exit code. Raises ConfigError if the folder is
    not a dataset or its manifest cannot be read."""
    parser = CommandParser("validate")
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        help="dataset published by a build job: a folder, or a gs:// or s3:// URL (then Beam's storage options "
        "may follow)",
    )
    arguments, beam_options = parser.parse_known_args(list(argv))
    mute_stores()
    FileSystems.set_options(PipelineOptions(beam_arguments(beam_options)))
    place = arguments.folder.rstrip("/") or "/"
    problems = _opened(place, lambda folder: opened_manifest(folder, problems_in))
    if not problems:
        dataset = open_dataset(place)
        try:
            problems = dataset.validate()
        except PermissionError as error:
            raise ConfigError(f"{place} cannot be read: {error.filename}: {error.strerror}") from None
    for problem in problems:
        say(f"{place}: {problem}")
    if not problems:
        say(f"{place}: {len(dataset.manifest.files)} files and their rows match the manifest", sys.stdout)
    return 1 if problems else 0
