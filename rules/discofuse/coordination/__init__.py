"""Joined clauses and predicates (paper, Table 14, rows 6 and 7)."""
