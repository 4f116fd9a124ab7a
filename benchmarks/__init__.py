"""Benchmarks. They compute as the command does: importing one settles the arithmetic."""

from gistmill.pipelines.runners.quiet import mute_imports
from gistmill.transforms.arithmetic import settle_arithmetic

mute_imports()
settle_arithmetic()  # before any of them imports NumPy
