"""Lets Beam's --setup_file and `python setup.py sdist` build the package described in pyproject.toml.

Packages are searched for in the folders mapped in pyproject.toml, because setuptools searches only one folder. With
GISTMILL_COMPILE=1 in the environment, mypyc compiles coreference and the DiscoFuse rules, for the same results faster.
Dataflow workers install the source archive without extras; GISTMILL_EXTRAS=pipelines includes that extra.
"""

import os
import tomllib
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.sdist import sdist

# mypyc cannot compile these modules: their classes inherit from interpreted classes or tuples, or are pickled.
INTERPRETED = {
    "coreference/features.py",
    *(f"discofuse/{name}.py" for name in ("checks", "config", "recipe", "splitter")),
}
FUSION = ("alignment", "edits", "texts")
COMPILED = ("coreference/*.py", "discofuse/**/*.py", *(f"fusion/{name}.py" for name in FUSION), "text/typography.py")


def compiled() -> list[Extension]:
    """Returns extensions for the performance-critical modules."""
    from mypyc.build import mypycify  # part of mypy, which is not needed otherwise

    links = Path("build/mypyc/gistmill")  # mypyc names modules after their folders
    links.mkdir(parents=True, exist_ok=True)
    (links / "__init__.py").touch()
    for folder in ("core", "rules"):
        if not (links / folder).is_symlink():
            (links / folder).symlink_to(Path(folder).absolute())
    rules = links / "rules"
    paths = {path for pattern in COMPILED for path in rules.glob(pattern) if path.name != "__init__.py"}
    chosen = sorted(str(path) for path in paths - {rules / name for name in INTERPRETED})
    flags = ["--config-file=", "--ignore-missing-imports", *chosen]
    return mypycify(flags, group_name="gistmill", multi_file=True, opt_level="2")


class Archive(sdist):
    """A source archive that always includes the extras named in GISTMILL_EXTRAS."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Adds the extras to the dependencies in the copied pyproject.toml, which may be a hard link."""
        super().make_release_tree(base_dir, files)
        if extras := os.environ.get("GISTMILL_EXTRAS"):
            path = Path(base_dir) / "pyproject.toml"
            text = path.read_text(encoding="utf-8")
            path.unlink()
            path.write_text(
                text.replace("\ndependencies = [", f'\ndependencies = [\n  "gistmill[{extras}]",'), encoding="utf-8"
            )


described = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
folders = described["tool"]["setuptools"]["package-dir"]
there = {
    name: folder for name, folder in folders.items() if Path(folder).is_dir()
}  # images first install dependencies without the folders

setup(
    cmdclass={"sdist": Archive},
    packages=[
        f"{name}.{inner}".rstrip(".") for name, folder in there.items() for inner in ("", *find_packages(folder))
    ],
    ext_modules=compiled() if os.environ.get("GISTMILL_COMPILE") == "1" else [],
)
