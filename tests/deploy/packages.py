"""Builds the package as Beam and pip do."""

import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def tracked() -> list[str]:
    """The files that git knows and that are there, relative to the root."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def copy_of_the_tree(folder: Path) -> Path:
    """Copies the tracked files: nothing that lies about may get into a package, and nothing is written into the tree."""
    for name in tracked():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes((ROOT / name).read_bytes())
    return folder


def sdist(tree: Path, folder: Path, **variables: str) -> Path:
    """Builds the source archive as Beam does for ``--setup_file``."""
    command = [sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", str(folder)]
    _run(command, cwd=tree, environment={**os.environ, **variables})
    (archive,) = folder.glob("gistmill-*.tar.gz")
    return archive


def wheel(archive: Path, folder: Path) -> Path:
    """Builds the wheel from a source archive; the same one each time."""
    environment = {"SOURCE_DATE_EPOCH": "1000000000", **os.environ}
    pip = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--no-build-isolation"]
    _run([*pip, "--wheel-dir", str(folder), str(archive)], environment=environment)
    (made,) = folder.glob("gistmill-*.whl")
    return made


def install(made: Path, environment: Path) -> Path:
    """Makes a virtual environment with this wheel and the packages of the running Python, without its own gistmill.

    Returns its Python.
    """
    _run([sys.executable, "-m", "venv", "--without-pip", str(environment)])
    python = environment / "bin" / "python"
    _run([sys.executable, "-m", "pip", "--quiet", "--python", str(python), "install", "--no-deps", str(made)])
    (packages,) = environment.glob("lib/python*/site-packages")
    others = [entry for entry in sys.path if entry.endswith("site-packages")]
    # A folder named in a .pth file is searched, its own .pth files are not run: an editable gistmill stays unseen.
    (packages / "others.pth").write_text("".join(f"{entry}\n" for entry in others), encoding="utf-8")
    return python


def install_alone(made: Path, environment: Path, *extras: str) -> Path:
    """Makes a virtual environment with this wheel, and links to those packages of the running Python that it asks for with
    these extras. Returns its Python."""
    _run([sys.executable, "-m", "venv", "--without-pip", str(environment)])
    python = environment / "bin" / "python"
    _run([sys.executable, "-m", "pip", "--quiet", "--python", str(python), "install", "--no-deps", str(made)])
    (packages,) = environment.glob("lib/python*/site-packages")
    (own,) = distributions(name="gistmill", path=[str(packages)])
    for package in asked_for(own, extras):
        for file in package.files or ():
            # packages of Google share a folder, in which each has its own
            place = Path(*file.parts[: 2 if file.parts[0] == "google" else 1])
            if place.parts[0] not in ("..", "__pycache__") and not (link := packages / place).exists():
                link.parent.mkdir(exist_ok=True)
                link.symlink_to(Path(str(package.locate_file(place))))
    return python


def asked_for(package: Distribution, extras: Iterable[str]) -> Iterable[Distribution]:
    """Yields the installed packages that a package asks for with these extras, directly and indirectly."""
    found = {"gistmill": package}
    todo = [("gistmill", extra) for extra in ("", *extras)]
    seen = set()
    while todo:
        seen.add(entry := todo.pop())
        name, extra = entry
        if name not in found:
            found[name] = distribution(name)
            yield found[name]
        for requirement in map(Requirement, found[name].requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                todo += {(requirement.name, more) for more in ("", *requirement.extras)} - seen


def _run(command: list[str], cwd: Path | None = None, environment: dict[str, str] | None = None) -> None:
    environment = {k: v for k, v in (environment or os.environ).items() if k != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
