"""``gistmill explore``: the command."""

from __future__ import annotations

import contextlib
import functools
import glob
import importlib.util
import signal
import socket
import sys
import tempfile
import webbrowser
from argparse import ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from pathlib import Path

from gistmill import ConfigError, Dataset, ManifestError
from gistmill.core.flags import FlagsError, Parser
from gistmill.core.installing import install_extra
from gistmill.explorer.index.building import indexed, rows_of
from gistmill.explorer.index.table import Progress
from gistmill.explorer.site import Version, export, name_of, write_page
from gistmill.published.caches import cache
from gistmill.published.files import DatasetError

_PACKAGES = ("starlette", "uvicorn")
_MANY_ROWS = 20_000  # an index of so many takes seconds, and the user is told
_DESCRIPTION = """\
Shows a published dataset as a web page: filter its rows by type, connective, length, split and title, and the rejects
by reason; search for words; see the changed words of a row, its columns, its document and what was rejected of it.
Mark rows good or bad with the keys g and b, and export the marks as JSON Lines. Every filter and row has an address of
its own. The page is served to this machine alone until Ctrl-C, or written by --export as a folder of plain files.

The first time an index of the dataset is made, which reads all rows once. It is kept in the cache of the user.
"""
_EPILOG = """\
examples:
  gistmill explore out/demo --open
  gistmill explore s3://bucket/discofuse-en --port 9000
  gistmill explore versions/20261001-1/discofuse --against versions/20260901-1/discofuse
  gistmill explore out/demo --input enwiki-multistream.xml.bz2
  gistmill explore out/demo --export site && python -m http.server --directory site

exit codes: 0 ended by Ctrl-C, or exported; 2 the command line or a dataset is wrong, or the port is taken.
docs/explore.md explains the page, its keys, and what an exported folder has.
"""


def main(argv: Sequence[str]) -> int:
    """Serves or exports the page of a dataset; returns the exit code.

    Raises:
        ConfigError: the command line or a dataset is wrong, a package is missing, or the port is taken.
    """
    arguments = _arguments(argv)
    if arguments.export and arguments.input:
        raise ConfigError("--input has no effect with --export: an exported page reads nothing again")
    if not arguments.export:
        _check_server(arguments)
    try:
        datasets = [_opened(place) for place in (arguments.dataset, arguments.against) if place]
        if len(recipes := {dataset.manifest.recipe for dataset in datasets}) > 1:
            raise ConfigError(f"--against: the datasets are of {' and '.join(sorted(recipes))}, which are not compared")
        if arguments.export:
            return _export(_empty(Path(arguments.export)), _versions(datasets, arguments.index))
        with _bound(arguments) as bound:
            return _serve(arguments, _versions(datasets, arguments.index), datasets, bound)
    except (DatasetError, ManifestError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(" ".join(str(error).split())) from None


def _check_server(arguments: Namespace) -> None:
    for place in arguments.input or ():
        if "://" not in place and "," not in place and not glob.glob(place) and not Path(place).exists():
            raise ConfigError(f"--input: no file matches {place!r}")
    for package in _PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise ConfigError(f"it needs the package {package}, but for --export: {install_extra('explore')}")


def _opened(place: str) -> Dataset:
    try:
        return Dataset(place)
    except OSError as error:
        raise ConfigError(f"{place} cannot be read: {' '.join(str(error).split())}") from None


def _versions(datasets: list[Dataset], place: str | None) -> list[Version]:
    above = Path(place) if place else cache("explore")
    return [
        Version.of(name_of(dataset.place), indexed(dataset, above, functools.partial(_progress, dataset)))
        for dataset in datasets
    ]


def _empty(folder: Path) -> Path:
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"--export: {folder} is not empty; name a new folder")
    return folder


def _export(folder: Path, versions: list[Version]) -> int:
    export(folder, versions)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {size:,} bytes; any file server can host it: python -m http.server --directory {folder}")
    return 0


def _serve(arguments: Namespace, versions: list[Version], datasets: list[Dataset], bound: socket.socket) -> int:
    import uvicorn

    from gistmill.explorer.server import application, names_of, url_of

    with tempfile.TemporaryDirectory(prefix="gistmill-explore-") as folder:
        write_page(Path(folder), versions, served=True)
        address, port = bound.getsockname()[:2]
        names = names_of(arguments.host, address)
        app = application(Path(folder), versions, datasets, inputs=arguments.input or (), names=names)
        url = url_of(arguments.host, port)
        print(f"gistmill explore: {url} (Ctrl-C ends it)", flush=True)
        if arguments.open:
            webbrowser.open(url)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        # uvicorn raises the signal again when it has ended; SIGTERM would leave the page's folder behind
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[bound])
    return 0


def _bound(arguments: Namespace) -> socket.socket:
    """The socket that is served, bound before an index is made, so that a taken port is known at once."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(arguments.host, arguments.port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen()  # who comes before the first answer waits instead of being refused
    except OSError as error:
        said = f"--port {arguments.port} of --host {arguments.host} cannot be served: {error.strerror or error}"
        raise ConfigError(f"{said}; --port 0 takes any that is free") from None
    return bound


@contextlib.contextmanager
def _progress(dataset: Dataset) -> Iterator[Progress]:
    """Shows how much of an index is made: a line on a terminal, else one when it begins."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    rows = rows_of(dataset)
    console = Console(stderr=True)
    if not console.is_terminal:
        if rows >= _MANY_ROWS:
            print(f"gistmill explore: {rows:,} rows and rejects are read once, for the index", file=sys.stderr)
        yield lambda rows: None
        return
    columns = (TextColumn("reading rows"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=rows)
        yield lambda rows: bar.advance(task, rows)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise ArgumentTypeError(f"expected a number from 0 to 65535, not {text!r}")
    return int(text)


def _arguments(argv: Sequence[str]) -> Namespace:
    parser = Parser(
        prog="gistmill explore",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        allow_abbrev=False,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("dataset", metavar="DATASET", help="a published dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument("--against", metavar="DATASET", help="another version of it, shown side by side")
    parser.add_argument(
        "-i",
        "--input",
        metavar="PLACE",
        action="append",
        help="what the dataset was made of, or a dataset of `gistmill annotate`: the page of a row is read again",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to serve (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=8765, help="port to serve, 0 for any (default: %(default)s)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser of the user")
    parser.add_argument("--export", metavar="FOLDER", help="write a folder that any file server can host, and end")
    parser.add_argument("--index", metavar="FOLDER", help="where the index is kept (default: the cache of the user)")
    try:
        return parser.parse_args(list(argv))
    except FlagsError as error:
        raise ConfigError(str(error)) from None
