"""Experiments: grids of trainings, as files describe them, and tables of their results next to a paper's."""
