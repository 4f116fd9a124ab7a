"""Experiments: grids of training runs defined in files, and tables that compare their results with a paper's."""
