"""Lets Beam's --setup_file and `python setup.py sdist` build the package, which pyproject.toml describes."""

from setuptools import setup

setup()
