"""The server for the page: its files, the indexes, and the analysis of rows."""

from __future__ import annotations

import contextlib
import functools
import glob
import shutil
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from argparse import ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from gistmill import ConfigError, Dataset, ManifestError
from gistmill.core.addresses import in_url, names_of
from gistmill.core.extras import MissingExtra
from gistmill.core.options import FlagsError, Parser
from gistmill.explorer.index.building import META, compare, indexed, rows_of
from gistmill.explorer.index.table import Progress, read_json, write_json
from gistmill.explorer.reading import NoSuchRow, Reading, read_row
from gistmill.published.files import DatasetError, cache

_APP = files("gistmill.explorer") / "app"
_REPORT_STYLE = files("gistmill.pipelines.reporting.page") / "style.css"  # shared with report.html
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True, slots=True)
class Version:
    """A dataset version shown on the page: its name, its index, and the index's description."""

    name: str
    index: Path
    meta: dict[str, Any]

    @classmethod
    def of(cls, name: str, index: Path) -> Version:
        """Reads an index."""
        return cls(name, index, read_json(index / META))

    @property
    def tables(self) -> dict[str, Any]:
        """The index's tables, by name."""
        return {table["name"]: table for table in self.meta["tables"]}


def name_of(place: str) -> str:
    """Returns the name of a dataset's folder, the last component of its path or URL."""
    return PurePosixPath(place if "://" in place else Path(place).resolve()).name or place


def compared(one: Version, other: Version) -> Path:
    """Returns the folder that maps each row of one version to its position in the other; created on the first call."""
    folder = one.index / f"against-{other.meta['key']}"
    if not (folder / "about.bin").exists():
        compare(one.index, other.index, folder, one.tables, other.tables)
    return folder


def write_page(folder: Path, versions: list[Version], *, served: bool) -> None:
    """Writes the page, its scripts and style sheets, and ``versions.bin``, which lists the available data.

    Args:
        folder: an existing folder.
        versions: one version, or two to compare, the newer first.
        served: whether a server is available; if not, features that need one are omitted.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((_APP / "index.html").read_text(encoding="utf-8"))
    page = template.render(title=versions[0].name, policy=POLICY, served=served)
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / "report.css").write_bytes(_REPORT_STYLE.read_bytes())
    for source in _APP.iterdir():
        if source.name.endswith((".js", ".css")):
            (folder / source.name).write_bytes(source.read_bytes())
    metas = [{**version.meta, "name": version.name} for version in versions]
    if len(versions) == 2:
        for meta, (one, other) in zip(metas, (versions, versions[::-1]), strict=True):
            meta["against"] = read_json(compared(one, other) / "about.bin")
    write_json(folder / "versions.bin", metas)


def export(folder: Path, versions: list[Version], *, served: bool = False) -> None:
    """Writes a folder that any file server or object store can host. The arguments are as for ``write_page``.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_page(folder, versions, served=served)
    for number, files_of in enumerate(_places(versions)):
        for source, name in files_of:
            shutil.copytree(source, folder / "data" / str(number) / name, dirs_exist_ok=True)


def _places(versions: list[Version]) -> Iterable[list[tuple[Path, str]]]:
    """The folders of each version's files, with their names on the page."""
    for version in versions:
        found = [(version.index / name, name) for name in version.tables]
        if len(versions) == 2:
            (other,) = (v for v in versions if v is not version)
            found.append((compared(version, other), "against"))
        yield found


_KEPT = 64  # analysed rows kept in memory
_HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # spaCy's drawings contain styles but no scripts


