"""Brings a dump of a wiki to a folder: ``gistmill download``, and the first stage of a rebuild."""

from __future__ import annotations

import json
import logging
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from gistmill.core.addresses import HOST, hosts_of
from gistmill.core.flags import add_options, from_flags
from gistmill.core.manifest_entries import DumpEntry
from gistmill.core.options import OptionError, Options, option, options_of
from gistmill.core.public_names import public_name
from gistmill.core.values import FOLDER, Kind, custom, list_of, whole
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.rebuild.download import DownloadError, Wanted, download
from gistmill.pipelines.rebuild.dumps import MIRRORS, Dump, DumpFile, find_dump
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.pipelines.web import session
from gistmill.transforms.sources.wikipedia.dump import note_of, write_note

_WIKI = r"[a-z][a-z0-9_]*wik[a-z]+"
# A user and a password may be named, as any mirror of one's own asks for them.
_SERVER = rf"https?://([^\s,/?#@]*@)?({HOST})(:[0-9]{{1,5}})?(/[^\s,?#]+)*"


def _text(pattern: str, metavar: str, allowed: str) -> Kind:
    def parse(value: Any) -> str:
        text = str(value)
        if not re.fullmatch(pattern, text):
            raise ValueError(f"expected {allowed}")
        return text

    schema = {"type": "string", "pattern": f"^({pattern})$"}
    return custom(parse, pattern=pattern, metavar=metavar, allowed=allowed, schema=schema)


def _date(value: Any) -> str:
    try:
        return datetime.strptime(str(value), "%Y%m%d").strftime("%Y%m%d")
    except ValueError:
        raise ValueError("expected a date such as 20260101") from None


def _server(value: Any) -> str:
    text = str(value).rstrip("/")
    if not re.fullmatch(_SERVER, text):
        named = "" if set("@?#") & set(text) else f", not {text!r}"  # a password or a key may be in it
        raise ValueError(f"expected a URL such as https://dumps.wikimedia.org{named}")
    return text


WIKI = _text(_WIKI, "WIKI", "a wiki such as enwiki")
HOST_NAME = _text(HOST, "HOST", "a host such as dumps.wikimedia.org")
SERVER = custom(
    _server,
    pattern=_SERVER,
    metavar="URL",
    allowed="a URL",
    schema={"type": "string", "pattern": f"^{_SERVER}/?$"},
)
DATE = custom(
    _date,
    pattern=r"[0-9]{8}",
    metavar="YYYYMMDD",
    allowed="a date as YYYYMMDD",
    schema={"type": ["integer", "string"], "pattern": "^[0-9]{8}$"},
)


@dataclass(frozen=True, kw_only=True)
class DumpConfig(Options):
    """Says which dump is fetched, and from where."""

    GROUP: ClassVar[str] = "dump"

    wiki: str | None = option(WIKI, required=True, help="the wiki, such as enwiki")
    mirrors: tuple[str, ...] = option(
        replace(list_of(SERVER), is_secret=True),
        default=MIRRORS,
        help="servers in Wikimedia's layout, comma-separated: the first one decides which dump is complete; files "
        "are read from all of them at once",
    )
    redirect_hosts: tuple[str, ...] | None = option(
        list_of(HOST_NAME),
        help="hosts, comma-separated, that a mirror may redirect to; without them only the mirrors themselves",
    )
    date: str | None = option(DATE, help="the dump of this date (default: the newest that is complete)")
    connections: int = option(
        whole(1, 16), default=2, help="connections to each server at once; Wikimedia's own allows two"
    )

    @property
    def hosts(self) -> list[str]:
        """Where a mirror may redirect to."""
        return [*hosts_of(self.mirrors), *(self.redirect_hosts or ())]


@dataclass(frozen=True, kw_only=True)
class PlaceConfig(Options):
    """Says where the files go."""

    GROUP: ClassVar[str] = "output"

    output: str | None = option(
        FOLDER, required=True, help="folder of this machine; the files go to WIKI/YYYYMMDD in it"
    )


