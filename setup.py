"""Lets Beam's --setup_file and `python setup.py sdist` build the package, which pyproject.toml describes.

The packages are looked for in the folders that pyproject.toml maps: setuptools looks in one folder alone. With
GISTMILL_COMPILE=1 in the environment, mypyc compiles coreference and the rules of DiscoFuse: the same answers, faster.
Workers of Dataflow install the source archive without extras; with GISTMILL_EXTRAS=pipelines it brings that one.
"""

import os
import tomllib
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.sdist import sdist

# mypyc cannot compile these: they inherit from interpreted classes or tuples, or travel in pickles.
INTERPRETED = {
    "coreference/features.py",
    *(f"discofuse/{name}.py" for name in ("checks", "config", "recipe", "splitter")),
}
FUSION = ("alignment", "edits", "texts")
COMPILED = ("coreference/*.py", "discofuse/**/*.py", *(f"fusion/{name}.py" for name in FUSION), "text/typography.py")


def compiled() -> list[Extension]:
    """Extensions for the modules whose time counts."""
    from mypyc.build import mypycify  # of mypy: nothing else needs it here

    links = Path("build/mypyc/gistmill")  # mypyc names modules by the folders they lie in
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
    """A source archive that always brings the extras named in GISTMILL_EXTRAS."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Adds them to the dependencies in the copy of pyproject.toml, which may be a hard link."""
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
there = {name: folder for name, folder in folders.items() if Path(folder).is_dir()}  # images install without them first

setup(
    cmdclass={"sdist": Archive},
    packages=[
        f"{name}.{inner}".rstrip(".") for name, folder in there.items() for inner in ("", *find_packages(folder))
    ],
    ext_modules=compiled() if os.environ.get("GISTMILL_COMPILE") == "1" else [],
)