def application(
    page: Path, versions: Sequence[Version], datasets: Sequence[Dataset], *, inputs: Sequence[str], names: Sequence[str]
) -> Starlette:
    """Returns the application.

    Args:
        page: the folder written by ``write_page``.
        versions: the indexes, in page order.
        datasets: the datasets of the indexes.
        inputs: the first dataset's inputs, to read pages again; may be empty.
        names: accepted host names (gistmill.core.addresses.names_of).
    """
    routes: list[BaseRoute] = []
    for number, version in enumerate(versions):
        if len(versions) == 2:
            against = compared(version, versions[1 - number])
            routes.append(Mount(f"/data/{number}/against", StaticFiles(directory=against)))
        routes.append(Mount(f"/data/{number}", StaticFiles(directory=version.index)))
    read = _reader(datasets, inputs)
    routes += [
        Route("/api/row", functools.partial(_row, read)),
        Route("/api/parse.svg", functools.partial(_drawing, read)),
        Mount("/", StaticFiles(directory=page, html=True)),
    ]
    middleware = [
        Middleware(BaseHTTPMiddleware, dispatch=_with_headers),
        Middleware(TrustedHostMiddleware, allowed_hosts=names, www_redirect=False),
    ]
    return Starlette(routes=routes, middleware=middleware)


async def _with_headers(request: Request, answer: RequestResponseEndpoint) -> Response:
    """Adds the default headers to every response that does not set them."""
    response = await answer(request)
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _reader(datasets: Sequence[Dataset], inputs: Sequence[str]) -> Callable[[Request], Reading]:
    """A function that analyses the row of a request, one at a time because the parser uses all cores."""
    lock = threading.Lock()

    @functools.lru_cache(_KEPT)
    def read(version: int, row_id: str) -> Reading:
        return read_row(datasets[version], row_id, inputs if version == 0 else ())

    def locked(request: Request) -> Reading:
        number = request.query_params.get("version", "0")
        if number not in map(str, range(len(datasets))):
            raise NoSuchRow(number)
        with lock:
            return read(int(number), request.query_params.get("id", ""))

    return locked


def _row(read: Callable[[Request], Reading], request: Request) -> Response:
    """The analysis of a row; errors become one line shown on the page."""
    try:
        return JSONResponse(read(request).to_json())
    except NoSuchRow:
        return JSONResponse({"problem": "This row does not exist."})
    except (ConfigError, DatasetError, MissingExtra, ValueError, RuntimeError, OSError) as error:
        return JSONResponse({"problem": " ".join(str(error).split())})


def _drawing(read: Callable[[Request], Reading], request: Request) -> Response:
    number = request.query_params.get("sentence", "0")
    try:
        if not number.isdecimal():
            raise IndexError(number)
        drawn = read(request).drawing(int(number), dark=bool(request.query_params.get("dark")))
    except (NoSuchRow, IndexError):
        return Response("there is no such sentence", status_code=404, media_type="text/plain")
    return Response(drawn, media_type="image/svg+xml", headers={"Content-Security-Policy": _PICTURE_POLICY})


def url_of(host: str, port: int) -> str:
    """Returns the address of the page."""
    shown = {"0.0.0.0": "localhost", "": "localhost", "::": "::1"}.get(host, host)
    return f"http://{in_url(shown)}:{port}/"


_MANY_ROWS = 20_000  # indexing this many rows takes seconds, so a message announces it
_DESCRIPTION = """\
Shows a published dataset as a web page: filter rows by type, connective, length, split and title, statements by grain,
rule and unresolved words, and rejects by reason; search for words; see a row's changed words and columns, all
statements of its sentence, its document, and the rejects from that document.
Mark rows as good or bad with the keys g and b, and export the marks as JSON Lines. Every filter and row has its own
address. The page is served to this machine only, until Ctrl-C, or written by --export as a folder of plain files.

The first run reads all rows once to build an index of the dataset, which is kept in the user's cache.
"""
_EPILOG = """\
examples:
  gistmill explore out/demo --open
  gistmill explore s3://bucket/discofuse-en --port 9000
  gistmill explore versions/20261001-1/discofuse --against versions/20260901-1/discofuse
  gistmill explore out/demo --input enwiki-multistream.xml.bz2
  gistmill explore out/demo --export site && python -m http.server --directory site

exit codes: 0 stopped by Ctrl-C, or exported; 2 invalid command line or dataset, or the port is in use.
docs/inspect.md explains the page, its keys, and the contents of an exported folder.
"""