def newest(config: DumpConfig, *, say: Callable[[str], object] = lambda line: None) -> Dump:
    """Returns the dump that the options name. Raises DumpError."""
    with session(hosts=config.hosts) as web:
        return find_dump(web, config.wiki or "", mirrors=config.mirrors, date=config.date, say=say)


def folder_of(dump: Dump, root: Path) -> Path:
    """Returns the folder of a dump below ``root``."""
    return root / dump.wiki / dump.date


def fetch(
    dump: Dump, root: Path, *, config: DumpConfig, say: Callable[[str], object] = lambda line: None
) -> tuple[Path, ...]:
    """Brings the files of a dump to their folder below ``root``; those that are there are not fetched again.

    A note beside each export says what it is, and the manifests of datasets made of it repeat that.

    Args:
        dump: what ``newest`` returned.
        root: folder of dumps.
        config: the servers.
        say: gets lines for a person.

    Returns:
        The paths of the exports, without the indexes.

    Raises:
        DownloadError: a file could not be had whole, or there is no room for it.
    """
    folder = folder_of(dump, root)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = [
            Wanted(urls=[dump.url(m, f) for m in config.mirrors], place=folder / f.name, size=f.size, sha1=f.sha1)
            for f in dump.files
        ]
        left = [file for file in files if not file.is_there]
        free = shutil.disk_usage(folder).free + sum(p.stat().st_blocks * 512 for p in folder.glob("*.part"))
        if (needed := sum(f.size for f in left)) > free:
            raise DownloadError(f"{folder}: {needed:,} bytes are to come, and {free:,} are free")
        if left:
            say(f"downloading {len(left)} files ({sum(file.size for file in left):,} bytes)")
        download(left, connections=config.connections, hosts=config.hosts, say=say)
    except OSError as error:
        raise DownloadError(f"{folder}: {error.strerror or error}") from error
    return tuple(_noted(dump, file, folder, config.mirrors) for file in dump.files if ".xml" in file.name)


def _noted(dump: Dump, file: DumpFile, folder: Path, mirrors: Sequence[str]) -> Path:
    path, url = str(folder / file.name), public_name(dump.url(mirrors[0], file))
    if not Path(note_of(path)).exists():
        write_note(path, DumpEntry(file=file.name, wiki=dump.wiki, date=dump.date, url=url, sha1=file.sha1))
    return folder / file.name


_DESCRIPTION = """\
Downloads the newest complete dump of a wiki. What dumpstatus.json says of status, size and SHA-1 decides. An
interrupted download goes on when the command is repeated. Standard output gets a JSON object: wiki, date, files."""


def main(argv: Sequence[str]) -> int:
    """Downloads a dump; returns the exit code.

    Raises:
        ConfigError: the command line is wrong.
    """
    parser = CommandParser("download", description=_DESCRIPTION)
    known = {o.name: o for config in (DumpConfig, PlaceConfig) for o in options_of(config)}
    add_options(parser, known.values())
    values = from_flags(parser.parse_args(list(argv)), known)
    if missing := next((o for o in known.values() if o.required and o.name not in values), None):
        raise ConfigError(f"{missing.flag} is required")
    try:
        config, place = DumpConfig.from_values(values), PlaceConfig.from_values(values)
    except OptionError as error:
        raise ConfigError(f"{known[error.name].flag}: {error.problem}") from None
    logging.basicConfig(level=logging.WARNING, format="gistmill: %(message)s")

    def say(line: str) -> None:
        print(f"gistmill download: {line}", file=sys.stderr, flush=True)

    try:
        with exit_on_signals(lambda: "what is there stays; the same command goes on"):
            dump = newest(config, say=say)
            files = fetch(dump, Path(place.output or ""), config=config, say=say)
    except JobFailed as error:
        say(str(error))
        return 1
    print(json.dumps({"wiki": dump.wiki, "date": dump.date, "files": list(map(str, files))}))
    return 0
