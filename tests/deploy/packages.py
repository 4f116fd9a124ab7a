"""Builds the package as Beam and pip do."""

import os
import subprocess
import sys
from pathlib import Path

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


def sdist(tree: Path, folder: Path) -> Path:
    """Builds the source archive as Beam does for ``--setup_file``."""
    _run([sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", str(folder)], cwd=tree)
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


def _run(command: list[str], cwd: Path | None = None, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