def main(argv: Sequence[str]) -> int:
    """Serves or exports the page of a dataset; returns the exit code.

    Raises:
        ConfigError: the command line or a dataset is invalid, a package is missing, or the port is in use.
    """
    arguments = _arguments(argv)
    if arguments.export and arguments.input:
        raise ConfigError("--input has no effect with --export: an exported page cannot read the input again")
    if not arguments.export:
        _check_server(arguments)
    try:
        datasets = [_opened(place) for place in (arguments.dataset, arguments.against) if place]
        if len(recipes := {dataset.manifest.recipe for dataset in datasets}) > 1:
            raise ConfigError(f"--against: datasets from {' and '.join(sorted(recipes))} cannot be compared")
        if arguments.export:
            folder = Path(arguments.export)
            if folder.exists() and any(folder.iterdir()):
                raise ConfigError(f"--export: {folder} is not empty; name a new folder")
            export(folder, _versions(datasets, arguments.index))
            size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            print(f"{folder}: {size:,} bytes; any file server can host it: python -m http.server --directory {folder}")
            return 0
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


def _serve(arguments: Namespace, versions: list[Version], datasets: list[Dataset], bound: socket.socket) -> int:
    import uvicorn

    # uvicorn raises the signal again after stopping; SIGTERM would then leave the page's folder on disk
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), tempfile.TemporaryDirectory(prefix="gistmill-explore-") as folder:
        write_page(Path(folder), versions, served=True)
        address, port = bound.getsockname()[:2]
        names = names_of(arguments.host, address)
        app = application(Path(folder), versions, datasets, inputs=arguments.input or (), names=names)
        url = url_of(arguments.host, port)
        print(f"gistmill explore: {url} (press Ctrl-C to stop)", flush=True)
        if arguments.open:
            webbrowser.open(url)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        server.run(sockets=[bound])
    return 0


def _bound(arguments: Namespace) -> socket.socket:
    """The server's socket, bound before indexing so that a port in use is reported immediately."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(arguments.host, arguments.port, type=socket.SOCK_STREAM)[0]
        with contextlib.ExitStack() as opened:
            bound = opened.enter_context(socket.socket(family, kind))
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen()  # early requests wait instead of being refused
            opened.pop_all()
    except OSError as error:
        said = f"cannot listen on --host {arguments.host} --port {arguments.port}: {error.strerror or error}"
        raise ConfigError(f"{said}; use --port 0 for any free port") from None
    return bound


@contextlib.contextmanager
def _progress(dataset: Dataset) -> Iterator[Progress]:
    """Shows indexing progress: a progress line on a terminal, otherwise one line at the start."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    rows = rows_of(dataset)
    console = Console(stderr=True)
    if not console.is_terminal:
        if rows >= _MANY_ROWS:
            print(f"gistmill explore: indexing {rows:,} rows and rejects, once", file=sys.stderr)
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
    parser.add_argument("dataset", metavar="DATASET", help="published dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument("--against", metavar="DATASET", help="another version of the dataset, to show side by side")
    parser.add_argument(
        "-i",
        "--input",
        metavar="PLACE",
        action="append",
        help="the dataset's inputs, or a `gistmill annotate` dataset, from which to read a row's page again",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument(
        "--port", type=_port, default=8765, help="port to listen on; 0 chooses a free port (default: %(default)s)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in your browser")
    parser.add_argument("--export", metavar="FOLDER", help="write a folder that any file server can host, then exit")
    parser.add_argument("--index", metavar="FOLDER", help="folder for the index (default: in the user's cache)")
    try:
        return parser.parse_args(list(argv))
    except FlagsError as error:
        raise ConfigError(str(error)) from None
