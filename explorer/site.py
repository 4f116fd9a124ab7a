"""The folder of files that a browser is given: the page, its scripts, and the indexes of one or two versions."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment, StrictUndefined

from gistmill.explorer.index.building import META, compare
from gistmill.explorer.index.table import read_json, write_json

_APP = files("gistmill.explorer") / "app"
_REPORT_STYLE = files("gistmill.pipelines.reporting.page") / "style.css"  # the page looks like report.html
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a dataset in the page: its name, its index, and what the index says of itself."""

    name: str
    index: Path
    meta: dict[str, Any]

    @classmethod
    def of(cls, name: str, index: Path) -> Version:
        """Reads an index."""
        return cls(name, index, read_json(index / META))

    @property
    def tables(self) -> dict[str, Any]:
        """Its tables by their names."""
        return {table["name"]: table for table in self.meta["tables"]}


def name_of(place: str) -> str:
    """Returns the name of a dataset's folder, which a path or URL ends in."""
    return PurePosixPath(place if "://" in place else Path(place).resolve()).name or place


def compared(one: Version, other: Version) -> Path:
    """Returns the folder that says of each row of a version where the other has it; it is made at the first call."""
    folder = one.index / f"against-{other.meta['key']}"
    if not (folder / "about.bin").exists():
        compare(one.index, other.index, folder, one.tables, other.tables)
    return folder


def write_page(folder: Path, versions: list[Version], *, served: bool) -> None:
    """Writes the page, its scripts and style sheets, and ``versions.bin``, from which the page knows what there is.

    Args:
        folder: where; it has to be there.
        versions: one, or two that are compared, the newer first.
        served: whether a program answers questions of the page; else what needs one is left out.
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
    """Writes a folder that any file server or object store can host. Arguments are those of ``write_page``.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_page(folder, versions, served=served)
    for number, files_of in enumerate(_places(versions)):
        for source, name in files_of:
            shutil.copytree(source, folder / "data" / str(number) / name, dirs_exist_ok=True)


def _places(versions: list[Version]) -> Iterable[list[tuple[Path, str]]]:
    """Of each version the folders of its files, with their names in the page."""
    for version in versions:
        found = [(version.index / name, name) for name in version.tables]
        if len(versions) == 2:
            (other,) = (v for v in versions if v is not version)
            found.append((compared(version, other), "against"))
        yield found
