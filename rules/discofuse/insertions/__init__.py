"""Relative clauses and appositions: phrases between two commas, right after their antecedent (paper, Table 14, rows 8
and 9)."""
