"""A complete dump of a wiki, whatever its layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.web import Session


class DumpError(JobFailed):
    """There is no complete dump, or none can be seen; the text is one line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpFile:
    """A file of a dump.

    Attributes:
        name: its name.
        size: bytes.
        sha1, sha256: in hexadecimal digits; "" for one that the server does not publish.
    """

    name: str
    size: int
    sha1: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """A complete dump.

    Attributes:
        wiki: such as ``enwiki``.
        date: YYYYMMDD.
        layout: ``dumps`` or ``exports``.
        folder: where its files lie below a mirror.
        files: in order of their names or, of an export, of their pages; indexes included.
    """

    wiki: str
    date: str
    layout: str
    folder: str
    files: tuple[DumpFile, ...]

    @property
    def texts(self) -> tuple[DumpFile, ...]:
        """The files that hold pages, without the indexes."""
        return tuple(file for file in self.files if ".xml" in file.name)

    def url(self, mirror: str, file: DumpFile) -> str:
        """Returns where a mirror has a file."""
        return f"{mirror}/{self.folder}/{file.name}"


class Layout(Protocol):
    """How a server lays out dumps.

    Attributes:
        name: of one of them, for messages.
    """

    name: str

    def folder(self, wiki: str) -> str:
        """Returns the path of the folder that lists the dates of a wiki."""

    def date_of(self, name: str) -> str:
        """Returns the date, YYYYMMDD, that a name in it stands for; "" for any other name."""

    def complete(self, web: Session, mirror: str, wiki: str, date: str) -> Dump:
        """Returns the dump of a date if the mirror says that it is complete. Raises WebError, DumpError."""
