"""Brings a dump of a wiki to a folder: ``gistmill download``, and the first stage of a rebuild."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from gistmill.core import text_output
from gistmill.core.addresses import HOST, hosts_of, public_name, servers_of, without_secrets
from gistmill.core.options import OptionError, Options, add_options, from_flags, option, options_of
from gistmill.core.values import FOLDER, Kind, custom, list_of, one_of, whole
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.rebuild.download import MOST_CONNECTIONS, DownloadError, Wanted, download, is_wikimedia
from gistmill.pipelines.rebuild.dumps import AUTO, LAYOUTS, MIRRORS, Dump, DumpFile, find_dump
from gistmill.pipelines.runners.quiet import show_warnings
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.pipelines.web import session
from gistmill.transforms.io import sha256_of
from gistmill.transforms.sources.wikipedia.dump import DumpNote, note_of, write_note

_WIKI = r"[a-z][a-z0-9_]*wik[a-z]+"
# A user and a password may be named, as any mirror of one's own asks for them.
_CONTACT = r"[^\s()<>@]+@[^\s()<>@]+\.[^\s()<>@]+|https?://[^\s()<>]+"
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
        return datetime.strptime(str(value).replace("-", ""), "%Y%m%d").strftime("%Y%m%d")
    except ValueError:
        raise ValueError("expected a date such as 20260101") from None


def _server(value: Any) -> str:
    text = str(value).rstrip("/")
    if not re.fullmatch(_SERVER, text):
        named = "" if set("@?#") & set(text) else f", not {text!r}"  # a password or a key may be in it
        raise ValueError(f"expected a URL such as https://dumps.wikimedia.org{named}")
    return text


WIKI = _text(_WIKI, "WIKI", "a wiki such as enwiki")
CONTACT = _text(_CONTACT, "CONTACT", "an e-mail address or a URL")
HOST_NAME = _text(HOST, "HOST", "a host such as dumps.wikimedia.org")
SERVER = custom(
    _server, pattern=_SERVER, metavar="URL", allowed="a URL", schema={"type": "string", "pattern": f"^{_SERVER}/?$"}
)
DATE = custom(
    _date,
    pattern=r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}",
    metavar="YYYYMMDD",
    allowed="a date as YYYYMMDD or YYYY-MM-DD",
    schema={"type": ["integer", "string"], "pattern": "^[0-9]{4}-?[0-9]{2}-?[0-9]{2}$"},
)


@dataclass(frozen=True, kw_only=True)
class DumpConfig(Options):
    """Says which dump is fetched, and from where."""

    GROUP: ClassVar[str] = "dump"

    wiki: str | None = option(WIKI, required=True, help="the wiki, such as enwiki")
    layout: str = option(
        one_of(*LAYOUTS),
        default=AUTO,
        help="exports: MediaWiki Content File Exports; dumps: the older XML dumps; auto: exports, and dumps only where "
        "no export is complete",
    )
    contact: str | None = option(
        CONTACT, help="your e-mail address or URL, which goes into the User-Agent; Wikimedia's own servers require it"
    )
    mirrors: tuple[str, ...] = option(
        replace(list_of(SERVER), is_secret=True),
        default=MIRRORS,
        help="servers in Wikimedia's layouts, comma-separated: the first one that answers decides which dump is "
        "complete and which checksums its files have; files are read from all of them at once",
    )
    redirect_hosts: tuple[str, ...] | None = option(
        list_of(HOST_NAME),
        help="hosts, comma-separated, that a mirror may redirect to, at any port; without them only the mirrors "
        "themselves",
    )
    date: str | None = option(DATE, help="the dump of this date (default: the newest that is complete)")
    connections: int = option(
        whole(1, 16),
        default=MOST_CONNECTIONS,
        help=f"connections to each server at once; Wikimedia's own get {MOST_CONNECTIONS} at most",
    )

    def check(self) -> None:
        """Raises ValueError where a server of Wikimedia would not learn whom to contact."""
        if self.contact is None and (servers := [mirror for mirror in self.mirrors if is_wikimedia(mirror)]):
            raise ValueError(
                f"contact is required for {hosts_of(servers)[0]}: Wikimedia asks for an e-mail address or a URL in the "
                "User-Agent"
            )

    @property
    def servers(self) -> list[str]:
        """Where a mirror may redirect to."""
        return [*servers_of(self.mirrors), *(f"{host}:*" for host in self.redirect_hosts or ())]


@dataclass(frozen=True, kw_only=True)
class PlaceConfig(Options):
    """Says where the files go."""

    GROUP: ClassVar[str] = "output"

    output: str | None = option(
        FOLDER, required=True, help="folder of this machine; the files go to WIKI/YYYYMMDD in it"
    )


def newest(config: DumpConfig, *, say: Callable[[str], object] = lambda line: None) -> Dump:
    """Returns the dump that the options name. Raises DumpError."""
    with session(servers=config.servers, contact=config.contact) as web:
        return find_dump(
            web, config.wiki or "", layout=config.layout, mirrors=config.mirrors, date=config.date, say=say
        )


def folder_of(dump: Dump, root: Path) -> Path:
    """Returns the folder of a dump below ``root``."""
    return root / dump.wiki / dump.date


def fetch(
    dump: Dump, root: Path, *, config: DumpConfig, say: Callable[[str], object] = lambda line: None
) -> tuple[Path, ...]:
    """Brings the files of a dump to their folder below ``root``; those that are there are not fetched again.

    A note beside each file of pages says what it is, and the manifests of datasets made of it repeat that.

    Args:
        dump: what ``newest`` returned.
        root: folder of dumps.
        config: the servers.
        say: gets lines for a person.

    Returns:
        The paths of the files of pages, without the indexes.

    Raises:
        DownloadError: a file could not be had whole, or there is no room for it.
    """
    folder = folder_of(dump, root)

    def note(wanted: Wanted) -> None:
        if file := next((f for f in dump.texts if f.name == wanted.place.name), None):
            _note(dump, file, wanted.place, config.mirrors, sha256=wanted.found_sha256)

    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = [_wanted(dump, file, folder, config.mirrors) for file in dump.files]
        left = [file for file in files if not file.is_there]
        free = shutil.disk_usage(folder).free + sum(p.stat().st_blocks * 512 for p in folder.glob("*.part"))
        if (needed := sum(f.size for f in left)) > free:
            raise DownloadError(f"{folder}: {needed:,} bytes are to come, and {free:,} are free")
        if left:
            say(f"downloading {len(left)} files ({needed:,} bytes)")
        download(
            left, connections=config.connections, servers=config.servers, contact=config.contact, done=note, say=say
        )
        for file in dump.texts:
            _note_of_found(dump, file, folder / file.name, config.mirrors)
    except OSError as error:
        raise DownloadError(f"{folder}: {error.strerror or error}") from error
    return tuple(folder / file.name for file in dump.texts)


def _wanted(dump: Dump, file: DumpFile, folder: Path, mirrors: Sequence[str]) -> Wanted:
    urls = [dump.url(mirror, file) for mirror in mirrors]
    return Wanted(urls=urls, place=folder / file.name, size=file.size, sha1=file.sha1, sha256=file.sha256)


def _note_of_found(dump: Dump, file: DumpFile, place: Path, mirrors: Sequence[str]) -> None:
    """Writes the note of a file that something else has brought. What it says of the content was not seen yet."""
    if Path(note_of(str(place))).exists():
        return
    if file.sha256 and (found := sha256_of(str(place))) != file.sha256:
        raise DownloadError(f"{place}: its SHA-256 is {found}, not {file.sha256}; remove it, so that it comes again")
    _note(dump, file, place, mirrors, sha256=file.sha256)


def _note(dump: Dump, file: DumpFile, place: Path, mirrors: Sequence[str], *, sha256: str) -> None:
    note = DumpNote(
        file=file.name,
        wiki=dump.wiki,
        date=dump.date,
        url=public_name(dump.url(mirrors[0], file)),
        layout=dump.layout,
        size=file.size,
        sha1=file.sha1,
        sha256=sha256,
    )
    write_note(str(place), note)


_DESCRIPTION = """\
Downloads the newest complete dump of a wiki: a content file export, or an XML dump. SHA256SUMS or dumpstatus.json says
whether it is complete, and which checksums its files have; these are computed while the files come. An interrupted
download goes on when the command is repeated. Standard output gets a JSON object: wiki, date, layout, files."""


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
        named = f"{known[error.name].flag}: " if error.name else ""
        raise ConfigError(f"{named}{error.problem}") from None
    show_warnings()

    def say(line: str) -> None:
        text_output.say(f"gistmill download: {without_secrets(line)}")

    try:
        with exit_on_signals(lambda: "what is there stays; the same command goes on"):
            dump = newest(config, say=say)
            files = fetch(dump, Path(place.output or ""), config=config, say=say)
    except JobFailed as error:
        say(str(error))
        return 1
    made = {"wiki": dump.wiki, "date": dump.date, "layout": dump.layout, "files": list(map(str, files))}
    text_output.say(json.dumps(made), sys.stdout)
    return 0
