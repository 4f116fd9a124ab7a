"""Benchmarks. Importing one sets up the arithmetic, so that results match those of the command."""

from gistmill.pipelines.runners.quiet import mute_imports
from gistmill.transforms.arithmetic import settle_arithmetic

mute_imports()
settle_arithmetic()  # before any of them imports NumPy
