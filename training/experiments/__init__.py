"""Experiments: grids of trainings, as files describe them, and tables of their results beside a paper's."""
