"""Lets Beam's --setup_file and `python setup.py sdist` build the package, which pyproject.toml describes.

The packages are looked for in the folders that pyproject.toml maps: setuptools looks in one folder alone.
"""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

described = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
folders = described["tool"]["setuptools"]["package-dir"]
there = {name: folder for name, folder in folders.items() if Path(folder).is_dir()}  # images install without them first

setup(
    packages=[f"{name}.{inner}".rstrip(".") for name, folder in there.items() for inner in ("", *find_packages(folder))]
)
