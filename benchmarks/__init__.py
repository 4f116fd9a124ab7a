"""Measurements of what the project does. They compute as the command does: importing one settles the arithmetic."""

from gistmill.transforms.arithmetic import settle_arithmetic

settle_arithmetic()  # before any of them imports NumPy
