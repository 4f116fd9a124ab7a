"""Clauses: assertion, conditions and frames, and ellipsis."""
